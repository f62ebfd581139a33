/* SPDX-License-Identifier: Apache-2.0
 * npy.c - reads and writes NumPy's .npy files. */
#include "files/npy.h"

#include "base/element_type.h"
#include "base/int.h"
#include "common/data.h"
#include "common/signals.h"

#include <ctype.h>

static const struct {
    oc_type type;
    char kind;
    int size;
} types[] = {
    {OC_BOOL, 'b', 1}, {OC_I8, 'i', 1},    {OC_I16, 'i', 2}, {OC_I32, 'i', 4},
    {OC_I64, 'i', 8},  {OC_U8, 'u', 1},    {OC_U16, 'u', 2}, {OC_U32, 'u', 4},
    {OC_U64, 'u', 8},  {OC_F16, 'f', 2},   {OC_F32, 'f', 4}, {OC_F64, 'f', 8},
    {OC_C64, 'c', 8},  {OC_C128, 'c', 16}, {OC_U8, 'V', 1},  {OC_U16, 'V', 2},
};

typedef struct header {
    oc_type type;
    char kind;   /* NumPy's letter for the kind */
    size_t item; /* bytes of one element in the file */
    bool swapped, fortran;
    int rank;
    int64_t dim[OC_MAX_RANK];
    int64_t count;
    bool has_type, has_order, has_shape;
} header;

/* ---- the header: a Python dictionary of three entries ---- */

typedef struct cursor {
    const char *at, *end;
} cursor;

static void skip_space(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r'))
        c->at++;
}

static bool take(cursor *c, const char *token)
{
    const size_t size = strlen(token);
    skip_space(c);
    if ((size_t)(c->end - c->at) < size || memcmp(c->at, token, size) != 0)
        return false;
    c->at += size;
    return true;
}

/* Reads a string in single or double quotes, without escapes, of at most size - 1 bytes. */
static bool take_string(cursor *c, char *text, size_t size)
{
    skip_space(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return false;
    const char quote = *c->at++;
    size_t n = 0;
    while (c->at < c->end && *c->at != quote && *c->at != '\\' && n + 1 < size)
        text[n++] = *c->at++;
    text[n] = 0;
    return c->at < c->end && *c->at++ == quote;
}

static bool take_int(cursor *c, int64_t *n)
{
    skip_space(c);
    if (c->at == c->end || !isdigit((unsigned char)*c->at))
        return false;
    for (*n = 0; c->at < c->end && isdigit((unsigned char)*c->at); c->at++) {
        const int digit = *c->at - '0';
        if (*n > (INT64_MAX - digit) / 10)
            return false;
        *n = *n * 10 + digit;
    }
    if (c->at < c->end && *c->at == 'L') /* Python 2 wrote an L after long integers */
        c->at++;
    return true;
}

static bool take_shape(cursor *c, header *h)
{
    if (!take(c, "("))
        return false;
    while (!take(c, ")")) {
        if (h->rank == OC_MAX_RANK || !take_int(c, &h->dim[h->rank]))
            return false;
        h->rank++;
        if (!take(c, ",")) {
            if (h->rank == 1) /* in Python, "(3)" is not a tuple */
                return false;
            return take(c, ")");
        }
    }
    return true;
}

/* Reads an element type such as "<f4": byte order, kind, size. */
static bool read_descr(const char *text, header *h)
{
    const uint16_t probe = 1;
    const bool little = *(const uint8_t *)&probe == 1;
    cursor c = {text + 2, text + strlen(text)};
    int64_t size;
    if (strlen(text) < 3 || !strchr("<>|=", text[0]) || !take_int(&c, &size) || c.at != c.end)
        return false;
    h->kind = text[1];
    h->swapped = text[0] == (little ? '>' : '<');
    if (h->kind == 'U' || h->kind == 'S') {
        h->type = OC_STRING;
        h->item = (size_t)size * (h->kind == 'U' ? 4 : 1);
        return size <= 1 << 24;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].kind == h->kind && types[i].size == size) {
            h->type = types[i].type;
            h->item = (size_t)size;
            return true;
        }
    return false;
}

static bool take_entry(cursor *c, header *h, const char *where, oc_error *e)
{
    char key[24], descr[32] = "";
    if (!take_string(c, key, sizeof key) || !take(c, ":"))
        return false;
    if (strcmp(key, "descr") == 0 && !h->has_type) {
        if (!take_string(c, descr, sizeof descr) || !read_descr(descr, h))
            return tool_fail(e, OC_UNSUPPORTED,
                             "%s: element type '%s' is not read, expected bool, integers, floats, "
                             "complex numbers or strings",
                             where, descr),
                   false;
        return h->has_type = true;
    }
    if (strcmp(key, "fortran_order") == 0 && !h->has_order) {
        h->fortran = take(c, "True");
        return h->has_order = h->fortran || take(c, "False");
    }
    if (strcmp(key, "shape") == 0 && !h->has_shape)
        return h->has_shape = take_shape(c, h);
    return false;
}

static void read_dict(const char *text, size_t size, header *h, const char *where, oc_error *e)
{
    cursor c = {text, text + size};
    bool good = take(&c, "{");
    while (good && !take(&c, "}")) {
        good = take_entry(&c, h, where, e);
        if (good && !take(&c, ",")) {
            good = take(&c, "}");
            break;
        }
    }
    skip_space(&c);
    if (!good || c.at != c.end || !h->has_type || !h->has_order || !h->has_shape)
        tool_fail(e, OC_FORMAT,
                  "%s: malformed header, expected {'descr': '<f4', 'fortran_order': False, "
                  "'shape': (2, 3)} with at most %d dims",
                  where, OC_MAX_RANK);
}

/* Finds the header's text, *n bytes at *text. Returns the offset of the elements in the file. */
static size_t read_preamble(const unsigned char *b, size_t size, const char *where,
                            const char **text, size_t *n, oc_error *e)
{
    *n = 0;
    static const char magic[] = "\x93NUMPY";
    if (size < 10 && memcmp(b, magic, oc_min(size, 6)) == 0) {
        tool_fail(e, OC_FORMAT, "%s: it is %s", where, size ? "cut off" : "empty");
        return 0;
    }
    if (size < 10 || memcmp(b, magic, 6) != 0 || b[6] < 1 || b[6] > 3 || b[7] != 0) {
        tool_fail(e, OC_FORMAT, "%s: no .npy file of version 1, 2 or 3", where);
        return 0;
    }
    const size_t start = b[6] == 1 ? 10 : 12;
    if (size >= start)
        *n = b[6] == 1
                 ? (size_t)b[8] | (size_t)b[9] << 8
                 : (size_t)b[8] | (size_t)b[9] << 8 | (size_t)b[10] << 16 | (size_t)b[11] << 24;
    if (size < start || *n > size - start || *n > 1 << 16) {
        tool_fail(e, OC_FORMAT, "%s: the header is cut off or longer than 65536 bytes", where);
        return 0;
    }
    *text = (const char *)b + start;
    return start + *n;
}

/* Sets h->count, and compares the size of that many elements with the bytes in the file. */
static void check_size(header *h, size_t present, const char *where, oc_error *e)
{
    if (e->code != OC_OK)
        return;
    const size_t item = h->item ? h->item : 1;
    bool empty = false, fits = true;
    size_t count = 1;
    for (int i = 0; i < h->rank; i++)
        empty = empty || h->dim[i] == 0;
    for (int i = 0; i < h->rank && !empty && fits; i++) {
        fits = (uint64_t)h->dim[i] <= SIZE_MAX / item / count;
        count *= fits ? (size_t)h->dim[i] : 1;
    }
    if (empty)
        count = 0;
    /* Strings may have 0 bytes, and a tiny file must not be able to ask for a huge tensor. */
    fits = fits && (h->item || count <= 1 << 20);
    if (fits && count * h->item > present)
        tool_fail(e, OC_FORMAT, "%s: it is cut off: %zu bytes of elements, expected %zu", where,
                  present, count * h->item);
    else if (!fits || count * h->item != present)
        tool_fail(e, OC_FORMAT, "%s: %zu bytes of elements, expected %s%zu", where, present,
                  fits ? "" : "more than ", fits ? count * h->item : (size_t)SIZE_MAX);
    h->count = (int64_t)count;
}

/* ---- elements ---- */

/* Copies one element. With swapped, reverses its bytes, or the bytes of each of its two parts if
 * it is complex. */
static void copy_item(unsigned char *dst, const unsigned char *src, const header *h)
{
    const size_t part = h->kind == 'c' ? h->item / 2 : h->item;
    if (!h->swapped) {
        memcpy(dst, src, h->item);
        return;
    }
    for (size_t i = 0; i < h->item; i++)
        dst[i] = src[i / part * part + (part - 1 - i % part)];
}

static void set_element(oc_value *v, int64_t i, const unsigned char *src, const header *h,
                        oc_error *e)
{
    if (h->type == OC_STRING) {
        npy_set_string(v, i, src, h->item, h->kind == 'U', h->swapped, e);
        return;
    }
    unsigned char *dst = (unsigned char *)oc_value_mutable_data(v) + (size_t)i * h->item;
    copy_item(dst, src, h);
    if (h->type == OC_BOOL)
        *dst = *dst != 0;
}

static void fill(oc_value *v, const unsigned char *src, const header *h, const char *where,
                 oc_error *e)
{
    if (h->type != OC_STRING && h->type != OC_BOOL && !h->swapped && !(h->fortran && h->rank > 1)) {
        if (h->count)
            memcpy(oc_value_mutable_data(v), src, (size_t)h->count * h->item);
        return;
    }
    int64_t index[OC_MAX_RANK] = {0}, step[OC_MAX_RANK], at = 0, product = 1;
    for (int k = 0; k < h->rank; k++) {
        const int axis = h->fortran ? k : h->rank - 1 - k;
        step[axis] = product;
        product *= h->dim[axis];
    }
    for (int64_t i = 0; i < h->count && e->code == OC_OK; i++) {
        if (signals_end_at(i))
            tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
        set_element(v, i, src + (size_t)at * h->item, h, e);
        for (int k = h->rank - 1; k >= 0; k--) {
            at += step[k];
            if (++index[k] < h->dim[k])
                break;
            at -= step[k] * h->dim[k];
            index[k] = 0;
        }
    }
}

oc_value *npy_read(const void *bytes, size_t size, const char *where, oc_error *e)
{
    header h = {0};
    const char *text = NULL;
    size_t n;
    if (e->code != OC_OK)
        return NULL;
    const size_t start = read_preamble(bytes, size, where, &text, &n, e);
    if (e->code == OC_OK)
        read_dict(text, n, &h, where, e);
    check_size(&h, size - start, where, e);
    oc_value *v = data_tensor(h.type, h.rank, h.dim, where, e);
    if (v)
        fill(v, (const unsigned char *)bytes + start, &h, where, e);
    if (v && e->code != OC_OK) {
        oc_value_free(v);
        return NULL;
    }
    return v;
}

oc_type npy_stored_type(oc_type type)
{
    if (oc_type_in(type, OC_SET_TINY_INT | OC_SET_TINY_FLOAT))
        return oc_type_is_signed(type) ? OC_I8 : OC_U8;
    return type == OC_BF16 ? OC_U16 : type;
}

/* ---- writing ---- */

void npy_write(const oc_value *v, const oc_writer *out, oc_error *e)
{
    const oc_type type = npy_stored_type(oc_value_type(v));
    char text[512], descr[32];
    if (e->code != OC_OK)
        return;
    const size_t width = type == OC_STRING ? npy_text_width(v) : 0;
    if (type == OC_STRING)
        snprintf(descr, sizeof descr, "<U%zu", width);
    for (size_t i = 0; type != OC_STRING && i < sizeof types / sizeof *types; i++)
        if (types[i].type == type && types[i].kind != 'V')
            snprintf(descr, sizeof descr, "%c%c%d", types[i].size == 1 ? '|' : '<', types[i].kind,
                     types[i].size);
    /* 10 bytes come before the text; blanks pad all, with the line end, to a multiple of 64. */
    int n =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (int i = 0; i < oc_value_rank(v); i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%lld%s", (long long)oc_value_dims(v)[i],
                      i + 1 < oc_value_rank(v) ? ", "
                      : i == 0                 ? ","
                                               : "");
    n += snprintf(text + n, sizeof text - (size_t)n, "), }");
    while ((10 + n + 1) % 64 != 0)
        text[n++] = ' ';
    text[n++] = '\n';
    const unsigned char front[10] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)n, (unsigned char)(n >> 8)};
    const size_t bytes = (size_t)oc_value_count(v) * oc_type_size(type);
    bool good = out->write(out->ctx, front, sizeof front) && out->write(out->ctx, text, (size_t)n);
    if (type == OC_STRING)
        good = good && npy_put_text(v, width, out);
    else
        good = good && (bytes == 0 || out->write(out->ctx, oc_value_data(v), bytes));
    if (!good)
        tool_fail(e, OC_IO, "the elements cannot be written");
}
