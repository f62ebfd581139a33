/* SPDX-License-Identifier: Apache-2.0
 * window.c - draws the attributes of windows, and computes the lengths of what they give. */
#include "window.h"

#include <string.h>

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int64_t reach(const window *w, int a)
{
    return w->dilation[a] * (w->kernel[a] - 1) + 1;
}

/* SAME: the output has ceil(in / stride) elements, and the pads are what that takes. */
static bool by_auto_pad(window *w, bool transposed)
{
    for (int a = 3 - w->axes; a < 3; a++) {
        int64_t total = 0;
        if (strcmp(w->auto_pad, "VALID") != 0)
            total = transposed ? reach(w, a) + w->output_padding[a] - w->stride[a]
                               : (ceil_div(w->in[a], w->stride[a]) - 1) * w->stride[a] +
                                     reach(w, a) - w->in[a];
        if (total < 0 && transposed)
            return false;
        total = total < 0 ? 0 : total;
        w->before[a] = strcmp(w->auto_pad, "SAME_LOWER") == 0 ? total - total / 2 : total / 2;
        w->after[a] = total - w->before[a];
    }
    return true;
}

static bool compute_out(window *w, window_wish wish)
{
    if (w->auto_pad && !by_auto_pad(w, wish.transposed))
        return false;
    for (int a = 0; a < 3; a++) {
        if (wish.transposed) {
            w->out[a] = w->stride[a] * (w->in[a] - 1) + w->output_padding[a] + reach(w, a) -
                        w->before[a] - w->after[a];
        } else {
            const int64_t room = w->in[a] + w->before[a] + w->after[a] - reach(w, a);
            if (room < 0 || w->in[a] + (w->before[a] < 0 ? w->before[a] : 0) +
                                    (w->after[a] < 0 ? w->after[a] : 0) <
                                1)
                return false;
            w->out[a] = (w->ceil_mode ? ceil_div(room, w->stride[a]) : room / w->stride[a]) + 1;
            /* a window that begins in the right padding is left out */
            if (w->ceil_mode && (w->out[a] - 1) * w->stride[a] >= w->in[a] + w->before[a])
                w->out[a]--;
        }
        if (w->out[a] < 1 || w->out[a] > 200)
            return false;
    }
    return true;
}

static int64_t draw_pad(net *n, const window *w, int a, window_wish wish)
{
    const int64_t most = wish.pool ? w->kernel[a] - 1 : reach(w, a) - 1;
    return net_chance(n, 40) ? most / 2 : net_from(n, 0, most > 4 ? 4 : most);
}

static void draw(net *n, window *w, window_wish wish)
{
    static const char *const words[] = {"SAME_UPPER", "SAME_LOWER", "VALID"};
    static const int64_t kernels[] = {1, 1, 2, 3, 3, 3, 4, 5, 6, 7},
                         strides[] = {1, 1, 1, 2, 2, 3, 4};
    const bool square = net_chance(n, 60), dilated = wish.dilations && net_chance(n, 20),
               padded = net_chance(n, 60), even = net_chance(n, 60);
    w->auto_pad = net_chance(n, 8) ? NET_PICK(n, words) : NULL;
    w->ceil_mode = wish.pool && !w->auto_pad && net_chance(n, 20);
    for (int a = 0; a < 3; a++) {
        const bool real = a >= 3 - w->axes, copy = square && a > 3 - w->axes;
        w->kernel[a] = !real ? 1 : copy ? w->kernel[a - 1] : NET_PICK(n, kernels);
        w->stride[a] = !real ? 1 : copy ? w->stride[a - 1] : NET_PICK(n, strides);
        w->dilation[a] = real && dilated ? net_from(n, 1, 3) : 1;
        w->before[a] = real && padded && !w->auto_pad ? draw_pad(n, w, a, wish) : 0;
        w->after[a] = even                             ? w->before[a]
                      : real && padded && !w->auto_pad ? draw_pad(n, w, a, wish)
                                                       : 0;
        const int64_t most = w->stride[a] > w->dilation[a] ? w->stride[a] : w->dilation[a];
        w->output_padding[a] =
            real && wish.transposed && net_chance(n, 25) ? net_from(n, 0, most - 1) : 0;
    }
    w->taps = net_count(3, w->kernel);
}

bool window_draw(net *n, window *w, window_wish wish)
{
    enum { TRIES = 8, MOST_TAPS = 64 };
    for (int i = 0; i < TRIES; i++) {
        draw(n, w, wish);
        if (w->taps <= MOST_TAPS && compute_out(w, wish))
            return true;
    }
    return false;
}

/* Is v all of that number? */
static bool all(const window *w, const int64_t v[3], int64_t number)
{
    for (int a = 3 - w->axes; a < 3; a++)
        if (v[a] != number)
            return false;
    return true;
}

void window_write(net *n, const window *w, window_wish wish)
{
    const int from = 3 - w->axes;
    if (wish.pool || net_chance(n, 50)) {
        net_line(n, ", ");
        net_ints(n, "kernel_shape", w->axes, w->kernel + from);
    }
    if (!all(w, w->stride, 1) || net_chance(n, 20)) {
        net_line(n, ", ");
        net_ints(n, "strides", w->axes, w->stride + from);
    }
    if (!all(w, w->dilation, 1) || (wish.dilations && net_chance(n, 20))) {
        net_line(n, ", ");
        net_ints(n, "dilations", w->axes, w->dilation + from);
    }
    if (!all(w, w->output_padding, 0)) {
        net_line(n, ", ");
        net_ints(n, "output_padding", w->axes, w->output_padding + from);
    }
    if (w->auto_pad) {
        net_line(n, ", auto_pad = \"%s\"", w->auto_pad);
    } else if (!all(w, w->before, 0) || !all(w, w->after, 0) || net_chance(n, 20)) {
        int64_t pads[6];
        memcpy(pads, w->before + from, (size_t)w->axes * sizeof *pads);
        memcpy(pads + w->axes, w->after + from, (size_t)w->axes * sizeof *pads);
        net_line(n, ", ");
        net_ints(n, "pads", 2 * w->axes, pads);
    }
}

bool window_tap(const window *w, const int64_t o[3], const int64_t k[3], int64_t at[3])
{
    for (int a = 0; a < 3; a++) {
        at[a] = o[a] * w->stride[a] + k[a] * w->dilation[a] - w->before[a];
        if (at[a] < 0 || at[a] >= w->in[a])
            return false;
    }
    return true;
}
