/* SPDX-License-Identifier: Apache-2.0
 * args.c - reads a command line, and prints a help, by a table of options. */
#include "common/args.h"

#include "base/int.h"
#include "common/json.h"
#include "common/nearest.h"

#include <errno.h>
#include <math.h>

/* ---- help ---- */

/* Lists what an option of many choices takes, in lines behind its help. */
static void print_choices(const args_option *o)
{
    enum { SHOWN = 8, WIDTH = 68 };
    int n = 0, at = WIDTH;
    while (o->kind == ARGS_CHOICE && o->choices[n])
        n++;
    for (int i = 0; i < n && n > SHOWN; i++) {
        const int size = (int)strlen(o->choices[i]) + 2;
        const bool fits = at + size <= WIDTH;
        at = fits ? at + size : size;
        if (!fits)
            printf("\n  %-30s", "");
        printf("%s%s%s", fits ? " " : "", o->choices[i], i + 1 < n ? "," : "");
    }
}

static void print_option(const args_option *o)
{
    char left[64];
    const int n = o->letter ? snprintf(left, sizeof left, "-%c, %s", o->letter, o->name)
                            : snprintf(left, sizeof left, "    %s", o->name);
    if (o->value)
        snprintf(left + n, sizeof left - (size_t)n, "%s%s", o->otherwise ? "" : " ", o->value);
    printf("  %-30s", left);
    const char *line = o->help;
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        printf("%s%.*s\n  %-30s", strlen(left) > 29 && line == o->help ? "  " : "",
               (int)(end - line), line, "");
    printf("%s%s", strlen(left) > 29 && line == o->help ? "  " : "", line);
    print_choices(o);
    puts("");
}

/* The options that every command has. */
static const args_option common[] = {
    {.name = "--json", .help = "one JSON document on standard output"},
    {.name = "--help", .letter = 'h', .help = "this text; with --json as a document"},
    {0},
};

static void print_help(const args_command *c, const args_option *options)
{
    printf("usage: ocellus %s %s\n\n%s\n\noptions:\n", c->name, c->usage, c->about);
    for (; options->name; options++)
        print_option(options);
    for (options = common; options->name; options++)
        print_option(options);
    if (c->examples)
        puts("\nexamples:");
    for (int i = 0; c->examples && c->examples[i]; i++)
        printf("  %s\n", c->examples[i]);
}

/* Writes a text of several lines as one line. */
static void json_lines(json_writer *j, const char *key, const char *text)
{
    char *line = tool_format("%s", text);
    for (char *s = line; *s; s++)
        *s = *s == '\n' ? ' ' : *s;
    json_text(j, key, line);
    free(line);
}

static void json_option(json_writer *j, const args_option *o)
{
    const char letter[] = {'-', o->letter, 0};
    json_object(j, NULL);
    json_text(j, "name", o->name);
    json_text(j, "letter", o->letter ? letter : NULL);
    json_text(j, "value", o->value);
    json_lines(j, "help", o->help);
    json_array(j, "choices");
    for (int i = 0; o->kind == ARGS_CHOICE && o->choices[i]; i++)
        json_text(j, NULL, o->choices[i]);
    json_close(j);
    json_close(j);
}

static void json_help(const args_command *c, const args_option *options)
{
    json_writer j = json_begin(stdout);
    json_object(&j, NULL);
    json_text(&j, "command", c->name);
    json_text(&j, "usage", c->usage);
    json_lines(&j, "about", c->about);
    json_array(&j, "options");
    for (; options->name; options++)
        json_option(&j, options);
    for (options = common; options->name; options++)
        json_option(&j, options);
    json_close(&j);
    json_array(&j, "examples");
    for (int i = 0; c->examples && c->examples[i]; i++)
        json_text(&j, NULL, c->examples[i]);
    json_close(&j);
    json_close(&j);
    json_end(&j);
}

/* ---- values ---- */

static bool read_int(const char *text, int64_t *out)
{
    char *end;
    errno = 0;
    const long long n = strtoll(text, &end, 10);
    *out = n;
    return end != text && !*end && errno == 0 && n >= 0;
}

static bool read_size(const char *text, size_t *out)
{
    char *end;
    errno = 0;
    const unsigned long long n = strtoull(text, &end, 10);
    if (end == text || errno || *text == '-')
        return false;
    const char *units = "KMG", *unit = *end ? strchr(units, *end & ~0x20) : NULL;
    const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if ((*end && !unit) || (*end && end[1]) || n > UINT64_MAX >> shift)
        return false;
    *out = (size_t)oc_min((uint64_t)n << shift, SIZE_MAX); /* a cap beyond all addresses is none */
    return true;
}

static bool read_number(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && isfinite(*out) && *out >= 0;
}

int args_choice(const char *const *choices, const char *text)
{
    for (int i = 0; choices[i]; i++)
        if (strcmp(choices[i], text) == 0)
            return i;
    return -1;
}

static bool read_choice(const args_option *o, const char *text)
{
    const int i = args_choice(o->choices, text);
    if (i >= 0)
        *(int *)o->out = i;
    return i >= 0;
}

void args_list_add(args_list *list, const char *item)
{
    list->item = tool_push(list->item, (size_t)list->n, sizeof *list->item);
    list->item[list->n++] = item;
}

static bool read_value(const args_option *o, const char *text)
{
    switch (o->kind) {
    case ARGS_FLAG:
        *(bool *)o->out = true;
        return true;
    case ARGS_TEXT:
        *(const char **)o->out = text;
        return true;
    case ARGS_LIST:
        args_list_add(o->out, text);
        return true;
    case ARGS_INT:
        return read_int(text, o->out);
    case ARGS_SIZE:
        return read_size(text, o->out);
    case ARGS_NUMBER:
        return read_number(text, o->out);
    case ARGS_CHOICE:
        return read_choice(o, text);
    }
    return false;
}

static const char *expectation(const args_option *o, char *text, size_t size)
{
    size_t at = 0;
    switch (o->kind) {
    case ARGS_INT:
        return "a whole number, 0 or more";
    case ARGS_SIZE:
        return "a number of bytes, as in 500M";
    case ARGS_NUMBER:
        return "a number, 0 or more";
    case ARGS_CHOICE:
        for (int i = 0; o->choices[i] && at < size; i++)
            at += (size_t)snprintf(text + at, size - at, "%s%s", i ? " or " : "", o->choices[i]);
        return text;
    default:
        return "a value";
    }
}

/* ---- tables ---- */

void args_name(const char *name, char text[ARGS_NAME])
{
    snprintf(text, ARGS_NAME, "--%s", name);
    for (char *s = text; *s; s++)
        *s = *s == '_' ? '-' : *s;
}

const char *args_value(const args_option *option, const void *out, char text[ARGS_TOLD],
                       bool *is_given)
{
    if (option->kind == ARGS_FLAG) {
        *is_given = *(const bool *)out;
        return *is_given ? "on" : "off";
    }
    if (option->kind == ARGS_TEXT) {
        *is_given = *(const char *const *)out != NULL;
        return *(const char *const *)out;
    }
    if (option->kind == ARGS_CHOICE) {
        *is_given = *(const int *)out != 0;
        return *is_given ? option->choices[*(const int *)out] : NULL;
    }
    if (option->kind == ARGS_NUMBER)
        snprintf(text, ARGS_TOLD, "%.17g", *(const double *)out);
    else if (option->kind == ARGS_SIZE)
        snprintf(text, ARGS_TOLD, "%zu", *(const size_t *)out);
    else
        snprintf(text, ARGS_TOLD, "%" PRId64, *(const int64_t *)out);
    *is_given = strcmp(text, "0") != 0;
    return text;
}

/* All rows of a table, with those of tables within it in their place, and their names. */
typedef struct rows {
    args_option *row;
    char (*name)[ARGS_NAME];
    const char **text; /* of each row, the text that was given; NULL: none */
} rows;

static rows all_rows(const args_option *options)
{
    size_t n = 1, at = 0;
    for (const args_option *o = options; o->name || o->table; o++, n++)
        for (const args_option *inner = o->table; inner && inner->name; inner++)
            n++;
    rows r = {tool_alloc(n, sizeof *r.row), tool_alloc(n, sizeof *r.name),
              tool_alloc(n, sizeof *r.text)};
    for (const args_option *o = options; o->name || o->table; o++) {
        if (!o->table)
            r.row[at++] = *o;
        for (const args_option *inner = o->table; inner && inner->name; inner++, at++) {
            r.row[at] = *inner;
            r.row[at].name = r.name[at];
            r.row[at].out = (char *)o->out + inner->at;
            args_name(inner->name, r.name[at]);
        }
    }
    r.row[at] = (args_option){0};
    return r;
}

/* ---- the command line ---- */

typedef struct reader {
    int argc, at;
    char **argv;
    const args_command *command;
    const args_option *options;
    const char **text; /* as in rows */
} reader;

static bool wrong(const reader *r, const char *what, const char *arg, const char *hint)
{
    tool_say("%s: %s '%s'%s%s'ocellus %s --help' lists the options", r->command->name, what, arg,
             hint, *hint ? " " : "; ", r->command->name);
    return false;
}

/* Returns the first option whose name ends as a longer name does, as --image-mean does for
 * --mean; NULL when there is none. */
static const char *ending_so(const args_option *o, const char *name)
{
    const size_t size = strlen(name);
    for (; size > 2 && o->name; o++) {
        const size_t whole = strlen(o->name);
        if (whole > size && strcmp(o->name + whole - size + 1, name + 1) == 0)
            return o->name;
    }
    return NULL;
}

/* What programs of detectors call it, and what it is here. */
static const char elsewhere[] = "--conf --conf-thres\t--least SCORE\n"
                                "--iou --iou-thres\t--overlap X\n"
                                "--max-det\t--top N\n"
                                "--imgsz\t--image-resize fit:WxH and --dim\n"
                                "--source\tPICTURE\n"
                                "--weights --model\tMODEL\n"
                                "--save-txt\t--table FILE\n"
                                "--save-crop\t--crops DIR\n"
                                "--project --name\t-o DIR\n"
                                "--names --data\t--labels FILE\n";

/* Has the command what a line tells: an option, or a word of its usage? */
static bool has(const reader *r, const char *here)
{
    const size_t size = strcspn(here, " \n");
    for (const args_option *o = r->options; o->name; o++)
        if ((strlen(o->name) == size && memcmp(o->name, here, size) == 0) ||
            (size == 2 && o->letter == here[1]))
            return true;
    for (const char *at = r->command->usage; *here != '-' && *at; at++)
        if (strncmp(at, here, size) == 0)
            return true;
    return false;
}

/* Returns what the command has for an option of another program; NULL: nothing is known. */
static const char *known_elsewhere(const reader *r, const char *name)
{
    const size_t size = strlen(name);
    for (const char *at = elsewhere; (at = strstr(at, name)) != NULL; at += size)
        if (strchr(" \t", at[size]) && (at == elsewhere || strchr(" \n", at[-1])) &&
            has(r, strchr(at, '\t') + 1))
            return strchr(at, '\t') + 1;
    return NULL;
}

/* name is the argument without its value. */
static void unknown(const reader *r, const char *arg, const char *name)
{
    char hint[NEAREST_TEXT];
    nearest near = {.text = name};
    const char *here = known_elsewhere(r, name);
    if (here) {
        tool_say("%s: unknown option '%s'; %s has %.*s for it", r->command->name, arg,
                 r->command->name, (int)strcspn(here, "\n"), here);
        return;
    }
    for (const args_option *o = r->options; o->name; o++)
        nearest_try(&near, o->name);
    nearest_try(&near, "--json");
    nearest_try(&near, "--help");
    const char *longer = ending_so(r->options, name);
    near.best = longer ? longer : near.best;
    wrong(r, "unknown option", arg, nearest_hint(&near, hint));
}

/* Reads the value of option o: from attached, the text after its name, or from the next argument
 * if attached is NULL. given is the argument as typed. Returns false after printing a message. */
static bool take_value(reader *r, const args_option *o, const char *given, const char *attached)
{
    char text[512];
    if (o->kind == ARGS_FLAG && attached)
        return wrong(r, "no value belongs to", given, "");
    if (o->otherwise && !attached) {
        *(int64_t *)o->out = o->otherwise;
        return true;
    }
    if (o->kind != ARGS_FLAG && !attached) {
        if (r->at + 1 >= r->argc)
            return wrong(r, "a value is missing behind", given, "");
        attached = r->argv[++r->at];
    }
    const char **before = &r->text[o - r->options];
    if (o->kind == ARGS_TEXT && *before && strcmp(*before, attached) != 0) {
        tool_say("%s: %s is given twice, '%s' and '%s'; it takes one value", r->command->name,
                 o->name, *before, attached);
        return false;
    }
    *before = attached;
    if (read_value(o, attached))
        return true;
    tool_say("%s: %s is '%s', expected %s", r->command->name, o->name, attached,
             expectation(o, text, sizeof text));
    return false;
}

static bool take_option(reader *r, const char *arg)
{
    const char *equals = strchr(arg, '=');
    const size_t size = equals ? (size_t)(equals - arg) : strlen(arg);
    for (const args_option *o = r->options; o->name; o++) {
        if (arg[1] == '-' && strlen(o->name) == size && memcmp(o->name, arg, size) == 0)
            return take_value(r, o, arg, equals ? equals + 1 : NULL);
        if (arg[1] != '-' && o->letter == arg[1])
            return take_value(r, o, arg, arg[2] ? arg + 2 : NULL);
    }
    char *name = tool_format("%.*s", (int)size, arg);
    unknown(r, arg, name);
    free(name);
    return false;
}

static bool count_fits(const reader *r, int n)
{
    const args_command *c = r->command;
    if (n >= c->min && (c->max < 0 || n <= c->max))
        return true;
    tool_say("%s: %s, expected: ocellus %s %s", c->name,
             n < c->min ? "an argument is missing" : "too many arguments", c->name, c->usage);
    return false;
}

static args_result read_line(reader *r, args_list *positional, bool *json)
{
    bool ended = false, wants_help = false;
    for (r->at = 1; r->at < r->argc; r->at++) {
        const char *arg = r->argv[r->at];
        if (ended || arg[0] != '-' || !arg[1]) {
            args_list_add(positional, arg);
        } else if (strcmp(arg, "--") == 0) {
            ended = true;
        } else if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
            wants_help = true;
        } else if (strcmp(arg, "--json") == 0) {
            *json = true;
        } else if (!take_option(r, arg)) {
            return ARGS_WRONG;
        }
    }
    if (wants_help)
        (*json ? json_help : print_help)(r->command, r->options);
    return wants_help ? ARGS_DONE : count_fits(r, positional->n) ? ARGS_GO : ARGS_WRONG;
}

args_result args_read(int argc, char **argv, const args_command *command,
                      const args_option *options, args_list *positional, bool *json)
{
    rows all = all_rows(options);
    reader r = {
        .argc = argc, .argv = argv, .command = command, .options = all.row, .text = all.text};
    *positional = (args_list){0};
    *json = false;
    const args_result result = read_line(&r, positional, json);
    free(all.row);
    free(all.name);
    free(all.text);
    return result;
}

args_result args_read_model(int argc, char **argv, const args_command *command,
                            const args_option *options, const char **path, bool *json)
{
    args_list positional;
    const args_result result = args_read(argc, argv, command, options, &positional, json);
    *path = positional.n ? positional.item[0] : NULL;
    args_list_free(&positional);
    return result;
}

void args_list_free(args_list *list)
{
    free(list->item);
    *list = (args_list){0};
}

int args_split(const char *text, int (*find)(const void *ctx, const char *name), const void *ctx,
               const char **rest)
{
    *rest = text;
    for (size_t size = strlen(text); size-- > 0;) {
        if (text[size] != '=')
            continue;
        char *name = tool_format("%.*s", (int)size, text);
        const int found = find(ctx, name);
        free(name);
        if (found >= 0) {
            *rest = text + size + 1;
            return found;
        }
    }
    return -1;
}
