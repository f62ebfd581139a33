/* SPDX-License-Identifier: Apache-2.0
 * lanes.h - values between operators whose channels lie 16 side by side (oc_value.lanes).
 *
 * Convolutions, pools and what is computed element by element between them work in lanes: a cache
 * line brings 16 channels of a pixel, and no row is too short for a vector. A signature marks the
 * inputs that an operator takes in either form with "^"; the runtime brings all other inputs into
 * planes before the call. So an operator that knows nothing of lanes never meets them.
 *
 * Where an operator works element by element ("*", tail.h) and such an input is in lanes and has
 * the type and dims of output 0, output 0 is in lanes too. Another output is only if the shape rule
 * says so by oc_set_lanes. Results are the same bits in either form. */
#ifndef OC_OPS_KIT_LANES_H
#define OC_OPS_KIT_LANES_H

#include "ops/kit/op.h"

/* Can a value of this type and these dims lie in lanes? */
bool oc_lanes_suit(oc_type type, const oc_dims *dims);
/* For shape rules, after oc_set_out: output 0 will be in lanes if it can be and the session has
 * them. */
void oc_set_lanes(oc_call *c);
/* For shape rules of operators that work element by element but not in this case: output 0 will not
 * be in lanes, whatever the inputs are. */
void oc_keep_planes(oc_call *c);
/* Sets output 0 in lanes where the rule above says so. For call.c. */
void oc_lanes_pass_on(oc_call *c);

/* The value in the other form: its elements are in scratch memory of the call unless *v has that
 * form. */
oc_status oc_in_lanes(oc_call *c, const oc_value *v, oc_value *lanes);
oc_status oc_in_planes(oc_call *c, const oc_value *v, oc_value *planes);

/* Copies the elements of a value in lanes to one in planes, or back, by as many of the threads as
 * it is worth. */
void oc_lanes_copy(const oc_value *to, const oc_value *from, unsigned cpu,
                   const oc_parallel *parallel, int threads, oc_watch *watch);

#endif
