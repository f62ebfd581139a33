/* SPDX-License-Identifier: Apache-2.0
 * recipe.h - how a network is given photographs: as its exporter tells, or as networks of its kind
 * are. */
#pragma once

#include "predict/decoders.h"
#include "metadata/metadata.h"
#include "session/image_args.h"

enum { RECIPE_WHY = 200 };

/* Returns what --preset tells, or else the exporter, or, if it tells nothing of resizing, the
 * decoder's preset; each other option that is given goes before the part that it names, and numbers
 * of the decoder's preset do not mix with given ones. why says
 * which of the latter two it is where --preset is not given. type is that of the input that takes
 * the photograph. */
image_options recipe_of(const image_args *given, const metadata *m, const decoder *d,
                        const outline *o, oc_type type, char why[RECIPE_WHY], oc_error *e);
/* The number of the decoder's preset among image_preset_names. */
int recipe_preset(const decoder *d);
