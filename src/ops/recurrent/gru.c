/* SPDX-License-Identifier: Apache-2.0
 * gru.c - GRU. With the gates z and r, and the new content n, in this order:
 *
 *     H' = (1 - z) * n + z * H
 *
 * where n is made of x and of r * H, which R multiplies; with linear_before_reset, of x and of r
 * times what R makes of H. */
#include "kernels/common/element.h"
#include "ops/recurrent/recurrent.h"

enum { F, G }; /* functions: of the gates, of the new content */

#define TEMPLATE "ops/recurrent/gru.inc"
#include "kernels/common/floats.inc"

/* The spare memory becomes the bias and what R makes of H. */
static oc_status multiply_late(oc_call *c, const oc_recurrent *r, const oc_step *s)
{
    const size_t row = (size_t)r->hidden * oc_type_size(r->real);
    OC_CALL_LOOP (c, b, r->batch, 64) {
        char *const to = (char *)s->spare + (size_t)b * row;
        if (s->bias)
            memcpy(to, s->bias, row);
        else
            memset(to, 0, row);
    }
    return oc_recurrent_multiply(c, r, s->spare, r->hidden, s->h, &s->r[1]);
}

static oc_status gru_step(oc_call *c, const oc_recurrent *r, const oc_step *s)
{
    const int64_t width = 3 * r->hidden;
    const bool wide = r->real == OC_F64;
    OC_TRY(oc_recurrent_multiply(c, r, s->gates, width, s->h, &s->r[0]));
    if (r->late_bias) {
        OC_TRY(multiply_late(c, r, s));
        oc_recurrent_rows(c, r, s, wide ? finish_late_f64 : finish_late_f32);
        return OC_OK;
    }
    char *content = (char *)s->gates + (size_t)(2 * r->hidden) * oc_type_size(r->real);
    oc_recurrent_rows(c, r, s, wide ? reset_f64 : reset_f32);
    OC_TRY(oc_recurrent_multiply(c, r, content, width, s->spare, &s->r[1]));
    oc_recurrent_rows(c, r, s, wide ? finish_f64 : finish_f32);
    return OC_OK;
}

static const oc_cell gru = {
    .gates = 3, .joint = 2, .functions = 2, .defaults = {"Sigmoid", "Tanh"}, .step = gru_step};

OC_CALL_FN(gru_shape, oc_recurrent_shape(c, &gru))
OC_CALL_FN(gru_run, oc_recurrent_run(c, &gru))
OC_CALL_FN(gru_prepare, oc_recurrent_prepare(c, &gru))

/* clang-format off */
#define SIG(attrs, last, set)                                                                      \
    "GRU <floats activation_alpha?, floats activation_beta?, strings activations?, float clip?, "  \
    "string direction = \"forward\", int hidden_size?" attrs "> "                                  \
    "(T X, T W=, T R=, T B?, int32 sequence_lens?, T initial_h?) => (T Y?, T Y_h" last ") | T: "   \
    set, gru_shape, gru_run, gru_prepare
#define LATE ", int linear_before_reset+ = 0"
const oc_op oc_ops_gru[] = {
    {22, SIG(LATE ", int layout+ = 0", "?", "float_ir4")},
    {14, SIG(LATE ", int layout+ = 0", "?", "ieee")},
    { 7, SIG(LATE, "?", "ieee; change dropped output_sequence")},
    { 3, SIG(LATE ", int output_sequence = 0", "?", "ieee")},
    { 1, SIG(", int output_sequence = 0", "", "ieee")},
    {0}
};
