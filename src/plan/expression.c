/* SPDX-License-Identifier: Apache-2.0
 * expression.c - a table of expressions, their values and their texts. */
#include "plan/expression.h"

#include "base/size.h"

#include <inttypes.h>
#include <string.h>

void oc_expressions_begin(oc_expressions *x, oc_arena *arena)
{
    *x = (oc_expressions){.arena = arena, .names = oc_name_map_new(arena)};
    memset(x->list, 0xff, sizeof x->list);
    oc_expression_of_number(x, 0);
}

static bool apply(oc_expression_kind kind, int64_t a, int64_t b, int64_t *y)
{
    if (kind == OC_SUM)
        return oc_i64_add(a, b, y);
    if (kind == OC_PRODUCT)
        return oc_i64_mul(a, b, y);
    if (b <= 0)
        return false;
    *y = a / b - (a % b < 0);
    return true;
}

static unsigned hash(const int64_t at[OC_EXPRESSION_POINTS])
{
    uint64_t h = 0;
    for (int i = 0; i < OC_EXPRESSION_POINTS; i++)
        h = (h ^ (uint64_t)at[i]) * 0x9e3779b97f4a7c15;
    return (unsigned)(h >> 40) % OC_EXPRESSION_LISTS;
}

/* The expression of the table that equals *e, which is added if there is none. */
static int find_or_add(oc_expressions *x, const oc_expression *e)
{
    int *list = &x->list[hash(e->at)];
    for (int i = *list; i >= 0; i = x->item[i].next)
        if (memcmp(x->item[i].at, e->at, sizeof e->at) == 0)
            return i;
    oc_expression *last = OC_PUSH(x->arena, x->item, x->n);
    if (!last)
        return OC_NO_EXPRESSION;
    *last = *e;
    last->next = *list;
    return *list = x->n - 1;
}

int oc_expression_of_number(oc_expressions *x, int64_t number)
{
    oc_expression e = {.kind = OC_NUMBER, .terms = 1, .number = number, .name = ""};
    for (int i = 0; i < OC_EXPRESSION_POINTS; i++)
        e.at[i] = number;
    return find_or_add(x, &e);
}

/* Sizes that no other name has, and that hardly any expression of others has. */
int oc_expression_of_name(oc_expressions *x, oc_name name)
{
    const int found = *name ? oc_name_map_get(&x->names, name) : OC_NO_EXPRESSION;
    oc_expression e = {.kind = OC_NAME, .terms = 1, .name = name};
    uint64_t seed = (uint64_t)x->n;
    if (found >= 0)
        return found;
    for (int i = 0; i < OC_EXPRESSION_POINTS; i++) {
        seed = seed * 6364136223846793005 + 1442695040888963407;
        e.at[i] = 1000 + (int64_t)(seed >> 44);
    }
    const int handle = find_or_add(x, &e);
    if (*name && handle >= 0)
        oc_name_map_put(&x->names, name, handle);
    return handle;
}

int oc_expression_combine(oc_expressions *x, oc_expression_kind kind, int a, int b)
{
    oc_expression e = {.kind = kind, .a = a, .b = b, .name = ""};
    if (a < 0 || b < 0)
        return OC_NO_EXPRESSION;
    e.terms = x->item[a].terms + x->item[b].terms;
    if (e.terms > OC_EXPRESSION_TERMS)
        return OC_NO_EXPRESSION;
    for (int i = 0; i < OC_EXPRESSION_POINTS; i++)
        if (!apply(kind, x->item[a].at[i], x->item[b].at[i], &e.at[i]))
            return OC_NO_EXPRESSION;
    const bool constant = x->item[a].kind == OC_NUMBER && x->item[b].kind == OC_NUMBER;
    return constant ? oc_expression_of_number(x, e.at[0]) : find_or_add(x, &e);
}

bool oc_expression_is_number(const oc_expressions *x, int handle, int64_t *number)
{
    if (handle < 0 || x->item[handle].kind != OC_NUMBER)
        return false;
    *number = x->item[handle].number;
    return true;
}

bool oc_expression_value(const oc_expressions *x, int handle, int64_t *value)
{
    const oc_expression *e = &x->item[handle];
    int64_t a, b;
    if (e->kind <= OC_NAME) {
        *value = e->number;
        return true;
    }
    return oc_expression_value(x, e->a, &a) && oc_expression_value(x, e->b, &b) &&
           apply(e->kind, a, b, value);
}

bool oc_expression_names(const oc_expressions *x, int handle, int *list, int *n, int most)
{
    const oc_expression *e = &x->item[handle];
    if (e->kind > OC_NAME)
        return oc_expression_names(x, e->a, list, n, most) &&
               oc_expression_names(x, e->b, list, n, most);
    for (int i = 0; i < *n; i++)
        if (e->kind == OC_NUMBER || list[i] == handle)
            return true;
    if (e->kind == OC_NAME && *n < most)
        list[(*n)++] = handle;
    return e->kind == OC_NUMBER || list[*n - 1] == handle;
}

/* ---- texts */

/* Does the operand of that expression need no brackets? */
static bool is_bare(const oc_expression *e, const oc_expression *operand, bool right)
{
    if (operand->kind <= OC_NAME || e->kind == OC_SUM)
        return true;
    return operand->kind == OC_PRODUCT && !(right && e->kind == OC_QUOTIENT);
}

static const char *operand_text(const oc_expressions *x, const oc_expression *e, int handle,
                                bool right)
{
    const char *text = oc_expression_text(x, handle);
    return !text || is_bare(e, &x->item[handle], right) ? text
                                                        : oc_arena_printf(x->arena, "(%s)", text);
}

const char *oc_expression_text(const oc_expressions *x, int handle)
{
    const oc_expression *e = &x->item[handle];
    if (e->kind == OC_NUMBER)
        return oc_arena_printf(x->arena, "%" PRId64, e->number);
    if (e->kind == OC_NAME)
        return *e->name ? e->name : NULL;
    const char *left = operand_text(x, e, e->a, false), *right = operand_text(x, e, e->b, true);
    const char *sign = e->kind == OC_PRODUCT ? "*" : e->kind == OC_QUOTIENT ? "/" : "+";
    if (e->kind == OC_SUM && right && *right == '-')
        sign = "";
    return left && right ? oc_arena_printf(x->arena, "%s%s%s", left, sign, right) : NULL;
}
