/* SPDX-License-Identifier: Apache-2.0
 * test_extract.c - parts of the given models, written and read back, give the bits that the whole
 * models give: random parts, fed with the values that a run of the whole has there. */
#include "whole.h"

enum { CUTS = 60, MOST_ENDS = 3 };

static struct {
    int parts, without_nodes, with_constants, inputs_that_stay, ports, untyped;
} total;

static bool is_numbers(const oc_value *v)
{
    return oc_value_kind(v) == OC_TENSOR && oc_value_type(v) != OC_STRING;
}

/* What the part declares of a value is true of what the run of the whole gave. */
static void expect_declared(const whole *w, const oc_port *p, const oc_value *v)
{
    total.ports++;
    total.untyped += p->type == OC_UNDEFINED;
    if (p->type == OC_UNDEFINED || !v)
        return;
    suite_assert(p->type == oc_value_type(v) &&
                     (p->kind == oc_value_kind(v) || p->kind == OC_OPTIONAL) &&
                     (p->rank < 0 || p->rank == oc_value_rank(v)),
                 "%s: '%s' has another type; OC_SEED=%u", w->path, p->name, w->seed);
    for (int i = 0; i < p->rank; i++)
        suite_assert(p->dim[i] < 0 || p->dim[i] == oc_value_dims(v)[i],
                     "%s: dim %d of '%s' is another; OC_SEED=%u", w->path, i, p->name, w->seed);
}

static void expect_same(whole *w, const oc_model *part, oc_error *e)
{
    oc_session *s = oc_session_new(part, &(oc_session_options){.threads = 1}, e);
    for (int i = 0; i < oc_model_n_inputs(part); i++) {
        const oc_port p = oc_model_input(part, i);
        const known *k = whole_find(w, p.name);
        suite_assert(k, "%s: '%s' is no value; OC_SEED=%u", w->path, p.name, w->seed);
        expect_declared(w, &p, k->value);
        if (k->value)
            oc_bind_value_at(s, i, k->value, e);
    }
    oc_run(s, e);
    suite_assert(e->code == OC_OK, "%s: %s; OC_SEED=%u", w->path, e->text, w->seed);
    for (int i = 0; i < oc_model_n_outputs(part); i++) {
        const oc_port p = oc_model_output(part, i);
        const oc_value *v = whole_find(w, p.name)->value;
        suite_assert(same_value(v, oc_fetch_value_at(s, i, e)),
                     "%s: '%s' has other bits; OC_SEED=%u", w->path, p.name, w->seed);
        expect_declared(w, &p, v);
    }
    oc_session_free(s);
}

/* Every input that is neither a constant nor chosen is one of the model. */
static void count_inputs(const whole *w, const oc_model *part, const oc_cut *cut, int n_cut)
{
    for (int i = 0; i < oc_model_n_inputs(part); i++) {
        const oc_port p = oc_model_input(part, i);
        bool begins = false, given = p.has_default;
        for (int k = 0; k < n_cut; k++)
            begins |= strcmp(cut[k].name, p.name) == 0;
        for (int k = 0; k < w->n_inputs; k++)
            given |= strcmp(w->item[k].name, p.name) == 0;
        suite_assert(begins || given, "%s: input '%s'; OC_SEED=%u", w->path, p.name, w->seed);
        total.inputs_that_stay += !begins;
    }
}

static void cut_once(whole *w, suite_random *r)
{
    const known *from[MOST_ENDS], *to[MOST_ENDS];
    oc_cut cut[MOST_ENDS] = {{.name = NULL}};
    const char *name[MOST_ENDS];
    oc_error e = {.code = OC_OK};
    byte_buffer bytes = {.bytes = NULL};
    w->seed = r->state;
    const int n_from = whole_choose(w, r, (int)suite_below(r, MOST_ENDS + 1), false, from);
    const int n_to = whole_choose(w, r, 1 + (int)suite_below(r, MOST_ENDS), true, to);
    for (int i = 0; i < n_from; i++) {
        cut[i].name = from[i]->name;
        if (suite_below(r, 3) == 0 && is_numbers(from[i]->value)) {
            cut[i].value = from[i]->value;
            total.with_constants++;
        }
    }
    for (int i = 0; i < n_to; i++)
        name[i] = to[i]->name;
    oc_model *part = oc_model_extract(w->model, cut, n_from, name, n_to, &e);
    if (e.code == OC_ARGUMENT && strstr(e.text, "there is no node between")) {
        total.without_nodes++;
        return;
    }
    suite_assert(e.code == OC_OK, "%s: %s; OC_SEED=%u", w->path, e.text, w->seed);
    count_inputs(w, part, cut, n_from);
    oc_model *again =
        whole_read_back(part, suite_below(r, 2) ? OC_FORMAT_TEXT : OC_FORMAT_ONNX, &bytes, &e);
    suite_assert(e.code == OC_OK, "%s: %s; OC_SEED=%u", w->path, e.text, w->seed);
    expect_same(w, again, &e);
    oc_model_free(again);
    oc_model_free(part);
    free(bytes.bytes);
    total.parts++;
}

/* ---- the models ---- */

static char **paths; /* ends with NULL */

START_TEST(parts_give_the_bits_of_the_whole)
{
    const int n = whole_each(paths, 17, CUTS, cut_once);
    printf(
        "%d models, %d parts, %d without nodes, %d constants, %d inputs that stay, %d ports, %d of "
        "them without a type\n",
        n, total.parts, total.without_nodes, total.with_constants, total.inputs_that_stay,
        total.ports, total.untyped);
    ck_assert_int_gt(total.parts, n * CUTS / 2);
    ck_assert_int_gt(total.with_constants, n);
    ck_assert_int_gt(total.inputs_that_stay, n);
    ck_assert_int_lt(total.untyped, total.ports / 10); /* sequences, and what comes out of them */
}
END_TEST

int main(int argc, char **argv)
{
    (void)argc;
    paths = argv + 1;
    return suite_run("extract", &parts_give_the_bits_of_the_whole, 1);
}
