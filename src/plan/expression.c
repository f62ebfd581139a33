/* SPDX-License-Identifier: Apache-2.0
 * expression.c - a table of expressions, their values and their texts. */
#include "plan/expression.h"

#include "base/size.h"

void oc_expressions_begin(oc_expressions *x, oc_arena *arena)
{
    *x = (oc_expressions){.arena = arena, .names = oc_name_map_new(arena)};
    memset(x->list, 0xff, sizeof x->list);
    oc_expression_of_number(x, 0);
}

static int64_t apply(oc_expression_kind kind, int64_t a, int64_t b)
{
    int64_t y;
    if (a == OC_NO_SIZE || b == OC_NO_SIZE)
        return OC_NO_SIZE;
    if (kind == OC_QUOTIENT)
        return b > 0 ? a / b - (a % b < 0) : OC_NO_SIZE;
    return (kind == OC_SUM ? oc_i64_add(a, b, &y) : oc_i64_mul(a, b, &y)) ? y : OC_NO_SIZE;
}

static unsigned hash(const int64_t at[OC_POINTS])
{
    uint64_t h = 0;
    for (int i = 0; i < OC_POINTS; i++)
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
    oc_expression e = {.kind = OC_NUMBER, .terms = 1, .name = ""};
    for (int i = 0; i < OC_POINTS; i++)
        e.at[i] = number;
    return find_or_add(x, &e);
}

/* Sizes are small, large, and of many remainders, so that no limit within an operator passes for a
 * number, and quotients that are rounded down are told from others. Products of few must fit in 64
 * bits. */
int64_t oc_expression_size(int i, int k)
{
    const int64_t many = 10080, huge = many << 30, j = i % 61;
    const int64_t sizes[OC_POINTS] = {1009 + 2 * (int64_t)i,
                                      many * (i + 3),
                                      many * (3 * j + 5) - 1,
                                      many * (j + 11) + 1,
                                      many * (5 * j + 7) + 13,
                                      840 * (j + 2),
                                      224 + 32 * j,
                                      16 * (2 * j + 3),
                                      32 * (j + 7),
                                      103 + 6 * j,
                                      7 + 3 * j,
                                      2 + j,
                                      i % 2 ? 3 + j : huge,
                                      i % 2 ? huge : 5 + j,
                                      1,
                                      0};
    return sizes[k];
}

int oc_expression_of_name(oc_expressions *x, oc_name name)
{
    const int found = *name ? oc_name_map_get(&x->names, name) : OC_NO_EXPRESSION;
    oc_expression e = {.kind = OC_NAME, .terms = 1, .name = name};
    if (found >= 0)
        return found;
    for (int k = 0; k < OC_POINTS; k++)
        e.at[k] = oc_expression_size(x->n_names, k);
    x->n_names++;
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
    for (int i = 0; i < OC_POINTS; i++)
        e.at[i] = apply(kind, x->item[a].at[i], x->item[b].at[i]);
    for (int i = 0; i < OC_SURE_POINTS; i++)
        if (e.at[i] == OC_NO_SIZE)
            return OC_NO_EXPRESSION;
    const bool constant = x->item[a].kind == OC_NUMBER && x->item[b].kind == OC_NUMBER;
    return constant ? oc_expression_of_number(x, e.at[0]) : find_or_add(x, &e);
}

bool oc_expression_is_number(const oc_expressions *x, int handle, int64_t *number)
{
    if (handle < 0 || x->item[handle].kind != OC_NUMBER)
        return false;
    *number = x->item[handle].at[0];
    return true;
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
        return oc_arena_printf(x->arena, "%" PRId64, e->at[0]);
    if (e->kind == OC_NAME)
        return *e->name ? e->name : NULL;
    const char *left = operand_text(x, e, e->a, false), *right = operand_text(x, e, e->b, true);
    const char *sign = e->kind == OC_PRODUCT ? "*" : e->kind == OC_QUOTIENT ? "/" : "+";
    if (e->kind == OC_SUM && right && *right == '-')
        sign = "";
    return left && right ? oc_arena_printf(x->arena, "%s%s%s", left, sign, right) : NULL;
}
