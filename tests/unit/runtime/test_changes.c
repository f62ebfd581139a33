/* SPDX-License-Identifier: Apache-2.0
 * test_changes.c - inputs that the host changes while a session runs: the result is that of what
 * they were before or after, or an error, and nothing is read or written where it must not be. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define MODEL(opset, ports, nodes)                                                                 \
    "<ir_version: 10, opset_import: [\"\" : " #opset ", \"ai.onnx.ml\" : 3]>\n"                    \
    "g (" ports ") => (y) {\n" nodes "\n}\n"

enum { DATA = 4096 };

/* The input `d` decides. Both of its values have the dims and type given; the second one may be
 * refused. */
typedef struct change {
    const char *model;
    oc_type type;
    int rank;
    int64_t dim[3];
    int64_t before[8], after[8]; /* the elements, also of float and bool inputs */
    bool mixed;                  /* the result may be of elements before and of others after */
} change;

/* clang-format off */
static const change changes[] = {
    {MODEL(18, "float[8,64] x, int64[2] d", "a, b = Split <axis = 0> (x, d) y = Concat <axis = 0> (b, a)"),
     OC_I64, 1, {2}, {7, 1}, {1, 7}},
    {MODEL(18, "float[8,64] x, int64[2] d", "a, b = Split <axis = 0> (x, d) y = Neg (a)"),
     OC_I64, 1, {2}, {1, 7}, {1 << 20, -(1 << 20)}},
    {MODEL(14, "float[8,64] x, int64[2] d", "a = Neg (x) y = Reshape (a, d)"), OC_I64, 1, {2}, {4, 128}, {1 << 20, 512}},
    {MODEL(14, "float[8,64] x, int64[2] d", "a = Reshape (x, d) y = Neg (a)"), OC_I64, 1, {2}, {4, 128}, {2, 256}},
    {MODEL(13, "float[8,64] x, int64[1] d", "zero = Constant <value_ints = [0]> () y = Slice (x, zero, d)"),
     OC_I64, 1, {1}, {2}, {8}},
    {MODEL(13, "float[8,64] x, int64[1] d", "end = Constant <value_ints = [8]> () y = Slice (x, d, end)"),
     OC_I64, 1, {1}, {6}, {0}},
    {MODEL(13, "float[8,64] x, int64[4] d", "y = Pad (x, d)"), OC_I64, 1, {4}, {0, 1, 1, 0}, {100, 100, 100, 100}},
    {MODEL(13, "float[8,64] x, int64[4] d", "y = Pad <mode = \"edge\"> (x, d)"), OC_I64, 1, {4}, {0, 1, 1, 0}, {-7, 0, 50, -60}},
    {MODEL(13, "float[8,64] x, int64[2] d", "y = Tile (x, d)"), OC_I64, 1, {2}, {1, 2}, {40, 40}},
    {MODEL(13, "float[8,64] x, int64[3] d", "y = Expand (x, d)"), OC_I64, 1, {3}, {2, 8, 64}, {40, 8, 1}},
    {MODEL(13, "float[8,64] x, int64[1] d", "y, i = TopK (x, d)"), OC_I64, 1, {1}, {2}, {64}},
    {MODEL(13, "float[8,64] x, int64[3] d", "y = Gather (x, d)"), OC_I64, 1, {3}, {0, 7, -8}, {1 << 30, 3, -(1 << 30)}},
    {MODEL(13, "float[8,64] x, int64[1,3] d", "y = GatherElements (x, d)"), OC_I64, 2, {1, 3}, {0, 7, -8}, {1 << 30, 3, 1 << 29}},
    {MODEL(13, "float[8,64] x, int64[2,2] d", "y = GatherND (x, d)"), OC_I64, 2, {2, 2}, {0, 7, -8, 63}, {1 << 30, 3, 1, 1 << 28}},
    {MODEL(13, "float[8,64] x, int64[1,2] d", "u = Constant <value = float[1] {3}> () y = ScatterND (x, d, u)"),
     OC_I64, 2, {1, 2}, {7, 63}, {1 << 30, 3}},
    {MODEL(13, "float[8,64] x, int64[1,2] d", "u = Constant <value = float[1,2] {3, 4}> () y = ScatterElements (x, d, u)"),
     OC_I64, 2, {1, 2}, {7, -8}, {1 << 30, -(1 << 30)}},
    {MODEL(16, "float[8,64] x, int64[2] d",
           "s = Constant <value_ints = [2, 4, 8, 8]> () i = Reshape (x, s) "
           "r = Constant <value = float[2,4] {0, 0, 7, 7, 1, 1, 5, 5}> () y = RoiAlign (i, r, d)"),
     OC_I64, 1, {2}, {0, 1}, {1 << 30, -(1 << 30)}},
    {MODEL(16, "float[8,64] x, float[2,4] d",
           "s = Constant <value_ints = [2, 4, 8, 8]> () i = Reshape (x, s) "
           "n = Constant <value_ints = [0, 1]> () y = RoiAlign <output_height = 3, output_width = 3> (i, d, n)"),
     OC_F32, 2, {2, 4}, {0, 0, 2, 2, 1, 1, 2, 2}, {-1000, -1000, 3000, 3000, 0, 0, 1 << 30, 1 << 30}},
    {MODEL(1, "double[8,64] x, double[1,5] d",
           "i = Reshape <shape = [2, 4, 8, 8]> (x) y = MaxRoiPool <pooled_shape = [2, 2]> (i, d)"),
     OC_F64, 2, {1, 5}, {1, 0, 0, 3, 3}, {1 << 30, 0, 0, 7, 7}},
    {MODEL(19, "float[8,64] x, int64[2] d", "y = Resize (x, , , d)"), OC_I64, 1, {2}, {4, 32}, {80, 200}},
    {MODEL(19, "float[8,64] x, float[2] d", "y = Resize <mode = \"linear\"> (x, , d)"), OC_F32, 1, {2}, {1, 2}, {10, 10}},
    {MODEL(19, "float[8,64] x, double[4] d",
           "s = Constant <value_ints = [16, 16]> () y = Resize <mode = \"linear\", "
           "coordinate_transformation_mode = \"tf_crop_and_resize\"> (x, d, , s)"),
     OC_F64, 1, {4}, {0, 0, 1, 1}, {-100000, 5, 100000, 7}},
    {MODEL(13, "float[8,64] x, int64 d", "o = Constant <value_int = 1> () z = Constant <value_int = 0> () y = Range (z, d, o)"),
     OC_I64, 0, {0}, {4}, {100000}},
    {MODEL(13, "float[8,64] x, int64[1] d", "i = Constant <value_ints = [0, 3]> () "
           "v = Constant <value = float[2] {0, 1}> () y = OneHot (i, d, v)"), OC_I64, 1, {1}, {4}, {100000}},
    {MODEL(9, "float[8,64] x, int64[2] d", "y = ConstantOfShape (d)"), OC_I64, 1, {2}, {4, 5}, {400, 500}},
    {MODEL(18, "float[8,64] x, int64[2] d", "y = CenterCropPad (x, d)"), OC_I64, 1, {2}, {4, 80}, {400, 2}},
    {MODEL(13, "float[8,64] x, int64[1] d", "y = Unsqueeze (x, d)"), OC_I64, 1, {1}, {0}, {77}},
    {MODEL(18, "float[8,64] x, int64[1] d", "y = ReduceSum (x, d)"), OC_I64, 1, {1}, {0}, {1}},
    {MODEL(18, "float[8,64] x, int64[1] d", "y = ReduceMax <keepdims = 0> (x, d)"), OC_I64, 1, {1}, {1}, {0}},
    {MODEL(13, "float[8,64] x, int64 d", "y = CumSum (x, d)"), OC_I64, 0, {0}, {0}, {1}},
    {MODEL(14, "float[8,64] x, int64 d", "y = Trilu (x, d)"), OC_I64, 0, {0}, {0}, {INT64_MIN}},
    {MODEL(10, "float[8,64] x, int64[8] d", "y = ReverseSequence <batch_axis = 0, time_axis = 1> (x, d)"),
     OC_I64, 1, {8}, {1, 2, 3, 4, 5, 6, 7, 64}, {1 << 30, 2, -(1 << 30), 4, 5, 6, 7, 1 << 20}},
    {MODEL(11, "float[8,64] x, int64[1,1,4] d",
           "s = Constant <value = float[1,1,4] {1, 2, 3, 4}> () y = MaxUnpool <kernel_shape = [4]> (s, d)"),
     OC_I64, 3, {1, 1, 4}, {0, 1, 5, 6}, {1 << 30, 5, -(1 << 30), 6}},
    {MODEL(13, "float[8,64] x, bool[2,4] d", "y = NonZero (d)"), OC_BOOL, 2, {2, 4}, {0, 0, 0, 0, 0, 0, 0, 1}, {1, 1, 1, 1, 1, 1, 1, 1}, true},
    {MODEL(13, "float[8,64] x, bool[2,4] d", "y = NonZero (d)"), OC_BOOL, 2, {2, 4}, {1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 1}},
    {MODEL(11, "float[8,64] x, bool[8] d", "y = Compress <axis = 0> (x, d)"), OC_BOOL, 1, {8}, {0, 0, 0, 1, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1}},
    {MODEL(11, "float[8,64] x, int64[2] d", "s = SplitToSequence <axis = 1> (x, d) y = ConcatFromSequence <axis = 1> (s)"),
     OC_I64, 1, {2}, {1, 63}, {1 << 30, 64 - (1 << 30)}},
    {MODEL(13, "float[8,64] x, int64 d", "s = SplitToSequence <axis = 0> (x) y = SequenceAt (s, d)"), OC_I64, 0, {0}, {-8}, {1 << 30}},
    {MODEL(24, "float[8,64] x, int64[2] d",
           "s = Constant <value_ints = [2, 2, 16, 8]> () q = Reshape (x, s) y = Attention (q, q, q, , , , d)"),
     OC_I64, 1, {2}, {3, 16}, {1 << 30, -(1 << 30)}},
    {MODEL(24, "float[8,64] x, int64[8] d", "u = Constant <value = float[8,2] {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}> () "
           "y = TensorScatter <axis = -1> (x, u, d)"),
     OC_I64, 1, {8}, {0, 1, 2, 3, 4, 5, 6, 62}, {1 << 30, -(1 << 30), 63, 64, 5, 6, 7, 8}},
    {MODEL(14, "float[8,64] x, int32[2] d",
           "s = Constant <value_ints = [32, 2, 8]> () i = Reshape (x, s) "
           "w = Constant <value = float[1,4,8] {0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1}> () "
           "r = Constant <value = float[1,4,4] {0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1}> () "
           "y, h = RNN <hidden_size = 4> (i, w, r, , d)"),
     OC_I32, 1, {2}, {32, 1}, {1 << 30, -(1 << 30)}},
    {MODEL(9, "float[8,64] x, int64[3] d", "y = ai.onnx.ml.ArrayFeatureExtractor (x, d)"), OC_I64, 1, {3}, {0, 63, 5}, {1 << 30, -(1 << 30), 64}},
    {MODEL(18, "float[8,64] x, int64[2] d",
           "s = Constant <value_ints = [1, 4, 128]> () i = Reshape (x, s) "
           "b = Constant <value_ints = [2, 2]> () y = Col2Im (i, d, b)"),
     OC_I64, 1, {2}, {2, 129}, {129, 2}},
    {MODEL(17, "float[8,64] x, int64 d", "s = Constant <value_ints = [8, 64, 1]> () i = Reshape (x, s) y = DFT (i, d)"),
     OC_I64, 0, {0}, {4}, {4096}},
    {MODEL(17, "float[8,64] x, int64 d", "y = HannWindow (d)"), OC_I64, 0, {0}, {4}, {4096}},
    {MODEL(17, "float[8,64] x, int64 d", "r = Constant <value_int = 8000> () l = Constant <value_float = 0.0> () "
           "u = Constant <value_float = 4000.0> () n = Constant <value_int = 16> () y = MelWeightMatrix (d, n, r, l, u)"),
     OC_I64, 0, {0}, {4}, {4096}},
    {MODEL(20, "float[8,64] x, int64[4] d",
           "s = Constant <value_ints = [1, 1, 8, 64]> () i = Reshape (x, s) "
           "t = Constant <value = float[1,2,3] {1,0,0,0,1,0}> () g = AffineGrid (t, d) y = GridSample (i, g)"),
     OC_I64, 1, {4}, {1, 1, 4, 4}, {1, 1, 64, 64}},
    {MODEL(13, "float[8,64] x, int64 d",
           "s = Constant <value_ints = [1, 128, 4]> () b = Reshape (x, s) t = Constant <value_ints = [1, 1, 128]> () "
           "e = Constant <value_ints = [2]> () o = Constant <value_ints = [0]> () f = Slice (x, o, e) c = Reshape (f, t) "
           "y = NonMaxSuppression (b, c, d)"),
     OC_I64, 0, {0}, {3}, {INT64_MAX}},
    {MODEL(13, "float[8,64] x, int64[8] d", "y = SoftmaxCrossEntropyLoss (x, d)"), OC_I64, 1, {8}, {0, 1, 2, 3, 4, 5, 6, 63}, {1 << 30, -(1 << 30), 1, 1, 1, 1, 1, 64}},
    {MODEL(16, "float[8,64] x, int64 d",
           "t = Constant <value = bool {1}> () y = Loop <body = b (int64 i, bool c) => (bool c2, float[8,64] n) "
           "{ c2 = Identity (c) n = Neg (x) }> (d, t)"),
     OC_I64, 0, {0}, {2}, {5}},
    {MODEL(8, "float[8,64] x, int64[8] d",
           "y = Scan <num_scan_inputs = 1, body = b (float e) => (float f) { f = Neg (e) }> (d, x)"),
     OC_I64, 1, {8}, {1, 2, 3, 4, 5, 6, 7, 64}, {1 << 20, 2, -(1 << 30), 4, 5, 6, 7, 65}},
};
/* clang-format on */

/* ---- one run, in which input d changes at the k-th allocation ---- */

static size_t put(void *to, oc_type type, const int64_t *from, int n)
{
    const size_t size = oc_type_size(type);
    for (int i = 0; i < n; i++) {
        const float f = (float)from[i];
        const double d = (double)from[i];
        const void *bits = type == OC_F32   ? (const void *)&f
                           : type == OC_F64 ? (const void *)&d
                                            : &from[i];
        memcpy((char *)to + size * (size_t)i, bits, size);
    }
    return size * (size_t)n;
}

typedef struct host {
    void *at; /* elements that change */
    const void *after;
    size_t size;
    int left; /* allocations before they do; < 0: they do not */
} host;

static void *resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
    host *h = ctx;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    if (h->at && h->left-- == 0)
        memcpy(h->at, h->after, h->size);
    return realloc(block, new_size);
}

/* What a run gave: a copy, or the code of its error. */
typedef struct result {
    oc_status code;
    size_t size;
    char bytes[DATA];
} result;

static void note(result *r, const oc_session *s, oc_error *e)
{
    const oc_value *y = oc_fetch_value_at(s, 0, e);
    *r = (result){.code = e->code};
    if (!y || oc_value_kind(y) != OC_TENSOR)
        return;
    r->size = (size_t)oc_value_count(y) * oc_type_size(oc_value_type(y));
    memcpy(r->bytes, oc_value_data(y), r->size < DATA ? r->size : DATA);
}

static bool same(const result *a, const result *b)
{
    return a->code == b->code && a->size == b->size &&
           memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

typedef struct bench {
    host host;
    oc_model *model;
    oc_session *session;
    float x[8 * 64];
    double wide[8 * 64];
    char d[64], before[64], after[64];
    size_t size;
} bench;

static int count_of(const change *c)
{
    int n = 1;
    for (int a = 0; a < c->rank; a++)
        n *= (int)c->dim[a];
    return n;
}

static void open_bench(bench *b, const change *c, bool fusion)
{
    oc_error e = {.code = OC_OK};
    const oc_model_options load = {.alloc = {resize, &b->host}};
    static const int64_t dims[] = {8, 64};
    *b = (bench){.host = {.left = -1}};
    for (int i = 0; i < 8 * 64; i++)
        b->wide[i] = b->x[i] = (float)(i % 23) - 7;
    b->size = put(b->before, c->type, c->before, count_of(c));
    put(b->after, c->type, c->after, count_of(c));
    b->model = oc_model_load_memory(c->model, strlen(c->model), &load, &e);
    b->session = oc_session_new(
        b->model, &(oc_session_options){.threads = 1, .no_reuse = true, .no_fusion = !fusion}, &e);
    const bool is_double = b->model && oc_model_input(b->model, 0).type == OC_F64;
    oc_bind(b->session, "x", is_double ? OC_F64 : OC_F32, 2, dims,
            is_double ? (void *)b->wide : b->x, &e);
    oc_bind(b->session, "d", c->type, c->rank, c->dim, b->d, &e);
    ck_assert_msg(e.code == OC_OK, "%s in\n%s", e.text, c->model);
}

static void close_bench(bench *b)
{
    oc_session_free(b->session);
    oc_model_free(b->model);
}

/* Runs with d as it was; at the k-th allocation it changes. Returns whether it did. */
static bool run_changing(bench *b, int k, result *r)
{
    oc_error e = {.code = OC_OK};
    memcpy(b->d, b->before, sizeof b->d);
    b->host = (host){b->d, b->after, b->size, k};
    oc_run(b->session, &e);
    b->host.at = NULL;
    note(r, b->session, &e);
    return memcmp(b->d, b->before, b->size) != 0;
}

static void run_fixed(bench *b, const char *d, result *r)
{
    oc_error e = {.code = OC_OK};
    memcpy(b->d, d, sizeof b->d);
    oc_run(b->session, &e);
    note(r, b->session, &e);
}

START_TEST(at_every_allocation)
{
    static bench b;
    static result before, after, r;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        for (int fusion = 0; fusion < 2; fusion++) {
            open_bench(&b, &changes[i], fusion);
            run_fixed(&b, b.before, &before);
            run_fixed(&b, b.after, &after);
            ck_assert_msg(before.code == OC_OK, "run fails before in\n%s", changes[i].model);
            int k = 0;
            while (run_changing(&b, k, &r)) {
                ck_assert_msg(
                    same(&r, &before) || same(&r, &after) || r.code == OC_VALUE || changes[i].mixed,
                    "change at allocation %d: another result in\n%s", k, changes[i].model);
                k++;
            }
            ck_assert_int_gt(k, 0);
            close_bench(&b);
        }
}
END_TEST

/* ---- strings ---- */

static const char *const string_nodes[] = {
    "y, n = StringSplit (d)",
    "y, n = StringSplit <delimiter = \",\"> (d)",
    "y = StringConcat (d, d)",
    "y = StringNormalizer <case_change_action = \"UPPER\", stopwords = [\"a\"]> (d)",
    "y = RegexFullMatch <pattern = \"(a|b)*\"> (d)",
    "y, i, j, n = Unique (d)",
    "y = Identity (d)",
};

START_TEST(strings_at_every_allocation)
{
    static char characters[64];
    static const char before[] = "a a", after[] = "a,b c,d e f g h i,j,k,l,m,n,o,p,q r s t u v w";
    static oc_string d[2];
    static const oc_string were[] = {{characters, 3}, {characters, 1}},
                           will[] = {{characters, 45}, {characters, 20}};
    for (size_t i = 0; i < sizeof string_nodes / sizeof *string_nodes; i++)
        for (int what = 0; what < 2; what++) { /* characters change, or strings become others */
            host h = {.left = -1};
            char text[400];
            oc_error e = {.code = OC_OK};
            snprintf(text, sizeof text, MODEL(20, "string[2] d", "%s"), string_nodes[i]);
            const oc_model_options load = {.alloc = {resize, &h}};
            oc_model *m = oc_model_load_memory(text, strlen(text), &load, &e);
            oc_session *s =
                oc_session_new(m, &(oc_session_options){.threads = 1, .no_reuse = true}, &e);
            oc_bind(s, "d", OC_STRING, 1, (const int64_t[]){2}, d, &e);
            ck_assert_msg(e.code == OC_OK, "%s in\n%s", e.text, text);
            for (int k = 0; k < 30; k++) {
                memcpy(characters, what ? after : before, sizeof(before));
                memcpy(d, were, sizeof d);
                if (what)
                    memcpy(characters, after, sizeof after);
                h = what ? (host){d, will, sizeof d, k} : (host){characters, after, 3, k};
                oc_run(s, &e);
                ck_assert_msg(e.code == OC_OK, "%s in\n%s", e.text, text);
            }
            h.at = NULL;
            oc_session_free(s);
            oc_model_free(m);
        }
}
END_TEST

/* ---- between nodes, and by a thread ---- */

static void change_between(void *ctx, const oc_node_event *event)
{
    bench *b = ctx;
    memcpy(b->d, event->begin ? b->before : b->after, b->size);
}

START_TEST(between_nodes)
{
    static bench b;
    static result r;
    static const int64_t dims[] = {8, 64};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        for (int view = OC_VIEW_ALL; view <= OC_VIEW_NONE; view++) {
            oc_error e = {.code = OC_OK};
            open_bench(&b, &changes[i], true);
            oc_session *s = oc_session_new(
                b.model,
                &(oc_session_options){.threads = 1,
                                      .observer = {change_between, &b, (oc_view)view, NULL, NULL}},
                &e);
            const bool is_double = oc_model_input(b.model, 0).type == OC_F64;
            memcpy(b.d, b.before, sizeof b.d);
            oc_bind(s, "x", is_double ? OC_F64 : OC_F32, 2, dims, is_double ? (void *)b.wide : b.x,
                    &e);
            oc_bind(s, "d", changes[i].type, changes[i].rank, changes[i].dim, b.d, &e);
            ck_assert_int_eq(e.code, OC_OK);
            oc_run(s, &e);
            note(&r, s, &e);
            oc_session_free(s);
            close_bench(&b);
        }
}
END_TEST

typedef struct flipper {
    bench *b;
    atomic_bool stop;
} flipper;

#if defined(__SANITIZE_THREAD__)
enum { RUNS = 0 }; /* the race is wanted */
#else
enum { RUNS = 20 };
#endif

static void *flip(void *ctx)
{
    flipper *f = ctx;
    while (!atomic_load(&f->stop)) {
        memcpy(f->b->d, f->b->after, f->b->size);
        memcpy(f->b->d, f->b->before, f->b->size);
    }
    return NULL;
}

START_TEST(by_another_thread)
{
    static bench b;
    static result r;
    for (size_t i = 0; i < sizeof changes / sizeof *changes && RUNS > 0; i++) {
        open_bench(&b, &changes[i], true);
        memcpy(b.d, b.before, sizeof b.d);
        flipper f = {.b = &b};
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, flip, &f), 0);
        for (int k = 0; k < RUNS; k++) {
            oc_error e = {.code = OC_OK};
            oc_run(b.session, &e);
            note(&r, b.session, &e);
        }
        atomic_store(&f.stop, true);
        pthread_join(thread, NULL);
        close_bench(&b);
    }
}
END_TEST

SUITE("changes", at_every_allocation, strings_at_every_allocation, between_nodes, by_another_thread)
