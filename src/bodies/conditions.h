/* SPDX-License-Identifier: Apache-2.0
 * conditions.h - bodies that depend on the call: lines that only some keep, and values.
 *
 * A line of a body's text whose first character that is no blank begins one of these words is about
 * the lines that follow; to the parser it is a comment:
 *
 *     #if CONDITION       they stay where the condition holds,
 *     #else               or where it does not;
 *     #end                and from here on for all. Within them there may be others.
 *     #refuse TEXT        a call that keeps this line is refused: "node 'y' (Op): TEXT".
 *
 * A condition is one term, or several with `and` between them; a term with `not` before it is true
 * where it else would not be:
 *
 *     B                   input or output B of the call is there, or attribute B is given
 *     axis == 1           the attribute, as given or else by default, is this number or this word
 *     mode == tanh
 *     opset < 24          the call runs under an older version of its domain than this
 *     B is bool           input B of the call is there, and a tensor of this element type
 *     B is sequence       or a sequence
 *
 * In the lines that stay, $axis is the value of the attribute axis, as given or by default: a
 * number, a word, or numbers with commas between them; $B is the number of the element type of
 * input B. Where a type matters and is not known the call cannot be expanded, which is an error.
 * The body's "{" begins a line. */
#ifndef OC_BODIES_CONDITIONS_H
#define OC_BODIES_CONDITIONS_H

#include "bodies/types.h"

/* The call that a text is for. */
typedef struct oc_body_call {
    const oc_node *node;
    const oc_types *types; /* of the node's inputs; NULL: nothing is known */
    int64_t opset;         /* that the node runs under */
} oc_body_call;

/* Does the text depend on the call at all? */
bool oc_body_is_conditional(const char *text);
/* The text's header with an empty body, in the arena. */
oc_status oc_body_header(const char *text, oc_arena *arena, const char **header, oc_error *e);

/* The text for one call, in the arena, every line where it was. header is the function as parsed
 * from oc_body_header: its ports, attributes and defaults are looked up there. call NULL: every
 * input and output is there, of no type that is asked for, no attribute is given, a value that is
 * not known reads as 1, and the version is the newest. */
oc_status oc_body_select(const oc_function *header, const char *text, const oc_body_call *call,
                         oc_arena *arena, const char **selected, oc_error *e);

#endif
