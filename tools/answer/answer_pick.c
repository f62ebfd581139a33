/* SPDX-License-Identifier: Apache-2.0
 * answer_pick.c - reads which classes are asked for, and copies what is of them. */
#include "answer/answer_pick.h"

#include "common/data.h"
#include "common/limits.h"
#include "common/nearest.h"

/* ---- which classes ---- */

/* Marks a label; false: there is no such label. */
static bool add(picked_classes *p, int64_t label, int64_t n_classes)
{
    if (label >= LIMIT_NAMES || (n_classes >= 0 && label >= n_classes))
        return false;
    if (label >= p->n) {
        p->has = tool_grow(p->has, (size_t)label + 1, sizeof *p->has);
        memset(p->has + p->n, 0, (size_t)(label + 1 - p->n) * sizeof *p->has);
        p->n = (int)label + 1;
    }
    p->has[label] = true;
    return true;
}

/* Marks all labels of the name, which has size bytes; false: there is none. */
static bool add_name(picked_classes *p, const char *name, size_t size, const metadata_names *names)
{
    bool any = false;
    for (int i = 0; i < names->n; i++) {
        const char *known = names->name[i];
        if (known && strlen(known) == size && memcmp(known, name, size) == 0)
            any = add(p, i, -1) || any;
    }
    return any;
}

static bool add_number(picked_classes *p, const char *text, size_t size, int64_t n_classes)
{
    char *end;
    const bool is_digit = *text >= '0' && *text <= '9';
    const long long label = is_digit ? strtoll(text, &end, 10) : -1;
    return is_digit && end == text + size && add(p, label, n_classes);
}

static void refuse(const char *text, size_t size, const metadata_names *names, int64_t n_classes,
                   oc_error *e)
{
    char *word = tool_format("%.*s", (int)size, text), hint[NEAREST_TEXT], range[64] = "";
    nearest near = {.text = word};
    for (int i = 0; i < names->n; i++)
        if (names->name[i])
            nearest_try(&near, names->name[i]);
    if (n_classes >= 0)
        snprintf(range, sizeof range, " from 0 to %lld", (long long)n_classes - 1);
    tool_fail(e, OC_ARGUMENT, "--classes: there is no class '%s'%s; expected a name or a number%s",
              word, nearest_hint(&near, hint), range);
    free(word);
}

void picked_read(picked_classes *p, const char *text, const metadata_names *names,
                 int64_t n_classes, oc_error *e)
{
    while (e->code == OC_OK) {
        const size_t first = strcspn(text, ",");
        size_t size = strlen(text);
        /* of names with commas the longest one counts */
        while (size > first && !add_name(p, text, size, names))
            do
                size--;
            while (size > first && text[size] != ',');
        if (size == first && !add_name(p, text, size, names) &&
            !add_number(p, text, size, n_classes))
            refuse(text, size, names, n_classes, e);
        if (!text[size])
            return;
        text += size + 1;
    }
}

void picked_free(picked_classes *p)
{
    free(p->has);
    *p = (picked_classes){0};
}

static bool has(const picked_classes *p, int64_t label)
{
    return label >= 0 && label < p->n && p->has[label];
}

/* ---- what is of them ---- */

/* Takes the objects that are kept from a list with `each` bytes for an object, and puts them at
 * *to, which it moves behind them. Returns where they begin; NULL: there is no list. */
static const void *take(const answer *a, const picked_classes *p, const void *list, size_t each,
                        char **to)
{
    const char *from = list;
    char *const begin = *to;
    for (int i = 0; list && i < a->n; i++, from += each)
        if (has(p, a->label[i])) {
            memcpy(*to, from, each);
            *to += each;
        }
    return list ? begin : NULL;
}

static const int64_t *take_cells(const answer *a, const picked_classes *p, char *to, size_t n)
{
    int64_t *cls = (int64_t *)(void *)to;
    for (size_t i = 0; i < n; i++)
        cls[i] = has(p, a->cls[i]) ? a->cls[i] : -1;
    return cls;
}

void answer_pick(answer *a, const picked_classes *p, void **memory, oc_error *e)
{
    const answer all = *a;
    const size_t cells = (size_t)a->grid_width * (size_t)a->grid_height;
    const size_t points = 3 * (size_t)a->n_points * sizeof(float), mask = cells * sizeof(float);
    int n = 0;
    if (!p->has || !(a->label || a->cls) || e->code != OC_OK)
        return;
    for (int i = 0; a->label && i < a->n; i++)
        n += has(p, a->label[i]);
    const size_t each = sizeof(int64_t) + 13 * sizeof(float) + points + (a->mask ? mask : 0);
    char *to =
        data_alloc(1 + (size_t)n * each + (a->cls ? cells * sizeof *a->cls : 0), "answer", e);
    *memory = to;
    if (!to)
        return;
    if (a->cls) {
        a->cls = take_cells(&all, p, to, cells);
        to += cells * sizeof *a->cls;
    }
    if (a->label) {
        a->n = n;
        a->label = take(&all, p, all.label, sizeof *all.label, &to);
        a->score = take(&all, p, all.score, sizeof *all.score, &to);
        a->box = take(&all, p, all.box, 4 * sizeof *all.box, &to);
        a->corner = take(&all, p, all.corner, 8 * sizeof *all.corner, &to);
        a->point = take(&all, p, all.point, points, &to);
        a->mask = take(&all, p, all.mask, mask, &to);
    }
}
