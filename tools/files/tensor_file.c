/* SPDX-License-Identifier: Apache-2.0
 * tensor_file.c - reads and writes one value in one of several formats. */
#include "files/tensor_file.h"

#include "base/element_type.h"
#include "common/data.h"
#include "common/signals.h"
#include "files/kind.h"
#include "files/npy.h"
#include "files/text_value.h"
#include "common/number.h"

/* Is it a picture of a format that can be read but not written? */
static bool is_foreign_picture(const char *path)
{
    static const char *const endings[] = {".webp", ".gif", ".bmp", ".ppm", ".pgm", ".pbm", ".pnm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (io_ends_with(path, endings[i]))
            return true;
    return false;
}

bool tensor_is_file(const char *path)
{
    return image_can_write(path) || io_ends_with(path, ".npy") || io_ends_with(path, ".pb");
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

oc_value *tensor_of_picture(image *m, const oc_port *port, const tensor_options *o,
                            const char *where, oc_error *e)
{
    char text[IMAGE_TEXT];
    image_options options = o->image;
    if (e->code == OC_OK && o->image.bytes)
        image_make_bytes(m);
    options.sizing = image_sizing_of(&o->image, port, m, where, e);
    image_resize(m, &options.sizing, o->cap, where, e);
    oc_value *v = image_to_tensor(m, port, &options, where, text, e);
    if (v && !o->quiet)
        tool_say("%s", text);
    if (v && o->fit)
        *o->fit = image_fit_of(m);
    return v;
}

static oc_value *read_picture(const char *path, const io_bytes *b, const oc_port *port,
                              const tensor_options *o, oc_error *e)
{
    image m;
    image_read(&m, b->data, b->size, o->cap, path, e);
    image_turn(&m, o->cap, path, e);
    if (o->seen && e->code == OC_OK)
        image_copy(&m, o->seen, o->cap, path, e);
    oc_value *v = tensor_of_picture(&m, port, o, path, e);
    image_free(&m);
    return v;
}

static oc_value *read_pb(const io_bytes *b, const char *path, const oc_port *port, char **name,
                         oc_error *e)
{
    const char *stored = NULL;
    oc_error inner = {0};
    oc_value *v = oc_value_read(b->data, b->size, port->kind, &stored, data_allocator(), &inner);
    if (inner.code == OC_NOMEM)
        data_fail(b->size, path, e);
    else if (inner.code != OC_OK)
        tool_fail(e, inner.code, "%s: %s; expected a value as ONNX stores it, and the file is %s",
                  path, inner.text, kind_told(b->data, b->size));
    if (name && v)
        *name = tool_format("%s", stored); /* a copy: the value owns the text */
    return v;
}

/* Takes the array of the port's name out of an archive, or the only one. */
static oc_value *read_npz(const io_bytes *b, const char *path, const oc_port *port,
                          const tensor_options *o, oc_error *e)
{
    npz_file z;
    oc_value *v = NULL;
    npz_read(&z, b->data, b->size, o->cap, path, e);
    char *safe = npz_safe_name(port->name);
    int found = z.n == 1 ? 0 : -1;
    for (int i = 0; i < z.n; i++)
        if (strcmp(z.item[i].name, safe) == 0)
            found = i;
    if (found >= 0) {
        v = z.item[found].value;
        z.item[found].value = NULL;
    } else {
        tool_fail(e, OC_ARGUMENT, "%s: it has %d arrays, and none is named '%s'", path, z.n, safe);
    }
    free(safe);
    npz_free(&z);
    return v;
}

static tensor_form form_of(const char *path, const void *bytes, size_t size)
{
    const file_kind kind = kind_of(bytes, size);
    return io_ends_with(path, ".pb")  ? TENSOR_PB
           : kind_is_picture(kind)    ? TENSOR_PICTURE
           : kind == KIND_NPY         ? TENSOR_NPY
           : kind == KIND_ZIP         ? TENSOR_NPZ
           : text_value_is_file(path) ? TENSOR_TEXT
                                      : TENSOR_UNKNOWN;
}

static void refuse_unknown(const char *path, const unsigned char *bytes, size_t size, oc_error *e)
{
    if (form_of(path, bytes, size) == TENSOR_UNKNOWN)
        tool_fail(e, OC_FORMAT,
                  "%s: it is %s, expected a picture (PNG, JPEG, WebP, GIF, BMP or PNM), .npy or "
                  ".npz, or a name that ends with .pb, or of numbers with .txt, .csv or .json",
                  path, kind_told(bytes, size));
}

tensor_form tensor_read_bytes(const char *path, const tensor_options *o, io_bytes *out, oc_error *e)
{
    io_read_checked(path, o->cap, refuse_unknown, out, e);
    return e->code == OC_OK ? form_of(path, out->data, out->size) : TENSOR_UNKNOWN;
}

oc_value *tensor_decode(tensor_form form, const io_bytes *b, const char *where, const oc_port *port,
                        const tensor_options *o, char **name, oc_error *e)
{
    oc_value *v = NULL;
    if (name)
        *name = NULL;
    if (o->fit)
        *o->fit = (image_fit){0};
    if (e->code != OC_OK)
        return NULL;
    switch (form) {
    case TENSOR_PICTURE:
        return read_picture(where, b, port, o, e);
    case TENSOR_TEXT:
        return text_value_read((const char *)b->data, b->size, port, where, e);
    case TENSOR_NPY:
        v = npy_read(b->data, b->size, where, e);
        break;
    case TENSOR_NPZ:
        v = read_npz(b, where, port, o, e);
        break;
    case TENSOR_PB: /* old test data of ONNX stores bfloat16 as uint16, which tensor_as takes */
        v = read_pb(b, where, port, name, e);
        break;
    case TENSOR_UNKNOWN:
        refuse_unknown(where, b->data, b->size, e); /* sets the error, if there is none yet */
    }
    return tensor_as(v, port, o, where, e);
}

oc_value *tensor_read(const char *path, const oc_port *port, const tensor_options *o, char **name,
                      oc_error *e)
{
    io_bytes b;
    const tensor_form form = tensor_read_bytes(path, o, &b, e);
    oc_value *v = tensor_decode(form, &b, io_shown(path), port, o, name, e);
    io_bytes_free(&b);
    return v;
}

/* ---- writing ---- */

static void write_picture(io_file *f, const oc_value *v, const tensor_options *o, oc_error *e)
{
    image m;
    char text[IMAGE_TEXT];
    image_from_tensor(&m, v, &o->image, o->scaled, f->path, text, e);
    image_write(&m, f, e);
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
    else if (image_can_write(path))
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
