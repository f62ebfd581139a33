/* SPDX-License-Identifier: Apache-2.0
 * options.h - choices of a session that operators declare in their signatures.
 *
 * A text gives values, with blanks or commas between: "RoiAlign.max=bilinear,
 * com.me::Twist.turns=3". The operator reads an option as it reads an attribute. */
#ifndef OC_OPS_KIT_OPTIONS_H
#define OC_OPS_KIT_OPTIONS_H

#include "ops/kit/sig.h"

/* Checks that every part of the text names an operator, among the host's (NULL: none) or built in,
 * and an option that one of its versions declares. text NULL: nothing is given. */
oc_status oc_options_check(const char *text, const oc_op *host_ops, oc_sig_cache *sigs,
                           oc_error *e);

/* Sets bound[i] of every option i of the signature to the value that the text gives, in the arena,
 * else to its default. */
oc_status oc_options_bind(const char *text, const oc_sig *sig, oc_arena *arena,
                          const oc_attr **bound, oc_error *e);

#endif
