/* SPDX-License-Identifier: Apache-2.0
 * batch.c - joins values along the first axis, and takes them apart. */
#include "map/batch.h"

#include "common/data.h"

static size_t bytes_of(const oc_value *v)
{
    return (size_t)oc_value_count(v) * oc_type_size(oc_value_type(v));
}

bool batch_fits(const oc_value *a, const oc_value *b)
{
    const int rank = oc_value_rank(a);
    if (oc_value_kind(a) != OC_TENSOR || oc_value_kind(b) != OC_TENSOR ||
        oc_value_type(a) == OC_STRING || oc_value_type(a) != oc_value_type(b) || rank < 1 ||
        rank != oc_value_rank(b) || oc_value_dims(a)[0] != 1)
        return false;
    return memcmp(oc_value_dims(a), oc_value_dims(b), (size_t)rank * sizeof(int64_t)) == 0;
}

oc_value *batch_join(oc_value *const *value, int n, int total, oc_error *e)
{
    int64_t dim[OC_MAX_RANK] = {0};
    const int rank = oc_value_rank(value[0]);
    memcpy(dim, oc_value_dims(value[0]), (size_t)rank * sizeof *dim);
    dim[0] = total;
    oc_value *joined = data_tensor(oc_value_type(value[0]), rank, dim, "--batch", e);
    const size_t size = bytes_of(value[0]);
    for (int i = 0; joined && size && i < total; i++)
        memcpy((char *)oc_value_mutable_data(joined) + (size_t)i * size,
               oc_value_data(value[i < n ? i : n - 1]), size);
    return joined;
}

oc_value *batch_part(const oc_value *joined, int i, int n, const char *name, oc_error *e)
{
    const oc_type type = oc_value_type(joined);
    const int rank = oc_value_kind(joined) == OC_TENSOR ? oc_value_rank(joined) : 0;
    int64_t dim[OC_MAX_RANK] = {0};
    if (rank < 1 || oc_value_dims(joined)[0] != n) {
        tool_fail(e, OC_ARGUMENT,
                  "--batch: output '%s' has not %d elements, one for each file, along its first "
                  "axis; run it without --batch",
                  name, n);
        return NULL;
    }
    memcpy(dim, oc_value_dims(joined), (size_t)rank * sizeof *dim);
    dim[0] = 1;
    oc_value *part = data_tensor(type, rank, dim, "--batch", e);
    const int64_t count = part ? oc_value_count(part) : 0;
    const oc_string *text = oc_value_data(joined);
    for (int64_t k = 0; type == OC_STRING && k < count; k++)
        oc_tensor_set_string(part, k, text[i * count + k].data, text[i * count + k].size, e);
    if (type != OC_STRING && count)
        memcpy(oc_value_mutable_data(part),
               (const char *)oc_value_data(joined) + (size_t)i * bytes_of(part), bytes_of(part));
    return part;
}
