/* SPDX-License-Identifier: Apache-2.0
 * upgrade.c - what changed between versions of operators, and how to say the same after it.
 *
 * A rule is here only if the node that it makes gives the same bits for every input that the older
 * version takes. */
#include "bodies/upgrade.h"

#include "graph/build.h"
#include "tensor/convert.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef enum change {
    SAME,    /* only more is allowed than was */
    INPUT,   /* the attribute, integers, became input `index` */
    TYPED,   /* the attribute, a float or else the number, became that input, of the type of input 0
              */
    LACK,    /* the attribute has no equivalent: only nodes without it can be upgraded */
    DROP,    /* the attribute is gone; nothing depends on it where the other rules hold */
    DEFAULT, /* what was done without the attribute is no longer its default: the word */
    WORD,    /* a value of the attribute has another name: "old new" */
    PARTS,   /* a Split into equal parts says how many, as its attribute */
    FLAT     /* the axes behind `axis` were taken as one */
} change;

typedef struct rule {
    const char *ops; /* names, blanks between */
    int at;          /* the version that brought it */
    change what;
    const char *attr, *word;
    int index;
    float number;
} rule;

#define BINARY "Add And Div Equal Greater Less Mul Or Pow Sub Xor"
#define REDUCE                                                                                     \
    "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd "    \
    "ReduceSumSquare"

/* clang-format off */
static const rule rules[] = {
    {BINARY,                         7, LACK,    "axis",        NULL,              0, 0},
    {BINARY,                         7, DROP,    "broadcast",   NULL,              0, 0},
    {"Max Min Sum",                  8, SAME,    NULL,          NULL,              0, 0},
    {"Slice",                       10, INPUT,   "starts",      NULL,              1, 0},
    {"Slice",                       10, INPUT,   "ends",        NULL,              2, 0},
    {"Slice",                       10, INPUT,   "axes",        NULL,              3, 0},
    {"Flatten",                     11, SAME,    NULL,          NULL,              0, 0},
    {"Clip",                        11, TYPED,   "min",         NULL,              1, -FLT_MAX},
    {"Clip",                        11, TYPED,   "max",         NULL,              2, FLT_MAX},
    {"Pad",                         11, INPUT,   "pads",        NULL,              1, 0},
    {"Pad",                         11, TYPED,   "value",       NULL,              2, 0},
    {"ReduceSum Squeeze Unsqueeze", 13, INPUT,   "axes",        NULL,              1, 0},
    {"Split",                       13, INPUT,   "split",       NULL,              1, 0},
    {"Hardmax LogSoftmax Softmax",  13, FLAT,    "axis",        NULL,              0, 0},
    {"RoiAlign",                    16, DEFAULT, "coordinate_transformation_mode",
                                                              "output_half_pixel", 0, 0},
    {REDUCE,                        18, INPUT,   "axes",        NULL,              1, 0},
    {"Split",                       18, PARTS,   "num_outputs", NULL,              1, 0},
    {"GridSample",                  20, WORD,    "mode",        "bilinear linear", 0, 0},
    {"GridSample",                  20, WORD,    "mode",        "bicubic cubic",   0, 0},
};
/* clang-format on */

enum { N_RULES = sizeof rules / sizeof *rules };

static bool is_among(const char *words, const char *word)
{
    const size_t size = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += size)
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || !at[size]))
            return true;
    return false;
}

static bool concerns(const rule *r, const oc_node *n)
{
    return !*n->domain && is_among(r->ops, n->op_type);
}

/* Can the rule be applied? Attributes may be of any kind in a model that nobody has run yet. */
static bool fits(const rule *r, const oc_node *n, const oc_types *types)
{
    const oc_attr *a = r->attr ? oc_node_attr(n, r->attr) : NULL;
    if (r->what == LACK)
        return !a;
    if (r->what == INPUT)
        return !a || a->kind == OC_ATTR_INTS;
    if (r->what == TYPED)
        return n->n_in > 0 && oc_types_only(types, n->in[0]).type != OC_UNDEFINED &&
               (!a || a->kind == OC_ATTR_FLOAT);
    return r->what != FLAT || (n->n_in == 1 && (!a || a->kind == OC_ATTR_INT));
}

int64_t oc_upgrade_next(const oc_node *n, const oc_types *types, int64_t from, int64_t to)
{
    int64_t next = 0;
    for (int i = 0; i < N_RULES && !next; i++)
        if (rules[i].at > from && rules[i].at <= to && concerns(&rules[i], n))
            next = rules[i].at;
    for (int i = 0; i < N_RULES; i++)
        if (rules[i].at == next && concerns(&rules[i], n) && !fits(&rules[i], n, types))
            return 0;
    return next;
}

/* ---- making nodes ---- */

typedef struct upgrader {
    oc_model *m;
    const oc_types *types;
    oc_node *n; /* the node at hand */
    int64_t at, to;
    oc_node **before;
    int *n_before;
    oc_error *e;
} upgrader;

/* A name that nothing in the model has: that of the node's first output, and what. Where it is
 * taken a number follows, far from those before it, so that many nodes of one name cost no more. */
static oc_name new_name(const upgrader *r, const char *what)
{
    enum { NAME = 300 };
    oc_model *m = r->m;
    char text[NAME];
    uint64_t number = 2;
    snprintf(text, sizeof text, "%.200s/%.40s", r->n->n_out ? r->n->out[0] : "", what);
    const size_t size = strlen(text);
    for (; oc_names_find(&m->names, text, strlen(text));
         number = number == 2 ? m->names.n_entries + 3 : 3 * number + 1)
        snprintf(text + size, sizeof text - size, "_%" PRIu64, number);
    return oc_model_name(m, text);
}

/* List of n + 1 items: a copy of the n at list, and a last one of zeros. */
static void *copy_longer(const upgrader *r, const void *list, int n, size_t size)
{
    char *copy = oc_arena_array(&r->m->arena, (size_t)n + 1, size);
    if (copy && n)
        memcpy(copy, list, (size_t)n * size);
    return copy;
}

static oc_status set_attr(const upgrader *r, oc_node *n, const oc_attr *a)
{
    oc_attr *list = copy_longer(r, n->attr, n->n_attr, sizeof *list);
    OC_TRY(oc_arena_check(&r->m->arena, r->e));
    int i = 0;
    while (i < n->n_attr && strcmp(list[i].name, a->name) != 0)
        i++;
    list[i] = *a;
    n->n_attr += i == n->n_attr;
    n->attr = list;
    return OC_OK;
}

static oc_attr new_attr(const upgrader *r, const char *name, oc_attr_kind kind)
{
    oc_model *m = r->m;
    return (oc_attr){
        .name = oc_model_name(m, name), .doc = oc_model_name(m, ""), .kind = kind, .n = 1};
}

static oc_status set_int(const upgrader *r, oc_node *n, const char *name, int64_t value)
{
    oc_attr a = new_attr(r, name, OC_ATTR_INT);
    int64_t *number = oc_arena_alloc(&r->m->arena, sizeof *number);
    OC_TRY(oc_arena_check(&r->m->arena, r->e));
    *number = value;
    a.u.i = number;
    return set_attr(r, n, &a);
}

static oc_status set_word(const upgrader *r, const char *name, const char *word)
{
    oc_attr a = new_attr(r, name, OC_ATTR_STRING);
    oc_string *s = oc_arena_alloc(&r->m->arena, sizeof *s);
    OC_TRY(oc_arena_check(&r->m->arena, r->e));
    *s = (oc_string){word, strlen(word)};
    a.u.s = s;
    return set_attr(r, r->n, &a);
}

static void remove_attr(const upgrader *r, const oc_attr *a)
{
    oc_node *n = r->n;
    oc_attr *list = copy_longer(r, n->attr, n->n_attr, sizeof *list);
    const size_t at = (size_t)(a - n->attr), behind = (size_t)n->n_attr - at - 1;
    if (!list)
        return; /* the arena remembers */
    memmove(list + at, list + at + 1, behind * sizeof *list);
    n->attr = list;
    n->n_attr--;
}

/* A node before the one at hand, with one input ("": none) and one output of a new name. */
static oc_node *add_before(const upgrader *r, const char *op, oc_name in, const char *what)
{
    oc_model *m = r->m;
    const oc_name none = oc_model_name(m, "");
    oc_name *ports = oc_arena_array(&m->arena, 2, sizeof *ports);
    oc_node *n = OC_PUSH(&m->arena, *r->before, *r->n_before);
    if (!ports || !n)
        return NULL;
    ports[0] = in;
    ports[1] = new_name(r, what);
    *n = (oc_node){.name = none,
                   .op_type = oc_model_name(m, op),
                   .domain = none,
                   .overload = none,
                   .doc = "",
                   .in = ports,
                   .out = ports + 1,
                   .n_in = *in != 0,
                   .n_out = 1,
                   .opset = r->at};
    return n;
}

/* *v is a new constant of n elements (-1: a scalar), its name is *name. */
static oc_status add_constant(const upgrader *r, const char *what, oc_type type, int n,
                              const oc_value **v, oc_name *name)
{
    oc_model *m = r->m;
    const oc_dims dims = {n >= 0, {n >= 0 ? n : 0}};
    oc_constant *t = oc_arena_alloc(&m->arena, sizeof *t);
    oc_node *node = add_before(r, "Constant", "", what);
    oc_attr a = new_attr(r, "value", OC_ATTR_TENSOR);
    OC_TRY(oc_arena_check(&m->arena, r->e));
    OC_TRY(oc_model_tensor(m, type, &dims, &t->value, r->e));
    t->name = t->doc = node->name;
    a.u.t = t;
    *v = &t->value;
    *name = node->out[0];
    return set_attr(r, node, &a);
}

/* ---- the rules ---- */

static oc_status set_input(const upgrader *r, int index, oc_name name)
{
    oc_node *n = r->n;
    const int n_in = n->n_in > index ? n->n_in : index + 1;
    oc_name *in = oc_arena_array(&r->m->arena, (size_t)n_in, sizeof *in);
    OC_TRY(oc_arena_check(&r->m->arena, r->e));
    for (int i = 0; i < n_in; i++)
        in[i] = i < n->n_in ? n->in[i] : oc_model_name(r->m, "");
    in[index] = name;
    n->in = in;
    n->n_in = n_in;
    return oc_arena_check(&r->m->arena, r->e);
}

static oc_status make_input(const upgrader *r, const oc_attr *a, int index)
{
    const oc_value *v;
    oc_name name;
    if (!a)
        return OC_OK;
    OC_TRY(add_constant(r, a->name, OC_I64, a->n, &v, &name));
    memcpy(v->data, a->u.i, (size_t)a->n * sizeof *a->u.i);
    OC_TRY(set_input(r, index, name));
    remove_attr(r, a);
    return oc_arena_check(&r->m->arena, r->e);
}

static oc_status make_typed_input(const upgrader *r, const oc_attr *a, const rule *x)
{
    const oc_type type = oc_types_only(r->types, r->n->in[0]).type;
    const oc_value *v;
    oc_name name;
    OC_TRY(add_constant(r, x->attr, type, -1, &v, &name));
    oc_convert(v->data, type, a ? a->u.f : &x->number, OC_F32, 1, false);
    OC_TRY(set_input(r, x->index, name));
    if (a)
        remove_attr(r, a);
    return oc_arena_check(&r->m->arena, r->e);
}

static oc_status rename_word(const upgrader *r, const oc_attr *a, const char *old_new)
{
    const size_t size = strcspn(old_new, " ");
    if (a->kind != OC_ATTR_STRING || a->u.s->size != size ||
        memcmp(a->u.s->data, old_new, size) != 0)
        return OC_OK;
    return set_word(r, a->name, old_new + size + 1);
}

/* y = Op (x) becomes shape = Shape (x), rows = Flatten (x), z = Op (rows), y = Reshape (z, shape).
 * The node at hand becomes the last. Sizes of 0 stand for themselves from opset 14 on. */
static oc_status flatten_rows(const upgrader *r, const oc_attr *axis)
{
    oc_model *m = r->m;
    oc_node *n = r->n;
    const oc_name x = n->in[0];
    const oc_node *shape = add_before(r, "Shape", x, "shape");
    const oc_name dims = shape ? shape->out[0] : NULL;
    oc_node *flatten = add_before(r, "Flatten", x, "rows");
    const oc_name rows = flatten ? flatten->out[0] : NULL;
    OC_TRY(oc_arena_check(&m->arena, r->e));
    if (axis)
        OC_TRY(set_attr(r, flatten, axis));
    oc_node *row_wise = add_before(r, n->op_type, rows, "of_rows");
    oc_name *in = oc_arena_array(&m->arena, 2, sizeof *in);
    OC_TRY(oc_arena_check(&m->arena, r->e));
    OC_TRY(set_int(r, row_wise, "axis", -1));
    in[0] = row_wise->out[0];
    in[1] = dims;
    n->op_type = oc_model_name(m, "Reshape");
    n->in = in;
    n->n_in = 2;
    n->n_attr = 0;
    return r->to >= 14 ? set_int(r, n, "allowzero", 1) : oc_arena_check(&m->arena, r->e);
}

static oc_status apply(const upgrader *r, const rule *x)
{
    oc_node *n = r->n;
    const oc_attr *a = x->attr ? oc_node_attr(n, x->attr) : NULL;
    switch (x->what) {
    case INPUT:
        return make_input(r, a, x->index);
    case TYPED:
        return make_typed_input(r, a, x);
    case DROP:
        if (a)
            remove_attr(r, a);
        return oc_arena_check(&r->m->arena, r->e);
    case DEFAULT:
        return a ? OC_OK : set_word(r, x->attr, x->word);
    case WORD:
        return a ? rename_word(r, a, x->word) : OC_OK;
    case PARTS:
        return n->n_in > 1 && *n->in[1] ? OC_OK : set_int(r, n, x->attr, n->n_out);
    case FLAT:
        return flatten_rows(r, a);
    case SAME:
    case LACK:
        break;
    }
    return OC_OK;
}

oc_status oc_upgrade(oc_model *m, const oc_types *types, oc_node *n, int64_t at, int64_t to,
                     oc_node **before, int *n_before, oc_error *e)
{
    const upgrader r = {m, types, n, at, to, before, n_before, e};
    const oc_node old = *n;
    for (int i = 0; i < N_RULES; i++)
        if (rules[i].at == at && concerns(&rules[i], &old))
            OC_TRY(apply(&r, &rules[i]));
    return OC_OK;
}
