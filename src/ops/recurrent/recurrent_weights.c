/* SPDX-License-Identifier: Apache-2.0
 * recurrent_weights.c - the weights of LSTM, GRU and RNN as products read them, and the products.
 *
 * A strip has STRIP bytes of columns, and is dense: the rows of a product walk along it while it is
 * in the first cache. */

#include "kernels/matmul/product.h"
#include "ops/recurrent/recurrent.h"

enum {
    STRIP = 256,
    ROWS = 64 /* most rows of a task */
};

static int64_t strip_width(oc_type type)
{
    return STRIP / (int64_t)oc_type_size(type);
}

/* ---- weights */

static oc_status take_memory(oc_call *c, bool keep, int64_t n, size_t size, void **memory)
{
    uint64_t bytes;
    if (!keep)
        return OC_SCRATCH_OF(c, *memory, n, size);
    if (!oc_u64_mul((uint64_t)n, size, &bytes))
        return oc_fail(c, OC_LIMIT, "the weights are too large");
    *memory = oc_keep_room(c, bytes);
    return *memory ? OC_OK : oc_call_error(c)->code;
}

/* from: the transposed matrix, [columns][depth], of elements of the type. */
static oc_status make_strips(oc_call *c, oc_type type, bool keep, const char *from, int64_t columns,
                             int64_t depth, oc_strips *m)
{
    const size_t elem = oc_type_size(type);
    const int64_t width = strip_width(type);
    void *memory;
    OC_TRY(take_memory(c, keep, columns * depth, elem, &memory));
    for (int64_t j = 0; j < columns; j += width) {
        const int64_t some = oc_min(columns - j, width);
        const size_t at = (size_t)(j * depth) * elem;
        const oc_dims box = {2, {depth, some}};
        oc_call_move(c, (char *)memory + at, (int64_t[]){some, 1}, from + at, (int64_t[]){1, depth},
                     &box, elem);
    }
    *m = (oc_strips){memory, depth, columns};
    return OC_OK;
}

oc_status oc_recurrent_make_weights(oc_call *c, const oc_recurrent *r, bool keep,
                                    const oc_recurrent_weights **weights)
{
    const size_t elem = oc_type_size(r->real);
    const int64_t hidden = r->hidden, columns = r->cell->gates * hidden;
    const int64_t joint = r->cell->joint * hidden;
    oc_recurrent_weights made[OC_RECURRENT_DIRECTIONS];
    const void *data_w, *data_r;
    OC_TRY(oc_in_as(c, OC_RECURRENT_W, r->real, &data_w));
    OC_TRY(oc_in_as(c, OC_RECURRENT_R, r->real, &data_r));
    for (int d = 0; d < r->directions; d++) {
        const char *w = (const char *)data_w + (size_t)(d * columns * r->input) * elem;
        const char *first = (const char *)data_r + (size_t)(d * columns * hidden) * elem;
        const char *rest = first + (size_t)(joint * hidden) * elem;
        OC_TRY(make_strips(c, r->real, keep, w, columns, r->input, &made[d].w));
        OC_TRY(make_strips(c, r->real, keep, first, joint, hidden, &made[d].r[0]));
        OC_TRY(make_strips(c, r->real, keep, rest, columns - joint, hidden, &made[d].r[1]));
    }
    void *all; /* last, as what was kept last is what oc_call_prepared gives */
    OC_TRY(take_memory(c, keep, OC_RECURRENT_DIRECTIONS, sizeof *made, &all));
    memcpy(all, made, (size_t)r->directions * sizeof *made);
    *weights = all;
    return OC_OK;
}

/* ---- products */

typedef struct job {
    oc_product_fn *fn;
    oc_product p; /* product of all rows and columns */
    size_t elem;
    int64_t width, strips; /* columns of a strip; strips of the matrix */
} job;

static void multiply_block(const job *t, int64_t at)
{
    const int64_t j = at % t->strips * t->width, i = at / t->strips * ROWS;
    oc_product p = t->p;
    p.columns = oc_min(p.columns - j, t->width);
    p.rows = oc_min(p.rows - i, ROWS);
    p.b_step = p.columns;
    p.y = (char *)p.y + (size_t)(i * p.y_step + j) * t->elem;
    p.a = (const char *)p.a + (size_t)(i * p.a_step) * t->elem;
    p.b = (const char *)p.b + (size_t)(j * p.n) * t->elem;
    t->fn(&p);
}

static void multiply_blocks(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    for (int64_t block = first; block < end; block++)
        multiply_block(arg, block);
}

oc_status oc_strips_multiply(oc_call *c, oc_type type, void *y, int64_t y_step, const void *x,
                             int64_t x_step, int64_t rows, const oc_strips *m)
{
    job t = {.fn = oc_product_pick(type, oc_call_cpu(c)),
             .p = {.y = y,
                   .a = x,
                   .b = m->data,
                   .y_step = y_step,
                   .a_step = x_step,
                   .rows = rows,
                   .columns = m->columns,
                   .n = m->depth,
                   .more = true},
             .elem = oc_type_size(type),
             .width = strip_width(type)};
    t.strips = oc_div_up(m->columns, t.width);
    const int64_t blocks = oc_div_up(rows, ROWS) * t.strips;
    const double each = (double)oc_min(rows, ROWS) * (double)t.width * (double)m->depth;
    return oc_call_units(c, each * (double)blocks, blocks, multiply_blocks, &t);
}
