/* SPDX-License-Identifier: Apache-2.0
 * answer_read.h - takes an answer from what a session has computed. */
#pragma once

#include "files/text_build.h"
#include "answer/answer.h"
#include "predict/signature.h"

enum { ANSWER_MOST = 1 << 24 }; /* largest axis of an output of a decoder */

/* Sets the arrays and sizes of *a to what the session's last run gave for photograph k of those
 * that ran at a time: the outputs of its decoder are k-th among the model's first ones, in the
 * order of the signature. Arrays last until the session's next run. Letters become labels. OC_SHAPE
 * when sizes of outputs contradict each other. */
void answer_read(answer *a, const oc_session *session, const signature *gives, int k, oc_error *e);
/* Declares a decoder's output as ONNX text does: "float[n,4] boxes". end: what the names of it and
 * of its axes end with. */
void answer_declare(const char *output, const char *end, text_build *to);
