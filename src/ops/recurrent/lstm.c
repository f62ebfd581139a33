/* SPDX-License-Identifier: Apache-2.0
 * lstm.c - LSTM. With the gates i, o, f and the new content g, in this order:
 *
 *     C' = f * C + i * g          H' = o * h(C')
 *
 * where i, f and g are made of x, H and, through the peepholes P, of C; o of x, H and C'. With
 * input_forget = 1, f is 1 - i. clip is for what the gates and g are made of, not for h, as in
 * other engines. */
#include "kernels/common/element.h"
#include "ops/recurrent/recurrent.h"

enum { F, G, H }; /* functions: of the gates, of the new content, of C' */

#define TEMPLATE "ops/recurrent/lstm.inc"
#include "kernels/common/floats.inc"

static oc_status lstm_step(oc_call *c, const oc_recurrent *r, const oc_step *s)
{
    OC_TRY(oc_recurrent_multiply(c, r, s->gates, 4 * r->hidden, s->h, &s->r[0]));
    oc_recurrent_rows(c, r, s, r->real == OC_F64 ? row_f64 : row_f32);
    return OC_OK;
}

static const oc_cell lstm = {.gates = 4,
                             .joint = 4,
                             .functions = 3,
                             .defaults = {"Sigmoid", "Tanh", "Tanh"},
                             .has_c = true,
                             .step = lstm_step};

OC_CALL_FN(lstm_shape, oc_recurrent_shape(c, &lstm))
OC_CALL_FN(lstm_run, oc_recurrent_run(c, &lstm))
OC_CALL_FN(lstm_prepare, oc_recurrent_prepare(c, &lstm))

/* clang-format off */
#define SIG(attrs, set)                                                                            \
    "LSTM <floats activation_alpha?, floats activation_beta?, strings activations?, float clip?, " \
    "string direction = \"forward\", int hidden_size?, int input_forget = 0" attrs "> "            \
    "(T X, T W=, T R=, T B?, int32 sequence_lens?, T initial_h?, T initial_c?, T P?) => "          \
    "(T Y?, T Y_h?, T Y_c?) | T: " set, lstm_shape, lstm_run, lstm_prepare
const oc_op oc_ops_lstm[] = {
    {22, SIG(", int layout+ = 0", "float_ir4")},
    {14, SIG(", int layout+ = 0", "ieee")},
    { 7, SIG("", "ieee; change dropped output_sequence")},
    { 1, SIG(", int output_sequence = 0", "ieee")},
    {0}
};
