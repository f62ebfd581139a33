/* SPDX-License-Identifier: Apache-2.0
 * kernel_info.c - what a kernel may ask when it is made: its node, and the session. */
#include "common/functions.h"
#include "common/interface.h"
#include "operators/kernel.h"

/* ---- what is kept of a node ---- */

void ort_attributes_free(ort_attribute *attribute, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ort_attribute *a = &attribute[i];
        for (size_t k = 0; a->text && k < a->n; k++)
            free((void *)(uintptr_t)a->text[k].data);
        free(a->name);
        free(a->floats);
        free(a->ints);
        free(a->text);
    }
    free(attribute);
}

static OrtStatus *copy_items(const void *items, size_t n, size_t size, void *copy)
{
    void *made = NULL;
    if (items && n) {
        ORT_TRY(ort_new(n * size, &made));
        memcpy(made, items, n * size);
    }
    memcpy(copy, &made, sizeof made);
    return NULL;
}

static OrtStatus *copy_strings(const oc_string *from, size_t n, ort_attribute *to)
{
    if (!from || !n)
        return NULL;
    ORT_TRY(ort_new(n * sizeof *to->text, &to->text));
    for (size_t i = 0; i < n; i++) {
        char *bytes;
        ORT_TRY(ort_new(from[i].size + 1, &bytes));
        if (from[i].size)
            memcpy(bytes, from[i].data, from[i].size);
        to->text[i] = (oc_string){bytes, from[i].size};
    }
    return NULL;
}

static OrtStatus *copy_attributes(OrtKernelInfo *info, const oc_node_info *node)
{
    if (!node->n_attr)
        return NULL;
    ORT_TRY(ort_new((size_t)node->n_attr * sizeof *info->attribute, &info->attribute));
    for (int i = 0; i < node->n_attr; i++) {
        const oc_attribute a = oc_node_attribute(node, i);
        ort_attribute *copy = &info->attribute[info->n_attribute++];
        *copy = (ort_attribute){.kind = a.kind, .n = (size_t)a.n};
        ORT_TRY(ort_copy_text(a.name, &copy->name));
        ORT_TRY(copy_items(a.floats, copy->n, sizeof *a.floats, &copy->floats));
        ORT_TRY(copy_items(a.ints, copy->n, sizeof *a.ints, &copy->ints));
        ORT_TRY(copy_strings(a.strings, copy->n, copy));
    }
    return NULL;
}

/* Returns what the model tells of a value; NULL: nothing, or inner graphs have several values of
 * that name. */
static const oc_port *find_value(const ort_operators *s, const char *name)
{
    const oc_port *found = NULL;
    for (size_t i = 0; i < s->n_value; i++) {
        if (strcmp(s->value[i].name, name) != 0)
            continue;
        if (found && found->type != s->value[i].type)
            return NULL;
        found = &s->value[i];
    }
    return found;
}

/* What the call knows precedes what the model tells, which precedes what the program declares. */
static OrtStatus *copy_port(const ort_operator *o, const oc_port *from, oc_type declared,
                            oc_port *to)
{
    const oc_port *told = *from->name ? find_value(o->owner, from->name) : NULL;
    *to = *from;
    if (told && (to->type == OC_UNDEFINED || (to->rank < 0 && told->type == to->type)))
        *to = *told;
    if (to->type == OC_UNDEFINED)
        to->type = declared;
    for (int a = 0; a < OC_MAX_RANK; a++)
        to->dim_name[a] = NULL;
    to->name = NULL;
    char *name;
    ORT_TRY(ort_copy_text(from->name, &name));
    to->name = name;
    return NULL;
}

static OrtStatus *copy_ports(const ort_operator *o, const ort_side *side, const oc_port *from,
                             int n, oc_port **to, int *n_to)
{
    ORT_TRY(ort_new((size_t)n * sizeof **to, to));
    for (; *n_to < n; (*n_to)++) {
        const oc_type type = o->n_op == 1 ? ort_operand_type(side, (size_t)*n_to) : OC_UNDEFINED;
        ORT_TRY(copy_port(o, &from[*n_to], type, &(*to)[*n_to]));
    }
    return NULL;
}

static OrtStatus *fill_info(OrtKernelInfo *info, const oc_node_info *node)
{
    const ort_declared *op = info->of->op;
    ORT_TRY(ort_copy_text(node->name, &info->node));
    ORT_TRY(copy_ports(info->of, &op->in, node->in, node->n_in, &info->in, &info->n_in));
    ORT_TRY(copy_ports(info->of, &op->out, node->out, node->n_out, &info->out, &info->n_out));
    ORT_TRY(copy_attributes(info, node));
    return ort_new((size_t)node->n_in * sizeof *info->constant, &info->constant);
}

OrtStatus *ort_kernel_info_new(oc_call *call, const ort_operator *of, OrtKernelInfo **out)
{
    OrtKernelInfo *info;
    const oc_node_info node = oc_call_node(call);
    *out = NULL;
    ORT_TRY(ort_new(sizeof *info, &info));
    atomic_init(&info->holders, 1);
    pthread_mutex_init(&info->lock, NULL);
    info->of = of;
    info->call = call;
    info->identity = node.attr;
    OrtStatus *status = fill_info(info, &node);
    ORT_GIVE(status, info, ort_ReleaseKernelInfo, out);
}

OrtStatus *ort_CopyKernelInfo(const OrtKernelInfo *info, OrtKernelInfo **out)
{
    ORT_NEED(info && out);
    OrtKernelInfo *same = (OrtKernelInfo *)(uintptr_t)info;
    atomic_fetch_add(&same->holders, 1);
    *out = same;
    return NULL;
}

static void free_ports(oc_port *port, int n)
{
    for (int i = 0; i < n; i++)
        free((void *)(uintptr_t)port[i].name);
    free(port);
}

void ort_ReleaseKernelInfo(OrtKernelInfo *info)
{
    if (!info || atomic_fetch_sub(&info->holders, 1) > 1)
        return;
    for (int i = 0; info->constant && i < info->n_in; i++)
        ort_ReleaseValue(info->constant[i]);
    free(info->constant);
    ort_attributes_free(info->attribute, info->n_attribute);
    free_ports(info->in, info->n_in);
    free_ports(info->out, info->n_out);
    free(info->node);
    pthread_mutex_destroy(&info->lock);
    free(info);
}

/* ---- texts ---- */

/* *size becomes that of the text with its end; out NULL asks for it alone. function is ort_NAME. */
static OrtStatus *give_bytes(const char *function, const char *bytes, size_t n, char *out,
                             size_t *size)
{
    const size_t room = *size;
    *size = n + 1;
    if (!out)
        return NULL;
    ORT_EXPECT(room > n, "%s: room for %zu bytes, expected %zu", function + 4, room, n + 1);
    memcpy(out, bytes, n + 1);
    return NULL;
}

/* Defines a function that tells a text of the node. */
#define ORT_TEXT(function, text)                                                                   \
    OrtStatus *function(const OrtKernelInfo *info, char *out, size_t *size)                        \
    {                                                                                              \
        if (!info || !size)                                                                        \
            return ort_missing(__func__, "info && size");                                          \
        return give_bytes(__func__, info->text, strlen(info->text), out, size);                    \
    }
ORT_TEXT(ort_KernelInfo_GetNodeName, node)
ORT_TEXT(ort_KernelInfo_GetOperatorDomain, of->domain)
ORT_TEXT(ort_KernelInfo_GetOperatorType, of->name)

ORT_GETTER(ort_KernelInfo_GetOperatorSinceVersion, OrtKernelInfo, info, int, info->of->since)

/* ---- inputs and outputs ---- */

ORT_GETTER(ort_KernelInfo_GetInputCount, OrtKernelInfo, info, size_t, (size_t)info->n_in)
ORT_GETTER(ort_KernelInfo_GetOutputCount, OrtKernelInfo, info, size_t, (size_t)info->n_out)

/* Is port i one of the n inputs or outputs of the node? function is ort_NAME. */
static OrtStatus *expect_port(const char *function, size_t i, const char *what, int n)
{
    ORT_EXPECT(i < (size_t)n, "%s: %s %zu of %d", function + 4, what, i, n);
    return NULL;
}

OrtStatus *ort_KernelInfo_GetInputName(const OrtKernelInfo *info, size_t i, char *out, size_t *size)
{
    ORT_NEED(info && size);
    ORT_TRY(expect_port(__func__, i, "input", info->n_in));
    return give_bytes(__func__, info->in[i].name, strlen(info->in[i].name), out, size);
}

OrtStatus *ort_KernelInfo_GetOutputName(const OrtKernelInfo *info, size_t i, char *out,
                                        size_t *size)
{
    ORT_NEED(info && size);
    ORT_TRY(expect_port(__func__, i, "output", info->n_out));
    return give_bytes(__func__, info->out[i].name, strlen(info->out[i].name), out, size);
}

OrtStatus *ort_KernelInfo_GetInputTypeInfo(const OrtKernelInfo *info, size_t i, OrtTypeInfo **out)
{
    ORT_NEED(info && out);
    ORT_TRY(expect_port(__func__, i, "input", info->n_in));
    return ort_type_of_port(&info->in[i], out);
}

OrtStatus *ort_KernelInfo_GetOutputTypeInfo(const OrtKernelInfo *info, size_t i, OrtTypeInfo **out)
{
    ORT_NEED(info && out);
    ORT_TRY(expect_port(__func__, i, "output", info->n_out));
    return ort_type_of_port(&info->out[i], out);
}

static OrtStatus *copy_constant(const OrtKernelInfo *info, size_t i)
{
    const oc_value *v = info->call ? oc_call_in(info->call, (int)i) : NULL;
    if (info->constant[i] || !v || oc_value_kind(v) != OC_TENSOR || !oc_value_data(v))
        return NULL;
    return ort_value_copy(NULL, v, &info->constant[i]);
}

OrtStatus *ort_KernelInfoGetConstantInput_tensor(const OrtKernelInfo *info, size_t i,
                                                 int *is_constant, const OrtValue **out)
{
    ORT_NEED(info && is_constant && out);
    ORT_TRY(expect_port(__func__, i, "input", info->n_in));
    ort_lock(&info->lock);
    OrtStatus *status = copy_constant(info, i);
    *out = info->constant[i];
    *is_constant = *out != NULL;
    return ort_unlock(&info->lock, status);
}

/* ---- attributes ---- */

/* Finds the attribute of that name; another kind, or none, is an error. */
static OrtStatus *find_attribute(const OrtKernelInfo *info, const char *name, const char *kind,
                                 const ort_attribute **out)
{
    for (size_t i = 0; i < info->n_attribute; i++) {
        const ort_attribute *a = &info->attribute[i];
        if (strcmp(a->name, name) != 0)
            continue;
        if (strcmp(a->kind, kind) != 0)
            return ort_fail(ORT_FAIL, "attribute '%s' of node '%s' (%s) is of kind %s, not %s",
                            name, info->node, info->of->name, a->kind, kind);
        *out = a;
        return NULL;
    }
    return ort_fail(ORT_FAIL, "node '%s' (%s) has no attribute '%s'", info->node, info->of->name,
                    name);
}

OrtStatus *ort_KernelInfoGetAttribute_float(const OrtKernelInfo *info, const char *name, float *out)
{
    ORT_NEED(info && name && out);
    const ort_attribute *a;
    ORT_TRY(find_attribute(info, name, "float", &a));
    *out = a->floats[0];
    return NULL;
}

OrtStatus *ort_KernelInfoGetAttribute_int64(const OrtKernelInfo *info, const char *name,
                                            int64_t *out)
{
    ORT_NEED(info && name && out);
    const ort_attribute *a;
    ORT_TRY(find_attribute(info, name, "int", &a));
    *out = a->ints[0];
    return NULL;
}

OrtStatus *ort_KernelInfoGetAttribute_string(const OrtKernelInfo *info, const char *name, char *out,
                                             size_t *size)
{
    ORT_NEED(info && name && size);
    const ort_attribute *a;
    ORT_TRY(find_attribute(info, name, "string", &a));
    return give_bytes(__func__, a->text[0].data, a->text[0].size, out, size);
}

/* *n becomes the number of items; out NULL asks for it alone. function is ort_NAME. */
static OrtStatus *give_items(const char *function, const ort_attribute *a, const void *items,
                             size_t size, void *out, size_t *n)
{
    const size_t room = *n;
    *n = a->n;
    if (!out)
        return NULL;
    ORT_EXPECT(room >= a->n, "%s: room for %zu items of attribute '%s', expected %zu", function + 4,
               room, a->name, a->n);
    if (a->n)
        memcpy(out, items, a->n * size);
    return NULL;
}

OrtStatus *ort_KernelInfoGetAttributeArray_float(const OrtKernelInfo *info, const char *name,
                                                 float *out, size_t *n)
{
    ORT_NEED(info && name && n);
    const ort_attribute *a;
    ORT_TRY(find_attribute(info, name, "floats", &a));
    return give_items(__func__, a, a->floats, sizeof *a->floats, out, n);
}

OrtStatus *ort_KernelInfoGetAttributeArray_int64(const OrtKernelInfo *info, const char *name,
                                                 int64_t *out, size_t *n)
{
    ORT_NEED(info && name && n);
    const ort_attribute *a;
    ORT_TRY(find_attribute(info, name, "ints", &a));
    return give_items(__func__, a, a->ints, sizeof *a->ints, out, n);
}

static const char *text_at(const void *attribute, size_t i)
{
    const ort_attribute *a = attribute;
    return a->text[i].data;
}

OrtStatus *ort_KernelInfoGetAttributeArray_string(const OrtKernelInfo *info, const char *name,
                                                  OrtAllocator *allocator, char ***out, size_t *n)
{
    ORT_NEED(info && name && n && (allocator || !out));
    const ort_attribute *a;
    ORT_TRY(find_attribute(info, name, "strings", &a));
    *n = a->n;
    return out ? ort_allocate_texts(allocator, text_at, a, a->n, out) : NULL;
}

OrtStatus *ort_KernelInfoGetAttribute_tensor(const OrtKernelInfo *info, const char *name,
                                             OrtAllocator *allocator, OrtValue **out)
{
    ORT_NEED(info && name && out);
    const ort_attribute *a;
    ORT_TRY(find_attribute(info, name, "tensor", &a));
    ort_lock(&info->lock);
    const oc_value *v = info->call ? oc_call_tensor(info->call, name) : NULL;
    OrtStatus *status = v ? ort_value_copy(allocator, v, out)
                          : ort_fail(ORT_FAIL,
                                     "KernelInfoGetAttribute_tensor: '%s' may be asked for while "
                                     "the kernel is made, not later",
                                     name);
    return ort_unlock(&info->lock, status);
}

/* ---- the session ---- */

ORT_GETTER(ort_KernelInfo_GetLogger, OrtKernelInfo, info, const OrtLogger *,
           info->of->owner->logger)

OrtStatus *ort_KernelInfoGetAllocator(const OrtKernelInfo *, OrtMemType, OrtAllocator **out)
{
    ORT_NEED(out);
    *out = ort_default_allocator();
    return NULL;
}

OrtStatus *ort_KernelInfo_GetConfigEntries(const OrtKernelInfo *info, OrtKeyValuePairs **out)
{
    ORT_NEED(info && out);
    return ort_GetSessionOptionsConfigEntries(info->of->owner->options, out);
}
