/* SPDX-License-Identifier: Apache-2.0
 * window_attrs.c - the attributes of sliding windows. */
#include "ops/nn/window_attrs.h"

oc_status oc_window_image(oc_call *c, const oc_dims *x, oc_window *w)
{
    *w = (oc_window){.axes = x->rank - 2};
    for (int a = 0; a < w->axes; a++) {
        w->in[a] = x->n[a + 2];
        if (w->in[a] > INT64_MAX / 4)
            return oc_fail(c, OC_LIMIT, "axis %d of X has %lld entries", a + 2,
                           (long long)w->in[a]);
    }
    return OC_OK;
}

oc_status oc_attr_per_axis(oc_call *c, const char *name, int n, int64_t missing, int64_t least,
                           int64_t v[])
{
    const oc_attr *list = oc_attr_get(c, name);
    if (list && list->n != n)
        return oc_fail(c, OC_VALUE, "%s has %d entries, expected %d", name, list->n, n);
    for (int i = 0; i < n; i++) {
        v[i] = list ? list->u.i[i] : missing;
        if (v[i] < least || v[i] > INT32_MAX)
            return oc_fail(c, OC_VALUE, "%s[%d] is %lld, expected %lld to %d", name, i,
                           (long long)v[i], (long long)least, INT32_MAX);
    }
    return OC_OK;
}

oc_status oc_window_steps(oc_call *c, oc_window *w)
{
    int64_t pads[2 * OC_WINDOW_AXES];
    OC_TRY(oc_attr_per_axis(c, "strides", w->axes, 1, 1, w->stride));
    OC_TRY(oc_attr_per_axis(c, "dilations", w->axes, 1, 1, w->dilation));
    OC_TRY(oc_attr_per_axis(c, "pads", 2 * w->axes, 0, 0, pads));
    for (int a = 0; a < w->axes; a++) {
        w->pad[a] = pads[a];
        w->pad_end[a] = pads[w->axes + a];
    }
    return OC_OK;
}

oc_status oc_window_attrs(oc_call *c, oc_window *w, oc_auto_pad *auto_pad)
{
    static const char *const modes[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID", NULL};
    int mode = OC_PAD_NOTSET;
    if (!oc_attr_is(c, "auto_pad", ""))
        OC_TRY(oc_attr_enum(c, "auto_pad", modes, &mode));
    *auto_pad = (oc_auto_pad)mode;
    return oc_window_steps(c, w);
}

void oc_window_remark(const oc_call *c)
{
    if (oc_attr_is(c, "auto_pad", "NOTSET"))
        return;
    if (oc_attr_is(c, "auto_pad", ""))
        oc_remark(c, "auto_pad is empty, which the standard does not allow; it stands for NOTSET");
    else if (oc_attr_has(c, "pads"))
        oc_remark(c, "auto_pad and pads are both given, which the standard does not allow; pads is "
                     "not used, but other engines may use it");
}

/* Counts the windows that fit on axis a with its padding. */
static oc_status count_windows(oc_call *c, oc_window *w, int a, int64_t reach, bool round_up)
{
    const int64_t step = w->stride[a], all = w->in[a] + w->pad[a] + w->pad_end[a];
    const int64_t room = all - reach;
    if (room < 0 && !(round_up && room > -step))
        return oc_fail(c, OC_SHAPE,
                       "the kernel spans %lld on axis %d, but X with its padding has only %lld",
                       (long long)reach, a + 2, (long long)all);
    w->out[a] = room < 0 ? 1 : room / step + 1;
    if (round_up) {
        /* windows that begin before the padding at the end */
        const int64_t begun = oc_div_up(w->in[a] + w->pad[a], step);
        w->out[a] += room > 0 && room % step;
        w->out[a] = oc_min(w->out[a], begun);
    }
    return OC_OK;
}

oc_status oc_window_slide(oc_call *c, oc_window *w, oc_auto_pad auto_pad, bool round_up)
{
    for (int a = 0; a < w->axes; a++) {
        const int64_t reach = (w->kernel[a] - 1) * w->dilation[a] + 1, step = w->stride[a];
        if (auto_pad == OC_PAD_SAME_UPPER || auto_pad == OC_PAD_SAME_LOWER) {
            w->out[a] = oc_div_up(w->in[a], step);
            const int64_t need = (w->out[a] - 1) * step + reach - w->in[a];
            const int64_t pad = oc_max(need, 0);
            w->pad[a] = auto_pad == OC_PAD_SAME_UPPER ? pad / 2 : pad - pad / 2;
            w->pad_end[a] = pad - w->pad[a];
            continue;
        }
        if (auto_pad == OC_PAD_VALID)
            w->pad[a] = w->pad_end[a] = 0;
        OC_TRY(count_windows(c, w, a, reach, round_up));
    }
    return OC_OK;
}
