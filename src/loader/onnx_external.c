/* SPDX-License-Identifier: Apache-2.0
 * onnx_external.c - elements of a TensorProto that are in another file. */
#include "loader/loader.h"
#include "loader/onnx.h"
#include "loader/raw.h"

static oc_status read_place(const Onnx__TensorProto *t, oc_external_place *p, oc_error *e)
{
    *p = OC_EXTERNAL_PLACE;
    for (size_t i = 0; i < t->n_external_data; i++) {
        const char *key = t->external_data[i]->key, *value = t->external_data[i]->value;
        if (!key || !value)
            return oc_error_set(e, OC_FORMAT, "external_data has an entry without key or value");
        OC_TRY(oc_external_entry(p, key, value, e));
    }
    return p->location ? OC_OK : oc_error_set(e, OC_FORMAT, "external_data has no location");
}

static oc_status find_bytes(oc_onnx *x, const Onnx__TensorProto *t, const char *name,
                            const oc_value *v, const void **bytes, size_t *size, oc_error *e)
{
    oc_external_place p;
    if (!x->m)
        return oc_error_set(e, OC_FORMAT, "external data is refused outside a model");
    OC_TRY(read_place(t, &p, e));
    if (p.length < 0)
        p.length = (int64_t)oc_raw_size(v->type, oc_value_n(v));
    const oc_model_options *o = &x->m->options;
    *size = (size_t)p.length;
    *bytes = o->initializer && (uint64_t)p.length <= SIZE_MAX
                 ? o->initializer(o->external_ctx, name, p.location, p.offset, *size)
                 : NULL;
    if (*bytes)
        return OC_OK;
    return oc_external_data(x->m, p.location, p.offset, p.length, bytes, size, e);
}

oc_status oc_onnx_external(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v)
{
    const char *name = t->name ? t->name : "";
    const void *bytes;
    size_t size;
    oc_error why = {.code = OC_OK};
    const oc_status status = find_bytes(x, t, name, v, &bytes, &size, &why);
    if (status == OC_IO && x->may_lack)
        return oc_external_lost(x->m, name, &why, x->e);
    if (status != OC_OK)
        return oc_error_set(x->e, why.code, "tensor '%s': %s", name, why.text);
    return oc_raw_elements(x->m, x->pool, x->in_place, name, bytes, size, v, x->e);
}
