/* SPDX-License-Identifier: Apache-2.0
 * fuzz_json.c - any bytes as JSON and as a literal of Python: an error, or a tree that is equal
 * after it was written as JSON and read again. */
#include "harness.h"
#include "tools/json_print.h"

static json_print print_tree(const json_tree *t)
{
    json_print p = {0};
    json_print_value(&p, t->root);
    return p;
}

static void check_round_trip(const json_tree *t)
{
    json_tree back;
    oc_error e = {0};
    json_print first = print_tree(t);
    json_read(&back, first.text, first.size, JSON_STRICT, "back", &e);
    if (e.code != OC_OK) {
        fprintf(stderr, "%s\n", e.text);
        abort();
    }
    json_print second = print_tree(&back);
    if (strcmp(first.text, second.text) != 0)
        abort();
    json_tree_free(&back);
    free(first.text);
    free(second.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    for (int syntax = JSON_STRICT; syntax <= JSON_PYTHON; syntax++) {
        json_tree t;
        oc_error e = {0};
        json_read(&t, bytes, size, (json_syntax)syntax, "fuzz", &e);
        if ((e.code == OC_OK) != (t.root != NULL))
            abort();
        if (t.root)
            check_round_trip(&t);
        json_tree_free(&t);
    }
    return 0;
}
