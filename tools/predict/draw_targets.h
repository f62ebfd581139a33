/* SPDX-License-Identifier: Apache-2.0
 * draw_targets.h - where drawn photographs and objects go that were cut out, and that they replace
 * nothing that is read. */
#pragma once

#include "map/many.h"

/* Is the text of -o the path of one file, by its ending, and no folder that exists? */
bool draw_is_file(const char *output);
/* OC_ARGUMENT unless there is one photograph, and neither it nor the model is at the path. */
void draw_check_file(const char *output, const file_list *files, const char *model, oc_error *e);
/* OC_ARGUMENT when objects of a photograph would go into the folder that it is in. */
void draw_check_crops(const char *crops, const file_list *files, oc_error *e);

/* Decides without --resume and --again what to do with the record of an earlier job in m->folder:
 * one of the same files is replaced, because nothing is left to go on with; one of other files and
 * the same settings goes on with these. Any other stays for many_begin, which refuses it. */
void draw_settle(const many *m, const settings *now, many_args *args);
