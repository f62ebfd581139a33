/* SPDX-License-Identifier: Apache-2.0
 * loader.h - bytes to models and back. This layer trusts nothing (see law 5 in ARCHITECTURE.md). */
#ifndef OC_LOADER_LOADER_H
#define OC_LOADER_LOADER_H

#include "graph/graph.h"

/* Fill an empty model (oc_model_new). bytes stay valid as long as the model; oc_load_bytes looks at
 * the content and calls gunzip, text or onnx, and begins errors of the text form with "text: "
 * where the model has no path; with a path its user puts that before all errors. None of them calls
 * oc_model_check. */
oc_status oc_load_file(oc_model *m, const char *path, oc_error *e);
oc_status oc_load_stream(oc_model *m, const oc_reader *in, oc_error *e);
oc_status oc_load_bytes(oc_model *m, const void *bytes, size_t size, oc_error *e);
oc_status oc_load_onnx(oc_model *m, const void *bytes, size_t size, oc_error *e);
oc_status oc_load_text(oc_model *m, const char *text, size_t size, oc_error *e);

/* Do the bytes begin like a binary model? Text does not, nor do most damaged models. */
bool oc_is_onnx(const void *bytes, size_t size);

/* A gzip stream decoded into the model's memory (counted against its cap). */
oc_status oc_gunzip(oc_model *m, const void *bytes, size_t size, void **out, size_t *out_size,
                    oc_error *e);

/* One TensorProto, SequenceProto or OptionalProto. Elements are allocated from pool or borrowed
 * from bytes; strings and *name from arena. */
oc_status oc_load_value(oc_pool *pool, oc_arena *arena, const void *bytes, size_t size,
                        oc_kind kind, oc_value *v, const char **name, oc_error *e);

/* Text pieces: one function ("<opset...> Name <attrs> (in) => (out) { ... }") into m's functions;
 * one typed tensor literal ("int32[2,2] {1, 2, 3, 4}"), whose end is stored in *end. */
oc_status oc_load_text_function(oc_model *m, const char *text, size_t size, oc_error *e);
oc_status oc_load_text_tensor(oc_pool *pool, oc_arena *arena, const char *text, size_t size,
                              oc_value *v, const char **end, oc_error *e);

/* Serialized forms. A node whose opset version is not the imported one cannot be written. */
oc_status oc_save_onnx(const oc_model *m, const oc_writer *out, oc_error *e);
oc_status oc_save_value(const oc_value *v, const char *name, const oc_writer *out, oc_error *e);

/* External data of a model with a folder: length bytes at offset of the file at location, mapped
 * until the model is freed. length -1: to the end. Refuses any path that could leave the folder. */
oc_status oc_external_data(oc_model *m, const char *location, int64_t offset, int64_t length,
                           const void **bytes, size_t *size, oc_error *e);

#endif
