/* SPDX-License-Identifier: Apache-2.0
 * api_describe.c - describes the signature of a version of an operator to the host. */
#include "ops/signature/sig.h"

/* oc_op_describe returns this struct, followed by the memory that it uses. */
typedef struct described {
    oc_op_info info; /* first, because the public pointer is the address of this struct */
    oc_memory memory;
    oc_arena arena;
} described;

static const char *copy(described *d, oc_string text)
{
    return oc_arena_text(&d->arena, text.data, text.size);
}

static const oc_op_port *list_ports(described *d, const oc_sig_port *ports, int n,
                                    const int place[OC_SIG_VARS])
{
    oc_op_port *list = oc_arena_array(&d->arena, (size_t)n, sizeof *list);
    for (int i = 0; list && i < n; i++)
        list[i] = (oc_op_port){.name = ports[i].name,
                               .optional = ports[i].optional,
                               .variadic = ports[i].variadic,
                               .mixed = ports[i].mixed,
                               .variable = ports[i].var < 0 ? -1 : place[ports[i].var],
                               .types = ports[i].set};
    return list;
}

static void list_attributes(described *d, const oc_sig *sig)
{
    oc_op_attribute *list = oc_arena_array(&d->arena, (size_t)sig->n_attr, sizeof *list);
    int n = 0;
    for (int i = 0; list && i < sig->n_attr; i++) {
        const oc_sig_attr *a = &sig->attr[i];
        if (!a->option)
            list[n++] = (oc_op_attribute){.name = a->name,
                                          .kind = oc_attr_kind_name(a->value.kind),
                                          .required = a->required,
                                          .has_default = a->has_default};
    }
    d->info.attribute = list;
    d->info.n_attributes = n;
}

/* Returns the type sets of a variable, which all ports of that type have. */
static oc_type_sets set_of(const oc_sig *sig, int var)
{
    for (int i = 0; i < sig->n_in; i++)
        if (sig->in[i].var == var)
            return sig->in[i].set;
    for (int i = 0; i < sig->n_out; i++)
        if (sig->out[i].var == var)
            return sig->out[i].set;
    return (oc_type_sets){0};
}

/* Lists the variables in the order of the text. place[v] becomes the place of variable v. */
static void list_variables(described *d, const oc_sig *sig, int place[OC_SIG_VARS])
{
    oc_op_variable *list = oc_arena_array(&d->arena, (size_t)sig->n_var, sizeof *list);
    for (int v = 0; list && v < sig->n_var; v++) {
        place[v] = 0;
        for (int i = 0; i < sig->n_var; i++)
            place[v] += sig->var_text[i].data < sig->var_text[v].data;
        list[place[v]] = (oc_op_variable){
            .name = sig->var[v], .text = copy(d, sig->var_text[v]), .types = set_of(sig, v)};
    }
    d->info.variable = list;
    d->info.n_variables = sig->n_var;
}

static oc_status describe(described *d, const oc_op *version, oc_error *e)
{
    const oc_sig *sig;
    int place[OC_SIG_VARS];
    OC_TRY(oc_sig_parse(version->signature, &d->arena, &sig, e));
    d->info = (oc_op_info){.version = version,
                           .domain = sig->domain,
                           .name = sig->name,
                           .ports = copy(d, sig->ports_text),
                           .random = sig->random,
                           .n_inputs = sig->n_in,
                           .n_outputs = sig->n_out};
    d->info.label =
        *sig->domain ? oc_arena_printf(&d->arena, "%s::%s", sig->domain, sig->name) : sig->name;
    list_attributes(d, sig);
    list_variables(d, sig, place);
    d->info.input = list_ports(d, sig->in, sig->n_in, place);
    d->info.output = list_ports(d, sig->out, sig->n_out, place);
    return oc_arena_check(&d->arena, e);
}

const oc_op_info *oc_op_describe(const oc_op *version, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return NULL;
    if (!version || !version->signature) {
        oc_error_set(e, OC_ARGUMENT, "oc_op_describe: there is no version or no signature");
        return NULL;
    }
    oc_memory memory = oc_memory_new(NULL, 0);
    described *d = oc_memory_alloc(&memory, sizeof *d);
    if (!d) {
        oc_memory_error(&memory, sizeof *d, e);
        return NULL;
    }
    *d = (described){.memory = memory};
    d->arena = oc_arena_new(&d->memory);
    if (describe(d, version, e) == OC_OK)
        return &d->info;
    oc_op_info_free(&d->info);
    return NULL;
}

void oc_op_info_free(const oc_op_info *info)
{
    described *d = (described *)(uintptr_t)info;
    if (!d)
        return;
    oc_arena_free(&d->arena);
    oc_memory memory = d->memory;
    oc_memory_free(&memory, d, sizeof *d);
}
