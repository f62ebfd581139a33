/* SPDX-License-Identifier: Apache-2.0
 * shrink.c - cuts a model at its end, then at its beginning, then node by node.
 *
 * A part is described by the values that it gives and by those that it begins with, as
 * oc_model_extract takes them. The values that it begins with become initializers with what a
 * run of the whole gave for them, or inputs if it gave nothing. */
#include "reduce/shrink.h"

#include "files/model_file.h"
#include "session/progress.h"

#include <limits.h>

/* A value that a node of the main graph gives. */
typedef struct inner {
    const char *name;
    oc_value *value; /* what a run of the whole gave; NULL: nothing, or not numbers */
    int node;
    bool given, cut; /* given: the part ends with the value; cut: the part begins with it */
} inner;

typedef struct shrinking {
    const oc_model *whole;
    const shows *looked;
    const char *out;
    int64_t most;
    inner *item; /* in the order of the nodes */
    int n, n_nodes;
    text_index number; /* maps each name to its index in item */
    size_t bytes;      /* bytes of the values that are kept */
    progress progress;
    shrink_result result;
    oc_error *e;
} shrinking;

static const size_t MOST_BYTES = (size_t)1 << 30; /* most bytes of values that are kept */

/* ---- the run of the whole ---- */

static void list_outputs(void *ctx, const oc_node_info *node)
{
    shrinking *x = ctx;
    for (int i = 0; node->depth == 0 && i < node->n_out; i++) {
        if (!*node->out[i].name)
            continue;
        x->item = tool_push(x->item, (size_t)x->n, sizeof *x->item);
        x->item[x->n] = (inner){.name = node->out[i].name, .node = x->n_nodes};
        text_index_add(&x->number, node->out[i].name, x->n++);
    }
    x->n_nodes += node->depth == 0;
}

static oc_value *copy_numbers(shrinking *x, const oc_value *v)
{
    oc_error none = {0};
    if (oc_value_kind(v) != OC_TENSOR || oc_value_type(v) == OC_STRING)
        return NULL;
    const size_t bytes = (size_t)oc_value_count(v) * oc_type_size(oc_value_type(v));
    if (bytes > MOST_BYTES - x->bytes)
        return NULL;
    oc_value *copy =
        oc_tensor_new(oc_value_type(v), oc_value_rank(v), oc_value_dims(v), NULL, &none);
    if (copy && bytes)
        memcpy(oc_value_mutable_data(copy), oc_value_data(v), bytes);
    x->bytes += copy ? bytes : 0;
    return copy;
}

static void keep_values(void *ctx, const oc_node_event *event)
{
    shrinking *x = ctx;
    for (int i = 0; !event->begin && event->depth == 0 && i < event->n_out; i++) {
        const int at = *event->out_name[i] ? text_index_find(&x->number, event->out_name[i]) : -1;
        if (at >= 0 && event->out[i] && !x->item[at].value)
            x->item[at].value = copy_numbers(x, event->out[i]);
    }
}

/* The run may end with the error that is searched for. */
static void run_whole_model(shrinking *x)
{
    oc_error found = {0};
    oc_session_options o = shows_options(x->looked);
    o.observer.on_node = keep_values;
    o.observer.on_node_ctx = x;
    oc_model_visit(x->whole, NULL, list_outputs, x, x->e);
    oc_session *s = x->e->code == OC_OK ? oc_session_new(x->whole, &o, &found) : NULL;
    shows_run(x->looked, x->whole, s, &found);
    oc_session_free(s);
}

/* ---- one part ---- */

static oc_model *make_part(const shrinking *x, oc_error *e)
{
    const char **to = tool_alloc((size_t)x->n, sizeof *to);
    oc_cut *from = tool_alloc((size_t)x->n, sizeof *from);
    int n_to = 0, n_from = 0;
    for (int i = 0; i < x->n; i++) {
        if (x->item[i].given)
            to[n_to++] = x->item[i].name;
        if (x->item[i].cut)
            from[n_from++] = (oc_cut){x->item[i].name, x->item[i].value};
    }
    oc_model *part = n_to ? oc_model_extract(x->whole, from, n_from, to, n_to, e) : NULL;
    free(to);
    free(from);
    return part;
}

/* Does the part that the items describe show it? If so, it is the result from now on. */
static bool try_part(shrinking *x)
{
    oc_error none = {0};
    if (x->e->code != OC_OK || x->result.ended)
        return false;
    if (x->result.tries == x->most) {
        x->result.ended = true;
        return false;
    }
    progress_print(&x->progress, (int)++x->result.tries);
    oc_model *part = make_part(x, &none);
    if (!part || !shows_it(x->looked, part, x->e)) {
        oc_model_free(part);
        return false;
    }
    oc_model_free(x->result.part);
    x->result.part = part;
    model_write(part, x->out, x->e);
    return true;
}

/* ---- the search ---- */

/* Tries the part that ends with all values of the first n nodes. */
static bool try_end(shrinking *x, int n)
{
    for (int i = 0; i < x->n; i++)
        x->item[i].given = x->item[i].node < n;
    return try_part(x);
}

/* Tries the part that begins with all values of the first n nodes. */
static bool try_begin(shrinking *x, int n)
{
    for (int i = 0; i < x->n; i++)
        x->item[i].cut = x->item[i].node < n;
    return try_part(x);
}

/* Returns the least number of nodes with which the whole still shows it. */
static int find_end(shrinking *x)
{
    int shown = x->n_nodes, hidden = 0;
    while (shown - hidden > 1) {
        const int n = hidden + (shown - hidden) / 2;
        if (try_end(x, n))
            shown = n;
        else
            hidden = n;
    }
    for (int i = 0; i < x->n; i++)
        x->item[i].given = x->item[i].node < shown;
    return shown;
}

static void find_begin(shrinking *x, int end)
{
    int shown = 0, hidden = end;
    if (try_begin(x, end - 1))
        shown = end - 1;
    while (hidden - shown > 1) {
        const int n = shown + (hidden - shown) / 2;
        if (try_begin(x, n))
            shown = n;
        else
            hidden = n;
    }
    for (int i = 0; i < x->n; i++)
        x->item[i].cut = x->item[i].node < shown;
}

/* Gives up all values but those of the last node, else one after the other. */
static void drop_outputs(shrinking *x, int end)
{
    for (int i = 0; i < x->n; i++)
        x->item[i].given = x->item[i].node == end - 1;
    if (!try_part(x))
        for (int i = 0; i < x->n; i++)
            x->item[i].given = x->item[i].node < end;
    int left = 0;
    for (int i = 0; i < x->n; i++)
        left += x->item[i].given;
    for (int i = 0; i < x->n && left > 1; i++)
        if (x->item[i].given) {
            x->item[i].given = false;
            x->item[i].given = !try_part(x);
            left -= !x->item[i].given;
        }
}

/* Makes the part begin with the values of one more node after the other. */
static void drop_nodes(shrinking *x)
{
    for (int i = 0, last; i < x->n; i = last) {
        bool cut = true;
        for (last = i; last < x->n && x->item[last].node == x->item[i].node; last++)
            cut &= x->item[last].cut;
        for (int k = i; !cut && k < last; k++)
            x->item[k].cut = true;
        if (!cut && !try_part(x))
            for (int k = i; k < last; k++)
                x->item[k].cut = false;
    }
}

static void search(shrinking *x)
{
    if (!shows_it(x->looked, x->whole, x->e)) {
        tool_fail(x->e, OC_ARGUMENT, "reduce: the model does not show it");
        return;
    }
    if (!try_end(x, x->n_nodes)) {
        tool_fail(x->e, OC_ARGUMENT,
                  "reduce: the model shows it, but not with all its inner values as outputs");
        return;
    }
    const int end = find_end(x);
    drop_outputs(x, end);
    find_begin(x, end);
    drop_nodes(x);
}

shrink_result shrink(const oc_model *m, const shows *looked, const char *out, int64_t most,
                     bool quiet, oc_error *e)
{
    shrinking x = {.whole = m, .looked = looked, .out = out, .most = most, .e = e};
    x.progress = progress_begin(!quiet, most > INT_MAX ? INT_MAX : (int)most);
    run_whole_model(&x);
    if (e->code == OC_OK)
        search(&x);
    progress_clear(&x.progress);
    for (int i = 0; i < x.n; i++)
        oc_value_free(x.item[i].value);
    free(x.item);
    text_index_free(&x.number);
    return x.result;
}
