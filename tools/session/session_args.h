/* SPDX-License-Identifier: Apache-2.0
 * session_args.h - opens a model, and turns the command line into options of a session. */
#ifndef TOOLS_SESSION_SESSION_ARGS_H
#define TOOLS_SESSION_SESSION_ARGS_H

#include "common/args.h"
#include "common/nearest.h"
#include "session/functions.h"

/* The options that every command that runs a model has; 0 or NULL is the default of each. */
typedef struct session_args {
    int64_t threads, max_steps, seed;
    size_t memory_cap;
    double deadline;
    const char *cpu, *op_options;
    bool no_fusion, no_folding, no_nchw16c, exact, no_map, newer, sandbox;
    args_list functions; /* for commands that have --functions, which free it */
} session_args;

/* clang-format off */
#define SESSION_ARGS(s)                                                                            \
    {.name = "--threads", .kind = ARGS_INT, .value = "N", .out = &(s)->threads,                    \
     .help = "threads; 0, the default, is one per processor"},                                     \
    {.name = "--memory-cap", .kind = ARGS_SIZE, .value = "SIZE", .out = &(s)->memory_cap,          \
     .help = "most bytes of model and tensors; three quarters of memory"},                                           \
    {.name = "--deadline", .kind = ARGS_NUMBER, .value = "SECONDS", .out = &(s)->deadline,         \
     .help = "longest time to load the model, to plan it, or to run it once"},                                                     \
    {.name = "--max-steps", .kind = ARGS_INT, .value = "N", .out = &(s)->max_steps,                \
     .help = "most nodes one run may execute, loops included"},                                    \
    {.name = "--cpu", .kind = ARGS_TEXT, .value = "SET", .out = &(s)->cpu,                         \
     .help = "instruction set: scalar, avx2, avx512, neon, native"},                               \
    {.name = "--op-options", .kind = ARGS_TEXT, .value = "OP.NAME=VALUE", .out = &(s)->op_options, \
     .help = "choices of operators, as in RoiAlign.max=bilinear; commas between several"},         \
    {.name = "--no-fusion", .kind = ARGS_FLAG, .out = &(s)->no_fusion,                             \
     .help = "run every node by itself, also where two could run as one"},                         \
    {.name = "--no-folding", .kind = ARGS_FLAG, .out = &(s)->no_folding,                           \
     .help = "compute in every run also what depends on weights alone"},                           \
    {.name = "--no-nchw16c", .kind = ARGS_FLAG, .out = &(s)->no_nchw16c,                               \
     .help = "keep all values row-major, none with 16 channels side by side"},                      \
    {.name = "--exact", .kind = ARGS_FLAG, .out = &(s)->exact,                                     \
     .help = "3 x 3 convolutions by their definition, products of 8 bits as the model writes them"}, \
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

/* Sets options as --expand and --standard ask: expand is "all", or the one operator that runs by
 * its body, or NULL to leave options as they are. An operator without a body is OC_ARGUMENT; so is
 * standard without expand. */
void session_set_bodies(oc_body_options *options, const char *expand, bool standard, oc_error *e);
/* Is there a function body of this operator? If not, sets OC_ARGUMENT. */
bool session_has_body(const char *op, oc_error *e);

/* Writes "; did you mean 'OP'?" into text, or "" if no operator with a kernel or a body has nearly
 * this name, and returns text. */
const char *session_near_op(const char *op, char text[NEAREST_TEXT]);

/* Loads a model under the limits of s, whose memory cap from then on bounds files and their values
 * (data.h) too; the path "-" is standard input. */
oc_model *session_open(const char *path, const session_args *s, oc_error *e);
/* As session_open, for one of several models. session_open says which functions of --functions the
 * model does not call; here the caller notes in a list of its own which are called. */
oc_model *session_open_next(const char *path, const session_args *s, functions_seen *seen,
                            oc_error *e);

enum { PORT_TEXT = 512 };
/* Writes the port's type into text and returns text: "float[N,3,?,8]"; "float[...]" without a
 * declared rank; "seq(float)". */
const char *session_port_text(const oc_port *port, char text[PORT_TEXT]);

/* Returns seconds on a clock that never goes back; only differences have a meaning. */
double session_clock(void);

#endif
