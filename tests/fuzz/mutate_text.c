/* SPDX-License-Identifier: Apache-2.0
 * mutate_text.c - a word of a text is removed, doubled, or replaced by another one; lines change
 * places. */
#include "mutate_text.h"

#include "harness.h"
#include "suite.h"
#include "words.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

typedef struct text {
    suite_random random;
    uint8_t *bytes;
    size_t size, room;
} text;

typedef struct span {
    size_t at, n;
} span;

static uint32_t below(text *t, size_t n)
{
    return n ? suite_below(&t->random, n > UINT32_MAX ? UINT32_MAX : (uint32_t)n) : 0;
}

static bool is_of_word(uint8_t c)
{
    return isalnum(c) || c == '_' || c == '.' || c == '-';
}

/* The word or the sign around any place. */
static span some_word(text *t)
{
    if (t->size == 0)
        return (span){0, 0};
    const size_t from = below(t, t->size);
    size_t begin = from, end = from + 1;
    while (begin > 0 && is_of_word(t->bytes[from]) && is_of_word(t->bytes[begin - 1]))
        begin--;
    while (end < t->size && is_of_word(t->bytes[from]) && is_of_word(t->bytes[end]))
        end++;
    return (span){begin, end - begin};
}

static span some_line(text *t)
{
    span s = some_word(t);
    const size_t end = s.at + s.n;
    while (s.at > 0 && t->bytes[s.at - 1] != '\n')
        s.at--;
    s.n = end - s.at;
    while (s.at + s.n < t->size && t->bytes[s.at + s.n - 1] != '\n')
        s.n++;
    return s;
}

/* Puts n bytes, which are not those of the text, in the place of a span. */
static void replace(text *t, span s, const void *with, size_t n)
{
    if (t->size - s.n + n > t->room)
        return;
    memmove(t->bytes + s.at + n, t->bytes + s.at + s.n, t->size - s.at - s.n);
    if (n)
        memcpy(t->bytes + s.at, with, n);
    t->size = t->size - s.n + n;
}

/* As above, with a part of the text itself. */
static void copy(text *t, span from, span to)
{
    uint8_t *part = malloc(from.n + 1);
    if (!part)
        abort();
    if (from.n)
        memcpy(part, t->bytes + from.at, from.n);
    replace(t, to, part, from.n);
    free(part);
}

static void repeat(text *t, span s)
{
    uint32_t times = below(t, 8) ? 1 : 1 + below(t, 300);
    for (; times > 0 && t->size + s.n <= t->room; times--)
        copy(t, s, (span){s.at, 0});
}

static void change(text *t)
{
    static const char brackets[] = "()[]{}<>\",:=";
    const uint32_t how = below(t, 10);
    const bool line = below(t, 4) == 0;
    const span s = line ? some_line(t) : some_word(t);
    oc_string word = fuzz_word(below(t, fuzz_n_words()));
    if (how < 3)
        replace(t, s, word.data, word.size);
    else if (how == 3)
        replace(t, (span){s.at, 0}, word.data, word.size);
    else if (how == 4)
        replace(t, s, "", 0);
    else if (how == 5)
        repeat(t, s);
    else if (how < 8)
        copy(t, line ? some_line(t) : some_word(t), s);
    else if (how == 8)
        replace(t, (span){s.at, 0}, &brackets[below(t, sizeof brackets - 1)], 1);
    else {
        word = fuzz_long_word(below(t, 100));
        replace(t, below(t, 2) ? s : (span){s.at, 0}, word.data, word.size);
    }
}

size_t mutate_text(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    text t = {{.state = seed}, bytes, size, room};
    if (below(&t, 3) == 0)
        return LLVMFuzzerMutate(bytes, size, room);
    for (uint32_t n = 1 + below(&t, 4); n > 0; n--)
        change(&t);
    return t.size;
}
