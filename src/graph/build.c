/* SPDX-License-Identifier: Apache-2.0
 * build.c - makes, fills and frees models. */
#include "graph/build.h"

enum { MAX_REMARK = 1020 }; /* in bytes; a longer remark is cut off */

typedef struct oc_closer {
    struct oc_closer *next;
    void (*close)(void *ctx, size_t size);
    void *ctx;
    size_t size;
} oc_closer;

typedef struct oc_release_hook {
    void (*leave)(const void *bytes, size_t n);
    const void *bytes;
    size_t size;
} oc_release_hook;

oc_status oc_model_new_beside(const oc_memory *beside, oc_model **model, oc_error *e)
{
    oc_memory memory = oc_memory_beside(beside, 0, beside->watch);
    oc_model *m = oc_memory_alloc(&memory, sizeof *m);
    if (!m)
        return oc_memory_error(&memory, sizeof *m, e);
    memset(m, 0, sizeof *m);
    m->memory = memory;
    m->arena = oc_arena_new(&m->memory);
    m->names = oc_names_new(&m->arena);
    atomic_store(&m->holders, 1);
    m->producer_name = m->producer_version = m->domain = m->doc = "";
    m->graph.name = m->graph.doc = "";
    *model = m;
    return OC_OK;
}

void oc_model_describe_as(oc_model *m, const oc_model *other)
{
    m->options = other->options;
    m->ir_version = other->ir_version;
    m->model_version = other->model_version;
    m->producer_name = other->producer_name;
    m->producer_version = other->producer_version;
    m->domain = other->domain;
    m->doc = other->doc;
    m->metadata = other->metadata;
}

static size_t default_cap(void)
{
    const uint64_t bytes = (uint64_t)OC_MAX_GIB << 30;
    return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX; /* size_t has 32 bits on some machines */
}

oc_status oc_model_new(const oc_model_options *options, oc_model **model, oc_error *e)
{
    const oc_model_options o = options ? *options : (oc_model_options){.limits = {0}};
    const oc_memory memory = oc_memory_new(&o.alloc, 0);
    oc_model *m;
    OC_TRY(oc_model_new_beside(&memory, &m, e));
    m->options = o;
    m->budget.cap = o.limits.memory_cap ? o.limits.memory_cap : default_cap();
    atomic_store(&m->budget.live, m->memory.live);
    m->memory.budget = &m->budget;
    oc_watch_begin(&m->watch, "loading", &o.limits);
    m->memory.watch = &m->watch;
    *model = m;
    return OC_OK;
}

void oc_model_end_watch(oc_model *m)
{
    if (m)
        m->memory.watch = NULL;
}

static void destroy(oc_model *m)
{
    for (const oc_closer *c = m->closers; c; c = c->next)
        c->close(c->ctx, c->size);
    oc_arena_free(&m->arena);
    oc_memory memory = m->memory;
    memory.budget = memory.budget == &m->budget ? NULL : memory.budget;
    oc_memory_free(&memory, m, sizeof *m);
}

/* Returns the model as one whose count of holders may change; nothing else in it does. */
static oc_model *counted(const oc_model *model)
{
    return (oc_model *)(uintptr_t)model;
}

const oc_model *oc_model_hold(const oc_model *model)
{
    atomic_fetch_add(&counted(model)->holders, 1);
    return model;
}

/* Puts a model that nobody holds any longer in front of a list of such models. */
static void give_up(const oc_model *model, oc_model **dying)
{
    if (model && atomic_fetch_sub(&counted(model)->holders, 1) == 1) {
        counted(model)->next = *dying;
        *dying = counted(model);
    }
}

void oc_model_drop(const oc_model *model)
{
    oc_model *dying = NULL;
    give_up(model, &dying);
    while (dying) {
        oc_model *m = dying;
        const oc_model *source = m->source, *second = m->second;
        dying = m->next;
        destroy(m);
        give_up(source, &dying);
        give_up(second, &dying);
    }
}

void oc_model_free(oc_model *m)
{
    if (m && !atomic_exchange(&m->given_up, true))
        oc_model_drop(m);
}

oc_status oc_model_on_free(oc_model *m, void (*close)(void *ctx, size_t size), void *ctx,
                           size_t size, oc_error *e)
{
    oc_closer *c = oc_arena_alloc(&m->arena, sizeof *c);
    OC_TRY(oc_arena_check(&m->arena, e));
    *c = (oc_closer){m->closers, close, ctx, size};
    m->closers = c;
    return OC_OK;
}

static void free_model(void *ctx, OC_UNUSED size_t size)
{
    oc_model_free(ctx);
}

oc_status oc_model_own(oc_model *m, oc_model *other, oc_error *e)
{
    return other ? oc_model_on_free(m, free_model, other, 0, e) : OC_OK;
}

/* Returns how many release hooks have bytes that begin above the place. */
static int n_above(const oc_model *m, const void *place)
{
    int first = 0, n = m->n_release_hook;
    while (n > 0) {
        const int half = n / 2;
        if ((uintptr_t)m->release_hook[first + half].bytes > (uintptr_t)place) {
            first += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return first;
}

/* Files that are mapped one after the other usually lie one below the other in memory, so a new
 * hook most often belongs at the end. */
oc_status oc_model_may_leave(oc_model *m, const void *bytes, size_t size,
                             void (*leave)(const void *bytes, size_t n), oc_error *e)
{
    const int at = n_above(m, bytes);
    const size_t behind = (size_t)(m->n_release_hook - at);
    OC_PUSH(&m->arena, m->release_hook, m->n_release_hook);
    OC_TRY(oc_arena_check(&m->arena, e));
    memmove(m->release_hook + at + 1, m->release_hook + at, behind * sizeof *m->release_hook);
    m->release_hook[at] = (oc_release_hook){leave, bytes, size};
    return OC_OK;
}

void oc_model_leave_as(oc_model *m, const oc_model *other)
{
    m->release_hook = other->release_hook;
    m->n_release_hook = other->n_release_hook;
}

oc_status oc_model_leave_also(oc_model *m, const oc_model *other, oc_error *e)
{
    const oc_release_hook *shared = m->release_hook; /* by another model, so they are copied */
    const int n = m->n_release_hook;
    m->n_release_hook = 0;
    m->release_hook = NULL;
    for (int i = 0; i < n + other->n_release_hook; i++) {
        const oc_release_hook *l = i < n ? &shared[i] : &other->release_hook[i - n];
        OC_TRY(oc_model_may_leave(m, l->bytes, l->size, l->leave, e));
    }
    return OC_OK;
}

void oc_model_leave(const oc_model *m, const void *bytes, size_t n)
{
    const int at = n_above(m, bytes);
    if (at == m->n_release_hook)
        return;
    const oc_release_hook *l = &m->release_hook[at];
    const size_t before = (size_t)((uintptr_t)bytes - (uintptr_t)l->bytes);
    if (before <= l->size && n <= l->size - before)
        l->leave(bytes, n);
}

oc_name oc_model_name_n(oc_model *m, const char *bytes, size_t size)
{
    return oc_names_intern(&m->names, bytes, size);
}

oc_name oc_model_name(oc_model *m, const char *text)
{
    return oc_model_name_n(m, text ? text : "", text ? strlen(text) : 0);
}

oc_node oc_model_node(oc_model *m, const char *op, oc_name *ports, int64_t opset)
{
    const oc_name none = oc_model_name(m, "");
    return (oc_node){.name = none,
                     .op_type = oc_model_name(m, op),
                     .domain = none,
                     .overload = none,
                     .doc = "",
                     .in = ports,
                     .out = ports + 1,
                     .n_in = *ports[0] != 0,
                     .n_out = 1,
                     .opset = opset};
}

oc_status oc_model_tensor(oc_model *m, oc_type type, const oc_dims *dims, oc_value *v, oc_error *e)
{
    int64_t count;
    size_t bytes;
    char text[OC_DIMS_TEXT];
    if (!oc_dims_bytes(dims, oc_type_size(type), &count, &bytes))
        return oc_error_set(e, OC_SHAPE, "shape %s of %s is negative or too large",
                            oc_dims_text(dims, text), oc_type_name(type));
    /* a few elements fit in one cache line wherever they begin */
    const size_t align = bytes < OC_ALIGN / 4 ? 1 : OC_ALIGN;
    const void *data = type == OC_STRING ? oc_arena_aligned(&m->arena, bytes, align)
                                         : oc_arena_room(&m->arena, bytes, align);
    OC_TRY(oc_arena_check(&m->arena, e));
    *v = oc_value_borrow(type, *dims, data);
    return OC_OK;
}

/* ---- initializers without elements ---- */

static bool has_no_elements(const oc_constant *c)
{
    return c->external && !c->value.data;
}

static oc_value_info declare(oc_model *m, const oc_constant *c)
{
    const oc_name none = oc_model_name(m, "");
    const oc_dims *from = &c->value.dims;
    oc_dim *dims = oc_arena_array(&m->arena, (size_t)from->rank, sizeof *dims);
    for (int i = 0; dims && i < from->rank; i++)
        dims[i] = (oc_dim){.n = from->n[i], .symbol = none};
    return (oc_value_info){.name = c->name,
                           .type = {.kind = OC_TYPE_TENSOR,
                                    .type = c->value.type,
                                    .rank = from->rank,
                                    .dims = dims,
                                    .denotation = none,
                                    .opaque_domain = none,
                                    .opaque_name = none},
                           .doc = c->doc,
                           .metadata = c->metadata};
}

oc_status oc_model_weights_as_inputs(oc_model *m, oc_error *e)
{
    oc_graph *g = &m->graph;
    int n = 0, kept = 0;
    for (int i = 0; m->why_lost && i < g->n_initializer; i++)
        n += has_no_elements(&g->initializer[i]);
    if (n == 0)
        return OC_OK;
    OC_TRY(oc_model_remark(m, e, "the elements of %d initializer%s cannot be read, the first: %s",
                           n, n == 1 ? "" : "s", m->why_lost));
    const size_t most = (size_t)g->n_input + (size_t)n;
    oc_value_info *input = oc_arena_array(&m->arena, most, sizeof *input);
    m->lost = oc_arena_array(&m->arena, (size_t)n, sizeof *m->lost);
    OC_TRY(oc_arena_check(&m->arena, e));
    memcpy(input, g->input, (size_t)g->n_input * sizeof *input);
    g->input = input;
    oc_name_map inputs = oc_name_map_new(&m->arena);
    for (int i = 0; i < g->n_input; i++)
        oc_name_map_put(&inputs, g->input[i].name, i); /* the arena records a failure */
    for (int i = 0; i < g->n_initializer; i++) {
        const oc_constant *c = &g->initializer[i];
        if (!has_no_elements(c)) {
            g->initializer[kept++] = *c;
            continue;
        }
        m->lost[m->n_lost++] = *c;
        if (oc_name_map_get(&inputs, c->name) < 0)
            g->input[g->n_input++] = declare(m, c);
    }
    g->n_initializer = kept;
    return oc_arena_check(&m->arena, e);
}

oc_status oc_model_remark(oc_model *m, oc_error *e, const char *format, ...)
{
    char line[MAX_REMARK];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    const char *text = oc_arena_text(&m->arena, line, strlen(line));
    const char **last = OC_PUSH(&m->arena, m->remark, m->n_remark);
    OC_TRY(oc_arena_check(&m->arena, e));
    *last = text;
    return OC_OK;
}

const oc_attr *oc_node_attr(const oc_node *n, const char *name)
{
    for (int i = 0; i < n->n_attr; i++)
        if (strcmp(n->attr[i].name, name) == 0)
            return &n->attr[i];
    return NULL;
}
