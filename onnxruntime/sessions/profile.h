/* SPDX-License-Identifier: Apache-2.0
 * profile.h - a trace of runs as a file that browsers and Perfetto show: a JSON array of events. */
#pragma once

#include "common/status.h"

#include <ocellus_model.h>

typedef struct ort_profile ort_profile;

/* Begins a file PREFIX_YYYY-MM-DD_HH-MM-SS_MMM.json. */
OrtStatus *ort_profile_new(const char *prefix, ort_profile **out);
/* ort_profile_clock returns nanoseconds of a clock that only moves forward; ort_profile_start
 * returns when the profile began, in nanoseconds since 1970. */
uint64_t ort_profile_clock(void);
uint64_t ort_profile_start(const ort_profile *profile);
/* Writes an event that began at begin, by ort_profile_clock, and ends now. ONNX Runtime's tools
 * know the names "model_loading_uri", "session_initialization" and "model_run". A profile that is
 * NULL is ignored. */
void ort_profile_span(ort_profile *profile, const char *name, uint64_t begin);
/* Writes an event of oc_observer.on_node. Any thread may call it. */
void ort_profile_node(ort_profile *profile, const oc_node_event *event);
/* Ends the file, and returns its name, which the caller frees. Returns NULL where the file could
 * not be written, has ended before, or profile is NULL. */
char *ort_profile_end(ort_profile *profile);
/* Frees the profile, and ends its file where nobody has. NULL is ignored. */
void ort_profile_free(ort_profile *profile);
