/* SPDX-License-Identifier: Apache-2.0
 * pick.c - elements where they are moved, not computed with: of any type, by their size. */
#include "kernels/sample/gather.h"

#include <string.h>

typedef struct two_words {
    uint64_t word[2];
} two_words;

static inline bool four_are_there(const int32_t *absent)
{
    return (absent[0] | absent[1] | absent[2] | absent[3]) == 0;
}

/* The bytes of one element, whatever its type; T has their number. Four are moved by one write
 * where none is missing. */
#define PICK(name, T)                                                                              \
    static T name##_at(const char *plane, int32_t i)                                               \
    {                                                                                              \
        T v;                                                                                       \
        memcpy(&v, plane + (size_t)i * sizeof v, sizeof v);                                        \
        return v;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static inline void name##_four(char *y, const char *plane, const int32_t *base)                \
    {                                                                                              \
        const T v[4] = {name##_at(plane, base[0]), name##_at(plane, base[1]),                      \
                        name##_at(plane, base[2]), name##_at(plane, base[3])};                     \
        memcpy(y, v, sizeof v);                                                                    \
    }                                                                                              \
                                                                                                   \
    static void name##_all(char *y, const char *plane, const int32_t *base, int n)                 \
    {                                                                                              \
        int i = 0;                                                                                 \
        for (; i + 4 <= n; i += 4)                                                                 \
            name##_four(y + (size_t)i * sizeof(T), plane, base + i);                               \
        for (; i < n; i++)                                                                         \
            memcpy(y + (size_t)i * sizeof(T), plane + (size_t)base[i] * sizeof(T), sizeof(T));     \
    }                                                                                              \
                                                                                                   \
    static void name##_some(char *y, const char *plane, const int32_t *base,                       \
                            const int32_t *absent, int n, const char *outside)                     \
    {                                                                                              \
        for (int i = 0; i < n; i++) {                                                              \
            char *to = y + (size_t)i * sizeof(T);                                                  \
            if (absent[i]) {                                                                       \
                memcpy(to, outside + (absent[i] == OC_NAN_PIXEL) * sizeof(T), sizeof(T));          \
            } else if (i + 4 <= n && four_are_there(absent + i)) {                                 \
                name##_four(to, plane, base + i);                                                  \
                i += 3;                                                                            \
            } else {                                                                               \
                memcpy(to, plane + (size_t)base[i] * sizeof(T), sizeof(T));                        \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void name(void *y_, const void *plane, const oc_taps *t, const void *outside)           \
    {                                                                                              \
        char *y = y_;                                                                              \
        assert(oc_taps_are_sound(t) && t->cols == 1 && t->rows == 1);                              \
        for (int first = 0; first < t->n; first += t->run, y += (size_t)t->pitch * sizeof(T))      \
            if (t->all)                                                                            \
                name##_all(y, plane, t->base + first, t->run);                                     \
            else                                                                                   \
                name##_some(y, plane, t->base + first, t->absent + first, t->run, outside);        \
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
