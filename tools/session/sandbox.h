/* SPDX-License-Identifier: Apache-2.0
 * sandbox.h - the option --sandbox: what a command line names stays within reach, all else does
 * not. */
#ifndef TOOLS_SESSION_SANDBOX_H
#define TOOLS_SESSION_SANDBOX_H

#include "common/confine.h"
#include "session/session_args.h"

/* Every function does nothing without --sandbox; paths may be NULL, and "-" is a stream. */
typedef struct sandbox {
    confine files;
    session_args *args;
} sandbox;

/* args is that of the session which is opened later. */
sandbox sandbox_begin(session_args *args);
/* A file or folder, to be read. */
void sandbox_read(sandbox *s, const char *path);
/* A model, and its folder, which may hold external data. */
void sandbox_model(sandbox *s, const char *path);
/* Files or folders as -i names them: PATH or NAME=PATH. */
void sandbox_inputs(sandbox *s, const args_list *list);
/* A file to be written, whose folder is then open for writing, or a folder, which is made. */
void sandbox_write(sandbox *s, const char *path);
void sandbox_folder(sandbox *s, const char *path, oc_error *e);
/* What -o names: files, NAME=FILE, archives, folders. */
void sandbox_outputs(sandbox *s, const args_list *list, oc_error *e);
/* Enters the sandbox, for good. phases: how often the deadline may begin anew; 0: any number. Says
 * what the system does not give; if it gives nothing, that is OC_ARGUMENT. Call it before the model
 * and other files are read. */
void sandbox_enter(sandbox *s, double phases, oc_error *e);

#endif
