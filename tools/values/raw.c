/* SPDX-License-Identifier: Apache-2.0
 * raw.c - the elements of a value as bytes, as ONNX's raw_data has them, and their SHA-256. */
#include "values/raw.h"

#include "base/element_type.h"
#include "base/int.h"
#include "base/size.h"
#include "common/base64.h"
#include "common/data.h"
#include "common/number.h"
#include "common/signals.h"
#include "values/stats.h"

#include <math.h>

enum { PIECE = 1 << 14 }; /* bytes of a piece, a multiple of the size of every element */

/* ---- written ---- */

static bool put(const oc_writer *to, const void *bytes, size_t size, oc_error *e)
{
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "cancelled");
    else if (e->code == OC_OK && size && !to->write(to->ctx, bytes, size))
        tool_fail(e, OC_IO, "the bytes of a value cannot be written");
    return e->code == OC_OK;
}

/* A complex number is two floats. */
static oc_type part_of(oc_type type)
{
    return type == OC_C64 ? OC_F32 : type == OC_C128 ? OC_F64 : type;
}

static void write_floats(oc_type type, const char *data, int64_t n, const oc_writer *to,
                         oc_error *e)
{
    char piece[PIECE];
    const size_t size = oc_type_size(type);
    const int64_t most = (int64_t)(PIECE / size);
    for (int64_t at = 0; at < n;) {
        const int64_t some = oc_min(most, n - at);
        memcpy(piece, data + (size_t)at * size, (size_t)some * size);
        for (int64_t i = 0; i < some; i++)
            if (isnan(number_get(type, piece, i)))
                number_set(type, piece, i, (double)NAN);
        if (!put(to, piece, (size_t)some * size, e))
            return;
        at += some;
    }
}

static void write_packed(oc_type type, const unsigned char *data, int64_t n, const oc_writer *to,
                         oc_error *e)
{
    unsigned char piece[PIECE];
    const int bits = oc_type_bits(type), each = 8 / bits;
    for (int64_t at = 0; at < n;) {
        const int64_t some = oc_min((int64_t)PIECE * each, n - at);
        const size_t bytes = (size_t)oc_div_up(some, each);
        memset(piece, 0, bytes);
        for (int64_t i = 0; i < some; i++)
            piece[i / each] |=
                (unsigned char)((data[at + i] & ((1 << bits) - 1)) << (int)(i % each) * bits);
        if (!put(to, piece, bytes, e))
            return;
        at += some;
    }
}

static void write_strings(const oc_string *s, int64_t n, const oc_writer *to, oc_error *e)
{
    for (int64_t i = 0; i < n; i++) {
        const uint64_t size = s[i].size;
        if (!put(to, &size, sizeof size, e) || !put(to, s[i].data, s[i].size, e))
            return;
    }
}

static void write_bytes(const char *data, size_t size, const oc_writer *to, oc_error *e)
{
    enum { MOST = 1 << 20 }; /* bytes between two looks for SIGINT */
    for (size_t at = 0; at < size; at += MOST)
        if (!put(to, data + at, oc_min(size - at, (size_t)MOST), e))
            return;
}

void raw_write(const oc_value *tensor, bool same_nan, const oc_writer *to, oc_error *e)
{
    const oc_type type = oc_value_type(tensor), part = part_of(type);
    const int64_t n = oc_value_count(tensor);
    const void *data = oc_value_data(tensor);
    if (e->code != OC_OK || n == 0)
        return;
    if (type == OC_STRING)
        write_strings(data, n, to, e);
    else if (oc_type_bits(type) < 8)
        write_packed(type, data, n, to, e);
    else if (same_nan && number_is_float(part))
        write_floats(part, data, part == type ? n : 2 * n, to, e);
    else
        write_bytes(data, oc_type_size(type) * (size_t)n, to, e);
}

/* ---- SHA-256 ---- */

static bool add(void *ctx, const void *bytes, size_t size)
{
    sha256_add(ctx, bytes, size);
    return true;
}

static void add_line(const oc_value *v, const oc_writer *to, oc_error *e)
{
    char shape[STATS_SHAPE];
    stats_shape(v, shape);
    put(to, shape, strlen(shape), e);
    put(to, "\n", 1, e);
}

/* Adds the items of a value that is no tensor. */
static void add_items(const oc_value *v, const oc_writer *to, oc_error *e)
{
    add_line(v, to, e);
    for (int64_t i = 0; i < oc_value_count(v) && e->code == OC_OK; i++) {
        const oc_value *item = oc_value_item(v, i);
        if (oc_value_kind(item) != OC_TENSOR) {
            add_items(item, to, e);
        } else {
            add_line(item, to, e);
            raw_write(item, true, to, e);
        }
    }
}

raw_digest raw_sha256(const oc_value *value, oc_error *e)
{
    raw_digest digest = {""};
    sha256 s = sha256_begin();
    const oc_writer to = {add, &s};
    if (oc_value_kind(value) == OC_TENSOR)
        raw_write(value, true, &to, e);
    else
        add_items(value, &to, e);
    if (e->code == OC_OK)
        sha256_end(&s, digest.text);
    return digest;
}

/* ---- read ---- */

/* Finds the number of elements and of bytes. Returns false when a size counts neither. */
static bool find_sizes(oc_type type, int rank, const int64_t *dim, uint64_t *n, uint64_t *bytes)
{
    const uint64_t bits = (uint64_t)oc_type_bits(type);
    *n = 1;
    for (int k = 0; k < rank; k++)
        if (!oc_u64_mul(*n, (uint64_t)dim[k], n))
            return false;
    if (bits < 8)
        *bytes = *n / (8 / bits) + (*n % (8 / bits) != 0);
    return bits < 8 || oc_u64_mul(*n, bits / 8, bytes);
}

/* Unpacks elements at the begin of data, from the last one on: none is written where a packed one
 * is still to be read. */
static void unpack(oc_type type, unsigned char *data, int64_t n)
{
    const int bits = oc_type_bits(type), each = 8 / bits, sign = 1 << (bits - 1);
    for (int64_t i = n - 1; i >= 0; i--) {
        const int code = data[i / each] >> (int)(i % each) * bits & ((1 << bits) - 1);
        data[i] =
            (unsigned char)(number_is_integer(type) && number_is_signed(type) ? (code ^ sign) - sign
                                                                              : code);
    }
}

static void check_bools(const unsigned char *data, int64_t n, const char *where, oc_error *e)
{
    for (int64_t i = 0; i < n && e->code == OC_OK; i++)
        if (data[i] > 1)
            tool_fail(e, OC_VALUE, "%s: element %lld of bool is %d, expected 0 or 1", where,
                      (long long)i, data[i]);
}

oc_value *raw_read(oc_type type, int rank, const int64_t *dim, const char *text, size_t size,
                   const char *where, oc_error *e)
{
    uint64_t n = 0, bytes = 0;
    const size_t given = base64_size(text, size);
    if (given == SIZE_MAX)
        tool_fail(e, OC_FORMAT, "%s: %zu characters of base64, expected a multiple of 4", where,
                  size);
    else if (!find_sizes(type, rank, dim, &n, &bytes) || bytes != given)
        tool_fail(e, OC_SHAPE, "%s: %zu bytes, expected the %llu of its type and dims", where,
                  given, (unsigned long long)bytes);
    oc_value *v = e->code == OC_OK ? data_tensor(type, rank, dim, where, e) : NULL;
    if (!v || n == 0)
        return v;
    unsigned char *data = oc_value_mutable_data(v);
    const size_t good = base64_read(text, size, data);
    if (good < size)
        tool_fail(e, OC_FORMAT, "%s: character %zu is not what base64 has there", where, good + 1);
    else if (oc_type_bits(type) < 8)
        unpack(type, data, (int64_t)n);
    else if (type == OC_BOOL)
        check_bools(data, (int64_t)n, where, e);
    if (e->code == OC_OK)
        return v;
    oc_value_free(v);
    return NULL;
}
