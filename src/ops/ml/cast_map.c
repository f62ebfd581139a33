/* SPDX-License-Identifier: Apache-2.0
 * cast_map.c - CastMap: the values of a map as a row [1,N]: all of them in ascending order of keys,
 * or, of a sparse map, each at the place that its key tells, with zeros elsewhere (in strings
 * "0.f", as ONNX Runtime has it; the standard leaves it open). */
#include "ops/kit/op.h"

#include "base/number.h"

enum { TEXT_WORK = 1 << 12 }; /* products that take as long as a number from or to text */

static oc_status from_string(oc_call *c, oc_string s, int64_t key, const oc_value *y, int64_t at)
{
    double number = 0;
    const bool is_float = y->type == OC_F32;
    const bool valid = is_float ? oc_f32_parse(s.data, s.size, (float *)y->data + at)
                                : oc_f64_parse(s.data, s.size, &number);
    if (!valid)
        return oc_fail(c, OC_VALUE, "the value of key %" PRId64 " is '%.*s', expected a number",
                       key, (int)oc_min(s.size, 40), s.data);
    if (!is_float)
        oc_convert((int64_t *)y->data + at, OC_I64, &number, OC_F64, 1, true);
    return OC_OK;
}

static oc_status to_string(oc_call *c, float x, const oc_value *y, int64_t at)
{
    char text[OC_FLOAT_TEXT];
    oc_f32_text(x, text);
    const oc_string s = {oc_keep_string(c, text, strlen(text)), strlen(text)};
    ((oc_string *)y->data)[at] = s;
    return s.data ? OC_OK : oc_call_error(c)->code;
}

/* Value i of the map becomes element `at` of the row. */
static oc_status cast(oc_call *c, const oc_value *map, int64_t i, const oc_value *y, int64_t at)
{
    const oc_value *keys = &oc_value_items(map)[0], *values = &oc_value_items(map)[1];
    const oc_string *strings = values->type == OC_STRING ? values->data : NULL;
    const float *floats = strings ? NULL : values->data;
    if (strings && y->type == OC_STRING)
        ((oc_string *)y->data)[at] = strings[i];
    else if (strings)
        return from_string(c, strings[i], ((const int64_t *)keys->data)[i], y, at);
    else if (y->type == OC_STRING)
        return to_string(c, floats[i], y, at);
    else
        oc_convert((char *)y->data + oc_type_size(y->type) * (size_t)at, y->type, &floats[i],
                   OC_F32, 1, true);
    return OC_OK;
}

static void put_zero(const oc_value *y, int64_t at)
{
    if (y->type == OC_STRING)
        ((oc_string *)y->data)[at] = (oc_string){"0.f", 3};
    else
        memset((char *)y->data + oc_type_size(y->type) * (size_t)at, 0, oc_type_size(y->type));
}

static oc_status cast_run(oc_call *c)
{
    static const char *const targets[] = {"TO_FLOAT", "TO_STRING", "TO_INT64", NULL};
    static const char *const forms[] = {"DENSE", "SPARSE", NULL};
    static const oc_type types[] = {OC_F32, OC_STRING, OC_I64};
    const oc_value *map = oc_in(c, 0), *keys = oc_value_items(map);
    const int64_t n = oc_value_n(keys), *key = keys->data;
    int target, sparse;
    OC_TRY(oc_attr_enum(c, "cast_to", targets, &target));
    OC_TRY(oc_attr_enum(c, "map_form", forms, &sparse));
    const int64_t size = sparse ? oc_attr_int(c, "max_map") : n;
    if (keys->type != OC_I64)
        return oc_fail(c, OC_TYPE, "input 0 has keys of %s, expected int64",
                       oc_type_name(keys->type));
    if (sparse && size <= 0)
        return oc_fail(c, OC_VALUE, "attribute 'max_map' is %" PRId64 ", expected > 0", size);
    if (sparse && n && key[0] < 0)
        return oc_fail(c, OC_VALUE, "input 0 has the key %" PRId64 ", expected none below 0",
                       key[0]);
    OC_TRY(oc_set_out(c, 0, types[target], &(oc_dims){2, {1, size}}));
    OC_TRY(oc_alloc_out(c, 0));
    const oc_value *y = oc_out(c, 0);
    int64_t i = 0;
    OC_CALL_LOOP (c, at, size, 64) {
        if (!sparse || (i < n && key[i] == at))
            OC_TRY(cast(c, map, i++, y, at));
        else
            put_zero(y, at);
    }
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_cast_map[] = {
    {1, "ai.onnx.ml::CastMap <string cast_to = \"TO_FLOAT\", string map_form = \"DENSE\", int max_map = 1> "
        "(M X) => (T Y) | M: map(string) map(float); T: string float int64", NULL, cast_run},
    {0}
};
