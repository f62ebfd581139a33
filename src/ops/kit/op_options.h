/* SPDX-License-Identifier: Apache-2.0
 * op_options.h - choices of a session that operators declare in their signatures.
 *
 * A text gives values, separated by blanks or commas: "RoiAlign.max=bilinear,
 * com.me::Twist.turns=3". The operator reads an option as it reads an attribute. */
#pragma once

#include "ops/signature/sig.h"

/* Checks that every setting in the text names an operator, one of the host's (host_ops may be NULL)
 * or a built-in one, and an option that a version of it declares. text may be NULL. */
oc_status oc_options_check(const char *text, const oc_op *host_ops, oc_sig_cache *sigs,
                           oc_error *e);

/* Sets bound[i] of each option i of the signature that the text gives; the value is in the arena.
 * Other entries keep the default that they have. The text must have passed oc_options_check. */
oc_status oc_options_bind(const char *text, const oc_sig *sig, oc_arena *arena,
                          const oc_attr **bound, oc_error *e);
