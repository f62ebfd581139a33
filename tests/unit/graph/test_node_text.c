/* SPDX-License-Identifier: Apache-2.0
 * test_node_text.c - what messages call a node, whatever it has. */
#include "suite.h"

#include "graph/node_text.h"

#include <string.h>

enum { LONG = 1000 };

static void expect(oc_node n, int64_t version, const char *expected)
{
    char text[OC_NODE_TEXT];
    n.domain = n.domain ? n.domain : "";
    ck_assert_str_eq(oc_node_text(&n, version, text), expected);
}

START_TEST(by_name_or_by_output)
{
    const oc_name y[] = {"y", "z"}, z[] = {"", "z"}, none[] = {"", ""};
    expect((oc_node){.name = "cat_3", .op_type = "Concat", .out = y, .n_out = 2}, 13,
           "node 'cat_3' (Concat-13)");
    expect((oc_node){.name = "", .op_type = "Concat", .out = y, .n_out = 2}, 13,
           "node of 'y' (Concat-13)");
    expect((oc_node){.name = "", .op_type = "Split", .out = z, .n_out = 2}, 2,
           "node of 'z' (Split-2)");
    expect((oc_node){.name = "", .op_type = "Split", .out = none, .n_out = 2}, 2,
           "node without a name (Split-2)");
    expect((oc_node){.name = "", .op_type = "Neg"}, 13, "node without a name (Neg-13)");
}
END_TEST

START_TEST(what_is_not_known_is_left_out)
{
    const oc_name y[] = {"y"};
    expect((oc_node){.name = "n", .op_type = "Neg"}, 0, "node 'n' (Neg)");
    expect((oc_node){.name = "n", .op_type = ""}, 0, "node 'n'");
    expect((oc_node){.name = "", .op_type = "", .out = y, .n_out = 1}, 0, "node of 'y'");
}
END_TEST

START_TEST(other_domains_are_told)
{
    expect((oc_node){.name = "f1", .domain = "my", .op_type = "f"}, 0, "node 'f1' (my.f)");
    expect((oc_node){.name = "f1", .domain = "com.x", .op_type = "f"}, 2, "node 'f1' (com.x.f-2)");
}
END_TEST

static const char *filled(char text[LONG + 1], const char *unit)
{
    *text = 0;
    while (strlen(text) + strlen(unit) <= LONG)
        strcat(text, unit);
    return text;
}

/* A long name keeps its ends, the parts after it are told, and all fits. */
START_TEST(long_names_lose_their_middle)
{
    char name[LONG + 1], domain[LONG + 1], op[LONG + 1], text[OC_NODE_TEXT];
    filled(name, "n");
    memcpy(name, "first", 5);
    memcpy(name + LONG - 4, "last", 4);
    const oc_node n = {
        .name = name, .domain = filled(domain, "d"), .op_type = filled(op, "p"), .n_out = 0};
    oc_node_text(&n, INT64_MAX, text);
    ck_assert(memchr(text, 0, OC_NODE_TEXT));
    ck_assert_msg(strncmp(text, "node 'firstnn", 13) == 0, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "nnn...nnn"));
    ck_assert_ptr_nonnull(strstr(text, "nlast' (dddd"));
    ck_assert_ptr_nonnull(strstr(text, "ddd...ddd"));
    ck_assert_ptr_nonnull(strstr(text, "d.pppp"));
    ck_assert_ptr_nonnull(strstr(text, "p-9223372036854775807)"));
    const oc_name y[] = {name};
    const oc_node of = {.name = "", .domain = domain, .op_type = op, .out = y, .n_out = 1};
    oc_node_text(&of, INT64_MAX, text);
    ck_assert_msg(strncmp(text, "node of 'firstnn", 16) == 0, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "p-9223372036854775807)"));
}
END_TEST

START_TEST(names_of_160_bytes_are_whole)
{
    char name[LONG + 1], text[OC_NODE_TEXT];
    filled(name, "n");
    name[160] = 0;
    const oc_node n = {.name = name, .domain = "", .op_type = "Neg"};
    oc_node_text(&n, 13, text);
    ck_assert_ptr_null(strstr(text, "..."));
    ck_assert_uint_eq(strlen(text), strlen("node '' (Neg-13)") + 160);
    name[160] = 'n';
    name[161] = 0;
    oc_node_text(&n, 13, text);
    ck_assert_ptr_nonnull(strstr(text, "..."));
    ck_assert_uint_eq(strlen(text), strlen("node '' (Neg-13)") + 160);
}
END_TEST

/* Where the cut falls within a character, none of its bytes are shown. */
START_TEST(characters_stay_whole)
{
    char name[LONG + 1], text[OC_NODE_TEXT];
    for (int skip = 0; skip < 3; skip++) {
        const char *units = filled(name, "\xe2\x82\xac"); /* 3 bytes each */
        name[3 * 70] = 0;
        memmove(name + skip, units, 3 * 70 + 1);
        memset(name, 'a', (size_t)skip);
        const oc_node n = {.name = name, .domain = "", .op_type = "Neg"};
        oc_node_text(&n, 13, text);
        const char *cut = strstr(text, "...");
        ck_assert_ptr_nonnull(cut);
        ck_assert_int_eq((cut - text - (int)strlen("node '") - skip) % 3, 0);
        ck_assert_int_eq((unsigned char)cut[3], 0xe2);
    }
}
END_TEST

SUITE("node_text", by_name_or_by_output, what_is_not_known_is_left_out, other_domains_are_told,
      long_names_lose_their_middle, names_of_160_bytes_are_whole, characters_stay_whole)
