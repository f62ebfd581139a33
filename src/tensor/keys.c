/* SPDX-License-Identifier: Apache-2.0
 * keys.c - compares and sorts the keys of a map. */
#include "tensor/keys.h"

#include "base/sort.h"

int oc_keys_compare(const oc_value *keys, int64_t a, int64_t b)
{
    if (keys->type == OC_I64) {
        const int64_t x = ((const int64_t *)keys->data)[a], y = ((const int64_t *)keys->data)[b];
        return (x > y) - (x < y);
    }
    const oc_string x = ((const oc_string *)keys->data)[a], y = ((const oc_string *)keys->data)[b];
    const size_t shared = oc_min(x.size, y.size);
    const int order = shared ? memcmp(x.data, y.data, shared) : 0;
    return order ? order : (x.size > y.size) - (x.size < y.size);
}

static int compare(const void *keys, const void *a, const void *b)
{
    return oc_keys_compare(keys, *(const int64_t *)a, *(const int64_t *)b);
}

void oc_keys_sort(const oc_value *keys, int64_t n, int64_t *order, int64_t *spare)
{
    for (int64_t i = 0; i < n; i++)
        order[i] = i;
    oc_sort(order, spare, (size_t)n, sizeof *order, compare, keys);
}

void oc_keys_arrange(const oc_value *to, const oc_value *from, const int64_t *order, int64_t n)
{
    const size_t size = oc_type_size(from->type);
    for (int64_t i = 0; i < n; i++)
        memcpy((char *)to->data + size * (size_t)i, (char *)from->data + size * (size_t)order[i],
               size);
}
