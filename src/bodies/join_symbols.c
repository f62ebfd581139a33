/* SPDX-License-Identifier: Apache-2.0
 * join_symbols.c - which symbols do dims have in a model that is put behind another one? */
#include "bodies/joiner.h"

#include "graph/build.h"

/* A symbol of dims in the new model. */
typedef struct symbol {
    oc_inliner *x;
    const oc_joint *joint;
    char *text;
    int size;
} symbol;

static void append(symbol *s, const char *bytes, size_t size)
{
    oc_arena_append(s->x->names.scratch, &s->text, &s->size, bytes, size);
}

/* Returns how many bytes of a name such as "batch" the text begins with. */
static size_t word_size(const char *text)
{
    size_t size = 0;
    for (; text[size] == '_' || (text[size] >= 'a' && text[size] <= 'z') ||
           (text[size] >= 'A' && text[size] <= 'Z') ||
           (size && text[size] >= '0' && text[size] <= '9');
         size++)
        ;
    return size;
}

/* Returns the dim that text stands for in the new model; NULL when it stands for itself. */
static const oc_dim *find_dim(const oc_joint *j, const char *text, size_t size)
{
    const oc_name known = oc_names_find(&j->model->names, text, size);
    const int at = known ? oc_name_map_get(&j->symbols, known) : -1;
    return at >= 0 ? &j->dim[at] : NULL;
}

/* Appends a word of an expression. The old model's names are others than the joint's. */
static void append_word(symbol *s, const char *word, size_t size)
{
    const oc_dim *dim = find_dim(s->joint, word, size);
    char text[24];
    if (dim && dim->n >= 0) {
        append(s, text, (size_t)snprintf(text, sizeof text, "%" PRId64, dim->n));
    } else if (dim) {
        const bool whole = !dim->symbol[word_size(dim->symbol)];
        append(s, "(", !whole);
        append(s, dim->symbol, strlen(dim->symbol));
        append(s, ")", !whole);
    } else {
        const char *made = oc_arena_text(s->x->names.scratch, word, size);
        while (made && oc_names_find(&s->x->names.from->names, made, strlen(made)))
            made = oc_arena_printf(s->x->names.scratch, "%s_%s", s->joint->prefix, made);
        append(s, made, made ? strlen(made) : 0);
    }
}

/* Symbols may be expressions such as "batch*heads", so they are replaced word by word. */
static oc_dim replace_symbol(oc_inliner *x, const oc_joint *j, oc_dim d)
{
    const oc_dim *dim = find_dim(j, d.symbol, strlen(d.symbol));
    symbol s = {.x = x, .joint = j};
    if (!*d.symbol)
        return d;
    if (dim)
        return (oc_dim){dim->n, dim->symbol, d.denotation};
    for (const char *at = d.symbol; *at;) {
        const size_t size = word_size(at);
        if (size)
            append_word(&s, at, size);
        else
            append(&s, at, 1);
        at += size + !size;
    }
    d.symbol = oc_model_name_n(x->to, s.text, (size_t)s.size);
    return d;
}

void oc_join_rename_dims(oc_inliner *x, const oc_joint *j, oc_type_info *t)
{
    oc_dim *dims =
        t->rank > 0 ? oc_arena_array(&x->to->arena, (size_t)t->rank, sizeof *dims) : NULL;
    for (int i = 0; dims && i < t->rank; i++)
        dims[i] = replace_symbol(x, j, t->dims[i]);
    t->dims = dims;
    oc_type_info *item = t->item ? oc_arena_alloc(&x->to->arena, sizeof *item) : NULL;
    if (item) {
        *item = *t->item;
        oc_join_rename_dims(x, j, item);
    }
    t->item = item;
}

void oc_join_link_symbols(oc_joiner *j)
{
    const oc_graph *second = &j->second->graph;
    oc_joint *to = &j->joint;
    for (int i = 0; i < second->n_input; i++) {
        const oc_type_info *in = &second->input[i].type;
        const oc_type_info *out = j->feed[i] ? &j->feed[i]->type : in;
        for (int k = 0; out != in && out->rank == in->rank && k < in->rank; k++) {
            const oc_dim *d = &out->dims[k];
            if (!*in->dims[k].symbol || (d->n < 0 && !*d->symbol))
                continue;
            oc_dim *last = OC_PUSH(to->symbols.arena, to->dim, to->n_dim);
            if (!last || !oc_name_map_put(&to->symbols, in->dims[k].symbol, to->n_dim - 1))
                return; /* the arena records the failure */
            *last = *d;
        }
    }
}
