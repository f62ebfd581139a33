/* SPDX-License-Identifier: Apache-2.0
 * library.h - the ONNX function bodies that are built in, as text and parsed.
 *
 * functions/Name.since.onnxtxt is the standard's own body. Name.since.repaired.onnxtxt beside it is
 * the body without the defects that functions/KNOWN.md lists. A text may have lines that only some
 * calls keep (conditions.h). */
#ifndef OC_BODIES_LIBRARY_H
#define OC_BODIES_LIBRARY_H

#include "bodies/conditions.h"
#include "bodies/table.h"

/* The built-in texts are kept compressed. A library unpacks them when the first one is needed. It
 * keeps the bodies that it parsed in a model, until that is freed. */
typedef struct oc_body_library {
    const oc_memory *memory;  /* beside which the library's model is made; NULL: the C library's */
    oc_model *model;          /* NULL until it is needed; the library's user frees it */
    const char *texts;        /* all texts, unpacked; NULL until they are needed */
    const oc_function **body; /* the parsed bodies */
    int n_body;
    oc_name_map parsed; /* texts to indices of the parsed bodies */
} oc_body_library;

/* The whole text of a body that is kept as text: the standard's own, or the repaired one if there
 * is one and standard is false. */
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
 * once. If the text has conditions (conditions.h), it is what they keep for this call. */
oc_status oc_body_parse(oc_body_library *l, const char *text, const oc_body_call *call,
                        const oc_function **function, oc_error *e);

#endif
