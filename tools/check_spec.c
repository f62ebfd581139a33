/* SPDX-License-Identifier: Apache-2.0
 * check_spec.c - the cases of a row of check_table.c. */
#include "check_cases.h"
#include "fill.h"
#include "number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANK = 6, ITEM = 96, MODEL = 2000 };

/* What the numbers of an input are. */
typedef struct item {
    char kind;       /* ' ' any, '+', 'p', 'i', '=' as in check_spec; '-' missing */
    int most;        /* of 'i' */
    char type[ITEM]; /* "float" */
    char text[ITEM]; /* "float[2,3]", or with the elements of '=' */
    oc_type elements;
    int rank;
    int64_t dim[MOST_RANK];
} item;

/* ---- lists */

static int count(const char *const *list, int most)
{
    int n = 0;
    while (n < most && list[n])
        n++;
    return n;
}

static bool nth_word(const char *words, int n, char out[ITEM])
{
    for (; *words; n--) {
        const size_t size = strcspn(words, " ");
        snprintf(out, ITEM, "%.*s", (int)size, words);
        if (n == 0)
            return true;
        words += size + strspn(words + size, " ");
    }
    return false;
}

static oc_type type_named(const char *name)
{
    oc_type found = OC_UNDEFINED;
    for (int i = 1; i < OC_N_TYPES; i++)
        if (strcmp(oc_type_name((oc_type)i), name) == 0)
            found = (oc_type)i;
    return found;
}

/* Reads the item that begins at text; returns where the next does. */
static const char *read_item(const char *text, const char *t, item *out)
{
    const size_t size = strcspn(text, ";");
    const char *end = text + size, *from = text + strspn(text, " ");
    *out = (item){.kind = ' '};
    if (from >= end) {
        out->kind = '-';
    } else {
        if (strchr("+pi=", *from) && strcspn(from, " [") < strcspn(from, "[")) {
            out->kind = *from;
            out->most = atoi(from + 1);
            from += strcspn(from, " ");
            from += strspn(from, " ");
        }
        const char *bracket = from + strcspn(from, "[");
        const bool is_t = *from == 'T' && bracket == from + 1;
        snprintf(out->type, ITEM, "%.*s", is_t ? (int)strlen(t) : (int)(bracket - from),
                 is_t ? t : from);
        const size_t n = strlen(out->type);
        memcpy(out->text, out->type, n);
        snprintf(out->text + n, ITEM - n, "%.*s", (int)(end - bracket), bracket);
        out->elements = type_named(out->type);
        for (const char *p = bracket + 1; *p != ']' && out->rank < MOST_RANK; p += *p == ',')
            out->dim[out->rank++] = strtoll(p, (char **)&p, 10);
    }
    return *end ? end + 1 : end;
}

/* ---- values */

static const double specials[] = {NAN, INFINITY, -INFINITY, -0.0, 1e-42, -3e-39, 900, -1e15, 88};

enum { N_SPECIALS = sizeof specials / sizeof *specials };

static double value(const item *it, uint64_t key, uint64_t i, bool special)
{
    const double u = fill_unit(key, i);
    if (it->kind == 'i')
        return floor(u * it->most);
    if (it->kind == 'p')
        return u;
    if (it->kind == '+')
        return 0.25 + 4 * u;
    if (special && fill_bits(key, i ^ (uint64_t)1 << 40) % 4 == 0)
        return specials[fill_bits(key, i ^ (uint64_t)1 << 41) % N_SPECIALS];
    return number_is_float(it->elements) ? 8 * u - 4 : floor(200 * u) - 100;
}

static oc_value *make_input(const item *it, const char *name, uint64_t seed, bool special,
                            oc_error *e)
{
    oc_value *v = oc_tensor_new(it->elements, it->rank, it->dim, NULL, e);
    const uint64_t key = fill_key(seed, name);
    for (int64_t i = 0; v && i < oc_value_count(v); i++)
        number_set(it->elements, oc_value_mutable_data(v), i, value(it, key, (uint64_t)i, special));
    return v;
}

/* ---- cases */

static int digits_of(oc_type type)
{
    return type == OC_F16 ? 11 : type == OC_BF16 ? 8 : type == OC_F32 ? 24 : 53;
}

/* "check (float[2] x0) => (y0) <int64[1] x1 = {5}> { y0 = Op <attributes> (x0, x1) }" */
static char *make_model(const check_family *family, const char *attributes, const item *in, int n)
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
    for (int i = 0; i < family->spec->n_out; i++)
        nr += (size_t)snprintf(results + nr, MODEL - nr, "%sy%d", i ? ", " : "", i);
    const char *domain = family->spec->domain;
    return tool_format("<ir_version: 10, opset_import: [%s\"%s\" : %d]>\n"
                       "check (%s) => (%s)%s%s%s\n{ %s = %s%s%s%s%s%s (%s) }\n",
                       domain ? "\"\" : 23, " : "", domain ? domain : "", family->spec->opset,
                       ports, results, *constants ? " <" : "", constants, *constants ? ">" : "",
                       results, domain ? domain : "", domain ? "." : "", family->op,
                       *attributes ? " <" : "", attributes, *attributes ? ">" : "", arguments);
}

bool check_spec_make(const check_family *family, int i, uint64_t seed, check_case *c, oc_error *e)
{
    const check_spec *s = family->spec;
    const int n_inputs = count(s->inputs, sizeof s->inputs / sizeof *s->inputs);
    const int n_attributes = count(s->attributes, sizeof s->attributes / sizeof *s->attributes);
    const bool special = i % 2;
    const char *list = s->inputs[i / 2 % n_inputs];
    const char *attributes = n_attributes ? s->attributes[i / 2 / n_inputs % n_attributes] : "";
    char type[ITEM];
    item in[CHECK_INPUTS];
    if (!nth_word(s->types, i / 2 / n_inputs / (n_attributes ? n_attributes : 1), type))
        return false;
    oc_type stage = type_named(type);
    if (s->stashed && stage == OC_F64 && !strstr(attributes, "stash_type = 11"))
        stage = OC_F32;
    const bool mixed =
        stage != type_named(type); /* what is finite in one need not be in the other */
    int n = 0;
    for (const char *p = list; (*p || n == 0) && n < CHECK_INPUTS; n++)
        p = read_item(p, type, &in[n]);
    snprintf(c->group, sizeof c->group, "%s%s%s", type, *attributes ? " " : "", attributes);
    snprintf(c->name, sizeof c->name, "%.220s (%.160s)%s", c->group, list,
             special ? " special values" : "");
    c->model = make_model(family, attributes, in, n);
    for (int k = 0; k < n; k++)
        if (in[k].kind != '-' && in[k].kind != '=') {
            char name[ITEM];
            snprintf(name, sizeof name, "%s x%d", family->op, k);
            c->in[c->n_in++] = make_input(&in[k], name, seed + (uint64_t)i, special && !mixed, e);
        }
    const double unit = s->slack * ldexp(1, -digits_of(stage));
    c->n_out = s->n_out;
    c->defect = family->defects ? 0 : -1;
    c->bound = (compare_bound){.rtol = unit, .atol = unit};
    return true;
}
