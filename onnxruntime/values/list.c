/* SPDX-License-Identifier: Apache-2.0
 * list.c - sequences and maps, as the interface has them: their items are held, not copied. */
#include "common/interface.h"
#include "values/value.h"

static OrtStatus *expect_items(const OrtValue *const *in, size_t n, ONNXType kind)
{
    ORT_EXPECT(kind == ONNX_TYPE_SEQUENCE || kind == ONNX_TYPE_MAP,
               "CreateValue: kind %d, expected a sequence or a map", (int)kind);
    ORT_EXPECT(kind == ONNX_TYPE_SEQUENCE ? n >= 1 : n == 2, "CreateValue: %zu values, expected %s",
               n, kind == ONNX_TYPE_SEQUENCE ? "one or more" : "the keys and the values");
    ORT_EXPECT(!in[0] || in[0]->kind == OC_TENSOR || in[0]->kind == OC_MAP,
               "CreateValue: value 0 is a sequence or optional, expected a tensor or a map");
    for (size_t i = 0; i < n; i++) {
        ORT_EXPECT(in[i] && in[i]->kind == (kind == ONNX_TYPE_MAP ? OC_TENSOR : in[0]->kind),
                   "CreateValue: value %zu is none, or of another kind than expected", i);
        if (kind == ONNX_TYPE_SEQUENCE && in[i]->type != in[0]->type)
            return ort_fail(ORT_FAIL, "CreateValue: value %zu is of another type than the first",
                            i);
    }
    return NULL;
}

OrtStatus *ort_CreateValue(const OrtValue *const *in, size_t n, ONNXType kind, OrtValue **out)
{
    ORT_NEED(in && out);
    *out = NULL;
    ORT_TRY(expect_items(in, n, kind));
    const bool map = kind == ONNX_TYPE_MAP;
    ORT_EXPECT(!map || (in[0]->rank == 1 && in[1]->rank == 1 && in[0]->count == in[1]->count &&
                        (in[0]->type == OC_I64 || in[0]->type == OC_STRING)),
               "CreateValue: expected keys of int64 or strings along one axis, and as many values");
    OrtValue *list;
    ORT_TRY(ort_new(sizeof *list, &list));
    list->kind = map ? OC_MAP : OC_SEQUENCE;
    list->type = in[map ? 1 : 0]->type;
    list->key = map ? in[0]->type : in[0]->key;
    OrtStatus *status = ort_new(n * sizeof *list->item, &list->item);
    if (status) {
        free(list);
        return status;
    }
    for (size_t i = 0; i < n; i++)
        list->item[i] = ort_value_hold(in[i]);
    list->count = (int64_t)n;
    *out = list;
    return NULL;
}

OrtStatus *ort_GetValueCount(const OrtValue *value, size_t *out)
{
    ORT_NEED(value && out);
    ORT_EXPECT(value->kind != OC_TENSOR, "GetValueCount: the value is a tensor");
    *out = (size_t)value->count;
    return NULL;
}

OrtStatus *ort_GetValue(const OrtValue *value, int i, OrtAllocator *, OrtValue **out)
{
    ORT_NEED(value && out);
    ORT_EXPECT(value->kind != OC_TENSOR, "GetValue: the value is a tensor");
    if (i < 0 || i >= value->count)
        return ort_fail(ORT_RUNTIME_EXCEPTION, "GetValue: item %d of a value with %lld", i,
                        (long long)value->count);
    return ort_value_share(value->item[i], out);
}
