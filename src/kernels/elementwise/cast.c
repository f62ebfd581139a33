/* SPDX-License-Identifier: Apache-2.0
 * cast.c - the table of variants, and casts that go through float. */
#include "kernels/elementwise/cast.h"

#include "base/int.h"
#include "kernels/common/half.h"

OC_VARIANTS(oc_cast_variant, oc_cast_variants)

enum { STRIP = 512, U8 = 1, F32 = 8 };

int oc_cast_index(oc_type type)
{
    static const signed char place[] = {
        [OC_I8] = 1,  [OC_U8] = 2,  [OC_I16] = 3, [OC_U16] = 4,  [OC_I32] = 5,   [OC_U32] = 6,
        [OC_I64] = 7, [OC_U64] = 8, [OC_F32] = 9, [OC_F64] = 10, [OC_BOOL] = 11,
    };
    return (size_t)type < sizeof place ? place[type] - 1 : -1;
}

static size_t size_of(int index)
{
    static const unsigned char size[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1};
    return size[index];
}

/* The two steps of a cast that goes through float. Each step is one of two functions, and the
 * other is NULL. */
typedef struct steps {
    oc_widen_fn *widen;
    oc_cast_fn *load, *store;
    oc_narrow_fn *narrow;
    size_t to_size, from_size;
} steps;

static void through_float(const steps *s, char *to, const char *from, int64_t n)
{
    _Alignas(64) float strip[STRIP];
    for (int64_t i = 0; i < n; i += STRIP) {
        const int64_t some = oc_min(n - i, STRIP);
        if (s->widen)
            s->widen(strip, (const uint16_t *)(const void *)from, some);
        else
            s->load(strip, from, some);
        if (s->narrow)
            s->narrow((uint16_t *)(void *)to, strip, some);
        else
            s->store(to, strip, some);
        from += s->from_size * STRIP;
        to += s->to_size * STRIP;
    }
}

static const oc_half_variant *half_pick(oc_type type, unsigned cpu)
{
    return type == OC_F16 || type == OC_BF16 ? oc_half_pick(type, cpu) : NULL;
}

static oc_cast_fn *cast_pick(int from, int to, unsigned cpu)
{
    const oc_cast_variant *v;
    OC_VARIANT_PICK(v, oc_cast_variants, cast[from][to], cpu);
    return v->cast[from][to];
}

bool oc_cast(unsigned cpu, void *to, oc_type to_type, const void *from, oc_type from_type,
             int64_t n)
{
    const int t = oc_cast_index(to_type), f = from_type == OC_BOOL ? U8 : oc_cast_index(from_type);
    const oc_half_variant *in = half_pick(from_type, cpu), *out = half_pick(to_type, cpu);
    const oc_cast_variant *v;
    OC_VARIANT_PICK(v, oc_cast_variants, odd[F32 + 1], cpu);
    if ((f < 0 && !in) || (t < 0 && !out))
        return false;
    if (f >= 0 && t >= 0)
        cast_pick(f, t, cpu)(to, from, n);
    else if (in && t == F32)
        in->widen(to, from, n);
    else if (out && f == F32)
        out->narrow(to, from, n);
    else
        through_float(&(steps){.widen = in ? in->widen : NULL,
                               .load = in          ? NULL
                                       : v->odd[f] ? v->odd[f]
                                                   : cast_pick(f, F32, cpu),
                               .store = out ? NULL : cast_pick(F32, t, cpu),
                               .narrow = out ? out->narrow : NULL,
                               .to_size = out ? sizeof(uint16_t) : size_of(t),
                               .from_size = in ? sizeof(uint16_t) : size_of(f)},
                      to, from, n);
    return true;
}
