/* SPDX-License-Identifier: Apache-2.0
 * scan.c - the walk over wire bytes, by a table of messages. */
#include "loader/scan.h"

#include <string.h>

enum { MAX_DEPTH = 100, PAYLOAD_FIELD = 10000 };

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

/* ---- the table ---- */

typedef enum kind {
    VARINT,   /* one number */
    VARINTS,  /* many, packed or not */
    WORD32,   /* one float */
    WORDS32,  /* many, packed or not */
    BYTES,    /* any bytes */
    TEXT,     /* bytes without NUL */
    MESSAGE,  /* of the child type */
    ELEMENTS, /* of a tensor: cut out; wire is that of one unpacked element */
    REFUSED   /* nobody may use it */
} kind;

typedef enum message {
    ATTRIBUTE,
    VALUE_INFO,
    NODE,
    MODEL,
    ENTRY,
    ANNOTATION,
    GRAPH,
    TENSOR,
    SPARSE,
    SHAPE,
    DIMENSION,
    TYPE,
    TYPE_TENSOR,
    TYPE_SEQUENCE,
    TYPE_MAP,
    TYPE_OPAQUE,
    OPSET,
    FUNCTION,
    SEQUENCE,
    OPTIONAL
} message;

typedef struct field {
    uint16_t number;
    uint8_t kind;
    uint8_t child; /* of a MESSAGE; the wire type of one ELEMENTS element */
} field;

enum { MAX_FIELDS = 18 };

/* clang-format off */
static const struct {
    const char *name;
    field field[MAX_FIELDS + 1]; /* ends with number 0 */
} messages[] = {
    [ATTRIBUTE] = {"AttributeProto", {{1, TEXT, 0}, {2, WORD32, 0}, {3, VARINT, 0}, {4, BYTES, 0},
        {5, MESSAGE, TENSOR}, {6, MESSAGE, GRAPH}, {7, WORDS32, 0}, {8, VARINTS, 0}, {9, BYTES, 0},
        {10, MESSAGE, TENSOR}, {11, MESSAGE, GRAPH}, {13, TEXT, 0}, {14, MESSAGE, TYPE},
        {15, MESSAGE, TYPE}, {20, VARINT, 0}, {21, TEXT, 0}, {22, MESSAGE, SPARSE},
        {23, MESSAGE, SPARSE}}},
    [VALUE_INFO] = {"ValueInfoProto", {{1, TEXT, 0}, {2, MESSAGE, TYPE}, {3, TEXT, 0},
        {4, MESSAGE, ENTRY}}},
    [NODE] = {"NodeProto", {{1, TEXT, 0}, {2, TEXT, 0}, {3, TEXT, 0}, {4, TEXT, 0},
        {5, MESSAGE, ATTRIBUTE}, {6, TEXT, 0}, {7, TEXT, 0}, {8, TEXT, 0}, {9, MESSAGE, ENTRY}}},
    [MODEL] = {"ModelProto", {{1, VARINT, 0}, {2, TEXT, 0}, {3, TEXT, 0}, {4, TEXT, 0},
        {5, VARINT, 0}, {6, TEXT, 0}, {7, MESSAGE, GRAPH}, {8, MESSAGE, OPSET},
        {14, MESSAGE, ENTRY}, {25, MESSAGE, FUNCTION}}},
    [ENTRY] = {"StringStringEntryProto", {{1, TEXT, 0}, {2, TEXT, 0}}},
    [ANNOTATION] = {"TensorAnnotation", {{1, TEXT, 0}, {2, MESSAGE, ENTRY}}},
    [GRAPH] = {"GraphProto", {{1, MESSAGE, NODE}, {2, TEXT, 0}, {5, MESSAGE, TENSOR},
        {10, TEXT, 0}, {11, MESSAGE, VALUE_INFO}, {12, MESSAGE, VALUE_INFO},
        {13, MESSAGE, VALUE_INFO}, {14, MESSAGE, ANNOTATION}, {15, MESSAGE, SPARSE},
        {16, MESSAGE, ENTRY}}},
    [TENSOR] = {"TensorProto", {{1, VARINTS, 0}, {2, VARINT, 0}, {3, REFUSED, 0},
        {4, ELEMENTS, WIRE_32}, {5, ELEMENTS, WIRE_VARINT}, {6, BYTES, 0},
        {7, ELEMENTS, WIRE_VARINT}, {8, TEXT, 0}, {9, ELEMENTS, WIRE_BYTES},
        {10, ELEMENTS, WIRE_64}, {11, ELEMENTS, WIRE_VARINT}, {12, TEXT, 0}, {13, MESSAGE, ENTRY},
        {14, VARINT, 0}, {16, MESSAGE, ENTRY}}},
    [SPARSE] = {"SparseTensorProto", {{1, MESSAGE, TENSOR}, {2, MESSAGE, TENSOR},
        {3, VARINTS, 0}}},
    [SHAPE] = {"TensorShapeProto", {{1, MESSAGE, DIMENSION}}},
    [DIMENSION] = {"Dimension", {{1, VARINT, 0}, {2, TEXT, 0}, {3, TEXT, 0}}},
    [TYPE] = {"TypeProto", {{1, MESSAGE, TYPE_TENSOR}, {4, MESSAGE, TYPE_SEQUENCE},
        {5, MESSAGE, TYPE_MAP}, {6, TEXT, 0}, {7, MESSAGE, TYPE_OPAQUE},
        {8, MESSAGE, TYPE_TENSOR}, {9, MESSAGE, TYPE_SEQUENCE}}},
    [TYPE_TENSOR] = {"TypeProto.Tensor", {{1, VARINT, 0}, {2, MESSAGE, SHAPE}}},
    [TYPE_SEQUENCE] = {"TypeProto.Sequence", {{1, MESSAGE, TYPE}}},
    [TYPE_MAP] = {"TypeProto.Map", {{1, VARINT, 0}, {2, MESSAGE, TYPE}}},
    [TYPE_OPAQUE] = {"TypeProto.Opaque", {{1, TEXT, 0}, {2, TEXT, 0}}},
    [OPSET] = {"OperatorSetIdProto", {{1, TEXT, 0}, {2, VARINT, 0}}},
    [FUNCTION] = {"FunctionProto", {{1, TEXT, 0}, {4, TEXT, 0}, {5, TEXT, 0}, {6, TEXT, 0},
        {7, MESSAGE, NODE}, {8, TEXT, 0}, {9, MESSAGE, OPSET}, {10, TEXT, 0},
        {11, MESSAGE, ATTRIBUTE}, {12, MESSAGE, VALUE_INFO}, {13, TEXT, 0}, {14, MESSAGE, ENTRY}}},
    [SEQUENCE] = {"SequenceProto", {{1, TEXT, 0}, {2, VARINT, 0}, {3, MESSAGE, TENSOR},
        {4, REFUSED, 0}, {5, MESSAGE, SEQUENCE}, {6, REFUSED, 0}, {7, MESSAGE, OPTIONAL}}},
    [OPTIONAL] = {"OptionalProto", {{1, TEXT, 0}, {2, VARINT, 0}, {3, MESSAGE, TENSOR},
        {4, REFUSED, 0}, {5, MESSAGE, SEQUENCE}, {6, REFUSED, 0}, {7, MESSAGE, OPTIONAL}}},
};
/* clang-format on */

static const field *find_field(message m, uint64_t number)
{
    for (const field *f = messages[m].field; f->number; f++)
        if (f->number == number)
            return f;
    return NULL;
}

/* ---- reading ---- */

typedef struct scanner {
    const uint8_t *start, *at;
    oc_skeleton *out;
    oc_error *e;
} scanner;

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

static oc_status malformed(scanner *s, message m, const char *what)
{
    return oc_error_set(s->e, OC_FORMAT, "byte %zu: %s: %s", (size_t)(s->at - s->start),
                        messages[m].name, what);
}

/* The bytes of a length-delimited field, of which the length comes next. */
static oc_status read_bytes(scanner *s, message m, const uint8_t *end, const uint8_t **bytes,
                            size_t *size)
{
    uint64_t n;
    if (!oc_read_varint(&s->at, end, &n))
        return malformed(s, m, "a length is cut off or longer than ten bytes");
    if (n > (uint64_t)(end - s->at))
        return malformed(s, m, "a field is longer than what is left of its message");
    *bytes = s->at;
    *size = (size_t)n;
    s->at += n;
    return OC_OK;
}

static oc_status skip_value(scanner *s, message m, const uint8_t *end, int wire)
{
    uint64_t v;
    const uint8_t *bytes;
    size_t size;
    switch (wire) {
    case WIRE_VARINT:
        return oc_read_varint(&s->at, end, &v) ? OC_OK : malformed(s, m, "a varint is malformed");
    case WIRE_BYTES:
        return read_bytes(s, m, end, &bytes, &size);
    case WIRE_64:
    case WIRE_32:
        size = wire == WIRE_64 ? 8 : 4;
        if ((size_t)(end - s->at) < size)
            return malformed(s, m, "a number is cut off");
        s->at += size;
        return OC_OK;
    default:
        return malformed(s, m, "groups and unknown wire types are refused");
    }
}

/* ---- writing the skeleton ---- */

/* The block with room for at least need items, *room updated; NULL after writing the error. */
static void *grow(scanner *s, void *block, size_t *room, size_t need, size_t item)
{
    size_t larger = *room ? *room * 2 : 1024;
    while (larger < need)
        larger *= 2;
    void *p = oc_memory_resize(s->out->memory, block, *room * item, larger * item);
    if (!p)
        oc_memory_error(s->out->memory, larger * item, s->e);
    else
        *room = larger;
    return p;
}

static oc_status emit(scanner *s, const void *bytes, size_t size)
{
    oc_skeleton *o = s->out;
    if (size > o->room - o->size) {
        uint8_t *larger = grow(s, o->bytes, &o->room, o->size + size, 1);
        if (!larger)
            return s->e->code;
        o->bytes = larger;
    }
    memcpy(o->bytes + o->size, bytes, size);
    o->size += size;
    return OC_OK;
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

static oc_status emit_key(scanner *s, int number, int wire)
{
    return emit_varint(s, (uint64_t)number << 3 | (uint64_t)wire);
}

enum { LENGTH_BYTES = 5 };

/* The length of a message is known only behind it: five bytes are kept for it, padded. */
static oc_status patch_length(scanner *s, message m, size_t at)
{
    uint64_t size = s->out->size - at - LENGTH_BYTES;
    if (size > INT32_MAX)
        return malformed(s, m, "a message is larger than 2 GiB without its tensors' elements");
    for (int i = 0; i < LENGTH_BYTES; i++, size >>= 7)
        s->out->bytes[at + (size_t)i] =
            (uint8_t)((size & 0x7f) | (i < LENGTH_BYTES - 1 ? 0x80 : 0));
    return OC_OK;
}

/* ---- fields ---- */

static oc_status add_payload(scanner *s, int number, const uint8_t *bytes, size_t size)
{
    oc_skeleton *o = s->out;
    if (o->n_payload == o->payload_room) {
        oc_payload *larger =
            grow(s, o->payload, &o->payload_room, o->n_payload + 1, sizeof *larger);
        if (!larger)
            return s->e->code;
        o->payload = larger;
    }
    if (o->n_payload > UINT32_MAX)
        return malformed(s, TENSOR, "too many pieces of tensors");
    o->payload[o->n_payload] = (oc_payload){bytes, size, number};
    OC_TRY(emit_key(s, PAYLOAD_FIELD, WIRE_VARINT));
    return emit_varint(s, o->n_payload++);
}

static oc_status cut_elements(scanner *s, const uint8_t *end, const field *f, int wire)
{
    const uint8_t *bytes = s->at;
    size_t size;
    if (wire == WIRE_BYTES) {
        OC_TRY(read_bytes(s, TENSOR, end, &bytes, &size));
    } else if (wire == f->child) { /* one element by itself, as old writers do */
        OC_TRY(skip_value(s, TENSOR, end, wire));
        size = (size_t)(s->at - bytes);
    } else {
        return malformed(s, TENSOR, "tensor elements have the wrong wire type");
    }
    return add_payload(s, f->number, bytes, size);
}

static bool wire_fits(int k, int wire)
{
    switch (k) {
    case VARINT:
        return wire == WIRE_VARINT;
    case VARINTS:
        return wire == WIRE_VARINT || wire == WIRE_BYTES;
    case WORD32:
        return wire == WIRE_32;
    case WORDS32:
        return wire == WIRE_32 || wire == WIRE_BYTES;
    default:
        return wire == WIRE_BYTES;
    }
}

/* Packed numbers are walked once, so that the decoder never meets a malformed one. */
static oc_status check_packed(scanner *s, message m, int k, const uint8_t *bytes, size_t size)
{
    const uint8_t *at = bytes, *end = bytes + size;
    uint64_t v;
    if (k == WORDS32 && size % 4)
        return malformed(s, m, "packed floats are cut off");
    while (k == VARINTS && at < end)
        if (!oc_read_varint(&at, end, &v))
            return malformed(s, m, "a packed varint is malformed");
    return OC_OK;
}

static oc_status copy_field(scanner *s, message m, const uint8_t *end, const field *f, int wire)
{
    const uint8_t *from = s->at;
    OC_TRY(emit_key(s, f->number, wire));
    if (wire != WIRE_BYTES) {
        OC_TRY(skip_value(s, m, end, wire));
        return emit(s, from, (size_t)(s->at - from));
    }
    const uint8_t *bytes;
    size_t size;
    OC_TRY(read_bytes(s, m, end, &bytes, &size));
    if (f->kind == TEXT && memchr(bytes, 0, size))
        return malformed(s, m, "a text holds a NUL byte");
    OC_TRY(check_packed(s, m, f->kind, bytes, size));
    OC_TRY(emit_varint(s, size));
    return emit(s, bytes, size);
}

static oc_status scan_message(scanner *s, message m, const uint8_t *end, int depth);

static oc_status scan_child(scanner *s, message m, const uint8_t *end, const field *f, int depth)
{
    static const uint8_t no_length[LENGTH_BYTES] = {0};
    const uint8_t *bytes;
    size_t size;
    OC_TRY(read_bytes(s, m, end, &bytes, &size));
    OC_TRY(emit_key(s, f->number, WIRE_BYTES));
    const size_t at = s->out->size;
    OC_TRY(emit(s, no_length, sizeof no_length));
    s->at = bytes;
    OC_TRY(scan_message(s, f->child, bytes + size, depth + 1));
    return patch_length(s, m, at);
}

static oc_status scan_field(scanner *s, message m, const uint8_t *end, int depth)
{
    uint64_t key;
    if (!oc_read_varint(&s->at, end, &key) || key > UINT32_MAX || key >> 3 == 0)
        return malformed(s, m, "a field key is malformed");
    const int wire = (int)(key & 7);
    const field *f = find_field(m, key >> 3);
    if (!f)
        return skip_value(s, m, end, wire);
    if (f->kind == REFUSED)
        return malformed(s, m,
                         m == TENSOR ? "segmented tensors are not supported"
                                     : "sparse tensors and maps are not supported here");
    if (f->kind == ELEMENTS)
        return cut_elements(s, end, f, wire);
    if (!wire_fits(f->kind, wire))
        return malformed(s, m, "a field has the wrong wire type");
    return f->kind == MESSAGE ? scan_child(s, m, end, f, depth) : copy_field(s, m, end, f, wire);
}

static oc_status scan_message(scanner *s, message m, const uint8_t *end, int depth)
{
    if (depth > MAX_DEPTH)
        return oc_error_set(s->e, OC_LIMIT, "byte %zu: messages are nested deeper than %d",
                            (size_t)(s->at - s->start), MAX_DEPTH);
    while (s->at < end)
        OC_TRY(scan_field(s, m, end, depth));
    return OC_OK;
}

oc_status oc_scan(oc_memory *memory, const void *bytes, size_t size, oc_scan_root root,
                  oc_skeleton *out, oc_error *e)
{
    static const message roots[] = {MODEL, TENSOR, SEQUENCE, OPTIONAL};
    *out = (oc_skeleton){.memory = memory};
    scanner s = {.start = bytes, .at = bytes, .out = out, .e = e};
    const oc_status status = scan_message(&s, roots[root], s.start + size, 0);
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
