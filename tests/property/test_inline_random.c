/* SPDX-License-Identifier: Apache-2.0
 * test_inline_random.c - inlining keeps the meaning of random models.
 *
 * The meaning of a value is a number made from the operator, its version, its attributes and the
 * meanings of its inputs; a call means what its body means with the call's inputs. Identity means
 * its input. Graph outputs must mean the same before and after. */
#include "models.h"

#include "bodies/inline.h"

/* ---- meanings ---- */

typedef struct meaning {
    uint64_t h;
} meaning;

static void mix(meaning *m, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        m->h = (m->h ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
}

static void mix_u64(meaning *m, uint64_t x)
{
    mix(m, &x, sizeof x);
}

static void mix_text(meaning *m, const char *text)
{
    mix(m, text, strlen(text) + 1);
}

/* A graph being read: what its names mean, and which call it belongs to. */
typedef struct env {
    struct env *outer;  /* the graph around it, in the same body */
    struct env *caller; /* where the call of the body stands; NULL: the main graph */
    const oc_model *model;
    const oc_function *function;
    const oc_node *call;
    oc_arena *arena;
    oc_name_map index;
    uint64_t *value;
    int n;
} env;

static env *new_env(oc_arena *arena, const env *like, env *outer)
{
    env *v = oc_arena_alloc(arena, sizeof *v);
    *v = *like;
    v->outer = outer;
    v->arena = arena;
    v->index = oc_name_map_new(arena);
    v->value = NULL;
    v->n = 0;
    return v;
}

static void set(env *v, oc_name name, uint64_t value)
{
    const int at = v->n;
    uint64_t *item = OC_PUSH(v->arena, v->value, v->n);
    *item = value;
    oc_name_map_put(&v->index, name, at);
}

static uint64_t get(const env *v, oc_name name)
{
    if (!*name)
        return 0;
    for (; v; v = v->outer) {
        const int at = oc_name_map_get(&v->index, name);
        if (at >= 0)
            return v->value[at];
    }
    ck_abort_msg("value '%s' is not defined", name);
    return 0;
}

static void read_nodes(env *v, const oc_graph *g);

static uint64_t graph_meaning(env *around, const oc_graph *g)
{
    env *v = new_env(around->arena, around, around);
    meaning m = {1};
    for (int i = 0; i < g->n_input; i++)
        set(v, g->input[i].name, 1000 + (uint64_t)i);
    read_nodes(v, g);
    for (int i = 0; i < g->n_output; i++)
        mix_u64(&m, get(v, g->output[i].name));
    return m.h;
}

/* The attribute that a stands for, and the graph it is written in. */
static const oc_attr *resolve(const oc_attr *a, env **written_in)
{
    while (a && a->ref) {
        const env *v = *written_in;
        const oc_attr *given = oc_node_attr(v->call, a->ref);
        if (given) {
            *written_in = v->caller;
            a = given;
            continue;
        }
        const oc_name ref = a->ref;
        a = NULL;
        for (int i = 0; i < v->function->n_attr_default; i++)
            if (v->function->attr_default[i].name == ref)
                a = &v->function->attr_default[i];
    }
    return a;
}

static void mix_attr(meaning *m, env *v, const oc_attr *a)
{
    env *written_in = v;
    const oc_attr *value = resolve(a, &written_in);
    if (!value)
        return;
    mix_text(m, a->name);
    mix_u64(m, value->kind);
    if (value->kind == OC_ATTR_INT)
        mix_u64(m, (uint64_t)*value->u.i);
    for (int i = 0; i < oc_attr_n_graphs(value); i++)
        mix_u64(m, graph_meaning(written_in, value->u.g[i]));
}

static const oc_function *callee_of(const env *v, const oc_node *n)
{
    for (int i = 0; i < v->model->n_function; i++)
        if (v->model->function[i].name == n->op_type && v->model->function[i].domain == n->domain)
            return &v->model->function[i];
    return NULL;
}

static void read_call(env *v, const oc_node *n, const oc_function *f)
{
    env *inner = new_env(v->arena, v, NULL);
    inner->caller = v;
    inner->function = f;
    inner->call = n;
    for (int i = 0; i < f->body.n_input; i++)
        set(inner, f->body.input[i].name, i < n->n_in ? get(v, n->in[i]) : 0);
    read_nodes(inner, &f->body);
    for (int i = 0; i < n->n_out; i++)
        set(v, n->out[i], get(inner, f->body.output[i].name));
}

static void read_node(env *v, const oc_node *n)
{
    if (strcmp(n->op_type, "Identity") == 0) {
        set(v, n->out[0], get(v, n->in[0]));
        return;
    }
    const oc_opsets *imports = v->function ? &v->function->opsets : &v->model->opsets;
    meaning m = {2};
    mix_text(&m, n->op_type);
    mix_u64(&m, (uint64_t)(n->opset ? n->opset : oc_opsets_find(imports, n->domain)));
    for (int i = 0; i < n->n_in; i++)
        mix_u64(&m, get(v, n->in[i]));
    for (int i = 0; i < n->n_attr; i++)
        mix_attr(&m, v, &n->attr[i]);
    for (int i = 0; i < n->n_out; i++) {
        meaning out = m;
        mix_u64(&out, (uint64_t)i);
        set(v, n->out[i], out.h);
    }
}

static void read_nodes(env *v, const oc_graph *g)
{
    for (int i = 0; i < g->n_node; i++) {
        const oc_function *f = callee_of(v, &g->node[i]);
        if (f)
            read_call(v, &g->node[i], f);
        else
            read_node(v, &g->node[i]);
    }
}

static uint64_t model_meaning(const oc_model *m)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena arena = oc_arena_new(&memory);
    env outside = {.model = m, .arena = &arena};
    outside.index = oc_name_map_new(&arena);
    const uint64_t h = graph_meaning(&outside, &m->graph);
    oc_arena_free(&arena);
    return h;
}

/* ---- random models ---- */

enum { MAX_FUNCTIONS = 4, MAX_NAMES = 200, MAX_DEPTH = 2 };

typedef struct shape {
    int n_in, n_out;
} shape;

typedef struct writer {
    text_buffer text;
    suite_random random;
    shape function[MAX_FUNCTIONS];
    int n_function;           /* those that may be called here */
    char name[MAX_NAMES][24]; /* values seen here, and in graphs around */
    int n_name, next, depth;
    bool in_function;
} writer;

static bool chance(writer *w, uint32_t percent)
{
    return suite_below(&w->random, 100) < percent;
}

static const char *some_name(writer *w)
{
    return w->name[suite_below(&w->random, (uint32_t)w->n_name)];
}

/* Names of the main graph may look like those that inlining makes. */
static const char *new_name(writer *w)
{
    char *name = w->name[w->n_name++];
    ck_assert_int_lt(w->n_name, MAX_NAMES);
    if (!w->in_function && chance(w, 40))
        snprintf(name, sizeof w->name[0], "\"f%u%s/t%d\"", suite_below(&w->random, 3),
                 chance(w, 30) ? "_2" : "", w->next++);
    else
        snprintf(name, sizeof w->name[0], "t%d", w->next++);
    return name;
}

static void write_inputs(writer *w, int n)
{
    for (int i = 0; i < n; i++)
        text_add(&w->text, "%s%s", i ? ", " : "", chance(w, 15) ? "\"\"" : some_name(w));
}

static void write_statements(writer *w, int n);

static void write_graph(writer *w)
{
    const int n_name = w->n_name;
    text_add(&w->text, "b () => (o%d) {", w->next);
    const int output = w->next++;
    w->depth++;
    write_statements(w, 1 + (int)suite_below(&w->random, 2));
    w->depth--;
    text_add(&w->text, " o%d = Op0 (%s) }", output, some_name(w));
    w->n_name = n_name;
}

static void write_attrs(writer *w, bool refs)
{
    text_add(&w->text, " <u = %u", suite_below(&w->random, 4));
    if (refs && chance(w, 60))
        text_add(&w->text, ", v: int = @%c", "ab"[suite_below(&w->random, 2)]);
    if (w->depth < MAX_DEPTH && chance(w, 25)) {
        text_add(&w->text, ", g = ");
        const int first = w->next;
        write_graph(w);
        const int after = w->next;
        w->next = first; /* names of graphs side by side may be equal */
        text_add(&w->text, ", h = ");
        write_graph(w);
        w->next = w->next > after ? w->next : after;
    }
    if (refs && chance(w, 30))
        text_add(&w->text, ", k: graph = @g");
    text_add(&w->text, ">");
}

static void write_operator(writer *w)
{
    const int n_name = w->n_name;
    const int n_out = 1 + (int)suite_below(&w->random, 2);
    for (int i = 0; i < n_out; i++)
        text_add(&w->text, "%s%s", i ? ", " : " ", new_name(w));
    const int after = w->n_name;
    w->n_name = n_name; /* its own outputs are no inputs */
    text_add(&w->text, " = Op%u", suite_below(&w->random, 4));
    char own[2][sizeof w->name[0]];
    memcpy(own, w->name[n_name], sizeof own);
    write_attrs(w, w->in_function);
    text_add(&w->text, " (");
    write_inputs(w, (int)suite_below(&w->random, 4));
    text_add(&w->text, ")");
    memcpy(w->name[n_name], own, sizeof own);
    w->n_name = after;
}

static void write_call_attrs(writer *w)
{
    const char *separator = " <";
    for (int i = 0; i < 2; i++)
        if (chance(w, 50)) {
            text_add(&w->text, "%s%c", separator, "ab"[i]);
            separator = ", ";
            if (w->in_function && chance(w, 50))
                text_add(&w->text, ": int = @%c", "ab"[suite_below(&w->random, 2)]);
            else
                text_add(&w->text, " = %u", suite_below(&w->random, 9));
        }
    if (w->depth < MAX_DEPTH && chance(w, 30)) {
        text_add(&w->text, "%sg = ", separator);
        separator = ", ";
        write_graph(w);
    }
    if (*separator == ',')
        text_add(&w->text, ">");
}

static void write_call(writer *w)
{
    const int f = (int)suite_below(&w->random, (uint32_t)w->n_function);
    const int n_name = w->n_name;
    char own[4][sizeof w->name[0]];
    int n_own = 0;
    if (chance(w, 40))
        text_add(&w->text, " [f%u]", suite_below(&w->random, 3));
    for (int i = 0; i < w->function[f].n_out; i++) {
        const bool wanted = i == 0 || chance(w, 60);
        text_add(&w->text, "%s%s", i ? ", " : " ", wanted ? new_name(w) : "\"\"");
        if (wanted)
            memcpy(own[n_own++], w->name[w->n_name - 1], sizeof own[0]);
    }
    w->n_name = n_name;
    text_add(&w->text, " = my.f%d", f);
    write_call_attrs(w);
    text_add(&w->text, " (");
    write_inputs(w, (int)suite_below(&w->random, (uint32_t)w->function[f].n_in + 1));
    text_add(&w->text, ")");
    memcpy(w->name[n_name], own, (size_t)n_own * sizeof own[0]);
    w->n_name = n_name + n_own;
}

static void write_statements(writer *w, int n)
{
    for (int i = 0; i < n; i++)
        if (w->n_function && chance(w, 40))
            write_call(w);
        else
            write_operator(w);
}

/* Every output is a value of the body; some are inputs, some stand twice. */
static void write_function(writer *w, int index)
{
    shape *s = &w->function[index];
    *s = (shape){1 + (int)suite_below(&w->random, 3), 1 + (int)suite_below(&w->random, 3)};
    text_buffer whole = w->text;
    w->text = (text_buffer){.bytes = NULL};
    w->in_function = true;
    w->n_function = index;
    w->next = w->n_name = 0;
    for (int i = 0; i < s->n_in; i++)
        new_name(w);
    write_statements(w, 1 + (int)suite_below(&w->random, 5));
    text_buffer body = w->text;
    w->text = whole;
    text_add(&w->text,
             "\n<domain: \"my\", opset_import: [\"\": %d, \"my\": 1]> f%d <a, g, b: int = 7> (",
             10 + index, index);
    for (int i = 0; i < s->n_in; i++)
        text_add(&w->text, "%st%d", i ? ", " : "", i);
    text_add(&w->text, ") => (");
    for (int i = 0; i < s->n_out; i++) /* the first is no input, which may be missing */
        text_add(
            &w->text, "%s%s", i ? ", " : "",
            i ? w->name[s->n_in + (int)suite_below(&w->random, (uint32_t)(w->n_name - s->n_in))]
              : w->name[w->n_name - 1]);
    text_add(&w->text, ") {");
    text_write(&w->text, body.bytes, body.size);
    text_add(&w->text, " }");
    free(body.bytes);
}

static char *write_model(uint32_t seed)
{
    writer w = {.random = {seed}};
    const int n = 1 + (int)suite_below(&w.random, MAX_FUNCTIONS);
    for (int i = 0; i < n; i++)
        write_function(&w, i);
    text_buffer functions = w.text;
    w.text = (text_buffer){.bytes = NULL};
    w.in_function = false;
    w.n_function = n;
    w.n_name = w.next = 0;
    snprintf(w.name[w.n_name++], sizeof w.name[0], "x");
    text_add(&w.text,
             "<ir_version: 8, opset_import: [\"\": 17, \"my\": 1]> g (float x) => (last) {");
    write_statements(&w, 4);
    text_add(&w.text, " last = All (");
    for (int i = 0; i < w.n_name; i++)
        text_add(&w.text, "%s%s", i ? ", " : "", w.name[i]);
    text_add(&w.text, ") }");
    text_write(&w.text, functions.bytes, functions.size);
    free(functions.bytes);
    return w.text.bytes;
}

/* ---- the law ---- */

static void refute(uint32_t seed, const char *what, const char *text, const char *printed)
{
    fprintf(stderr, "%s\n%s\nbecomes\n%s\n", what, text, printed);
    ck_abort_msg("OC_SEED=%u fails", seed);
}

/* False: the model expands without bound. */
static bool check_seed(uint32_t seed)
{
    oc_error e = {.code = OC_OK};
    char why[400] = "";
    char *text = write_model(seed);
    oc_model *m = model_checked(text), *out = NULL;
    oc_model_inline(m, NULL, NULL, &out, &e);
    if (e.code == OC_LIMIT) {
        oc_model_free(m);
        free(text);
        return false;
    }
    if (e.code != OC_OK)
        refute(seed, e.text, text, "");
    char *printed = model_text(out);
    if (oc_model_check(out, &e) != OC_OK)
        refute(seed, e.text, text, printed);
    if (model_meaning(m) != model_meaning(out))
        refute(seed, "The meaning of a graph output changes:", text, printed);
    oc_model *again = model_checked(printed);
    if (!model_equal(out, again, why, sizeof why))
        refute(seed, why, text, printed);
    oc_model_free(again);
    oc_model_free(out);
    oc_model_free(m);
    free(printed);
    free(text);
    return true;
}

START_TEST(inlining_keeps_the_meaning)
{
    suite_random r = suite_random_new(1);
    if (getenv("OC_SEED"))
        check_seed(r.state);
    int n = 0;
    for (int i = 0; i < 1000; i++)
        n += check_seed(suite_below(&r, UINT32_MAX));
    ck_assert_int_gt(n, 900);
}
END_TEST

SUITE("inline_random", inlining_keeps_the_meaning)
