/* SPDX-License-Identifier: Apache-2.0
 * words.c - the words: what the signatures of all operators are made of, and a list. */
#include "words.h"

#include <ocellus_op.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 4096, LONGEST = 70000 };

static const char *const others[] = {
    "ai.onnx",
    "ai.onnx.ml",
    "ai.onnx.preview.training",
    "com.microsoft",
    "main",
    "graph",
    "ir_version",
    "opset_import",
    "producer_name",
    "doc_string",
    "metadata_props",
    "domain",
    "overload",
    "training_info",
    "quantization",
    "type_proto",
    "seq",
    "optional",
    "map",
    "sparse_tensor",
    "opaque",
    "location",
    "offset",
    "length",
    "checksum",
    "N",
    "x",
    "y",
    "0",
    "1",
    "-1",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "1e308",
    "1e-45",
    "nan",
    "inf",
    "-inf",
    "-0",
    "0x7fffffff",
    "true",
    "false",
    "%s%n",
    "../x",
    "/dev/zero",
    "\xff\xfe",
    "\xc3\xa9",
    "\"",
    "\\",
    "\\x00",
    "->",
    "...",
    "=>",
    "{}",
    "[]",
    "<>",
    "()",
    "@a",
    "?",
    "#",
    "\n",
    ":",
};

/* A long word is this, repeated this number of times. */
static const struct {
    const char *part;
    size_t times;
} long_words[] = {{"a", 300},   {"b", 255},     {"ab", 500},  {"%s", 400},    {"\xc3\xa9", 600},
                  {"\"", 1030}, {"a/", 2100},   {"9", 400},   {"x", LONGEST}, {"\\x00", 80},
                  {".", 1021},  {"\xff", 1020}, {"ij,", 400}, {"\n", 1000},   {"(a*)*", 200}};

enum { LONG_WORDS = sizeof long_words / sizeof *long_words };

static oc_string words[MOST_WORDS];
static uint32_t n_words;
static char *long_word[LONG_WORDS];

static void add(const char *data, size_t size)
{
    for (uint32_t i = 0; i < n_words; i++)
        if (words[i].size == size && memcmp(words[i].data, data, size) == 0)
            return;
    if (n_words < MOST_WORDS)
        words[n_words++] = (oc_string){data, size};
}

static void add_words_of(const char *signature)
{
    for (const char *at = signature; *at;) {
        size_t n = 0;
        while (isalnum((unsigned char)at[n]) || at[n] == '_' || (n && at[n] == '.'))
            n++;
        if (n)
            add(at, n);
        at += n ? n : 1;
    }
}

static void make_words(void)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        add(others[i], strlen(others[i]));
    for (int i = 1; i < OC_N_TYPES; i++)
        add(oc_type_name((oc_type)i), strlen(oc_type_name((oc_type)i)));
    const oc_op *row;
    for (int i = 0; (row = oc_builtin_op(i)); i++)
        add_words_of(row->signature);
}

uint32_t fuzz_n_words(void)
{
    if (n_words == 0)
        make_words();
    return n_words;
}

oc_string fuzz_word(uint32_t i)
{
    return i < fuzz_n_words() ? words[i] : (oc_string){"", 0};
}

oc_string fuzz_long_word(uint32_t i)
{
    i %= LONG_WORDS;
    const char *part = long_words[i].part;
    const size_t n = strlen(part), times = long_words[i].times;
    if (!long_word[i]) {
        long_word[i] = malloc(n * times);
        if (!long_word[i])
            abort();
        for (size_t k = 0; k < times; k++)
            memcpy(long_word[i] + k * n, part, n);
    }
    return (oc_string){long_word[i], n * times};
}
