/* SPDX-License-Identifier: Apache-2.0
 * attributes.h - which attribute of the signature has a name? */
#pragma once

#include "ops/kit/call.h"

/* The attribute's place in the signature, -1 without it. */
int oc_call_attr_index(const oc_call *c, const char *name);
