/* SPDX-License-Identifier: Apache-2.0
 * sandbox.h - the option --sandbox: what a command line names stays within reach, all else does
 * not. */
#pragma once

#include "common/confine.h"
#include "session/session_args.h"

/* Every function does nothing without --sandbox; paths may be NULL, and "-" is a stream. */
typedef struct sandbox {
    confine files;
    session_args *args;
} sandbox;

/* args belongs to the session that is opened later. */
sandbox sandbox_begin(session_args *args);
/* Allows reading a file or folder. */
void sandbox_read(sandbox *s, const char *path);
/* Allows reading a model, and its folder, which may hold external data. */
void sandbox_model(sandbox *s, const char *path);
/* Allows reading files or folders as -i names them: PATH or NAME=PATH. */
void sandbox_inputs(sandbox *s, const args_list *list);
/* Allows writing a file, and so its folder; or a folder, which is made. */
void sandbox_write(sandbox *s, const char *path);
void sandbox_folder(sandbox *s, const char *path, oc_error *e);
/* Allows writing what -o names: files, NAME=FILE, archives, folders. */
void sandbox_outputs(sandbox *s, const args_list *list, oc_error *e);
/* Enters the sandbox, for good. phases is how often the deadline may begin anew; 0: any number.
 * Prints what the system cannot restrict; OC_ARGUMENT if it can restrict nothing. Call it before
 * the model and other files are read. */
void sandbox_enter(sandbox *s, double phases, oc_error *e);
