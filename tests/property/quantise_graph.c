/* SPDX-License-Identifier: Apache-2.0
 * quantise_graph.c - makes the graphs: values, what quantises, and what computes. */
#include "quantise_graph.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SCALES = 4 };

void graph_add(graph_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    t->n += vsnprintf(t->s + t->n, (size_t)(GRAPH_TEXT - t->n), format, args);
    va_end(args);
    ck_assert_int_lt(t->n, GRAPH_TEXT);
}

int graph_below(graph *g, int limit)
{
    return (int)suite_below(g->r, (uint32_t)limit);
}

bool graph_one_in(graph *g, int n)
{
    return graph_below(g, n) == 0;
}

/* ---- values: functions that make one return its number */

int graph_new_value(graph *g, const char *type, oc_dims dims)
{
    ck_assert_int_lt(g->n, GRAPH_VALUES);
    g->v[g->n] = (graph_value){type, dims};
    return g->n++;
}

static bool is_float(const graph *g, int i)
{
    return strcmp(g->v[i].type, "float") == 0;
}

/* A value of floats or of codes, more often one of the last. */
int graph_pick(graph *g, bool floats)
{
    for (int i = g->n - 1; i >= 0 && g->is_chain && !graph_one_in(g, 6); i--)
        if (is_float(g, i) == floats)
            return i;
    for (;;) {
        const int i = graph_one_in(g, 3) ? graph_below(g, g->n)
                                         : g->n - 1 - graph_below(g, g->n < 4 ? g->n : 4);
        if (is_float(g, i) == floats)
            return i;
        if (graph_one_in(g, 20))
            for (int k = 0; k < g->n; k++)
                if (is_float(g, k) == floats)
                    return k;
    }
}

int graph_constant(graph *g, const char *type, const char *dims, const char *elements)
{
    graph_add(&g->constants, "%s%s c%d = {%s}, ", type, dims, g->n_constant, elements);
    return g->n_constant++;
}

int graph_integers(graph *g, int n, const int64_t x[])
{
    char list[200] = "", dims[16];
    for (int i = 0; i < n; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", i ? ", " : "", (int)x[i]);
    snprintf(dims, sizeof dims, "[%d]", n);
    return graph_constant(g, "int64", dims, list);
}

/* ---- quantising */

static const char *const scales[SCALES] = {"0.5", "0.031", "0.11", "1"};
static const char *const zeros[SCALES] = {"3", "0", "100", "7"};

enum { FAR = 7 };
static const char *const far[FAR] = {"1e-40", "2e36", "3e38", "1e-20", "-0.5", "0", "nan"};

/* Adds n numbers of a list as a constant: one, or one for each index of an axis. */
static int numbers(graph *g, const char *type, const char *const list[], int which, int n)
{
    char all[100] = "", dims[16] = "";
    const bool is_small = type[strlen(type) - 1] == '4', is_real = strncmp(type, "float8", 6) == 0;
    for (int i = 0; i < n; i++) {
        const char *number = list[n == 1 ? which : graph_below(g, SCALES)];
        if (list == scales && graph_one_in(g, 40))
            number = far[graph_below(g, FAR)];
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "",
                 is_real    ? "0.0"
                 : is_small ? "3"
                            : number);
    }
    if (n > 1 || graph_one_in(g, 3))
        snprintf(dims, sizeof dims, "[%d]", n);
    return graph_constant(g, type, dims, all);
}

/* A constant of random codes as a value. */
static int constant_codes(graph *g, const char *type, oc_dims dims)
{
    char list[1200] = "", text[OC_DIMS_TEXT];
    for (int64_t i = 0; i < oc_dims_count(&dims); i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", i ? ", " : "",
                 graph_below(g, 127) - (*type == 'i') * graph_below(g, 127));
    graph_add(&g->constants, "%s%s v%d = {%s}, ", type, oc_dims_text(&dims, text), g->n, list);
    return graph_new_value(g, type, dims);
}

typedef struct scaling {
    const char *op, *type; /* QuantizeLinear or DequantizeLinear; of the codes */
    int x;
    bool may_miss; /* may there be no zero point? */
    int axis;      /* of a scale for each index; -1: none, or any */
} scaling;

static void add_attributes(graph *g, const scaling *s, int axis)
{
    const bool quantises = *s->op == 'Q';
    graph_add(&g->nodes, "<axis = %d", axis);
    if (quantises && g->opset >= 19 && graph_one_in(g, 10))
        graph_add(&g->nodes, ", saturate = 0");
    if (quantises && g->opset >= 23 && graph_one_in(g, 10))
        graph_add(&g->nodes, ", precision = %d", graph_one_in(g, 2) ? 1 : 10);
    if (quantises && strcmp(s->type, "int8") == 0 && s->may_miss)
        graph_add(&g->nodes, ", output_dtype = 3");
    if (g->opset >= 21 && graph_one_in(g, 20))
        graph_add(&g->nodes, ", block_size = 2");
    graph_add(&g->nodes, "> ");
}

/* Adds "QuantizeLinear (v1, c2, c3)" with operands of its own. */
static int add_scaling(graph *g, const scaling *s)
{
    const oc_dims *dims = &g->v[s->x].dims;
    const int which = graph_below(g, SCALES), own = dims->rank ? graph_below(g, dims->rank) : 0;
    const bool by_axis = s->axis >= 0 || (dims->rank && dims->n[own] < 8 && graph_one_in(g, 12));
    const int axis = s->axis >= 0 ? s->axis : own, n = by_axis ? (int)dims->n[axis] : 1;
    const int scale = numbers(g, "float", scales, which, n);
    const bool is_computed = graph_one_in(g, 10);
    const bool needs_type = *s->op == 'Q' && s->may_miss && *s->type == 'i';
    if (is_computed)
        graph_add(&g->nodes, "k%d = Identity (c%d)\n", scale, scale);
    graph_add(&g->nodes, "v%d = %s ", g->n, s->op);
    if (by_axis || graph_one_in(g, 12) || needs_type)
        add_attributes(g, s, graph_one_in(g, 2) ? axis : axis - dims->rank);
    if (graph_one_in(g, 16))
        graph_add(&g->nodes, "(v%d, r0", s->x);
    else
        graph_add(&g->nodes, "(v%d, %s%d", s->x, is_computed ? "k" : "c", scale);
    if (s->may_miss && graph_one_in(g, 3))
        graph_add(&g->nodes, ")\n");
    else
        graph_add(&g->nodes, ", c%d)\n", numbers(g, s->type, zeros, which, n));
    return graph_new_value(g, *s->op == 'Q' ? s->type : "float", *dims);
}

static int quantise_value(graph *g, int x)
{
    static const char *const types[] = {"uint8", "int8",   "uint8", "int8",        "uint8",
                                        "int8",  "uint8",  "int8",  "int4",        "uint4",
                                        "int8",  "uint16", "int16", "float8e4m3fn"};
    const char *type = types[graph_below(g, g->opset < 21 ? 8 : 14)];
    return add_scaling(g,
                       &(scaling){"QuantizeLinear", type, x, *type == 'u' && type[4] == '8', -1});
}

static int dequantise_value(graph *g, int x, int axis)
{
    return add_scaling(g, &(scaling){"DequantizeLinear", g->v[x].type, x, true, axis});
}

static void quantise(graph *g)
{
    quantise_value(g, graph_pick(g, true));
}

static void dequantise(graph *g)
{
    dequantise_value(g, graph_pick(g, false), -1);
}

static void add_constant(graph *g)
{
    oc_dims d = g->v[graph_pick(g, true)].dims;
    if (d.rank && graph_one_in(g, 2))
        d.n[graph_below(g, d.rank)] = 1;
    if (oc_dims_count(&d) < 100)
        dequantise_value(g, constant_codes(g, g->v[0].type, d), -1);
}

/* ---- operators of com.microsoft that have codes as operands */

static void pair_of_codes(graph *g)
{
    const int a = graph_pick(g, false), b = graph_pick(g, false);
    const char *type = g->v[a].type;
    oc_dims dims = g->v[a].dims;
    int s[3], z[3];
    if (type[strlen(type) - 1] != '8' || strcmp(type, g->v[b].type) != 0 ||
        !oc_dims_broadcast(&dims, &g->v[b].dims) || oc_dims_count(&dims) > GRAPH_ELEMENTS)
        return;
    for (int i = 0; i < 3; i++) {
        s[i] = numbers(g, "float", scales, i, 1);
        z[i] = numbers(g, type, zeros, i, 1);
    }
    graph_add(&g->nodes, "v%d = com.microsoft.QLinear%s (v%d, c%d, c%d, v%d, c%d, c%d, c%d, c%d)\n",
              g->n, graph_one_in(g, 2) ? "Add" : "Mul", a, s[0], z[0], b, s[1], z[1], s[2], z[2]);
    graph_new_value(g, type, dims);
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
    const int x = graph_pick(g, true), n = (int)(sizeof forms / sizeof *forms);
    graph_add(&g->nodes, "v%d = ", g->n);
    graph_add(&g->nodes, forms[graph_below(g, graph_one_in(g, 20) ? n : n - 2)], x);
    graph_add(&g->nodes, "\n");
    graph_new_value(g, "float", g->v[x].dims);
}

static const char *binary_name(graph *g)
{
    static const char *const names[] = {"Add", "Mul", "Add", "Mul", "Sub",
                                        "Div", "Max", "Min", "Pow"};
    return names[graph_below(g, 9)];
}

static void binary(graph *g)
{
    const int a = graph_pick(g, true), b = graph_pick(g, true);
    oc_dims dims = g->v[a].dims;
    if (oc_dims_broadcast(&dims, &g->v[b].dims) ? oc_dims_count(&dims) <= GRAPH_ELEMENTS
                                                : graph_one_in(g, 40)) {
        graph_add(&g->nodes, "v%d = %s (v%d, v%d)\n", g->n, binary_name(g), a, b);
        graph_new_value(g, "float", dims);
    }
}

static void binary_with_constant(graph *g)
{
    static const char *const values[] = {"0.5", "-2", "0", "3", "1.25", "-0.031"};
    static const char *const shapes[] = {"", "", "", "[1]", "[1]", "[1,1]", "[1,1,1]"};
    const int x = graph_pick(g, true), shape = graph_below(g, 7), axes[] = {0, 0, 0, 1, 1, 2, 3};
    const int c = graph_constant(g, "float", shapes[shape], values[graph_below(g, 6)]);
    oc_dims dims = g->v[x].dims, lifted = {axes[shape], {1, 1, 1}};
    oc_dims_broadcast(&dims, &lifted);
    if (graph_one_in(g, 2))
        graph_add(&g->nodes, "v%d = %s (c%d, v%d)\n", g->n, binary_name(g), c, x);
    else
        graph_add(&g->nodes, "v%d = %s (v%d, c%d)\n", g->n, binary_name(g), x, c);
    graph_new_value(g, "float", dims);
}

/* ---- products */

/* A bias of n elements: floats, or int32 that is dequantised. Returns its number. */
static int bias(graph *g, int n)
{
    static const char *const floats[] = {"0.3", "-2.1", "0", "17.4"};
    static const char *const integers[] = {"30", "-200", "0", "1700"};
    const int c = graph_one_in(g, 2) ? numbers(g, "float", floats, 0, n) : -1;
    if (c >= 0) {
        graph_add(&g->nodes, "v%d = Identity (c%d)\n", g->n, c);
    } else {
        const int codes = numbers(g, "int32", integers, 0, n);
        graph_add(&g->nodes, "v%d = DequantizeLinear <axis = 0> (c%d, c%d)\n", g->n, codes,
                  numbers(g, "float", scales, graph_below(g, SCALES), graph_one_in(g, 2) ? 1 : n));
    }
    const int b = graph_new_value(g, "float", oc_dims_1d(n));
    if (!graph_one_in(g, 8))
        return b;
    graph_add(&g->nodes, "v%d = Unsqueeze (v%d, first)\n", g->n, b);
    return graph_new_value(g, "float", (oc_dims){2, {1, n}});
}

static int weights(graph *g, oc_dims dims, int axis)
{
    const int w = constant_codes(g, graph_one_in(g, 4) ? "uint8" : "int8", dims);
    return dequantise_value(g, w, graph_one_in(g, 2) ? axis : -1);
}

enum { COLUMNS = 3 };

static int matrix_product(graph *g, int x, oc_dims d)
{
    const bool gemm = d.rank == 2 && graph_one_in(g, 2), turned = gemm && graph_one_in(g, 2);
    const int64_t k = d.n[d.rank - 1];
    const oc_dims dims = {2, {turned ? COLUMNS : k, turned ? k : COLUMNS}};
    const oc_dims batch = {3, {2, k, COLUMNS}};
    const bool batched = !gemm && graph_one_in(g, 4) && k < 20;
    const int w = weights(g, batched ? batch : dims, batched ? 2 : !turned),
              b = gemm && graph_one_in(g, 2) ? bias(g, COLUMNS) : -1;
    if (gemm)
        graph_add(&g->nodes, "v%d = Gemm <transB = %d%s> (v%d, v%d", g->n, turned,
                  graph_one_in(g, 8) ? ", alpha = 0.5" : "", x, w);
    else
        graph_add(&g->nodes, "v%d = MatMul (v%d, v%d", g->n, x, w);
    if (b >= 0)
        graph_add(&g->nodes, ", v%d", b);
    graph_add(&g->nodes, ")\n");
    d.n[d.rank - 1] = COLUMNS;
    return graph_new_value(g, "float", d);
}

static int convolution(graph *g, int x, oc_dims d)
{
    oc_dims dims = d;
    dims.n[0] = COLUMNS;
    for (int a = 2; a < d.rank; a++)
        dims.n[a] = 1;
    const int w = weights(g, dims, 0), b = graph_one_in(g, 2) ? bias(g, COLUMNS) : -1;
    graph_add(&g->nodes, "v%d = Conv (v%d, v%d", g->n, x, w);
    if (b >= 0)
        graph_add(&g->nodes, ", v%d", b);
    graph_add(&g->nodes, ")\n");
    d.n[1] = COLUMNS;
    return graph_new_value(g, "float", d);
}

static int average(graph *g, int x, oc_dims d)
{
    graph_add(&g->nodes, "v%d = GlobalAveragePool (v%d)\n", g->n, x);
    for (int a = 2; a < d.rank; a++)
        d.n[a] = 1;
    return graph_new_value(g, "float", d);
}

/* Mostly between what dequantises and what quantises. */
static void product(graph *g)
{
    int x = graph_pick(g, true);
    if (graph_one_in(g, 2))
        x = dequantise_value(g, graph_pick(g, false), -1);
    const oc_dims d = g->v[x].dims;
    if (d.rank == 0 || oc_dims_count(&d) > 200 || g->n > GRAPH_VALUES - 12)
        return;
    int y = graph_one_in(g, 6)                 ? average(g, x, d)
            : d.rank < 3 || graph_one_in(g, 3) ? matrix_product(g, x, d)
                                               : convolution(g, x, d);
    if (graph_one_in(g, 4)) {
        graph_add(&g->nodes, "v%d = Clip (v%d, lo, hi)\n", g->n, y);
        y = graph_new_value(g, "float", g->v[y].dims);
    }
    if (!graph_one_in(g, 4))
        quantise_value(g, y);
}

/* ---- graphs */

static oc_dims random_dims(graph *g)
{
    static const int ranks[] = {0, 0, 1, 1, 2, 3, 3, 4, 4, 5};
    oc_dims d = {ranks[graph_below(g, 10)], {0}};
    for (int a = 0; a < d.rank; a++)
        d.n[a] = graph_one_in(g, 60) ? 0 : 1 + graph_below(g, 4);
    return d;
}

static void add_input(graph *g, int i)
{
    char dims[OC_DIMS_TEXT] = "";
    if (graph_one_in(g, 3))
        snprintf(dims, sizeof dims, "[]");
    else if (g->v[i].dims.rank)
        oc_dims_text(&g->v[i].dims, dims);
    graph_add(&g->all, "%s%s v%d, ", g->v[i].type, dims, i);
}

void graph_make(graph *g)
{
    static const int opsets[] = {13, 18, 19, 21, 23, 25};
    const char *codes = graph_one_in(g, 2) ? "uint8" : "int8";
    g->n = g->n_constant = g->constants.n = g->nodes.n = g->all.n = 0;
    g->is_chain = graph_one_in(g, 2);
    g->opset = opsets[graph_below(g, 6)];
    const oc_dims d = random_dims(g);
    graph_new_value(g, codes, d);
    graph_new_value(g, graph_one_in(g, 4) ? "int8" : codes,
                    graph_one_in(g, 2) ? d : random_dims(g));
    graph_new_value(g, "float", graph_one_in(g, 2) ? d : random_dims(g));
    dequantise(g);
    for (int i = 3 + graph_below(g, 9); i > 0 && g->n < GRAPH_VALUES - 12; i--) {
        static void (*const steps[])(graph *) = {
            quantise,   dequantise, unary,   binary,        binary_with_constant,
            graph_move, graph_move, product, pair_of_codes, add_constant};
        steps[graph_below(g, 10)](g);
    }
    quantise(g);
    graph_add(&g->all, "<ir_version: 10, opset_import: [\"\" : %d, \"com.microsoft\" : 1]>\ng (",
              g->opset);
    for (int i = 0; i < GRAPH_INPUTS; i++)
        add_input(g, i);
    const int other =
        graph_below(g, 3) ? g->n - 2 : GRAPH_INPUTS + graph_below(g, g->n - GRAPH_INPUTS);
    graph_add(&g->all, "float r0, float f0) => (%s[] v%d, %s[] v%d)\n", g->v[g->n - 1].type,
              g->n - 1, g->v[other].type, other);
    graph_add(&g->all,
              "<%sfloat lo = {-1.5}, float hi = {2.25}, float[1] list = {0.75}, uint8 zu = {5}, "
              "int8 zi = {5}, bool yes = "
              "{1}>\n{\n%s}\n",
              g->constants.s, g->nodes.s);
}
