/* SPDX-License-Identifier: Apache-2.0
 * test_quantise_graphs.c - random graphs of what the plan has compute on codes, and of what it must
 * leave alone: types, dims, bits and errors are those of a session that fuses nothing.
 *
 * There are codes of many types; scales that are scalars, lists of one element, lists for an axis,
 * or known only in a run; zero points that are missing; values of rank 0 to 5 that several nodes or
 * graphs within nodes read; and outputs of the graph in the middle. */
#include "outcome.h"
#include "same_value.h"
#include "suite.h"

#include <ocellus_model.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    ROUNDS = 2500,
    TEXT = 12000,
    VALUES = 48,
    SCALES = 4,
    ELEMENTS = 2000,
    RANK = 5,
    INPUTS = 3
};

typedef struct text {
    char s[TEXT];
    int n;
} text;

typedef struct value {
    const char *type; /* "float", or that of codes */
    oc_dims dims;     /* as far as the generator follows them */
} value;

typedef struct graph {
    suite_random *r;
    text constants, nodes, all;
    value v[VALUES]; /* named v0, v1, ..; the first ones are the graph's inputs */
    int n, n_constant, opset;
} graph;

static void add(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    t->n += vsnprintf(t->s + t->n, (size_t)(TEXT - t->n), format, args);
    va_end(args);
    ck_assert_int_lt(t->n, TEXT);
}

static int below(graph *g, int limit)
{
    return (int)suite_below(g->r, (uint32_t)limit);
}

static bool one_in(graph *g, int n)
{
    return below(g, n) == 0;
}

/* ---- values: functions that make one return its number */

static int new_value(graph *g, const char *type, oc_dims dims)
{
    ck_assert_int_lt(g->n, VALUES);
    g->v[g->n] = (value){type, dims};
    return g->n++;
}

static bool is_float(const graph *g, int i)
{
    return strcmp(g->v[i].type, "float") == 0;
}

/* A value of floats or of codes, more often one of the last. */
static int pick(graph *g, bool floats)
{
    for (;;) {
        const int i = one_in(g, 3) ? below(g, g->n) : g->n - 1 - below(g, g->n < 4 ? g->n : 4);
        if (is_float(g, i) == floats)
            return i;
        if (one_in(g, 20))
            for (int k = 0; k < g->n; k++)
                if (is_float(g, k) == floats)
                    return k;
    }
}

static int constant(graph *g, const char *type, const char *dims, const char *elements)
{
    add(&g->constants, "%s%s c%d = {%s}, ", type, dims, g->n_constant, elements);
    return g->n_constant++;
}

static int integers(graph *g, int n, const int64_t x[])
{
    char list[200] = "", dims[16];
    for (int i = 0; i < n; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", i ? ", " : "", (int)x[i]);
    snprintf(dims, sizeof dims, "[%d]", n);
    return constant(g, "int64", dims, list);
}

static int integer(graph *g, int64_t x)
{
    return integers(g, 1, &x);
}

/* ---- quantising */

static const char *const scales[SCALES] = {"0.5", "0.031", "0.11", "1"};
static const char *const zeros[SCALES] = {"3", "0", "100", "7"};

/* Adds n numbers of a list as a constant: one, or one for each index of an axis. */
static int numbers(graph *g, const char *type, const char *const list[], int which, int n)
{
    char all[100] = "", dims[16] = "";
    const bool is_small = type[strlen(type) - 1] == '4', is_real = strncmp(type, "float8", 6) == 0;
    for (int i = 0; i < n; i++) {
        const char *number = list[n == 1 ? which : below(g, SCALES)];
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "",
                 is_real    ? "0.0"
                 : is_small ? "3"
                            : number);
    }
    if (n > 1 || one_in(g, 3))
        snprintf(dims, sizeof dims, "[%d]", n);
    return constant(g, type, dims, all);
}

/* Adds "QuantizeLinear (v1, c2, c3)" with operands of its own; DequantizeLinear has the type of
 * what it reads. */
static void add_scaling(graph *g, const char *op, int x, const char *type, bool may_miss)
{
    const oc_dims *dims = &g->v[x].dims;
    const int which = below(g, SCALES), axis = dims->rank ? below(g, dims->rank) : 0;
    const bool by_axis = dims->rank && dims->n[axis] < 8 && one_in(g, 12);
    const int n = by_axis ? (int)dims->n[axis] : 1, s = numbers(g, "float", scales, which, n);
    const bool is_computed = one_in(g, 10);
    if (is_computed)
        add(&g->nodes, "k%d = Identity (c%d)\n", s, s);
    add(&g->nodes, "v%d = %s ", g->n, op);
    if (by_axis)
        add(&g->nodes, "<axis = %d> ", one_in(g, 2) ? axis : axis - dims->rank);
    const char *from = one_in(g, 12) ? "r" : is_computed ? "k" : "c";
    if (*from == 'r')
        add(&g->nodes, "(v%d, r0", x);
    else
        add(&g->nodes, "(v%d, %s%d", x, from, s);
    if (may_miss && one_in(g, 3))
        add(&g->nodes, ")\n");
    else
        add(&g->nodes, ", c%d)\n", numbers(g, type, zeros, which, n));
}

static void quantise(graph *g)
{
    static const char *const types[] = {"uint8", "int8",   "uint8", "int8",        "uint8",
                                        "int8",  "uint8",  "int8",  "int8",        "int4",
                                        "uint4", "uint16", "int16", "float8e4m3fn"};
    const int x = pick(g, true);
    const char *type = types[below(g, g->opset < 21 ? 8 : 14)];
    add_scaling(g, "QuantizeLinear", x, type, strcmp(type, "uint8") == 0);
    new_value(g, type, g->v[x].dims);
}

static void dequantise(graph *g)
{
    const int x = pick(g, false);
    add_scaling(g, "DequantizeLinear", x, g->v[x].type, true);
    new_value(g, "float", g->v[x].dims);
}

/* ---- element by element */

static void unary(graph *g)
{
    static const char *const forms[] = {
        "Relu (v%d)",         "Sigmoid (v%d)",   "HardSigmoid (v%d)",   "Neg (v%d)",
        "Abs (v%d)",          "Exp (v%d)",       "Sqrt (v%d)",          "Floor (v%d)",
        "Tanh (v%d)",         "Sign (v%d)",      "Clip (v%d, , hi)",    "Reciprocal (v%d)",
        "Clip (v%d, lo, hi)", "LeakyRelu (v%d)", "Clip (v%d, hi, lo)",  "PRelu (v%d, hi)",
        "PRelu (v%d, list)",  "Clip (v%d, lo)",  "Identity (v%d)",      "Elu (v%d)",
        "Max (v%d)",          "Softmax (v%d)",   "Cast <to = 1> (v%d)", "Dropout (v%d)",
        "Clip (v%d, list)",   "Not (v%d)"};
    const int x = pick(g, true), n = (int)(sizeof forms / sizeof *forms);
    add(&g->nodes, "v%d = ", g->n);
    add(&g->nodes, forms[below(g, one_in(g, 20) ? n : n - 2)], x);
    add(&g->nodes, "\n");
    new_value(g, "float", g->v[x].dims);
}

static const char *binary_name(graph *g)
{
    static const char *const names[] = {"Add", "Mul", "Add", "Mul", "Sub",
                                        "Div", "Max", "Min", "Pow"};
    return names[below(g, 9)];
}

static void binary(graph *g)
{
    const int a = pick(g, true), b = pick(g, true);
    oc_dims dims = g->v[a].dims;
    if (oc_dims_broadcast(&dims, &g->v[b].dims) ? oc_dims_count(&dims) <= ELEMENTS
                                                : one_in(g, 40)) {
        add(&g->nodes, "v%d = %s (v%d, v%d)\n", g->n, binary_name(g), a, b);
        new_value(g, "float", dims);
    }
}

static void binary_with_constant(graph *g)
{
    static const char *const values[] = {"0.5", "-2", "0", "3", "1.25", "-0.031"};
    static const char *const shapes[] = {"", "", "", "[1]", "[1]", "[1,1]", "[1,1,1]"};
    const int x = pick(g, true), shape = below(g, 7), axes[] = {0, 0, 0, 1, 1, 2, 3};
    const int c = constant(g, "float", shapes[shape], values[below(g, 6)]);
    oc_dims dims = g->v[x].dims, lifted = {axes[shape], {1, 1, 1}};
    oc_dims_broadcast(&dims, &lifted);
    if (one_in(g, 2))
        add(&g->nodes, "v%d = %s (c%d, v%d)\n", g->n, binary_name(g), c, x);
    else
        add(&g->nodes, "v%d = %s (v%d, c%d)\n", g->n, binary_name(g), x, c);
    new_value(g, "float", dims);
}

/* ---- moves: each of value x of rank 1 or more, along an axis */

typedef void move_fn(graph *g, int x, oc_dims d, int axis);

static void transpose(graph *g, int x, oc_dims d, int axis)
{
    oc_dims y = d;
    add(&g->nodes, "v%d = Transpose <perm = [", g->n);
    for (int a = 0; a < d.rank; a++) {
        const int from = (a + axis + 1) % d.rank;
        y.n[a] = d.n[from];
        add(&g->nodes, "%s%d", a ? ", " : "", from);
    }
    add(&g->nodes, "]> (v%d)\n", x);
    new_value(g, "float", y);
}

static void reshape(graph *g, int x, oc_dims d, int axis)
{
    const int64_t rows[] = {d.n[0], -1};
    if (one_in(g, 2)) {
        add(&g->nodes, "v%d = Reshape (v%d, c%d)\n", g->n, x, integers(g, 2, rows));
        new_value(g, "float", (oc_dims){2, {d.n[0], oc_dims_product(&d, 1, d.rank)}});
        return;
    }
    add(&g->nodes, "v%d = Flatten <axis = %d> (v%d)\n", g->n, axis, x);
    new_value(g, "float",
              (oc_dims){2, {oc_dims_product(&d, 0, axis), oc_dims_product(&d, axis, d.rank)}});
}

static void squeeze(graph *g, int x, oc_dims d, int axis)
{
    oc_dims y = {0, {0}};
    if (one_in(g, 2) && d.rank < RANK) {
        add(&g->nodes, "v%d = Unsqueeze (v%d, c%d)\n", g->n, x, integer(g, axis));
        for (int a = 0; a <= d.rank; a++)
            y.n[y.rank++] = a < axis ? d.n[a] : a == axis ? 1 : d.n[a - 1];
    } else {
        add(&g->nodes, "v%d = Squeeze (v%d)\n", g->n, x);
        for (int a = 0; a < d.rank; a++)
            if (d.n[a] != 1)
                y.n[y.rank++] = d.n[a];
    }
    new_value(g, "float", y);
}

static void slice(graph *g, int x, oc_dims d, int axis)
{
    const bool back = one_in(g, 2);
    const int from = integer(g, back ? -1 : 1), to = integer(g, back ? -99 : 99);
    const int along = integer(g, axis), step = integer(g, back ? -1 : 1);
    add(&g->nodes, "v%d = Slice (v%d, c%d, c%d, c%d, c%d)\n", g->n, x, from, to, along, step);
    d.n[axis] -= !back;
    new_value(g, "float", d);
}

static void split(graph *g, int x, oc_dims d, int axis)
{
    const int64_t sizes[] = {d.n[axis] - d.n[axis] / 2, d.n[axis] / 2};
    add(&g->nodes, "v%d, v%d = Split <axis = %d> (v%d, c%d)\n", g->n, g->n + 1, axis, x,
        integers(g, 2, sizes));
    for (int i = 0; i < 2; i++) {
        d.n[axis] = sizes[i];
        new_value(g, "float", d);
    }
}

static void concat(graph *g, int x, oc_dims d, int axis)
{
    int other = x;
    for (int tries = 0; tries < 6; tries++) {
        const int i = pick(g, true);
        if (oc_dims_same_but(&g->v[i].dims, &d, axis) || one_in(g, 60))
            other = i;
    }
    add(&g->nodes, "v%d = Concat <axis = %d> (v%d, v%d)\n", g->n, axis, x, other);
    d.n[axis] += g->v[other].dims.n[axis];
    new_value(g, "float", d);
}

static void gather(graph *g, int x, oc_dims d, int axis)
{
    const int64_t places[] = {-1, one_in(g, 40) ? 99 : 0, 0};
    if (one_in(g, 3)) {
        add(&g->nodes, "v%d = GatherND (v%d, c%d)\n", g->n, x, integer(g, 0));
        memmove(d.n, d.n + 1, sizeof *d.n * (size_t)--d.rank);
    } else {
        add(&g->nodes, "v%d = Gather <axis = %d> (v%d, c%d)\n", g->n, axis, x,
            integers(g, 3, places));
        d.n[axis] = 3;
    }
    new_value(g, "float", d);
}

static void tile(graph *g, int x, oc_dims d, int axis)
{
    int64_t by[RANK + 1] = {2, 1, 1, 1, 1, 1};
    const bool expands = one_in(g, 2) && d.rank < RANK;
    for (int a = 0; a < d.rank; a++)
        by[a] = 1 + (a == axis);
    if (expands) {
        const int64_t two[] = {2};
        for (int a = d.rank; a > 0; a--)
            d.n[a] = d.n[a - 1];
        d.n[0] = 2;
        d.rank++;
        add(&g->nodes, "v%d = Expand (v%d, c%d)\n", g->n, x,
            one_in(g, 40) ? integers(g, 1, two) : integers(g, d.rank, d.n));
    } else {
        add(&g->nodes, "v%d = Tile (v%d, c%d)\n", g->n, x, integers(g, d.rank, by));
        d.n[axis] *= 2;
    }
    new_value(g, "float", d);
}

static void pad(graph *g, int x, oc_dims d, int axis)
{
    static const char *const modes[] = {"constant", "constant", "edge", "reflect", "wrap"};
    static const char *const fills[] = {"", ", c%d", ", c%d", ", f0", ""};
    static const char *const values[] = {"0", "0.5", "-1.5", "0.3", "-0.0"};
    const int64_t by[] = {1, below(g, 3) - 1};
    const int mode = below(g, g->opset < 19 ? 4 : 5), fill = below(g, 5);
    add(&g->nodes, "v%d = Pad <mode = \"%s\"> (v%d, c%d", g->n, modes[mode], x, integers(g, 2, by));
    add(&g->nodes, fills[fill],
        fill == 1 || fill == 2 ? constant(g, "float", fill == 1 ? "" : "[1]", values[below(g, 5)])
                               : 0);
    add(&g->nodes, "%s, c%d)\n", *fills[fill] ? "" : ", ", integer(g, axis));
    d.n[axis] += by[0] + by[1];
    new_value(g, "float", d);
}

static void resize(graph *g, int x, oc_dims d, int axis)
{
    char list[80] = "", dims[16];
    for (int a = 0; a < d.rank; a++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", a ? ", " : "",
                 1 + (a == axis));
    snprintf(dims, sizeof dims, "[%d]", d.rank);
    add(&g->nodes, "v%d = Resize <mode = \"%s\"> (v%d, , c%d)\n", g->n,
        one_in(g, 4) ? "linear" : "nearest", x, constant(g, "float", dims, list));
    d.n[axis] *= 2;
    new_value(g, "float", d);
}

static void max_pool(graph *g, int x, oc_dims d, int axis)
{
    const int wide = 1 + below(g, 2), before = below(g, 2), behind = below(g, 2);
    if (d.rank < 3 || d.rank > 4 || d.n[d.rank - 1] < 2)
        return;
    const bool is_last = d.rank == 3;
    add(&g->nodes, "v%d", g->n);
    if (one_in(g, 6))
        add(&g->nodes, ", i%d", g->n);
    add(&g->nodes, " = MaxPool <kernel_shape = [%s%d], pads = [%s%d, %s%d]> (v%d)\n",
        is_last ? "" : "1, ", wide, is_last ? "" : "0, ", before, is_last ? "" : "0, ", behind, x);
    d.n[d.rank - 1] += before + behind - wide + 1;
    new_value(g, "float", d);
    (void)axis;
}

static void blocks(graph *g, int x, oc_dims d, int axis)
{
    if (d.rank != 4)
        return;
    const bool deep = d.n[1] % 4 == 0;
    if (!deep && (d.n[2] % 2 || d.n[3] % 2))
        return;
    add(&g->nodes, "v%d = %s <blocksize = 2> (v%d)\n", g->n, deep ? "DepthToSpace" : "SpaceToDepth",
        x);
    d.n[1] = deep ? d.n[1] / 4 : d.n[1] * 4;
    for (int a = 2; a < 4; a++)
        d.n[a] = deep ? d.n[a] * 2 : d.n[a] / 2;
    new_value(g, "float", d);
    (void)axis;
}

static void choose(graph *g, int x, oc_dims d, int axis)
{
    const int y = pick(g, true);
    if (!oc_dims_broadcast(&d, &g->v[y].dims) || oc_dims_count(&d) > ELEMENTS)
        return;
    add(&g->nodes, one_in(g, 2) ? "b%d = Greater (v%d, lo) " : "b%d = Less (lo, v%d) ", g->n, x);
    add(&g->nodes, "v%d = Where (b%d, v%d, v%d)\n", g->n, g->n, x, y);
    new_value(g, "float", d);
    (void)axis;
}

/* What moves numbers and has no codes, which may read and be read by what has. */
static void other_move(graph *g, int x, oc_dims d, int axis)
{
    switch (below(g, 4)) {
    case 0:
        add(&g->nodes, "v%d = ReduceMax (v%d, c%d)\n", g->n, x, integer(g, axis));
        d.n[axis] = 1;
        break;
    case 1:
        add(&g->nodes, "v%d = Trilu (v%d)\n", g->n, x);
        break;
    case 2:
        add(&g->nodes, "v%d = CumSum (v%d, c%d)\n", g->n, x, integer(g, axis));
        break;
    default:
        add(&g->nodes,
            "v%d = If (yes) <then_branch = t () => (float[] p%d) { p%d = Relu (v%d) }, "
            "else_branch = e () => (float[] p%d) { p%d = Identity (v%d) }>\n",
            g->n, g->n, g->n, x, g->n, g->n, x);
    }
    new_value(g, "float", d);
}

static void move(graph *g)
{
    static move_fn *const moves[] = {transpose, reshape, squeeze, slice,     split,  concat,
                                     gather,    tile,    pad,     pad,       resize, max_pool,
                                     max_pool,  blocks,  choose,  other_move};
    const int x = pick(g, true);
    const oc_dims d = g->v[x].dims;
    if (d.rank > 0 && oc_dims_count(&d) < ELEMENTS)
        moves[below(g, sizeof moves / sizeof *moves)](g, x, d, below(g, d.rank));
}

/* ---- graphs */

static oc_dims random_dims(graph *g)
{
    static const int ranks[] = {0, 0, 1, 1, 2, 3, 3, 4, 4, 5};
    oc_dims d = {ranks[below(g, 10)], {0}};
    for (int a = 0; a < d.rank; a++)
        d.n[a] = one_in(g, 60) ? 0 : 1 + below(g, 4);
    return d;
}

static void add_input(graph *g, int i)
{
    char dims[OC_DIMS_TEXT] = "";
    if (one_in(g, 3))
        snprintf(dims, sizeof dims, "[]");
    else if (g->v[i].dims.rank)
        oc_dims_text(&g->v[i].dims, dims);
    add(&g->all, "%s%s v%d, ", g->v[i].type, dims, i);
}

static void make(graph *g)
{
    static const int opsets[] = {13, 18, 19, 21, 23, 25};
    const char *codes = one_in(g, 2) ? "uint8" : "int8";
    g->n = g->n_constant = g->constants.n = g->nodes.n = g->all.n = 0;
    g->opset = opsets[below(g, 6)];
    const oc_dims d = random_dims(g);
    new_value(g, codes, d);
    new_value(g, one_in(g, 4) ? "int8" : codes, one_in(g, 2) ? d : random_dims(g));
    new_value(g, "float", one_in(g, 2) ? d : random_dims(g));
    dequantise(g);
    for (int i = 3 + below(g, 9); i > 0 && g->n < VALUES - 4; i--) {
        static void (*const steps[])(graph *) = {
            quantise, dequantise, unary, binary, binary_with_constant, move, move};
        steps[below(g, 7)](g);
    }
    quantise(g);
    add(&g->all, "<ir_version: 10, opset_import: [\"\" : %d]>\ng (", g->opset);
    for (int i = 0; i < INPUTS; i++)
        add_input(g, i);
    const int other = below(g, 3) ? g->n - 2 : INPUTS + below(g, g->n - INPUTS);
    add(&g->all, "float r0, float f0) => (%s[] v%d, %s[] v%d)\n", g->v[g->n - 1].type, g->n - 1,
        g->v[other].type, other);
    add(&g->all,
        "<%sfloat lo = {-1.5}, float hi = {2.25}, float[1] list = {0.75}, bool yes = "
        "{1}>\n{\n%s}\n",
        g->constants.s, g->nodes.s);
}

/* ---- what must hold */

static outcome run(const graph *g, const oc_session_options *o)
{
    static uint8_t codes[2][ELEMENTS];
    static float numbers[ELEMENTS], scale = 0.25f, fill = 0.5f;
    oc_value in[INPUTS + 2];
    for (int i = 0; i < ELEMENTS; i++) {
        codes[0][i] = (uint8_t)(i * 37 + 11);
        codes[1][i] = (uint8_t)(i * 91 + 200);
        numbers[i] = (float)(i * 37 % 101) / 20 - 2.5f;
    }
    for (int i = 0; i < INPUTS; i++)
        in[i] = i == 2 ? oc_value_borrow(OC_F32, g->v[i].dims, numbers)
                       : oc_value_borrow(strcmp(g->v[i].type, "int8") ? OC_U8 : OC_I8, g->v[i].dims,
                                         codes[i]);
    in[INPUTS] = oc_value_borrow(OC_F32, (oc_dims){0, {0}}, &scale);
    in[INPUTS + 1] = oc_value_borrow(OC_F32, (oc_dims){0, {0}}, &fill);
    return outcome_of(g->all.s, o, in, INPUTS + 2, 2);
}

typedef struct seen {
    int fine, lookups, codes; /* graphs without an error; steps that look up; graphs with fewer
                                 steps that quantise or dequantise */
} seen;

static int count_steps(const oc_session *s, const char *part)
{
    oc_plan_step step;
    int n = 0;
    for (int i = 0; oc_session_step_at(s, i, &step); i++)
        n += strstr(step.op_type, part) != NULL;
    return n;
}

static void compare(const graph *g, uint32_t seed, bool exact, seen *all)
{
    const oc_session_options plain = {.threads = 1, .no_fusion = true, .exact_quant = exact};
    oc_session_options others[3];
    outcome a = run(g, &plain);
    for (int i = 0; i < 3; i++) {
        others[i] = (oc_session_options){.threads = 1, .exact_quant = exact};
        others[i].no_folding = i == 1;
        others[i].cpu = i == 2 ? "scalar" : NULL;
        outcome b = run(g, &others[i]);
        suite_assert((a.error.code == OC_OK) == (b.error.code == OC_OK),
                     "%d '%s', not %d '%s', options %d; OC_SEED=%u\n%s", b.error.code, b.error.text,
                     a.error.code, a.error.text, i, seed, g->all.s);
        for (int k = 0; k < 2 && a.error.code == OC_OK; k++)
            suite_assert(same_value(a.y[k], b.y[k]),
                         "output %d differs, options %d; OC_SEED=%u\n%s", k, i, seed, g->all.s);
        if (a.error.code == OC_OK && i == 0) {
            all->fine++;
            all->lookups += count_steps(b.session, "Lookup");
            all->codes +=
                count_steps(b.session, "uantizeLinear") < count_steps(a.session, "uantizeLinear");
        }
        outcome_free(&b);
    }
    outcome_free(&a);
}

START_TEST(codes_give_what_numbers_give)
{
    suite_random r = suite_random_new(11);
    static graph g;
    seen all = {0};
    g.r = &r;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        make(&g);
        compare(&g, seed, round % 2, &all);
    }
    ck_assert_msg(all.fine > ROUNDS * 2 / 3 && all.lookups > ROUNDS / 10 && all.codes > ROUNDS / 4,
                  "%d fine, %d lookups, %d with codes", all.fine, all.lookups, all.codes);
}
END_TEST

SUITE("quantise_graphs", codes_give_what_numbers_give)
