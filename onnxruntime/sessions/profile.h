/* SPDX-License-Identifier: Apache-2.0
 * profile.h - a trace of runs as a file that browsers and Perfetto show: a JSON array of events. */
#ifndef ORT_PROFILE_H
#define ORT_PROFILE_H

#include "common/status.h"

#include <ocellus_model.h>

typedef struct ort_profile ort_profile;

/* Begins a file PREFIX_YYYY-MM-DD_HH-MM-SS_MMM.json. */
OrtStatus *ort_profile_new(const char *prefix, ort_profile **out);
/* Nanoseconds of the clock that times are told by, and when the profile began. */
uint64_t ort_profile_clock(void);
uint64_t ort_profile_start(const ort_profile *profile);
/* What a session has done, which began then and has ended now: ONNX Runtime's tools know
 * "model_loading_uri", "session_initialization" and "model_run". NULL: there is no profile. */
void ort_profile_span(ort_profile *profile, const char *name, uint64_t begin);
/* An event of oc_observer.on_node, on any thread. */
void ort_profile_node(ort_profile *profile, const oc_node_event *event);
/* Ends the file, to which nothing is told any more; its name is the caller's, for free(). NULL: it
 * could not be written, or has ended before, or there is none. */
char *ort_profile_end(ort_profile *profile);
/* Ends it too, where nobody has. NULL is allowed. */
void ort_profile_free(ort_profile *profile);

#endif
