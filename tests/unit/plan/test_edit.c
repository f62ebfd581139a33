/* SPDX-License-Identifier: Apache-2.0
 * test_edit.c - passes that change the steps of a graph keep makers and readers right; a build that
 * checks plans names the pass that does not. */
#include "suite.h"

#include "plan/verify.h"
#include "plan/edit.h"

#include <string.h>

enum { INPUT, A, B, SLOTS }; /* slots */

/* A graph of two steps, a = f(input), b = g(a, input), whose output is b. */
typedef struct two_steps {
    oc_memory memory;
    oc_plan plan;
    oc_session_options options;
    oc_graph graph;
    oc_graph_plan g, *graphs[1];
    oc_planner p;
    oc_arena strings;
    oc_error e;
    oc_step first, second;
    int in[3], out[2], input[1], output[1];
} two_steps;

static void set_up(two_steps *t)
{
    memset(t, 0, sizeof *t);
    t->memory = oc_memory_new(NULL, 0);
    t->strings = oc_arena_new(&t->memory);
    t->graph = (oc_graph){.name = "g"};
    t->g = (oc_graph_plan){.graph = &t->graph, .place_of = oc_name_map_new(&t->strings)};
    t->graphs[0] = &t->g;
    t->plan = (oc_plan){.graph = t->graphs, .n_graph = 1};
    t->p = (oc_planner){.plan = &t->plan, .options = &t->options, .e = &t->e};
    t->p.services.strings = &t->strings;
    for (int i = 0; i < SLOTS; i++)
        ck_assert_int_eq(oc_edit_add_slot(&t->p, &t->g, ""), i);
    t->in[0] = t->in[2] = t->input[0] = INPUT;
    t->in[1] = t->out[0] = A;
    t->out[1] = t->output[0] = B;
    t->first = (oc_step){.op = {.node = "f", .n_in = 1, .n_out = 1}, .in = t->in, .out = t->out};
    t->second =
        (oc_step){.op = {.node = "g", .n_in = 2, .n_out = 1}, .in = t->in + 1, .out = t->out + 1};
    t->g.input = t->input;
    t->g.output = t->output;
    t->g.n_input = t->g.n_output = 1;
    oc_edit_insert(&t->g, &t->second, NULL);
    oc_edit_insert(&t->g, &t->first, &t->second);
    oc_edit_count_reader(&t->g, B);
}

static void tear_down(two_steps *t)
{
    ck_assert_int_eq(oc_plan_verify(&t->p, "test"), OC_OK);
    oc_arena_free(&t->strings);
}

static void expect(const two_steps *t, int slot, const oc_step *maker, int n_readers)
{
    ck_assert_ptr_eq(oc_edit_maker(&t->g, slot), maker);
    ck_assert_int_eq(t->g.slot[slot].n_readers, n_readers);
}

START_TEST(steps_come_in)
{
    two_steps t;
    set_up(&t);
    ck_assert_ptr_eq(t.g.first, &t.first);
    ck_assert_ptr_eq(t.first.after, &t.second);
    ck_assert_ptr_eq(t.g.end, &t.second);
    ck_assert_int_eq(t.g.n_step, 2);
    expect(&t, INPUT, NULL, 2);
    expect(&t, A, &t.first, 1);
    expect(&t, B, &t.second, 1);
    oc_edit_number(&t.g);
    ck_assert_int_eq(t.second.id, 1);
    tear_down(&t);
}
END_TEST

START_TEST(a_step_becomes_another)
{
    two_steps t;
    int in[] = {INPUT, OC_NOWHERE, INPUT};
    set_up(&t);
    const oc_step fresh = {.op = {.node = "h", .n_in = 3, .n_out = 1}, .in = in};
    oc_edit_replace(&t.g, &t.second, &fresh);
    ck_assert_str_eq(t.g.end->op.node, "h");
    expect(&t, INPUT, NULL, 3);
    expect(&t, A, &t.first, 0);
    expect(&t, B, &t.second, 1);
    oc_edit_remove(&t.g, &t.first);
    ck_assert_ptr_eq(t.g.first, &t.second);
    expect(&t, INPUT, NULL, 2);
    expect(&t, A, NULL, 0);
    tear_down(&t);
}
END_TEST

START_TEST(readers_are_sent_elsewhere)
{
    two_steps t;
    const int to[] = {INPUT, INPUT, A};
    set_up(&t);
    ck_assert_int_eq(oc_edit_redirect(&t.p, &t.g, to), OC_OK);
    ck_assert_int_eq(t.second.in[0], INPUT);
    ck_assert_int_eq(t.output[0], A);
    expect(&t, INPUT, NULL, 3);
    expect(&t, A, &t.first, 1);
    expect(&t, B, &t.second, 0);
    oc_edit_read(&t.g, &t.output[0], B);
    expect(&t, A, &t.first, 0);
    expect(&t, B, &t.second, 1);
    tear_down(&t);
}
END_TEST

#ifndef NDEBUG
static void expect_fault(two_steps *t, const char *what)
{
    ck_assert_int_eq(oc_plan_verify(&t->p, "broken"), OC_UNSUPPORTED);
    ck_assert_msg(strstr(t->e.text, "the pass 'broken'") && strstr(t->e.text, what), "%s",
                  t->e.text);
    oc_arena_free(&t->strings);
}

START_TEST(faults_of_passes_are_found)
{
    two_steps t;
    set_up(&t);
    t.in[1] = INPUT; /* not by oc_edit_read */
    expect_fault(&t, "another number of readers, place 0");
    set_up(&t);
    t.g.slot[A].maker = NULL;
    expect_fault(&t, "another step counts as the maker");
    set_up(&t);
    oc_edit_remove(&t.g, &t.first);
    expect_fault(&t, "left g of graph 'g' wrong: it reads what no step before it made, place 1");
    set_up(&t);
    t.out[1] = A;
    expect_fault(&t, "it makes what was there");
    set_up(&t);
    t.first.last = &t.second;
    expect_fault(&t, "in a group that does not run");
    set_up(&t);
    t.g.n_step = 3;
    expect_fault(&t, "the number of steps");
}
END_TEST
SUITE("edit", steps_come_in, a_step_becomes_another, readers_are_sent_elsewhere,
      faults_of_passes_are_found)
#else
SUITE("edit", steps_come_in, a_step_becomes_another, readers_are_sent_elsewhere)
#endif
