/* SPDX-License-Identifier: Apache-2.0
 * recorded_names.h - how a recorded run names the files beside it. */
#pragma once

#include "common/tool.h"

/* Is it a name that a record may have: a path from the record's folder downwards, with / between
 * names, none of them ".." or "."? So no record names a file that lies elsewhere. */
bool recorded_name_fits(const char *name);
/* Returns the name of the file at path in a record at `record`: its path below the record's folder
 * if both paths show that it lies there, else its own name alone. Free it with free. */
char *recorded_name(const char *record, const char *path);
/* Returns the path of a file of that name in the folder. Free it with free. */
char *recorded_path(const char *folder, const char *name);
