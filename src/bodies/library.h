/* SPDX-License-Identifier: Apache-2.0
 * library.h - the built-in ONNX function bodies, as text and parsed.
 *
 * functions/Name.since.onnxtxt is the standard's own body. Name.since.repaired.onnxtxt beside it
 * is the body without the defects that functions/KNOWN.md lists. A text may have lines that only
 * some calls keep (conditions.h). */
#pragma once

#include "bodies/conditions.h"
#include "bodies/table.h"

/* The built-in texts are compressed; a library unpacks them when the first one is needed. It
 * keeps the bodies that it has parsed in a model, until that model is freed. */
typedef struct oc_body_library {
    /* the library's model is made with this memory's hook and budget; NULL: with the C library's */
    const oc_memory *memory;
    oc_model *model;          /* NULL until it is needed; the user of the library frees it */
    const char *texts;        /* all texts, unpacked; NULL until they are needed */
    const oc_function **body; /* the parsed bodies */
    int n_body;
    oc_name_map parsed; /* maps texts to indices of the parsed bodies */
} oc_body_library;

/* Finds the whole text of a body that is kept as text: the repaired one if there is one and
 * standard is false, else the standard's own. */
oc_status oc_body_text(oc_body_library *l, const oc_body *body, bool standard, const char **text,
                       oc_error *e);

/* Parses a text's header: name, ports and attributes. The result may lack the body. *text becomes a
 * copy that the library keeps. */
oc_status oc_body_parse_header(oc_body_library *l, const char **text, const oc_function **header,
                               oc_error *e);

/* *function becomes the body, parsed for the call. The library owns it, and parses a text once. */
oc_status oc_body_function(oc_body_library *l, const oc_body *body, bool standard,
                           const oc_body_call *call, const oc_function **function, oc_error *e);

/* *function becomes a body's text, parsed for the call. The library owns it and parses each text
 * once. Of a text with conditions (conditions.h) only what they keep for this call is parsed. */
oc_status oc_body_parse(oc_body_library *l, const char *text, const oc_body_call *call,
                        const oc_function **function, oc_error *e);
