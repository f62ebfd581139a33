/* SPDX-License-Identifier: Apache-2.0
 * exercise.h - all that a host may do with a model that it does not trust, under small limits. A
 * rule that is broken ends the process with a message. */
#pragma once

#include <ocellus.h>

/* Loads the bytes, in whatever form; asks the model everything, saves it in both forms and reads it
 * again, runs it twice by each policy, expands it, and runs what that gives. The processor time of
 * the whole stays below two seconds. */
void exercise(const void *bytes, size_t size);
