/* SPDX-License-Identifier: Apache-2.0
 * quantise_graph_moves.c - nodes that move numbers or codes. */
#include "quantise_graph.h"

#include <stdio.h>
#include <string.h>

static int integer(graph *g, int64_t x)
{
    return graph_integers(g, 1, &x);
}

/* ---- moves: each of value x of rank 1 or more, along an axis */

typedef void move_fn(graph *g, int x, oc_dims d, int axis);

static void transpose(graph *g, int x, oc_dims d, int axis)
{
    oc_dims y = d;
    graph_add(&g->nodes, "v%d = Transpose <perm = [", g->n);
    for (int a = 0; a < d.rank; a++) {
        const int from = (a + axis + 1) % d.rank;
        y.n[a] = d.n[from];
        graph_add(&g->nodes, "%s%d", a ? ", " : "", from);
    }
    graph_add(&g->nodes, "]> (v%d)\n", x);
    graph_new_value(g, g->v[x].type, y);
}

static void reshape(graph *g, int x, oc_dims d, int axis)
{
    const int64_t rows[] = {d.n[0], -1};
    if (graph_one_in(g, 2)) {
        graph_add(&g->nodes, "v%d = Reshape (v%d, c%d)\n", g->n, x, graph_integers(g, 2, rows));
        graph_new_value(g, g->v[x].type, (oc_dims){2, {d.n[0], oc_dims_product(&d, 1, d.rank)}});
        return;
    }
    graph_add(&g->nodes, "v%d = Flatten <axis = %d> (v%d)\n", g->n, axis, x);
    graph_new_value(
        g, "float",
        (oc_dims){2, {oc_dims_product(&d, 0, axis), oc_dims_product(&d, axis, d.rank)}});
}

static void squeeze(graph *g, int x, oc_dims d, int axis)
{
    oc_dims y = {0, {0}};
    if (graph_one_in(g, 2) && d.rank < GRAPH_RANK) {
        graph_add(&g->nodes, "v%d = Unsqueeze (v%d, c%d)\n", g->n, x, integer(g, axis));
        for (int a = 0; a <= d.rank; a++)
            y.n[y.rank++] = a < axis ? d.n[a] : a == axis ? 1 : d.n[a - 1];
    } else {
        graph_add(&g->nodes, "v%d = Squeeze (v%d)\n", g->n, x);
        for (int a = 0; a < d.rank; a++)
            if (d.n[a] != 1)
                y.n[y.rank++] = d.n[a];
    }
    graph_new_value(g, g->v[x].type, y);
}

static void slice(graph *g, int x, oc_dims d, int axis)
{
    const bool back = graph_one_in(g, 2);
    const int from = integer(g, back ? -1 : 1), to = integer(g, back ? -99 : 99);
    const int along = integer(g, axis), step = integer(g, back ? -1 : 1);
    graph_add(&g->nodes, "v%d = Slice (v%d, c%d, c%d, c%d, c%d)\n", g->n, x, from, to, along, step);
    d.n[axis] -= !back;
    graph_new_value(g, g->v[x].type, d);
}

static void split(graph *g, int x, oc_dims d, int axis)
{
    const int64_t sizes[] = {d.n[axis] - d.n[axis] / 2, d.n[axis] / 2};
    graph_add(&g->nodes, "v%d, v%d = Split <axis = %d> (v%d, c%d)\n", g->n, g->n + 1, axis, x,
              graph_integers(g, 2, sizes));
    for (int i = 0; i < 2; i++) {
        d.n[axis] = sizes[i];
        graph_new_value(g, g->v[x].type, d);
    }
}

static void concat(graph *g, int x, oc_dims d, int axis)
{
    int other = x;
    for (int tries = 0; tries < 6; tries++) {
        const int i = graph_pick(g, strcmp(g->v[x].type, "float") == 0);
        if (strcmp(g->v[i].type, g->v[x].type) == 0 && oc_dims_same_but(&g->v[i].dims, &d, axis))
            other = i;
    }
    graph_add(&g->nodes, "v%d = Concat <axis = %d> (v%d, v%d)\n", g->n, axis, x, other);
    d.n[axis] += g->v[other].dims.n[axis];
    graph_new_value(g, g->v[x].type, d);
}

static void gather(graph *g, int x, oc_dims d, int axis)
{
    const int64_t places[] = {-1, graph_one_in(g, 40) ? 99 : 0, 0};
    if (graph_one_in(g, 3)) {
        graph_add(&g->nodes, "v%d = GatherND (v%d, c%d)\n", g->n, x, integer(g, 0));
        memmove(d.n, d.n + 1, sizeof *d.n * (size_t)--d.rank);
    } else {
        graph_add(&g->nodes, "v%d = Gather <axis = %d> (v%d, c%d)\n", g->n, axis, x,
                  graph_integers(g, 3, places));
        d.n[axis] = 3;
    }
    graph_new_value(g, g->v[x].type, d);
}

static void tile(graph *g, int x, oc_dims d, int axis)
{
    int64_t by[GRAPH_RANK + 1] = {2, 1, 1, 1, 1, 1};
    const bool expands = graph_one_in(g, 2) && d.rank < GRAPH_RANK;
    for (int a = 0; a < d.rank; a++)
        by[a] = 1 + (a == axis);
    if (expands) {
        const int64_t two[] = {2};
        for (int a = d.rank; a > 0; a--)
            d.n[a] = d.n[a - 1];
        d.n[0] = 2;
        d.rank++;
        graph_add(&g->nodes, "v%d = Expand (v%d, c%d)\n", g->n, x,
                  graph_one_in(g, 40) ? graph_integers(g, 1, two) : graph_integers(g, d.rank, d.n));
    } else {
        graph_add(&g->nodes, "v%d = Tile (v%d, c%d)\n", g->n, x, graph_integers(g, d.rank, by));
        d.n[axis] *= 2;
    }
    graph_new_value(g, g->v[x].type, d);
}

static void pad(graph *g, int x, oc_dims d, int axis)
{
    static const char *const modes[] = {"constant", "constant", "edge", "reflect", "wrap"};
    static const char *const fills[] = {"", ", c%d", ", c%d", ", f0", ""};
    static const char *const values[] = {"0", "0.5", "-1.5", "0.3", "-0.0"};
    const int64_t by[] = {1, graph_below(g, 3) - 1};
    const int mode = graph_below(g, g->opset < 19 ? 4 : 5), fill = graph_below(g, 5);
    graph_add(&g->nodes, "v%d = Pad <mode = \"%s\"> (v%d, c%d", g->n, modes[mode], x,
              graph_integers(g, 2, by));
    graph_add(&g->nodes, fills[fill],
              fill == 1 || fill == 2
                  ? graph_constant(g, "float", fill == 1 ? "" : "[1]", values[graph_below(g, 5)])
                  : 0);
    graph_add(&g->nodes, "%s, c%d)\n", *fills[fill] ? "" : ", ", integer(g, axis));
    d.n[axis] += by[0] + by[1];
    graph_new_value(g, "float", d);
}

static void resize(graph *g, int x, oc_dims d, int axis)
{
    char list[80] = "", dims[16];
    for (int a = 0; a < d.rank; a++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", a ? ", " : "",
                 1 + (a == axis));
    snprintf(dims, sizeof dims, "[%d]", d.rank);
    graph_add(&g->nodes, "v%d = Resize <mode = \"%s\"> (v%d, , c%d)\n", g->n,
              graph_one_in(g, 4) ? "linear" : "nearest", x, graph_constant(g, "float", dims, list));
    d.n[axis] *= 2;
    graph_new_value(g, "float", d);
}

static void max_pool(graph *g, int x, oc_dims d, int axis)
{
    const int wide = 1 + graph_below(g, 2), before = graph_below(g, 2), behind = graph_below(g, 2);
    if (d.rank < 3 || d.rank > 4 || d.n[d.rank - 1] < 2)
        return;
    const bool is_last = d.rank == 3;
    graph_add(&g->nodes, "v%d", g->n);
    if (graph_one_in(g, 6))
        graph_add(&g->nodes, ", i%d", g->n);
    graph_add(&g->nodes, " = MaxPool <kernel_shape = [%s%d], pads = [%s%d, %s%d]> (v%d)\n",
              is_last ? "" : "1, ", wide, is_last ? "" : "0, ", before, is_last ? "" : "0, ",
              behind, x);
    d.n[d.rank - 1] += before + behind - wide + 1;
    graph_new_value(g, "float", d);
    (void)axis;
}

static void blocks(graph *g, int x, oc_dims d, int axis)
{
    if (d.rank != 4)
        return;
    const bool deep = d.n[1] % 4 == 0;
    if (!deep && (d.n[2] % 2 || d.n[3] % 2))
        return;
    graph_add(&g->nodes, "v%d = %s <blocksize = 2> (v%d)\n", g->n,
              deep ? "DepthToSpace" : "SpaceToDepth", x);
    d.n[1] = deep ? d.n[1] / 4 : d.n[1] * 4;
    for (int a = 2; a < 4; a++)
        d.n[a] = deep ? d.n[a] * 2 : d.n[a] / 2;
    graph_new_value(g, "float", d);
    (void)axis;
}

static void choose(graph *g, int x, oc_dims d, int axis)
{
    const int y = graph_pick(g, true);
    if (!oc_dims_broadcast(&d, &g->v[y].dims) || oc_dims_count(&d) > GRAPH_ELEMENTS)
        return;
    graph_add(&g->nodes, graph_one_in(g, 2) ? "b%d = Greater (v%d, lo) " : "b%d = Less (lo, v%d) ",
              g->n, x);
    graph_add(&g->nodes, "v%d = Where (b%d, v%d, v%d)\n", g->n, g->n, x, y);
    graph_new_value(g, "float", d);
    (void)axis;
}

/* Graphs within a node that quantise numbers of this one. */
static void quantise_within(graph *g, int x)
{
    const int n = g->n;
    const char *type = g->v[0].type;
    graph_add(&g->nodes, "v%d = If (yes) <then_branch = t () => (%s[] p%d) {", n, type, n);
    graph_add(&g->nodes, " p%d = QuantizeLinear (v%d, hi, z%c) }, ", n, x, *type);
    graph_add(&g->nodes, "else_branch = e () => (%s[] p%d) { q%d = Relu (v%d)", type, n, n, x);
    graph_add(&g->nodes, " p%d = QuantizeLinear (q%d, r0, z%c) }>\n", n, n, *type);
    graph_new_value(g, type, g->v[x].dims);
}

/* Codes of this graph stand for those of one within. */
static void stand_within(graph *g)
{
    const int n = g->n, c = graph_pick(g, false);
    const char *type = g->v[c].type;
    if (strcmp(type, "uint8") != 0 && strcmp(type, "int8") != 0)
        return;
    graph_add(&g->nodes, "v%d = If (yes) <then_branch = t () => (%s[] p%d) {", n, type, n);
    graph_add(&g->nodes, " d%d = DequantizeLinear (v%d, hi, z%c)", n, c, *type);
    graph_add(&g->nodes, " p%d = QuantizeLinear (d%d, hi, z%c) }, ", n, n, *type);
    graph_add(&g->nodes, "else_branch = e () => (%s[] p%d) { p%d = Identity (v%d) }>\n", type, n, n,
              c);
    graph_new_value(g, type, g->v[c].dims);
}

/* What moves numbers and has no codes, which may read and be read by what has. */
static void other_move(graph *g, int x, oc_dims d, int axis)
{
    switch (graph_below(g, 6)) {
    case 0:
        graph_add(&g->nodes, "v%d = ReduceMax (v%d, c%d)\n", g->n, x, integer(g, axis));
        d.n[axis] = 1;
        break;
    case 1:
        graph_add(&g->nodes, "v%d = Trilu (v%d)\n", g->n, x);
        break;
    case 2:
        graph_add(&g->nodes, "v%d = CumSum (v%d, c%d)\n", g->n, x, integer(g, axis));
        break;
    case 3:
        quantise_within(g, x);
        return;
    case 4:
        stand_within(g);
        return;
    default:
        graph_add(&g->nodes,
                  "v%d = If (yes) <then_branch = t () => (float[] p%d) { p%d = Relu (v%d) }, "
                  "else_branch = e () => (float[] p%d) { p%d = Identity (v%d) }>\n",
                  g->n, g->n, g->n, x, g->n, g->n, x);
    }
    graph_new_value(g, "float", d);
}

/* The first ones move codes too. */
void graph_move(graph *g)
{
    static move_fn *const moves[] = {transpose, reshape, squeeze, slice,     split,  concat,
                                     gather,    tile,    pad,     pad,       resize, max_pool,
                                     max_pool,  blocks,  choose,  other_move};
    enum { OF_CODES = 8, ALL = sizeof moves / sizeof *moves };
    const bool floats = !graph_one_in(g, 6);
    const int x = graph_pick(g, floats);
    const oc_dims d = g->v[x].dims;
    if (d.rank > 0 && oc_dims_count(&d) < GRAPH_ELEMENTS)
        moves[graph_below(g, floats ? ALL : OF_CODES)](g, x, d, graph_below(g, d.rank));
}
