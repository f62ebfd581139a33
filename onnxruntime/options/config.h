/* SPDX-License-Identifier: Apache-2.0
 * config.h - what the entries of a session's options mean. */
#pragma once

#include "common/env.h"
#include "options/options.h"

/* Reads the entries of Ocellus' own, whose names begin with "ocellus.", and the one that says where
 * external data lies; logs a warning for each entry that nothing reads. */
OrtStatus *ort_config_read(const OrtSessionOptions *options, const OrtLogger *logger,
                           oc_model_options *model, oc_session_options *session);
