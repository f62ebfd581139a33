/* SPDX-License-Identifier: Apache-2.0
 * body_text.h - bodies that depend on the call: lines that only some calls keep.
 *
 * A line of a body's text whose first character that is no blank begins one of these words is about
 * the lines that follow; to the parser it is a comment:
 *
 *     #if CONDITION       they stay where the condition holds,
 *     #else               or where it does not;
 *     #end                and from here on for all. Within them there may be others.
 *
 * A condition is one term, or several with `and` between them; a term with `not` before it is true
 * where it else would not be:
 *
 *     B                   input or output B of the call is there, or attribute B is given
 *     axis == 1           the attribute, as given or else by default, is this number or this word
 *     mode == tanh
 */
#ifndef OC_LOADER_BODY_TEXT_H
#define OC_LOADER_BODY_TEXT_H

#include "graph/graph.h"

/* Does the text have such lines at all? */
bool oc_body_is_conditional(const char *text);

/* The text that a call keeps, in the arena. `all` is the function as parsed from the whole text:
 * its ports, attributes and defaults are looked up there. call NULL: every input and output is
 * there, no attribute is given. */
oc_status oc_body_select(const oc_function *all, const char *text, const oc_node *call,
                         oc_arena *arena, const char **selected, oc_error *e);

#endif
