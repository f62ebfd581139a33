/* SPDX-License-Identifier: Apache-2.0
 * head_cache.c - fills a cache of keys or values and reads it.
 *
 * A small integer is number / scale, rounded half to even and kept in its range. Those of 4 bits,
 * -8 to 7, are stored plus 8, the first of two in the low bits. */
#include "ops/attention/head_cache.h"

#include <math.h>

static bool is_packed(const oc_head_cache *h)
{
    return h->type == OC_U8;
}

static bool is_quantized(const oc_head_cache *h)
{
    return h->type == OC_I8 || is_packed(h);
}

int64_t oc_head_cache_width(const oc_head_cache *h)
{
    return is_packed(h) ? h->size / 2 + h->size % 2 : h->size;
}

static float scale_of(const oc_head_cache *h, const float *scales, int64_t head, int64_t i)
{
    return scales[h->by_channel ? head * h->size + i : 0];
}

static int quantize(float x, float scale, int least, int greatest)
{
    const float q = rintf(x / scale);
    return q >= (float)greatest ? greatest : q >= (float)least ? (int)q : least;
}

static void encode(const oc_head_cache *h, const float *scales, int64_t head, uint8_t *to,
                   const float *x)
{
    const bool packed = is_packed(h);
    for (int64_t i = 0; i < h->size; i++) {
        const float scale = scale_of(h, scales, head, i);
        const int q = packed ? quantize(x[i], scale, -8, 7) + 8 : quantize(x[i], scale, -128, 127);
        if (!packed)
            to[i] = (uint8_t)q;
        else if (i % 2)
            to[i / 2] |= (uint8_t)(q << 4);
        else
            to[i / 2] = (uint8_t)q;
    }
}

static void decode(const oc_head_cache *h, const float *scales, int64_t head, float *x,
                   const uint8_t *from)
{
    const bool packed = is_packed(h);
    for (int64_t i = 0; i < h->size; i++) {
        const int q = packed ? (from[i / 2] >> i % 2 * 4 & 15) - 8 : (int8_t)from[i];
        x[i] = (float)q * scale_of(h, scales, head, i);
    }
}

/* Copies the past rows of each batch. */
static void keep_rows(oc_call *c, const oc_head_cache *h, char *cache, size_t row)
{
    const oc_value *past = oc_in_or_null(c, h->past);
    OC_CALL_LOOP (c, i, past ? h->batch * h->heads : 0, 16)
        oc_call_copy(c, cache + (size_t)(i * h->rows) * row,
                     (const char *)past->data + (size_t)(i * h->past_rows) * row,
                     (size_t)h->kept[i / h->heads] * row);
}

static oc_status fill_floats(oc_call *c, const oc_head_cache *h, char *cache, const float *rows,
                             const float **all)
{
    const size_t elem = oc_type_size(h->type);
    const int64_t n = h->added * h->size;
    const void *floats;
    OC_CALL_LOOP (c, i, h->size ? h->batch * h->heads : 0, 16)
        oc_call_convert(c, cache + (size_t)((i * h->rows + h->kept[i / h->heads]) * h->size) * elem,
                        h->type, rows + i * n, OC_F32, n);
    OC_TRY(oc_as_type(c, OC_F32, cache, h->type, h->batch * h->heads * h->rows * h->size, &floats));
    *all = floats;
    return OC_OK;
}

static oc_status fill_integers(oc_call *c, const oc_head_cache *h, uint8_t *cache,
                               const float *rows, const float **all)
{
    const oc_value *scale = oc_in_or_null(c, h->scale);
    const float *scales = scale->data;
    const int64_t row = oc_head_cache_width(h);
    float *to;
    OC_TRY(OC_SCRATCH(c, to, h->batch * h->heads * h->rows * h->size));
    *all = to;
    OC_CALL_LOOP (c, i, h->size ? h->batch * h->heads : 0, 16) {
        const int64_t head = i % h->heads, first = i * h->rows + h->kept[i / h->heads];
        OC_CALL_LOOP (c, r, h->added, 64)
            encode(h, scales, head, cache + (first + r) * row, rows + (i * h->added + r) * h->size);
        OC_CALL_LOOP (c, r, h->rows, 4) {
            const int64_t at = i * h->rows + r;
            decode(h, scales, head, to + at * h->size, cache + at * row);
        }
    }
    return OC_OK;
}

oc_status oc_head_cache_fill(oc_call *c, const oc_head_cache *h, const float *rows,
                             const float **all)
{
    const oc_value *out = oc_out_or_null(c, h->present);
    const size_t row = (size_t)oc_head_cache_width(h) * oc_type_size(h->type);
    const int64_t n = h->batch * h->heads * h->rows;
    void *cache = out ? out->data : NULL;
    if (!out)
        OC_TRY(OC_SCRATCH_OF(c, cache, n, row));
    oc_call_zero(c, cache, (size_t)n * row);
    if (h->size > 0)
        keep_rows(c, h, cache, row);
    return is_quantized(h) ? fill_integers(c, h, cache, rows, all)
                           : fill_floats(c, h, cache, rows, all);
}
