/* SPDX-License-Identifier: Apache-2.0
 * test_bounds.c - the bounds of base/limits.h that other tests of their rooms do not show: each is
 * reached, and one more is refused. */
#define _DEFAULT_SOURCE /* mmap */
#include "suite.h"
#include "wire.h"
#include "base/limits.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* Loads a text model, makes a session and runs it without inputs. */
static void run(const char *text, oc_error *e)
{
    const oc_session_options options = {.threads = 1};
    *e = (oc_error){OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, e);
    oc_session *s = oc_session_new(m, &options, e);
    oc_run(s, e);
    oc_session_free(s);
    oc_model_free(m);
}

static void expect(const oc_error *e, oc_status code, const char *part)
{
    ck_assert_msg(e->code == code && strstr(e->text, part), "%s: '%s' lacks '%s'",
                  oc_status_name(e->code), e->text, part);
}

static void read_sequences(int depth, oc_error *e)
{
    wire w = {0};
    for (int i = 0; i < depth; i++) {
        wire outer = {0};
        wire_message(&outer, 5, &w); /* SequenceProto.sequence_values */
        w = outer;
    }
    *e = (oc_error){OC_OK, ""};
    oc_value_free(oc_value_read(w.bytes, w.size, OC_SEQUENCE, NULL, NULL, e));
    wire_free(&w);
}

START_TEST(sequences_in_a_value)
{
    oc_error e;
    read_sequences(OC_MAX_VALUE_NESTING, &e);
    expect(&e, OC_OK, "");
    read_sequences(OC_MAX_VALUE_NESTING + 1, &e);
    expect(&e, OC_LIMIT, "sequences are nested deeper than 16");
}
END_TEST

typedef struct saved {
    char *bytes;
    size_t size;
} saved;

static bool append(void *ctx, const void *bytes, size_t size)
{
    saved *to = ctx;
    to->bytes = realloc(to->bytes, to->size + size);
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return true;
}

/* Loads the text and saves it in the format; what was saved must load. Returns whether it was. */
static bool survives(const char *text, oc_format format, oc_error *e)
{
    saved out = {NULL, 0};
    *e = (oc_error){OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, e);
    ck_assert_msg(m != NULL, "%s", e->text);
    oc_model_save(m, format, &(oc_writer){append, &out}, e);
    oc_model_free(m);
    const bool written = e->code == OC_OK;
    if (written)
        oc_model_free(oc_model_load_memory(out.bytes, out.size, NULL, e));
    ck_assert_msg(!written || e->code == OC_OK, "saved, but not read: %s", e->text);
    free(out.bytes);
    return written;
}

/* A model with this number of graphs, or sequence types, one within the other. */
static char *nest(int depth, bool types)
{
    char *text = malloc(1000 + 200 * (size_t)depth), *at = text;
    ck_assert_ptr_nonnull(text);
    at += sprintf(at, "<ir_version: 10, opset_import: [\"\" : 20]>\n");
    if (types) {
        at += sprintf(at, "g (float x) => (float y) <");
        for (int i = 0; i < depth; i++)
            at += sprintf(at, "seq(");
        at += sprintf(at, "float[n]");
        for (int i = 0; i < depth; i++)
            *at++ = ')';
        sprintf(at, " z> { y = Abs (x) }");
        return text;
    }
    at += sprintf(at, "g (bool c, float x) => (float y0) {\n");
    for (int i = 0; i < depth; i++)
        at += sprintf(at,
                      "y%d = If (c) <else_branch = e () => (float z%d) { z%d = Neg (x) },\n"
                      "then_branch = t () => (float[n] y%d) {\n",
                      i, i, i, i + 1);
    at += sprintf(at, "y%d = Abs (x)", depth);
    for (int i = 0; i < depth; i++)
        at += sprintf(at, " }>");
    sprintf(at, " }");
    return text;
}

/* A graph within is three messages down: a node, an attribute, a graph. Below the innermost one are
 * a declared value, its type, that of a tensor, its shape and a dim. */
START_TEST(messages_of_what_is_saved)
{
    enum { GRAPHS = (OC_MAX_MESSAGES - 6) / 3, TYPES = (OC_MAX_MESSAGES - 6) / 2 };
    for (int types = 0; types < 2; types++)
        for (int depth = 1; depth <= OC_MAX_NESTING; depth++) {
            oc_error e;
            char *text = nest(depth, types);
            ck_assert(survives(text, OC_FORMAT_TEXT, &e));
            const bool written = survives(text, OC_FORMAT_ONNX, &e);
            ck_assert_msg(written == (depth <= (types ? TYPES : GRAPHS)), "%d levels", depth);
            if (!written)
                expect(&e, OC_LIMIT, "messages would be nested deeper than 100");
            free(text);
        }
}
END_TEST

/* A call of f2, which calls f1, which calls f0, which is empty; f2 has this number of nodes
 * besides. A call is as much work as CALL nodes without names, and is a node itself where a
 * function holds it. */
static void expand(int calls_of_f1, int calls_of_f0, int nodes, oc_error *e)
{
    char *text = malloc(1000 + 20 * (size_t)(calls_of_f1 + calls_of_f0 + nodes)), *at = text;
    ck_assert_ptr_nonnull(text);
    const char *const head = "<domain: \"my\", opset_import: [\"\" : 17, \"my\" : 1]>";
    at += sprintf(at,
                  "<ir_version: 10, opset_import: [\"\" : 17, \"my\" : 1]>\n"
                  "g () => () { = my.f2 () }\n%s f0 () => () { }\n%s f2 () => () {",
                  head, head);
    for (int i = 0; i < calls_of_f1; i++)
        at += sprintf(at, " = my.f1 ()");
    for (int i = 0; i < nodes; i++)
        at += sprintf(at, " = Foo ()");
    at += sprintf(at, " }\n%s f1 () => () {", head);
    for (int i = 0; i < calls_of_f0; i++)
        at += sprintf(at, " = my.f0 ()");
    sprintf(at, " }\n");
    *e = (oc_error){OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, e);
    oc_model_free(oc_model_expand(m, OC_BODY_NATIVE, NULL, e));
    oc_model_free(m);
    free(text);
}

START_TEST(copies_of_nodes)
{
    enum { CALL = 16, F1 = 600, F0 = (OC_MAX_INLINED - CALL) / F1 / (CALL + 1) - 1 };
    const int calls = CALL + F1 * (1 + CALL + F0 * (1 + CALL));
    oc_error e;
    expand(F1, F0, OC_MAX_INLINED - calls, &e);
    expect(&e, OC_OK, "");
    expand(F1, F0, OC_MAX_INLINED - calls + 1, &e);
    expect(&e, OC_LIMIT, "function calls expand to more than 4194304 nodes and names");
}
END_TEST

START_TEST(threads)
{
    const char text[] = "<ir_version: 8, opset_import: [\"\" : 17]> g () => (y) { y = Constant "
                        "<value_int = 1> () }";
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    for (int more = 0; more < 2; more++) {
        const oc_session_options options = {.threads = OC_MAX_THREADS + more};
        oc_session_free(oc_session_new(m, &options, &e));
        expect(&e, more ? OC_ARGUMENT : OC_OK,
               more ? "257 threads wanted, at most 256 are possible" : "");
    }
    oc_model_free(m);
}
END_TEST

/* A model that matches a string with the pattern `many` times `open`, then "a", then `close`. */
static void match(const char *open, const char *close, int many, oc_error *e)
{
    const size_t n = (size_t)many * (strlen(open) + strlen(close)) + 300;
    char *text = malloc(n), *at = text;
    ck_assert_ptr_nonnull(text);
    at += sprintf(at, "<ir_version: 10, opset_import: [\"\" : 20]>\n"
                      "g () => (bool[1] y) <string[1] x = {\"a\"}> { y = RegexFullMatch "
                      "<pattern = \"");
    for (int i = 0; i < many; i++)
        at += sprintf(at, "%s", open);
    *at++ = 'a';
    for (int i = 0; i < many; i++)
        at += sprintf(at, "%s", close);
    sprintf(at, "\"> (x) }");
    run(text, e);
    free(text);
}

START_TEST(groups_of_a_pattern)
{
    oc_error e;
    match("(", ")", OC_MAX_PATTERN_GROUPS, &e);
    expect(&e, OC_OK, "");
    match("(", ")", OC_MAX_PATTERN_GROUPS + 1, &e);
    expect(&e, OC_LIMIT, "groups are nested too deeply");
}
END_TEST

/* A character takes two nodes; the last one's is the match. */
START_TEST(nodes_of_a_pattern)
{
    oc_error e;
    match("b", "", OC_MAX_PATTERN_NODES / 2 - 2, &e);
    expect(&e, OC_OK, "");
    match("b", "", OC_MAX_PATTERN_NODES / 2 - 1, &e);
    expect(&e, OC_LIMIT, "the pattern is too large");
}
END_TEST

START_TEST(repetitions_of_a_pattern)
{
    oc_error e;
    char most[20], more[20];
    snprintf(most, sizeof most, "b{0,%d}", OC_MAX_PATTERN_REPEATS);
    snprintf(more, sizeof more, "b{0,%d}", OC_MAX_PATTERN_REPEATS + 1);
    match(most, "", 1, &e);
    expect(&e, OC_OK, "");
    match(more, "", 1, &e);
    expect(&e, OC_VALUE, "expected at most 1000 repetitions");
}
END_TEST

/* No class has scores, so that the boxes, which nobody can fill, are not read. */
static void suppress(int64_t boxes, oc_error *e)
{
    const char text[] = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                        "g (float[1,n,4] b, float[1,0,n] s) => (int64[k,3] y)\n"
                        "{ y = NonMaxSuppression (b, s) }";
    const size_t size = (size_t)boxes * 16;
    void *b = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ck_assert(b != MAP_FAILED);
    *e = (oc_error){OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, e);
    oc_session *s = oc_session_new(m, &(oc_session_options){.threads = 1}, e);
    oc_bind(s, "b", OC_F32, 3, (int64_t[]){1, boxes, 4}, b, e);
    oc_bind(s, "s", OC_F32, 3, (int64_t[]){1, 0, boxes}, NULL, e);
    oc_run(s, e);
    oc_session_free(s);
    oc_model_free(m);
    munmap(b, size);
}

START_TEST(boxes_of_a_batch)
{
    oc_error e;
    if (SUITE_NARROW) { /* as many boxes have no addresses */
        suppress(1 << 26, &e);
        expect(&e, OC_OK, "");
        return;
    }
    suppress(OC_MAX_BOXES, &e);
    expect(&e, OC_OK, "");
    suppress(OC_MAX_BOXES + INT64_C(1), &e);
    expect(&e, OC_LIMIT, "there are 536870913 boxes, the most is 536870912");
}
END_TEST

SUITE("bounds", sequences_in_a_value, messages_of_what_is_saved, copies_of_nodes, threads,
      groups_of_a_pattern, nodes_of_a_pattern, repetitions_of_a_pattern, boxes_of_a_batch)
