/* SPDX-License-Identifier: Apache-2.0
 * options.h - the options of ocellus check. */
#ifndef TOOLS_CHECK_OPTIONS_H
#define TOOLS_CHECK_OPTIONS_H

#include "session/session_args.h"

enum { CHECK_DEFAULT = -1 }; /* a tolerance that was not given */

typedef struct check_options {
    session_args session;
    bool verbose, json, markdown;
    bool all;                   /* every operator that has cases, with a line for each */
    const char *only;           /* the one case to run; NULL: all */
    int64_t sample;             /* N: of an operator, run its first case and every N-th after it;
                                 * 0: all */
    const char *body, *against; /* files of bodies; NULL: the built-in bodies; the kernel */
    const char *html;           /* path of the HTML page; NULL: none */
    args_list axis;             /* of a model: names of axes; empty: body alone */
    bool standard;              /* of a model: bodies in the standard's own words */
    size_t keep;                /* of a model: most bytes of values held; 0: 1 GiB */
    /* Cases of the user's own, as case_file.h writes them; opset 0: the newest, or 1 of a domain
     * that is not ONNX's. */
    args_list inputs, attributes;
    int64_t opset;
} check_options;

#endif
