/* SPDX-License-Identifier: Apache-2.0
 * conditions.h - texts of function bodies that depend on the call: conditional lines and values.
 *
 * A line whose first word, after blanks, is one of these is a directive. To the parser of bodies it
 * is a comment:
 *
 *     #if CONDITION       the lines that follow are kept if the condition holds,
 *     #else               or if it does not hold;
 *     #end                ends the condition. Conditions may be nested.
 *     #refuse TEXT        a call that keeps this line is refused: "node 'y' (Op): TEXT".
 *     #unsupported TEXT   as #refuse, for a call that only the body cannot compute.
 *
 * A condition is one term, or several joined by `and`. `not` before a term negates it:
 *
 *     B                   the call has input or output B, or gives attribute B
 *     axis == 1           the attribute, as given or by default, equals this number or word
 *     mode == tanh
 *     opset < 24          the call runs under an older version of its domain than this; not where
 *                         the function has an attribute `opset`
 *     B is bool           the call has input B, and it is a tensor of this element type
 *     B is sequence       the call has input B, and it is a sequence
 *     B is unlike C       inputs B and C are known to have different element types
 *
 * In the lines that are kept, $axis is replaced by the value of attribute axis, as given or by
 * default: a number, a word, or numbers with commas between them. $B is replaced by the number of
 * the element type of input B. A call cannot be expanded if the text depends on a type that is not
 * known; that is an error. The "{" that opens the body must begin a line.
 *
 * A body must not let broadcasting give a form that its author did not think of a meaning. Whether
 * dims fit is known when the node runs: attribute `expect` of a body's own node, not of one in a
 * graph of If, Loop or Scan there, which no operator has, tells what dims the node's inputs must
 * have (oc_node.expect, graph.h). It is dropped where a body takes the node's place, and where the
 * nodes are written to a file. */
#pragma once

#include "bodies/types.h"

/* The call that a text is selected for. */
typedef struct oc_body_call {
    const oc_node *node;
    const oc_types *types; /* types of the node's inputs; NULL: none is known */
    int64_t opset;         /* version of its domain that the node runs under */
} oc_body_call;

/* Does the text have a condition or a $value? */
bool oc_body_is_conditional(const char *text);
/* *header becomes a copy, in the arena, of the text's header with an empty body. */
oc_status oc_body_header(const char *text, oc_arena *arena, const char **header, oc_error *e);

/* *selected becomes the text for one call, in the arena. Each line keeps its number. header is
 * the function that was parsed from oc_body_header: it names the ports, the attributes and the
 * defaults. With call NULL, every input and output counts as present, no input has a type that a
 * condition asks for, no attribute is given, an unknown value reads as 1, and the version is the
 * newest. */
oc_status oc_body_select(const oc_function *header, const char *text, const oc_body_call *call,
                         oc_arena *arena, const char **selected, oc_error *e);
