/* SPDX-License-Identifier: Apache-2.0
 * affine_grid.c - cases for AffineGrid: types, ranks, align_corners, batches, edge sizes. */
#include "check/cases.h"
#include "check/numbers.h"
#include "values/fill.h"
#include "common/number.h"

#include <math.h>

static const oc_type types[] = {OC_F16, OC_BF16, OC_F32, OC_F64};

static const int64_t batches[] = {1, 3};
static const int64_t edges[] = {1, 2, 7, 40}, edges_3d[] = {1, 2, 7, 17};

enum {
    N_TYPES = sizeof types / sizeof *types,
    N_BATCHES = sizeof batches / sizeof *batches,
    N_EDGES = sizeof edges / sizeof *edges,
    CASES_2D = N_EDGES * N_EDGES,
    CASES_3D = N_EDGES * N_EDGES * N_EDGES
};

enum { BATCH_OF_ONE, SIDE_OF_ONE, DEPTH_OF_ONE };

const check_defect check_affine_grid_defects[] = {
    {"N = 1 in 2-D: Squeeze without axes drops the batch", true},
    {"H or W = 1 with align_corners: the step is 2 / 0", false},
    {"D = 1 with align_corners: the only slice lies at -1, not in the middle", false},
    {0},
};

typedef struct shape {
    int type, spatial; /* spatial is the number of spatial axes, 2 or 3 */
    bool align;
    int64_t n, side[3]; /* D, H, W, or H, W */
} shape;

/* Makes the i-th shape: all types, for each all ranks, for each both align_corners, batches and
 * sides. Returns false past the last. */
static bool make_shape(int i, shape *s)
{
    const int per_type = 2 * N_BATCHES * (CASES_2D + CASES_3D);
    s->type = i / per_type;
    i %= per_type;
    s->spatial = i < 2 * N_BATCHES * CASES_2D ? 2 : 3;
    i -= s->spatial == 3 ? 2 * N_BATCHES * CASES_2D : 0;
    const int sides = s->spatial == 2 ? CASES_2D : CASES_3D;
    s->align = i / (N_BATCHES * sides) == 1;
    s->n = batches[i / sides % N_BATCHES];
    i %= sides;
    for (int k = s->spatial - 1; k >= 0; k--, i /= N_EDGES)
        s->side[k] = (s->spatial == 2 ? edges : edges_3d)[i % N_EDGES];
    return s->type < N_TYPES;
}

static int find_defect(const shape *s)
{
    const int64_t h = s->side[s->spatial - 2], w = s->side[s->spatial - 1];
    if (s->spatial == 2 && s->n == 1)
        return BATCH_OF_ONE;
    if (s->align && (h == 1 || w == 1))
        return SIDE_OF_ONE;
    return s->align && s->spatial == 3 && s->side[0] == 1 ? DEPTH_OF_ONE : -1;
}

/* Every step of the body rounds: a coordinate about six times, the sum of four products with
 * |theta| <= 1 once for each term and each product. The kernel may round as often. */
static compare_bound make_bound(const shape *s)
{
    return (compare_bound){.atol = 40 * ldexp(1, -check_digits(types[s->type]))};
}

static oc_value *make_theta(const shape *s, uint64_t seed, oc_error *e)
{
    const int64_t dim[] = {s->n, s->spatial, s->spatial + 1};
    oc_value *v = oc_tensor_new(types[s->type], 3, dim, NULL, e);
    const uint64_t key = fill_key(seed, "theta");
    for (int64_t i = 0; v && i < oc_value_count(v); i++)
        number_set(types[s->type], oc_value_mutable_data(v), i,
                   2 * fill_unit(key, (uint64_t)i) - 1);
    return v;
}

static oc_value *make_size(const shape *s, oc_error *e)
{
    const int64_t count = s->spatial + 2;
    oc_value *v = oc_tensor_new(OC_I64, 1, &count, NULL, e);
    if (!v)
        return NULL;
    int64_t *size = oc_value_mutable_data(v);
    size[0] = s->n;
    size[1] = 3; /* any number of channels, as the grid does not depend on them */
    for (int k = 0; k < s->spatial; k++)
        size[2 + k] = s->side[k];
    return v;
}

/* Describes the case as one of a case file. */
static void set_form(check_maker *maker, const shape *s, check_case *c)
{
    static const char *const attributes[] = {"align_corners = 0", "align_corners = 1"};
    check_input *theta = &maker->own.in[0], *size = &maker->own.in[1];
    maker->own = (check_inputs){.scope = {0, INT_MAX}, .n = 2, .n_out = 1};
    *theta =
        (check_input){.kind = CHECK_SIGNED, .rank = 3, .dim = {s->n, s->spatial, s->spatial + 1}};
    *size = (check_input){
        .kind = CHECK_BELOW, .below = 41, .type = OC_I64, .rank = 1, .dim = {s->spatial + 2}};
    c->form = (check_form){.opset = 20,
                           .type = types[s->type],
                           .attributes = attributes[s->align],
                           .inputs = &maker->own};
}

bool check_affine_grid_make(check_maker *maker, int i, check_case *c, oc_error *e)
{
    shape s;
    char sides[64];
    if (!make_shape(i, &s))
        return false;
    const char *type = oc_type_name(types[s.type]);
    snprintf(c->group, sizeof c->group, "%s %d-D align_corners=%d N=%" PRId64, type, s.spatial,
             s.align, s.n);
    if (s.spatial == 2)
        snprintf(sides, sizeof sides, "H=%" PRId64 " W=%" PRId64, s.side[0], s.side[1]);
    else
        snprintf(sides, sizeof sides, "D=%" PRId64 " H=%" PRId64 " W=%" PRId64, s.side[0],
                 s.side[1], s.side[2]);
    snprintf(c->name, sizeof c->name, "%.50s %.40s", c->group, sides);
    c->model = tool_format("<ir_version: 10, opset_import: [\"\" : 20]>\n"
                           "check (%s[%" PRId64 ",%d,%d] theta, int64[%d] size) => (%s[] grid)\n"
                           "{ grid = AffineGrid <align_corners = %d> (theta, size) }\n",
                           type, s.n, s.spatial, s.spatial + 1, s.spatial + 2, type, s.align);
    c->in[0] = make_theta(&s, maker->seed + (uint64_t)i, e);
    c->in[1] = make_size(&s, e);
    c->n_in = 2;
    c->n_out = 1;
    c->bound = make_bound(&s);
    c->defect = find_defect(&s);
    set_form(maker, &s, c);
    return true;
}
