/* SPDX-License-Identifier: Apache-2.0
 * record_photograph.h - records the run of a network on one photograph (session/recorded.h). */
#pragma once

#include "predict/predictor.h"
#include "session/recorded.h"

/* What the network gets of the photograph. */
typedef struct photograph_record {
    const oc_model *network;
    inputs got;
} photograph_record;

/* The pointers are borrowed. Free with photograph_record_free. */
photograph_record photograph_record_new(const oc_model *network, const tensor_options *options);
void photograph_record_free(photograph_record *r);

/* Copies what a session of the predictor is bound to: the photograph, the one beside it on input
 * `second`, or NULL, and what predictor_bind has bound. What is no input of the network is left
 * out. */
void photograph_record_keep(photograph_record *r, const predictor *p, oc_value *photograph,
                            int second, const oc_value *beside, const predictor_values *v,
                            oc_error *e);
/* Runs the network by itself on what was kept, and on the values of `in` for its other inputs, and
 * writes the record of that run. run->model, in and ran need not be set. */
void photograph_record_write(photograph_record *r, const char *path, const inputs *in,
                             recorded_run *run, oc_error *e);
