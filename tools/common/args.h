/* SPDX-License-Identifier: Apache-2.0
 * args.h - reads a command line by a table of options, and prints the help from the same table. */
#pragma once

#include "common/tool.h"

typedef struct args_list {
    const char **item; /* borrowed from argv */
    int n;
} args_list;

/* The kind of an option's value; each comment names the type that args_option.out points to. Of
 * numbers and choices that are given more than once the last one counts. */
typedef enum args_kind {
    ARGS_FLAG, /* bool; no value */
    ARGS_TEXT, /* const char *; a second, other text is refused, because the first would be lost */
    ARGS_LIST, /* args_list; the option may be given more than once */
    ARGS_INT,  /* int64_t, not negative */
    ARGS_SIZE, /* size_t: bytes, with an ending K, M or G for powers of 1024 */
    ARGS_NUMBER, /* double, not negative */
    ARGS_CHOICE  /* int: the index of the value in .choices */
} args_kind;

typedef struct args_option {
    const char *name; /* "--threads"; NULL, and no table: the row behind the last */
    char letter;      /* 'o' for "-o"; 0: none */
    args_kind kind;
    const char *value; /* what the help calls the value: "N", "[=N]"; NULL: the option takes none */
    const char *help;
    void *out;
    const char *const *choices; /* of ARGS_CHOICE: the values allowed; ends with NULL */
    int64_t otherwise; /* of ARGS_INT, not 0: "--print" alone means this, and a value is attached as
                          in "--print=5" */
    /* Not NULL: the rows of this table stand here. Their values lie in the struct that out of this
     * row points to, at their bytes; their names are as in C: "no_folding". */
    const struct args_option *table;
    size_t at; /* of a row of such a table, in place of out */
} args_option;

/* Rows of such a table: an option that has no value, one that has, and one with a letter besides.
 */
#define ARGS_SWITCH(option, to, text)             ARGS_LETTER(0, option, ARGS_FLAG, NULL, to, text)
#define ARGS_VALUE(option, of, example, to, text) ARGS_LETTER(0, option, of, example, to, text)
#define ARGS_LETTER(short_, option, of, example, to, text)                                         \
    {                                                                                              \
        .name = option, .letter = short_, .kind = of, .value = example, .out = to, .help = text    \
    }

enum { ARGS_NAME = 40, ARGS_TOLD = 40 };
/* Writes "--no-folding", the option's name that C writes as "no_folding". */
void args_name(const char *name, char text[ARGS_NAME]);
/* The value of an option of one of the kinds but ARGS_LIST, which lies at out, as a command line
 * has it, "on" or "off" of a flag; NULL: no text, or the first choice. A number is written into
 * text. *is_given: it is not 0, false or NULL. */
const char *args_value(const args_option *option, const void *out, char text[ARGS_TOLD],
                       bool *is_given);

typedef struct args_command {
    const char *name;            /* "run" */
    const char *usage;           /* "MODEL [-i FILE]..." */
    const char *about;           /* what the command does, in lines of at most 80 characters */
    const char *const *examples; /* ends with NULL; may be NULL */
    int min, max;                /* number of positional arguments; max -1 means any number */
} args_command;

typedef enum args_result { ARGS_GO, ARGS_DONE, ARGS_WRONG } args_result;

/* Reads argv[1] and the arguments after it. The table options ends with a row of zeros; every
 * command also has --json, which sets *json, and --help and -h, which together with --json print
 * the table as a document. "--" ends the options; a lone "-"
 * is a positional argument. Returns ARGS_GO if the command may run, ARGS_DONE if the help was
 * printed, ARGS_WRONG if the command line is wrong and a message was printed. In every case the
 * caller frees *positional, and each ARGS_LIST, with args_list_free. */
args_result args_read(int argc, char **argv, const args_command *command,
                      const args_option *options, args_list *positional, bool *json);
/* As args_read, for commands that read one file: *path is its positional argument, or NULL. */
args_result args_read_model(int argc, char **argv, const args_command *command,
                            const args_option *options, const char **path, bool *json);
/* The index of the text among the choices, which end with NULL; -1: it is none of them. */
int args_choice(const char *const *choices, const char *text);
void args_list_add(args_list *list, const char *item);
void args_list_free(args_list *list);

/* Splits "NAME=REST" and returns the number that find gives for NAME. Names may contain '=', so
 * the longest NAME that find knows is taken; find returns -1 for other names. When the text
 * begins with no known name, returns -1, and *rest is the whole text. */
int args_split(const char *text, int (*find)(const void *ctx, const char *name), const void *ctx,
               const char **rest);
