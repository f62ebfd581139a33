/* SPDX-License-Identifier: Apache-2.0
 * whole.c - runs a model and keeps all values of its main graph, from which parts are fed. */
#include "whole.h"

enum { SIZE = 4 }; /* of dims that a model leaves open */

known *whole_find(whole *w, const char *name)
{
    for (int i = 0; i < w->n; i++)
        if (strcmp(w->item[i].name, name) == 0)
            return &w->item[i];
    return NULL;
}

static oc_value *copy_value(const oc_value *v, oc_error *e)
{
    byte_buffer bytes = {.bytes = NULL};
    const oc_writer out = {byte_buffer_append, &bytes};
    oc_value_write(v, NULL, &out, e);
    oc_value *copy = oc_value_read(bytes.bytes, bytes.size, oc_value_kind(v), NULL, NULL, e);
    free(bytes.bytes);
    return copy;
}

static void keep(void *ctx, const oc_node_event *event)
{
    oc_error e = {.code = OC_OK};
    for (int i = 0; !event->begin && event->depth == 0 && i < event->n_out; i++) {
        known *k = *event->out_name[i] ? whole_find(ctx, event->out_name[i]) : NULL;
        if (k && event->out[i])
            k->value = copy_value(event->out[i], &e);
    }
    suite_assert(e.code == OC_OK, "%s", e.text);
}

static void list_outputs(void *ctx, const oc_node_info *node)
{
    whole *w = ctx;
    for (int i = 0; node->depth == 0 && i < node->n_out; i++)
        if (*node->out[i].name && w->n < MOST_VALUES)
            w->item[w->n++] = (known){.name = node->out[i].name};
}

/* Numbers of an input that no operator of the models refuses. */
static oc_value *make_input(const oc_port *p, suite_random *r, oc_error *e)
{
    int64_t dim[OC_MAX_RANK];
    for (int i = 0; i < p->rank; i++)
        dim[i] = p->dim[i] >= 0 ? p->dim[i] : SIZE;
    oc_value *v = oc_tensor_new(p->type, p->rank < 0 ? 0 : p->rank, dim, NULL, e);
    for (int64_t i = 0; v && i < oc_value_count(v); i++) {
        const float x = p->type == OC_F32 ? (float)suite_below(r, 1000) / 500 - 1 : 1;
        char *to = (char *)oc_value_mutable_data(v) + (size_t)i * oc_type_size(p->type);
        if (p->type == OC_STRING)
            oc_tensor_set_string(v, i, "a b", 3, e);
        else
            oc_convert(to, p->type, &x, OC_F32, 1, false);
    }
    return v;
}

void whole_run(whole *w, suite_random *r, oc_error *e)
{
    const oc_session_options options = {.threads = 1,
                                        .observer = {.on_node = keep, .on_node_ctx = w}};
    w->model = oc_model_load(w->path, NULL, e);
    w->n = w->n_inputs = oc_model_n_inputs(w->model);
    for (int i = 0; i < w->n_inputs; i++) {
        const oc_port p = oc_model_input(w->model, i);
        w->item[i] = (known){.name = p.name};
        w->item[i].value = p.has_default || p.kind != OC_TENSOR ? NULL : make_input(&p, r, e);
    }
    oc_model_visit(w->model, NULL, list_outputs, w, e);
    w->session = oc_session_new(w->model, &options, e);
    for (int i = 0; i < w->n_inputs; i++)
        if (w->item[i].value)
            oc_bind_value_at(w->session, i, w->item[i].value, e);
    oc_run(w->session, e);
    suite_assert(e->code == OC_OK, "%s: %s", w->path, e->text);
}

void whole_free(whole *w)
{
    for (int i = 0; i < w->n; i++)
        oc_value_free(w->item[i].value);
    oc_session_free(w->session);
    oc_model_free(w->model);
    free(w);
}

int whole_choose(whole *w, suite_random *r, int n, bool nodes, const known **chosen)
{
    int found = 0;
    for (int tries = 0; tries < 4 * n && found < n; tries++) {
        const int first = nodes ? w->n_inputs : 0;
        const known *k = &w->item[first + (int)suite_below(r, (uint32_t)(w->n - first))];
        bool again = !k->value;
        for (int i = 0; i < found; i++)
            again |= chosen[i] == k;
        if (!again)
            chosen[found++] = k;
    }
    return found;
}

oc_model *whole_read_back(const oc_model *part, oc_format format, byte_buffer *bytes, oc_error *e)
{
    const oc_writer out = {byte_buffer_append, bytes};
    oc_model_save(part, format, &out, e);
    return oc_model_load_memory(bytes->bytes, bytes->size, NULL, e);
}

int whole_each(char **paths, uint32_t seed, int cuts, void (*cut)(whole *w, suite_random *r))
{
    suite_random r = suite_random_new(seed);
    int n = 0;
    for (; paths[n]; n++) {
        oc_error e = {.code = OC_OK};
        whole *w = calloc(1, sizeof *w);
        ck_assert_ptr_nonnull(w);
        w->path = paths[n];
        whole_run(w, &r, &e);
        for (int i = 0; i < cuts; i++)
            cut(w, &r);
        whole_free(w);
    }
    return n;
}
