/* SPDX-License-Identifier: Apache-2.0
 * tensor_file.c - reads and writes one value in the format that the file's ending tells. */
#include "files/tensor_file.h"

#include "base/element_type.h"
#include "common/data.h"
#include "common/signals.h"
#include "files/npy.h"
#include "files/text_value.h"
#include "common/number.h"

static bool is_picture(const char *path)
{
    return io_ends_with(path, ".png") || io_ends_with(path, ".jpg") || io_ends_with(path, ".jpeg");
}

/* Is it a picture of a format that can be read but not written? */
static bool is_foreign_picture(const char *path)
{
    static const char *const endings[] = {".webp", ".bmp", ".ppm", ".pgm", ".pbm", ".pnm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (io_ends_with(path, endings[i]))
            return true;
    return false;
}

bool tensor_is_file(const char *path)
{
    return is_picture(path) || io_ends_with(path, ".npy") || io_ends_with(path, ".pb");
}

bool tensor_can_read(const char *path)
{
    return tensor_is_file(path) || is_foreign_picture(path);
}

/* ---- types that .npy files lack ---- */

/* Is element i of v a code of the type? Always true for types of 8 bits and more. */
static bool is_code(oc_type type, const oc_value *v, int64_t i)
{
    const int bits = oc_type_bits(type);
    if (bits >= 8)
        return true;
    if (!oc_type_is_signed(type))
        return number_unsigned(OC_U8, oc_value_data(v), i) < 1u << bits;
    const int64_t n = number_signed(OC_I8, oc_value_data(v), i), end = 1 << (bits - 1);
    return n >= -end && n < end;
}

static void take_codes(const oc_value *v, oc_value *out, const char *where, oc_error *e)
{
    const oc_type type = oc_value_type(out);
    for (int64_t i = 0; i < oc_value_count(v); i++) {
        if (signals_end_at(i)) {
            tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
            return;
        }
        if (!is_code(type, v, i)) {
            tool_fail(e, OC_VALUE, "%s: element %lld is out of the range of %s", where,
                      (long long)i, oc_type_name(type));
            return;
        }
    }
    memcpy(oc_value_mutable_data(out), oc_value_data(v),
           (size_t)oc_value_count(v) * oc_type_size(type));
}

static void cast(const oc_value *v, oc_value *out, const char *where, oc_error *e)
{
    const oc_type from = oc_value_type(v), to = oc_value_type(out);
    for (int64_t i = 0; i < oc_value_count(v); i++) {
        if (signals_end_at(i)) {
            tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
            return;
        }
        number_set(to, oc_value_mutable_data(out), i, number_get(from, oc_value_data(v), i));
    }
}

oc_value *tensor_as(oc_value *v, const oc_port *port, const tensor_options *o, const char *where,
                    oc_error *e)
{
    if (!v || oc_value_kind(v) != OC_TENSOR || port->kind != OC_TENSOR ||
        port->type == OC_UNDEFINED || oc_value_type(v) == port->type)
        return v;
    const oc_type from = oc_value_type(v);
    const bool codes = npy_stored_type(port->type) == from;
    if (!codes && (!o->cast || from == OC_STRING || port->type == OC_STRING))
        return v; /* binding the value to the input reports the wrong type */
    oc_value *out = data_tensor(port->type, oc_value_rank(v), oc_value_dims(v), where, e);
    if (out && codes)
        take_codes(v, out, where, e);
    else if (out)
        cast(v, out, where, e);
    if (out && e->code == OC_OK && !o->quiet)
        tool_say("%s: %s %s %s", where, oc_type_name(from), codes ? "taken as codes of" : "cast to",
                 oc_type_name(port->type));
    oc_value_free(v);
    if (e->code == OC_OK)
        return out;
    oc_value_free(out);
    return NULL;
}

/* ---- reading ---- */

static oc_value *read_picture(const char *path, const io_bytes *b, const oc_port *port,
                              const tensor_options *o, oc_error *e)
{
    image m;
    char text[IMAGE_TEXT];
    int width, height;
    image_read(&m, b->data, b->size, o->cap, path, e);
    image_turn(&m, o->cap, path, e);
    image_wanted_size(&o->image, port, path, &width, &height, e);
    image_resize(&m, (image_resize_kind)o->image.resize, width, height, o->image.fill, o->cap, path,
                 e);
    oc_value *v = image_to_tensor(&m, port, &o->image, path, text, e);
    if (v && !o->quiet)
        tool_say("%s", text);
    if (v && o->fit)
        *o->fit = image_fit_of(&m);
    image_free(&m);
    return v;
}

oc_value *tensor_read(const char *path, const oc_port *port, const tensor_options *o, char **name,
                      oc_error *e)
{
    io_bytes b;
    oc_value *v = NULL;
    const char *proto_name = NULL;
    const bool picture = is_picture(path) || is_foreign_picture(path);
    const bool text = text_value_is_file(path);
    if (name)
        *name = NULL;
    if (o->fit)
        *o->fit = (image_fit){0};
    if (e->code == OC_OK && !tensor_can_read(path) && !text)
        tool_fail(
            e, OC_ARGUMENT,
            "%s: unknown ending, expected .npy, .npz, .pb, .png, .jpg, .webp, .bmp or .ppm, or "
            "of numbers .txt, .csv or .json",
            path);
    io_read(path, o->cap, &b, e);
    if (e->code != OC_OK)
        return NULL;
    if (picture) {
        v = read_picture(path, &b, port, o, e);
    } else if (text) {
        v = text_value_read((const char *)b.data, b.size, port, path, e);
    } else if (io_ends_with(path, ".npy")) {
        v = tensor_as(npy_read(b.data, b.size, path, e), port, o, path, e);
    } else {
        oc_error inner = {0};
        v = oc_value_read(b.data, b.size, port->kind, &proto_name, data_allocator(), &inner);
        if (inner.code == OC_NOMEM)
            data_fail(b.size, path, e);
        else if (inner.code != OC_OK)
            tool_fail(e, inner.code, "%s: %s", path, inner.text);
        if (name && v)
            /* a copy, because tensor_as may free v, which owns the name */
            *name = tool_format("%s", proto_name);
        v = tensor_as(v, port, o, path, e); /* old test data of ONNX stores bfloat16 as uint16 */
    }
    io_bytes_free(&b);
    return v;
}

/* ---- writing ---- */

static void write_picture(io_file *f, const oc_value *v, const tensor_options *o, oc_error *e)
{
    image m;
    char text[IMAGE_TEXT];
    const bool is_png = io_ends_with(f->path, ".png");
    image_from_tensor(&m, v, &o->image, o->scaled, f->path, text, e);
    if (is_png)
        image_write_png(&m, f, e);
    else
        image_write_jpeg(&m, 90, f, e);
    if (e->code == OC_OK && !o->quiet)
        tool_say("%s", text);
    image_free(&m);
}

static void write_npy(io_file *f, const oc_value *v, const tensor_options *o, oc_error *e)
{
    const oc_writer out = io_writer(f);
    const oc_type type = oc_value_type(v), stored = npy_stored_type(type);
    npy_write(v, &out, e);
    if (type != stored && !o->quiet)
        tool_say("%s: NumPy has no %s, written as its codes in %s", f->path, oc_type_name(type),
                 oc_type_name(stored));
}

void tensor_write(const char *path, const oc_value *v, const char *name, const tensor_options *o,
                  oc_error *e)
{
    io_file f;
    if (e->code != OC_OK)
        return;
    if (!tensor_is_file(path)) {
        tool_fail(e, OC_ARGUMENT, "%s: unknown ending, expected .npy, .npz, .pb, .png or .jpg",
                  path);
        return;
    }
    if (oc_value_kind(v) != OC_TENSOR && !io_ends_with(path, ".pb")) {
        tool_fail(e, OC_ARGUMENT, "%s: the value is not a tensor and goes into .pb only", path);
        return;
    }
    io_create(&f, path, e);
    const oc_writer out = io_writer(&f);
    if (e->code != OC_OK)
        ; /* there is no file to write to */
    else if (is_picture(path))
        write_picture(&f, v, o, e);
    else if (io_ends_with(path, ".npy"))
        write_npy(&f, v, o, e);
    else
        oc_value_write(v, name, &out, e);
    io_commit(&f, e);
}

/* ---- copying ---- */

oc_value *tensor_copy(const oc_value *v, oc_error *e)
{
    if (!v)
        return NULL;
    oc_value *copy =
        oc_tensor_new(oc_value_type(v), oc_value_rank(v), oc_value_dims(v), data_allocator(), e);
    const int64_t n = oc_value_count(v);
    if (copy && oc_value_type(v) == OC_STRING) {
        const oc_string *s = oc_value_data(v);
        for (int64_t i = 0; i < n && e->code == OC_OK; i++)
            oc_tensor_set_string(copy, i, s[i].data, s[i].size, e);
    } else if (copy && n) {
        memcpy(oc_value_mutable_data(copy), oc_value_data(v),
               (size_t)n * oc_type_size(oc_value_type(v)));
    }
    if (e->code == OC_OK)
        return copy;
    oc_value_free(copy);
    return NULL;
}
