/* SPDX-License-Identifier: Apache-2.0
 * conv_units.c - what does a convolution cost, and the busiest thread of one that is cut? */
#include "kernels/conv/conv_units.h"

#include <math.h>

#include "base/int.h"
#include "kernels/common/precondition.h"

enum { FILLED = 2 }; /* products in the time that 16 pixels take to be copied to a patch */

static void count(const oc_conv_nchw16c *g, oc_conv_units *u)
{
    const oc_conv_bands *b = &u->bands;
    const int64_t channels = b->small ? g->channels : b->channels;
    const int64_t blocks = oc_div_up(b->blocks, u->pieces) * b->together;
    u->n = g->images * (b->parts / b->together) * b->outer_out * b->row_bands * b->column_bands *
           u->pieces;
    u->weights = (double)channels * (double)b->taps * (double)blocks;
}

/* What the thread with the most units does, in products of 16 channels. A unit reads its weights
 * from the memory behind the second cache, and perhaps fills a patch. */
static double most_work(const oc_conv_units *u, int threads)
{
    const oc_conv_bands *b = &u->bands;
    const double copied = (double)(b->outer_taps * b->height * b->pitch) *
                          (double)(b->spanned * b->together) / OC_BLOCK_CHANNELS;
    const double patch = b->bare ? 0 : copied;
    const int64_t rounds = oc_div_up(u->n, threads);
    return (double)rounds *
           (u->weights * ((double)(b->rows * b->columns) + OC_WEIGHTS_STREAMED) + FILLED * patch);
}

/* Large bands read weights seldom, and a few pieces of output channels read pixels often; a single
 * thread has all output channels at once. */
oc_conv_units oc_conv_units_of(const oc_conv_nchw16c *g)
{
    const int tile = oc_tile_nchw16c_pick(g->cpu)->blocks, threads = oc_work_most_tasks(&g->work);
    oc_conv_units u = {.pieces = 1};
    const bool suits = oc_conv_bands_of(g, &u.bands);
    assert(suits);
    (void)suits;
    if (threads <= 1) {
        oc_conv_bands_cut(&u.bands, 1);
        count(g, &u);
        return u;
    }
    const int64_t parts = g->images * (u.bands.parts / u.bands.together);
    const int64_t most = u.bands.together > 1 ? 1 : oc_div_up(u.bands.blocks, tile);
    oc_conv_units best = u;
    double least_work = INFINITY;
    for (int64_t many = 1; many <= 4 * (int64_t)threads; many *= 2) {
        oc_conv_bands_cut(&u.bands, parts < 1 ? 1 : oc_div_up(many, parts));
        for (u.pieces = 1; u.pieces <= most && u.pieces <= threads; u.pieces++) {
            count(g, &u);
            const double work = most_work(&u, threads);
            if (work < least_work) {
                least_work = work;
                best = u;
            }
        }
    }
    return best;
}
