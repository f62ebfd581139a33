/* SPDX-License-Identifier: Apache-2.0
 * rnn.c - RNN: H' = f(what W makes of x, and R of H). */
#include "ops/recurrent/recurrent.h"

static void rnn_row(const oc_recurrent *r, const oc_step *s, int64_t b)
{
    const size_t size = (size_t)r->hidden * oc_type_size(r->real), at = (size_t)b * size;
    void *next = (char *)s->next_h + at;
    memcpy(next, (const char *)s->gates + at, size);
    oc_recurrent_clip(r, next, r->hidden);
    oc_recurrent_activate(r, s->direction, 0, next, r->hidden);
}

static oc_status rnn_step(oc_call *c, const oc_recurrent *r, const oc_step *s)
{
    OC_TRY(oc_recurrent_multiply(c, r, s->gates, r->hidden, s->h, &s->r[0]));
    oc_recurrent_rows(c, r, s, rnn_row);
    return OC_OK;
}

static const oc_cell rnn = {
    .gates = 1, .joint = 1, .functions = 1, .defaults = {"Tanh"}, .step = rnn_step};

OC_CALL_FN(rnn_shape, oc_recurrent_shape(c, &rnn))
OC_CALL_FN(rnn_run, oc_recurrent_run(c, &rnn))
OC_CALL_FN(rnn_prepare, oc_recurrent_prepare(c, &rnn))

/* clang-format off */
#define SIG(attrs, set)                                                                            \
    "RNN <floats activation_alpha?, floats activation_beta?, "                                     \
    "strings activations = [\"Tanh\", \"Tanh\"], float clip?, string direction = \"forward\", "    \
    "int hidden_size?" attrs "> "                                                                  \
    "(T X, T W=, T R=, T B?, int32 sequence_lens?, T initial_h?) => (T Y?, T Y_h?) | T: " set,     \
    rnn_shape, rnn_run, rnn_prepare
const oc_op oc_ops_rnn[] = {
    {22, SIG(", int layout+ = 0", "float_ir4")},
    {14, SIG(", int layout+ = 0", "ieee")},
    { 7, SIG("", "ieee; change dropped output_sequence")},
    { 1, SIG(", int output_sequence = 0", "ieee")},
    {0}
};
