/* SPDX-License-Identifier: Apache-2.0
 * test_args.c - command lines as they are typed, and as they should not be. */
#include "common/args.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

static bool flag, json;
static const char *text;
static args_list list, positional;
static int64_t whole, some;
static size_t size;
static double number;
static int choice;
static const char *const choices[] = {"red", "green", NULL};

/* Options in a table of their own. */
static struct {
    bool not_so;
    double most;
} inner;
static const args_option inner_rows[] = {
    {.name = "not_so", .help = "", .kind = ARGS_FLAG, .at = 0},
    {.name = "most", .help = "", .kind = ARGS_NUMBER, .at = sizeof(double)},
    {0},
};

static const args_option options[] = {
    {.table = inner_rows, .out = &inner},
    {.name = "--flag", .help = "", .letter = 'f', .kind = ARGS_FLAG, .out = &flag},
    {.name = "--text", .help = "", .letter = 't', .kind = ARGS_TEXT, .out = &text},
    {.name = "--list", .help = "", .letter = 'l', .kind = ARGS_LIST, .out = &list},
    {.name = "--int", .help = "", .kind = ARGS_INT, .out = &whole},
    {.name = "--some", .help = "", .kind = ARGS_INT, .out = &some, .otherwise = 12},
    {.name = "--size", .help = "", .kind = ARGS_SIZE, .out = &size},
    {.name = "--number", .help = "", .kind = ARGS_NUMBER, .out = &number},
    {.name = "--choice", .help = "", .kind = ARGS_CHOICE, .out = &choice, .choices = choices},
    {0},
};

/* Splits line at its spaces and reads it. */
static args_result read_line(const char *line, int min, int max)
{
    const args_command command = {.name = "try", .usage = "X", .about = "", .min = min, .max = max};
    char copy[200], *argv[20] = {copy};
    int argc = 1;
    snprintf(copy, sizeof copy, "try %s", line);
    for (char *at = copy; (at = strchr(at, ' ')) != NULL;) {
        *at++ = 0;
        argv[argc++] = at;
    }
    flag = json = false;
    text = NULL;
    args_list_free(&list);
    args_list_free(&positional);
    const args_result r = args_read(*line ? argc : 1, argv, &command, options, &positional, &json);
    for (int i = 0; i < positional.n; i++) /* copy dies with this call */
        positional.item[i] = strcmp(positional.item[i], "-") == 0 ? "-" : "other";
    return r;
}

START_TEST(reads_every_kind)
{
    ck_assert_int_eq(read_line("--flag --int 7 --size=3M --number 0.5 --choice green a", 0, -1),
                     ARGS_GO);
    ck_assert(flag && whole == 7 && size == 3u << 20 && number == 0.5 && choice == 1);
    ck_assert_int_eq(positional.n, 1);
    ck_assert_int_eq(read_line("-l a=b -lc --list=d -f --json -", 1, 1), ARGS_GO);
    ck_assert(list.n == 3 && flag && json);
    ck_assert_str_eq(positional.item[0], "-");
    ck_assert_int_eq(read_line("-- --flag", 0, -1), ARGS_GO);
    ck_assert(!flag && positional.n == 1);
    ck_assert_int_eq(read_line("--size 1024", 0, 0), ARGS_GO);
    ck_assert_uint_eq(size, 1024);
    ck_assert_int_eq(read_line("--some 7", 1, 1), ARGS_GO); /* the 7 is an argument */
    ck_assert_int_eq(some, 12);
    ck_assert_int_eq(read_line("--some=0", 0, 0), ARGS_GO);
    ck_assert_int_eq(some, 0);
    ck_assert_int_eq(read_line("--not-so --flag --most=1.5", 0, 0), ARGS_GO);
    ck_assert(inner.not_so && flag && inner.most == 1.5);
}
END_TEST

static void expect_value(args_kind kind, const void *out, const char *expected, bool given)
{
    char room[ARGS_TOLD];
    bool is_given;
    const char *value = args_value(&(args_option){.kind = kind}, out, room, &is_given);
    suite_assert(is_given == given && strcmp(value ? value : "none", expected) == 0,
                 "'%s', expected '%s'", value, expected);
}

START_TEST(tells_values)
{
    const char *none = NULL, *word = "a b";
    expect_value(ARGS_FLAG, &(bool){false}, "off", false);
    expect_value(ARGS_FLAG, &(bool){true}, "on", true);
    expect_value(ARGS_TEXT, &none, "none", false);
    expect_value(ARGS_TEXT, &word, "a b", true);
    expect_value(ARGS_INT, &(int64_t){0}, "0", false);
    expect_value(ARGS_INT, &(int64_t){INT64_MAX}, "9223372036854775807", true);
    expect_value(ARGS_SIZE, &(size_t){1 << 30}, "1073741824", true);
    expect_value(ARGS_NUMBER, &(double){0}, "0", false);
    expect_value(ARGS_NUMBER, &(double){0.1}, "0.10000000000000001", true);
}
END_TEST

START_TEST(refuses_what_is_wrong)
{
    static const char *const wrong[] = {
        "--unknown",    "-x",
        "--fla",        "--text",
        "--flag=1",     "--int x",
        "--int -1",     "--int 1.5",
        "--int",        "--int 99999999999999999999",
        "--size 3X",    "--size 3MB",
        "--size -3",    "--size 99999999999G",
        "--number nan", "--number -1",
        "--number 1x",  "--choice blue",
        "--int=",       "--some=x",
        "--not_so",     "--most x",
        "--some=",      "--text a --text b",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(read_line(wrong[i], 0, -1) == ARGS_WRONG, "%s", wrong[i]);
    ck_assert_int_eq(read_line("--text a -ta -f -f --int 1 --int 2", 0, -1), ARGS_GO);
    ck_assert_int_eq(whole, 2);
}
END_TEST

START_TEST(counts_positional_arguments)
{
    ck_assert_int_eq(read_line("", 1, 1), ARGS_WRONG);
    ck_assert_int_eq(read_line("a", 1, 1), ARGS_GO);
    ck_assert_int_eq(read_line("a b", 1, 1), ARGS_WRONG);
    ck_assert_int_eq(read_line("a b c", 1, -1), ARGS_GO);
    ck_assert_int_eq(read_line("--unknown --help", 1, 1), ARGS_WRONG);
    ck_assert_int_eq(read_line("--help", 1, 1), ARGS_DONE);
}
END_TEST

static int find_name(const void *ctx, const char *name)
{
    const char *const *known = ctx;
    for (int i = 0; known[i]; i++)
        if (strcmp(known[i], name) == 0)
            return i;
    return -1;
}

START_TEST(splits_names)
{
    const char *const known[] = {"a", "a=b", "/net/y", "", NULL};
    static const struct {
        const char *text;
        int found;
        const char *rest;
    } all[] = {
        {"a=c", 0, "c"},      {"a=b=c", 1, "c"},     {"a=c=b", 0, "c=b"}, {"a=b", 0, "b"},
        {"/net/y=c", 2, "c"}, {"=c", 3, "c"},        {"b=c", -1, "b=c"},  {"abc", -1, "abc"},
        {"a", -1, "a"},       {"a=b=c=d", 1, "c=d"}, {"a=", 0, ""},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *rest;
        ck_assert_int_eq(args_split(all[i].text, find_name, known, &rest), all[i].found);
        ck_assert_str_eq(rest, all[i].rest);
    }
}
END_TEST

SUITE("args", reads_every_kind, refuses_what_is_wrong, counts_positional_arguments, splits_names,
      tells_values)
