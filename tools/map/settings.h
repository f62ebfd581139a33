/* SPDX-License-Identifier: Apache-2.0
 * settings.h - what the results of a job depend on, besides the files it runs on, so that two jobs
 * can be compared. */
#ifndef TOOLS_MAP_SETTINGS_H
#define TOOLS_MAP_SETTINGS_H

#include "session/inputs.h"
#include "session/session_args.h"

/* Starts as all zero. */
typedef struct settings {
    char **item; /* "NAME VALUE", NAME without a blank; a value that is left out is "-" */
    int n;
} settings;

/* What decides only how fast the results come is not in it. Of files it has checksums, not paths;
 * of a model from standard input ("-") none. */
settings settings_of(const char *model, const input_args *input, const inputs *in,
                     const session_args *session, const char *format, int64_t batch, oc_error *e);
/* What differs, as in "--batch was 1, is 2; --seed was 0, is 7": before holds the settings of an
 * earlier job. NULL: nothing does. Free with free. */
char *settings_difference(const settings *before, const settings *now);
void settings_add(settings *s, char *item); /* takes ownership of item */
void settings_free(settings *s);

#endif
