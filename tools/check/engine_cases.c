/* SPDX-License-Identifier: Apache-2.0
 * engine_cases.c - asks another engine for the outputs of cases of operators. */
#include "check/engine.h"
#include "check/written.h"

/* Reads the outputs, which must be of the kinds that the body gives. */
static void read_outputs(check_run *run, const engine_test *t)
{
    check_answer *a = &run->answer;
    oc_error e = {0};
    oc_value **out = tool_alloc((size_t)t->n_out, sizeof *out);
    for (int i = 0; i < t->n_out; i++)
        out[i] = check_engine_read(t, i, check_expected(run, i), &e);
    if (e.code == OC_OK) {
        a->out = out;
        return;
    }
    a->outcome = CHECK_KERNEL_FAILS;
    snprintf(a->text, sizeof a->text, "%.*s", COMPARE_TEXT - 1, e.text);
    for (int i = 0; i < t->n_out; i++)
        oc_value_free(out[i]);
    free(out);
}

/* Has the reference given the outputs that the engine is asked for? */
static bool is_question(const check_run *run)
{
    return run->refused.code == OC_OK && run->reference;
}

void check_engine_ask(check_engine *g, check_run *run, int n, oc_error *e)
{
    engine_test *t = tool_alloc((size_t)n + 1, sizeof *t);
    char *folder = check_engine_folder(g, e);
    int asked = 0;
    for (int i = 0; i < n && e->code == OC_OK; i++)
        if (is_question(&run[i])) {
            char *dir = check_write_test(folder, i, &run[i], e);
            t[asked++] = (engine_test){.dir = dir, .n_out = run[i].c->n_out, .of = &run[i]};
        }
    free(folder);
    check_engine_run(g, t, asked, e);
    for (int i = 0; i < asked; i++) {
        check_run *of = t[i].of;
        of->answer.outcome = t[i].outcome;
        memcpy(of->answer.text, t[i].text, sizeof t[i].text);
        if (e->code == OC_OK && t[i].outcome == CHECK_AGREES)
            read_outputs(of, &t[i]);
        free(t[i].dir);
    }
    check_engine_clear(g, e);
    free(t);
}
