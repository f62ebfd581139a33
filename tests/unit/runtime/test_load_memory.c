/* SPDX-License-Identifier: Apache-2.0
 * test_load_memory.c - loading takes at most sixty bytes of memory for each byte of a model, and 16
 * MB, whatever the model is full of. */
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

#ifdef OC_SANITIZED
enum { SIZE = 256 << 10 };
#else
enum { SIZE = 2 << 20 };
#endif
enum { EACH = 60, BASE = 16 << 20 };

#define HEADER "<ir_version: 8, opset_import: [\"\": 17]>\n"
#define GRAPH  "g (float[1] x) => (float[1] y) "
#define BODY   "{ y = Identity (x) }"

/* A model of this number of units; '#' in a unit is its number. */
static const struct model {
    const char *what, *before, *unit, *after;
} models[] = {
    {"inputs of one name", HEADER "g (", "a,", ") => (float[1] y) { y = Identity (a) }"},
    {"inputs", HEADER "g (", "a#,", ") => (float[1] y) { y = Identity (a0) }"},
    {"inputs with types", HEADER "g (", "seq(int8) a#,", ") => (float[1] y) { y = Identity (a0) }"},
    {"outputs", HEADER "g (float[1] x) => (", "a,", ") { y = Identity (x) }"},
    {"declared values", HEADER GRAPH "<", "a,", ">" BODY},
    {"nodes without outputs", HEADER GRAPH "{", "=f()", "y = Identity (x) }"},
    {"nodes", HEADER GRAPH "{", "a#=f()", "y = Identity (x) }"},
    {"inputs of a node", HEADER GRAPH "{ y = f (", "x,", ") }"},
    {"missing inputs of a node", HEADER GRAPH "{ y = f (", ",", ") }"},
    {"attributes of one name", HEADER GRAPH "{ y = f <", "a=1,", "> (x) }"},
    {"attributes", HEADER GRAPH "{ y = f <", "a#=1,", "> (x) }"},
    {"empty texts", HEADER GRAPH "{ y = f <a=[", "\"\",", "\"\"]> (x) }"},
    {"graphs", HEADER GRAPH "{ y = f <a=[", "g()=>(){},", "g()=>(){}]> (x) }"},
    {"initializers", HEADER GRAPH "<", "float a#={1},", ">" BODY},
    {"dims", HEADER "g (float[", "1,", "1] x) => (y) " BODY},
    {"operator sets", "<ir_version: 8, opset_import: [", "\"#\":1,", "\"\":17]>\n" GRAPH BODY},
    {"metadata", "<ir_version: 8, metadata_props: [", "\"\":\"\",", "\"\":\"\"]>\n" GRAPH BODY},
    {"functions of one name", HEADER GRAPH BODY, "f()=>(){}", ""},
    {"functions", HEADER GRAPH BODY, "f#()=>(){}", ""},
    {"inputs of a function", HEADER GRAPH BODY " f (", "a,", ") => (y) { y = Identity (a) }"},
    {"parameters of a function", HEADER GRAPH BODY " f <", "a,", "> (x) => (y) " BODY},
};

/* The model's text, and its size. The caller frees it. */
static char *text_of(const struct model *m, size_t *size)
{
    char *text = malloc(SIZE + 100), *at = text;
    ck_assert_ptr_nonnull(text);
    at += sprintf(at, "%s", m->before);
    for (unsigned i = 0; at - text < SIZE - 200; i++)
        for (const char *c = m->unit; *c; c++)
            if (*c == '#')
                at += sprintf(at, "%x", i);
            else
                *at++ = *c;
    at += sprintf(at, "%s", m->after);
    *size = (size_t)(at - text);
    return text;
}

/* NULL: it did not load, for another reason than its memory. */
static oc_model *load(const char *what, const char *form, const void *bytes, size_t size)
{
    const oc_model_options o = {.limits = {.memory_cap = size * EACH + BASE}};
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(bytes, size, &o, &e);
    ck_assert_msg(e.code != OC_NOMEM && !strstr(e.text, "memory cap"), "%s, %s: %s", what, form,
                  e.text);
    return m;
}

typedef struct saved {
    char *bytes;
    size_t size, room;
} saved;

static bool append(void *ctx, const void *bytes, size_t size)
{
    saved *to = ctx;
    if (size > to->room - to->size) {
        to->room = (to->size + size) * 2;
        to->bytes = realloc(to->bytes, to->room);
        ck_assert_ptr_nonnull(to->bytes);
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return true;
}

static void check_both_forms(const struct model *x)
{
    size_t size;
    char *text = text_of(x, &size);
    oc_model *m = load(x->what, "text", text, size);
    free(text);
    saved out = {0};
    oc_error e = {OC_OK, ""};
    if (m)
        oc_model_save(m, OC_FORMAT_ONNX, &(oc_writer){append, &out}, &e);
    if (m && e.code == OC_OK)
        oc_model_free(load(x->what, "binary", out.bytes, out.size));
    oc_model_free(m);
    free(out.bytes);
}

START_TEST(loading_takes_sixty_bytes_for_each)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        check_both_forms(&models[i]);
}
END_TEST

SUITE("load_memory", loading_takes_sixty_bytes_for_each)
