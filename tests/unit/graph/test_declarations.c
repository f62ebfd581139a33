/* SPDX-License-Identifier: Apache-2.0
 * test_declarations.c - what a graph declares of a name: the first of the lists that have it
 * counts. */
#include "models.h"

#include "graph/declarations.h"

#include <string.h>

static oc_declaration find(const oc_model *m, const oc_declarations *t, const char *name)
{
    return oc_declaration_find(t, oc_names_find(&m->names, name, strlen(name)));
}

START_TEST(first_list_counts)
{
    oc_model *m =
        model_checked("<ir_version: 10, opset_import: [\"\": 20]>\n"
                      "g (float[N] a, float b = {1}) => (float[3] x, float[4] y, float[5] x)\n"
                      "<float[2] w = {1, 2}, float[1] z, float[7] x, "
                      "sparse_tensor(float[6]) s = float[1] {1} at int64[1] {0}>\n"
                      "{ z = Add (a, b)\n x = Add (z, w)\n y, unread = Split (w) }");
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    const oc_declarer ports[] = {OC_BY_INPUT, OC_BY_OUTPUT, OC_BY_VALUE, OC_BY_INITIALIZER,
                                 OC_BY_SPARSE};
    const oc_declarations all = oc_declarations_of(&m->graph, ports, 5, &arena);
    static const struct {
        const char *name;
        oc_declarer by;
        int i;
    } rows[] = {{"a", OC_BY_INPUT, 0},        {"b", OC_BY_INPUT, 1},  {"x", OC_BY_OUTPUT, 0},
                {"y", OC_BY_OUTPUT, 1},       {"z", OC_BY_VALUE, 0},  {"w", OC_BY_INITIALIZER, 1},
                {"unread", OC_BY_NOTHING, 0}, {"s", OC_BY_SPARSE, 0}, {"", OC_BY_NOTHING, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const oc_declaration d = find(m, &all, rows[i].name);
        ck_assert_msg(d.by == rows[i].by && d.i == rows[i].i, "%s: %d %d", rows[i].name, (int)d.by,
                      d.i);
        ck_assert(!d.info == (d.by > OC_BY_VALUE) && !d.dims == !(d.type != OC_UNDEFINED));
    }
    ck_assert_int_eq((int)find(m, &all, "s").dims->n[0], 6);
    ck_assert_int_eq((int)find(m, &all, "x").info->type.dims[0].n, 3);

    const oc_declarer inner[] = {OC_BY_INITIALIZER, OC_BY_VALUE, OC_BY_NODE};
    const oc_declarations some = oc_declarations_of(&m->graph, inner, 3, &arena);
    ck_assert_int_eq((int)find(m, &some, "b").by, (int)OC_BY_INITIALIZER);
    ck_assert_int_eq((int)find(m, &some, "x").by, (int)OC_BY_VALUE);
    ck_assert_int_eq((int)find(m, &some, "unread").by, (int)OC_BY_NODE);
    ck_assert_int_eq((int)find(m, &some, "a").by, (int)OC_BY_NOTHING);
    oc_arena_free(&arena);
    oc_model_free(m);
}
END_TEST

SUITE("declarations", first_list_counts)
