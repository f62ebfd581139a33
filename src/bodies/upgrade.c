/* SPDX-License-Identifier: Apache-2.0
 * upgrade.c - rewrites nodes as newer versions of their operators require.
 *
 * An operator's signature says what a version changed (ops/signature/sig.h). It lists a change only
 * if the rewritten node gives the same bits for every input that the older version takes. */
#include "bodies/unify_opsets.h"

#include "base/int.h"
#include "graph/build.h"
#include "ops/kit/registry.h"
#include "tensor/convert.h"

/* Returns the signature of the oldest version in (after, to] that lists changes for the node's
 * operator. *at becomes that version. NULL: there is none. */
static const oc_sig *find_change(const oc_node *n, oc_types *types, int64_t after, int64_t to,
                                 int64_t *at)
{
    const oc_sig *found = NULL;
    while (!*n->domain && to > after) {
        int oldest;
        oc_error e = {.code = OC_OK};
        const oc_sig *sig;
        const oc_op *row = oc_op_find(NULL, n->domain, n->op_type, to, &oldest);
        if (!row || row->since <= after)
            break;
        if (oc_sig_cached(&types->sigs, row->signature, &sig, &e) != OC_OK)
            break; /* the arena records the failure */
        if (sig->n_change) {
            found = sig;
            *at = row->since;
        }
        to = row->since - 1;
    }
    return found;
}

/* Can the change be made? Attributes may be of any kind, because no plan has checked the model
 * yet. */
static bool fits(const oc_sig_change *x, const oc_node *n, const oc_types *types)
{
    const oc_attr *a = x->attr ? oc_node_attr(n, x->attr) : NULL;
    switch (x->kind) {
    case OC_CHANGE_WITHOUT:
        return !a;
    case OC_CHANGE_OUTPUTS:
        for (int i = x->outputs; i < n->n_out; i++)
            if (*n->out[i])
                return false;
        return true;
    case OC_CHANGE_INPUT:
        return !a || a->kind == OC_ATTR_INTS || a->kind == OC_ATTR_INT;
    case OC_CHANGE_TYPED_INPUT:
        return n->n_in > 0 && oc_type_only(&types->of, n->in[0]).type != OC_UNDEFINED &&
               (!a || a->kind == OC_ATTR_FLOAT);
    case OC_CHANGE_ROWS:
        return n->n_in == 1 && (!a || a->kind == OC_ATTR_INT);
    default:
        return true;
    }
}

int64_t oc_upgrade_next(const oc_node *n, oc_types *types, int64_t from, int64_t to)
{
    int64_t at = 0;
    const oc_sig *sig = find_change(n, types, from, to, &at);
    for (int i = 0; sig && i < sig->n_change; i++)
        if (!fits(&sig->change[i], n, types))
            return 0;
    return at;
}

/* ---- making nodes ---- */

typedef struct upgrader {
    oc_model *m;
    const oc_types *types;
    oc_node *n; /* the node that is rewritten */
    int64_t at, to;
    oc_node **before;
    int *n_before;
    oc_error *e;
} upgrader;

/* Returns a name that is new in the model: the name of the node's first output, followed by
 * `what`, and by a number if that name is taken. Numbers grow fast, so that many nodes of one
 * name do not take long. */
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

/* Returns a list of n + 1 items: a copy of the n items of list, and a last item of zeros. */
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
    *s = (oc_string){oc_arena_text(&r->m->arena, word, strlen(word)), strlen(word)};
    a.u.s = s;
    return set_attr(r, r->n, &a);
}

static void remove_attr(const upgrader *r, const oc_attr *a)
{
    oc_node *n = r->n;
    oc_attr *list = copy_longer(r, n->attr, n->n_attr, sizeof *list);
    const size_t at = (size_t)(a - n->attr), behind = (size_t)n->n_attr - at - 1;
    if (!list)
        return; /* the arena records the failure */
    memmove(list + at, list + at + 1, behind * sizeof *list);
    n->attr = list;
    n->n_attr--;
}

/* Adds a node before the one that is rewritten, with one input ("": none) and one output of a new
 * name. */
static oc_node *add_before(const upgrader *r, const char *op, oc_name in, const char *what)
{
    oc_model *m = r->m;
    oc_name *ports = oc_arena_array(&m->arena, 2, sizeof *ports);
    oc_node *n = OC_PUSH(&m->arena, *r->before, *r->n_before);
    if (!ports || !n)
        return NULL;
    ports[0] = in;
    ports[1] = new_name(r, what);
    *n = oc_model_node(m, op, ports, r->at);
    return n;
}

/* Adds a constant of n elements (-1: a scalar). *v becomes its value and *name its name. */
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
    const int n_in = oc_max(n->n_in, index + 1);
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
    if (a->n)
        memcpy(v->data, a->u.i, (size_t)a->n * sizeof *a->u.i);
    OC_TRY(set_input(r, index, name));
    remove_attr(r, a);
    return oc_arena_check(&r->m->arena, r->e);
}

static oc_status make_typed_input(const upgrader *r, const oc_attr *a, const oc_sig_change *x)
{
    const oc_type type = oc_type_only(&r->types->of, r->n->in[0]).type;
    const oc_value *v;
    oc_name name;
    OC_TRY(add_constant(r, x->attr, type, -1, &v, &name));
    oc_convert(v->data, type, a ? a->u.f : &x->number, OC_F32, 1, false);
    OC_TRY(set_input(r, x->input, name));
    if (a)
        remove_attr(r, a);
    return oc_arena_check(&r->m->arena, r->e);
}

static oc_status rename_word(const upgrader *r, const oc_attr *a, const oc_sig_change *x)
{
    const size_t size = strlen(x->old_word);
    if (!a || a->kind != OC_ATTR_STRING || a->u.s->size != size ||
        memcmp(a->u.s->data, x->old_word, size) != 0)
        return OC_OK;
    return set_word(r, a->name, x->word);
}

static oc_status drop_attr(const upgrader *r, const oc_attr *a)
{
    if (a)
        remove_attr(r, a);
    return oc_arena_check(&r->m->arena, r->e);
}

/* y = Op (x) becomes shape = Shape (x), rows = Flatten (x), z = Op (rows), y = Reshape (z, shape).
 * The node that is rewritten becomes the last of these. From opset 14 on, a 0 in the shape is a
 * size of 0. */
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

static oc_status apply_change(const upgrader *r, const oc_sig_change *x)
{
    oc_node *n = r->n;
    const oc_attr *a = x->attr ? oc_node_attr(n, x->attr) : NULL;
    switch (x->kind) {
    case OC_CHANGE_INPUT:
        return make_input(r, a, x->input);
    case OC_CHANGE_TYPED_INPUT:
        return make_typed_input(r, a, x);
    case OC_CHANGE_DROPPED:
        return drop_attr(r, a);
    case OC_CHANGE_DEFAULT:
        return a ? OC_OK : set_word(r, x->attr, x->word);
    case OC_CHANGE_WORD:
        return rename_word(r, a, x);
    case OC_CHANGE_COUNT:
        return n->n_in > 1 && *n->in[1] ? OC_OK : set_int(r, n, x->attr, n->n_out);
    case OC_CHANGE_ROWS:
        return flatten_rows(r, a);
    case OC_CHANGE_OUTPUTS:
    case OC_CHANGE_NOTHING:
    case OC_CHANGE_WITHOUT:
        break;
    }
    return OC_OK;
}

oc_status oc_upgrade(oc_model *m, oc_types *types, oc_node *n, int64_t at, int64_t to,
                     oc_node **before, int *n_before, oc_error *e)
{
    const upgrader r = {m, types, n, at, to, before, n_before, e};
    int64_t found = 0;
    const oc_sig *sig = find_change(n, types, at - 1, at, &found);
    for (int i = 0; sig && i < sig->n_change; i++)
        OC_TRY(apply_change(&r, &sig->change[i]));
    return OC_OK;
}
