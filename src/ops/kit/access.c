/* SPDX-License-Identifier: Apache-2.0
 * access.c - what operators ask of their call: small tensors as numbers, services. */
#include "ops/kit/attributes.h"

#include "base/counter_random.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- small tensors as numbers ---- */

oc_status oc_in_ints(oc_call *c, int i, oc_ints *list)
{
    const oc_value *x = oc_in_or_null(c, i);
    char text[OC_VALUE_TEXT];
    if (!x || x->dims.rank > 1 || (x->type != OC_I64 && x->type != OC_I32) ||
        oc_value_n(x) > INT32_MAX)
        return oc_fail(c, OC_SHAPE, "input %d is %s, expected a list of integers", i,
                       x ? oc_value_text(x, text) : "missing");
    list->n = (int)oc_value_n(x);
    list->v = x->data;
    if (x->type == OC_I64)
        return OC_OK;
    int64_t *wide;
    OC_TRY(OC_SCRATCH(c, wide, list->n));
    oc_call_convert(c, wide, OC_I64, x->data, OC_I32, list->n);
    list->v = wide;
    return oc_check_limits(c);
}

oc_status oc_in_int(oc_call *c, int i, int64_t *value)
{
    oc_ints list;
    OC_TRY(oc_in_ints(c, i, &list));
    if (list.n != 1)
        return oc_fail(c, OC_SHAPE, "input %d has %d elements, expected one", i, list.n);
    *value = list.v[0];
    return OC_OK;
}

static oc_status mark_axes(oc_call *c, const char *where, oc_ints list, int rank,
                           bool set[OC_MAX_RANK], int *again)
{
    memset(set, 0, OC_MAX_RANK * sizeof *set);
    *again = -1;
    for (int i = 0; i < list.n; i++) {
        int axis;
        if (!oc_dims_axis(list.v[i], rank, &axis))
            return oc_fail(c, OC_VALUE, "%s has %" PRId64 ", expected a value in [%d, %d]", where,
                           list.v[i], -rank, rank - 1);
        *again = set[axis] && *again < 0 ? axis : *again;
        set[axis] = true;
    }
    return OC_OK;
}

oc_status oc_axes(oc_call *c, const char *where, oc_ints list, int rank, bool set[OC_MAX_RANK])
{
    int again;
    OC_TRY(mark_axes(c, where, list, rank, set, &again));
    return again < 0 ? OC_OK : oc_fail(c, OC_VALUE, "%s names axis %d twice", where, again);
}

oc_status oc_axes_set(oc_call *c, const char *where, oc_ints list, int rank, bool set[OC_MAX_RANK])
{
    int again;
    OC_TRY(mark_axes(c, where, list, rank, set, &again));
    if (again >= 0)
        oc_remark(c, "%s names axis %d twice, which counts once", where, again);
    return OC_OK;
}

oc_status oc_in_dims(oc_call *c, int i, oc_dims *dims)
{
    oc_ints list;
    OC_TRY(oc_in_ints(c, i, &list));
    if (list.n > OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "input %d asks for rank %d, the most is %d", i, list.n,
                       OC_MAX_RANK);
    dims->rank = list.n;
    for (int a = 0; a < list.n; a++) {
        dims->n[a] = list.v[a];
        if (list.v[a] < 0)
            return oc_fail(c, OC_VALUE, "input %d has %" PRId64 " at [%d], expected a size >= 0", i,
                           list.v[a], a);
    }
    return OC_OK;
}

oc_status oc_fail_index(oc_call *c, int i, int64_t at, int64_t index, int64_t size, const char *why)
{
    const oc_value *x = oc_in_or_null(c, i);
    oc_dims place = x->dims;
    char text[OC_DIMS_TEXT];
    for (int a = place.rank - 1; a >= 0; a--) {
        const int64_t n = place.n[a];
        place.n[a] = at % n;
        at /= n;
    }
    return oc_fail(c, OC_VALUE,
                   "input %d has %" PRId64 " at %s, expected a value in [%" PRId64 ", %" PRId64
                   "]%s",
                   i, index, oc_dims_text(&place, text), -size, size - 1, why);
}

oc_status oc_in_indices(oc_call *c, int i, int64_t size, const int64_t **index)
{
    const oc_value *x = oc_in_or_null(c, i);
    const int64_t n = oc_value_n(x);
    int64_t *list;
    OC_TRY(OC_SCRATCH(c, list, n));
    oc_call_convert(c, list, OC_I64, x->data, x->type, n);
    OC_CALL_LOOP (c, k, n, 1024) {
        if (list[k] < -size || list[k] >= size)
            return oc_fail_index(c, i, k, list[k], size, "");
        list[k] += list[k] < 0 ? size : 0;
    }
    *index = list;
    return oc_check_limits(c);
}

oc_status oc_one_bool(oc_call *c, const oc_value *v, const char *what, bool *value)
{
    char text[OC_VALUE_TEXT];
    if (v->kind != OC_TENSOR || v->type != OC_BOOL || oc_value_n(v) != 1)
        return oc_fail(c, OC_SHAPE, "%s is %s, expected one bool", what, oc_value_text(v, text));
    *value = *(const uint8_t *)v->data != 0;
    return OC_OK;
}

/* ---- services ---- */

oc_work oc_call_all(const oc_call *c)
{
    const oc_services *s = c->services;
    return (oc_work){&s->parallel, s->threads, 0, s->watch};
}

const char *oc_keep_string(oc_call *c, const char *bytes, size_t size)
{
    enum { LONG = 1 << 20 }; /* bytes from which on the copy asks */
    oc_arena *strings = c->services->strings;
    char *kept =
        size < LONG ? oc_arena_text(strings, bytes, size) : oc_arena_room(strings, size + 1, 1);
    if (!kept) {
        oc_arena_check(strings, c->services->error);
    } else if (size >= LONG) {
        oc_call_copy(c, kept, bytes, size);
        kept[size] = 0;
    }
    return kept;
}

oc_pool *oc_call_pool(const oc_call *c)
{
    return c->services->pool;
}

oc_error *oc_call_error(const oc_call *c)
{
    return c->services->error;
}

oc_work oc_call_work(const oc_call *c, double cost)
{
    const oc_work all = oc_call_all(c);
    return oc_work_for(&all, cost);
}

oc_status oc_call_units(oc_call *c, double cost, int64_t n, oc_work_fn *fn, void *arg)
{
    const oc_work w = oc_call_work(c, cost);
    oc_work_run(&w, n, fn, arg);
    return oc_check_limits(c);
}

void oc_call_map(oc_call *c, oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row,
                 const void *ctx)
{
    oc_call_map_wide(c, y, x, n_x, row, ctx, NULL);
}

void oc_call_map_wide(oc_call *c, oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row,
                      const void *ctx, const oc_wide *wide)
{
    const oc_work all = oc_call_all(c);
    oc_map_wide(y, x, n_x, row, ctx, wide, &all);
}

oc_pieces oc_call_pieces(const oc_call *c, int64_t n, int64_t least)
{
    const oc_work all = oc_call_all(c);
    return oc_pieces_of(&all, n, least);
}

oc_count oc_call_count(const oc_call *c)
{
    const oc_work all = oc_call_all(c);
    return oc_count_of(&all);
}

void oc_call_consume(oc_call *c)
{
    c->keep->consumed = true;
}

void oc_moves_first(const oc_call *c, oc_moves *m)
{
    (void)c;
    m->inputs = 1;
}

void oc_moves_all(const oc_call *c, oc_moves *m)
{
    const int n = c->op->n_in;
    m->inputs = n < 64 ? (UINT64_C(1) << n) - 1 : 0;
}

float oc_in_zero(const oc_call *c, int i)
{
    const oc_value *v = oc_in_or_null(c, i);
    return !v                 ? 0
           : v->type == OC_I8 ? (float)*(const int8_t *)v->data
                              : (float)*(const uint8_t *)v->data;
}

bool oc_call_made_of_numbers(const oc_call *c)
{
    return c->op->code_limits != NULL;
}

void oc_call_code_limits(const oc_call *c, oc_type type, float *low, float *high)
{
    const int *limits = c->op->code_limits;
    *low = (float)(limits ? limits[0] : type == OC_I8 ? INT8_MIN : 0);
    *high = (float)(limits ? limits[1] : type == OC_I8 ? INT8_MAX : UINT8_MAX);
}

bool oc_call_exact_conv(const oc_call *c)
{
    return c->services->exact_conv;
}

unsigned oc_call_cpu(const oc_call *c)
{
    return c->services->cpu;
}

uint64_t oc_call_key(const oc_call *c)
{
    const oc_attr *a = oc_attr_get(c, "seed");
    if (a && a->n) {
        const double seed = a->kind == OC_ATTR_INT ? (double)a->u.i[0] : (double)a->u.f[0];
        uint64_t bits;
        memcpy(&bits, &seed, sizeof bits);
        return oc_random_mix(bits);
    }
    uint64_t key = oc_random_mix(c->services->seed);
    for (const char *p = c->op->seed_name; *p; p++)
        key = oc_random_mix(key ^ (unsigned char)*p);
    return key;
}

const oc_image_decoder *oc_call_image_decoder(const oc_call *c)
{
    return &c->services->image_decoder;
}

int oc_call_since(const oc_call *c)
{
    return c->op->version->since;
}

oc_status oc_run_graph(oc_call *c, const char *name, const oc_value *in, int n_in, oc_value *out,
                       int n_out)
{
    oc_services *s = c->services;
    const int attr = oc_call_attr_index(c, name);
    int want_in, want_out;
    OC_TRY(oc_check_limits(c));
    for (int i = 0; i < n_out; i++)
        out[i] = (oc_value){0};
    s->graph_ports(c, attr, &want_in, &want_out);
    if (want_in != n_in || want_out != n_out)
        return oc_fail(c, OC_MODEL, "graph '%s' has %d inputs and %d outputs, expected %d and %d",
                       name, want_in, want_out, n_in, n_out);
    return s->run_graph(s->runtime, c, attr, in, n_in, out, n_out);
}

int oc_graph_n_in(const oc_call *c, const char *name)
{
    int n_in, n_out;
    c->services->graph_ports(c, oc_call_attr_index(c, name), &n_in, &n_out);
    return n_in;
}

int oc_graph_n_out(const oc_call *c, const char *name)
{
    int n_in, n_out;
    c->services->graph_ports(c, oc_call_attr_index(c, name), &n_in, &n_out);
    return n_out;
}

oc_value oc_graph_in(const oc_call *c, const char *name, int i)
{
    oc_value declared;
    c->services->graph_port(c, oc_call_attr_index(c, name), true, i, &declared);
    return declared;
}

oc_value oc_graph_out(const oc_call *c, const char *name, int i)
{
    oc_value declared;
    c->services->graph_port(c, oc_call_attr_index(c, name), false, i, &declared);
    return declared;
}

oc_status oc_graph_shapes(oc_call *c, const char *name, const oc_value *in, int n_in, oc_value *out,
                          int n_out)
{
    oc_services *s = c->services;
    return s->graph_shapes(s->runtime, c, oc_call_attr_index(c, name), in, n_in, out, n_out);
}

oc_value oc_attr_type(const oc_call *c, const char *name)
{
    const oc_attr *a = oc_attr_get(c, name);
    oc_value declared = {.type = OC_UNDEFINED};
    if (a)
        c->services->attr_type(a, &declared);
    return declared;
}

oc_status oc_check_limits(oc_call *c)
{
    const oc_status status = c->services->error->code;
    return status != OC_OK ? status : oc_watch_check(c->services->watch, c->services->error);
}
