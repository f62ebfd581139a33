/* SPDX-License-Identifier: Apache-2.0
 * pick.c - elements where they are moved, not computed with: of any type, by their size. */
#include "kernels/sample/gather.h"

#include <string.h>

typedef struct two_words {
    uint64_t word[2];
} two_words;

/* The bytes of one element, whatever its type; T has their number. */
#define PICK(name, T)                                                                              \
    static T name##_at(const char *plane, int32_t i)                                               \
    {                                                                                              \
        T v;                                                                                       \
        memcpy(&v, plane + (size_t)i * sizeof v, sizeof v);                                        \
        return v;                                                                                  \
    }                                                                                              \
                                                                                                   \
    /* n elements, none missing; four by one write. */                                             \
    static void name##_all(char *y, const char *plane, const int32_t *base, int n)                 \
    {                                                                                              \
        int i = 0;                                                                                 \
        for (; i + 4 <= n; i += 4) {                                                               \
            const T v[4] = {name##_at(plane, base[i]), name##_at(plane, base[i + 1]),              \
                            name##_at(plane, base[i + 2]), name##_at(plane, base[i + 3])};         \
            memcpy(y + (size_t)i * sizeof(T), v, sizeof v);                                        \
        }                                                                                          \
        for (; i < n; i++)                                                                         \
            memcpy(y + (size_t)i * sizeof(T), plane + (size_t)base[i] * sizeof(T), sizeof(T));     \
    }                                                                                              \
                                                                                                   \
    static void name(void *y_, const void *plane, const oc_taps *t, const void *outside)           \
    {                                                                                              \
        char *y = y_;                                                                              \
        assert(oc_taps_are_sound(t) && t->cols == 1 && t->rows == 1);                              \
        for (int first = 0; first < t->n; first += t->run, y += (size_t)t->pitch * sizeof(T)) {    \
            const int32_t *base = t->base + first, *absent = t->absent + first;                    \
            if (t->all) {                                                                          \
                name##_all(y, plane, base, t->run);                                                \
                continue;                                                                          \
            }                                                                                      \
            for (int i = 0; i < t->run; i++) {                                                     \
                const char *from = (const char *)plane + (size_t)base[i] * sizeof(T);              \
                if (absent[i])                                                                     \
                    from = (const char *)outside + (absent[i] == OC_NAN_PIXEL) * sizeof(T);        \
                memcpy(y + (size_t)i * sizeof(T), from, sizeof(T));                                \
            }                                                                                      \
        }                                                                                          \
    }

PICK(pick_1, uint8_t)
PICK(pick_2, uint16_t)
PICK(pick_4, uint32_t)
PICK(pick_8, uint64_t)
PICK(pick_16, two_words)

oc_pick_fn *oc_pick_of(size_t size)
{
    static oc_pick_fn *const pick[] = {pick_1, pick_2, pick_4, pick_8, pick_16};
    int log2 = 0;
    while ((size_t)1 << log2 < size)
        log2++;
    assert((size_t)1 << log2 == size && log2 < 5);
    return pick[log2];
}
