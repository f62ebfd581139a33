/* SPDX-License-Identifier: Apache-2.0
 * test_quantise_graphs.c - random graphs of what the plan has compute on codes, and of what it must
 * leave alone: types, dims, bits and errors are those of a session that fuses nothing. */
#include "outcome.h"
#include "quantise_graph.h"
#include "same_value.h"

#include <ocellus_model.h>

enum { ROUNDS = 2500 };

static outcome run(const graph *g, const oc_session_options *o)
{
    static uint8_t codes[2][GRAPH_ELEMENTS];
    static float numbers[GRAPH_ELEMENTS], scale = 0.25f, fill = 0.5f;
    oc_value in[GRAPH_INPUTS + 2];
    for (int i = 0; i < GRAPH_ELEMENTS; i++) {
        codes[0][i] = (uint8_t)(i * 37 + 11);
        codes[1][i] = (uint8_t)(i * 91 + 200);
        numbers[i] = (float)(i * 37 % 101) / 20 - 2.5f;
    }
    for (int i = 0; i < GRAPH_INPUTS; i++)
        in[i] = i == 2 ? oc_value_borrow(OC_F32, g->v[i].dims, numbers)
                       : oc_value_borrow(strcmp(g->v[i].type, "int8") ? OC_U8 : OC_I8, g->v[i].dims,
                                         codes[i]);
    in[GRAPH_INPUTS] = oc_value_borrow(OC_F32, (oc_dims){0, {0}}, &scale);
    in[GRAPH_INPUTS + 1] = oc_value_borrow(OC_F32, (oc_dims){0, {0}}, &fill);
    return outcome_of(g->all.s, o, in, GRAPH_INPUTS + 2, 2);
}

typedef struct seen {
    int fine, lookups, codes; /* graphs without an error; steps that look up; graphs with fewer
                                 steps that quantise or dequantise */
} seen;

static int count_steps(const oc_session *s, const char *part)
{
    oc_plan_step step;
    int n = 0;
    for (int i = 0; oc_session_step_at(s, i, &step); i++)
        n += strstr(step.op_type, part) != NULL;
    return n;
}

static void compare(const graph *g, uint32_t seed, bool exact, seen *all)
{
    const oc_session_options plain = {.threads = 1, .no_fusion = true, .exact_quant = exact};
    oc_session_options others[3];
    outcome a = run(g, &plain);
    for (int i = 0; i < 3; i++) {
        others[i] = (oc_session_options){.threads = 1, .exact_quant = exact};
        others[i].no_folding = i == 1;
        others[i].cpu = i == 2 ? "scalar" : NULL;
        outcome b = run(g, &others[i]);
        suite_assert((a.error.code == OC_OK) == (b.error.code == OC_OK),
                     "%d '%s', not %d '%s', options %d; OC_SEED=%u\n%s", b.error.code, b.error.text,
                     a.error.code, a.error.text, i, seed, g->all.s);
        for (int k = 0; k < 2 && a.error.code == OC_OK; k++)
            suite_assert(same_value(a.y[k], b.y[k]),
                         "output %d differs, options %d; OC_SEED=%u\n%s", k, i, seed, g->all.s);
        if (a.error.code == OC_OK && i == 0) {
            all->fine++;
            all->lookups += count_steps(b.session, "Lookup");
            all->codes +=
                count_steps(b.session, "uantizeLinear") < count_steps(a.session, "uantizeLinear");
        }
        outcome_free(&b);
    }
    outcome_free(&a);
}

START_TEST(codes_give_what_numbers_give)
{
    suite_random r = suite_random_new(11);
    static graph g;
    seen all = {0};
    g.r = &r;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        graph_make(&g);
        compare(&g, seed, round % 2, &all);
    }
    ck_assert_msg(all.fine > ROUNDS * 2 / 3 && all.lookups > ROUNDS / 10 && all.codes > ROUNDS / 6,
                  "%d fine, %d lookups, %d with codes", all.fine, all.lookups, all.codes);
}
END_TEST

SUITE("quantise_graphs", codes_give_what_numbers_give)
