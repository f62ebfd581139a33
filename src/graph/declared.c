/* SPDX-License-Identifier: Apache-2.0
 * declared.c - compares values with the types that a model declares for them. */
#include "graph/declared.h"

static bool is_list(const oc_type_info *t)
{
    return (t->kind == OC_TYPE_SEQUENCE || t->kind == OC_TYPE_OPTIONAL) && t->item;
}

/* Returns the map that t is, or the map that the items of sequence t are; else NULL. */
static const oc_type_info *map_of(const oc_type_info *t)
{
    if (t->kind == OC_TYPE_SEQUENCE)
        t = t->item;
    return t && t->kind == OC_TYPE_MAP && t->item ? t : NULL;
}

bool oc_declared_has_map(const oc_type_info *t)
{
    while (t && t->kind != OC_TYPE_MAP)
        t = t->item;
    return t != NULL;
}

/* Writes what stands before the item of a list or map. */
static size_t open_text(const oc_type_info *t, char *text, size_t size)
{
    if (t->kind == OC_TYPE_MAP)
        return (size_t)snprintf(text, size, "map(%s, ", oc_type_name(t->type));
    return (size_t)snprintf(text, size, "%s(", t->kind == OC_TYPE_SEQUENCE ? "seq" : "optional");
}

const char *oc_declared_text(const oc_type_info *t, char text[OC_DECLARED_TEXT])
{
    const size_t size = OC_DECLARED_TEXT;
    size_t at = 0;
    int depth = 0;
    for (; (is_list(t) || map_of(t) == t) && at < size; t = t->item, depth++)
        at += open_text(t, text + at, size - at);
    if (at < size)
        at += (size_t)snprintf(text + at, size - at, "%s[", oc_type_name(t->type));
    for (int i = 0; i < t->rank && at < size; i++) {
        const char *comma = i ? "," : "";
        const oc_dim *d = &t->dims[i];
        at += (size_t)(d->n >= 0 ? snprintf(text + at, size - at, "%s%" PRId64, comma, d->n)
                                 : snprintf(text + at, size - at, "%s%s", comma,
                                            *d->symbol ? d->symbol : "?"));
    }
    if (at < size)
        at += (size_t)snprintf(text + at, size - at, "]");
    for (; depth > 0 && at < size; depth--)
        at += (size_t)snprintf(text + at, size - at, ")");
    return text;
}

oc_kind oc_declared_kind(const oc_type_info *t)
{
    return t->kind == OC_TYPE_SEQUENCE   ? OC_SEQUENCE
           : t->kind == OC_TYPE_OPTIONAL ? OC_OPTIONAL
           : t->kind == OC_TYPE_MAP      ? OC_MAP
                                         : OC_TENSOR;
}

oc_type oc_declared_type(const oc_type_info *t)
{
    while (is_list(t))
        t = t->item;
    return t->kind == OC_TYPE_TENSOR || t->kind == OC_TYPE_SPARSE ? t->type : OC_UNDEFINED;
}

bool oc_declared_allows(const oc_type_info *t, oc_kind kind, oc_type type)
{
    const oc_kind declared = oc_declared_kind(t);
    const oc_type element = oc_declared_type(t);
    return !element || !type ||
           (element == type &&
            (declared == kind || declared == OC_OPTIONAL || kind == OC_OPTIONAL));
}

bool oc_declared_holds(const oc_type_info *t, const oc_value *v)
{
    const oc_type_info *map = map_of(t);
    if (t->kind == OC_TYPE_NONE || (!map && !v->key))
        return oc_declared_allows(t, v->kind, v->type);
    return map && oc_declared_kind(t) == v->kind && map->type == v->key &&
           oc_declared_allows(map->item, OC_TENSOR, v->type);
}

bool oc_declared_fits(const oc_type_info *t, const oc_value *v)
{
    if (oc_declared_kind(t) != OC_TENSOR || !oc_declared_type(t) || v->kind != OC_TENSOR ||
        t->rank < 0)
        return true;
    if (t->rank != v->dims.rank)
        return false;
    for (int i = 0; i < t->rank; i++)
        if (t->dims[i].n >= 0 && t->dims[i].n != v->dims.n[i])
            return false;
    return true;
}

const char *oc_declared_contradiction(const char *where, const char *port,
                                      const oc_value_info *info, const char *actual,
                                      char text[OC_CONTRADICTION])
{
    char declared[OC_DECLARED_TEXT];
    oc_show(text, OC_CONTRADICTION, "%s: %s '%.200s' is %s, declared %s", where, port, info->name,
            actual, oc_declared_text(&info->type, declared));
    return text;
}

oc_status oc_declared_fail(const char *where, const char *port, const oc_value_info *info,
                           const char *actual, oc_error *e)
{
    char text[OC_CONTRADICTION];
    return oc_error_set(e, OC_TYPE, "%s",
                        oc_declared_contradiction(where, port, info, actual, text));
}

static bool dims_agree(const oc_type_info *a, const oc_type_info *b)
{
    if (a->rank < 0 || b->rank < 0)
        return true;
    for (int i = 0; i < a->rank && i < b->rank; i++)
        if (a->dims[i].n >= 0 && b->dims[i].n >= 0 && a->dims[i].n != b->dims[i].n)
            return false;
    return a->rank == b->rank;
}

bool oc_declared_agree(const oc_type_info *a, const oc_type_info *b)
{
    for (; a->kind == b->kind && a->item && b->item; a = a->item, b = b->item)
        if (a->type != b->type) /* compares the key types of maps */
            return false;
    if (a->kind == OC_TYPE_NONE || b->kind == OC_TYPE_NONE)
        return true;
    return a->kind == b->kind && (!a->type || !b->type || a->type == b->type) && dims_agree(a, b);
}

/* Adds to `known`, which declares a tensor, what `other` declares and `known` does not. */
static oc_status learn(oc_type_info *known, const oc_type_info *other, oc_arena *arena, oc_error *e)
{
    if (known->kind == OC_TYPE_NONE)
        *known = *other;
    known->type = known->type ? known->type : other->type;
    if (other->rank < 0)
        return OC_OK;
    oc_dim *dims = oc_arena_array(arena, (size_t)other->rank, sizeof *dims);
    OC_TRY(oc_arena_check(arena, e));
    for (int i = 0; i < other->rank; i++)
        dims[i] = known->rank >= 0 && known->dims[i].n >= 0 ? known->dims[i] : other->dims[i];
    known->dims = dims;
    known->rank = other->rank;
    return OC_OK;
}

oc_status oc_declared_check(const oc_graph *g, const char *what, oc_arena *arena, oc_error *e)
{
    oc_name_map seen = oc_name_map_new(arena);
    oc_type_info *known = NULL; /* maps each name to the number of its first declaration */
    int n_known = 0;
    for (int i = 0; i < g->n_value; i++) {
        const oc_value_info *v = &g->value[i];
        const int first = oc_name_map_get(&seen, v->name);
        char one[OC_DECLARED_TEXT], other[OC_DECLARED_TEXT];
        if (first < 0) {
            oc_type_info *type = OC_PUSH(arena, known, n_known);
            if (!type || !oc_name_map_put(&seen, v->name, n_known - 1))
                return oc_arena_check(arena, e);
            *type = v->type;
            continue;
        }
        if (!oc_declared_agree(&known[first], &v->type))
            return oc_error_set(e, OC_MODEL, "%s: value '%s' is declared as %s and as %s", what,
                                v->name, oc_declared_text(&known[first], one),
                                oc_declared_text(&v->type, other));
        if (v->type.kind == OC_TYPE_TENSOR || v->type.kind == OC_TYPE_SPARSE)
            OC_TRY(learn(&known[first], &v->type, arena, e));
    }
    return OC_OK;
}
