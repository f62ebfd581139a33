/* SPDX-License-Identifier: Apache-2.0
 * layout.c - places boxes in layers, so that lines go down, cross seldom and bend little.
 *
 * This is Sugiyama's method. Layers follow the longest way from an input, and a line gets a bend
 * in each layer that it passes. The order in a layer follows the places of neighbours; then each
 * item gets the place nearest to those of its neighbours that the order allows. */
#include "inspect/layout.h"

#include "base/int.h"
#include "common/tool.h"

enum { SWEEPS = 10, FEW = 60000, BEND_WIDTH = 8, LONGEST = 400 };

/* Neighbours in one direction: those of item i are at[first[i]] to at[first[i + 1] - 1]. */
typedef struct neighbours {
    int *first, *at;
} neighbours;

typedef struct order {
    layout *l;
    neighbours up, down;
    int *first, *item; /* the items of layer k are item[first[k]] to item[first[k + 1] - 1] */
    double *key;       /* one for each item */
    double *want;      /* for each item in a layer, its best place */
} order;

/* ---- layers and bends ---- */

static void choose_layers(layout *l)
{
    bool *fed = tool_alloc((size_t)l->n, sizeof *fed);
    int *least = tool_alloc((size_t)l->n, sizeof *least);
    /* Lines are in no order, so those of each box are first put into a list. */
    int *head = tool_alloc((size_t)l->n, sizeof *head),
        *next = tool_alloc((size_t)l->n_line, sizeof *next);
    memset(head, -1, (size_t)l->n * sizeof *head);
    for (int i = l->n_line - 1; i >= 0; i--) {
        next[i] = head[l->line[i].from];
        head[l->line[i].from] = i;
    }
    for (int v = 0; v < l->n; v++)
        for (int i = head[v]; i >= 0; i = next[i]) {
            const int to = l->line[i].to, at = l->layer[v] + 1;
            l->layer[to] = oc_max(l->layer[to], at);
            fed[to] = true;
        }
    /* A box that nothing leads to stands just above the box that reads it. */
    for (int v = l->n - 1; v >= 0; v--) {
        for (int i = head[v]; i >= 0; i = next[i]) {
            const int at = l->layer[l->line[i].to];
            least[v] = least[v] == 0 || at < least[v] ? at : least[v];
        }
        if (!fed[v] && least[v] > 0)
            l->layer[v] = least[v] - 1;
        l->n_layer = l->layer[v] >= l->n_layer ? l->layer[v] + 1 : l->n_layer;
    }
    free(fed);
    free(least);
    free(head);
    free(next);
}

static void add_bends(layout *l)
{
    const int most = 4 * l->n + 4096;
    l->n_all = l->n;
    for (int i = 0; i < l->n_line; i++) {
        layout_line *line = &l->line[i];
        const int n = l->layer[line->to] - l->layer[line->from] - 1;
        line->bend = -1;
        line->n_bend = 0;
        if (n <= 0 || n > LONGEST || n > most - (l->n_all - l->n))
            continue;
        line->bend = l->n_all;
        line->n_bend = n;
        l->n_all += n;
    }
    l->layer = tool_grow(l->layer, (size_t)l->n_all, sizeof *l->layer);
    for (int i = 0; i < l->n_line; i++)
        for (int k = 0; k < l->line[i].n_bend; k++)
            l->layer[l->line[i].bend + k] = l->layer[l->line[i].from] + 1 + k;
}

/* ---- neighbours ---- */

/* Calls `each` for the pieces of all lines, each of which joins neighbouring layers. */
static void each_piece(const layout *l, void (*each)(void *ctx, int above, int below), void *ctx)
{
    for (int i = 0; i < l->n_line; i++) {
        const layout_line *line = &l->line[i];
        int above = line->from;
        for (int k = 0; k < line->n_bend; k++) {
            each(ctx, above, line->bend + k);
            above = line->bend + k;
        }
        if (line->n_bend || l->layer[line->to] == l->layer[line->from] + 1)
            each(ctx, above, line->to);
    }
}

static void count_piece(void *ctx, int above, int below)
{
    order *o = ctx;
    o->down.first[above + 1]++;
    o->up.first[below + 1]++;
}

static void note_piece(void *ctx, int above, int below)
{
    order *o = ctx;
    o->down.at[o->down.first[above]++] = below;
    o->up.at[o->up.first[below]++] = above;
}

/* Turns counts into sums, so that first[i] is where the list of i begins. */
static int sum_up(int *first, int n)
{
    for (int i = 0; i < n; i++)
        first[i + 1] += first[i];
    return first[n];
}

/* Undoes the filling of the lists, which moved the beginning of each to its end. */
static void move_back(int *first, int n)
{
    memmove(first + 1, first, (size_t)n * sizeof *first);
    first[0] = 0;
}

static void find_neighbours(order *o)
{
    const int n = o->l->n_all;
    o->up.first = tool_alloc((size_t)n + 2, sizeof(int));
    o->down.first = tool_alloc((size_t)n + 2, sizeof(int));
    each_piece(o->l, count_piece, o);
    const int n_piece = sum_up(o->up.first, n);
    sum_up(o->down.first, n);
    o->up.at = tool_alloc((size_t)n_piece, sizeof(int));
    o->down.at = tool_alloc((size_t)n_piece, sizeof(int));
    each_piece(o->l, note_piece, o);
    move_back(o->up.first, n);
    move_back(o->down.first, n);
}

static void fill_layers(order *o)
{
    const layout *l = o->l;
    o->first = tool_alloc((size_t)l->n_layer + 2, sizeof *o->first);
    o->item = tool_alloc((size_t)l->n_all, sizeof *o->item);
    for (int v = 0; v < l->n_all; v++)
        o->first[l->layer[v] + 1]++;
    sum_up(o->first, l->n_layer);
    for (int v = 0; v < l->n_all; v++)
        o->item[o->first[l->layer[v]]++] = v;
    move_back(o->first, l->n_layer);
}

/* ---- order ---- */

typedef struct sorted {
    double key;
    int rank, item;
} sorted;

static int smaller_first(const void *a, const void *b)
{
    const sorted *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->rank > y->rank) - (x->rank < y->rank);
}

static double mean_key(const order *o, const neighbours *to, int v)
{
    double sum = 0;
    const int n = to->first[v + 1] - to->first[v];
    for (int i = to->first[v]; i < to->first[v + 1]; i++)
        sum += o->key[to->at[i]];
    return n ? sum / n : o->key[v];
}

/* Sorts a layer by the mean place of neighbours on one side; keys become places from 0 to 1. */
static void sort_layer(order *o, int k, const neighbours *to, sorted *room)
{
    const int first = o->first[k], n = o->first[k + 1] - first;
    for (int i = 0; i < n; i++)
        room[i] = (sorted){mean_key(o, to, o->item[first + i]), i, o->item[first + i]};
    qsort(room, (size_t)n, sizeof *room, smaller_first);
    for (int i = 0; i < n; i++) {
        o->item[first + i] = room[i].item;
        o->key[room[i].item] = (i + 0.5) / n;
    }
}

static void choose_order(order *o)
{
    const layout *l = o->l;
    sorted *room = tool_alloc((size_t)l->n_all, sizeof *room);
    const int sweeps = l->n_all > FEW ? 2 : SWEEPS;
    for (int k = 0; k < l->n_layer; k++)
        sort_layer(o, k, &o->up, room);
    for (int s = 0; s < sweeps; s++)
        for (int i = 0; i < l->n_layer; i++)
            sort_layer(o, s % 2 ? i : l->n_layer - 1 - i, s % 2 ? &o->up : &o->down, room);
    free(room);
}

/* ---- places ---- */

static double half_of(const layout *l, int v)
{
    return 0.5 * (v < l->n ? l->width[v] + LAYOUT_GAP : BEND_WIDTH + 10);
}

typedef struct block {
    double sum, weight;
    int n;
} block;

/* Places the items of a layer as near to `want` as their order and widths allow, by least
 * squares: neighbours that would overlap become a block, which takes their mean. */
static void place_layer(const order *o, int k, block *blocks)
{
    const layout *l = o->l;
    const int first = o->first[k], n = o->first[k + 1] - first;
    int n_block = 0;
    double offset = 0;
    for (int i = 0; i < n; i++) {
        const int v = o->item[first + i];
        const double weight = v < l->n ? 1 : 2;
        offset += i ? half_of(l, o->item[first + i - 1]) + half_of(l, v) : 0;
        blocks[n_block++] = (block){weight * (o->want[i] - offset), weight, 1};
        while (n_block > 1 && blocks[n_block - 2].sum * blocks[n_block - 1].weight >=
                                  blocks[n_block - 1].sum * blocks[n_block - 2].weight) {
            n_block--;
            blocks[n_block - 1].sum += blocks[n_block].sum;
            blocks[n_block - 1].weight += blocks[n_block].weight;
            blocks[n_block - 1].n += blocks[n_block].n;
        }
    }
    offset = 0;
    for (int b = 0, i = 0; b < n_block; b++)
        for (int m = 0; m < blocks[b].n; m++, i++) {
            const int v = o->item[first + i];
            offset += i ? half_of(l, o->item[first + i - 1]) + half_of(l, v) : 0;
            l->x[v] = blocks[b].sum / blocks[b].weight + offset;
        }
}

/* Does a box feed only one other box, as a constant does? It stands beside the way and does not
 * bend it. */
static bool is_leaf(const order *o, int v)
{
    return o->up.first[v] == o->up.first[v + 1] && o->down.first[v + 1] - o->down.first[v] == 1;
}

/* Returns where an item would be best: in the middle of its neighbours, and above all in line
 * with bends. */
static double best_place(const order *o, int v, bool up, bool down)
{
    const layout *l = o->l;
    double sum = 0, weight = 0;
    const neighbours *const sides[] = {up ? &o->up : NULL, down ? &o->down : NULL};
    for (int s = 0; s < 2; s++)
        for (int i = sides[s] ? sides[s]->first[v] : 0; sides[s] && i < sides[s]->first[v + 1];
             i++) {
            const int other = sides[s]->at[i];
            const double w = v >= l->n && other >= l->n    ? 6
                             : s == 0 && is_leaf(o, other) ? 0.05
                                                           : 1;
            sum += w * l->x[other];
            weight += w;
        }
    return weight > 0 ? sum / weight : l->x[v];
}

static void choose_places(order *o)
{
    layout *l = o->l;
    block *blocks = tool_alloc((size_t)l->n_all, sizeof *blocks);
    const int sweeps = l->n_all > FEW ? 4 : 2 * SWEEPS;
    for (int s = 0; s <= sweeps; s++)
        for (int i = 0; i < l->n_layer; i++) {
            const bool last = s >= sweeps - 2;
            const int k = s % 2 ? l->n_layer - 1 - i : i;
            for (int m = o->first[k]; m < o->first[k + 1]; m++)
                o->want[m - o->first[k]] =
                    s == 0 ? 0 : best_place(o, o->item[m], last || s % 2 == 0, last || s % 2);
            place_layer(o, k, blocks);
        }
    double left = 0;
    for (int v = 0; v < l->n_all; v++)
        left = v == 0 || l->x[v] - half_of(l, v) < left ? l->x[v] - half_of(l, v) : left;
    for (int v = 0; v < l->n_all; v++) {
        l->x[v] -= left;
        l->right = l->x[v] + half_of(l, v) > l->right ? l->x[v] + half_of(l, v) : l->right;
    }
    free(blocks);
}

void layout_make(layout *l)
{
    order o = {.l = l};
    l->layer = tool_alloc((size_t)l->n, sizeof *l->layer);
    choose_layers(l);
    add_bends(l);
    l->x = tool_alloc((size_t)l->n_all, sizeof *l->x);
    o.key = tool_alloc((size_t)l->n_all, sizeof *o.key);
    o.want = tool_alloc((size_t)l->n_all, sizeof *o.want);
    find_neighbours(&o);
    fill_layers(&o);
    choose_order(&o);
    choose_places(&o);
    free(o.up.first);
    free(o.up.at);
    free(o.down.first);
    free(o.down.at);
    free(o.first);
    free(o.item);
    free(o.key);
    free(o.want);
}

void layout_free(layout *l)
{
    free(l->width);
    free(l->line);
    free(l->x);
    free(l->layer);
    *l = (layout){0};
}
