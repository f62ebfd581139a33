/* SPDX-License-Identifier: Apache-2.0
 * print_outputs.h - prints the outputs of a run: a line for each, with their values and the
 * largest of these if the command line asks for them. */
#pragma once

#include "common/args.h"
#include "values/show.h"
#include "values/top.h"

/* What the command line asks for; -1: it does not. */
typedef struct print_outputs_args {
    int64_t print, top; /* --print; --top, as the command has it */
    const char *labels; /* of --top; NULL: none */
} print_outputs_args;

#define TELL_NOTHING ((print_outputs_args){.print = -1, .top = -1})

/* clang-format off */
#define TELL_ARGS(a)                                                                               \
    {.name = "--print", .kind = ARGS_INT, .value = "[=N]", .otherwise = SHOW_MOST,                 \
     .out = &(a)->print,                                                                           \
     .help = "the values: all of at most N elements (1000), else three at\n"                       \
             "each end of each axis; with --json N is the most written"}
/* clang-format on */

/* Returns false, after a message of the command of this name, if the options do not go together. */
bool print_outputs_args_fit(const print_outputs_args *a, const char *command);

typedef struct teller {
    const print_outputs_args *args;
    const oc_model *model;
    labels labels;
    json_writer *json; /* the document that is being written */
} teller;

/* Reads the labels, of at most cap bytes. Both pointers must outlive the result; free with
 * tell_free, also after an error. */
teller tell_new(const print_outputs_args *args, const oc_model *model, size_t cap, oc_error *e);
void tell_free(teller *t);
/* OC_ARGUMENT if --top can rank no output of the session's last run, or if the number of labels
 * is the last axis of no output. */
void tell_check(const teller *t, const oc_session *session, oc_error *e);
/* Prints all outputs as text, or writes the member "outputs" of the object that is open in j. */
void tell_print(teller *t, const oc_session *session, oc_error *e);
void tell_json(teller *t, json_writer *j, const oc_session *session, oc_error *e);
