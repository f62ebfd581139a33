/* SPDX-License-Identifier: Apache-2.0
 * session_args.h - opens a model, and turns the command line into options of a session. */
#pragma once

#include "common/nearest.h"
#include "files/io.h"
#include "session/functions.h"
#include "session/port_text.h"

/* What a command line gives for the options of include/session_options.def, and for those that only
 * the command has; 0, NULL or false: it was not given. */
typedef struct session_args {
#define SESSION_SWITCH                                                          bool
#define SESSION_INT                                                             int64_t
#define SESSION_INT64                                                           int64_t
#define SESSION_UINT64                                                          int64_t
#define SESSION_BYTES                                                           size_t
#define SESSION_CHOICE                                                          int
#define SESSION_SECONDS                                                         double
#define SESSION_TEXT                                                            const char *
#define OC_OPTION(name, field, kind, plan, results, value, otherwise, sentence) SESSION_##kind name;
#include <session_options.def>
    bool exact; /* sets exact_conv and exact_quant */
    bool no_map, newer, sandbox;
    bool without_weights; /* true: a model is opened whose external data cannot be read */
    args_list functions;  /* of --functions, of commands that have it, which free it */
    io_names *external;   /* receives the locations of a model's external data; NULL: not asked */
} session_args;

/* A row for each option of session_options.def, as args_option.table. */
extern const args_option session_args_rows[];

/* clang-format off */
/* Of commands that run a model. */
#define SESSION_ARGS(s)                                                                            \
    {.table = session_args_rows, .out = (s)},                                                      \
    {.name = "--exact", .kind = ARGS_FLAG, .out = &(s)->exact,                                     \
     .help = "--exact-conv and --exact-quant"},                                                    \
    SESSION_NO_MAP(s)
/* Of commands that only load a model. */
#define SESSION_LOAD_ARGS(s)                                                                       \
    {.name = "--memory-cap", .kind = ARGS_SIZE, .value = "SIZE", .out = &(s)->memory_cap,          \
     .help = "most bytes of the model; three quarters of memory"},                                 \
    {.name = "--deadline", .kind = ARGS_NUMBER, .value = "SECONDS", .out = &(s)->deadline,         \
     .help = "longest time to load the model, or to expand it"},                                   \
    SESSION_NO_MAP(s)
/* Of all commands that load a model. */
#define SESSION_NO_MAP(s)                                                                          \
    {.name = "--no-map", .kind = ARGS_FLAG, .out = &(s)->no_map,                                   \
     .help = "read the model's files into memory, so that no change of them matters"},             \
    {.name = "--newer", .kind = ARGS_FLAG, .out = &(s)->newer,                                     \
     .help = "run a model of a newer IR or opset version as one of the newest known"},             \
    {.name = "--sandbox", .kind = ARGS_FLAG, .out = &(s)->sandbox,                                 \
     .help = "give up all files but those named here, and all that running does not take"}
/* clang-format on */

/* Returns options of a session that hold all of s, and let SIGINT cancel a run. */
oc_session_options session_args_options(const session_args *s);

/* What a command line says of one option of session_options.def. */
typedef struct session_told {
    char name[ARGS_NAME];   /* "--no-folding" */
    char number[ARGS_TOLD]; /* room for value */
    const char *value; /* as a command line has it; "on" or "off" of a switch; NULL: no text, or the
                          first choice */
    bool is_switch;
    bool is_given;        /* the value is not the default */
    bool changes_results; /* results may be other bits than without the option */
} session_told;

/* *told becomes what s says of option i; false: i is past the last one. */
bool session_args_at(const session_args *s, int i, session_told *told);

/* Sets options as --expand and --standard ask: expand is "all", or the one operator that runs by
 * its body, or NULL to leave options as they are. An operator without a body is OC_ARGUMENT; so is
 * standard without expand. */
void session_set_bodies(oc_body_options *options, const char *expand, bool standard, oc_error *e);
/* Is there a function body of this operator? If not, sets OC_ARGUMENT. */
bool session_has_body(const char *op, oc_error *e);

/* Writes "; did you mean 'OP'?" into text, or "" if no operator with a kernel or a body has nearly
 * this name, and returns text. */
const char *session_near_op(const char *op, char text[NEAREST_TEXT]);

/* Has the memory cap of s bound files and their values (data.h) from now on. */
void session_cap_data(const session_args *s);
/* Loads a model under the limits of s, whose memory cap from then on bounds files and their values
 * (data.h) too; the path "-" is standard input. */
oc_model *session_open(const char *path, const session_args *s, oc_error *e);
/* As session_open, for one of several models. session_open says which functions of --functions the
 * model does not call; here the caller notes in a list of its own which are called. */
oc_model *session_open_next(const char *path, const session_args *s, functions_seen *seen,
                            oc_error *e);

/* Returns seconds on a clock that never goes back; only differences have a meaning. */
double session_clock(void);
