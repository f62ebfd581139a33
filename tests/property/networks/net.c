/* SPDX-License-Identifier: Apache-2.0
 * net.c - memory, random draws, values and text of random networks. */
#include "net.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 6000, FIRST_ROOM = 1 << 26 };

/* ---- random numbers ---- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint32_t net_below(net *n, uint32_t limit)
{
    n->random += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((mix(n->random) >> 32) * limit >> 32);
}

int64_t net_from(net *n, int64_t least, int64_t most)
{
    return least + net_below(n, (uint32_t)(most - least + 1));
}

bool net_chance(net *n, uint32_t percent)
{
    return net_below(n, 100) < percent;
}

/* ---- memory and text ---- */

static void *take(net *n, size_t size)
{
    size = (size + 15) / 16 * 16;
    if (!n->memory) {
        n->room = FIRST_ROOM;
        n->memory = malloc(n->room);
    }
    if (!n->memory || size > n->room - n->used) {
        fprintf(stderr, "seed %llu: no memory for %zu bytes\n", (unsigned long long)n->seed, size);
        exit(2);
    }
    void *p = n->memory + n->used;
    n->used += size;
    memset(p, 0, size);
    return p;
}

static void make_room(net_text *t, int size)
{
    if (t->size + size + 1 <= t->room)
        return;
    t->room = 2 * (t->size + size + 1);
    t->bytes = realloc(t->bytes, (size_t)t->room);
    if (!t->bytes)
        exit(2);
}

void net_write(net_text *t, const char *bytes, int size)
{
    make_room(t, size);
    memcpy(t->bytes + t->size, bytes, (size_t)size);
    t->size += size;
    t->bytes[t->size] = 0;
}

static void add_list(net_text *t, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    make_room(t, vsnprintf(NULL, 0, format, args));
    t->size += vsnprintf(t->bytes + t->size, (size_t)(t->room - t->size), format, again);
    va_end(again);
}

void net_add(net_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_list(t, format, args);
    va_end(args);
}

void net_line(net *n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_list(&n->nodes, format, args);
    va_end(args);
}

void net_ints(net *n, const char *name, int count, const int64_t *v)
{
    net_line(n, "%s = [", name);
    for (int i = 0; i < count; i++)
        net_line(n, "%s%lld", i ? ", " : "", (long long)v[i]);
    net_line(n, "]");
}

void net_free(net *n)
{
    free(n->memory);
    free(n->nodes.bytes);
    free(n->all.bytes);
    *n = (net){.seed = 0};
}

/* ---- positions ---- */

int64_t net_count(int rank, const int64_t *dim)
{
    int64_t count = 1;
    for (int i = 0; i < rank; i++)
        count *= dim[i];
    return count;
}

void net_next(int rank, const int64_t *dim, int64_t *index)
{
    for (int i = rank; i-- > 0;) {
        if (++index[i] < dim[i])
            return;
        index[i] = 0;
    }
}

int64_t net_at(int rank, const int64_t *dim, const int64_t *index)
{
    int64_t at = 0;
    for (int i = 0; i < rank; i++)
        at = at * dim[i] + index[i];
    return at;
}

bool net_fits(const net *n, int rank, const int64_t *dim)
{
    const int64_t most = n->work > MOST_ELEMENTS * 50 ? 4 * MOST_ELEMENTS : MOST_ELEMENTS;
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        if (dim[i] < 0)
            return false;
        count *= dim[i] ? dim[i] : 1;
        if (count > most)
            return false;
    }
    return true;
}

/* ---- values ---- */

net_tensor *net_new(net *n, net_type type, int rank, const int64_t *dim)
{
    if (n->n_values == NET_VALUES) {
        fprintf(stderr, "seed %llu: too many values\n", (unsigned long long)n->seed);
        exit(2);
    }
    net_tensor *t = &n->value[n->n_values++];
    *t = (net_tensor){.type = type, .rank = rank, .axis_of_step = -1};
    if (rank > 0) /* dim may be NULL for a scalar */
        memcpy(t->dim, dim, (size_t)rank * sizeof *dim);
    t->n = net_count(rank, dim);
    t->v = take(n, (size_t)t->n * sizeof(double));
    t->e = take(n, (size_t)t->n * sizeof(double));
    return t;
}

/* A number that all floating types can hold, or one that only the wide ones can. */
static double draw_number(net *n, net_type type, double size)
{
    static const double special[] = {0, 1, -1, 0.5, -0.5, 2, -2, 0.25};
    if (net_below(n, 24) == 0)
        return net_round(type, size * NET_PICK(n, special));
    const double x = (double)net_below(n, 1u << 22) / (1 << 21) - 1;
    return net_round(type, 1.5 * size * x);
}

static double draw(net *n, net_type type, double size)
{
    switch (type) {
    case NET_I8:
        return net_chance(n, 4) ? -128 : (double)net_from(n, -127, 127);
    case NET_U8:
        return (double)net_below(n, 256);
    case NET_I32:
    case NET_I64:
        return (double)net_from(n, (int64_t)-size, (int64_t)size);
    case NET_BOOL:
        return net_below(n, 2);
    default:
        return draw_number(n, type, size);
    }
}

static net_tensor *named_operand(net *n, net_type type, int rank, const int64_t *dim, int constant)
{
    net_tensor *t = net_new(n, type, rank, dim);
    snprintf(t->name, sizeof t->name, "c%d", (int)(t - n->value));
    t->is_constant = constant < 0 ? net_chance(n, 70) : constant;
    t->is_input = !t->is_constant;
    t->is_operand = true;
    return t;
}

net_tensor *net_operand(net *n, net_type type, int rank, const int64_t *dim, double size)
{
    net_tensor *t = named_operand(n, type, rank, dim, -1);
    for (int64_t i = 0; i < t->n; i++)
        t->v[i] = draw(n, type, size);
    return t;
}

net_tensor *net_given(net *n, net_type type, int rank, const int64_t *dim, const double *v,
                      int constant)
{
    net_tensor *t = named_operand(n, type, rank, dim, constant);
    for (int64_t i = 0; i < t->n; i++)
        t->v[i] = v[i];
    return t;
}

net_tensor *net_list(net *n, int64_t count, const int64_t *v, int constant)
{
    net_tensor *t = named_operand(n, NET_I64, 1, &count, constant);
    for (int64_t i = 0; i < count; i++)
        t->v[i] = (double)v[i];
    return t;
}

static net_tensor *new_input(net *n, int rank)
{
    static const int64_t batches[] = {1, 1, 1, 2, 3, 0};
    static const int64_t channels[] = {1, 2, 4, 8, 16, 16, 24, 32, 40};
    int64_t dim[NET_RANK];
    do {
        for (int i = 0; i < rank; i++)
            dim[i] = net_from(n, 1, rank > 4 ? 6 : rank > 3 ? 12 : 24);
        if (rank > 1) {
            dim[0] = net_chance(n, 4) ? 0 : batches[net_below(n, 5)];
            dim[1] = net_chance(n, 50) ? net_from(n, 1, 40) : NET_PICK(n, channels);
        }
    } while (!net_fits(n, rank, dim));
    net_tensor *t = net_operand(n, n->type, rank, dim, 1);
    t->is_operand = t->is_constant = false;
    t->is_input = true;
    return t;
}

net_tensor *net_any(net *n, int least_rank, int most_rank)
{
    net_tensor *fit[NET_VALUES];
    uint32_t count = 0, last = 0;
    for (int i = 0; i < n->n_values; i++) {
        net_tensor *t = &n->value[i];
        if (*t->name && !t->is_operand && t->type == n->type && t->rank >= least_rank &&
            t->rank <= most_rank)
            fit[count++] = t;
    }
    last = count ? count - 1 : 0;
    if (least_rank == 0 && net_chance(n, n->quantised ? 20 : 5))
        return new_input(n, 0);
    if (!count || net_chance(n, 6))
        return new_input(n, (int)net_from(n, least_rank, most_rank));
    return fit[net_chance(n, 70) ? last : net_below(n, count)];
}

net_tensor *net_find(net *n, net_type type, int rank, const int64_t *dim,
                     const net_tensor *not_this)
{
    for (int i = n->n_values; i-- > 0;) {
        net_tensor *t = &n->value[i];
        if (*t->name && !t->is_operand && t != not_this && t->type == type && t->rank == rank &&
            memcmp(t->dim, dim, (size_t)rank * sizeof *dim) == 0)
            return t;
    }
    return NULL;
}

net_tensor *net_result(net *n, net_type type, int rank, const int64_t *dim)
{
    net_tensor *t = net_new(n, type, rank, dim);
    if (t->n > NET_ELEMENTS) {
        fprintf(stderr, "seed %llu: %lld are too many elements\n", (unsigned long long)n->seed,
                (long long)t->n);
        exit(2);
    }
    snprintf(t->name, sizeof t->name, "v%d", (int)(t - n->value));
    t->axis_of_step = n->step;
    return t;
}

/* ---- the model ---- */

static void begin(net *n, uint64_t seed, uint64_t part)
{
    n->random = mix(seed * 64 + part + 1);
}

static const struct {
    net_family *make;
    int weight;
} families[] = {
    {net_conv, 10},
    {net_conv_transpose, 8},
    {net_unary, 8},
    {net_binary, 8},
    {net_compare, 3},
    {net_pool, 6},
    {net_global_pool, 2},
    {net_concat, 3},
    {net_split, 2},
    {net_transpose, 2},
    {net_pad, 3},
    {net_slice, 3},
    {net_reshape, 1},
    {net_shuffle, 2},
    {net_depth, 2},
    {net_expand, 1},
    {net_squeeze, 1},
    {net_matmul, 4},
    {net_gemm, 3},
    {net_einsum, 2},
    {net_attention, 2},
    {net_softmax, 2},
    {net_layer_normalization, 2},
    {net_group_normalization, 2},
    {net_batch_normalization, 2},
    {net_mean_variance_normalization, 1},
    {net_lp_normalization, 1},
    {net_lrn, 1},
    {net_reduce, 4},
    {net_cumulative_sum, 1},
    {net_clip, 2},
    {net_resize, 4},
    {net_grid_sample, 2},
    {net_roi_align, 1},
    {net_deform_conv, 1},
    {net_recurrent, 3},
    {net_quantise, 1},
    {net_product_of_codes, 6},
    {net_qlinear_conv, 1},
    {net_qlinear_matmul, 1},
    {net_integer_product, 1},
};

static void make_node(net *n)
{
    enum { TRIES = 12 };
    int sum = 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        sum += families[i].weight;
    for (int tries = 0; tries < TRIES; tries++) {
        int at = (int)net_below(n, (uint32_t)sum);
        size_t i = 0;
        while (at >= families[i].weight)
            at -= families[i++].weight;
        if (!families[i].make(n))
            continue;
        const net_tensor *last = &n->value[n->n_values - 1];
        if (n->quantised && last->type == n->type && last->axis_of_step == n->step &&
            net_chance(n, 60))
            net_requantise(n, last);
        return;
    }
}

/* The last value, those that nobody reads, and some in the middle. */
static void choose_outputs(net *n)
{
    bool any = false;
    for (int i = n->n_values; i-- > 0;) {
        net_tensor *t = &n->value[i];
        if (!*t->name || t->axis_of_step < 0)
            continue;
        t->is_output = !any || net_chance(n, 25);
        any = true;
    }
}

void net_write_model(net *n); /* net_text.c */

void net_make(net *n, uint64_t seed)
{
    static const net_type types[] = {NET_F32, NET_F32, NET_F32, NET_F32, NET_F32,
                                     NET_F32, NET_F64, NET_F16, NET_F16, NET_BF16};
    static const int64_t work[] = {8000, 30000, 30000, 60000, 120000};
    n->seed = seed;
    n->used = 0;
    n->n_values = 0;
    n->nodes.size = n->all.size = 0;
    net_line(n, "%s", ""); /* ends both texts */
    net_add(&n->all, "%s", "");
    begin(n, seed, 0);
    n->type = NET_PICK(n, types);
    n->quantised = n->type == NET_F32 ? net_chance(n, 35) : n->type != NET_F64 && net_chance(n, 10);
    n->scale = n->zero = NULL;
    n->frame = net_chance(n, 75) ? NET_PLAIN : (net_frame)net_from(n, NET_IF, NET_FUNCTION);
    n->frame = n->plain_frame ? NET_PLAIN : n->frame;
    n->times = (int)net_from(n, 1, 2);
    n->n_steps = (int)net_from(n, 1, NET_NODES);
    n->work = net_chance(n, 2) ? 600000 : NET_PICK(n, work);
    for (n->step = 0; n->step < n->n_steps; n->step++) {
        begin(n, seed, (uint64_t)n->step + 1);
        if (!(n->without >> n->step & 1))
            make_node(n);
    }
    begin(n, seed, NET_NODES + 1);
    choose_outputs(n);
    net_write_model(n);
}
