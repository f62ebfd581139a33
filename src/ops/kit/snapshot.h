/* SPDX-License-Identifier: Apache-2.0
 * snapshot.h - which elements must stay as they are while a call checks, allocates and runs?
 *
 * Inputs of the host are borrowed, and another thread of the host may change them meanwhile; so may
 * another process change a mapped file. Of an input whose elements tell sizes or places, shape and
 * run see one copy, which is the call's own: what was checked is what is used. */
#pragma once

#include "ops/kit/call.h"

/* Replaces inputs whose elements decide by copies, if c->op->wants_snapshot. */
oc_status oc_call_snapshot(oc_call *c);
