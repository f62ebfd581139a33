/* SPDX-License-Identifier: Apache-2.0
 * strings.c - tensors of strings, as the interface has them: bytes, with no zero behind. */
#include "common/interface.h"
#include "values/value.h"

static OrtStatus *expect_strings(const char *call, const OrtValue *value)
{
    ORT_EXPECT(value && value->kind == OC_TENSOR && value->type == OC_STRING,
               "%s: the value is no tensor of strings", call);
    return NULL;
}

/* Element i. */
static OrtStatus *find(const char *call, const OrtValue *value, size_t i, oc_string *string)
{
    ORT_TRY(expect_strings(call, value));
    ORT_EXPECT(i < (size_t)value->count, "%s: element %zu of a tensor with %lld", call, i,
               (long long)value->count);
    *string = ((const oc_string *)oc_value_data(value->strings))[i];
    return NULL;
}

static OrtStatus *set(const char *call, OrtValue *value, size_t i, const char *bytes, size_t size)
{
    oc_string unused;
    oc_error e = {0};
    ORT_TRY(find(call, value, i, &unused));
    ORT_EXPECT(!value->borrowed, "%s: the tensor is an input, which stays as it is", call);
    ORT_EXPECT(bytes, "%s: string %zu is NULL", call, i);
    oc_tensor_set_string(value->strings, (int64_t)i, bytes, size, &e);
    return ort_from_error(&e);
}

OrtStatus *ort_FillStringTensor(OrtValue *value, const char *const *text, size_t n)
{
    ORT_NEED(text || !n);
    ORT_TRY(expect_strings("FillStringTensor", value));
    ORT_EXPECT(n == (size_t)value->count, "FillStringTensor: %zu strings for %lld elements", n,
               (long long)value->count);
    for (size_t i = 0; i < n; i++)
        ORT_TRY(set("FillStringTensor", value, i, text[i], text[i] ? strlen(text[i]) : 0));
    return NULL;
}

OrtStatus *ort_FillStringTensorElement(OrtValue *value, const char *text, size_t i)
{
    return set("FillStringTensorElement", value, i, text, text ? strlen(text) : 0);
}

OrtStatus *ort_GetResizedStringTensorElementBuffer(OrtValue *value, size_t i, size_t size,
                                                   char **out)
{
    ORT_NEED(out);
    static const char *const call = "GetResizedStringTensorElementBuffer";
    char *blank;
    oc_string string;
    ORT_TRY(ort_allocate(NULL, size, &blank));
    memset(blank, 0, size);
    OrtStatus *status = set(call, value, i, blank, size);
    ort_free(NULL, blank);
    if (status)
        return status;
    ORT_TRY(find(call, value, i, &string));
    *out = (char *)(uintptr_t)string.data; /* bytes that oc_tensor_set_string has just made */
    return NULL;
}

OrtStatus *ort_GetStringTensorElementLength(const OrtValue *value, size_t i, size_t *out)
{
    ORT_NEED(out);
    oc_string string;
    ORT_TRY(find("GetStringTensorElementLength", value, i, &string));
    *out = string.size;
    return NULL;
}

OrtStatus *ort_GetStringTensorElement(const OrtValue *value, size_t room, size_t i, void *text)
{
    oc_string string;
    ORT_TRY(find("GetStringTensorElement", value, i, &string));
    ORT_EXPECT(room >= string.size,
               "GetStringTensorElement: room for %zu bytes, the string has %zu", room, string.size);
    ORT_NEED(text || !string.size);
    if (string.size)
        memcpy(text, string.data, string.size);
    return NULL;
}

OrtStatus *ort_GetStringTensorDataLength(const OrtValue *value, size_t *out)
{
    ORT_NEED(out);
    ORT_TRY(expect_strings("GetStringTensorDataLength", value));
    const oc_string *string = oc_value_data(value->strings);
    *out = 0;
    for (int64_t i = 0; i < value->count; i++)
        *out += string[i].size;
    return NULL;
}

OrtStatus *ort_GetStringTensorContent(const OrtValue *value, void *text, size_t room,
                                      size_t *offset, size_t n)
{
    ORT_NEED(offset || !n);
    size_t size, at = 0;
    ORT_TRY(ort_GetStringTensorDataLength(value, &size));
    ORT_EXPECT(room >= size && n == (size_t)value->count,
               "GetStringTensorContent: room for %zu bytes and %zu offsets, the strings have %zu "
               "and %lld",
               room, n, size, (long long)value->count);
    ORT_NEED(text || !size);
    const oc_string *string = oc_value_data(value->strings);
    for (size_t i = 0; i < n; i++) {
        offset[i] = at;
        if (string[i].size)
            memcpy((char *)text + at, string[i].data, string[i].size);
        at += string[i].size;
    }
    return NULL;
}
