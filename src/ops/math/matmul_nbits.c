/* SPDX-License-Identifier: Apache-2.0
 * matmul_nbits.c - MatMulNBits of com.microsoft: Y = A W' + bias, where W [N,K] is stored as
 * integers of 2, 4 or 8 bits.
 *
 * Blocks of block_size columns of a row have a scale and a zero point; a weight is (number - zero
 * point) * scale, both steps rounded to float. With g_idx column k belongs to block g_idx[k].
 * Weights are made for some columns of Y at a time: the whole of W as floats may not fit in memory.
 */
#include "ops/math/matrices.h"

enum { A, B, SCALES, ZEROS, GROUPS, BIAS };
#define MOST ((int64_t)1 << 31)

typedef struct geometry {
    int64_t m, n, k; /* number of all rows of A */
    int64_t blocks, block, bits;
} geometry;

static bool is_power_of_two(int64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static oc_status read_attributes(oc_call *c, geometry *g)
{
    g->n = oc_attr_int(c, "N");
    g->k = oc_attr_int(c, "K");
    g->bits = oc_attr_int(c, "bits");
    g->block = oc_attr_int(c, "block_size");
    if (g->n < 1 || g->k < 1 || g->n > MOST || g->k > MOST)
        return oc_fail(c, OC_VALUE, "N is %" PRId64 " and K %" PRId64 ", expected 1 to 2^31", g->n,
                       g->k);
    if (g->bits != 2 && g->bits != 4 && g->bits != 8)
        return oc_fail(c, OC_UNSUPPORTED, "attribute 'bits' is %" PRId64 ", expected 2, 4 or 8",
                       g->bits);
    if (g->block < 16 || g->block > 1 << 16 || !is_power_of_two(g->block))
        return oc_fail(c, OC_VALUE,
                       "attribute 'block_size' is %" PRId64
                       ", expected a power of 2 from 16 to 65536",
                       g->block);
    if (oc_attr_int(c, "weight_prepacked"))
        return oc_fail(c, OC_UNSUPPORTED, "attribute 'weight_prepacked' is %" PRId64 ", expected 0",
                       oc_attr_int(c, "weight_prepacked"));
    g->blocks = (g->k - 1) / g->block + 1;
    return OC_OK;
}

/* The input has `columns` elements for each row of W, or all of them in one axis. */
static oc_status expect_rows(oc_call *c, int i, const geometry *g, int64_t columns)
{
    const oc_value *v = oc_in_or_null(c, i);
    if (v && v->dims.rank == 1 && v->dims.n[0] / columns == g->n && v->dims.n[0] % columns == 0)
        return OC_OK;
    return oc_expect_dims(c, i, &(oc_dims){2, {g->n, columns}}, "");
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    *g = (geometry){0};
    OC_TRY(read_attributes(c, g));
    const oc_dims *a = &oc_in(c, A)->dims;
    const oc_value *zeros = oc_in_or_null(c, ZEROS), *groups = oc_in_or_null(c, GROUPS);
    OC_TRY(oc_expect_rank(c, A, 1, OC_MAX_RANK));
    if (a->n[a->rank - 1] != g->k)
        return oc_fail_dims(c, A, "expected K = %" PRId64 " on the last axis", g->k);
    g->m = oc_dims_product(a, 0, a->rank - 1);
    OC_TRY(oc_expect_dims(c, B, &(oc_dims){3, {g->n, g->blocks, g->block / 8 * g->bits}},
                          ", bytes of the blocks"));
    OC_TRY(expect_rows(c, SCALES, g, g->blocks));
    const int64_t bytes = (g->blocks * g->bits + 7) / 8;
    OC_TRY(expect_rows(c, ZEROS, g, zeros && zeros->type == OC_U8 ? bytes : g->blocks));
    OC_TRY(oc_expect_dims(c, BIAS, &(oc_dims){1, {g->n}}, ", one for each column of Y"));
    if (zeros && zeros->type != OC_U8 && zeros->type != oc_in(c, A)->type)
        return oc_fail(c, OC_TYPE, "input 3 'zero_points' is %s, expected uint8 or %s, as A",
                       oc_type_name(zeros->type), oc_type_name(oc_in(c, A)->type));
    if (groups && groups->dims.rank == 1 && groups->dims.n[0] == g->blocks * g->block)
        return OC_OK; /* g_idx may also have places for the padding of the last block */
    return oc_expect_dims(c, GROUPS, &(oc_dims){1, {g->k}}, ", one for each column of W");
}

static oc_status nbits_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    oc_dims y = oc_in(c, A)->dims;
    y.n[y.rank - 1] = g.n;
    return oc_set_out(c, 0, oc_in(c, A)->type, &y);
}

typedef struct job {
    geometry g;
    /* packed_zeros NULL: zero points are in `zeros`, or are 2^(bits - 1) when that is NULL too */
    const uint8_t *b, *packed_zeros;
    const float *scales, *zeros;
    const int32_t *group; /* NULL: the block of column k */
    float *w;             /* Makes rows of W from `first` on as floats. */
    int64_t first;
    oc_work work;
} job;

/* Returns number i of those stored from p on. */
static int number_at(const uint8_t *p, int64_t i, int64_t bits)
{
    const int64_t per_byte = 8 / bits;
    return p[i / per_byte] >> i % per_byte * bits & ((1 << bits) - 1);
}

static float zero_of(const job *t, int64_t row, int64_t block)
{
    const geometry *g = &t->g;
    if (t->packed_zeros)
        return (float)number_at(t->packed_zeros + row * ((g->blocks * g->bits + 7) / 8), block,
                                g->bits);
    return t->zeros ? t->zeros[row * g->blocks + block] : (float)(1 << (g->bits - 1));
}

static void make_row(const job *t, int64_t row, float *w)
{
    const geometry *g = &t->g;
    const int64_t bytes = g->block / 8 * g->bits;
    OC_LOOP (&t->work, i, g->blocks, 4) {
        const uint8_t *p = t->b + (row * g->blocks + i) * bytes;
        const int64_t from = i * g->block, n = oc_min(g->k - from, g->block);
        float scale = t->scales[row * g->blocks + i], zero = zero_of(t, row, i);
        for (int64_t k = 0; k < n; k++) {
            if (t->group) {
                scale = t->scales[row * g->blocks + t->group[from + k]];
                zero = zero_of(t, row, t->group[from + k]);
            }
            w[from + k] = ((float)number_at(p, k, g->bits) - zero) * scale;
        }
    }
}

static void make_rows(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t r = first; r < end; r++)
        make_row(t, t->first + r, t->w + r * t->g.k);
}

static oc_status read_inputs(oc_call *c, job *t)
{
    const oc_value *zeros = oc_in_or_null(c, ZEROS), *groups = oc_in_or_null(c, GROUPS);
    const void *floats;
    OC_TRY(oc_in_as(c, SCALES, OC_F32, &floats));
    t->scales = floats;
    t->b = oc_in(c, B)->data;
    if (zeros && zeros->type == OC_U8) {
        t->packed_zeros = zeros->data;
    } else {
        OC_TRY(oc_in_as(c, ZEROS, OC_F32, &floats));
        t->zeros = floats;
    }
    t->group = groups ? groups->data : NULL;
    OC_CALL_LOOP (c, k, groups ? t->g.k : 0, 1024)
        if (t->group[k] < 0 || t->group[k] >= t->g.blocks)
            return oc_fail_index(c, GROUPS, k, t->group[k], t->g.blocks, "");
    return OC_OK;
}

/* Puts `columns` columns of y [m][n] in their place, plus the bias. */
static void put_columns(oc_call *c, const geometry *g, float *y, int64_t first, const float *part,
                        int64_t columns, const float *bias)
{
    OC_CALL_LOOP (c, i, g->m, 64)
        for (int64_t j = 0; j < columns; j++)
            y[i * g->n + first + j] = part[i * columns + j] + (bias ? bias[first + j] : 0);
}

static oc_status nbits_run(oc_call *c)
{
    enum { PART = 1 << 21, MULTIPLE = 64 }; /* weights of a part; columns */
    job t = {0};
    const void *a, *bias;
    void *y;
    float *part;
    OC_TRY(read_geometry(c, &t.g));
    const geometry *g = &t.g;
    OC_TRY(read_inputs(c, &t));
    OC_TRY(oc_in_as(c, A, OC_F32, &a));
    OC_TRY(oc_in_as(c, BIAS, OC_F32, &bias));
    OC_TRY(oc_out_as(c, 0, OC_F32, g->m * g->n, &y));
    const int64_t some = (PART / g->k / MULTIPLE + 1) * MULTIPLE, most = oc_min(some, g->n);
    OC_TRY(OC_SCRATCH(c, t.w, most * g->k));
    OC_TRY(OC_SCRATCH(c, part, g->m * most));
    for (t.first = 0; t.first < g->n && g->m > 0; t.first += most) {
        const int64_t columns = oc_min(g->n - t.first, most);
        t.work = oc_call_work(c, (double)(g->k * columns) * OC_ELEMENT);
        oc_work_run(&t.work, columns, make_rows, &t);
        oc_matrices product = {.type = OC_F32,
                               .transposed = true,
                               .m = g->m,
                               .k = g->k,
                               .n = columns,
                               .y = part,
                               .a_data = a,
                               .b_data = t.w};
        OC_TRY(oc_matrices_multiply(c, &product));
        put_columns(c, g, y, t.first, part, columns, bias);
    }
    oc_out_from(c, 0, OC_F32, y);
    return OC_OK;
}

const oc_op oc_ops_matmul_nbits[] = {
    {1,
     "com.microsoft::MatMulNBits <int K, int N, int accuracy_level = 0, int bits = 4, "
     "int block_size, int weight_prepacked = 0> (T A, uint8 B, T scales, Z zero_points?, "
     "int32 g_idx$?, T bias?) => (T Y) | T: float float16 bfloat16; "
     "Z: uint8 float float16 bfloat16",
     nbits_shape, nbits_run},
    {0},
};
