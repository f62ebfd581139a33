/* SPDX-License-Identifier: Apache-2.0
 * recorded_fields.h - entries of a recorded run, which must be there and of their kind. */
#pragma once

#include "common/json_read.h"

/* Each returns NULL after an error, OC_FORMAT, which begins with place and key: "inputs[0].dims".
 * place is "" for the document itself; `of` may be of any kind. */
const json_value *recorded_entry(const json_value *of, const char *place, const char *key,
                                 json_kind kind, oc_error *e);
/* A text without zero bytes. */
const char *recorded_text(const json_value *of, const char *place, const char *key, oc_error *e);
const char *recorded_sha256(const json_value *of, const char *place, oc_error *e);
