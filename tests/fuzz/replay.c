/* SPDX-License-Identifier: Apache-2.0
 * replay.c - runs a harness over files and over damaged copies of them, the same every time. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 20, DAMAGED_COPIES = 200 };

static uint32_t state = 1;

static uint32_t below(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(state >> 4) * n >> 28);
}

/* An allocation of exactly size bytes, so that a sanitizer sees a read past the end. */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        abort();
    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

/* Cuts the end off, or overwrites, moves and removes a few bytes. */
static size_t damage(uint8_t *bytes, size_t size)
{
    const uint32_t n = (uint32_t)size;
    if (below(4) == 0)
        return below(n);
    for (uint32_t k = 1 + below(3); k > 0; k--) {
        const uint32_t at = below(n), from = below(n), most = n - (at > from ? at : from);
        if (below(2))
            bytes[at] = (uint8_t)below(256);
        else
            memmove(bytes + at, bytes + from, below(most < 40 ? most : 40));
    }
    return size;
}

static int replay(const char *path)
{
    static uint8_t bytes[LARGEST], copy[LARGEST];
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    const size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    run(bytes, size);
    for (int i = 0; size > 0 && i < DAMAGED_COPIES; i++) {
        memcpy(copy, bytes, size);
        run(copy, damage(copy, size));
    }
    return 0;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i]);
    return failed;
}
