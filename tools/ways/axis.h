/* SPDX-License-Identifier: Apache-2.0
 * axis.h - ways of running a model that are held against each other. */
#ifndef TOOLS_WAYS_AXIS_H
#define TOOLS_WAYS_AXIS_H

#include "ways/report.h"
#include "check/options.h"
#include "session/inputs.h"

typedef struct axis_check {
    const oc_model *model;
    const inputs *in;
    const check_options *options;
    compare_bound bound; /* of bodies; the other axes want equal bits */
    axis_trace trace;    /* the reference run of the axis at hand */
    axis_report report;
    oc_error error; /* that ends the check */
} axis_check;

/* Every node by itself, and what the command line asks for. */
oc_session_options axis_base(const axis_check *c);
/* Binds the inputs, runs the session, which may be NULL, and frees it. */
void axis_run(const axis_check *c, oc_session *s, oc_error *e);
/* Begins an axis: keeps what the run with these options gives. */
void axis_refer(axis_check *c, const char *axis, const char *about, oc_session_options options);
/* Does the error come from outside, so that it says nothing of the way of running? */
bool axis_is_fatal(const oc_error *e);

void axis_bodies(axis_check *c);
void axis_isa(axis_check *c);
void axis_threads(axis_check *c);
void axis_fusion(axis_check *c);
void axis_memory(axis_check *c);

#endif
