/* SPDX-License-Identifier: Apache-2.0
 * layout.c - which layouts operators take, and how values get from one to the other. */
#include "ops/kit/layout.h"

#include "kernels/layout/nchw16c_bytes.h"
#include "ops/kit/call.h"

#include <assert.h>

_Static_assert((int)OC_VALUE_BLOCK == (int)OC_BLOCK_CHANNELS,
               "kernels and values have blocks of one size");

/* Returns the kernels that bring elements of a type into NCHW16c and back; NULL: there are none. */
static const oc_nchw16c_variant *const *variants_of(oc_type type)
{
    switch (type) {
    case OC_F32:
        return oc_nchw16c_F32;
    case OC_F16:
    case OC_BF16:
        return oc_nchw16c_halves;
    case OC_U8:
    case OC_I8:
        return oc_nchw16c_bytes;
    default:
        return NULL;
    }
}

bool oc_nchw16c_fits(oc_type type, const oc_dims *dims)
{
    int64_t count;
    size_t bytes;
    if (!OC_HAS_NCHW16C || !variants_of(type) || dims->rank < 3 || dims->rank >= OC_MAX_RANK)
        return false;
    const oc_dims in_memory = oc_value_block_dims(dims);
    return oc_dims_bytes(&in_memory, oc_type_size(type), &count, &bytes);
}

static bool is_real(oc_type type)
{
    return type == OC_F32 || oc_type_is_half(type);
}

bool oc_nchw16c_fits_real(oc_type type, const oc_dims *dims)
{
    return is_real(type) && oc_nchw16c_fits(type, dims);
}

/* ---- what versions take ---- */

enum { MOST = 64 }; /* most inputs in a set */

static bool has(uint64_t set, int i)
{
    return i < MOST && (set >> i & 1);
}

bool oc_layouts_blocks(const oc_layouts *l, int i)
{
    return has(l->blocked, i);
}

bool oc_layouts_leaves(const oc_layouts *l, int i)
{
    return has(l->either, i);
}

bool oc_layouts_block(oc_layouts *l, int first, int n)
{
    if (n > MOST)
        *l = (oc_layouts){0};
    for (int i = first; i < n && n <= MOST; i++)
        l->blocked |= UINT64_C(1) << i;
    return n <= MOST;
}

static const oc_value *tensor_at(const oc_call *c, int i)
{
    const oc_value *v = oc_in_or_null(c, i);
    return v && v->kind == OC_TENSOR && is_real(v->type) ? v : NULL;
}

void oc_elementwise_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *y = oc_out_or_null(c, 0);
    if (!y || !oc_nchw16c_fits_real(y->type, &y->dims) || oc_n_in(c) > MOST)
        return;
    for (int i = 0; i < oc_n_in(c); i++) {
        const oc_value *x = tensor_at(c, i);
        if (x && oc_dims_equal(&x->dims, &y->dims))
            l->blocked |= UINT64_C(1) << i;
        else if (x && x->dims.rank == y->dims.rank && x->dims.n[1] == y->dims.n[1])
            l->either |= UINT64_C(1) << i;
    }
    l->out = l->blocked != 0;
}

void oc_same_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *x = tensor_at(c, 0), *y = oc_out_or_null(c, 0);
    l->out = x && y && oc_nchw16c_fits_real(x->type, &x->dims) &&
             oc_nchw16c_fits_real(y->type, &y->dims);
    l->blocked = l->out;
}

oc_layouts oc_call_layouts(oc_call *c)
{
    const oc_traits *traits = oc_call_traits(c);
    OC_UNUSED const void *const scratch = c->scratch;
    oc_layouts l = {0};
    if (c->as_planned || oc_call_compare(c))
        return oc_call_planned(c)->layouts;
    if (traits && traits->layouts)
        traits->layouts(c, &l);
    else if (traits && traits->stage)
        oc_elementwise_layouts(c, &l);
    assert(c->scratch == scratch); /* after a question alone nobody calls oc_call_release */
    return l;
}

/* ---- copies ---- */

typedef struct copy {
    const oc_value *to, *from;
    const oc_nchw16c_variant *kernel;
    int64_t elem; /* bytes of an element */
    int64_t channels, blocks, pixels;
    int64_t strip, strips; /* pixels of a strip, and strips of a block of channels */
} copy;

static void convert_strips(void *arg, OC_UNUSED int task, int64_t strip, int64_t end)
{
    const copy *t = arg;
    for (int64_t i = strip; i < end; i++) {
        const int64_t first = i % t->strips * t->strip, block = i / t->strips;
        const int64_t left = t->channels - block % t->blocks * OC_BLOCK_CHANNELS;
        const int64_t plane =
            block / t->blocks * t->channels + block % t->blocks * OC_BLOCK_CHANNELS;
        const int channels = left < OC_BLOCK_CHANNELS ? (int)left : OC_BLOCK_CHANNELS;
        const int64_t n = oc_min(t->pixels - first, t->strip);
        const int64_t in_nchw = (plane * t->pixels + first) * t->elem;
        const int64_t in_nchw16c = (block * t->pixels + first) * OC_BLOCK_CHANNELS * t->elem;
        char *to = t->to->data;
        const char *from = t->from->data;
        if (t->to->nchw16c)
            t->kernel->in(to + in_nchw16c, from + in_nchw, t->pixels, channels, n);
        else
            t->kernel->out(to + in_nchw, t->pixels, from + in_nchw16c, channels, n);
    }
}

void oc_layout_copy(const oc_value *to, const oc_value *from, unsigned cpu, const oc_work *w)
{
    enum { STRIP = 1024 };
    const oc_dims *d = &from->dims;
    if (!OC_HAS_NCHW16C || oc_dims_count(d) == 0)
        return;
    copy t = {.to = to,
              .from = from,
              .kernel = oc_nchw16c_pick(variants_of(from->type), cpu),
              .elem = (int64_t)oc_type_size(from->type),
              .channels = d->n[1],
              .blocks = oc_channel_blocks(d->n[1]),
              .pixels = oc_dims_product(d, 2, d->rank),
              .strip = STRIP};
    t.strips = oc_div_up(t.pixels, STRIP);
    const oc_work some = oc_work_for(w, (double)oc_dims_count(d) * OC_ELEMENT);
    oc_work_run(&some, d->n[0] * t.blocks * t.strips, convert_strips, &t);
}

void oc_call_copy_layout(const oc_call *c, const oc_value *to, const oc_value *from)
{
    const oc_services *s = c->services;
    const oc_work all = {&s->parallel, s->threads, 0, s->watch};
    oc_layout_copy(to, from, s->cpu, &all);
}

oc_status oc_in_layout(oc_call *c, const oc_value *v, bool nchw16c, oc_value *x)
{
    *x = *v;
    if (!OC_HAS_NCHW16C || v->nchw16c == nchw16c)
        return OC_OK;
    const oc_dims in_memory = nchw16c ? oc_value_block_dims(&v->dims) : v->dims;
    OC_TRY(OC_SCRATCH_OF(c, x->data, oc_dims_count(&in_memory), oc_type_size(v->type)));
    x->buffer = oc_scratch_buffer(c); /* an alias may refer to it */
    x->bound = false;
    x->nchw16c = nchw16c;
    oc_call_copy_layout(c, x, v);
    return OC_OK;
}

oc_status oc_in_form(oc_call *c, const oc_value *y, const oc_value *v, oc_value *x)
{
    if (!oc_is_nchw16c(y))
        return oc_in_layout(c, v, false, x);
    oc_value all = *v; /* v with all axes of y */
    if (v->nchw16c && (v->dims.rank != y->dims.rank || v->dims.n[1] != y->dims.n[1]))
        OC_TRY(oc_in_layout(c, v, false, &all));
    all.dims = y->dims;
    for (int a = 0; a < y->dims.rank; a++) {
        const int k = a - (y->dims.rank - v->dims.rank);
        all.dims.n[a] = k >= 0 ? v->dims.n[k] : 1;
    }
    *x = all;
    if (!all.nchw16c && all.dims.n[1] == 1) { /* v has one channel for all of y */
        x->dims.n[x->dims.rank++] = 1;
        return OC_OK;
    }
    OC_TRY(oc_in_layout(c, &all, true, x));
    *x = oc_value_in_memory(x);
    return OC_OK;
}

/* ---- calls whose operands lie otherwise ---- */

static bool is_misfit(const oc_call *c, const oc_layouts *l, bool nchw16c, int i)
{
    const oc_value *v = c->in[i];
    if (!OC_HAS_NCHW16C || !v || !v->data || v->kind != OC_TENSOR ||
        (nchw16c && oc_layouts_leaves(l, i)))
        return false;
    return v->nchw16c != (nchw16c && oc_layouts_blocks(l, i));
}

oc_status oc_call_arrange(oc_call *c, const oc_layouts *l, bool nchw16c)
{
    const oc_value **in = NULL;
    oc_value *own = NULL;
    for (int i = 0; i < c->op->n_in; i++) {
        if (!is_misfit(c, l, nchw16c, i))
            continue;
        if (!in) {
            OC_TRY(OC_SCRATCH(c, in, c->op->n_in));
            OC_TRY(OC_SCRATCH(c, own, c->op->n_in));
            for (int k = 0; k < c->op->n_in; k++)
                in[k] = c->in[k];
        }
        OC_TRY(oc_in_layout(c, c->in[i], !c->in[i]->nchw16c, &own[i]));
        in[i] = &own[i];
    }
    if (in)
        c->in = in;
    return OC_OK;
}

/* ---- steps that convert ---- */

static void any_layout(OC_UNUSED oc_call *c, oc_layouts *l)
{
    l->either = 1;
    l->out = true;
}

/* A value whose dims differ from those that the plan took for granted, and do not fit NCHW16c,
 * stays as it is. */
static oc_status convert(oc_call *c, bool nchw16c)
{
    const oc_value *x = oc_in(c, 0);
    OC_TRY(oc_same_shape(c));
    if (x->nchw16c == nchw16c || (nchw16c && !oc_nchw16c_fits(x->type, &x->dims)))
        return oc_alias(c);
    oc_out(c, 0)->nchw16c = nchw16c;
    OC_TRY(oc_alloc_out(c, 0));
    oc_call_copy_layout(c, oc_out(c, 0), x);
    return OC_OK;
}

OC_CALL_FN(to_nchw_run, convert(c, false))
OC_CALL_FN(to_nchw16c_run, convert(c, true))

const oc_op oc_to_nchw[] = {{1, "ocellus::ToNCHW (T X) => (T Y) | T: all_ir13", NULL, to_nchw_run,
                             OC_TRAITS(.layouts = any_layout)}};
const oc_op oc_to_nchw16c[] = {{1, "ocellus::ToNCHW16c (T X) => (T Y) | T: all_ir13", NULL,
                                to_nchw16c_run, OC_TRAITS(.layouts = any_layout)}};
