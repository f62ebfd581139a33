/* SPDX-License-Identifier: Apache-2.0
 * print.c - prints one case in full: its model, inputs, outputs, and where outputs differ. */
#include "check/report.h"
#include "common/number.h"
#include "common/signals.h"
#include "values/stats.h"

enum { MOST_ELEMENTS = 20 };

/* Prints the outputs of a way; way -1 is the reference. */
static void print_outputs(const check_run *run, int way, oc_error *cancelled)
{
    const check_plan *p = run->plan;
    const char *label = way < 0 ? p->reference.label : p->way[way].label;
    for (int i = 0; i < run->c->n_out; i++) {
        char name[200];
        const oc_value *v = way < 0 ? check_expected(run, i) : check_output(run, way, i);
        snprintf(name, sizeof name, "y%d of %.160s", i, label);
        if (v)
            stats_print(name, 32, v, NULL, cancelled);
    }
}

/* Prints the elements that differ, one on each line. */
static void print_elements(const oc_value *got, const oc_value *want, int output)
{
    const oc_type type = oc_value_type(got);
    const void *x = oc_value_data(got), *y = oc_value_data(want);
    int n = 0;
    for (int64_t i = 0; i < oc_value_count(got); i++) {
        char a[NUMBER_TEXT], b[NUMBER_TEXT], index[STATS_SHAPE];
        if (signals_end_at(i))
            return;
        const uint64_t ulp = number_ulp(type, x, i, y, i);
        if (ulp == 0 || n++ >= MOST_ELEMENTS)
            continue;
        printf("    y%d%s is %s, expected %s", output, stats_index(got, i, index),
               number_text(type, x, i, number_digits(type), a),
               number_text(type, y, i, number_digits(type), b));
        if (ulp != UINT64_MAX)
            printf(", %" PRIu64 " ulp", ulp);
        putchar('\n');
    }
    if (n > MOST_ELEMENTS)
        printf("    and %d more\n", n - MOST_ELEMENTS);
}

static bool is_comparable(const oc_value *a, const oc_value *b)
{
    return compare_same_form(a, b) && oc_value_kind(a) == OC_TENSOR &&
           oc_value_type(a) != OC_STRING;
}

void check_print_run(const check_run *run)
{
    const check_case *c = run->c;
    oc_error e = {0}; /* after SIGINT; the command itself asks before the next case */
    printf("\n%s\n", c->model);
    for (int i = 0; i < c->n_in; i++) {
        char name[32];
        snprintf(name, sizeof name, "input %d", i);
        stats_print(name, 32, c->in[i], NULL, &e);
    }
    print_outputs(run, -1, &e);
    for (int way = 0; way < run->plan->n; way++) {
        print_outputs(run, way, &e);
        for (int i = 0; i < c->n_out && run->result[way].ran; i++) {
            const oc_value *want = check_expected(run, i);
            const oc_value *got = check_output(run, way, i);
            if (got && want && is_comparable(got, want))
                print_elements(got, want, i);
        }
    }
    putchar('\n');
}
