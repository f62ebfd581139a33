/* SPDX-License-Identifier: Apache-2.0
 * scan.c - Scan: a graph run once per slice of its scan inputs, with states carried along.
 *
 * The body takes the states and one slice of each scan input; it gives the states and one slice of
 * each scan output. Version 8 does so for each item of a batch: axis 0 is the batch, axis 1 is
 * scanned, and the results of shorter sequences end in zeros. */
#include "ops/control/stack.h"

typedef struct source {
    oc_value value; /* borrowed from the node's input */
    int axis;
    bool reverse;
} source;

typedef struct scan {
    oc_call *c;
    int first; /* index of the node's input where the states begin */
    int n_state, n_source, n_result;
    oc_value *in, *out; /* inputs and outputs of the body */
    source *source;
    oc_stack *result; /* a stack for each scan output */
    oc_ints reverse;  /* direction of each scan output; n == 0: all forward */
} scan;

/* ---- before the first iteration ---- */

static oc_status count_ports(scan *s)
{
    oc_call *c = s->c;
    const int64_t n_source = oc_attr_int(c, "num_scan_inputs");
    const int n_in = oc_graph_n_in(c, "body"), n_out = oc_graph_n_out(c, "body");
    const int have = oc_n_in(c) - s->first;
    if (n_source < 1 || n_source > have)
        return oc_fail(c, OC_VALUE,
                       "attribute 'num_scan_inputs' is %" PRId64 ", expected a value in [1, %d]",
                       n_source, have);
    s->n_source = (int)n_source;
    s->n_state = have - s->n_source;
    if (n_in != have || n_out < s->n_state || oc_n_out(c) > n_out)
        return oc_fail(c, OC_MODEL,
                       "the body has %d inputs and %d outputs, which does not fit a node with %d "
                       "states, %d scan inputs and %d outputs",
                       n_in, n_out, s->n_state, s->n_source, oc_n_out(c));
    oc_value *values;
    OC_TRY(OC_SCRATCH(c, values, n_in + n_out));
    OC_TRY(OC_SCRATCH(c, s->source, s->n_source));
    OC_TRY(OC_SCRATCH(c, s->result, n_out - s->n_state));
    memset(values, 0, sizeof *values * (size_t)(n_in + n_out));
    s->in = values;
    s->out = values + n_in;
    s->n_result = n_out - s->n_state;
    for (int i = 0; i < s->n_result; i++)
        s->result[i] = (oc_stack){.port = s->n_state + i};
    return OC_OK;
}

/* Reads a list attribute, which has one entry for each of n ports or is missing. */
static oc_status read_list(oc_call *c, const char *name, int n, bool directions, oc_ints *list)
{
    *list = oc_attr_ints(c, name);
    if (list->n && list->n != n)
        return oc_fail(c, OC_SHAPE, "attribute '%s' has %d elements, expected %d", name, list->n,
                       n);
    for (int i = 0; directions && i < list->n; i++)
        if (list->v[i] != 0 && list->v[i] != 1)
            return oc_fail(c, OC_VALUE, "attribute '%s' has %" PRId64 " at [%d], expected 0 or 1",
                           name, list->v[i], i);
    return OC_OK;
}

static oc_status read_sources(scan *s, const char *axes_name, const char *directions_name)
{
    oc_ints axes, directions;
    OC_TRY(read_list(s->c, axes_name, s->n_source, false, &axes));
    OC_TRY(read_list(s->c, directions_name, s->n_source, true, &directions));
    for (int i = 0; i < s->n_source; i++) {
        const int port = s->first + s->n_state + i;
        source *from = &s->source[i];
        *from = (source){.value = *oc_in(s->c, port), .reverse = directions.n && directions.v[i]};
        const int rank = from->value.dims.rank;
        const int64_t axis = axes.n ? axes.v[i] : 0;
        if (!oc_dims_axis(axis, rank, &from->axis))
            return oc_fail(s->c, OC_VALUE,
                           "input %d is scanned on axis %" PRId64 ", expected a value in [%d, %d]",
                           port, axis, -rank, rank - 1);
    }
    return OC_OK;
}

/* ---- iterations ---- */

/* Slice i of *x along axis: a view that holds a reference when it is contiguous, else a copy. */
static oc_status take_slice(oc_call *c, const oc_value *x, int axis, int64_t i, oc_value *slice)
{
    oc_dims dims = {.rank = x->dims.rank - 1};
    for (int a = 0; a < dims.rank; a++)
        dims.n[a] = x->dims.n[a + (a >= axis)];
    const int64_t rows = oc_dims_product(&x->dims, 0, axis);
    const size_t size =
        oc_type_size(x->type) * (size_t)oc_dims_product(&x->dims, axis + 1, x->dims.rank);
    char *data = x->data;
    if (size)
        data += size * (size_t)i;
    if (rows == 1) {
        *slice = oc_value_ref(x);
        slice->dims = dims;
        slice->data = data;
        return OC_OK;
    }
    OC_TRY(oc_value_new_tensor(oc_call_pool(c), x->type, &dims, slice, oc_call_error(c)));
    oc_call_copy_rows(c, slice->data, size, data, size * (size_t)x->dims.n[axis], size, rows);
    return OC_OK;
}

/* State i becomes the body's output i, which must have the same type and dims. */
static oc_status take_state(scan *s, int i)
{
    char have[OC_VALUE_TEXT], want[OC_VALUE_TEXT];
    oc_value *state = &s->in[i], *next = &s->out[i];
    if (next->kind != OC_TENSOR || next->type != state->type ||
        !oc_dims_equal(&next->dims, &state->dims))
        return oc_fail(s->c, OC_SHAPE, "output %d of the body is %s, expected %s as before", i,
                       oc_value_text(next, have), oc_value_text(state, want));
    oc_value_unref(state);
    *state = *next;
    *next = (oc_value){0};
    return OC_OK;
}

/* Runs iteration t of n. The sequence begins at index base in the inputs and outputs. */
static oc_status run_iteration(scan *s, int64_t base, int64_t t, int64_t n)
{
    for (int i = 0; i < s->n_source; i++) {
        const source *from = &s->source[i];
        OC_TRY(take_slice(s->c, &from->value, from->axis, base + (from->reverse ? n - 1 - t : t),
                          &s->in[s->n_state + i]));
    }
    OC_TRY(oc_run_graph(s->c, "body", s->in, s->n_state + s->n_source, s->out,
                        s->n_state + s->n_result));
    for (int i = 0; i < s->n_source; i++)
        oc_value_unref(&s->in[s->n_state + i]);
    for (int i = 0; i < s->n_state; i++)
        OC_TRY(take_state(s, i));
    for (int i = 0; i < s->n_result; i++) {
        const bool reverse = s->reverse.n && s->reverse.v[i];
        oc_value *item = &s->out[s->n_state + i];
        if (oc_wants(s->c, s->n_state + i))
            OC_TRY(oc_stack_put(s->c, &s->result[i], base + (reverse ? n - 1 - t : t), item));
        oc_value_unref(item);
    }
    return OC_OK;
}

/* Finds what the items of the scan outputs would be if an iteration ran on these states. */
static oc_status find_items(scan *s)
{
    for (int i = 0; i < s->n_source; i++) {
        const oc_value *x = &s->source[i].value;
        oc_value *slice = &s->in[s->n_state + i];
        *slice = (oc_value){.type = x->type, .dims.rank = x->dims.rank - 1};
        for (int a = 0; a < slice->dims.rank; a++)
            slice->dims.n[a] = x->dims.n[a + (a >= s->source[i].axis)];
    }
    OC_TRY(oc_graph_shapes(s->c, "body", s->in, s->n_state + s->n_source, s->out,
                           s->n_state + s->n_result));
    for (int i = 0; i < s->n_result; i++)
        s->result[i].item = s->out[s->n_state + i];
    return OC_OK;
}

static void release(scan *s)
{
    for (int i = 0; s->in && i < s->n_state + s->n_source; i++)
        oc_value_unref(&s->in[i]);
    for (int i = 0; s->out && i < s->n_state + s->n_result; i++)
        oc_value_unref(&s->out[i]);
    for (int i = 0; i < s->n_result; i++)
        oc_value_unref(&s->result[i].all);
}

/* ---- from version 9: one sequence ---- */

static oc_status scan_once(scan *s)
{
    oc_call *c = s->c;
    oc_ints axes;
    OC_TRY(count_ports(s));
    OC_TRY(read_sources(s, "scan_input_axes", "scan_input_directions"));
    OC_TRY(read_list(c, "scan_output_axes", s->n_result, false, &axes));
    OC_TRY(read_list(c, "scan_output_directions", s->n_result, true, &s->reverse));
    const int64_t n = s->source[0].value.dims.n[s->source[0].axis];
    for (int i = 1; i < s->n_source; i++) {
        const int64_t length = s->source[i].value.dims.n[s->source[i].axis];
        if (length != n)
            return oc_fail(c, OC_SHAPE, "input %d has %" PRId64 " slices, expected %" PRId64,
                           s->n_state + i, length, n);
    }
    for (int i = 0; i < s->n_state; i++)
        s->in[i] = oc_value_ref(oc_in(c, i));
    for (int i = 0; i < s->n_result; i++) {
        s->result[i].room = n;
        s->result[i].axis = axes.n ? axes.v[i] : 0;
    }
    for (int64_t t = 0; t < n; t++)
        OC_TRY(run_iteration(s, 0, t, n));
    if (n == 0)
        OC_TRY(find_items(s));
    for (int i = 0; i < s->n_state; i++)
        oc_give_out(c, i, &s->in[i]);
    for (int i = 0; i < s->n_result; i++)
        if (oc_wants(c, s->n_state + i))
            OC_TRY(oc_stack_end(c, &s->result[i], n, oc_out_or_null(c, s->n_state + i)));
    return OC_OK;
}

static oc_status scan_run(oc_call *c)
{
    scan s = {.c = c};
    const oc_status status = scan_once(&s);
    release(&s);
    return status;
}

/* ---- version 8: a batch of sequences ---- */

typedef struct batch {
    int64_t n, longest;
    oc_ints length;  /* length of each sequence; n == 0: every sequence has the full length */
    oc_stack *state; /* final states, one stack each */
} batch;

static oc_status read_batch(scan *s, batch *b)
{
    oc_call *c = s->c;
    *b = (batch){.n = -1};
    for (int i = 0; i < s->n_source; i++) {
        oc_dims *x = &s->source[i].value.dims;
        char text[OC_DIMS_TEXT];
        if (x->rank >= 2 && b->n < 0)
            *b = (batch){.n = x->n[0], .longest = x->n[1]};
        if (x->rank < 2 || x->n[0] != b->n || x->n[1] != b->longest)
            return oc_fail(c, OC_SHAPE,
                           "input %d is %s, expected a batch of sequences as long as "
                           "the other scan inputs",
                           s->first + s->n_state + i, oc_dims_text(x, text));
        /* Batch and sequence become one axis, which is scanned in pieces. */
        x->n[1] *= x->n[0];
        x->rank--;
        memmove(x->n, x->n + 1, sizeof *x->n * (size_t)x->rank);
    }
    for (int i = 0; i < s->n_state; i++) {
        const oc_value *state = oc_in(c, s->first + i);
        char text[OC_VALUE_TEXT];
        if (state->dims.rank < 1 || state->dims.n[0] != b->n)
            return oc_fail(c, OC_SHAPE, "input %d is %s, expected a batch of %" PRId64,
                           s->first + i, oc_value_text(state, text), b->n);
    }
    if (!oc_in_or_null(c, 0))
        return OC_OK;
    OC_TRY(oc_in_ints(c, 0, &b->length));
    if (b->length.n != b->n)
        return oc_fail(c, OC_SHAPE, "input 0 has %d elements, expected %" PRId64, b->length.n,
                       b->n);
    for (int i = 0; i < b->length.n; i++)
        if (b->length.v[i] < 0 || b->length.v[i] > b->longest)
            return oc_fail(c, OC_VALUE,
                           "input 0 has %" PRId64 " at [%d], expected a value in "
                           "[0, %" PRId64 "]",
                           b->length.v[i], i, b->longest);
    return OC_OK;
}

static oc_status scan_sequence(scan *s, const batch *b, int64_t i)
{
    const int64_t n = b->length.n ? b->length.v[i] : b->longest;
    for (int k = 0; k < s->n_state; k++)
        OC_TRY(take_slice(s->c, oc_in(s->c, s->first + k), 0, i, &s->in[k]));
    for (int64_t t = 0; t < n; t++)
        OC_TRY(run_iteration(s, i * b->longest, t, n));
    for (int k = 0; k < s->n_state; k++) {
        OC_TRY(oc_stack_put(s->c, &b->state[k], i, &s->in[k]));
        oc_value_unref(&s->in[k]);
    }
    return OC_OK;
}

static bool runs_never(const batch *b)
{
    int64_t most = b->n ? b->longest : 0;
    for (int i = 0; i < b->length.n; i++)
        most = i == 0 || b->length.v[i] > most ? b->length.v[i] : most;
    return most == 0;
}

/* Where no sequence has a slice: as find_items, for the states of one of them. */
static oc_status find_items_of_one(scan *s)
{
    for (int i = 0; i < s->n_state; i++) {
        const oc_value *x = oc_in(s->c, s->first + i);
        s->in[i] = (oc_value){.type = x->type, .dims.rank = x->dims.rank - 1};
        memcpy(s->in[i].dims.n, x->dims.n + 1, sizeof *x->dims.n * (size_t)(x->dims.rank - 1));
    }
    return find_items(s);
}

/* Gives scan output i, if wanted. Its axis 0 is split into batch and sequence again. */
static oc_status give_result(scan *s, const batch *b, int i)
{
    oc_value *out = oc_out_or_null(s->c, s->n_state + i);
    if (!out)
        return OC_OK;
    OC_TRY(oc_stack_end(s->c, &s->result[i], s->result[i].room, out));
    oc_dims *y = &out->dims;
    if (y->rank == OC_MAX_RANK)
        return oc_fail(s->c, OC_LIMIT, "output %d would have rank %d, the most is %d",
                       s->n_state + i, y->rank + 1, OC_MAX_RANK);
    memmove(y->n + 1, y->n, sizeof *y->n * (size_t)y->rank);
    y->rank++;
    y->n[0] = b->n;
    y->n[1] = b->longest;
    return OC_OK;
}

static oc_status scan_all(scan *s, batch *b)
{
    oc_call *c = s->c;
    OC_TRY(count_ports(s));
    OC_TRY(read_sources(s, "", "directions"));
    OC_TRY(read_batch(s, b));
    OC_TRY(OC_SCRATCH(c, b->state, s->n_state));
    for (int i = 0; i < s->n_state; i++)
        b->state[i] = (oc_stack){.room = b->n, .port = i};
    for (int i = 0; i < s->n_result; i++)
        s->result[i].room = b->n * b->longest;
    for (int64_t i = 0; i < b->n; i++)
        OC_TRY(scan_sequence(s, b, i));
    if (runs_never(b))
        OC_TRY(find_items_of_one(s));
    for (int i = 0; i < s->n_state; i++) {
        oc_value last = oc_value_ref(oc_in(c, s->first + i));
        if (b->n) {
            oc_value_unref(&last);
            OC_TRY(oc_stack_end(c, &b->state[i], b->n, &last));
        }
        oc_give_out(c, i, &last);
    }
    for (int i = 0; i < s->n_result; i++)
        OC_TRY(give_result(s, b, i));
    return OC_OK;
}

static oc_status scan_run_8(oc_call *c)
{
    scan s = {.c = c, .first = 1};
    batch b = {.n = 0};
    const oc_status status = scan_all(&s, &b);
    for (int i = 0; b.state && i < s.n_state; i++)
        oc_value_unref(&b.state[i].all);
    release(&s);
    return status;
}

/* ---- before a run */

/* Result i: what the body gives, with an axis more at `axis`, behind a batch if there is one. */
static oc_status outline_result(const scan *s, int i, int64_t axis, const oc_dims *x, int scanned)
{
    const oc_value item = oc_graph_out(s->c, "body", s->n_state + i);
    oc_dims dims = {.rank = item.dims.rank + 1 + s->first};
    int at, from = 0;
    if (item.dims.rank < 0 || dims.rank > OC_MAX_RANK || !oc_dims_axis(axis, dims.rank, &at))
        return OC_OK;
    for (int a = 0; a < dims.rank; a++)
        dims.n[a] = a == at ? x->n[scanned] : a < s->first ? x->n[a] : item.dims.n[from++];
    return oc_outline(s->c, s->n_state + i, item.type, &dims);
}

static oc_status scan_outline(oc_call *c)
{
    scan s = {.c = c, .first = oc_call_since(c) == 8};
    oc_ints from = {.n = 0}, to = {.n = 0};
    OC_TRY(count_ports(&s));
    if (!s.first) {
        from = oc_attr_ints(c, "scan_input_axes");
        OC_TRY(read_list(c, "scan_output_axes", s.n_result, false, &to));
    }
    for (int i = 0; i < s.n_state; i++)
        OC_TRY(oc_outline(c, i, oc_in(c, s.first + i)->type, &oc_in(c, s.first + i)->dims));
    const oc_dims *x = &oc_in(c, s.first + s.n_state)->dims;
    int scanned;
    if (!oc_dims_axis(from.n ? from.v[0] : s.first, x->rank, &scanned))
        return OC_OK;
    for (int i = 0; i < s.n_result; i++)
        OC_TRY(outline_result(&s, i, to.n ? to.v[i] : s.first, x, scanned));
    return OC_OK;
}

/* clang-format off */
#define SCAN NULL, scan_run, OC_TRAITS(.outline = scan_outline)
#define SIG(set) "Scan <graph body from initial_state_and_scan_inputs gives 0, int num_scan_inputs, ints scan_input_axes?" \
                 ", ints scan_input_directions?, ints scan_output_axes?, ints scan_output_directions?>" \
                 " (V initial_state_and_scan_inputs~...) => (V final_state_and_scan_outputs~...) | V: " set
#define SIG8 "Scan <graph body from initial_state_and_scan_inputs gives 0, int num_scan_inputs, ints directions?>" \
             " (int64 sequence_lens$?, V initial_state_and_scan_inputs~...)" \
             " => (V final_state_and_scan_outputs~...) | V: all"
const oc_op oc_ops_scan[] = {
    {25, SIG("all_ir13"), SCAN},
    {24, SIG("all_ir12"), SCAN},
    {23, SIG("all_ir11"), SCAN},
    {21, SIG("all_ir10"), SCAN},
    {19, SIG("all_ir9"),  SCAN},
    {16, SIG("all_ir4"),  SCAN},
    {11, SIG("all"),      SCAN}, /* negative axes */
    { 9, SIG("all"),      SCAN}, /* axes; no batch */
    { 8, SIG8,            NULL, scan_run_8, OC_TRAITS(.outline = scan_outline)},
    {0}
};
