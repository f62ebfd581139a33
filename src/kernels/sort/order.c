/* SPDX-License-Identifier: Apache-2.0
 * order.c - makes keys, sorts by them digit by digit, and finds the first elements of a row. */
#include "kernels/sort/order.h"

/* ---- keys */

/* Turns sign and magnitude into two's complement, so that -0 becomes 0. */
#define FLOAT_KEY(name, K, U, top, infinity)                                                       \
    static inline K name##_of(U x, K flip, K *nan)                                                 \
    {                                                                                              \
        const K size = (K)(x & (U)((top)-1)), sign = x & (U)(top) ? -1 : 0;                        \
        *nan |= size > (K)(infinity) ? -1 : 0;                                                     \
        return ((size ^ sign) - sign) ^ flip;                                                      \
    }
/* Gives NaNs their key, in a loop of its own because they are rare. */
#define FLOAT_NANS(name, K, U, top, infinity)                                                      \
    static void name##_nans(K *key, const U *x, int64_t n, K nan)                                  \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            key[i] = (K)(x[i] & (U)((top)-1)) > (K)(infinity) ? nan : key[i];                      \
    }
#define FLOAT_ROW(name, K, U)                                                                      \
    static void name(K *key, const void *x, int64_t n, K flip, K nan)                              \
    {                                                                                              \
        K any = 0;                                                                                 \
        for (int64_t i = 0; i < n; i++)                                                            \
            key[i] = name##_of(((const U *)x)[i], flip, &any);                                     \
        any ? name##_nans(key, x, n, nan) : (void)0;                                               \
    }
#define FLOAT_KEYS(name, K, U, top, infinity)                                                      \
    FLOAT_KEY(name, K, U, top, infinity)                                                           \
    FLOAT_NANS(name, K, U, top, infinity) FLOAT_ROW(name, K, U)
FLOAT_KEYS(keys_f16, int32_t, uint16_t, 0x8000, 0x7c00)
FLOAT_KEYS(keys_bf16, int32_t, uint16_t, 0x8000, 0x7f80)
FLOAT_KEYS(keys_f32, int32_t, uint32_t, UINT32_C(1) << 31, 0x7f800000)
FLOAT_KEYS(keys_f64, int64_t, uint64_t, UINT64_C(1) << 63, INT64_C(0x7ff) << 52)

/* offset is the bits that map the type to signed integers of equal order. */
#define INTEGER_KEYS(name, K, T, offset)                                                           \
    static void name(K *key, const void *x_, int64_t n, K flip)                                    \
    {                                                                                              \
        const T *x = x_;                                                                           \
        for (int64_t i = 0; i < n; i++)                                                            \
            key[i] = (K)x[i] ^ (K)(offset) ^ flip;                                                 \
    }
INTEGER_KEYS(keys_i8, int32_t, int8_t, 0)
INTEGER_KEYS(keys_u8, int32_t, uint8_t, 0)
INTEGER_KEYS(keys_i16, int32_t, int16_t, 0)
INTEGER_KEYS(keys_u16, int32_t, uint16_t, 0)
INTEGER_KEYS(keys_i32, int32_t, int32_t, 0)
INTEGER_KEYS(keys_u32, int32_t, uint32_t, INT32_MIN)
INTEGER_KEYS(keys_i64, int64_t, int64_t, 0)
INTEGER_KEYS(keys_u64, int64_t, uint64_t, INT64_MIN)

void oc_keys_wide(const oc_keys *k, int64_t *key, const void *x, int64_t n)
{
    const int64_t flip = k->flip ? -1 : 0;
    if (k->type == OC_F64)
        keys_f64(key, x, n, flip, k->nan_last ? INT64_MAX : INT64_MIN);
    else
        (k->type == OC_U64 ? keys_u64 : keys_i64)(key, x, n, flip);
}

void oc_keys_narrow(const oc_keys *k, int32_t *key, const void *x, int64_t n)
{
    const int32_t flip = k->flip ? -1 : 0, nan = k->nan_last ? INT32_MAX : INT32_MIN;
    switch (k->type) {
    case OC_F32:
        keys_f32(key, x, n, flip, nan);
        break;
    case OC_F16:
        keys_f16(key, x, n, flip, nan);
        break;
    case OC_BF16:
        keys_bf16(key, x, n, flip, nan);
        break;
    case OC_I8:
        keys_i8(key, x, n, flip);
        break;
    case OC_I16:
        keys_i16(key, x, n, flip);
        break;
    case OC_U16:
        keys_u16(key, x, n, flip);
        break;
    case OC_I32:
        keys_i32(key, x, n, flip);
        break;
    case OC_U32:
        keys_u32(key, x, n, flip);
        break;
    default: /* for uint8 and bool */
        keys_u8(key, x, n, flip);
    }
}

enum {
    CHUNK = 512,    /* elements whose keys are made at a time */
    LEAST = 1 << 12 /* elements of a piece that are counted or moved */
};

static uint64_t rank_wide(int64_t key)
{
    return (uint64_t)key ^ UINT64_C(1) << 63;
}

static uint64_t rank_narrow(int32_t key)
{
    return (uint32_t)key ^ UINT32_C(1) << 31;
}

/* Returns the greatest key whose rank is at most `rank`. */
static int64_t key_wide(uint64_t rank)
{
    return (int64_t)(rank ^ UINT64_C(1) << 63);
}

static int32_t key_narrow(uint64_t rank)
{
    return (int32_t)((rank < UINT32_MAX ? (uint32_t)rank : UINT32_MAX) ^ UINT32_C(1) << 31);
}

static const void *element(const oc_keys *k, const void *x, int64_t i)
{
    return (const char *)x + oc_type_size(k->type) * (size_t)i;
}

void oc_order_rank(const oc_keys *k, oc_ranked *to, const void *x, int64_t n, const oc_work *w)
{
    const bool wide = oc_keys_are_wide(k->type);
    int64_t key[CHUNK];
    int32_t narrow[CHUNK];
    OC_PIECES (w, p, n, CHUNK)
        for (int64_t at = p.first; at < p.end; at += CHUNK) {
            const int64_t part = p.end - at < CHUNK ? p.end - at : CHUNK;
            if (wide)
                oc_keys_wide(k, key, element(k, x, at), part);
            else
                oc_keys_narrow(k, narrow, element(k, x, at), part);
            for (int64_t i = 0; i < part; i++)
                to[at + i] = (oc_ranked){wide ? rank_wide(key[i]) : rank_narrow(narrow[i]), at + i};
        }
}

/* ---- sorts */

enum { SHORT = 48, DIGITS = 256 }; /* rows of up to SHORT elements are sorted by insertion */

/* Inserts e behind the elements of x[0] to x[n-1] whose keys are not greater. */
static void insert(oc_ranked *x, int64_t n, oc_ranked e)
{
    for (; n > 0 && x[n - 1].key > e.key; n--)
        x[n] = x[n - 1];
    x[n] = e;
}

static void sort_digit(oc_ranked *to, const oc_ranked *x, int64_t n, int shift, const oc_work *w)
{
    int64_t at[DIGITS] = {0}, sum = 0;
    OC_LOOP (w, i, n, LEAST)
        at[(x[i].key >> shift) % DIGITS]++;
    for (int d = 0; d < DIGITS; d++) {
        const int64_t count = at[d];
        at[d] = sum;
        sum += count;
    }
    OC_LOOP (w, i, n, LEAST)
        to[at[(x[i].key >> shift) % DIGITS]++] = x[i];
}

/* Returns the bits in which the keys of n > 0 elements differ. */
static uint64_t differences(const oc_ranked *x, int64_t n, const oc_work *w)
{
    uint64_t differ = 0;
    OC_LOOP (w, i, n, LEAST)
        differ |= x[i].key ^ x[0].key;
    return differ;
}

void oc_order_sort(oc_ranked *x, oc_ranked *spare, int64_t n, const oc_work *w)
{
    oc_ranked *from = x, *to = spare;
    if (n <= SHORT) {
        for (int64_t i = 1; i < n; i++)
            insert(x, i, x[i]);
        return;
    }
    const uint64_t differ = differences(x, n, w);
    for (int shift = 0; shift < 64; shift += 8) {
        if ((differ >> shift) % DIGITS == 0)
            continue;
        sort_digit(to, from, n, shift, w);
        oc_ranked *const sorted = to;
        to = from;
        from = sorted;
    }
    if (from != x)
        oc_work_copy(w, x, from, (size_t)n * sizeof *x);
}

/* ---- the first elements of a row */

/* The elements found so far are the first n of `to`. When there are `most`, those that are not
 * among the first `wanted` are dropped. Later elements enter only if their keys are at most
 * `limit`. */
typedef struct found {
    oc_ranked *to;
    int64_t n, most, wanted;
    uint64_t limit;
    bool few; /* true: `most` equals `wanted`, and the elements are always sorted */
    bool all; /* true: no later element can enter */
    const oc_work *work;
} found;

static void enter(found *f, oc_ranked e)
{
    if (f->all || e.key > f->limit)
        return;
    if (f->few)
        insert(f->to, f->n - (f->n == f->wanted), e);
    else
        f->to[f->n] = e;
    f->n += !f->few || f->n < f->wanted;
    if (f->n < f->most)
        return;
    if (!f->few)
        oc_order_sort(f->to, f->to + f->most, f->n, f->work);
    const uint64_t last = f->to[f->wanted - 1].key;
    f->n = f->wanted;
    f->all = last == 0;
    f->limit = last - 1;
}

static found found_none(oc_ranked *to, int64_t n, int64_t wanted, const oc_work *w)
{
    found f = {.to = to, .work = w, .wanted = wanted, .limit = UINT64_MAX, .few = wanted <= SHORT};
    f.most = f.few ? wanted : wanted < (n - CHUNK) / 2 ? 2 * wanted + CHUNK : n;
    return f;
}

int64_t oc_order_room(int64_t n, int64_t wanted)
{
    const found f = found_none(NULL, n, wanted, NULL);
    return f.few ? wanted : 2 * f.most;
}

enum { GROUP = 32 }; /* keys that are compared with the limit together; mostly none is within it */

#define K       int64_t
#define NAME(x) x##_wide
#include "kernels/sort/order.inc"

#define K       int32_t
#define NAME(x) x##_narrow
#include "kernels/sort/order.inc"

void oc_order_first(const oc_keys *k, oc_ranked *to, const void *x, int64_t n, int64_t wanted,
                    const oc_work *w)
{
    const bool wide = oc_keys_are_wide(k->type);
    found f = found_none(to, n, wanted, w);
    int64_t key[CHUNK];
    int32_t narrow[CHUNK];
    OC_PIECES (w, p, wanted > 0 ? n : 0, CHUNK)
        for (int64_t at = p.first; at < p.end && !f.all; at += CHUNK) {
            const int64_t part = p.end - at < CHUNK ? p.end - at : CHUNK;
            if (wide) {
                oc_keys_wide(k, key, element(k, x, at), part);
                enter_wide(&f, key, at, part);
            } else {
                oc_keys_narrow(k, narrow, element(k, x, at), part);
                enter_narrow(&f, narrow, at, part);
            }
        }
    if (f.n > wanted)
        oc_order_sort(to, to + f.most, f.n, w);
}

/* ---- by comparison */

static bool merge_runs(int64_t *to, const int64_t *a, int64_t n_a, const int64_t *b, int64_t n_b,
                       oc_compare_fn *compare, const void *ctx, oc_count *count)
{
    while (n_a > 0 && n_b > 0) {
        if (!oc_counts(count))
            return false;
        if (compare(ctx, *b, *a) < 0) {
            *to++ = *b++;
            n_b--;
        } else {
            *to++ = *a++;
            n_a--;
        }
    }
    memcpy(to, a, (size_t)n_a * sizeof *a);
    memcpy(to + n_a, b, (size_t)n_b * sizeof *b);
    return oc_counts(count);
}

void oc_order_merge(int64_t *x, int64_t *spare, int64_t n, oc_compare_fn *compare, const void *ctx,
                    const oc_work *w)
{
    oc_count count = oc_count_of(w);
    int64_t *from = x, *to = spare;
    for (int64_t run = 1; run < n; run *= 2) {
        for (int64_t at = 0; at < n; at += 2 * run) {
            const int64_t n_a = n - at < run ? n - at : run;
            const int64_t n_b = n - at - n_a < run ? n - at - n_a : run;
            if (!merge_runs(to + at, from + at, n_a, from + at + n_a, n_b, compare, ctx, &count))
                return;
        }
        int64_t *const merged = to;
        to = from;
        from = merged;
    }
    if (from != x)
        oc_work_copy(w, x, from, (size_t)n * sizeof *x);
}
