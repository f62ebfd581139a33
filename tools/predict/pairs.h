/* SPDX-License-Identifier: Apache-2.0
 * pairs.h - which photograph stands beside each one, for networks that take two: the next frame,
 * or what the other eye sees? */
#pragma once

#include "map/many.h"
#include "map/source.h"
#include "predict/predictor.h"

/* Takes the -i that names many files out of the list of all -i, and puts these files beside those
 * of the job, by their names (list.h). OC_ARGUMENT unless the pictures are one folder, pattern or
 * list, and one -i stands beside it. folders are those of results, which are not searched. Does
 * nothing when no -i names many files. */
void pairs_find(sources *s, args_list *given, const args_list *pictures, const args_list *folders,
                many *to, oc_error *e);
/* Returns the input that takes the photograph beside each: the one that the source names, else the
 * predictor's, unless an -i gives it a value for all photographs; -1: there is none.
 * OC_UNSUPPORTED for a network that takes several pairs at a time. */
int pairs_input(const predictor *p, const sources *s, const args_list *given, oc_error *e);
/* Puts the next file beside each of the list, and takes the last one off. OC_ARGUMENT when there is
 * one file alone. */
void pairs_of_frames(file_list *files, oc_error *e);
/* Says on standard error which two photographs are taken together. */
void pairs_say(const predictor *p, const sources *s, int second);
