/* SPDX-License-Identifier: Apache-2.0
 * zip_map.c - ZipMap: of each row of scores a map from the labels of its columns. A vector counts
 * as one row. Of equal labels the last counts. */
#include "ops/ml/ml.h"
#include "tensor/keys.h"

typedef struct geometry {
    oc_labels labels;
    int64_t rows, columns;
    int64_t n;     /* labels that differ */
    int64_t *from; /* columns of the labels, in ascending order of labels */
} geometry;

static oc_status sort_labels(oc_call *c, geometry *g)
{
    const int64_t n = g->columns;
    const oc_value labels = oc_value_borrow(g->labels.number ? OC_I64 : OC_STRING, oc_dims_1d(n),
                                            g->labels.number ? (const void *)g->labels.number
                                                             : (const void *)g->labels.string);
    OC_TRY(OC_SCRATCH(c, g->from, 2 * n));
    oc_keys_sort(&labels, n, g->from, g->from + n);
    for (int64_t i = 0; i < n; i++)
        if (i + 1 == n || oc_keys_compare(&labels, g->from[i], g->from[i + 1]) != 0)
            g->from[g->n++] = g->from[i];
    return OC_OK;
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    *g = (geometry){0};
    OC_TRY(oc_ml_labels(c, "classlabels_int64s", "classlabels_strings", &g->labels));
    OC_TRY(oc_ml_matrix(c, 0, &g->rows, &g->columns));
    if (g->columns != g->labels.n)
        return oc_fail_dims(c, 0, "expected %d columns, one for each label", g->labels.n);
    return sort_labels(c, g);
}

/* The keys, which all rows share, and the values of all rows. */
static oc_status make_tensors(oc_call *c, const geometry *g, oc_value *keys, oc_value *values)
{
    const oc_value *x = oc_in(c, 0);
    const size_t size = oc_type_size(x->type);
    const oc_dims n = oc_dims_1d(g->n), all = {2, {g->rows, g->n}};
    OC_TRY(oc_value_new_tensor(oc_call_pool(c), g->labels.number ? OC_I64 : OC_STRING, &n, keys,
                               oc_call_error(c)));
    OC_TRY(oc_value_new_tensor(oc_call_pool(c), x->type, &all, values, oc_call_error(c)));
    for (int64_t i = 0; i < g->n; i++)
        oc_ml_put_label(keys, i, &g->labels, g->from[i]);
    OC_CALL_LOOP (c, r, g->rows, 64) {
        const oc_value row =
            oc_value_borrow(x->type, n, (char *)x->data + size * (size_t)(r * g->columns));
        const oc_value to =
            oc_value_borrow(x->type, n, (char *)values->data + size * (size_t)(r * g->n));
        oc_keys_arrange(&to, &row, g->from, g->n);
    }
    return OC_OK;
}

static oc_status make_out_channels(oc_call *c, const geometry *g, const oc_value *keys,
                                   const oc_value *values, oc_value *y)
{
    const size_t size = oc_type_size(values->type) * (size_t)g->n;
    OC_TRY(oc_value_new_list(oc_call_pool(c), OC_SEQUENCE, values->type, g->rows, y,
                             oc_call_error(c)));
    y->key = keys->type;
    OC_CALL_LOOP (c, r, g->rows, 16) {
        oc_value *map = &oc_value_items(y)[r];
        OC_TRY(oc_value_new_map(oc_call_pool(c), keys->type, values->type, map, oc_call_error(c)));
        oc_value_items(map)[0] = oc_value_ref(keys);
        oc_value *own = &oc_value_items(map)[1];
        *own = oc_value_ref(values);
        own->dims = keys->dims;
        own->data = (char *)values->data + size * (size_t)r;
    }
    return OC_OK;
}

static oc_status zip_run(oc_call *c)
{
    geometry g;
    oc_value keys = {0}, values = {0}, y = {0};
    OC_TRY(read_geometry(c, &g));
    oc_status status = make_tensors(c, &g, &keys, &values);
    if (status == OC_OK)
        status = make_out_channels(c, &g, &keys, &values, &y);
    oc_value_unref(&keys);
    oc_value_unref(&values);
    if (status == OC_OK)
        oc_give_out(c, 0, &y);
    oc_value_unref(&y); /* after an error, frees what there is of y */
    return status;
}

/* clang-format off */
const oc_op oc_ops_zip_map[] = {
    {1, "ai.onnx.ml::ZipMap <ints classlabels_int64s?, strings classlabels_strings?> "
        "(float X) => (seq(map(float)) Z)", NULL, zip_run},
    {0}
};
