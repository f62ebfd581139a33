/* SPDX-License-Identifier: Apache-2.0
 * attributes.h - which attribute of the signature has a name? */
#ifndef OC_OPS_KIT_ATTRIBUTES_H
#define OC_OPS_KIT_ATTRIBUTES_H

#include "ops/kit/call.h"

/* Returns the place of the attribute in the signature; -1: it has no such attribute. */
int oc_call_attr_index(const oc_call *c, const char *name);

#endif
