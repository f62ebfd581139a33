/* SPDX-License-Identifier: Apache-2.0
 * sig_match.h - before any call: a node's attributes and arity, held against the signature. */
#pragma once

#include "ops/signature/sig.h"

/* Matches a node's attributes against the signature. bound[i] becomes the node's value
 * of the signature's attribute i. Unknown attributes that are no notes (oc_attr_is_note), wrong
 * kinds and missing required ones are errors; where names the node in them. */
oc_status oc_call_bind_attrs(const oc_sig *sig, const oc_attr *attr, int n_attr, const char *where,
                             const oc_attr **bound, oc_error *e);
/* Checks the numbers of inputs and outputs against the signature. */
oc_status oc_call_check_arity(const oc_sig *sig, int n_in, int n_out, const char *where,
                              oc_error *e);
