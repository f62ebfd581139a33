/* SPDX-License-Identifier: Apache-2.0
 * loader.h - turns bytes into models and back.
 *
 * This layer trusts no input (see law 5 in ARCHITECTURE.md). */
#pragma once

#include "graph/graph.h"

#include <ocellus_model.h>

/* The next functions fill an empty model (oc_model_new). None of them calls oc_model_check. bytes
 * must stay valid as long as the model. oc_load_bytes detects gzip, text and binary ONNX and calls
 * the loader for it. If the model has no path, it puts "text: " before errors of the text form; if
 * it has one, the caller puts the path before all errors. */
oc_status oc_load_file(oc_model *m, const char *path, oc_error *e);
oc_status oc_load_stream(oc_model *m, const oc_reader *in, oc_error *e);
oc_status oc_load_bytes(oc_model *m, const void *bytes, size_t size, oc_error *e);
oc_status oc_load_onnx(oc_model *m, const void *bytes, size_t size, oc_error *e);
oc_status oc_load_text(oc_model *m, const char *text, size_t size, oc_error *e);

/* Do the bytes begin like a binary model? Text does not, and most damaged models do not. */
bool oc_is_onnx(const void *bytes, size_t size);

/* Returns the name of the format that bytes look like, such as "JPEG"; NULL when they look like
 * no known format. It is for errors only, because a model may begin alike. */
const char *oc_foreign_format(const void *bytes, size_t size);

/* Decodes a gzip stream into memory that counts against the model's cap and lives as long as the
 * model. */
oc_status oc_gunzip(oc_model *m, const void *bytes, size_t size, void **out, size_t *out_size,
                    oc_error *e);

/* Reads one TensorProto, SequenceProto or OptionalProto, as kind says. The caller owns *v, whose
 * elements come from pool; strings and *name are in arena. */
oc_status oc_load_value(oc_pool *pool, oc_arena *arena, const void *bytes, size_t size,
                        oc_kind kind, oc_value *v, const char **name, oc_error *e);

/* Parts of the text form. oc_load_text_function adds one function ("<opset...> Name <attrs> (in) =>
 * (out) { ... }") to m. oc_load_text_tensor reads one tensor literal with its type ("int32[2,2] {1,
 * 2, 3, 4}") and stores where it ends in *end. */
oc_status oc_load_text_function(oc_model *m, const char *text, size_t size, oc_error *e);
oc_status oc_load_text_tensor(oc_pool *pool, oc_arena *arena, const char *text, size_t size,
                              oc_value *v, const char **end, oc_error *e);

/* Write a model or a value as binary ONNX. A model in which the opset version of a node differs
 * from the imported one cannot be written (OC_UNSUPPORTED). */
oc_status oc_save_onnx(const oc_model *m, const oc_writer *out, oc_error *e);
oc_status oc_save_value(const oc_value *v, const char *name, const oc_writer *out, oc_error *e);

/* Where external data are, as collected from keys and values. Start with OC_EXTERNAL_PLACE. */
typedef struct oc_external_place {
    const char *location;   /* NULL: no key gave it */
    int64_t offset, length; /* length -1: no key gave it, and the size of the tensor counts */
    unsigned given;         /* one bit for each key that was given */
} oc_external_place;
#define OC_EXTERNAL_PLACE ((oc_external_place){NULL, 0, -1, 0})

/* Takes one key and its value, which must live as long as the place. It is an error when a key
 * of ONNX is given twice, or when its number is not a number >= 0. Other keys are ignored. */
oc_status oc_external_entry(oc_external_place *p, const char *key, const char *value, oc_error *e);

/* Finds length bytes at offset in the external data called location; length -1 means all bytes
 * from offset on. They stay valid until the model is freed. options.external opens the location.
 * If it is NULL, or if it refuses and the model has a folder, location is a file below that
 * folder; for a model without a folder, a file below options.external_dir. Files are mapped. A
 * path that could leave the folder is refused, but a link may lead to a file below the folder of
 * the real model file, or below the real external_dir. */
oc_status oc_external_data(oc_model *m, const char *location, int64_t offset, int64_t length,
                           const void **bytes, size_t *size, oc_error *e);
/* Notes why the tensor called name, "" if that is not known, is left without elements. */
oc_status oc_external_lost(oc_model *m, const char *name, const oc_error *why, oc_error *e);
