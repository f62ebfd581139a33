/* SPDX-License-Identifier: Apache-2.0
 * settings.h - what the results of a job depend on besides its files, so that two jobs can be
 * compared. */
#pragma once

#include "session/inputs.h"
#include "session/session_args.h"

/* Starts as all zero. */
typedef struct settings {
    char **item; /* "NAME VALUE", NAME without a blank; "-" stands for a value that is not given */
    int n;
} settings;

/* Collects the settings. What only decides how fast the results come is left out. Files count by
 * checksums, not by paths; a model from standard input ("-") does not count. */
settings settings_of(const char *model, const input_args *input, const inputs *in,
                     const session_args *session, const char *format, int64_t batch, oc_error *e);
/* Returns what differs, as in "--batch was 1, is 2; --seed was 0, is 7"; before holds the
 * settings of an earlier job. NULL: nothing differs. Free it with free. */
char *settings_difference(const settings *before, const settings *now);
void settings_add(settings *s, char *item); /* takes ownership of item */
void settings_free(settings *s);
