/* SPDX-License-Identifier: Apache-2.0
 * layout.c - which values lie in NCHW16c, and how they get into NCHW16c and out. */
#include "ops/kit/layout.h"

#include "kernels/layout/nchw16c.h"
#include "ops/kit/call.h"

_Static_assert((int)OC_VALUE_BLOCK == (int)OC_BLOCK_CHANNELS,
               "kernels and values have the same lanes");

bool oc_nchw16c_suits(oc_type type, const oc_dims *dims)
{
    int64_t count;
    size_t bytes;
    if (type != OC_F32 || dims->rank < 3 || dims->rank >= OC_MAX_RANK)
        return false;
    const oc_dims in_memory = oc_value_block_dims(dims);
    return oc_dims_bytes(&in_memory, sizeof(float), &count, &bytes);
}

void oc_set_nchw16c(oc_call *c)
{
    oc_value *out = oc_out(c, 0);
    if (!c->planning && c->services->nchw16c)
        out->nchw16c = oc_nchw16c_suits(out->type, &out->dims);
}

void oc_nchw16c_pass_on(oc_call *c)
{
    oc_value *out = oc_out_or_null(c, 0);
    if (!out || out->data || out->type != OC_F32 || c->keeps_nchw)
        return;
    for (int i = 0; i < c->n_in; i++)
        out->nchw16c |= c->in[i] && c->in[i]->nchw16c &&
                        oc_sig_port_at(c->sig->in, c->sig->n_in, i)->tiled &&
                        oc_dims_equal(&c->in[i]->dims, &out->dims);
}

void oc_keep_nchw(oc_call *c)
{
    c->keeps_nchw = true;
}

/* ---- copies ---- */

typedef struct copy {
    const oc_value *to, *from;
    unsigned cpu;
    int64_t channels, blocks, pixels;
    int64_t strip, strips; /* pixels of a unit; units of a block of channels */
} copy;

static void run_strips(void *arg, int task, int64_t strip, int64_t end)
{
    const copy *t = arg;
    const oc_nchw16c_variant *v = oc_nchw16c_pick(oc_nchw16c_F32, t->cpu);
    (void)task;
    for (int64_t i = strip; i < end; i++) {
        const int64_t first = i % t->strips * t->strip, block = i / t->strips;
        const int64_t left = t->channels - block % t->blocks * OC_BLOCK_CHANNELS;
        const int64_t plane =
            block / t->blocks * t->channels + block % t->blocks * OC_BLOCK_CHANNELS;
        const int channels = left < OC_BLOCK_CHANNELS ? (int)left : OC_BLOCK_CHANNELS;
        const int64_t n = t->pixels - first < t->strip ? t->pixels - first : t->strip;
        const int64_t in_nchw = plane * t->pixels + first;
        const int64_t in_nchw16c = (block * t->pixels + first) * OC_BLOCK_CHANNELS;
        float *to = t->to->data;
        const float *from = t->from->data;
        if (t->to->nchw16c)
            v->in(to + in_nchw16c, from + in_nchw, t->pixels, channels, n);
        else
            v->out(to + in_nchw, t->pixels, from + in_nchw16c, channels, n);
    }
}

void oc_layout_copy(const oc_value *to, const oc_value *from, unsigned cpu, const oc_work *w)
{
    enum { STRIP = 1024 };
    const oc_dims *d = &from->dims;
    copy t = {.to = to,
              .from = from,
              .cpu = cpu,
              .channels = d->n[1],
              .blocks = oc_channel_blocks(d->n[1]),
              .pixels = oc_dims_product(d, 2, d->rank),
              .strip = STRIP};
    if (oc_dims_count(d) == 0)
        return;
    t.strips = (t.pixels + STRIP - 1) / STRIP;
    const oc_work some = oc_work_for(w, (double)oc_dims_count(d) * OC_ELEMENT);
    oc_work_run(&some, d->n[0] * t.blocks * t.strips, run_strips, &t);
}

void oc_call_copy_layout(const oc_call *c, const oc_value *to, const oc_value *from)
{
    const oc_services *s = c->services;
    const oc_work all = {&s->parallel, s->threads, 0, s->watch};
    oc_layout_copy(to, from, s->cpu, &all);
}

oc_status oc_in_nchw16c(oc_call *c, const oc_value *v, oc_value *nchw16c)
{
    *nchw16c = *v;
    if (v->nchw16c)
        return OC_OK;
    const oc_dims in_memory = oc_value_block_dims(&v->dims);
    OC_TRY(OC_SCRATCH_OF(c, nchw16c->data, oc_dims_count(&in_memory), sizeof(float)));
    nchw16c->buffer = NULL;
    nchw16c->nchw16c = true;
    oc_call_copy_layout(c, nchw16c, v);
    return OC_OK;
}

oc_status oc_in_nchw(oc_call *c, const oc_value *v, oc_value *planes)
{
    *planes = *v;
    if (!v->nchw16c)
        return OC_OK;
    OC_TRY(OC_SCRATCH_OF(c, planes->data, oc_value_n(v), sizeof(float)));
    planes->buffer = NULL;
    planes->nchw16c = false;
    oc_call_copy_layout(c, planes, v);
    return OC_OK;
}
