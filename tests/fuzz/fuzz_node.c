/* SPDX-License-Identifier: Apache-2.0
 * fuzz_node.c - bytes choose a version of an operator and all that random_node.h leaves open: a
 * model of that node, and its whole life. With OC_FUZZ_SHOW set, it prints the model. */
#include "../property/random_node.h"
#include "exercise.h"
#include "harness.h"

#include <ocellus_op.h>

/* All signatures, read once. */
static struct {
    const oc_sig *sig[4096];
    int since[4096];
    uint32_t n;
} rows;

static void read_signatures(void)
{
    static oc_memory memory;
    static oc_arena arena;
    const oc_op *row;
    memory = oc_memory_new(NULL, 0);
    arena = oc_arena_new(&memory);
    for (int i = 0; (row = oc_builtin_op(i)) && rows.n < 4096; i++) {
        oc_error e = {.code = OC_OK};
        if (oc_sig_parse(row->signature, &arena, &rows.sig[rows.n], &e) != OC_OK)
            abort();
        rows.since[rows.n++] = row->since;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const uint32_t wild[] = {0, 2, 5, 10, 20, 40};
    if (rows.n == 0)
        read_signatures();
    random_node n = {.random = {.state = 1, .bytes = bytes, .left = size}, .most = 5};
    n.wild = wild[suite_below(&n.random, 6)];
    const uint32_t row = suite_below(&n.random, rows.n);
    char *text = random_node_text(&n, rows.sig[row], rows.since[row]);
    if (getenv("OC_FUZZ_SHOW"))
        fputs(text, stderr);
    exercise(text, strlen(text));
    free(text);
    return 0;
}
