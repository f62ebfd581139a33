/* SPDX-License-Identifier: Apache-2.0
 * body_line.h - which line of a body's text is an error about? */
#pragma once

/* Returns the line, from 1, that the error is about. It is the line of the node that gives a
 * value which the error names as 's', or as 'Softmax/s' in the body of op; or else of the only
 * node that calls an operator which the error names. 0: it is not known. */
int check_body_line(const char *text, const char *op, const char *error);
