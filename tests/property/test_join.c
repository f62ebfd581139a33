/* SPDX-License-Identifier: Apache-2.0
 * test_join.c - the given models, cut into two parts at random values and joined again, give the
 * bits that they give whole, also when they were written and read back. */
#include "whole.h"

enum { CUTS = 60, MOST_ENDS = 3 };

static struct {
    int joined, not_cut, not_linked, links, prefixed, kept_outputs;
} total;

/* The value behind a port: "p/x" is an input or output of the second part whose name the first
 * has, too. */
static const oc_value *value_of(whole *w, const char *port)
{
    const bool prefixed = strncmp(port, "p/", 2) == 0;
    const known *k = whole_find(w, prefixed ? port + 2 : port);
    total.prefixed += prefixed;
    suite_assert(k, "%s: '%s' is no value; OC_SEED=%u", w->path, port, w->seed);
    return k->value;
}

static void expect_same(whole *w, const oc_model *joined, oc_error *e)
{
    oc_session *s = oc_session_new(joined, &(oc_session_options){.threads = 1}, e);
    for (int i = 0; i < oc_model_n_inputs(joined); i++) {
        const oc_value *v = value_of(w, oc_model_input(joined, i).name);
        if (v)
            oc_bind_value_at(s, i, v, e);
    }
    oc_run(s, e);
    suite_assert(e->code == OC_OK, "%s: %s; OC_SEED=%u", w->path, e->text, w->seed);
    for (int i = 0; i < oc_model_n_outputs(joined); i++) {
        const char *name = oc_model_output(joined, i).name;
        suite_assert(same_value(value_of(w, name), oc_fetch_value_at(s, i, e)),
                     "%s: '%s' has other bits; OC_SEED=%u", w->path, name, w->seed);
    }
    oc_session_free(s);
}

static bool gives(const oc_model *m, const char *name, bool inputs)
{
    bool found = false;
    for (int i = 0; i < oc_model_n_outputs(m); i++)
        found |= strcmp(oc_model_output(m, i).name, name) == 0;
    for (int i = 0; inputs && i < oc_model_n_inputs(m); i++)
        found |= strcmp(oc_model_input(m, i).name, name) == 0;
    return found;
}

/* Links all inputs of the second part that the first has as outputs or inputs; returns how many. */
static int link_all(const oc_model *first, const oc_model *second, oc_link **links)
{
    int n = 0;
    *links = calloc((size_t)oc_model_n_inputs(second) + 1, sizeof **links);
    ck_assert_ptr_nonnull(*links);
    for (int i = 0; i < oc_model_n_inputs(second); i++) {
        const char *name = oc_model_input(second, i).name;
        if (gives(first, name, true))
            (*links)[n++] = (oc_link){name, name};
    }
    return n;
}

/* The inputs are those of the first part, and those of the second without a link; the outputs are
 * those of the second, and those of the first without a link. */
static void count_ports(const whole *w, const oc_model *first, const oc_model *second,
                        bool with_inputs, const oc_model *joined)
{
    int n_in = oc_model_n_inputs(first), n_out = oc_model_n_outputs(second);
    for (int i = 0; i < oc_model_n_inputs(second); i++)
        n_in += !gives(first, oc_model_input(second, i).name, with_inputs);
    total.links += oc_model_n_inputs(first) + oc_model_n_inputs(second) - n_in;
    for (int i = 0; i < oc_model_n_outputs(first); i++) {
        bool taken = false;
        for (int k = 0; k < oc_model_n_inputs(second); k++)
            taken |= strcmp(oc_model_output(first, i).name, oc_model_input(second, k).name) == 0;
        n_out += !taken;
        total.kept_outputs += !taken;
    }
    suite_assert(oc_model_n_inputs(joined) == n_in && oc_model_n_outputs(joined) == n_out,
                 "%s: %d inputs and %d outputs, expected %d and %d; OC_SEED=%u", w->path,
                 oc_model_n_inputs(joined), oc_model_n_outputs(joined), n_in, n_out, w->seed);
}

static void join_parts(whole *w, suite_random *r, const oc_model *first, const oc_model *second)
{
    oc_error e = {.code = OC_OK};
    byte_buffer bytes = {.bytes = NULL};
    oc_link *links = NULL;
    const bool all = suite_below(r, 2);
    const int n = all ? link_all(first, second, &links) : 0;
    oc_model *joined = oc_model_join(first, second, links, n, "p", &e);
    free(links);
    if (e.code == OC_ARGUMENT && strstr(e.text, "no output of the first model")) {
        total.not_linked++;
        return;
    }
    suite_assert(e.code == OC_OK, "%s: %s; OC_SEED=%u", w->path, e.text, w->seed);
    count_ports(w, first, second, n > 0, joined);
    oc_model *again =
        whole_read_back(joined, suite_below(r, 2) ? OC_FORMAT_TEXT : OC_FORMAT_ONNX, &bytes, &e);
    suite_assert(e.code == OC_OK, "%s: %s; OC_SEED=%u", w->path, e.text, w->seed);
    expect_same(w, joined, &e);
    expect_same(w, again, &e);
    oc_model_free(again);
    oc_model_free(joined);
    free(bytes.bytes);
    total.joined++;
}

static void cut_once(whole *w, suite_random *r)
{
    const known *chosen[MOST_ENDS];
    oc_cut cut[MOST_ENDS] = {{.name = NULL}};
    const char *name[MOST_ENDS];
    oc_error e = {.code = OC_OK};
    w->seed = r->state;
    const int n = whole_choose(w, r, 1 + (int)suite_below(r, MOST_ENDS), true, chosen);
    for (int i = 0; i < n; i++)
        cut[i].name = name[i] = chosen[i]->name;
    oc_model *first = oc_model_extract(w->model, NULL, 0, name, n, &e);
    oc_model *second = oc_model_extract(w->model, cut, n, NULL, 0, &e);
    if (second)
        join_parts(w, r, first, second);
    else
        total.not_cut++;
    suite_assert(second || strstr(e.text, "there is no node between"), "%s: %s; OC_SEED=%u",
                 w->path, e.text, w->seed);
    oc_model_free(first);
    oc_model_free(second);
}

static char **paths; /* ends with NULL */

START_TEST(joined_parts_give_the_bits_of_the_whole)
{
    const int n = whole_each(paths, 23, CUTS, cut_once);
    printf(
        "%d models, %d joined, %d not cut, %d not linked, %d links, %d prefixed ports, %d outputs "
        "of the first part kept\n",
        n, total.joined, total.not_cut, total.not_linked, total.links, total.prefixed,
        total.kept_outputs);
    ck_assert_int_gt(total.joined, n * CUTS / 2);
    ck_assert_int_gt(total.links, total.joined);
    ck_assert_int_gt(total.prefixed, n);
    ck_assert_int_gt(total.kept_outputs, n);
}
END_TEST

int main(int argc, char **argv)
{
    (void)argc;
    paths = argv + 1;
    return suite_run("join", &joined_parts_give_the_bits_of_the_whole, 1);
}
