/* SPDX-License-Identifier: Apache-2.0
 * spec.c - the cases of a row of table.c. */
#include "check/cases.h"
#include "check/numbers.h"
#include "values/fill.h"
#include "common/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEM = 96, MODEL = 2000, MANY = 10000 };

/* What the numbers of an input are. */
typedef struct item {
    char kind;             /* ' ' any, '+', 'n', 'p', 'i', '=' as in check_spec; '-' missing */
    int most;              /* of 'i' */
    char type[ITEM];       /* "float" */
    char text[CHECK_ITEM]; /* "float[2,3]", or with the elements of '=' */
    oc_type elements;
    int rank;
    int64_t dim[CHECK_RANK];
} item;

/* ---- lists */

/* The n-th word; NULL past the last. */
static const char *nth_word(const char *words, int n, char out[ITEM])
{
    for (; *words; n--) {
        const size_t size = strcspn(words, " ");
        snprintf(out, ITEM, "%.*s", (int)size, words);
        if (n == 0)
            return out;
        words += size + strspn(words + size, " ");
    }
    return NULL;
}

/* Of "@21 text" and "@-20 text" the text, when it is for this opset; else NULL. */
static const char *for_opset(const char *text, int opset)
{
    if (*text != '@')
        return text;
    const int bound = atoi(text + 1);
    return (bound < 0 ? opset <= -bound : opset >= bound) ? strchr(text, ' ') + 1 : NULL;
}

/* The n-th text of a list that is for this opset; NULL past the last. */
static const char *nth_text(const char *const *list, int most, int n, int opset)
{
    for (int i = 0; i < most && list[i]; i++) {
        const char *text = for_opset(list[i], opset);
        if (text && n-- == 0)
            return text;
    }
    return NULL;
}

static oc_type type_named(const char *name)
{
    oc_type found = OC_UNDEFINED;
    for (int i = 1; i < OC_N_TYPES; i++)
        if (strcmp(oc_type_name((oc_type)i), name) == 0)
            found = (oc_type)i;
    return found;
}

/* Reads the item that begins at text; returns where the next does: "" past the last. */
static const char *read_item(const char *text, const char *t, item *out)
{
    const char *arrow = strstr(text, " ->");
    const size_t before = arrow ? (size_t)(arrow - text) : strlen(text), size = strcspn(text, ";");
    const char *end = text + (size < before ? size : before), *from = text + strspn(text, " ");
    *out = (item){.kind = ' '};
    if (from >= end) {
        out->kind = '-';
    } else {
        if (strchr("+npi=", *from) && strcspn(from, " [") < strcspn(from, "[")) {
            out->kind = *from;
            out->most = atoi(from + 1);
            from += strcspn(from, " ");
            from += strspn(from, " ");
        }
        const char *bracket = from + strcspn(from, "[");
        const bool is_t = *from == 'T' && bracket == from + 1;
        snprintf(out->type, ITEM, "%.*s", is_t ? (int)strlen(t) : (int)(bracket - from),
                 is_t ? t : from);
        snprintf(out->text, sizeof out->text, "%s%.*s", out->type, (int)(end - bracket), bracket);
        out->elements = type_named(out->type);
        for (const char *p = bracket + 1; *p != ']' && out->rank < CHECK_RANK; p += *p == ',')
            out->dim[out->rank++] = strtoll(p, (char **)&p, 10);
    }
    return *end == ';' ? end + 1 : "";
}

/* ---- values */

static double value(const item *it, check_manner manner, uint64_t key, uint64_t i)
{
    const int64_t row = it->rank ? it->dim[it->rank - 1] : 1;
    switch (it->kind) {
    case 'i':
        return floor(fill_unit(key, i) * it->most);
    case 'p':
        return fill_unit(key, i);
    case 'n':
        return check_number(it->elements, CHECK_PLAIN, key, i, 1);
    case '+':
        return 0.25 + 4 * fill_unit(key, i);
    default:
        return check_number(it->elements, manner, key, i, (uint64_t)row);
    }
}

static oc_value *make_input(const item *it, const char *name, uint64_t seed, check_manner manner,
                            oc_error *e)
{
    oc_value *v = oc_tensor_new(it->elements, it->rank, it->dim, NULL, e);
    const uint64_t key = fill_key(seed, name);
    for (int64_t i = 0; v && i < oc_value_count(v); i++)
        number_set(it->elements, oc_value_mutable_data(v), i, value(it, manner, key, (uint64_t)i));
    return v;
}

/* ---- cases */

/* What a case is made of. */
typedef struct choice {
    int opset;
    char type[ITEM], own[2 * ITEM]; /* own: attributes of these inputs */
    const char *attributes, *inputs;
    bool refused, repeated, first; /* first: the first set of attributes */
    check_manner manner;
} choice;

/* How many manners there are to fill the inputs in, of which c->manner is the first: one, where no
 * number depends on it, there are many numbers, or much else has been tried before; none for many
 * numbers again. */
static int count_manners(const check_spec *s, choice *c)
{
    item it;
    int64_t most = 0;
    for (const char *p = c->inputs; *p;) {
        int64_t n = 1;
        p = read_item(p, c->type, &it);
        for (int a = 0; a < it.rank; a++)
            n *= it.dim[a];
        if (it.kind == ' ')
            most = n + 1 > most ? n + 1 : most;
    }
    const bool is_new = c->first && !c->repeated;
    c->manner = most == 0 || c->refused || (is_new && most <= MANY) ? CHECK_PLAIN : CHECK_SPECIAL;
    return most > MANY && !is_new                              ? 0
           : most == 0 || most > MANY || c->refused || !is_new ? 1
           : s->mild                                           ? 2
                                                               : CHECK_N_MANNERS;
}

/* Takes "! " and "<axis = 2> " off the inputs. Are they for this set of attributes? */
static bool read_marks(choice *c, const char *attributes)
{
    c->attributes = attributes;
    c->refused = *c->inputs == '!';
    if (c->refused)
        c->inputs += 2;
    const bool has_own = *c->inputs == '<';
    if (has_own) {
        const size_t size = strcspn(c->inputs, ">");
        snprintf(c->own, sizeof c->own, "%.*s", (int)size - 1, c->inputs + 1);
        c->attributes = c->own;
        c->inputs += size + 2;
    }
    return c->first || !(has_own || c->refused);
}

/* The n-th choice of lists for one opset, type and set of attributes; false with *n less as many as
 * there are. */
static bool choose_inputs(const check_spec *s, choice *c, int *n)
{
    const int most = sizeof s->inputs / sizeof *s->inputs;
    const char *attributes = c->attributes;
    for (int k = 0; (c->inputs = nth_text(s->inputs, most, k, c->opset)); k++) {
        if (!read_marks(c, attributes))
            continue;
        const int manners = count_manners(s, c);
        c->manner += (check_manner)*n;
        if (s->mild && c->manner == CHECK_SPECIAL)
            c->manner = CHECK_MILD;
        if (*n < manners)
            return true;
        *n -= manners;
    }
    return false;
}

/* The n-th word of the row's types, or of those that the operator has. */
static bool choose_type(const char *words, uint32_t types, int n, char type[ITEM])
{
    if (words)
        return nth_word(words, n, type);
    for (int t = 1; t < OC_N_TYPES; t++)
        if (types >> t & 1 && n-- == 0) {
            snprintf(type, ITEM, "%s", oc_type_name((oc_type)t));
            return true;
        }
    return false;
}

static bool choose_attributes(const check_spec *s, choice *c, int *n)
{
    const int most = sizeof s->attributes / sizeof *s->attributes;
    c->first = true;
    c->attributes = "";
    if (!s->attributes[0])
        return choose_inputs(s, c, n);
    for (int a = 0; (c->attributes = nth_text(s->attributes, most, a, c->opset)); a++) {
        c->first = a == 0;
        if (choose_inputs(s, c, n))
            return true;
    }
    return false;
}

/* The i-th choice of all. The search begins at the opset and type of the last. */
static bool choose(check_maker *m, choice *c, int i)
{
    const check_spec *s = m->family->spec;
    if (s->opset && !m->n_opsets)
        m->version[m->n_opsets++] = (check_version){.opset = s->opset};
    if (!m->n_opsets)
        m->n_opsets = check_versions(m->family->op, m->version);
    if (i < m->before)
        m->at = m->type = m->before = 0;
    for (int n = i - m->before; m->at < m->n_opsets; m->at++, m->type = 0) {
        const check_version *v = &m->version[m->at];
        c->opset = v->opset;
        c->repeated = v->repeated;
        for (; choose_type(s->types, v->types, m->type, c->type); m->type++) {
            m->before = i - n;
            if (choose_attributes(s, c, &n))
                return true;
        }
    }
    return false;
}

/* "check (float[2] x0) => (y0) <int64[1] x1 = {5}> { y0 = Op <attributes> (x0, x1) }" */
static char *make_model(const check_family *family, const choice *c, const item *in, int n,
                        int n_out)
{
    char ports[MODEL] = "", constants[MODEL] = "", arguments[MODEL] = "", results[MODEL] = "";
    size_t np = 0, nc = 0, na = 0, nr = 0;
    for (int i = 0; i < n; i++) {
        const char *comma = i ? ", " : "";
        na += (size_t)snprintf(arguments + na, MODEL - na, in[i].kind == '-' ? "%s\"\"" : "%sx%d",
                               comma, i);
        if (in[i].kind == '=') {
            const size_t type = strcspn(in[i].text, "{");
            nc += (size_t)snprintf(constants + nc, MODEL - nc, "%s%.*s x%d = %s", nc ? ", " : "",
                                   (int)type, in[i].text, i, in[i].text + type);
        } else if (in[i].kind != '-') {
            np +=
                (size_t)snprintf(ports + np, MODEL - np, "%s%s x%d", np ? ", " : "", in[i].text, i);
        }
    }
    for (int i = 0; i < n_out; i++)
        nr += (size_t)snprintf(results + nr, MODEL - nr, "%sy%d", i ? ", " : "", i);
    const char *domain = family->spec->domain;
    return tool_format("<ir_version: 10, opset_import: [%s\"%s\" : %d]>\n"
                       "check (%s) => (%s)%s%s%s\n{ %s = %s%s%s%s%s%s (%s) }\n",
                       domain ? "\"\" : 23, " : "", domain ? domain : "", c->opset, ports, results,
                       *constants ? " <" : "", constants, *constants ? ">" : "", results,
                       domain ? domain : "", domain ? "." : "", family->op,
                       *c->attributes ? " <" : "", c->attributes, *c->attributes ? ">" : "",
                       arguments);
}

/* What a result is rounded to, at least: the coarsest of T, what the row is computed in, and the
 * types of other inputs. */
static oc_type coarsest(const check_spec *s, const choice *c, const item *in, int n)
{
    const char *stash = strstr(c->attributes, "stash_type = ");
    oc_type found = type_named(c->type);
    const oc_type stage = stash ? (oc_type)atoi(stash + strlen("stash_type = ")) : OC_F32;
    if (s->stashed && c->opset >= s->stashed && check_digits(stage) < check_digits(found))
        found = stage;
    for (int i = 0; i < n; i++)
        if (number_is_float(in[i].elements) && check_digits(in[i].elements) < check_digits(found))
            found = in[i].elements;
    return found;
}

static compare_bound bound_of(const check_spec *s, oc_type type)
{
    const double unit = ldexp(1, 1 - check_digits(type));
    return (compare_bound){.rtol = s->slack * unit,
                           .atol = s->near * unit + (s->slack + s->under) * check_least(type),
                           .signs = s->near == 0};
}

bool check_spec_make(check_maker *maker, int i, check_case *out, oc_error *e)
{
    const check_family *family = maker->family;
    const check_spec *s = family->spec;
    choice c;
    item in[CHECK_INPUTS];
    int n = 0;
    if (!choose(maker, &c, i))
        return false;
    const char *p = c.inputs, *arrow = strstr(p, "-> ");
    for (; n == 0 || (*p && n < CHECK_INPUTS); n++)
        p = read_item(p, c.type, &in[n]);
    const oc_type result = coarsest(s, &c, in, n);
    /* What is finite in T need not be in what it is computed in. */
    const bool mixed = result != type_named(c.type) || strstr(c.attributes, "stash_type = 10");
    out->n_out = arrow ? atoi(arrow + 3) : s->n_out;
    snprintf(out->group, sizeof out->group, "%d %s%s%s", c.opset, c.type, *c.attributes ? " " : "",
             c.attributes);
    snprintf(out->name, sizeof out->name, "%.220s (%.160s)%s", out->group, c.inputs,
             check_manners[c.manner]);
    out->model = make_model(family, &c, in, n, out->n_out);
    for (int k = 0; k < n; k++)
        if (in[k].kind != '-' && in[k].kind != '=') {
            char name[ITEM];
            snprintf(name, sizeof name, "%s x%d", family->op, k);
            out->in[out->n_in++] = make_input(&in[k], name, maker->seed + (uint64_t)i,
                                              mixed ? CHECK_PLAIN : c.manner, e);
        }
    out->refused = c.refused;
    out->defect = family->defects ? 0 : -1;
    out->bound = bound_of(s, result);
    return true;
}
