/* SPDX-License-Identifier: Apache-2.0
 * save_test.h - writes a model, its inputs and its outputs as a test in the layout of ONNX's
 * backend tests. */
#pragma once

#include "session/inputs.h"

/* OC_ARGUMENT if the dir of an option exists and is not an empty folder. Call it before a run,
 * so that no run is wasted. dir may be NULL. */
void save_test_check(const char *option, const char *dir, oc_error *e);
/* Returns the folder in dir for the values. Free it with free. */
char *save_test_data_dir(const char *dir);
/* Writes dir/model.onnx, with external data inside, and in dir/test_data_set_0 the inputs that have
 * a value, input_N.pb, and all outputs of the session's last run, output_N.pb, each with its name.
 * session NULL: no outputs. A model of more than 2 GiB is OC_LIMIT. */
void save_test_write(const char *dir, const oc_model *model, const inputs *in,
                     const oc_session *session, oc_error *e);
