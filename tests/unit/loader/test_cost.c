/* SPDX-License-Identifier: Apache-2.0
 * test_cost.c - what loading a binary model costs at most: 60 bytes of memory for each byte that is
 * not tensor data, and 16 MB, whatever the messages are. */
#include "wire.h"

#include "graph/build.h"
#include "loader/loader.h"

#ifdef OC_SANITIZED
enum { LARGEST = 400000 };
#else
enum { LARGEST = 6400000 };
#endif

/* A message that is repeated: fields of messages within messages, from the outermost, and what the
 * innermost one holds. */
typedef struct hostile {
    const char *name;
    bool in_graph;    /* it is repeated in the graph, else in the model */
    unsigned path[8]; /* ends with 0 */
    const char *bytes;
    size_t size, data; /* of bytes; how many are tensor data */
} hostile;

#define BYTES(text) text, sizeof(text) - 1

static const hostile files[] = {
    {"empty nodes", true, {1}, BYTES(""), 0},
    {"nodes with an empty attribute", true, {1, 5}, BYTES(""), 0},
    {"attributes with graphs", true, {1, 5, 6, 1, 5, 6}, BYTES(""), 0},
    {"nodes of one-byte names",
     true,
     {1},
     BYTES("\x0a\x01"
           "a\x12\x01"
           "b\x22\x01"
           "A"),
     0},
    {"empty initializers", true, {5}, BYTES(""), 0},
    {"tensors of one element", true, {5}, BYTES("\x10\x02\x4a\x01\x01"), 1},
    {"named tensors of one element",
     true,
     {5},
     BYTES("\x08\x01\x10\x02\x42\x01"
           "w\x4a\x01\x01"),
     1},
    {"tensors of rank 16",
     true,
     {5},
     BYTES("\x08\1\x08\1\x08\1\x08\1\x08\1\x08\1\x08\1\x08\1"
           "\x08\1\x08\1\x08\1\x08\1\x08\1\x08\1\x08\1\x08\1"),
     0},
    {"empty strings", true, {5, 6}, BYTES(""), 0},
    {"empty inputs", true, {11}, BYTES(""), 0},
    {"empty outputs", true, {12}, BYTES(""), 0},
    {"empty declared values", true, {13}, BYTES(""), 0},
    {"sequences of sequences", true, {13, 2, 4, 1, 4, 1, 4}, BYTES(""), 0},
    {"dims with symbols",
     true,
     {13, 2, 1, 2, 1},
     BYTES("\x12\x01"
           "N"),
     0},
    {"empty annotations", true, {14}, BYTES(""), 0},
    {"empty sparse tensors", true, {15}, BYTES(""), 0},
    {"sparse tensors of empty ones", true, {15}, BYTES("\x0a\x00\x12\x00"), 0},
    {"empty metadata", true, {16}, BYTES(""), 0},
    {"empty opset imports", false, {8}, BYTES(""), 0},
    {"empty metadata of the model", false, {14}, BYTES(""), 0},
    {"empty functions", false, {25}, BYTES(""), 0},
    {"functions of a node",
     false,
     {25, 7},
     BYTES("\x22\x01"
           "A"),
     0},
    {"inputs of functions", false, {25, 4}, BYTES(""), 0},
};

/* One message of the file. */
static wire make_part(const hostile *h)
{
    wire w = {0};
    int depth = 0;
    while (h->path[depth])
        depth++;
    wire_raw(&w, h->bytes, h->size);
    while (depth-- > 0) {
        wire outer = {0};
        wire_message(&outer, h->path[depth], &w);
        w = outer;
    }
    return w;
}

static void check_cost(const hostile *h, size_t size)
{
    wire part = make_part(h), list = {0}, model = {0};
    size_t data = 0;
    while (list.size < size) {
        wire_raw(&list, part.bytes, part.size);
        data += h->data;
    }
    wire_int(&model, 1, 8);
    if (h->in_graph) {
        wire_message(&model, 7, &list);
    } else {
        wire g = {0};
        wire_text(&g, 2, "g");
        wire_message(&model, 7, &g);
        wire_raw(&model, list.bytes, list.size);
        wire_free(&list);
    }
    oc_error e = {.code = OC_OK};
    oc_model *m = NULL;
    oc_model_new(NULL, &m, &e);
    oc_load_bytes(m, model.bytes, model.size, &e);
    const size_t most = 60 * (model.size - data) + data + ((size_t)16 << 20);
    ck_assert_msg(m->memory.peak <= most, "%s, %zu bytes: %zu bytes of memory, expected %zu",
                  h->name, model.size, m->memory.peak, most);
    oc_model_free(m);
    wire_free(&model);
    wire_free(&part);
}

START_TEST(memory)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (size_t size = 100000; size <= LARGEST; size *= 4)
            check_cost(&files[i], size);
}
END_TEST

SUITE("cost", memory)
