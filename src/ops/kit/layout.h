/* SPDX-License-Identifier: Apache-2.0
 * layout.h - which layouts of its operands an operator takes: NCHW, or NCHW16c (oc_value.nchw16c).
 *
 * Convolutions, pools and what is computed element by element between them work in NCHW16c: a cache
 * line brings 16 channels of a pixel, and no row is too short for a vector.
 *
 *     oc_traits.layouts    says what a version's run function takes, for the types, dims and
 *                          attributes of a call. Without it, and without a stage, it takes NCHW.
 *     plan/layouts.c       chooses a layout for each value, and puts steps between that convert:
 *                          ToNCHW and ToNCHW16c
 *     call_run.c           brings operands that lie otherwise, since dims were not known when the
 *                          plan was made, into the layout that the run function takes
 *
 * So a run function finds its operands as its version says; whether output 0 is in NCHW16c tells
 * which way it is to work. Results are the same bits in either. */
#pragma once

#include "ops/kit/op.h"

/* Can a value of this type and these dims lie in NCHW16c: floats, halves of them, and 8-bit
 * integers? */
bool oc_nchw16c_fits(oc_type type, const oc_dims *dims);
/* As oc_nchw16c_fits, but false for 8-bit integers. */
bool oc_nchw16c_fits_real(oc_type type, const oc_dims *dims);
/* Does the operator run in NCHW16c? */
static inline bool oc_layouts_nchw16c(const oc_layouts *l)
{
    return OC_HAS_NCHW16C && (l->out || l->blocked);
}
/* Tells of an operator that runs in NCHW16c whether input i must (blocks) or may (leaves) be in
 * NCHW16c. */
bool oc_layouts_blocks(const oc_layouts *l, int i);
bool oc_layouts_leaves(const oc_layouts *l, int i);
/* Has inputs first .. n - 1 be in NCHW16c. If a set cannot hold them it returns false, and the
 * operator takes NCHW alone. */
bool oc_layouts_block(oc_layouts *l, int first, int n);

/* The oc_layouts_fn of elementwise operators: inputs with the dims of output 0 must be in
 * NCHW16c. */
oc_layouts_fn oc_elementwise_layouts;
/* The oc_layouts_fn of operators that take input 0 in NCHW16c and then give output 0 in NCHW16c,
 * whatever the attributes. */
oc_layouts_fn oc_same_layouts;
/* Asks the version of a call, by its own function or that of versions with a stage. The shape rule
 * must have run. */
oc_layouts oc_call_layouts(oc_call *c);

/* *x becomes v in the layout: v itself if it has it, else a copy in memory of the call. For the
 * kit. */
oc_status oc_in_layout(oc_call *c, const oc_value *v, bool nchw16c, oc_value *x);
/* *x becomes operand v of an elementwise operator, as an array that broadcasts with the array of
 * result y in memory. */
oc_status oc_in_form(oc_call *c, const oc_value *y, const oc_value *v, oc_value *x);
/* Copies elements from NCHW16c to NCHW, or back, on as many threads as the copy is worth. */
void oc_layout_copy(const oc_value *to, const oc_value *from, unsigned cpu, const oc_work *w);
/* Copies as oc_layout_copy does, by the processor and the threads of a call. */
void oc_call_copy_layout(const oc_call *c, const oc_value *to, const oc_value *from);

/* Replaces inputs whose layout is not the one that the run function takes (call_run.c). l is all 0
 * if it takes NCHW; nchw16c tells whether it runs in NCHW16c. */
oc_status oc_call_arrange(oc_call *c, const oc_layouts *l, bool nchw16c);

/* Operators that no model can name: those of steps that convert layouts, and of steps that look
 * codes up in a table of the plan. */
extern const oc_op oc_to_nchw[], oc_to_nchw16c[], oc_lookup[];
