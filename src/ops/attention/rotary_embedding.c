/* SPDX-License-Identifier: Apache-2.0
 * rotary_embedding.c - RotaryEmbedding: rotates pairs of each head's elements by the angles of
 * their token's position.
 *
 * A pair (a, b) becomes (cos a - sin b, sin a + cos b), each product rounded; float16 and bfloat16
 * are computed in float and rounded once. If interleaved, the elements of a pair are neighbours;
 * else pair k is element k of the first half and element k of the second. Elements after the
 * rotated part are copied. */
#include "ops/kit/op.h"
#include "ops/attention/rotate.h"

/* Numbers of the inputs of ONNX's operator, and of com.microsoft's. */
typedef struct ports {
    int cos, sin, positions;
} ports;

static const ports own = {1, 2, 3}, microsoft = {2, 3, 1};

typedef struct geometry {
    int64_t batch, heads, sequence, size; /* sizes of X, whatever its rank */
    int64_t half;                         /* pairs of elements in a head */
    bool token_major;                     /* 3-D X: all heads of a token are neighbours */
} geometry;

static oc_status read_heads(oc_call *c, geometry *g, int64_t heads)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    OC_TRY(oc_expect_rank(c, 0, 3, 4));
    if (x->rank == 4) {
        *g = (geometry){x->n[0], x->n[1], x->n[2], x->n[3], 0, false};
        return OC_OK;
    }
    if (heads <= 0)
        return oc_fail(c, OC_VALUE,
                       "attribute 'num_heads' is %" PRId64
                       ", expected 1 or more for an input of rank 3",
                       heads);
    if (x->n[2] % heads)
        return oc_fail_dims(c, 0, "expected a multiple of %" PRId64 " heads", heads);
    *g = (geometry){x->n[0], heads, x->n[1], x->n[2] / heads, 0, true};
    return OC_OK;
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    OC_TRY(read_heads(c, g, oc_attr_int(c, "num_heads")));
    const int64_t given = oc_attr_int(c, "rotary_embedding_dim");
    const int64_t rotated = given ? given : g->size;
    if (rotated < 0 || rotated > g->size || rotated % 2)
        return oc_fail(
            c, OC_VALUE, "%s is %" PRId64 ", expected an even number in [0, %" PRId64 "]",
            given ? "attribute 'rotary_embedding_dim'" : "the size of a head", rotated, g->size);
    g->half = rotated / 2;
    oc_dims cache = {3, {g->batch, g->sequence, g->half}};
    if (oc_in_or_null(c, own.positions)) {
        OC_TRY(oc_expect_dims(c, own.positions, &(oc_dims){2, {g->batch, g->sequence}},
                              ", one for each token"));
        OC_TRY(
            oc_expect_dims(c, own.cos, &(oc_dims){2, {-1, g->half}}, ", an angle for each pair"));
        cache = oc_in(c, own.cos)->dims;
    }
    OC_TRY(oc_expect_dims(c, own.cos, &cache, ", an angle for each pair"));
    return oc_expect_dims(c, own.sin, &cache, ", an angle for each pair");
}

/* com.microsoft's: a row of the caches has the angles of all pairs that are rotated, which give the
 * size of a head where no attribute does. The positions are one for each token, or that of the
 * first token of each batch. */
static oc_status read_microsoft(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *cos = &oc_in(c, microsoft.cos)->dims;
    const int64_t given = oc_attr_int(c, "rotary_embedding_dim");
    int64_t heads = oc_attr_int(c, "num_heads");
    OC_TRY(oc_expect_rank(c, microsoft.cos, 2, 2));
    if (oc_attr_float(c, "scale") != 1.0f)
        return oc_fail(c, OC_UNSUPPORTED, "attribute 'scale' is %g, expected 1",
                       (double)oc_attr_float(c, "scale"));
    if (given && !heads)
        return oc_fail(c, OC_VALUE, "rotary_embedding_dim is used with num_heads");
    if (!heads && x->rank == 3 && cos->n[1] > 0)
        heads = x->n[2] / (2 * cos->n[1]);
    OC_TRY(read_heads(c, g, heads));
    const int64_t rotated = given ? given : g->size;
    if (rotated < 0 || rotated > g->size || rotated % 2)
        return oc_fail(c, OC_VALUE,
                       "%" PRId64 " elements of a head are rotated, expected an even "
                       "number in [0, %" PRId64 "]",
                       rotated, g->size);
    g->half = rotated / 2;
    OC_TRY(
        oc_expect_dims(c, microsoft.cos, &(oc_dims){2, {-1, g->half}}, ", an angle for each pair"));
    OC_TRY(oc_expect_dims(c, microsoft.sin, cos, ", as cos_cache"));
    const oc_dims *p = &oc_in(c, microsoft.positions)->dims;
    if (p->rank < 2 && oc_dims_count(p) == 1)
        return OC_OK;
    return oc_expect_dims(c, microsoft.positions, &(oc_dims){2, {g->batch, g->sequence}},
                          ", one for each token, or [1]");
}

static oc_status microsoft_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_microsoft(c, &g));
    return oc_same_shape(c);
}

static oc_status rotary_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_same_shape(c);
}

typedef struct job {
    geometry g;
    const oc_value *x, *cos, *sin, *y;
    const int64_t *position; /* positions of tokens; NULL: token t has row t of the caches */
    bool interleaved;
    unsigned cpu;
    float *wide; /* room for a head and two rows of the caches */
    oc_work work;
} job;

/* Returns n elements from v[at] on as floats: the elements themselves, or copies in `room`. */
static const float *floats(const job *j, const oc_value *v, int64_t at, int64_t n, float *room)
{
    if (v->type == OC_F32)
        return (const float *)v->data + at;
    oc_work_convert(&j->work, j->cpu, room, OC_F32, (const uint16_t *)v->data + at, v->type, n);
    return room;
}

/* Rotates a head of a token, of all batches. */
static void rotate_head(const job *j, int64_t token, int64_t h, const float *cos, const float *sin)
{
    const geometry *g = &j->g;
    const int64_t b = token / g->sequence, s = token % g->sequence, rotated = 2 * g->half;
    const int64_t at =
        (g->token_major ? token * g->heads + h : (b * g->heads + h) * g->sequence + s) * g->size;
    const size_t elem = oc_type_size(j->x->type);
    const float *x = floats(j, j->x, at, g->size, j->wide);
    char *y = (char *)j->y->data + elem * (size_t)at;
    if (j->y->type == OC_F32) {
        oc_rotate(&j->work, (float *)j->y->data + at, x, cos, sin, g->half, j->interleaved);
    } else {
        oc_rotate(&j->work, j->wide, x, cos, sin, g->half, j->interleaved);
        oc_work_convert(&j->work, j->cpu, y, j->y->type, j->wide, OC_F32, rotated);
    }
    oc_work_copy(&j->work, y + elem * (size_t)rotated,
                 (const char *)j->x->data + elem * (size_t)(at + rotated),
                 elem * (size_t)(g->size - rotated));
}

static void rotate_token(const job *j, int64_t token)
{
    const geometry *g = &j->g;
    const int64_t row = (j->position ? j->position[token] : token) * g->half;
    float *room = j->wide;
    const float *cos = floats(j, j->cos, row, g->half, room + g->size);
    const float *sin = floats(j, j->sin, row, g->half, room + g->size + g->half);
    OC_LOOP (&j->work, h, g->heads, 64)
        rotate_head(j, token, h, cos, sin);
}

static oc_status rotate_all(oc_call *c, job *j)
{
    j->cpu = oc_call_cpu(c);
    j->interleaved = oc_attr_int(c, "interleaved");
    if (oc_value_n(j->x) == 0)
        return OC_OK;
    OC_TRY(OC_SCRATCH(c, j->wide, 2 * j->g.size));
    j->work = oc_call_work(c, 0);
    OC_CALL_LOOP (c, token, j->g.batch * j->g.sequence, 4)
        rotate_token(j, token);
    return OC_OK;
}

static job job_of(oc_call *c, const ports *p)
{
    return (job){
        .x = oc_in(c, 0), .cos = oc_in(c, p->cos), .sin = oc_in(c, p->sin), .y = oc_out(c, 0)};
}

static oc_status rotary_run(oc_call *c)
{
    job j = job_of(c, &own);
    OC_TRY(read_geometry(c, &j.g));
    if (oc_in_or_null(c, own.positions))
        OC_TRY(oc_in_indices(c, own.positions, j.cos->dims.n[0], &j.position));
    return rotate_all(c, &j);
}

static oc_status microsoft_run(oc_call *c)
{
    job j = job_of(c, &microsoft);
    OC_TRY(read_microsoft(c, &j.g));
    const oc_value *given = oc_in(c, microsoft.positions);
    const int64_t *id = given->data, rows = j.cos->dims.n[0], n = j.g.batch * j.g.sequence;
    const bool each = given->dims.rank == 2;
    int64_t *position;
    if (oc_value_n(j.x) == 0)
        return OC_OK;
    OC_TRY(OC_SCRATCH(c, position, n));
    OC_CALL_LOOP (c, i, n, 64) {
        const int64_t s = i % j.g.sequence, first = each ? id[i] : id[0];
        if (first < 0 || first >= rows - (each ? 0 : s))
            return oc_fail(c, OC_VALUE,
                           "input 1 'position_ids' has %" PRId64 " for token %" PRId64
                           ", expected 0 to %" PRId64,
                           first, s, rows - 1 - (each ? 0 : s));
        position[i] = each ? first : first + s;
    }
    j.position = position;
    return rotate_all(c, &j);
}

const oc_op oc_ops_rotary_embedding[] = {
    {23,
     "RotaryEmbedding <int interleaved = 0, int num_heads?, int rotary_embedding_dim = 0>"
     " (T X, T cos_cache, T sin_cache, M position_ids?) => (T Y)"
     " | T: float float16 bfloat16; M: int64",
     rotary_shape, rotary_run},
    {1,
     "com.microsoft::RotaryEmbedding <int interleaved = 0, int is_packed_batching = 0, "
     "int num_heads = 0, int rotary_embedding_dim = 0, float scale = 1.0> "
     "(T input, int64 position_ids$, T cos_cache, T sin_cache) => (T output) "
     "| T: float float16 bfloat16",
     microsoft_shape, microsoft_run},
    {0},
};
