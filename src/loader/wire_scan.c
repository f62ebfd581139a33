/* SPDX-License-Identifier: Apache-2.0
 * wire_scan.c - scans wire bytes by the descriptors of their messages. */
#include "loader/wire_scan.h"

#include "base/int.h"
#include "base/limits.h"

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

typedef const ProtobufCMessageDescriptor message;
typedef const ProtobufCFieldDescriptor field;

typedef struct scanner {
    const uint8_t *start, *end, *at;
    message *tensor;
    oc_skeleton *out;
    oc_error *e;
    size_t steps;  /* number of fields and numbers scanned */
    uint8_t *rest; /* undeclared fields of the messages that are open */
    size_t n_rest, rest_room;
} scanner;

/* ---- fields ---- */

/* Returns the wire type of one (unpacked) value of the field. */
static int wire_of(field *f)
{
    switch (f->type) {
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
        return WIRE_32;
    case PROTOBUF_C_TYPE_DOUBLE:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
        return WIRE_64;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return WIRE_BYTES;
    default:
        return WIRE_VARINT;
    }
}

static bool is_number_list(field *f)
{
    return f->label == PROTOBUF_C_LABEL_REPEATED && wire_of(f) != WIRE_BYTES;
}

static bool is_elements(const scanner *s, message *m, field *f)
{
    if (m != s->tensor)
        return false;
    switch (f->id) {
    case OC_DATA_FLOAT:
    case OC_DATA_INT32:
    case OC_DATA_INT64:
    case OC_DATA_RAW:
    case OC_DATA_DOUBLE:
    case OC_DATA_UINT64:
        return true;
    default:
        return false;
    }
}

/* Is it a field that only the skeleton has? A file's field of that number is an unknown field. */
static bool is_ours(const scanner *s, message *m, uint64_t number)
{
    return m == s->tensor && (number == OC_FIRST_PAYLOAD || number == OC_PAYLOADS);
}

/* ---- reading ---- */

bool oc_read_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    const uint8_t *p = *at;
    uint64_t v = 0;
    for (int shift = 0; shift < 70 && p < end; shift += 7) {
        const uint8_t b = *p++;
        if (shift == 63 && b > 1)
            return false;
        v |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80) {
            *at = p;
            *value = v;
            return true;
        }
    }
    return false;
}

/* Moves *at past a value. Returns NULL, or a text that says what is wrong with the value. */
static const char *pass_value(const uint8_t **at, const uint8_t *end, int wire)
{
    uint64_t n = wire == WIRE_64 ? 8 : wire == WIRE_32 ? 4 : 0;
    if (n > (uint64_t)(end - *at))
        return "a number is cut off";
    if (n == 0 && wire != WIRE_VARINT && wire != WIRE_BYTES)
        return "groups and unknown wire types are refused";
    if (n == 0 && !oc_read_varint(at, end, &n))
        return wire == WIRE_BYTES ? "a length is cut off or longer than ten bytes"
                                  : "a varint is malformed";
    if (wire == WIRE_VARINT)
        return NULL;
    if (n > (uint64_t)(end - *at))
        return "a field is longer than what is left of its message";
    *at += n;
    return NULL;
}

bool oc_are_fields(const uint8_t *at, size_t size)
{
    const uint8_t *end = at + size;
    uint64_t key;
    while (at < end)
        if (!oc_read_varint(&at, end, &key) || key > UINT32_MAX || key >> 3 == 0 ||
            pass_value(&at, end, (int)(key & 7)))
            return false;
    return size > 0;
}

static oc_status malformed(scanner *s, message *m, const char *what)
{
    const size_t at = (size_t)(s->at - s->start);
    return oc_error_set(s->e, OC_FORMAT, "byte %zu: %s: %s", at, oc_message_name(m), what);
}

/* Reads a length at s->at. The *size bytes behind the length begin at *bytes. */
static oc_status read_bytes(scanner *s, message *m, const uint8_t *end, const uint8_t **bytes,
                            size_t *size)
{
    uint64_t n;
    if (!oc_read_varint(&s->at, end, &n))
        return malformed(s, m, "a length is cut off or longer than ten bytes");
    if (n > (uint64_t)(end - s->at))
        return malformed(s, m,
                         end == s->end
                             ? "a field is longer than what is left: the bytes are cut off"
                             : "a field is longer than what is left of its message");
    *bytes = s->at;
    *size = (size_t)n;
    s->at += n;
    return OC_OK;
}

static oc_status skip_value(scanner *s, message *m, const uint8_t *end, int wire)
{
    const uint8_t *bytes;
    size_t size;
    if (wire == WIRE_BYTES)
        return read_bytes(s, m, end, &bytes, &size);
    const char *wrong = pass_value(&s->at, end, wire);
    return wrong ? malformed(s, m, wrong) : OC_OK;
}

/* ---- writing the skeleton ---- */

/* Enlarges block to at least need items and updates *room. Returns NULL after setting the error. */
static void *grow(scanner *s, void *block, size_t *room, size_t need, size_t item)
{
    const size_t larger = oc_max(*room ? *room * 2 : 1024, need);
    void *p = oc_memory_resize(s->out->memory, block, *room * item, larger * item);
    if (!p)
        oc_memory_error(s->out->memory, larger * item, s->e);
    else
        *room = larger;
    return p;
}

static oc_status append(scanner *s, uint8_t **to, size_t *n, size_t *room, const void *bytes,
                        size_t size)
{
    if (size > *room - *n) {
        uint8_t *larger = grow(s, *to, room, *n + size, 1);
        if (!larger)
            return s->e->code;
        *to = larger;
    }
    if (size)
        memcpy(*to + *n, bytes, size);
    *n += size;
    return OC_OK;
}

static oc_status emit(scanner *s, const void *bytes, size_t size)
{
    return append(s, &s->out->bytes, &s->out->size, &s->out->room, bytes, size);
}

static oc_status emit_varint(scanner *s, uint64_t v)
{
    uint8_t bytes[10];
    size_t n = 0;
    do {
        bytes[n++] = (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
        v >>= 7;
    } while (v);
    return emit(s, bytes, n);
}

static oc_status emit_key(scanner *s, uint32_t number, int wire)
{
    return emit_varint(s, (uint64_t)number << 3 | (uint64_t)wire);
}

enum { LENGTH_BYTES = 5 };

/* The length of a message precedes it but is known only after it. This function reserves five
 * bytes, which patch_length fills with a padded varint. */
static oc_status keep_length(scanner *s, size_t *at)
{
    static const uint8_t no_length[LENGTH_BYTES] = {0};
    *at = s->out->size;
    return emit(s, no_length, sizeof no_length);
}

static oc_status patch_length(scanner *s, message *m, size_t at)
{
    uint64_t size = s->out->size - at - LENGTH_BYTES;
    if (size > INT32_MAX)
        return malformed(s, m, "it is larger than 2 GiB without its tensors' elements");
    for (int i = 0; i < LENGTH_BYTES; i++, size >>= 7)
        s->out->bytes[at + (size_t)i] =
            (uint8_t)((size & 0x7f) | (i < LENGTH_BYTES - 1 ? 0x80 : 0));
    return OC_OK;
}

/* ---- elements ---- */

static oc_status add_payload(scanner *s, field *f, const uint8_t *bytes, size_t size)
{
    oc_skeleton *o = s->out;
    if (o->n_payload == o->payload_room) {
        oc_payload *more = grow(s, o->payload, &o->payload_room, o->n_payload + 1, sizeof *more);
        if (!more)
            return s->e->code;
        o->payload = more;
    }
    if (o->n_payload == UINT32_MAX)
        return malformed(s, s->tensor, "too many pieces of tensors");
    o->payload[o->n_payload++] = (oc_payload){bytes, size, (int)f->id};
    o->plain -= size;
    return OC_OK;
}

static oc_status cut_elements(scanner *s, const uint8_t *end, field *f, int wire)
{
    const uint8_t *bytes = s->at;
    size_t size;
    if (wire == WIRE_BYTES) {
        OC_TRY(read_bytes(s, s->tensor, end, &bytes, &size));
        if ((wire_of(f) == WIRE_32 && size % 4) || (wire_of(f) == WIRE_64 && size % 8))
            return malformed(s, s->tensor, "packed numbers are cut off");
    } else if (wire == wire_of(f)) { /* a single element, not packed */
        OC_TRY(skip_value(s, s->tensor, end, wire));
        size = (size_t)(s->at - bytes);
    } else {
        return malformed(s, s->tensor, "elements have the wrong wire type");
    }
    return add_payload(s, f, bytes, size);
}

/* Called at the end of a tensor: writes which entries of the table hold its payloads. */
static oc_status emit_place(scanner *s, size_t first)
{
    const size_t n = s->out->n_payload - first;
    if (n == 0)
        return OC_OK;
    OC_TRY(emit_key(s, OC_FIRST_PAYLOAD, WIRE_VARINT));
    OC_TRY(emit_varint(s, first));
    OC_TRY(emit_key(s, OC_PAYLOADS, WIRE_VARINT));
    return emit_varint(s, n);
}

/* ---- other fields ---- */

/* Keeps an undeclared field, whose key begins at start. */
static oc_status keep_field(scanner *s, message *m, const uint8_t *start, const uint8_t *end,
                            int wire)
{
    OC_TRY(skip_value(s, m, end, wire));
    return append(s, &s->rest, &s->n_rest, &s->rest_room, start, (size_t)(s->at - start));
}

/* Called at the end of a message: writes its undeclared fields, from `first` on. */
static oc_status emit_rest(scanner *s, message *m, size_t first)
{
    const size_t size = s->n_rest - first;
    if (size == 0)
        return OC_OK;
    const uint8_t *at = s->rest + first;
    s->n_rest = first;
    if (!oc_message_keeps_rest(m)) {
        if (s->out->n_lost++ == 0 && oc_read_varint(&at, at + size, &s->out->lost_field))
            s->out->lost = m;
        return OC_OK;
    }
    OC_TRY(emit_key(s, OC_REST, WIRE_BYTES));
    OC_TRY(emit_varint(s, size));
    return emit(s, s->rest + first, size);
}

/* Reads a number of the field and writes it to the skeleton. */
static oc_status copy_value(scanner *s, message *m, const uint8_t *end, field *f)
{
    const uint8_t *number = s->at;
    uint64_t v;
    if (wire_of(f) == WIRE_VARINT)
        return oc_read_varint(&s->at, end, &v) ? emit_varint(s, v)
                                               : malformed(s, m, "a varint is malformed");
    OC_TRY(skip_value(s, m, end, wire_of(f)));
    return emit(s, number, (size_t)(s->at - number));
}

/* Writes a run of single numbers as one packed field, because the decoder keeps a record of every
 * field. */
static oc_status pack_numbers(scanner *s, message *m, const uint8_t *end, field *f, uint64_t key)
{
    const uint8_t *next = s->at;
    uint64_t again;
    size_t length;
    OC_TRY(emit_key(s, f->id, WIRE_BYTES));
    OC_TRY(keep_length(s, &length));
    do {
        s->at = next;
        OC_TRY(oc_watch_check_some(s->out->memory->watch, &s->steps, s->e));
        OC_TRY(copy_value(s, m, end, f));
        next = s->at;
    } while (oc_read_varint(&next, end, &again) && again == key);
    return patch_length(s, m, length);
}

static oc_status copy_number(scanner *s, message *m, const uint8_t *end, field *f)
{
    OC_TRY(emit_key(s, f->id, wire_of(f)));
    return copy_value(s, m, end, f);
}

/* Checks packed numbers, so that the decoder never reads a malformed one. */
static oc_status check_packed(scanner *s, message *m, field *f, const uint8_t *bytes, size_t size)
{
    const uint8_t *at = bytes, *end = bytes + size;
    uint64_t v;
    if ((wire_of(f) == WIRE_32 && size % 4) || (wire_of(f) == WIRE_64 && size % 8))
        return malformed(s, m, "packed numbers are cut off");
    while (wire_of(f) == WIRE_VARINT && at < end) {
        if (!oc_read_varint(&at, end, &v))
            return malformed(s, m, "a packed varint is malformed");
        OC_TRY(oc_watch_check_some(s->out->memory->watch, &s->steps, s->e));
    }
    return OC_OK;
}

static oc_status copy_bytes(scanner *s, message *m, const uint8_t *end, field *f)
{
    const uint8_t *bytes;
    size_t size;
    OC_TRY(read_bytes(s, m, end, &bytes, &size));
    OC_TRY(emit_key(s, f->id, WIRE_BYTES));
    OC_TRY(emit_varint(s, size));
    OC_TRY(emit(s, bytes, size));
    const uint8_t *copy = s->out->bytes + s->out->size - size;
    if (f->type == PROTOBUF_C_TYPE_STRING && memchr(copy, 0, size))
        return malformed(s, m, "a text holds a NUL byte");
    return is_number_list(f) ? check_packed(s, m, f, copy, size) : OC_OK;
}

/* ---- messages ---- */

static oc_status scan_message(scanner *s, message *m, const uint8_t *end, int depth);

/* Scans a message in field f of m. A field that is not repeated may occur once, because the decoder
 * would merge a second message into the first, and many of them would take quadratic time. given is
 * the set of such fields of m seen so far. */
static oc_status scan_child(scanner *s, message *m, const uint8_t *end, field *f, uint64_t *given,
                            int depth)
{
    const uint8_t *bytes;
    size_t size, length;
    if (f->label != PROTOBUF_C_LABEL_REPEATED) {
        const bool one_of = f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF;
        const uint64_t bit = UINT64_C(1) << (one_of ? 63 : f - m->fields);
        if (*given & bit)
            return malformed(s, m, "a field that may be given once is given twice");
        *given |= bit;
    }
    OC_TRY(read_bytes(s, m, end, &bytes, &size));
    OC_TRY(emit_key(s, f->id, WIRE_BYTES));
    OC_TRY(keep_length(s, &length));
    s->at = bytes;
    OC_TRY(scan_message(s, f->descriptor, bytes + size, depth + 1));
    return patch_length(s, m, length);
}

static oc_status scan_field(scanner *s, message *m, const uint8_t *end, uint64_t *given, int depth)
{
    const uint8_t *start = s->at;
    uint64_t key;
    OC_TRY(oc_watch_check_some(s->out->memory->watch, &s->steps, s->e));
    if (!oc_read_varint(&s->at, end, &key) || key > UINT32_MAX || key >> 3 == 0)
        return malformed(s, m, "a field key is malformed");
    const int wire = (int)(key & 7);
    field *f = protobuf_c_message_descriptor_get_field(m, (unsigned)(key >> 3));
    if (!f || is_ours(s, m, key >> 3))
        return keep_field(s, m, start, end, wire);
    if (is_elements(s, m, f))
        return cut_elements(s, end, f, wire);
    if (wire != wire_of(f) && !(wire == WIRE_BYTES && is_number_list(f)))
        return malformed(s, m, "a field has the wrong wire type");
    if (f->type == PROTOBUF_C_TYPE_MESSAGE)
        return scan_child(s, m, end, f, given, depth);
    if (wire == WIRE_BYTES)
        return copy_bytes(s, m, end, f);
    return is_number_list(f) ? pack_numbers(s, m, end, f, key) : copy_number(s, m, end, f);
}

static oc_status scan_message(scanner *s, message *m, const uint8_t *end, int depth)
{
    const size_t first_payload = s->out->n_payload, first_rest = s->n_rest;
    uint64_t given = 0;
    if (depth > OC_MAX_MESSAGES)
        return oc_error_set(s->e, OC_LIMIT, "byte %zu: messages are nested deeper than %d",
                            (size_t)(s->at - s->start), OC_MAX_MESSAGES);
    while (s->at < end)
        OC_TRY(scan_field(s, m, end, &given, depth));
    OC_TRY(emit_rest(s, m, first_rest));
    return m == s->tensor ? emit_place(s, first_payload) : OC_OK;
}

oc_status oc_scan(oc_memory *memory, const void *bytes, size_t size,
                  const ProtobufCMessageDescriptor *type, const ProtobufCMessageDescriptor *tensor,
                  oc_skeleton *out, oc_error *e)
{
    *out = (oc_skeleton){.memory = memory, .plain = size};
    const uint8_t *end = size ? (const uint8_t *)bytes + size : bytes;
    scanner s = {.start = bytes, .end = end, .at = bytes, .tensor = tensor, .out = out, .e = e};
    const oc_status status = scan_message(&s, type, end, 0);
    oc_memory_free(memory, s.rest, s.rest_room);
    if (status != OC_OK)
        oc_skeleton_free(out);
    return status;
}

void oc_skeleton_free(oc_skeleton *s)
{
    oc_memory_free(s->memory, s->bytes, s->room);
    oc_memory_free(s->memory, s->payload, s->payload_room * sizeof *s->payload);
    *s = (oc_skeleton){.memory = s->memory};
}
