/* SPDX-License-Identifier: Apache-2.0
 * keys.c - sorts the keys of a map, by merging. */
#include "tensor/keys.h"

#include <string.h>

int oc_keys_compare(const oc_value *keys, int64_t a, int64_t b)
{
    if (keys->type == OC_I64) {
        const int64_t x = ((const int64_t *)keys->data)[a], y = ((const int64_t *)keys->data)[b];
        return (x > y) - (x < y);
    }
    const oc_string x = ((const oc_string *)keys->data)[a], y = ((const oc_string *)keys->data)[b];
    const size_t shared = x.size < y.size ? x.size : y.size;
    const int order = shared ? memcmp(x.data, y.data, shared) : 0;
    return order ? order : (x.size > y.size) - (x.size < y.size);
}

static void merge(const oc_value *keys, int64_t n, int64_t *order, int64_t *spare)
{
    const int64_t half = n / 2;
    if (n < 2)
        return;
    merge(keys, half, order, spare);
    merge(keys, n - half, order + half, spare);
    memcpy(spare, order, (size_t)n * sizeof *order);
    for (int64_t i = 0, a = 0, b = half; i < n; i++) {
        const bool first = b == n || (a < half && oc_keys_compare(keys, spare[a], spare[b]) <= 0);
        order[i] = first ? spare[a++] : spare[b++];
    }
}

void oc_keys_sort(const oc_value *keys, int64_t n, int64_t *order, int64_t *spare)
{
    for (int64_t i = 0; i < n; i++)
        order[i] = i;
    merge(keys, n, order, spare);
}

void oc_keys_arrange(const oc_value *to, const oc_value *from, const int64_t *order, int64_t n)
{
    const size_t size = oc_type_size(from->type);
    for (int64_t i = 0; i < n; i++)
        memcpy((char *)to->data + size * (size_t)i, (char *)from->data + size * (size_t)order[i],
               size);
}
