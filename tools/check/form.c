/* SPDX-License-Identifier: Apache-2.0
 * form.c - makes the model and the bound of a case that comes from lists. */
#include "check/form.h"

#include "check/numbers.h"
#include "common/number.h"

#include <math.h>
#include <stdarg.h>

oc_type check_input_type(const check_input *in, const check_form *f)
{
    return in->type == OC_UNDEFINED ? f->type : in->type;
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

/* Returns "float[2,3]". */
static const char *type_text(const check_input *in, const check_form *f, char text[128])
{
    size_t n = (size_t)snprintf(text, 128, "%s[", oc_type_name(check_input_type(in, f)));
    for (int a = 0; a < in->rank; a++)
        n += (size_t)snprintf(text + n, 128 - n, a ? ",%" PRId64 : "%" PRId64, in->dim[a]);
    snprintf(text + n, 128 - n, "]");
    return text;
}

/* Is a bare integer a code in ONNX text of this type? */
static bool has_codes(oc_type type)
{
    const char *name = oc_type_name(type);
    return strncmp(name, "bfloat", 6) == 0 || (strncmp(name, "float", 5) == 0 && name[5]);
}

/* Returns "{4, 0.5}" as values of the type. */
static char *elements_text(oc_type type, const check_input *in)
{
    if (!has_codes(type))
        return tool_format("%.*s", in->size, in->elements);
    char *text = tool_require(malloc((size_t)in->size * 3 + 1)), *to = text; /* "1" becomes "1.0" */
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

/* Returns "check (float[2] x0) => (y0) <int64[1] x1 = {5}> { y0 = Op <attributes> (x0, x1) }". */
static char *make_model(const check_family *family, const check_form *f, int n_out)
{
    char *ports = NULL, *constants = NULL, *arguments = NULL, *results = NULL, type[128];
    for (int i = 0; i < f->inputs->n; i++) {
        const check_input *in = &f->inputs->in[i];
        if (in->kind == CHECK_MISSING)
            append(&arguments, "\"\"");
        else
            append(&arguments, "x%d", i);
        if (in->kind == CHECK_GIVEN && !f->open) {
            char *elements = elements_text(check_input_type(in, f), in);
            char *more = tool_format("%s%s%s x%d = %s", or_empty(constants), constants ? ", " : "",
                                     type_text(in, f, type), i, elements);
            free(elements);
            free(constants);
            constants = more;
        } else if (in->kind != CHECK_MISSING) {
            append(&ports, "%s x%d", type_text(in, f, type), i);
        }
    }
    for (int i = 0; i < n_out; i++)
        append(&results, "y%d", i);
    const char *domain = family->spec.domain;
    char *model = tool_format(
        "<ir_version: 10, opset_import: [%s\"%s\" : %d]>\n"
        "check (%s) => (%s)%s%s%s\n{ %s = %s%s%s%s%s%s (%s) }\n",
        domain ? "\"\" : 23, " : "", or_empty(domain), f->opset, or_empty(ports), or_empty(results),
        constants ? " <" : "", or_empty(constants), constants ? ">" : "", or_empty(results),
        or_empty(domain), domain ? "." : "", family->op, *f->attributes ? " <" : "", f->attributes,
        *f->attributes ? ">" : "", or_empty(arguments));
    free(ports);
    free(constants);
    free(arguments);
    free(results);
    return model;
}

/* ---- cases */

/* Returns the type that the operator computes in, if it has an attribute for that. */
static oc_type stage_of(const check_spec *s, const check_form *f)
{
    const char *stash = strstr(f->attributes, "stash_type = ");
    return !s->stash_since || f->opset < s->stash_since ? f->type
           : stash ? (oc_type)atoi(stash + strlen("stash_type = "))
                   : OC_F32;
}

/* Finds the types that a result may be rounded to: T, the type that the operator computes in,
 * the types of other inputs. */
static int find_types(const check_spec *s, const check_form *f, oc_type type[CHECK_INPUTS + 2])
{
    int n = 0;
    type[n++] = f->type;
    type[n++] = stage_of(s, f);
    for (int i = 0; i < f->inputs->n; i++) {
        const oc_type other = check_input_type(&f->inputs->in[i], f);
        if (f->inputs->in[i].kind != CHECK_MISSING && number_is_float(other))
            type[n++] = other;
    }
    return n;
}

/* Returns the type with the fewest digits; T if none has fewer. */
static oc_type coarsest(const check_spec *s, const check_form *f)
{
    oc_type type[CHECK_INPUTS + 2], found = f->type;
    for (int i = 0, n = find_types(s, f, type); i < n; i++)
        if (check_digits(type[i]) < check_digits(found))
            found = type[i];
    return found;
}

/* Returns the greatest of the types' least numbers above 0. */
static double find_least(const check_spec *s, const check_form *f)
{
    oc_type type[CHECK_INPUTS + 2];
    double least = 0;
    for (int i = 0, n = find_types(s, f, type); i < n; i++)
        least = fmax(least, check_least(type[i]));
    return least;
}

static compare_bound bound_of(const check_spec *s, const check_form *f)
{
    const oc_type type = coarsest(s, f);
    const double unit = ldexp(1, 1 - check_digits(type)), least = find_least(s, f);
    return (compare_bound){.rtol = s->ulp * unit,
                           .atol = s->ulp_of_1 * unit + (s->ulp + s->least) * least,
                           .signs = s->ulp_of_1 == 0};
}

bool check_form_is_mixed(const check_spec *s, const check_form *f)
{
    return coarsest(s, f) != f->type || strstr(f->attributes, "stash_type = 10");
}

double check_form_unit(const check_spec *s, const check_form *f, double x)
{
    const oc_type type = coarsest(s, f);
    return fmax(fabs(x) * ldexp(1, 1 - check_digits(type)), find_least(s, f));
}

void check_form_make(const check_family *family, const check_form *f, check_case *out)
{
    const check_spec *s = &family->spec;
    out->form = *f;
    out->n_out = f->inputs->n_out ? f->inputs->n_out : s->n_out;
    out->model = make_model(family, f, out->n_out);
    out->refused = f->inputs->refused;
    out->defect = family->defects ? 0 : -1;
    out->bound = bound_of(s, f);
}

void check_case_free(check_case *c)
{
    free(c->model);
    for (int i = 0; i < c->n_in; i++)
        oc_value_free(c->in[i]);
    if (c->form.open)
        free((void *)c->form.inputs);
    *c = (check_case){0};
}

/* ---- elements ---- */

/* Sets element i from a word, without its quotes. 64-bit integers are exact. */
static void set_element(oc_value *v, int64_t i, const char *word, size_t size, oc_error *e)
{
    const oc_type type = oc_value_type(v);
    if (type == OC_STRING)
        oc_tensor_set_string(v, i, word, size, e);
    else if (type == OC_I64)
        ((int64_t *)oc_value_mutable_data(v))[i] = strtoll(word, NULL, 10);
    else if (type == OC_U64)
        ((uint64_t *)oc_value_mutable_data(v))[i] = strtoull(word, NULL, 10);
    else
        number_set(type, oc_value_mutable_data(v), i, strtod(word, NULL));
}

oc_value *check_form_given(const check_input *in, const check_form *f, oc_error *e)
{
    oc_value *v = oc_tensor_new(check_input_type(in, f), in->rank, in->dim, NULL, e);
    const char *at = in->elements, *end = in->elements + in->size;
    for (int64_t i = 0; v && i < oc_value_count(v) && at < end; i++) {
        at += strspn(at, "{, ");
        const bool quoted = *at == '"';
        at += quoted;
        const size_t size = strcspn(at, quoted ? "\"" : ", }");
        set_element(v, i, at, size, e);
        at += size + quoted;
    }
    return v;
}
