/* SPDX-License-Identifier: Apache-2.0
 * model_file.h - writes a model in the format that the file's ending tells: .onnx, .onnx.gz,
 * .onnxtxt. */
#pragma once

#include "common/tool.h"

/* Sets OC_ARGUMENT when path has another ending. "-" means text on standard output. */
void model_check_path(const char *path, oc_error *e);
/* Checks the path and writes the model. */
void model_write(const oc_model *model, const char *path, oc_error *e);
/* Reports the result of writing model to the path out. model was made of the model `from`, which
 * came from the path in; from may be NULL, or model itself. If *e holds an error, reports that;
 * else the remarks of both, and with json a document about the model unless out is "-". Returns
 * the exit code. */
int model_written(const oc_model *from, const oc_model *model, const char *in, const char *out,
                  bool json, const oc_error *e);
