/* SPDX-License-Identifier: Apache-2.0
 * exercise.c - what is done with a hostile model, and which rules hold meanwhile: an error has a
 * code and a text; memory stays below the cap and is all given back; what is written can be read.
 */
#include "exercise.h"

#include "byte_buffer.h"

#include <ocellus_model.h>
#include <stdio.h>
#include <stdlib.h>

enum { MEMORY_CAP = 32 << 20, MOST_STEPS = 1000, MOST_ELEMENTS = 4096, MOST_INPUTS = 16 };

static const double DEADLINE = 0.1;

#define RULE(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "rule: " __VA_ARGS__);                                                 \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* ---- limits ---- */

static void *count_bytes(void *ctx, void *block, size_t old_size, size_t new_size)
{
    size_t *live = ctx;
    void *p = NULL;
    if (new_size == 0)
        free(block);
    else if (!(p = realloc(block, new_size)))
        return NULL;
    *live = *live - old_size + new_size;
    RULE(*live <= MEMORY_CAP, "%zu bytes are allocated, the cap is %d\n", *live, MEMORY_CAP);
    return p;
}

static const oc_limits limits = {
    .memory_cap = MEMORY_CAP, .max_steps = MOST_STEPS, .deadline = DEADLINE};

static oc_model *load(const void *bytes, size_t size, size_t *live, oc_error *e)
{
    const oc_model_options options = {
        .alloc = {count_bytes, live}, .limits = limits, .without_weights = true};
    return oc_model_load_memory(bytes, size, &options, e);
}

static void check_error(const oc_error *e)
{
    RULE(e->code >= OC_OK && e->code < OC_N_STATUS, "a code of %d\n", (int)e->code);
    RULE(e->code == OC_OK || *e->text, "%s without a text\n", oc_status_name(e->code));
    RULE(memchr(e->text, 0, sizeof e->text), "a text without an end\n");
}

/* ---- facts ---- */

static void take_line(void *ctx, oc_status code, const char *text)
{
    RULE(code < OC_N_STATUS && strlen(text) < sizeof(oc_error), "a finding of %d\n", (int)code);
    ++*(int *)ctx;
}

static void describe(const oc_model *m)
{
    oc_error e = {OC_OK, ""};
    oc_model_operator op;
    oc_weight weight;
    int64_t version;
    int lines = 0;
    (void)oc_model_describe(m);
    for (int i = 0; i < oc_model_n_inputs(m); i++)
        (void)oc_model_input(m, i);
    for (int i = 0; i < oc_model_n_outputs(m); i++)
        (void)oc_model_output(m, i);
    for (int i = 0; oc_model_opset(m, i, &version);)
        i++;
    for (int i = 0; oc_model_operator_at(m, i, &op);)
        i++;
    for (int i = 0; oc_model_weight_at(m, i, &weight);)
        i++;
    oc_model_examine(m, take_line, &lines, &e);
    check_error(&e);
}

/* ---- runs ---- */

/* Zeros for an input that has a shape, or could have this one. */
static oc_value *zeros(const oc_port *p, oc_error *e)
{
    int64_t dim[OC_MAX_RANK], count = 1;
    for (int i = 0; i < p->rank; i++) {
        dim[i] = p->dim[i] < 0 ? 2 : p->dim[i];
        if (dim[i] > MOST_ELEMENTS || count * dim[i] > MOST_ELEMENTS)
            return NULL;
        count *= dim[i];
    }
    if (p->kind != OC_TENSOR || p->type == OC_UNDEFINED)
        return NULL;
    return oc_tensor_new(p->type, p->rank < 0 ? 0 : p->rank, dim, NULL, e);
}

static int bind(oc_session *s, const oc_model *m, oc_value *value[MOST_INPUTS])
{
    int n = 0;
    for (int i = 0; i < oc_model_n_inputs(m) && n < MOST_INPUTS; i++) {
        oc_error e = {OC_OK, ""};
        const oc_port p = oc_model_input(m, i);
        if (p.has_default || !(value[n] = zeros(&p, &e)))
            continue;
        oc_bind_value_at(s, i, value[n++], &e);
        check_error(&e);
    }
    return n;
}

static void fetch(const oc_session *s, const oc_model *m)
{
    for (int i = 0; i < oc_model_n_outputs(m); i++) {
        oc_error e = {OC_OK, ""};
        const oc_value *v = oc_fetch_value_at(s, i, &e);
        RULE(v || e.code != OC_OK, "output %d has no value and no error\n", i);
        check_error(&e);
    }
}

static void run(const oc_model *m, oc_body_policy policy)
{
    oc_error e = {OC_OK, ""};
    oc_value *value[MOST_INPUTS];
    const oc_session_options options = {.limits = limits, .bodies.policy = policy, .threads = 1};
    oc_session *s = oc_session_new(m, &options, &e);
    check_error(&e);
    if (!s)
        return;
    const int n = bind(s, m, value);
    for (int round = 0; round < 2; round++) {
        e = (oc_error){OC_OK, ""};
        oc_run(s, &e);
        check_error(&e);
        if (e.code == OC_OK)
            fetch(s, m);
        (void)oc_session_describe(s);
    }
    oc_session_free(s);
    for (int i = 0; i < n; i++)
        oc_value_free(value[i]);
}

/* ---- files ---- */

/* What is more than a reader takes aside, what is written can be read. */
static oc_model *again(const oc_model *m, oc_format format, byte_buffer *b, size_t *live)
{
    oc_error e = {OC_OK, ""};
    const oc_writer out = {byte_buffer_append, b};
    oc_model_save(m, format, &out, &e);
    check_error(&e);
    oc_model *back = load(b->bytes, b->size, live, &e);
    RULE(back || e.code == OC_LIMIT || e.code == OC_UNSUPPORTED || e.code == OC_DEADLINE,
         "what was written cannot be read: %s\n%.*s\n", e.text,
         format == OC_FORMAT_TEXT ? (int)b->size : 0, b->bytes);
    return back;
}

static void expand(const oc_model *m, oc_body_policy policy)
{
    oc_error e = {OC_OK, ""};
    oc_model *out = oc_model_expand(m, policy, NULL, &e);
    check_error(&e);
    RULE(out || e.code != OC_OK, "nothing is expanded and there is no error\n");
    if (out) {
        size_t live = 0;
        byte_buffer b = {NULL, 0, 0};
        const oc_format format = policy == OC_BODY_EXPAND ? OC_FORMAT_ONNX : OC_FORMAT_TEXT;
        oc_model *back = again(out, format, &b, &live);
        if (back && policy == OC_BODY_EXPAND)
            run(back, OC_BODY_NATIVE);
        oc_model_free(back);
        free(b.bytes);
        RULE(live == 0, "%zu bytes of an expanded model are left\n", live);
    }
    oc_model_free(out);
}

/* A node that begins with inputs, and ends with outputs, of its own. */
static void cut_node(void *ctx, const oc_node_info *node)
{
    size_t live = 0;
    oc_error e = {OC_OK, ""};
    byte_buffer b = {NULL, 0, 0};
    if (node->depth || !node->n_in || !node->n_out)
        return;
    oc_model *part = oc_model_extract(ctx, &(oc_cut){node->in[0].name, NULL}, 1,
                                      &node->out[node->n_out - 1].name, 1, &e);
    check_error(&e);
    RULE(part || e.code != OC_OK, "nothing is extracted and there is no error\n");
    if (part)
        oc_model_free(again(part, OC_FORMAT_ONNX, &b, &live));
    oc_model_free(part);
    free(b.bytes);
    RULE(live == 0, "%zu bytes of an extracted model are left\n", live);
}

static void extract(oc_model *m)
{
    oc_error e = {OC_OK, ""};
    oc_model_visit(m, NULL, cut_node, m, &e);
    check_error(&e);
}

/* The model behind itself, by its first output and input. */
static void join(const oc_model *m)
{
    size_t live = 0;
    oc_error e = {OC_OK, ""};
    byte_buffer b = {NULL, 0, 0};
    if (!oc_model_n_inputs(m) || !oc_model_n_outputs(m))
        return;
    const oc_link link = {oc_model_output(m, 0).name, oc_model_input(m, 0).name};
    oc_model *joined = oc_model_join(m, m, &link, 1, "p", &e);
    check_error(&e);
    RULE(joined || e.code != OC_OK, "nothing is joined and there is no error\n");
    if (joined)
        oc_model_free(again(joined, OC_FORMAT_ONNX, &b, &live));
    oc_model_free(joined);
    free(b.bytes);
    RULE(live == 0, "%zu bytes of a joined model are left\n", live);
}

static void save(const oc_model *m, oc_format format)
{
    size_t live = 0;
    byte_buffer b = {NULL, 0, 0};
    oc_model *back = again(m, format, &b, &live);
    if (back)
        describe(back);
    oc_model_free(back);
    free(b.bytes);
    RULE(live == 0, "%zu bytes of a model that was read again are left\n", live);
}

void exercise(const void *bytes, size_t size)
{
    static const oc_body_policy policies[] = {OC_BODY_NATIVE, OC_BODY_EXPAND, OC_BODY_STANDARD};
    size_t live = 0;
    oc_error e = {OC_OK, ""};
    oc_model *m = load(bytes, size, &live, &e);
    check_error(&e);
    RULE(m || e.code != OC_OK, "there is no model and no error\n");
    if (m) {
        describe(m);
        save(m, OC_FORMAT_ONNX);
        save(m, OC_FORMAT_TEXT);
        extract(m);
        join(m);
        for (int i = 0; i < 3; i++) {
            run(m, policies[i]);
            expand(m, policies[i]);
        }
    }
    oc_model_free(m);
    RULE(live == 0, "%zu bytes of a model are left\n", live);
}
