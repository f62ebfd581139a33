/* SPDX-License-Identifier: Apache-2.0
 * model_file.h - models written by the ending: .onnx, .onnx.gz, .onnxtxt. */
#ifndef TOOLS_FILES_MODEL_FILE_H
#define TOOLS_FILES_MODEL_FILE_H

#include "common/tool.h"

/* OC_ARGUMENT when the ending is none of these. "-" is text on standard output. */
void model_check_path(const char *path, oc_error *e);
void model_write(const oc_model *model, const char *path, oc_error *e);
/* Reports how writing out went, model being what was written, and returns the exit code. */
int model_written(const oc_model *model, const char *in, const char *out, bool json,
                  const oc_error *e);

#endif
