/* SPDX-License-Identifier: Apache-2.0
 * tfidf_vectorizer.c - TfIdfVectorizer: how often n-grams of a pool occur in each row.
 *
 * The n-gram's weight multiplies its count (TFIDF), or 1 if it occurs (IDF); n-grams of the same
 * index in the output are added up. An n-gram of skip s takes every (s + 1)-th item of the row, for
 * s from 0 to max_skip_count; a single item is counted once. The pool is a trie: a node's edges,
 * one for each item that may follow, are in a hash table over all nodes, under a key of ours, since
 * a model may have any pool. */
#include "ops/kit/op.h"
#include "ops/kit/strings.h"

typedef struct item {
    oc_string text; /* data NULL: the item is the number */
    int64_t number;
} item;

/* From node `from` an item leads to node `to`; to 0: the slot is free. */
typedef struct edge {
    int32_t from, to;
    item by;
} edge;

typedef struct geometry {
    int64_t rows, row; /* items of a row */
    int64_t least, most, skips;
    int64_t width; /* width of the output */
    oc_ints index; /* place of each n-gram in the output */
    oc_ints starts;
    const oc_attr *pool;
    const float *weight; /* weight of each n-gram; NULL: all are 1 */
    int mode;
} geometry;

enum { TF, IDF, TFIDF };

typedef struct trie {
    edge *slot;
    size_t n_slots; /* a power of two */
    int32_t n_nodes;
    int32_t *gram; /* the n-gram that ends at each node; -1: none */
    oc_sip_key sip;
} trie;

/* ---- attributes */

static oc_status read_lengths(oc_call *c, geometry *g)
{
    g->least = oc_attr_int(c, "min_gram_length");
    g->most = oc_attr_int(c, "max_gram_length");
    g->skips = oc_attr_int(c, "max_skip_count");
    if (g->least < 1 || g->most < g->least)
        return oc_fail(c, OC_VALUE,
                       "n-grams of %" PRId64 " to %" PRId64
                       " items, expected 1 <= min_gram_length <= max_gram_length",
                       g->least, g->most);
    if (g->skips < 0)
        return oc_fail(c, OC_VALUE, "attribute 'max_skip_count' is %" PRId64 ", expected 0 or more",
                       g->skips);
    return OC_OK;
}

static oc_status read_pool(oc_call *c, geometry *g)
{
    const bool text = oc_in(c, 0)->type == OC_STRING;
    const char *name = text ? "pool_strings" : "pool_int64s";
    g->pool = oc_attr_get(c, name);
    if (!g->pool || oc_attr_has(c, text ? "pool_int64s" : "pool_strings"))
        return oc_fail(c, OC_VALUE, "expected attribute '%s' and no other pool for an input of %s",
                       name, oc_type_name(oc_in(c, 0)->type));
    for (int i = 0; i < g->starts.n; i++) {
        const int64_t from = g->starts.v[i],
                      to = i + 1 < g->starts.n ? g->starts.v[i + 1] : g->pool->n;
        if (from < 0 || from > to || to > g->pool->n)
            return oc_fail(c, OC_VALUE,
                           "attribute 'ngram_counts' has %" PRId64
                           " at [%d], expected growing indices into a pool of %d",
                           from, i, g->pool->n);
        if ((to - from) % (i + 1))
            return oc_fail(c, OC_VALUE,
                           "the pool has %" PRId64 " items for n-grams of %d, expected a multiple",
                           to - from, i + 1);
    }
    return OC_OK;
}

/* How many n-grams the pool holds. */
static int64_t count_grams(const geometry *g)
{
    int64_t n = 0;
    for (int i = 0; i < g->starts.n; i++)
        n += ((i + 1 < g->starts.n ? g->starts.v[i + 1] : g->pool->n) - g->starts.v[i]) / (i + 1);
    return n;
}

static oc_status read_indices(oc_call *c, geometry *g)
{
    const oc_attr *weights = oc_attr_get(c, "weights");
    const int64_t grams = count_grams(g);
    g->index = oc_attr_ints(c, "ngram_indexes");
    if (g->index.n != grams || g->index.n == 0)
        return oc_fail(c, OC_VALUE,
                       "attribute 'ngram_indexes' has %d values, expected one for each of %" PRId64
                       " n-grams, at least one",
                       g->index.n, grams);
    for (int i = 0; i < g->index.n; i++) {
        if (g->index.v[i] < 0 || g->index.v[i] == INT64_MAX)
            return oc_fail(c, OC_VALUE, "attribute 'ngram_indexes' has %" PRId64 " at [%d]",
                           g->index.v[i], i);
        g->width = oc_max(g->index.v[i] + 1, g->width);
    }
    if (!weights)
        return OC_OK;
    g->weight = weights->u.f;
    return weights->n == g->index.n
               ? OC_OK
               : oc_fail(c, OC_VALUE, "attribute 'weights' has %d values, expected %d", weights->n,
                         g->index.n);
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    static const char *const modes[] = {"TF", "IDF", "TFIDF", NULL};
    const oc_dims *d = &oc_in(c, 0)->dims;
    *g = (geometry){.rows = d->rank == 2 ? d->n[0] : 1, .row = d->rank ? d->n[d->rank - 1] : 1};
    OC_TRY(oc_expect_rank(c, 0, 0, 2));
    OC_TRY(oc_attr_enum(c, "mode", modes, &g->mode));
    g->starts = oc_attr_ints(c, "ngram_counts");
    OC_TRY(read_lengths(c, g));
    OC_TRY(read_pool(c, g));
    return read_indices(c, g);
}

static oc_status tfidf_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_set_out(c, 0, OC_F32,
                      oc_in(c, 0)->dims.rank == 2 ? &(oc_dims){2, {g.rows, g.width}}
                                                  : &(oc_dims){1, {g.width}});
}

/* ---- the trie */

static item item_of(const oc_string *text, const int64_t *number, int64_t i)
{
    return text ? (item){text[i], 0} : (item){{NULL, 0}, number[i]};
}

static uint64_t hash(const trie *t, const oc_work *w, int32_t from, const item *by)
{
    const uint64_t text = by->text.data ? oc_hash_string(w, &t->sip, by->text) : 0;
    const uint64_t all[] = {(uint64_t)from, (uint64_t)by->number, text};
    return oc_siphash(&t->sip, all, sizeof all);
}

static bool same_item(const oc_work *w, const item *a, const item *b)
{
    return a->number == b->number && oc_same_string(w, a->text, b->text);
}

/* The slot of the edge, which is free if there is no such edge. */
static edge *find(const trie *t, const oc_work *w, int32_t from, const item *by)
{
    size_t at = (size_t)hash(t, w, from, by) & (t->n_slots - 1);
    while (t->slot[at].to && (t->slot[at].from != from || !same_item(w, &t->slot[at].by, by)))
        at = (at + 1) & (t->n_slots - 1);
    return &t->slot[at];
}

/* Adds the items from `at` on, n of them, as n-gram number gram. False: it was there before. */
static bool add_gram(trie *t, const oc_work *w, const geometry *g, int64_t at, int64_t n,
                     int32_t gram)
{
    const bool text = g->pool->kind == OC_ATTR_STRINGS;
    int32_t node = 0;
    for (int64_t i = at; i < at + n; i++) {
        const item by = item_of(text ? g->pool->u.s : NULL, g->pool->u.i, i);
        edge *e = find(t, w, node, &by);
        if (!e->to) {
            t->gram[t->n_nodes] = -1;
            *e = (edge){node, t->n_nodes++, by};
        }
        node = e->to;
    }
    if (t->gram[node] >= 0)
        return false;
    t->gram[node] = gram;
    return true;
}

static oc_status make_trie(oc_call *c, const geometry *g, trie *t)
{
    int32_t gram = 0;
    t->n_slots = 16;
    while (t->n_slots < 2 * (size_t)g->pool->n)
        t->n_slots *= 2;
    t->n_nodes = 1;
    OC_TRY(OC_SCRATCH(c, t->slot, t->n_slots));
    OC_TRY(OC_SCRATCH(c, t->gram, g->pool->n + 1));
    oc_call_zero(c, t->slot, t->n_slots * sizeof *t->slot);
    t->sip = oc_sip_key_new(t);
    const oc_work w = oc_call_work(c, 0);
    t->gram[0] = -1;
    for (int i = 0; i < g->starts.n; i++) {
        const int64_t end = i + 1 < g->starts.n ? g->starts.v[i + 1] : g->pool->n;
        OC_LOOP (&w, k, (end - g->starts.v[i] + i) / (i + 1), 16) {
            const int64_t at = g->starts.v[i] + k * (i + 1);
            if (i + 1 >= g->least && i + 1 <= g->most && !add_gram(t, &w, g, at, i + 1, gram))
                return oc_fail(c, OC_VALUE, "the pool has the n-gram at [%" PRId64 "] twice", at);
            gram++;
        }
    }
    return OC_OK;
}

/* ---- counting */

typedef struct job {
    const geometry *g;
    const trie *t;
    const oc_string *text; /* the input: strings or numbers */
    const int64_t *number;
    float *y;
    int32_t *count; /* for each task, the count of each n-gram */
    oc_work work;
} job;

/* Counts the n-grams that begin at item `first` of the row and take every step-th item. */
static void count_from(const job *j, int64_t row, int64_t first, int64_t step, int64_t least,
                       int32_t *count)
{
    const geometry *g = j->g;
    int32_t node = 0;
    int64_t i = first;
    OC_LOOP (&j->work, k, g->most, 64) {
        const item by = item_of(j->text, j->number, row * g->row + i);
        node = find(j->t, &j->work, node, &by)->to;
        if (!node)
            return;
        if (k + 1 >= least && j->t->gram[node] >= 0)
            count[j->t->gram[node]]++;
        if (g->row - i <= step)
            return;
        i += step;
    }
}

static void count_row(const job *j, int64_t row, int32_t *count)
{
    const geometry *g = j->g;
    int64_t least = g->least;
    memset(count, 0, (size_t)g->index.n * sizeof *count);
    OC_LOOP (&j->work, skip, (g->skips < g->row ? g->skips : g->row) + 1, 64) {
        const int64_t step = skip + 1;
        const int64_t room = (g->row - 1) / step + 1; /* items that the longest n-gram may have */
        if (least > g->most || room < least)
            break;
        OC_LOOP (&j->work, first, g->row - (least - 1) * step, 16)
            count_from(j, row, first, step, least, count);
        least = least == 1 ? 2 : least;
    }
    float *y = j->y + row * g->width;
    oc_work_zero(&j->work, y, (size_t)g->width * sizeof *y);
    for (int i = 0; i < g->index.n; i++) {
        const float n = g->mode == IDF ? (float)(count[i] > 0) : (float)count[i];
        y[g->index.v[i]] += g->mode == TF || !g->weight ? n : n * g->weight[i];
    }
}

static void count_rows(void *arg, int task, int64_t first, int64_t end)
{
    const job *j = arg;
    for (int64_t row = first; row < end; row++)
        count_row(j, row, j->count + (int64_t)task * j->g->index.n);
}

static oc_status tfidf_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    geometry g;
    trie t;
    const void *elements;
    OC_TRY(read_geometry(c, &g));
    OC_TRY(make_trie(c, &g, &t));
    const bool text = x->type == OC_STRING;
    OC_TRY(oc_in_as(c, 0, text ? OC_STRING : OC_I64, &elements));
    job j = {.g = &g, .t = &t, .y = oc_out(c, 0)->data};
    if (text)
        j.text = elements;
    else
        j.number = elements;
    const double steps = g.skips < g.row ? (double)g.skips + 1 : (double)g.row;
    const double work = (double)g.row * steps * 16 + (double)g.width + g.index.n;
    j.work = oc_call_work(c, work * (double)g.rows);
    OC_TRY(OC_SCRATCH(c, j.count, (int64_t)j.work.threads * g.index.n));
    oc_work_run(&j.work, g.rows, count_rows, &j);
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_tfidf_vectorizer[] = {
    {9, "TfIdfVectorizer <int max_gram_length, int max_skip_count, int min_gram_length, string mode, "
        "ints ngram_counts, ints ngram_indexes, ints pool_int64s?, strings pool_strings?, "
        "floats weights?> (T X) => (T1 Y) | T: string int32 int64; T1: float", tfidf_shape, tfidf_run},
    {0}
};
