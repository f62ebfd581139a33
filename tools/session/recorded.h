/* SPDX-License-Identifier: Apache-2.0
 * recorded.h - a recorded run: a JSON document with all that a run took but the model, and the
 * SHA-256 of all that it gave. docs/recorded-runs.md lists its fields. */
#pragma once

#include "common/json_read.h"
#include "files/file_sha256.h"
#include "session/inputs.h"
#include "session/session_args.h"

enum { RECORDED_VERSION = 1 }; /* of the document's fields */

/* Which calls run by function bodies, as --expand and --standard ask. */
typedef struct recorded_bodies {
    const char *expand; /* NULL: not given */
    bool standard;
} recorded_bodies;

/* ---- written ---- */

/* clang-format off */
#define RECORD_ARG(to)                                                                             \
    ARGS_VALUE("--record", ARGS_TEXT, "FILE.json", to,                                             \
               "write what the run took but the model, and the SHA-256 of its outputs;\n"          \
               "`ocellus test FILE.json` checks it, on any machine")
/* clang-format on */

/* The words of a command line. */
typedef struct recorded_words {
    int n;
    const char *const *word;
} recorded_words;

/* What is recorded of a run. The session has run the model on the inputs. */
typedef struct recorded_run {
    recorded_words words;
    const char *model_path;
    const oc_model *model;
    const session_args *session; /* whose `external` has the model's */
    recorded_bodies bodies;
    const inputs *in;
    const oc_session *ran;
} recorded_run;

/* OC_ARGUMENT when no run of the model can be recorded in a file of that name. Call it before a
 * run, so that no run is wasted. path may be NULL. */
void recorded_check(const char *path, const char *model_path, oc_error *e);
void recorded_write(const char *path, const recorded_run *r, oc_error *e);

/* ---- read ---- */

/* A document that was read. What it points to lives until recorded_free. */
typedef struct recorded {
    json_tree tree;
    char *folder;        /* of the document, where all files that it names are */
    const char *version; /* of Ocellus, which has recorded it */
    bool is_fast;        /* its sums of products were multiplied, then added */
} recorded;

/* Reads the document at path. OC_FORMAT, with the place, when it is none, or no recorded run of
 * this version. Free with recorded_free, also after an error. */
recorded recorded_read(const char *path, oc_error *e);
void recorded_free(recorded *r);

/* Sets the options of *s that change results, and *bodies, as the run had them. What s and bodies
 * have already stays. Returns a text that names those options of s that are not as recorded, ""
 * when there is none; free it with free. */
char *recorded_options(const recorded *r, session_args *s, recorded_bodies *bodies, oc_error *e);

/* A file that a record names: "model", or an item of "external" or "functions". */
typedef struct recorded_file {
    char *path; /* NULL: there is none */
    const json_value *entry;
    char place[32]; /* "functions[0]" */
} recorded_file;
recorded_file recorded_model(const recorded *r, oc_error *e);
/* The i-th one; its path is NULL past the last. */
recorded_file recorded_function(const recorded *r, int i, oc_error *e);
/* The external data at that location; its path is NULL when the record has no such file. */
recorded_file recorded_external(const recorded *r, const char *location, oc_error *e);
/* Has the file at path, in place of its own if not NULL, the recorded bytes? If not, writes why
 * into text. */
bool recorded_file_agrees(const recorded_file *f, const char *path, char *text, size_t size,
                          oc_error *e);
void recorded_file_free(recorded_file *f);

/* Gives the inputs of the model the recorded values. */
void recorded_inputs(const recorded *r, inputs *in, oc_error *e);
/* Compares the outputs of the session's last run. Returns whether all have the recorded bits;
 * writes a sentence on them into text. */
bool recorded_outputs(const recorded *r, const oc_model *model, const oc_session *session,
                      char *text, size_t size, oc_error *e);
