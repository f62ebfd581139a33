/* SPDX-License-Identifier: Apache-2.0
 * replay.c - runs a harness over files and over damaged copies of them, the same every time.
 * Arguments: files, and folders of files. OC_COPIES=n makes n damaged copies of each file,
 * OC_SEED=n other ones. With OC_MUTATOR the harness has a mutator of its own. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 20, LONGEST_PATH = 4096 };

static uint32_t state, copies;

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

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room)
{
    (void)room;
    return size ? damage(bytes, size) : 0;
}

static size_t change(uint8_t *bytes, size_t size)
{
#ifdef OC_MUTATOR
    if (below(4))
        return LLVMFuzzerCustomMutator(bytes, size, LARGEST, below(1 << 28));
#endif
    return damage(bytes, size);
}

static int replay_file(const char *path)
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
    for (uint32_t i = 0; size > 0 && i < copies; i++) {
        memcpy(copy, bytes, size);
        run(copy, change(copy, size));
    }
    return 0;
}

/* A folder's files, in the order of their names. */
static int replay(const char *path)
{
    struct dirent **entry;
    const int n = scandir(path, &entry, NULL, alphasort);
    int failed = 0;
    if (n < 0)
        return replay_file(path);
    for (int i = 0; i < n; i++) {
        char file[LONGEST_PATH];
        snprintf(file, sizeof file, "%s/%s", path, entry[i]->d_name);
        if (*entry[i]->d_name != '.')
            failed |= replay_file(file);
        free(entry[i]);
    }
    free(entry);
    return failed;
}

static uint32_t number(const char *variable, uint32_t otherwise)
{
    const char *text = getenv(variable);
    return text ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    state = number("OC_SEED", 1);
    copies = number("OC_COPIES", 200);
    int failed = argc < 2;
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i]);
    return failed;
}
