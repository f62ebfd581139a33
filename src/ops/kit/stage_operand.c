/* SPDX-License-Identifier: Apache-2.0
 * stage_operand.c - decides the forms of the operands of stages, and finds their elements. */
#include "ops/kit/stage_operand.h"

#include "ops/kit/call.h"
#include "ops/kit/layout.h"

enum {
    BLOCK = OC_VALUE_BLOCK,
    SHORT_RUN = 256 /* elements for which a call of each stage is not worth while */
};

/* ---- forms ---- */

/* Has v, with leading axes of 1, size 1 on all axes but channels and perhaps images? */
static bool is_per_channel(const oc_value *v, const oc_dims *y)
{
    const int front = y->rank - v->dims.rank;
    for (int a = 0; a < v->dims.rank; a++)
        if (v->dims.n[a] != (a + front <= 1 ? y->n[a + front] : 1) &&
            !(a + front == 0 && v->dims.n[a] == 1))
            return false;
    return front <= 1;
}

/* *v becomes the same in floats: what is so small beside the result that all of it is converted. */
static oc_status widen_all(oc_call *c, oc_value *v)
{
    const oc_value from = oc_is_nchw16c(v) ? oc_value_in_memory(v) : *v;
    const void *floats;
    OC_TRY(oc_as_type(c, OC_F32, v->data, v->type, oc_value_n(&from), &floats));
    v->data = (void *)(uintptr_t)floats;
    v->type = OC_F32;
    return OC_OK;
}

/* Has the operand a buffer of its own? */
static bool take_buffer(int *buffers, oc_stage_operand *x)
{
    x->buffer = (*buffers)++;
    return x->buffer < OC_STAGE_BUFFERS;
}

/* The elements of v are widened strip by strip, in a buffer of their own, if they are halves. */
static bool decide_half(const oc_value *v, unsigned cpu, int *buffers, oc_stage_operand *x)
{
    if (v->type == OC_F32)
        return true;
    x->half = oc_half_pick(v->type, cpu);
    return take_buffer(buffers, x);
}

/* The dims of an operand with a number for each channel, with all axes of y. */
static oc_dims channel_dims(const oc_value *v, const oc_dims *y)
{
    oc_dims d = {y->rank, {v->dims.rank == y->rank ? v->dims.n[0] : 1, y->n[1]}};
    for (int a = 2; a < y->rank; a++)
        d.n[a] = 1;
    return d;
}

static bool decide_in_nchw16c(const oc_value *v, const oc_dims *y, unsigned cpu, int *buffers,
                              oc_stage_operand *x)
{
    if (x->kind == OC_OF_PLACES)
        return decide_half(v, cpu, buffers, x);
    if (!is_per_channel(v, y))
        return false;
    const oc_dims d = channel_dims(v, y);
    x->blocks = d.n[0] * oc_value_block_dims(&d).n[1];
    return take_buffer(buffers, x);
}

static oc_status fill_in_nchw16c(oc_call *c, const oc_value *v, oc_stage_operand *x)
{
    const oc_dims *y = &c->out[0]->dims;
    oc_value all = *v, nchw16c; /* all: with all axes of y, whose nchw16c are along another axis */
    if (oc_is_nchw16c(v) && v->dims.rank != y->rank)
        OC_TRY(oc_in_layout(c, v, false, &all));
    if (x->kind == OC_OF_CHANNEL) {
        all.dims = channel_dims(v, y);
        OC_TRY(widen_all(c, &all));
    }
    OC_TRY(oc_in_layout(c, &all, true, &nchw16c));
    x->data = nchw16c.data;
    return OC_OK;
}

/* Sets period and run: does v have the axes of y from one on to another, and size 1 beside them? */
static bool is_periodic(const oc_value *v, const oc_dims *y, oc_stage_operand *x)
{
    const int front = y->rank - v->dims.rank;
    int first = 0, end = v->dims.rank;
    while (first < end && v->dims.n[first] == 1)
        first++;
    while (end > first && v->dims.n[end - 1] == 1)
        end--;
    for (int a = first; a < end; a++)
        if (front < 0 || v->dims.n[a] != y->n[a + front])
            return false;
    x->period = oc_value_n(v);
    x->run = front < 0 ? 1 : oc_dims_product(y, end + front, y->rank);
    return front >= 0;
}

/* A row that a buffer has again and again. */
static bool is_short(const oc_stage_operand *x)
{
    return x->kind == OC_OF_ROW && x->period <= OC_STRIP;
}

/* Makes of the row x->data a row of its own that goes on as long as a strip that begins anywhere in
 * the first `period` elements. */
static oc_status repeat_row(oc_call *c, oc_stage_operand *x)
{
    const int64_t end = oc_min(oc_value_n(c->out[0]), OC_STRIP) + x->period;
    float *row;
    OC_TRY(OC_SCRATCH(c, row, end));
    for (int64_t i = 0; i < end; i += x->period)
        memcpy(row + i, x->data, (size_t)oc_min(end - i, x->period) * sizeof *row);
    x->data = row;
    return OC_OK;
}

static bool decide_in_nchw(const oc_value *v, const oc_dims *y, unsigned cpu, int *buffers,
                           oc_stage_operand *x)
{
    if (x->kind == OC_OF_PLACES)
        return decide_half(v, cpu, buffers, x);
    if (!is_periodic(v, y, x) || (x->run > 1 && x->run < SHORT_RUN))
        return false;
    x->kind = x->run == 1 ? OC_OF_ROW : OC_OF_PLANE;
    if (is_short(x)) /* a row of its own is counted as a buffer */
        return ++*buffers <= OC_STAGE_BUFFERS;
    return x->kind == OC_OF_PLANE || decide_half(v, cpu, buffers, x);
}

static oc_status fill_in_nchw(oc_call *c, const oc_value *v, oc_stage_operand *x)
{
    oc_value nchw;
    OC_TRY(oc_in_layout(c, v, false, &nchw));
    if (x->kind == OC_OF_PLANE || is_short(x))
        OC_TRY(widen_all(c, &nchw));
    x->data = nchw.data;
    return is_short(x) ? repeat_row(c, x) : OC_OK;
}

bool oc_stage_operand_decide(const oc_value *v, const oc_value *y, unsigned cpu, int *buffers,
                             oc_stage_operand *x)
{
    *x = (oc_stage_operand){.kind = OC_OF_ONE, .buffer = -1};
    if (v->type != OC_F32 && !oc_type_is_half(v->type))
        return false;
    if (oc_value_n(v) == 1 && !oc_is_nchw16c(v) && oc_value_n(y) > 1)
        return true;
    x->kind = oc_dims_equal(&v->dims, &y->dims) ? OC_OF_PLACES : OC_OF_CHANNEL;
    return (oc_is_nchw16c(y) ? decide_in_nchw16c : decide_in_nchw)(v, &y->dims, cpu, buffers, x);
}

oc_status oc_stage_operand_fill(oc_call *c, const oc_value *v, oc_stage_operand *x)
{
    if (x->kind != OC_OF_ONE)
        return (oc_is_nchw16c(c->out[0]) ? fill_in_nchw16c : fill_in_nchw)(c, v, x);
    x->data = v->data;
    oc_convert_fast(oc_call_cpu(c), &x->one, OC_F32, v->data, v->type, 1);
    return OC_OK;
}

/* ---- elements ---- */

int64_t oc_stage_operand_reach(const oc_stage_operand *x, int64_t at, int64_t n)
{
    const bool is_long = x->kind == OC_OF_ROW && !is_short(x);
    const int64_t left = is_long                  ? x->period - at % x->period
                         : x->kind == OC_OF_PLANE ? x->run - at % x->run
                                                  : n;
    return oc_min(left, n);
}

void oc_stage_operand_repeat(const oc_stage_operand *x, int64_t block, int64_t n, float *buffer)
{
    const float *from = (const float *)x->data + block % x->blocks * BLOCK;
    for (int64_t i = 0; i < n; i += BLOCK)
        memcpy(buffer + i, from, BLOCK * sizeof *from);
}

/* n elements from number `first` on, as floats. */
static const float *elements(const oc_stage_operand *x, int64_t first, int64_t n, float *buffer)
{
    if (!x->half)
        return (const float *)x->data + first;
    x->half->widen(buffer, (const uint16_t *)x->data + first, n);
    return buffer;
}

const float *oc_stage_operand_at(const oc_stage_operand *x, int64_t at, int64_t n, float *buffer,
                                 int64_t *step)
{
    *step = x->kind != OC_OF_ONE && x->kind != OC_OF_PLANE;
    switch (x->kind) {
    case OC_OF_PLACES:
        return elements(x, at, n, buffer);
    case OC_OF_CHANNEL:
        return buffer;
    case OC_OF_ROW:
        return elements(x, at % x->period, n, buffer);
    case OC_OF_PLANE:
        return (const float *)x->data + at / x->run % x->period;
    default:
        return &x->one;
    }
}
