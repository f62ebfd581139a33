/* SPDX-License-Identifier: Apache-2.0
 * pair.c - which file of one list belongs to which of another? */
#include "map/list.h"

#include "map/stems.h"

void list_add_partner(file_item *to, char *path)
{
    to->partner = tool_push(to->partner, (size_t)to->n_partner, sizeof *to->partner);
    to->partner[to->n_partner++] = path;
}

/* Leaves out a file that has no partner where text names files. */
static void leave_alone(file_list *l, file_item *f, const char *text)
{
    list_leave_out(l, f->path, LEFT_ALONE, text);
    f->path = NULL;
    list_free_item(f);
}

/* Files by their paths below the folder, and by these without endings. */
typedef struct names {
    text_index whole; /* maps to numbers of files */
    stems stems;
} names;

static names names_of(const file_list *l)
{
    names n = {.stems = stems_new(l->n)};
    for (int i = 0; i < l->n; i++) {
        text_index_add(&n.whole, l->item[i].path + l->folder, i);
        stems_add(&n.stems, l->item[i].path + l->folder, i);
    }
    return n;
}

/* Returns the number of the partner of the file; -1 when there is none. */
static int find_partner(const names *n, const char *path, const char *text, oc_error *e)
{
    int count, found = text_index_find(&n->whole, path);
    if (found >= 0)
        return found;
    found = stems_find(&n->stems, path, &count);
    if (found >= 0 && count > 1) {
        char *stem = tool_format("%s", path);
        stems_cut(stem);
        tool_fail(e, OC_ARGUMENT, "%s: %d files are named '%s', and '%s' can have one partner",
                  text, count, stem, path);
        free(stem);
    }
    return found;
}

static void pair_by_name(file_list *l, const char *l_text, file_list *other, const char *text,
                         oc_error *e)
{
    names n = names_of(other);
    file_item **taken = tool_alloc((size_t)other->n, sizeof *taken);
    int kept = 0;
    for (int i = 0; i < l->n; i++) {
        file_item *f = &l->item[i];
        const int k = e->code == OC_OK ? find_partner(&n, f->path + l->folder, text, e) : 0;
        if (e->code == OC_OK && k >= 0 && taken[k])
            tool_fail(e, OC_ARGUMENT, "%s: '%s' is the partner of both '%s' and '%s'", text,
                      taken[k]->partner[taken[k]->n_partner - 1], taken[k]->path, f->path);
        if (k < 0) {
            leave_alone(l, f, text);
            continue;
        }
        l->item[kept] = *f;
        if (e->code == OC_OK) {
            taken[k] = &l->item[kept];
            list_add_partner(taken[k], other->item[k].path);
            other->item[k].path = NULL;
        }
        kept++;
    }
    l->n = kept;
    for (int k = 0; k < other->n; k++)
        if (other->item[k].path)
            leave_alone(l, &other->item[k], l_text);
    if (e->code == OC_OK && kept == 0)
        tool_fail(e, OC_ARGUMENT, "no file of %s has a partner of its name in %s", l_text, text);
    text_index_free(&n.whole);
    stems_free(&n.stems);
    free(taken);
}

void list_pair(file_list *l, const char *l_text, file_list *other, const char *text, oc_error *e)
{
    const bool lines = list_has_lines(text);
    if (e->code == OC_OK && lines != list_has_lines(l_text))
        tool_fail(e, OC_ARGUMENT, "%s and %s: expected two lists of paths, or none", l_text, text);
    else if (e->code == OC_OK && lines && l->n != other->n)
        tool_fail(e, OC_ARGUMENT, "%s has %d paths, and %s %d: expected one beside each", l_text,
                  l->n, text, other->n);
    else if (e->code == OC_OK && !lines)
        pair_by_name(l, l_text, other, text, e);
    for (int i = 0; i < other->n && lines && e->code == OC_OK; i++) {
        list_add_partner(&l->item[i], other->item[i].path);
        other->item[i].path = NULL;
    }
    for (int i = 0; i < other->n_left; i++) {
        list_leave_out(l, other->left[i].path, other->left[i].reason, NULL);
        other->left[i].path = NULL;
    }
    list_free(other);
}
