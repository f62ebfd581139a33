/* SPDX-License-Identifier: Apache-2.0
 * library.h - the ONNX function bodies that are built in, as text and parsed.
 *
 * functions/Name.since.onnxtxt is the standard's own body; Name.since.repaired.onnxtxt beside it
 * mends the defects that functions/KNOWN.md lists. A text may have lines that only some calls keep
 * (conditions.h). */
#ifndef OC_BODIES_LIBRARY_H
#define OC_BODIES_LIBRARY_H

#include "bodies/conditions.h"

typedef struct oc_body {
    const char *name;
    int since;
    const char *domain; /* of the operator: "" is ONNX's own */
    int standard;       /* where its text begins among all texts; -1: print makes it */
    int repaired;       /* -1: the standard's is right */
    oc_status (*print)(const oc_body_call *call, oc_arena *arena, const char **text, oc_error *e);
} oc_body;

/* The newest body of the operator with since <= opset; NULL when there is none. */
const oc_body *oc_body_find(const char *domain, const char *name, int64_t opset);
/* The i-th body; NULL past the last. */
const oc_body *oc_body_at(int i);

/* Texts are kept compressed. A library unpacks them when the first is asked for, and keeps the
 * bodies parsed so far as the functions of a model. */
typedef struct oc_body_library {
    const oc_model_options *options; /* of the model */
    oc_model *model;                 /* NULL: none yet; the user frees it */
    const char *texts;               /* all of them; NULL: not unpacked yet */
    oc_name_map parsed;              /* texts to indices of the model's functions */
} oc_body_library;

/* The text of a body that is kept, in the standard's words or repaired, whole. */
oc_status oc_body_text(oc_body_library *l, const oc_body *body, bool standard, const char **text,
                       oc_error *e);

/* What a text's header says: name, ports and attributes; the body may be left out. *text becomes a
 * copy that the library keeps. */
oc_status oc_body_parse_header(oc_body_library *l, const char **text, const oc_function **header,
                               oc_error *e);

/* The function that a body is for a call, parsed once. */
oc_status oc_body_function(oc_body_library *l, const oc_body *body, bool standard,
                           const oc_body_call *call, const oc_function **function, oc_error *e);

/* The function of a body's text for a call, parsed once. Where the text has conditions
 * (conditions.h), what they keep for this call. */
oc_status oc_body_parse(oc_body_library *l, const char *text, const oc_body_call *call,
                        const oc_function **function, oc_error *e);

/* sequence_map.c: the text of the body for a call with so many inputs and outputs. */
oc_status oc_print_sequence_map(const oc_body_call *call, oc_arena *arena, const char **text,
                                oc_error *e);

#endif
