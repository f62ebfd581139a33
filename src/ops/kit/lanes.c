/* SPDX-License-Identifier: Apache-2.0
 * lanes.c - which values lie in lanes, and how they get into lanes and out. */
#include "ops/kit/lanes.h"

#include "kernels/common/lanes.h"
#include "kernels/common/share.h"
#include "ops/kit/call.h"

_Static_assert((int)OC_VALUE_LANES == (int)OC_LANE_FLOATS,
               "kernels and values have the same lanes");

bool oc_lanes_suit(oc_type type, const oc_dims *dims)
{
    int64_t count;
    size_t bytes;
    if (type != OC_F32 || dims->rank < 3 || dims->rank >= OC_MAX_RANK)
        return false;
    const oc_dims in_memory = oc_value_lane_dims(dims);
    return oc_dims_bytes(&in_memory, sizeof(float), &count, &bytes);
}

void oc_set_lanes(oc_call *c)
{
    oc_value *out = oc_out(c, 0);
    if (!c->planning && c->services->lanes)
        out->lanes = oc_lanes_suit(out->type, &out->dims);
}

void oc_lanes_pass_on(oc_call *c)
{
    oc_value *out = oc_out_or_null(c, 0);
    if (!out || out->data || out->type != OC_F32 || c->keeps_planes)
        return;
    for (int i = 0; i < c->n_in; i++)
        out->lanes |= c->in[i] && c->in[i]->lanes &&
                      oc_sig_port_at(c->sig->in, c->sig->n_in, i)->tiled &&
                      oc_dims_equal(&c->in[i]->dims, &out->dims);
}

void oc_keep_planes(oc_call *c)
{
    c->keeps_planes = true;
}

/* ---- copies ---- */

typedef struct copy {
    const oc_value *to, *from;
    unsigned cpu;
    int64_t channels, blocks, pixels;
    int64_t strip, strips; /* pixels of a unit; units of a block of channels */
    int tasks;
    oc_watch *watch;
} copy;

static void run_task(void *arg, int task)
{
    const copy *t = arg;
    const oc_lanes_variant *v = oc_lanes_pick(oc_lanes_F32, t->cpu);
    const oc_span span = oc_share(t->to->dims.n[0] * t->blocks * t->strips, t->tasks, task);
    for (int64_t i = span.first; i < span.end && oc_watch_ask(t->watch); i++) {
        const int64_t first = i % t->strips * t->strip, block = i / t->strips;
        const int64_t left = t->channels - block % t->blocks * OC_LANE_FLOATS;
        const int64_t plane = block / t->blocks * t->channels + block % t->blocks * OC_LANE_FLOATS;
        const int channels = left < OC_LANE_FLOATS ? (int)left : OC_LANE_FLOATS;
        const int64_t n = t->pixels - first < t->strip ? t->pixels - first : t->strip;
        const int64_t in_planes = plane * t->pixels + first;
        const int64_t in_lanes = (block * t->pixels + first) * OC_LANE_FLOATS;
        float *to = t->to->data;
        const float *from = t->from->data;
        if (t->to->lanes)
            v->in(to + in_lanes, from + in_planes, t->pixels, channels, n);
        else
            v->out(to + in_planes, t->pixels, from + in_lanes, channels, n);
    }
}

void oc_lanes_copy(const oc_value *to, const oc_value *from, unsigned cpu,
                   const oc_parallel *parallel, int threads, oc_watch *watch)
{
    enum { STRIP = 1024 };
    const oc_dims *d = &from->dims;
    copy t = {.to = to,
              .from = from,
              .cpu = cpu,
              .channels = d->n[1],
              .blocks = oc_lane_blocks(d->n[1]),
              .pixels = oc_dims_product(d, 2, d->rank),
              .strip = STRIP,
              .watch = watch};
    if (oc_dims_count(d) == 0)
        return;
    t.strips = (t.pixels + STRIP - 1) / STRIP;
    threads = oc_share_threads((double)oc_dims_count(d) * OC_ELEMENT, threads);
    t.tasks = oc_share_tasks(d->n[0] * t.blocks * t.strips, threads);
    oc_parallel_run(parallel, t.tasks, run_task, &t);
}

static void copy_in_call(const oc_call *c, const oc_value *to, const oc_value *from)
{
    oc_lanes_copy(to, from, oc_call_cpu(c), oc_call_parallel(c), oc_call_threads(c),
                  oc_call_watch(c));
}

oc_status oc_in_lanes(oc_call *c, const oc_value *v, oc_value *lanes)
{
    *lanes = *v;
    if (v->lanes)
        return OC_OK;
    const oc_dims in_memory = oc_value_lane_dims(&v->dims);
    OC_TRY(OC_SCRATCH_OF(c, lanes->data, oc_dims_count(&in_memory), sizeof(float)));
    lanes->buffer = NULL;
    lanes->lanes = true;
    copy_in_call(c, lanes, v);
    return OC_OK;
}

oc_status oc_in_planes(oc_call *c, const oc_value *v, oc_value *planes)
{
    *planes = *v;
    if (!v->lanes)
        return OC_OK;
    OC_TRY(OC_SCRATCH_OF(c, planes->data, oc_value_n(v), sizeof(float)));
    planes->buffer = NULL;
    planes->lanes = false;
    copy_in_call(c, planes, v);
    return OC_OK;
}
