/* SPDX-License-Identifier: Apache-2.0
 * test_fusion.c - GridSample of an AffineGrid gives the same bits, or the same error, fused or not:
 * random shapes, types, attributes, values and session options. */
#include "outcome.h"
#include "suite.h"

#include "kernels/elements.h"

#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 1500, PIXELS = 3 * 130 * 40, TEXT = 2000 };

typedef struct subject {
    suite_random random;
    uint32_t seed;
    oc_value x, theta, size;
    uint64_t pixels[2 * PIXELS], matrix[36];
    int64_t sizes[5];
    char text[TEXT];
} subject;

static int below(subject *s, int n)
{
    return (int)suite_below(&s->random, (uint32_t)n);
}

#define PICK(s, list) ((list)[below(s, (int)(sizeof(list) / sizeof *(list)))])

/* Most often a number of moderate size, now and then one that is none. */
static double number(subject *s, double most)
{
    static const double hostile[] = {INFINITY, -INFINITY, (double)NAN, 6e4, -6e4, 0, -0.0, 1e-7};
    return below(s, 60) ? most * ((double)below(s, 1 << 20) / (1 << 19) - 1) : PICK(s, hostile);
}

static void fill_x(subject *s)
{
    const int64_t n = oc_value_n(&s->x) * element_parts(s->x.type);
    s->x.data = s->pixels;
    for (int64_t i = 0; i < n; i++)
        element_set(s->x.type, s->pixels, i,
                    element_is_int(s->x.type) || s->x.type == OC_BOOL ? below(s, 2) * below(s, 128)
                                                                      : number(s, 9));
}

/* Near the identity, so that most positions meet the image. */
static void fill_theta(subject *s)
{
    const int rank = (int)s->theta.dims.n[1], columns = rank + 1;
    s->theta.data = s->matrix;
    for (int i = 0; i < (int)oc_value_n(&s->theta); i++)
        element_set(s->theta.type, s->matrix, i,
                    number(s, 0.4) + (i % (rank * columns) % (columns + 1) == 0));
}

static void make_inputs(subject *s)
{
    static const oc_type x_types[] = {OC_F32,  OC_F32, OC_F64, OC_F16, OC_BF16, OC_U8,
                                      OC_BOOL, OC_I16, OC_I64, OC_U32, OC_C64,  OC_C128};
    static const oc_type theta_types[] = {OC_F32, OC_F32, OC_F64, OC_F16, OC_BF16};
    static const int64_t sides[] = {1, 2, 3, 7, 16, 17}, channels[] = {1, 1, 2, 3, 5, 65, 130};
    const int rank = 2 + below(s, 2);
    const int64_t batch = 1 + below(s, 3), c = PICK(s, channels);
    s->x = (oc_value){.type = PICK(s, x_types), .dims = {rank + 2, {batch, c}}};
    for (int64_t a = 0, most = PIXELS / batch / c; a < rank; a++) {
        const int64_t side = 1 + below(s, 9);
        s->x.dims.n[2 + a] = side < most ? side : most;
        most /= s->x.dims.n[2 + a];
    }
    s->theta = (oc_value){.type = PICK(s, theta_types), .dims = {3, {batch, rank, rank + 1}}};
    s->size = (oc_value){.type = OC_I64, .dims = {1, {rank + 2}}, .data = s->sizes};
    s->sizes[0] = batch;
    s->sizes[1] = c;
    for (int a = 0; a < rank; a++)
        s->sizes[2 + a] = below(s, 60) ? PICK(s, sides) : 0;
    fill_x(s);
    fill_theta(s);
}

/* One thing that the two operators refuse, or one that is unusual. */
static void spoil(subject *s)
{
    switch (below(s, 6)) {
    case 0:
        s->sizes[below(s, s->size.dims.n[0] == 4 ? 4 : 5)] = -1;
        break;
    case 1:
        s->size.dims.n[0] = below(s, 6);
        break;
    case 2:
        s->theta.dims.n[below(s, 3)] = 1;
        break;
    case 3:
        s->sizes[2] = INT64_C(1) << (20 + below(s, 40));
        break;
    case 4:
        s->x.dims.rank--;
        break;
    default:
        s->x.dims.n[below(s, s->x.dims.rank)] = below(s, 2);
    }
}

/* How the chain's inputs come about: as they are, or computed just before, so that their buffers
 * are free for other nodes as soon as nobody needs them; declared dims or none. */
static void make_text(subject *s)
{
    static const char *const modes[] = {"linear", "linear", "nearest", "cubic", "bilinear", "no"};
    static const char *const paddings[] = {"zeros", "border", "reflection"};
    static const char *const direct = "grid = AffineGrid <align_corners = %d> (theta, size)\n";
    static const char *const computed =
        "two = Concat <axis = 0> (theta, theta)\n"
        "one, other = Split <axis = 0, num_outputs = 2> (two)\n"
        "n, dhw = Split <axis = 0, num_outputs = 2> (size)\n"
        "all = Concat <axis = 0> (n, dhw)\n"
        "grid = AffineGrid <align_corners = %d> (one, all)\n"
        "junk = Concat <axis = 0> (dhw, n)\njunk1 = Concat <axis = 1> (other, other)\n"
        "junk2, junk3 = Split <axis = 1, num_outputs = 2> (junk1)\n";
    char x[OC_DIMS_TEXT] = "[]", theta[OC_DIMS_TEXT] = "[]", body[TEXT / 2];
    if (below(s, 3) == 0) {
        oc_dims_text(&s->x.dims, x);
        oc_dims_text(&s->theta.dims, theta);
    }
    snprintf(body, sizeof body, below(s, 2) ? computed : direct, below(s, 2));
    const char *type = oc_type_name(s->x.type);
    const int mode = below(s, 100) ? below(s, 5) : 5;
    snprintf(s->text, TEXT,
             "<ir_version: 10, opset_import: [\"\" : %d]>\n"
             "g (%s%s x, %s%s theta, int64[] size) => (%s[] y) {\n%s"
             "y = GridSample <mode = \"%s\", padding_mode = \"%s\", align_corners = %d> (x, grid)\n"
             "}\n",
             20 + 2 * below(s, 2), type, x, oc_type_name(s->theta.type), theta, type, body,
             modes[mode], PICK(s, paddings), below(s, 2));
}

static void compare(subject *s)
{
    static const int threads[] = {1, 2, 7};
    static const char *const cpus[] = {"native", "scalar", "v128", "avx2"};
    oc_session_options options = {.threads = PICK(s, threads),
                                  .cpu = PICK(s, cpus),
                                  .limits.memory_cap = 1 << 24,
                                  .no_reuse = below(s, 4) == 0,
                                  .no_fusion = true};
    const oc_value in[] = {s->x, s->theta, s->size};
    outcome plain = outcome_of(s->text, &options, in, 3, 1);
    options.no_fusion = false;
    options.threads = PICK(s, threads);
    outcome fused = outcome_of(s->text, &options, in, 3, 1);
    if (plain.error.code == OC_LIMIT && strstr(plain.error.text, "memory")) {
        outcome_free(&plain); /* the grid alone is too large */
        outcome_free(&fused);
        return;
    }
    suite_assert(
        plain.error.code == fused.error.code && strcmp(plain.error.text, fused.error.text) == 0,
        "'%s', not '%s'; OC_SEED=%u\n%s", fused.error.text, plain.error.text, s->seed, s->text);
    suite_assert(plain.error.code != OC_OK || oc_value_equal(plain.y[0], fused.y[0]),
                 "other bits; OC_SEED=%u\n%s", s->seed, s->text);
    if (plain.error.code == OC_OK)
        suite_assert(oc_session_describe(plain.session).steps ==
                         oc_session_describe(fused.session).steps,
                     "other steps; OC_SEED=%u", s->seed);
    outcome_free(&plain);
    outcome_free(&fused);
}

START_TEST(fused_equals_plain)
{
    static subject s;
    s.random = suite_random_new(31);
    for (int round = 0; round < ROUNDS; round++) {
        s.seed = s.random.state;
        make_inputs(&s);
        if (below(&s, 8) == 0)
            spoil(&s);
        make_text(&s);
        compare(&s);
    }
}
END_TEST

SUITE("fusion", fused_equals_plain)
