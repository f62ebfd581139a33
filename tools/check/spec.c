/* SPDX-License-Identifier: Apache-2.0
 * spec.c - makes cases from a family's lists. */
#include "check/cases.h"
#include "check/numbers.h"
#include "values/fill.h"
#include "common/number.h"
#include "common/signals.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 10000 }; /* inputs with more elements are tried less often */

/* ---- lists */

bool check_scope_has(check_scope scope, int opset)
{
    return opset >= scope.since && opset < scope.before;
}

void check_spec_add_attributes(check_spec *s, const check_attributes *one)
{
    s->attributes = tool_push(s->attributes, (size_t)s->n_attributes, sizeof *s->attributes);
    s->attributes[s->n_attributes++] = *one;
}

void check_spec_add_inputs(check_spec *s, const check_inputs *one)
{
    s->inputs = tool_push(s->inputs, (size_t)s->n_inputs, sizeof *s->inputs);
    s->inputs[s->n_inputs++] = *one;
}

void check_spec_free(check_spec *s)
{
    free(s->attributes);
    free(s->inputs);
    *s = (check_spec){0};
}

/* ---- values */

/* What a case is made of. */
typedef struct choice {
    int opset;
    oc_type type;           /* T */
    const char *attributes; /* "": none */
    const check_inputs *inputs;
    bool repeated; /* the opset's kernel and body are those of the opset before */
    bool first;    /* the set of attributes is the family's first */
    check_fill fill;
} choice;

static oc_type type_of(const check_input *in, const choice *c)
{
    return in->type == OC_UNDEFINED ? c->type : in->type;
}

static double number_of(const check_input *in, const choice *c, check_fill fill, uint64_t key,
                        uint64_t i)
{
    const int64_t row = in->rank ? in->dim[in->rank - 1] : 1;
    switch (in->kind) {
    case CHECK_BELOW:
        return floor(fill_unit(key, i) * in->below);
    case CHECK_UNIT:
        return fill_unit(key, i);
    case CHECK_MODEST:
        return check_number(type_of(in, c), CHECK_PLAIN, key, i, 1);
    case CHECK_POSITIVE:
        return 0.25 + 4 * fill_unit(key, i);
    default:
        return check_number(type_of(in, c), fill, key, i, (uint64_t)row);
    }
}

static oc_value *make_input(const check_input *in, const choice *c, const char *name, uint64_t seed,
                            check_fill fill, oc_error *e)
{
    const oc_type type = type_of(in, c);
    oc_value *v = oc_tensor_new(type, in->rank, in->dim, NULL, e);
    const uint64_t key = fill_key(seed, name);
    for (int64_t i = 0; v && e->code == OC_OK && i < oc_value_count(v); i++) {
        if (signals_end_at(i))
            tool_fail(e, OC_CANCELLED, "check: interrupted");
        number_set(type, oc_value_mutable_data(v), i, number_of(in, c, fill, key, (uint64_t)i));
    }
    return v;
}

/* ---- choices */

/* The most elements of an input that holds any numbers, up to MANY + 1; -1: no input does. */
static int64_t count_numbers(const check_inputs *inputs)
{
    int64_t most = -1;
    for (int k = 0; k < inputs->n; k++) {
        const check_input *in = &inputs->in[k];
        double n = 1;
        for (int a = 0; a < in->rank; a++)
            n *= (double)in->dim[a];
        if (in->kind == CHECK_ANY)
            most = (int64_t)fmax((double)most, fmin(n, MANY + 1));
    }
    return most;
}

/* Number of fills to try; c->fill is the first. All fills only where kernel or body is a new
 * version and the attributes are the first. One, where no number depends on the fill, or there are
 * many numbers; none for many numbers that a case before has tried. */
static int count_fills(const check_spec *s, choice *c)
{
    const int64_t n = count_numbers(c->inputs);
    const bool fixed = n < 0 || c->inputs->refused;
    const bool is_new = c->first && !c->repeated;
    c->fill = fixed || (is_new && n < MANY) ? CHECK_PLAIN : CHECK_SPECIAL;
    if (n >= MANY && !is_new)
        return 0;
    if (fixed || n >= MANY || !is_new)
        return 1;
    return s->mild ? 2 : CHECK_N_FILLS;
}

/* The n-th choice of inputs for one opset, type and set of attributes; false with *n less as many
 * as there are. */
static bool choose_inputs(const check_spec *s, choice *c, int *n)
{
    const char *attributes = c->attributes;
    for (int k = 0; k < s->n_inputs; k++) {
        c->inputs = &s->inputs[k];
        c->attributes = c->inputs->own ? c->inputs->own : attributes;
        if (!check_scope_has(c->inputs->scope, c->opset) ||
            (!c->first && (c->inputs->own || c->inputs->refused)))
            continue;
        const int fills = count_fills(s, c);
        c->fill += (check_fill)*n;
        if (s->mild && c->fill == CHECK_SPECIAL)
            c->fill = CHECK_MILD;
        if (*n < fills)
            return true;
        *n -= fills;
    }
    return false;
}

/* The n-th of the family's types, or of those that the operator has. */
static bool choose_type(const check_spec *s, oc_type_mask types, int n, oc_type *out)
{
    for (int t = 1; s->n_types == 0 && t < OC_N_TYPES; t++)
        if (types >> t & 1 && n-- == 0) {
            *out = (oc_type)t;
            return true;
        }
    if (n >= s->n_types)
        return false;
    *out = s->types[n];
    return true;
}

static bool choose_attributes(const check_spec *s, choice *c, int *n)
{
    c->first = true;
    c->attributes = "";
    if (s->n_attributes == 0)
        return choose_inputs(s, c, n);
    for (int a = 0; a < s->n_attributes; a++) {
        if (!check_scope_has(s->attributes[a].scope, c->opset))
            continue;
        c->attributes = s->attributes[a].text;
        if (choose_inputs(s, c, n))
            return true;
        c->first = false;
    }
    return false;
}

/* The i-th choice of all. The search begins at the opset and type of the last. */
static bool choose(check_maker *m, choice *c, int i)
{
    const check_spec *s = &m->family->spec;
    if (!m->n_opsets)
        m->n_opsets = check_family_versions(m->family, m->version);
    if (i < m->before)
        m->at = m->type = m->before = 0;
    for (int n = i - m->before; m->at < m->n_opsets; m->at++, m->type = 0) {
        const check_version *v = &m->version[m->at];
        c->opset = v->opset;
        c->repeated = v->repeated;
        for (; choose_type(s, v->types, m->type, &c->type); m->type++) {
            m->before = i - n;
            if (choose_attributes(s, c, &n))
                return true;
        }
    }
    return false;
}

/* ---- the model */

/* Appends to *text, with a comma in front unless it is empty. */
static void append(char **text, const char *format, ...) TOOL_PRINTF(2, 3);

static void append(char **text, const char *format, ...)
{
    char part[400];
    va_list list;
    va_start(list, format);
    vsnprintf(part, sizeof part, format, list);
    va_end(list);
    char *longer = *text ? tool_format("%s, %s", *text, part) : tool_format("%s", part);
    free(*text);
    *text = longer;
}

/* "float[2,3]" */
static const char *type_text(const check_input *in, const choice *c, char text[128])
{
    size_t n = (size_t)snprintf(text, 128, "%s[", oc_type_name(type_of(in, c)));
    for (int a = 0; a < in->rank; a++)
        n += (size_t)snprintf(text + n, 128 - n, a ? ",%" PRId64 : "%" PRId64, in->dim[a]);
    snprintf(text + n, 128 - n, "]");
    return text;
}

/* In ONNX text of these types a bare integer is a code. */
static bool has_codes(oc_type type)
{
    const char *name = oc_type_name(type);
    return strncmp(name, "bfloat", 6) == 0 || (strncmp(name, "float", 5) == 0 && name[5]);
}

/* "{4, 0.5}" as values of the type. */
static char *elements_text(oc_type type, const check_input *in)
{
    if (!has_codes(type))
        return tool_format("%.*s", in->size, in->elements);
    char *text = tool_require(malloc((size_t)in->size * 3 + 1)),
         *to = text; /* "1" grows to "1.0" */
    for (const char *p = in->elements, *end = p + in->size; p < end;) {
        const size_t word = strcspn(p, "{, }"), size = word ? word : 1;
        memcpy(to, p, size);
        to += size;
        if (word && strspn(p, "+-0123456789") == word) {
            memcpy(to, ".0", 2);
            to += 2;
        }
        p += size;
    }
    *to = 0;
    return text;
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

/* "check (float[2] x0) => (y0) <int64[1] x1 = {5}> { y0 = Op <attributes> (x0, x1) }" */
static char *make_model(const check_family *family, const choice *c, int n_out)
{
    char *ports = NULL, *constants = NULL, *arguments = NULL, *results = NULL, type[128];
    for (int i = 0; i < c->inputs->n; i++) {
        const check_input *in = &c->inputs->in[i];
        if (in->kind == CHECK_MISSING)
            append(&arguments, "\"\"");
        else
            append(&arguments, "x%d", i);
        if (in->kind == CHECK_GIVEN) {
            char *elements = elements_text(type_of(in, c), in);
            char *more = tool_format("%s%s%s x%d = %s", or_empty(constants), constants ? ", " : "",
                                     type_text(in, c, type), i, elements);
            free(elements);
            free(constants);
            constants = more;
        } else if (in->kind != CHECK_MISSING) {
            append(&ports, "%s x%d", type_text(in, c, type), i);
        }
    }
    for (int i = 0; i < n_out; i++)
        append(&results, "y%d", i);
    const char *domain = family->spec.domain;
    char *model = tool_format(
        "<ir_version: 10, opset_import: [%s\"%s\" : %d]>\n"
        "check (%s) => (%s)%s%s%s\n{ %s = %s%s%s%s%s%s (%s) }\n",
        domain ? "\"\" : 23, " : "", or_empty(domain), c->opset, or_empty(ports), or_empty(results),
        constants ? " <" : "", or_empty(constants), constants ? ">" : "", or_empty(results),
        or_empty(domain), domain ? "." : "", family->op, *c->attributes ? " <" : "", c->attributes,
        *c->attributes ? ">" : "", or_empty(arguments));
    free(ports);
    free(constants);
    free(arguments);
    free(results);
    return model;
}

/* ---- cases */

/* The coarsest type that a result may be rounded to: T, the type that the operator computes in, the
 * types of other inputs. */
static oc_type coarsest(const check_spec *s, const choice *c)
{
    const char *stash = strstr(c->attributes, "stash_type = ");
    oc_type found = c->type;
    const oc_type stage = stash ? (oc_type)atoi(stash + strlen("stash_type = ")) : OC_F32;
    if (s->stash_since && c->opset >= s->stash_since && check_digits(stage) < check_digits(found))
        found = stage;
    for (int i = 0; i < c->inputs->n; i++) {
        const oc_type type = type_of(&c->inputs->in[i], c);
        if (c->inputs->in[i].kind != CHECK_MISSING && number_is_float(type) &&
            check_digits(type) < check_digits(found))
            found = type;
    }
    return found;
}

static compare_bound bound_of(const check_spec *s, oc_type type)
{
    const double unit = ldexp(1, 1 - check_digits(type));
    return (compare_bound){.rtol = s->ulp * unit,
                           .atol = s->ulp_of_1 * unit + (s->ulp + s->least) * check_least(type),
                           .signs = s->ulp_of_1 == 0};
}

bool check_spec_make(check_maker *maker, int i, check_case *out, oc_error *e)
{
    const check_family *family = maker->family;
    const check_spec *s = &family->spec;
    choice c = {0};
    if (!choose(maker, &c, i))
        return false;
    const oc_type result = coarsest(s, &c);
    /* What is finite in T need not be in what it is computed in. */
    const bool mixed = result != c.type || strstr(c.attributes, "stash_type = 10");
    out->n_out = c.inputs->n_out ? c.inputs->n_out : s->n_out;
    snprintf(out->group, sizeof out->group, "%d %s%s%s", c.opset, oc_type_name(c.type),
             *c.attributes ? " " : "", c.attributes);
    snprintf(out->name, sizeof out->name, "%.220s (%.160s)%s", out->group, c.inputs->text,
             check_fill_names[c.fill]);
    out->model = make_model(family, &c, out->n_out);
    for (int k = 0; k < c.inputs->n; k++) {
        const check_input *in = &c.inputs->in[k];
        char name[96];
        snprintf(name, sizeof name, "%.80s x%d", family->op, k);
        if (in->kind != CHECK_MISSING && in->kind != CHECK_GIVEN)
            out->in[out->n_in++] = make_input(in, &c, name, maker->seed + (uint64_t)i,
                                              mixed ? CHECK_PLAIN : c.fill, e);
    }
    out->refused = c.inputs->refused;
    out->defect = family->defects ? 0 : -1;
    out->bound = bound_of(s, result);
    return true;
}
