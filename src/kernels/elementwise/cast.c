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

/* The logarithms of sizes in bytes. */
static const unsigned char size_log[] = {0, 0, 1, 1, 2, 2, 3, 3, 2, 3, 0};

static size_t size_of(int index)
{
    return (size_t)1 << size_log[index];
}

/* The loop that casts between two types of a table; odd: to floats, rounded to odd. */
typedef struct loop {
    const oc_cast_variant *v;
    int from, to;
    bool odd;
} loop;

static oc_cast_fn *function(const loop *l, const oc_cast_variant *v)
{
    return l->odd ? v->odd[l->from] : v->cast[l->from][l->to];
}

static loop loop_of(int from, int to, unsigned cpu)
{
    loop l = {.from = from, .to = to};
    OC_VARIANT_PICK(l.v, oc_cast_variants, cast[from][to], cpu);
    return l;
}

/* To floats, rounded to odd where these do not hold all numbers. */
static loop odd_loop(int from, unsigned cpu)
{
    loop l = {.from = from, .to = F32, .odd = true};
    OC_VARIANT_PICK(l.v, oc_cast_variants, odd[F32 + 1], cpu);
    return l.v->odd[from] ? l : loop_of(from, F32, cpu);
}

/* The last numbers are converted with those before them, some of these twice. Fewer than fill a
 * register are left to the scalar loop. */
static void run(const loop *l, char *to, const char *from, int64_t n)
{
    const int to_log = size_log[l->to], from_log = size_log[l->from];
    const int64_t step = l->v->bytes ? l->v->bytes >> oc_min(to_log, from_log) : 1;
    const int64_t rest = n < step ? 0 : n & (step - 1);
    const oc_cast_variant *v = l->v;
    if (n < step)
        OC_VARIANT_PICK(v, oc_cast_variants, isa, OC_CPU_SCALAR);
    oc_cast_fn *const fn = function(l, v);
    fn(to, from, n - rest);
    if (rest)
        fn(to + ((n - step) << to_log), from + ((n - step) << from_log), step);
}

/* The two steps of a cast that goes through float. Each step is one of two functions, and the
 * other is NULL. */
typedef struct steps {
    oc_widen_fn *widen;
    loop load, store;
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
            run(&s->load, (char *)strip, from, some);
        if (s->narrow)
            s->narrow((uint16_t *)(void *)to, strip, some);
        else
            run(&s->store, to, (const char *)strip, some);
        from += s->from_size * STRIP;
        to += s->to_size * STRIP;
    }
}

static const oc_half_variant *half_pick(oc_type type, unsigned cpu)
{
    return type == OC_F16 || type == OC_BF16 ? oc_half_pick(type, cpu) : NULL;
}

bool oc_cast(unsigned cpu, void *to, oc_type to_type, const void *from, oc_type from_type,
             int64_t n)
{
    const int t = oc_cast_index(to_type), f = from_type == OC_BOOL ? U8 : oc_cast_index(from_type);
    const oc_half_variant *in = half_pick(from_type, cpu), *out = half_pick(to_type, cpu);
    if ((f < 0 && !in) || (t < 0 && !out))
        return false;
    if (f >= 0 && t >= 0) {
        const loop l = loop_of(f, t, cpu);
        run(&l, to, from, n);
    } else if (in && t == F32)
        in->widen(to, from, n);
    else if (out && f == F32)
        out->narrow(to, from, n);
    else
        through_float(&(steps){.widen = in ? in->widen : NULL,
                               .load = in ? (loop){0} : odd_loop(f, cpu),
                               .store = out ? (loop){0} : loop_of(F32, t, cpu),
                               .narrow = out ? out->narrow : NULL,
                               .to_size = out ? sizeof(uint16_t) : size_of(t),
                               .from_size = in ? sizeof(uint16_t) : size_of(f)},
                      to, from, n);
    return true;
}
