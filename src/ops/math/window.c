/* SPDX-License-Identifier: Apache-2.0
 * window.c - HannWindow, HammingWindow, BlackmanWindow: raised cosines.
 *
 * Element i is a0 - a1 cos(2 pi i / n) + a2 cos(4 pi i / n). n is the size if the window is
 * periodic, and size - 1 if it is symmetric. A symmetric window of one element is 1, its middle, as
 * in NumPy. Elements are computed in double and rounded once; integers truncate. The a2 term is
 * added first, so that the ends of a Blackman window are exactly 0 and its middle is exactly 1. */
#include "kernels/elementwise/elementary.h"
#include "ops/kit/op.h"

static oc_status window_shape(oc_call *c)
{
    int64_t size;
    OC_TRY(oc_in_int(c, 0, &size));
    if (size < 0)
        return oc_fail(c, OC_VALUE, "size is %" PRId64 ", expected 0 or more", size);
    const int64_t type = oc_attr_int(c, "output_datatype");
    if (!oc_type_is_listed(type))
        return oc_fail(c, OC_VALUE,
                       "attribute 'output_datatype' is %" PRId64 ", expected a data type's number",
                       type);
    return oc_set_out(c, 0, (oc_type)type, &(oc_dims){1, {size}});
}

enum { BLOCK = OC_ELEMENTARY_BLOCK }; /* elements computed at a time */

static oc_status fill_window(oc_call *c, double a0, double a1, double a2)
{
    static const double two_pi = 6.283185307179586;
    const oc_value *y = oc_out(c, 0);
    const int64_t size = oc_value_n(y), n = size - !oc_attr_int(c, "periodic");
    oc_elementary_fn *const cosine = oc_elementary_pick(oc_call_cpu(c))->cos;
    char *dst = y->data;
    OC_CALL_PIECES (c, p, size, BLOCK)
        for (int64_t done = p.first; done < p.end; done += BLOCK) {
            const int64_t part = oc_min(p.end - done, BLOCK);
            double angle[BLOCK] = {0}, twice[BLOCK], block[BLOCK], second[BLOCK];
            for (int64_t i = 0; i < part; i++)
                angle[i] = n ? two_pi * (double)(done + i) / (double)n : two_pi / 2;
            for (int i = 0; i < BLOCK; i++)
                twice[i] = 2 * angle[i];
            cosine(block, angle);
            cosine(second, twice);
            for (int i = 0; i < BLOCK; i++)
                block[i] = a0 + a2 * second[i] - a1 * block[i];
            oc_convert(dst, y->type, block, OC_F64, part, false);
            dst += oc_type_size(y->type) * (size_t)part;
        }
    return OC_OK;
}

OC_CALL_FN(hann_run, fill_window(c, 0.5, 0.5, 0))
OC_CALL_FN(hamming_run, fill_window(c, 25.0 / 46, 21.0 / 46, 0))
OC_CALL_FN(blackman_run, fill_window(c, 0.42, 0.5, 0.08))

/* clang-format off */
#define SIG(name) name \
    "Window <int output_datatype@T2 = 1, int periodic = 1> (T1 size!) => (T2 output) | T1: index; T2: numeric_ir4"
const oc_op oc_ops_window[] = {
    {17, SIG("Hann"),     window_shape, hann_run},
    {17, SIG("Hamming"),  window_shape, hamming_run},
    {17, SIG("Blackman"), window_shape, blackman_run},
    {0}
};
