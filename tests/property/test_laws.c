/* SPDX-License-Identifier: Apache-2.0
 * test_laws.c - data movement undone by its inverse gives the input again, to the bit: random
 * shapes, types, axes and session options. */
#include "outcome.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 400, RANK = 4, ELEMENTS = 5 * 5 * 5 * 5, TEXT = 4000 };

/* What a law is about: a random tensor x, and an axis of it with n elements. */
typedef struct subject {
    suite_random random;
    uint32_t seed;
    oc_value x;
    oc_string strings[ELEMENTS];
    uint8_t bytes[ELEMENTS * 16];
    int axis;
    int64_t n;
    char graph[TEXT]; /* the nodes that make y of x */
    size_t size;
} subject;

static void say(subject *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(subject *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    s->size += (size_t)vsnprintf(s->graph + s->size, TEXT - s->size, format, args);
    va_end(args);
    ck_assert(s->size < TEXT);
}

/* An initializer of int64 values. */
static void say_ints(subject *s, const char *name, const int64_t *v, int n)
{
    say(s, "%s = Constant <value_ints: ints = [", name);
    for (int i = 0; i < n; i++)
        say(s, "%s%lld", i ? ", " : "", (long long)v[i]);
    say(s, "]> ()\n");
}

static int below(subject *s, int n)
{
    return (int)suite_below(&s->random, (uint32_t)n);
}

static void fill(subject *s)
{
    static const char *const words[] = {"", "a", "bc", "\xc3\xa9", "a longer one"};
    for (size_t i = 0; i < sizeof s->bytes; i++)
        s->bytes[i] = (uint8_t)below(s, 256);
    for (int i = 0; i < ELEMENTS; i++) {
        const char *word = words[below(s, 5)];
        s->strings[i] = (oc_string){word, strlen(word)};
    }
    s->x.data = s->x.type == OC_STRING ? (void *)s->strings : s->bytes;
}

static void begin(subject *s)
{
    static const oc_type types[] = {OC_I8, OC_BF16, OC_F32, OC_I64, OC_C128, OC_STRING};
    s->seed = s->random.state;
    s->size = 0;
    s->x = (oc_value){.type = types[below(s, 6)], .dims.rank = 1 + below(s, RANK)};
    for (int a = 0; a < s->x.dims.rank; a++)
        s->x.dims.n[a] = below(s, 8) ? 1 + below(s, 5) : 0;
    s->axis = below(s, s->x.dims.rank);
    s->n = s->x.dims.n[s->axis];
    fill(s);
}

/* The whole model; half of the time the planner knows the shape of x. */
static const char *model_text(subject *s, char text[TEXT + 400])
{
    char dims[OC_DIMS_TEXT] = "[]";
    if (below(s, 2))
        oc_dims_text(&s->x.dims, dims);
    const char *type = oc_type_name(s->x.type);
    snprintf(text, TEXT + 400,
             "<ir_version: 10, opset_import: [\"\" : 21]>\n"
             "g (%s%s x) => (%s[] y) {\n%s}\n",
             type, dims, type, s->graph);
    return text;
}

static void must_be_identity(subject *s, const char *law)
{
    char text[TEXT + 400];
    model_text(s, text);
    const oc_session_options options = {.threads = 1 + below(s, 3), .no_reuse = below(s, 2) != 0};
    outcome o = outcome_of(text, &options, &s->x, 1, 1);
    ck_assert_msg(o.error.code == OC_OK, "%s: %s; OC_SEED=%u\n%s", law, o.error.text, s->seed,
                  text);
    ck_assert_msg(oc_value_equal(o.y[0], &s->x), "%s: y is not x; OC_SEED=%u\n%s", law, s->seed,
                  text);
    outcome_free(&o);
}

/* ---- the laws ---- */

static void concat_of_split(subject *s)
{
    int64_t part[4] = {0};
    const int n = 1 + below(s, 4);
    for (int64_t i = 0; i < s->n; i++)
        part[below(s, n)]++;
    static const char *const names[] = {"p0", "p0, p1", "p0, p1, p2", "p0, p1, p2, p3"};
    say_ints(s, "parts", part, n);
    say(s, "%s = Split <axis = %d> (x, parts)\n", names[n - 1], s->axis - s->x.dims.rank);
    say(s, "y = Concat <axis = %d> (%s)\n", s->axis, names[n - 1]);
}

static void concat_of_slices(subject *s)
{
    const int64_t axis = s->axis, cut = below(s, (int)s->n + 1), zero = 0, end = INT64_MAX;
    say_ints(s, "axes", &axis, 1);
    say_ints(s, "zero", &zero, 1);
    say_ints(s, "cut", &cut, 1);
    say_ints(s, "end", &end, 1);
    say(s, "a = Slice (x, zero, cut, axes)\nb = Slice (x, cut, end, axes)\n");
    say(s, "y = Concat <axis = %d> (a, b)\n", s->axis);
}

static void reversed_twice(subject *s)
{
    const int64_t axis = s->axis, from = INT64_MAX, to = INT64_MIN, step = -1;
    say_ints(s, "axes", &axis, 1);
    say_ints(s, "from", &from, 1);
    say_ints(s, "to", &to, 1);
    say_ints(s, "step", &step, 1);
    say(s, "a = Slice (x, from, to, axes, step)\ny = Slice (a, from, to, axes, step)\n");
}

static void say_perm(subject *s, const char *out, const char *in, const int *perm)
{
    say(s, "%s = Transpose <perm = [", out);
    for (int a = 0; a < s->x.dims.rank; a++)
        say(s, "%s%d", a ? ", " : "", perm[a]);
    say(s, "]> (%s)\n", in);
}

static void transposed_back(subject *s)
{
    const int rank = s->x.dims.rank;
    int perm[RANK], inverse[RANK];
    for (int a = 0; a < rank; a++) {
        const int k = below(s, a + 1);
        perm[a] = a;
        perm[a] = perm[k];
        perm[k] = a;
    }
    for (int a = 0; a < rank; a++)
        inverse[perm[a]] = a;
    say_perm(s, "t", "x", perm);
    say_perm(s, "y", "t", inverse);
}

static void reshaped_back(subject *s)
{
    const int64_t flat = -1;
    say_ints(s, "flat", &flat, 1);
    say(s, "shape = Shape (x)\nv = Reshape (x, flat)\n");
    say(s, "y = Reshape <allowzero = 1> (v, shape)\n");
}

static void flattened_back(subject *s)
{
    say(s, "shape = Shape (x)\nv = Flatten <axis = %d> (x)\n", s->axis);
    say(s, "y = Reshape <allowzero = 1> (v, shape)\n");
}

static void unsqueezed_back(subject *s)
{
    const int64_t axes[2] = {s->axis, -1};
    say_ints(s, "axes", axes, 2);
    say(s, "u = Unsqueeze (x, axes)\ny = Squeeze (u, axes)\n");
}

/* Random pads before and after each axis, none where there is nothing to repeat. */
static void random_pads(subject *s, int64_t pads[2 * RANK])
{
    const oc_dims *x = &s->x.dims;
    for (int a = 0; a < x->rank; a++) {
        pads[a] = x->n[a] ? below(s, 5) : 0;
        pads[a + x->rank] = x->n[a] ? below(s, 5) : 0;
    }
}

static void say_pad(subject *s, int64_t pads[2 * RANK])
{
    static const char *const modes[] = {"constant", "reflect", "edge", "wrap"};
    random_pads(s, pads);
    say_ints(s, "pads", pads, 2 * s->x.dims.rank);
    say(s, "p = Pad <mode = \"%s\"> (x, pads)\n", modes[below(s, 4)]);
}

static void core_of_pad(subject *s)
{
    int64_t pads[2 * RANK], end[RANK];
    say_pad(s, pads);
    for (int a = 0; a < s->x.dims.rank; a++)
        end[a] = pads[a] + s->x.dims.n[a];
    say_ints(s, "start", pads, s->x.dims.rank);
    say_ints(s, "end", end, s->x.dims.rank);
    say(s, "y = Slice (p, start, end)\n");
}

static void pad_cut_off(subject *s)
{
    int64_t pads[2 * RANK];
    say_pad(s, pads);
    for (int i = 0; i < 2 * s->x.dims.rank; i++)
        pads[i] = -pads[i];
    say_ints(s, "cuts", pads, 2 * s->x.dims.rank);
    say(s, "y = Pad (p, cuts)\n");
}

static void say_arange(subject *s)
{
    say(s, "zero = Constant <value_int = 0> ()\none = Constant <value_int = 1> ()\n");
    say(s, "n = Constant <value_int = %d> ()\nindex = Range (zero, n, one)\n", (int)s->n);
}

static void gather_of_arange(subject *s)
{
    say_arange(s);
    say(s, "y = Gather <axis = %d> (x, index)\n", s->axis);
}

/* The indices 0, 1, ... along the axis, the same at every place of the others. */
static void gather_elements_of_arange(subject *s)
{
    int64_t axes[RANK];
    int n = 0;
    for (int a = 0; a < s->x.dims.rank; a++)
        if (a != s->axis)
            axes[n++] = a;
    say_arange(s);
    say_ints(s, "others", axes, n);
    say(s, "u = Unsqueeze (index, others)\nshape = Shape (x)\nall = Expand (u, shape)\n");
    say(s, "y = GatherElements <axis = %d> (x, all)\n", s->axis);
}

static void slice_of_expand(subject *s)
{
    const int64_t one[1] = {1}, axis[1] = {s->axis}, zero[1] = {0};
    int64_t grown[RANK + 1];
    for (int a = 0; a <= s->x.dims.rank; a++)
        grown[a] = a == s->axis ? 3 : 1;
    say_ints(s, "axis", axis, 1);
    say_ints(s, "zero", zero, 1);
    say_ints(s, "one", one, 1);
    say_ints(s, "grown", grown, s->x.dims.rank + 1);
    say(s, "u = Unsqueeze (x, axis)\ne = Expand (u, grown)\n");
    say(s, "c = Slice (e, zero, one, axis)\ny = Squeeze (c, axis)\n");
}

/* Each element three times, then the one in the middle of each three. */
static void resized_back(subject *s)
{
    say(s, "three = Constant <value_floats = [3.0]> ()\n");
    say(s, "r = Resize <axes = [%d]> (x, \"\", three)\n", s->axis - s->x.dims.rank);
    say(s, "sizes = Shape (x)\ny = Resize (r, \"\", \"\", sizes)\n");
}

/* The body's declared type tells the result's when no iteration runs. */
static void say_item_type(subject *s)
{
    say(s, "%s[", oc_type_name(s->x.type));
    for (int a = 0, n = 0; a < s->x.dims.rank; a++)
        if (a != s->axis)
            say(s, "%s%d", n++ ? "," : "", (int)s->x.dims.n[a]);
    say(s, "]");
}

static void scan_of_identity(subject *s)
{
    const int way = below(s, 2);
    say(s,
        "y = Scan <num_scan_inputs = 1, scan_input_axes = [%d], scan_output_axes = [%d], "
        "scan_input_directions = [%d], scan_output_directions = [%d], body = b (",
        s->axis, s->axis - s->x.dims.rank, way, way);
    say_item_type(s);
    say(s, " e) => (");
    say_item_type(s);
    say(s, " f) { f = Identity (e) }> (x)\n");
}

static void loop_of_gather(subject *s)
{
    s->axis = 0;
    s->n = s->x.dims.n[0];
    say(s, "n = Constant <value_int = %d> ()\n", (int)s->n);
    say(s, "y = Loop <body = b (int64 i, bool go) => (bool go, ");
    say_item_type(s);
    say(s, " f) { f = Gather (x, i) }> (n, )\n");
}

/* ---- */

static void check_law(const char *name, void (*law)(subject *s))
{
    static subject s;
    s.random = suite_random_new(20);
    for (int round = 0; round < ROUNDS; round++) {
        begin(&s);
        law(&s);
        must_be_identity(&s, name);
    }
}

#define LAW(name)                                                                                  \
    START_TEST(law_##name)                                                                         \
    {                                                                                              \
        check_law(#name, name);                                                                    \
    }                                                                                              \
    END_TEST

LAW(concat_of_split)
LAW(concat_of_slices)
LAW(reversed_twice)
LAW(transposed_back)
LAW(reshaped_back)
LAW(flattened_back)
LAW(unsqueezed_back)
LAW(core_of_pad)
LAW(pad_cut_off)
LAW(gather_of_arange)
LAW(gather_elements_of_arange)
LAW(slice_of_expand)
LAW(resized_back)
LAW(scan_of_identity)
LAW(loop_of_gather)

SUITE("laws", law_concat_of_split, law_concat_of_slices, law_reversed_twice, law_transposed_back,
      law_reshaped_back, law_flattened_back, law_unsqueezed_back, law_core_of_pad, law_pad_cut_off,
      law_gather_of_arange, law_gather_elements_of_arange, law_slice_of_expand, law_resized_back,
      law_scan_of_identity, law_loop_of_gather)
