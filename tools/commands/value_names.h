/* SPDX-License-Identifier: Apache-2.0
 * value_names.h - values of a model as a person names them on the command line. */
#pragma once

#include "common/args.h"
#include "common/index.h"

/* The values of a model, by name. */
typedef struct value_names {
    const char **item; /* borrowed from the model: names in the main graph first, then the others */
    int n, n_main;
    text_index number; /* maps each name to its index in item */
} value_names;

/* Fills names from the model. Free with value_names_free, also after an error. */
void value_names_read(value_names *names, const oc_model *m, oc_error *e);
void value_names_free(value_names *names);

/* Adds the names that an option lists, NAME[,NAME...], to *list, which holds *n names borrowed
 * from the model. A text that is a name as a whole, commas included, is that name. OC_ARGUMENT
 * for an unknown name, a name that only a graph within a node has, and a name that comes twice.
 * Free *list with free. */
void value_names_take(const value_names *names, const char *option, const args_list *given,
                      const char ***list, int *n, oc_error *e);
