/* SPDX-License-Identifier: Apache-2.0
 * onnx_decode.c - decodes bytes into protobuf-c's structs under a memory limit, and copies their
 * texts. */
#include "loader/onnx.h"

/* ---- decoding under a cap ---- */

/* protobuf-c frees a block without telling its size, so a header before each block holds the
 * size. */
enum { BLOCK_HEADER = 16 };

static void *decoder_alloc(void *data, size_t size)
{
    oc_decoder *d = data;
    const size_t whole = size < SIZE_MAX - BLOCK_HEADER ? size + BLOCK_HEADER : SIZE_MAX;
    d->limited = whole > d->limit - d->live;
    char *block = d->limited ? NULL : oc_memory_alloc(d->memory, whole);
    if (!block) {
        d->failed = whole;
        return NULL;
    }
    d->live += whole;
    memcpy(block, &whole, sizeof whole);
    return block + BLOCK_HEADER;
}

static void decoder_free(void *data, void *block)
{
    oc_decoder *d = data;
    size_t whole;
    if (!block)
        return;
    char *start = (char *)block - BLOCK_HEADER;
    memcpy(&whole, start, sizeof whole);
    oc_memory_free(d->memory, start, whole);
    d->live -= whole;
}

/* Valid models decode to ten or twenty times their bytes. The limit stops hostile files, which
 * are full of empty messages and would grow a hundredfold. Together with the graph that is made
 * meanwhile, loading takes at most 60 bytes for each byte that is not tensor data, and 16 MB. */
static size_t decoder_limit(size_t plain)
{
    enum { BASE = 8 << 20, FACTOR = 30 };
    return plain < (SIZE_MAX - BASE) / FACTOR ? BASE + plain * FACTOR : SIZE_MAX;
}

static oc_status decoder_error(const oc_onnx *x, const ProtobufCMessageDescriptor *type)
{
    if (x->decoder.limited)
        return oc_error_set(x->e, OC_LIMIT,
                            "the %s needs more than %zu bytes to decode, which no model does that "
                            "is not made of empty messages",
                            oc_message_name(type), x->decoder.limit);
    if (x->decoder.failed)
        return oc_memory_error(x->memory, x->decoder.failed, x->e);
    return oc_error_set(x->e, OC_FORMAT, "the bytes are not a valid %s", oc_message_name(type));
}

/* Frees the skeleton's bytes; after decoding only its table of payloads is needed. */
static void free_bytes(oc_skeleton *s)
{
    oc_memory_free(s->memory, s->bytes, s->room);
    s->bytes = NULL;
    s->size = s->room = 0;
}

oc_status oc_onnx_decode(oc_onnx *x, const ProtobufCMessageDescriptor *type, const void *bytes,
                         size_t size, ProtobufCMessage **message)
{
    OC_TRY(
        oc_scan(x->memory, bytes, size, type, &onnx__tensor_proto__descriptor, &x->skeleton, x->e));
    x->decoder = (oc_decoder){.memory = x->memory, .limit = decoder_limit(x->skeleton.plain)};
    x->allocator = (ProtobufCAllocator){decoder_alloc, decoder_free, &x->decoder};
    *message = protobuf_c_message_unpack(type, &x->allocator, x->skeleton.size,
                                         x->skeleton.bytes ? x->skeleton.bytes : (uint8_t *)"");
    if (*message) {
        free_bytes(&x->skeleton);
        return OC_OK;
    }
    oc_skeleton_free(&x->skeleton);
    return decoder_error(x, type);
}

void oc_onnx_end(oc_onnx *x, ProtobufCMessage *message)
{
    protobuf_c_message_free_unpacked(message, &x->allocator);
    oc_skeleton_free(&x->skeleton);
}

void oc_onnx_done(oc_onnx *x, void *message)
{
    protobuf_c_message_free_unpacked(message, &x->allocator);
}

/* ---- texts ---- */

oc_name oc_onnx_name(oc_onnx *x, const char *text)
{
    return oc_names_intern(x->names, text ? text : "", text ? strlen(text) : 0);
}

oc_name oc_onnx_domain(oc_onnx *x, const char *text)
{
    return oc_onnx_name(x, text && strcmp(text, "ai.onnx") == 0 ? "" : text);
}

const char *oc_onnx_text(oc_onnx *x, const char *text)
{
    return text && *text ? oc_arena_text(x->arena, text, strlen(text)) : "";
}

oc_name *oc_onnx_names(oc_onnx *x, size_t n, char *const *text)
{
    oc_name *names = oc_arena_array(x->arena, n, sizeof *names);
    for (size_t i = 0; names && i < n; i++)
        names[i] = oc_onnx_name(x, text[i]);
    return names;
}

/* Copies OC_REST, a length and bytes, which is the only field that the decoder does not know. */
static const oc_string *read_rest(oc_onnx *x, const ProtobufCMessage *message)
{
    oc_string *rest = message->n_unknown_fields ? oc_arena_alloc(x->arena, sizeof *rest) : NULL;
    if (!rest)
        return NULL;
    const uint8_t *at = message->unknown_fields->data, *end = at + message->unknown_fields->len;
    uint64_t size = 0;
    (void)oc_read_varint(&at, end, &size);
    rest->size = (size_t)size;
    rest->data = oc_arena_text(x->arena, (const char *)at, rest->size);
    return rest;
}

oc_pairs oc_onnx_pairs(oc_onnx *x, size_t n, Onnx__StringStringEntryProto *const *entry,
                       const ProtobufCMessage *message)
{
    oc_pairs p = {.item = n ? oc_arena_array(x->arena, n, sizeof *p.item) : NULL,
                  .rest = read_rest(x, message)};
    for (; p.item && p.n < (int)n; p.n++)
        p.item[p.n] =
            (oc_pair){oc_onnx_name(x, entry[p.n]->key), oc_onnx_text(x, entry[p.n]->value)};
    return p;
}
