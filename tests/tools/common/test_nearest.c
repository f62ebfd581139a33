/* SPDX-License-Identifier: Apache-2.0
 * test_nearest.c - words that are near, and words that are not. */
#include "common/nearest.h"
#include "suite.h"

#include <string.h>

static const char *const words[] = {"warped",     "image",        "theta",
                                    "--threads",  "--image-mean", "--image-std",
                                    "GridSample", "Relu",         "Selu"};

static const char *nearest_to(const char *text)
{
    nearest n = {.text = text};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        nearest_try(&n, words[i]);
    return n.best ? n.best : "";
}

START_TEST(finds_mistyped_words)
{
    static const char *const typed[][2] = {
        {"warp", "warped"},
        {"wraped", "warped"},
        {"warpde", "warped"},
        {"WARPED", "warped"},
        {"imag", "image"},
        {"--thread", "--threads"},
        {"--image-stdd", "--image-std"},
        {"gridsampler", "GridSample"},
        {"Relue", "Relu"},
        {"elu", "Relu"},
        {"x", ""},
        {"", ""},
        {"--nothing-like-it", ""},
    };
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        ck_assert_str_eq(nearest_to(typed[i][0]), typed[i][1]);
}
END_TEST

START_TEST(takes_words_of_any_length)
{
    char longer[300];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    for (size_t size = 0; size < sizeof longer - 1; size += 7) {
        nearest n = {.text = longer + sizeof longer - 1 - size};
        nearest_try(&n, longer + 1);
        nearest_try(&n, longer + 240);
        char text[NEAREST_TEXT];
        ck_assert_uint_lt(strlen(nearest_hint(&n, text)), NEAREST_TEXT);
    }
}
END_TEST

START_TEST(words_a_hint)
{
    char text[NEAREST_TEXT];
    ck_assert_str_eq(nearest_hint(&(nearest){.text = "Relu", .best = "Relu"}, text), "");
    ck_assert_str_eq(nearest_hint(&(nearest){.text = "x", .best = "y"}, text),
                     "; did you mean 'y'?");
    ck_assert_str_eq(nearest_hint(&(nearest){.text = "x"}, text), "");
}
END_TEST

SUITE("nearest", finds_mistyped_words, takes_words_of_any_length, words_a_hint)
