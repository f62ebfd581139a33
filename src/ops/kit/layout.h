/* SPDX-License-Identifier: Apache-2.0
 * layout.h - values between operators whose channels lie 16 side by side (oc_value.nchw16c).
 *
 * Convolutions, pools and what is computed element by element between them work in NCHW16c: a cache
 * line brings 16 channels of a pixel, and no row is too short for a vector. A signature marks the
 * inputs that an operator takes in either form with "^"; the runtime brings all other inputs into
 * planes before the call. So an operator that knows nothing of nchw16c never meets them.
 *
 * Where an operator works element by element ("*", epilogue.h) and such an input is in NCHW16c and
 * has the type and dims of output 0, output 0 is in NCHW16c too. Another output is only if the
 * shape rule says so by oc_set_nchw16c. Results are the same bits in either form. */
#ifndef OC_OPS_KIT_LAYOUT_H
#define OC_OPS_KIT_LAYOUT_H

#include "ops/kit/op.h"

/* Can a value of this type and these dims lie in NCHW16c? */
bool oc_nchw16c_suits(oc_type type, const oc_dims *dims);
/* For shape rules, after oc_set_out: output 0 will be in NCHW16c if it can be and the session has
 * them. */
void oc_set_nchw16c(oc_call *c);
/* For shape rules of operators that work element by element but not in this case: output 0 will not
 * be in NCHW16c, whatever the inputs are. */
void oc_keep_nchw(oc_call *c);
/* Sets output 0 in NCHW16c where the rule above says so. For call.c. */
void oc_nchw16c_pass_on(oc_call *c);

/* The value in the other form: its elements are in scratch memory of the call unless *v has that
 * form. */
oc_status oc_in_nchw16c(oc_call *c, const oc_value *v, oc_value *nchw16c);
oc_status oc_in_nchw(oc_call *c, const oc_value *v, oc_value *planes);

/* Copies the elements of a value in NCHW16c to one in NCHW, or back, by as many of the threads as
 * it is worth. */
void oc_layout_copy(const oc_value *to, const oc_value *from, unsigned cpu, const oc_work *w);
/* The same in a call. */
void oc_call_copy_layout(const oc_call *c, const oc_value *to, const oc_value *from);

#endif
