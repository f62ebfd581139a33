/* SPDX-License-Identifier: Apache-2.0
 * ocellus.c - the main program: finds the subcommand that argv[1] names and runs it. */
#include "commands/commands.h"
#include "common/json.h"
#include "common/mapped.h"
#include "common/nearest.h"
#include "common/signals.h"
#include "common/system.h"
#include "files/io.h"
#include "draw/font.h"

static const struct {
    const char *name, *text;
    int (*run)(int argc, char **argv);
} commands[] = {
#define X(name, text) {#name, text, cmd_##name},
    COMMAND_MAP(X)
#undef X
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void print_usage(FILE *out)
{
    fputs("usage: ocellus COMMAND ...\n\nRuns, inspects and checks ONNX models.\n\n", out);
    for (int i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-8s  %s\n", commands[i].name, commands[i].text);
    fputs("\nBoxes, masks, labels and text drawn into photographs, and a table of them:\n"
          "  ocellus predict MODEL photos -o drawn --table found.csv\n"
          "run and map have --draw and --table too.\n",
          out);
    fputs("\nocellus COMMAND --help or ocellus help COMMAND tells more; ocellus --version tells "
          "the version,\nocellus --licence the licences.\n"
          "Exit codes: 0 ok, 1 results differ, 2 usage, 3 invalid model or data,\n"
          "4 unsupported, 5 a limit was hit, 130 interrupted.\n",
          out);
}

static void print_help(void)
{
    print_usage(stdout);
}

static void json_help(void)
{
    json_writer j = json_begin(stdout);
    json_object(&j, NULL);
    json_array(&j, "commands");
    for (int i = 0; i < N_COMMANDS; i++) {
        json_object(&j, NULL);
        json_text(&j, "name", commands[i].name);
        json_text(&j, "text", commands[i].text);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    json_end(&j);
}

static int find_command(const char *name)
{
    for (int i = 0; i < N_COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return i;
    return -1;
}

/* A file is taken for a model if it looks like one, or has any name that resembles no command. */
static bool is_model(const char *path, bool is_like_command)
{
    return io_ends_with(path, ".onnx") || io_ends_with(path, ".onnxtxt") ||
           io_ends_with(path, ".onnx.gz") ||
           (!is_like_command && io_exists(path) && !io_is_dir(path));
}

static int refuse_command(const char *name)
{
    char hint[NEAREST_TEXT];
    nearest near = {.text = name};
    for (int i = 0; i < N_COMMANDS; i++)
        nearest_try(&near, commands[i].name);
    if (is_model(name, near.best != NULL))
        tool_say("'%s' is no command: 'ocellus run MODEL' runs a model, 'ocellus --help' lists all",
                 name);
    else
        tool_say("there is no command '%s'%s%s'ocellus --help' lists them", name,
                 nearest_hint(&near, hint), near.best ? " " : "; ");
    return TOOL_USAGE;
}

/* Runs help, help --json, help COMMAND, help COMMAND --json. */
static int help(int argc, char **argv)
{
    const bool json = argc > 1 && strcmp(argv[argc - 1], "--json") == 0;
    const char *name = argc - json > 1 ? argv[1] : NULL;
    if (!name) {
        (json ? json_help : print_help)();
        return TOOL_OK;
    }
    char *words[] = {(char *)name, "--help", "--json", NULL};
    const int i = find_command(name);
    return i < 0 ? refuse_command(name) : commands[i].run(json ? 3 : 2, words);
}

/* The licence of the font asks that it goes wherever the font goes, so the command has it in it. */
static void print_licences(void)
{
    printf(
        "Ocellus: the Apache License, Version 2.0, https://www.apache.org/licenses/LICENSE-2.0\n\n"
        "The font Spleen, in which pictures are labelled:\n\n%s",
        font_licence());
}

/* Returns the exit code, unless a signal is to end the process. */
static int end(int code)
{
    code = tool_finish(code);
    signals_end();
    return code;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (!system_open_streams())
        return TOOL_INVALID;
    signals_catch();
    tool_catch_short_files();
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return end(help(argc - 1, argv + 1));
    if (strcmp(name, "--version") == 0) {
        printf("ocellus %s\n", oc_version());
        return end(TOOL_OK);
    }
    if (strcmp(name, "--licence") == 0 || strcmp(name, "--license") == 0) {
        print_licences();
        return end(TOOL_OK);
    }
    const int i = find_command(name);
    if (i >= 0)
        return end(commands[i].run(argc - 1, argv + 1));
    if (*name)
        return refuse_command(name);
    print_usage(stderr);
    return TOOL_USAGE;
}
