/* SPDX-License-Identifier: Apache-2.0
 * body_line.h - which line of a body's text is an error about? */
#ifndef TOOLS_CHECK_BODY_LINE_H
#define TOOLS_CHECK_BODY_LINE_H

/* The line, from 1, of the node that gives a value which the error names, as 's' or 'Softmax/s' in
 * the body of op, or else of the one node that calls an operator which it names; 0: it is not
 * known.
 */
int check_body_line(const char *text, const char *op, const char *error);

#endif
