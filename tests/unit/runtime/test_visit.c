/* SPDX-License-Identifier: Apache-2.0
 * test_visit.c - what oc_model_visit tells of nodes, values and attributes, oc_model_metadata of
 * keys, and oc_model_weight_at of initializers. */
#include "failing.h"
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "<ir_version: 8, opset_import: [\"\" : 17, \"m\" : 1], metadata_props: [\"a\": \"1\", \"b\": "
    "\"two\"]>\n"
    "g (bool c, float[N,3,H,8] x, float[?] d) => (float[N,4,P,Q] y, z, float[K] e, u)\n"
    "<float[4,3,3,3] w = [\"location\": \"there\"], int64[2] s = {6, -1}, float[4] bias = {1, 2, "
    "3, 4},\n"
    " float[R,4] v, float[K] e>\n"
    "{\n"
    "  [first] y = Conv <pads = [1, 1, 1, 1], group = 1> (x, w, bias)\n"
    "  v = Reshape (y, s)\n"
    "  z = If <then_branch = t () => (a) <float[2] q = {1, 2}> { p = Relu (v) a = Add (p, q) },\n"
    "          else_branch = f () => (float[5] a) { a = Neg (x) }> (c)\n"
    "  e = Exp (d)\n"
    "  u = m.Strange (e)\n"
    "}\n";

/* A line for each node: depth, parent, graph, operator, support, inputs, outputs. */
typedef struct told {
    char all[4000];
    int n;
} told;

static void append(told *t, const char *word)
{
    const size_t at = strlen(t->all);
    snprintf(t->all + at, sizeof t->all - at, "%s", word);
}

static void append_port(told *t, const oc_port *p)
{
    char word[64];
    append(t, p->has_default ? " =" : " ");
    append(t, p->name);
    snprintf(word, sizeof word, ":%s%s", oc_type_name(p->type), p->rank < 0 ? "" : "[");
    append(t, word);
    for (int i = 0; i < p->rank; i++) {
        if (p->dim[i] >= 0)
            snprintf(word, sizeof word, "%s%d", i ? "," : "", (int)p->dim[i]);
        else
            snprintf(word, sizeof word, "%s%s", i ? "," : "",
                     p->dim_name[i] ? p->dim_name[i] : "?");
        append(t, word);
    }
    append(t, p->rank < 0 ? "" : "]");
}

static void note(void *ctx, const oc_node_info *node)
{
    told *t = ctx;
    char head[100];
    snprintf(head, sizeof head, "%d %d %d %s %s-%d.%d", t->n++, node->depth, node->parent,
             node->graph ? node->graph : "-", node->op_type, node->since, (int)node->support);
    append(t, head);
    for (int i = 0; i < node->n_in; i++)
        append_port(t, &node->in[i]);
    append(t, " ->");
    for (int i = 0; i < node->n_out; i++)
        append_port(t, &node->out[i]);
    append(t, "\n");
}

static bool give_zeros(void *ctx, const char *location, const void **bytes, size_t *size)
{
    static const float zeros[108];
    (void)ctx, (void)location;
    *bytes = zeros;
    *size = sizeof zeros;
    return true;
}

static oc_model *load(oc_error *e)
{
    oc_model *m =
        oc_model_load_memory(text, strlen(text), &(oc_model_options){.external = give_zeros}, e);
    ck_assert_msg(e->code == OC_OK, "%s", e->text);
    return m;
}

START_TEST(tells_what_the_model_declares)
{
    static told t;
    oc_error e = {OC_OK, ""};
    oc_model *m = load(&e);
    oc_model_visit(m, NULL, note, &t, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_str_eq(t.all,
                     "0 0 -1 - Conv-11.0 x:float[N,3,H,8] =w:float[4,3,3,3] =bias:float[4] -> "
                     "y:float[N,4,H,8]\n"
                     "1 0 -1 - Reshape-14.0 y:float[N,4,H,8] =s:int64[2] -> v:float[6,16*N*H/3]\n"
                     "2 0 -1 - If-16.0 c:bool[] -> z:float\n"
                     "3 1 2 then_branch Relu-14.0 v:float[6,16*N*H/3] -> p:undefined\n"
                     "4 1 2 then_branch Add-14.0 p:undefined =q:float[2] -> a:undefined\n"
                     "5 1 2 else_branch Neg-13.0 x:float[N,3,H,8] -> a:float[5]\n"
                     "6 0 -1 - Exp-13.0 d:float[?] -> e:float[K]\n"
                     "7 0 -1 - Strange-0.3 e:float[K] -> u:undefined\n");
    oc_model_free(m);
}
END_TEST

/* With sizes of the inputs the plan's shape rules tell the rest, and the symbols that inputs have
 * get their sizes wherever they are declared. */
START_TEST(tells_what_follows_from_sizes)
{
    static told t;
    oc_error e = {OC_OK, ""};
    oc_model *m = load(&e);
    oc_port in[3];
    for (int i = 0; i < 3; i++)
        in[i] = oc_model_input(m, i);
    in[1].dim[0] = 2;
    in[1].dim[2] = 6;
    oc_model_visit(m, in, note, &t, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_msg(
        strstr(t.all, "x:float[2,3,6,8] =w:float[4,3,3,3] =bias:float[4] -> y:float[2,4,6,8]"),
        "%s", t.all);
    ck_assert_msg(strstr(t.all, "-> v:float[6,64]\n"), "%s", t.all);
    ck_assert_msg(strstr(t.all, "Relu-14.0 v:float[6,64] ->"), "%s", t.all);
    ck_assert_msg(strstr(t.all, "Neg-13.0 x:float[2,3,6,8] -> a:float[5]"), "%s", t.all);
    ck_assert_msg(strstr(t.all, "Exp-13.0 d:float[?] -> e:float[K]"), "%s", t.all);
    oc_model_free(m);
}
END_TEST

/* ---- attributes ---- */

static bool put(void *ctx, const void *bytes, size_t size)
{
    char *all = ctx;
    strncat(all, bytes, size);
    return true;
}

static void note_attributes(void *ctx, const oc_node_info *node)
{
    oc_error e = {OC_OK, ""};
    char *all = ctx;
    for (int i = 0; i < node->n_attr && strcmp(node->op_type, "Conv") == 0; i++) {
        const oc_attribute a = oc_node_attribute(node, i);
        ck_assert(a.ints && !a.floats && !a.strings && !a.ref);
        char head[64];
        snprintf(head, sizeof head, "%s %s %d %d | ", a.name, a.kind, a.n, (int)a.ints[a.n - 1]);
        strcat(all, head);
        oc_node_write_attribute(node, i, &(oc_writer){put, all}, &e);
        strcat(all, "\n");
    }
    ck_assert_int_eq(e.code, OC_OK);
}

START_TEST(tells_attributes)
{
    char all[400] = "";
    oc_error e = {OC_OK, ""};
    oc_model *m = load(&e);
    oc_model_visit(m, NULL, note_attributes, all, &e);
    ck_assert_str_eq(all, "pads ints 4 1 | pads: ints = [1, 1, 1, 1]\n"
                          "group int 1 1 | group: int = 1\n");
    oc_model_free(m);
}
END_TEST

START_TEST(tells_metadata_and_weights)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = load(&e);
    const char *value;
    oc_weight w;
    ck_assert_str_eq(oc_model_metadata(m, 1, &value), "b");
    ck_assert_str_eq(value, "two");
    ck_assert_ptr_null(oc_model_metadata(m, 2, &value));
    ck_assert(oc_model_weight_at(m, 0, &w));
    ck_assert(strcmp(w.name, "w") == 0 && w.type == OC_F32 && w.rank == 4 && w.dim[1] == 3);
    ck_assert(w.bytes == 432 && w.external && !w.sparse);
    ck_assert(oc_model_weight_at(m, 1, &w) && w.bytes == 16 && !w.external);
    ck_assert(!oc_model_weight_at(m, 3, &w));
    oc_model_free(m);
}
END_TEST

/* ---- failing ---- */

START_TEST(without_memory_it_is_an_error)
{
    bool failed = true;
    for (int k = 0; failed; k++) {
        static told t;
        failing f = {.left = k, .forever = true};
        oc_error e = {OC_OK, ""};
        memset(&t, 0, sizeof t);
        oc_model *m = oc_model_load_memory(
            text, strlen(text),
            &(oc_model_options){.alloc = {failing_resize, &f}, .external = give_zeros}, &e);
        oc_model_visit(m, NULL, note, &t, &e);
        failed = e.code != OC_OK;
        ck_assert_msg(!failed || e.code == OC_NOMEM, "k %d: %s", k, e.text);
        ck_assert_msg(failed || t.n == 8, "k %d: %d nodes", k, t.n);
        oc_model_free(m);
        ck_assert_int_lt(k, 5000);
    }
}
END_TEST

SUITE("visit", tells_what_the_model_declares, tells_what_follows_from_sizes, tells_attributes,
      tells_metadata_and_weights, without_memory_it_is_an_error)
