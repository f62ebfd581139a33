/* SPDX-License-Identifier: Apache-2.0
 * top_k.c - TopK: the greatest or least elements along an axis, and their indices.
 *
 * The elements are in order even where the attribute `sorted` does not ask for it. NaN is greater
 * than any number. */
#include "kernels/sort/order.h"
#include "ops/kit/op.h"

enum {
    LINES = 16,   /* lines along the axis that are laid side by side at a time */
    KEY_WORK = 32 /* products that take as long as an element */
};

typedef struct geometry {
    int axis;
    int64_t k;
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    OC_TRY(oc_attr_axis(c, "axis", x->rank, &g->axis));
    if (oc_call_since(c) >= 10)
        OC_TRY(oc_in_int(c, 1, &g->k));
    else
        g->k = oc_attr_int(c, "k");
    if (g->k < 0 || g->k > x->n[g->axis])
        return oc_fail(c, OC_VALUE,
                       "k is %" PRId64 ", expected 0 to %" PRId64 ", the size of axis %d", g->k,
                       x->n[g->axis], g->axis);
    return OC_OK;
}

static oc_status top_k_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    oc_dims y = oc_in(c, 0)->dims;
    y.n[g.axis] = g.k;
    OC_TRY(oc_set_out(c, 0, oc_in(c, 0)->type, &y));
    return oc_set_out(c, 1, OC_I64, &y);
}

/* x is [outer, n, inner], the outputs are [outer, k, inner]. */
typedef struct job {
    const char *x;
    char *value;
    int64_t *index;
    size_t size; /* bytes of an element */
    int64_t outer, n, inner, k;
    oc_keys keys;
    int64_t blocks; /* blocks of up to LINES lines in a slice of the outer axes */
    int64_t room;
    oc_ranked *found; /* room for each task */
    char *lines;      /* up to LINES lines for each task */
    size_t lines_size;
    oc_work work;
} job;

/* Line j of `lines` neighbours, from the first at x on, becomes row j of `to`. */
static void lay_lines(const job *t, char *to, const char *x, int64_t lines)
{
    const int64_t rows[] = {1, t->n}, steps[] = {t->inner, 1};
    OC_PIECES (&t->work, p, t->n, 1024)
        oc_move(to + (size_t)p.first * t->size, rows, x + (size_t)(p.first * t->inner) * t->size,
                steps, &(oc_dims){2, {p.end - p.first, lines}}, t->size);
}

#define PICK(T)                                                                                    \
    OC_LOOP (&t->work, i, t->k, 1024)                                                              \
        ((T *)t->value)[at + i * t->inner] = ((const T *)x)[found[i].index];                       \
    break

/* Writes the results of a line x; the first of them is number at of an output. */
static void put_line(const job *t, int64_t at, const char *x, const oc_ranked *found)
{
    OC_LOOP (&t->work, i, t->k, 1024)
        t->index[at + i * t->inner] = found[i].index;
    switch (t->size) {
    case 1:
        PICK(uint8_t);
    case 2:
        PICK(uint16_t);
    case 4:
        PICK(uint32_t);
    case 8:
        PICK(uint64_t);
    }
}

static void rank_block(const job *t, int64_t block, int task)
{
    const int64_t slice = block / t->blocks, first = block % t->blocks * LINES;
    const int64_t lines = oc_min(t->inner - first, LINES);
    const int64_t out = slice * t->k * t->inner + first;
    const char *x = t->x + (size_t)(slice * t->n * t->inner + first) * t->size;
    oc_ranked *found = t->found + task * t->room;
    if (t->inner > 1) {
        char *to = t->lines + (size_t)task * t->lines_size;
        lay_lines(t, to, x, lines);
        x = to;
    }
    for (int64_t j = 0; j < lines; j++, x += (size_t)t->n * t->size) {
        oc_order_first(&t->keys, found, x, t->n, t->k, &t->work);
        put_line(t, out + j, x, found);
    }
}

static void rank_blocks(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t block = first; block < end; block++)
        rank_block(t, block, task);
}

static oc_status read_job(oc_call *c, job *t)
{
    const oc_value *x = oc_in(c, 0);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    const bool least = oc_call_since(c) >= 11 && oc_attr_int(c, "largest") == 0;
    *t = (job){.x = x->data,
               .value = oc_out(c, 0)->data,
               .index = oc_out(c, 1)->data,
               .size = oc_type_size(x->type),
               .outer = oc_dims_product(&x->dims, 0, g.axis),
               .n = x->dims.n[g.axis],
               .inner = oc_dims_product(&x->dims, g.axis + 1, x->dims.rank),
               .k = g.k,
               .keys = {x->type, !least, least}};
    t->blocks = t->inner ? (t->inner - 1) / LINES + 1 : 0;
    t->work = oc_call_work(c, (double)oc_value_n(x) * KEY_WORK);
    t->room = oc_order_room(t->n, t->k);
    t->lines_size = t->inner > 1 ? t->size * (size_t)(t->n * oc_min(t->inner, LINES)) : 0;
    return OC_OK;
}

static oc_status top_k_run(oc_call *c)
{
    job t;
    OC_TRY(read_job(c, &t));
    const int64_t blocks = t.outer * t.blocks;
    const int tasks = oc_work_tasks(&t.work, blocks);
    if (t.k == 0 || tasks == 0)
        return OC_OK;
    OC_TRY(OC_SCRATCH_OF(c, t.found, tasks, (uint64_t)t.room * sizeof *t.found));
    OC_TRY(OC_SCRATCH_OF(c, t.lines, tasks, t.lines_size));
    oc_work_run(&t.work, blocks, rank_blocks, &t);
    return OC_OK;
}

/* clang-format off */
#define SIG(attrs, k, set)                                                                         \
    "TopK <" attrs "> (T X" k ") => (T Values, int64 Indices) | T: " set
#define SIG11(set) SIG("int axis = -1, int largest+ = 1, int sorted+ = 1", ", int64 K!", set)
const oc_op oc_ops_top_k[] = {
    {24, SIG11("numeric_ir4"), top_k_shape, top_k_run},
    {11, SIG11("numeric"),     top_k_shape, top_k_run},
    {10, SIG("int axis = -1", ", int64 K!", "ieee; change input 1 from k"), top_k_shape, top_k_run},
    { 1, SIG("int axis = -1, int k", "", "ieee"), top_k_shape, top_k_run},
    {0}
};
