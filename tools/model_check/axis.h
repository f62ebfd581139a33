/* SPDX-License-Identifier: Apache-2.0
 * axis.h - the axes of a model's check: what each compares with its reference run. */
#pragma once

#include "model_check/model_report.h"
#include "check/options.h"
#include "session/inputs.h"

/* A model's check, while it runs one axis after another. */
typedef struct axis_check {
    const oc_model *model;
    const inputs *in;
    const check_options *options;
    compare_bound bound; /* for the axes body, unfused and against; the others demand equal bits */
    value_trace trace;   /* the reference run of the current axis */
    bool is_fast;        /* that run multiplies, then adds: its session's products are "fast" */
    axis_report report;
    oc_error error; /* an error that stops the check */
} axis_check;

/* Returns the session options of the command line, without fusion. */
oc_session_options axis_base(const axis_check *c);
/* Are the products of this session "fast" (oc_session_stats)? */
bool axis_is_fast(const oc_session *s);
/* Binds the inputs, runs the session and frees it; s may be NULL if *e holds an error. */
void axis_run(const axis_check *c, oc_session *s, oc_error *e);
/* Begins an axis: runs the model with these options as the reference, keeps the values of its
 * nodes in c->trace, and reports the axis by its name and the description `about`. */
void axis_refer(axis_check *c, const char *axis, const char *about, oc_session_options options);
/* Returns the most bytes of values that a trace may keep. */
size_t axis_room(const axis_check *c);
/* Is the error a limit, a lack of memory or an interrupt? Such an error is not a result of the
 * compared run; it stops the check. */
bool axis_is_fatal(const oc_error *e);

/* Each function runs one axis and reports its rows. An error that stops the check is in
 * c->error. */
void axis_bodies(axis_check *c);
void axis_isa(axis_check *c);
void axis_threads(axis_check *c);
void axis_fusion(axis_check *c);
void axis_folding(axis_check *c);
void axis_memory(axis_check *c);
void axis_codes(axis_check *c);
void axis_unfused(axis_check *c);
/* The axis of --against, which names the other model. */
void axis_against(axis_check *c);
