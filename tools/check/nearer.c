/* SPDX-License-Identifier: Apache-2.0
 * nearer.c - which of two results that differ is nearer to what the body gives in double? */
#include "check/where.h"

#include "common/number.h"

#include <ocellus_model.h>
#include <math.h>

/* ---- the model in double: its one node reads each float through a Cast ---- */

/* Returns the element type of the value that the node reads under this name. */
static oc_type type_of(const oc_model *m, const char *name, size_t size)
{
    oc_weight w;
    for (int i = 0; i < oc_model_n_inputs(m); i++) {
        const oc_port port = oc_model_input(m, i);
        if (strlen(port.name) == size && memcmp(port.name, name, size) == 0)
            return port.type;
    }
    for (int i = 0; oc_model_weight_at(m, i, &w); i++)
        if (strlen(w.name) == size && memcmp(w.name, name, size) == 0)
            return w.type;
    return OC_UNDEFINED;
}

/* Returns text followed by size characters of more; frees text. */
static char *add(char *text, const char *more, size_t size)
{
    char *longer = tool_format("%s%.*s", text, (int)size, more);
    free(text);
    return longer;
}

/* Returns a copy of the text in which outputs of a float type are declared as double. */
static char *declare(const char *text, size_t size)
{
    static const char *const narrow[] = {"bfloat16[", "float16[", "float["};
    const char *end = text + size, *at = strstr(text, "=> ("), *close = at ? strchr(at, ')') : NULL;
    at = close ? at : end;
    char *out = add(tool_format("%s", ""), text, (size_t)(at - text));
    while (close && at < close) {
        size_t known = 0;
        for (size_t i = 0; i < sizeof narrow / sizeof *narrow && !known; i++)
            known = strncmp(at, narrow[i], strlen(narrow[i])) == 0 ? strlen(narrow[i]) : 0;
        out = known ? add(out, "double[", strlen("double[")) : add(out, at, 1);
        at += known ? known : 1;
    }
    return add(out, at, (size_t)(end - at));
}

/* Returns the node up to its arguments, "y0 = Op <axis = 1> ", with stash_type = 11 among its
 * attributes. */
static char *stash_node(const char *node, size_t size)
{
    static const char key[] = "stash_type = ";
    char *copy = tool_format("%.*s", (int)size, node), *found = strstr(copy, key), *out;
    char *close = strrchr(copy, '>');
    if (found) {
        found += strlen(key);
        const char *rest = found + strspn(found, "0123456789");
        out = tool_format("%.*s11%s", (int)(found - copy), copy, rest);
    } else if (close) {
        *close = 0;
        out = tool_format("%s, stash_type = 11>", copy);
    } else {
        out = tool_format("%s<stash_type = 11>", copy);
    }
    free(copy);
    return out;
}

/* The node's arguments, and the nodes before it that convert those arguments that are narrower
 * than double. */
typedef struct arguments {
    char *text, *casts;
} arguments;

static void add_argument(const oc_model *m, const char *name, size_t size, arguments *a)
{
    const oc_type type = type_of(m, name, size);
    const bool narrow = number_is_float(type) && type != OC_F64;
    if (narrow) {
        char *more = tool_format("%s%.*s_wide = Cast <to = 11> (%.*s)\n", a->casts, (int)size, name,
                                 (int)size, name);
        free(a->casts);
        a->casts = more;
    }
    char *longer = tool_format("%s%s%.*s%s", a->text, *a->text ? ", " : "", (int)size, name,
                               narrow ? "_wide" : "");
    free(a->text);
    a->text = longer;
}

char *check_double_text(const oc_model *m, const char *text, bool stash, oc_error *e)
{
    const char *body = strstr(text, "\n{ "), *open = strrchr(text, '('),
               *close = strrchr(text, ')');
    if (!body || !open || !close || open < body || close < open) {
        tool_fail(e, OC_UNSUPPORTED, "the case is not one node");
        return NULL;
    }
    body += strlen("\n{ ");
    arguments a = {tool_format("%s", ""), tool_format("%s", "")};
    for (const char *at = open + 1; at < close; at += strspn(at, ", ")) {
        const size_t size = strcspn(at, ",)");
        add_argument(m, at, size, &a);
        at += size;
    }
    char *whole = NULL;
    if (*a.casts) {
        char *head = declare(text, (size_t)(body - text));
        char *node = stash ? stash_node(body, (size_t)(open - body))
                           : tool_format("%.*s", (int)(open - body), body);
        whole = tool_format("%s%s%s(%s) }\n", head, a.casts, node, a.text);
        free(head);
        free(node);
    } else {
        tool_fail(e, OC_UNSUPPORTED, "the case has no floats that are narrower than double");
    }
    free(a.text);
    free(a.casts);
    return whole;
}

/* ---- a run of it ---- */

static double distance(double x, double exact)
{
    if (x == exact || (isnan(x) && isnan(exact)))
        return 0;
    return isnan(x) || isnan(exact) ? INFINITY : fabs(x - exact);
}

static double element(const oc_value *v, int64_t i)
{
    return number_get(oc_value_type(v), oc_value_data(v), i);
}

static bool is_numbers(const oc_value *v)
{
    return v && oc_value_kind(v) == OC_TENSOR && oc_value_type(v) != OC_STRING;
}

static void hold(const check_run *run, int way, const oc_value *exact, check_nearer *n, oc_error *e)
{
    const check_result *r = &run->result[way];
    const oc_value *got = check_output(run, way, r->output);
    const oc_value *want = check_expected(run, r->output);
    if (!is_numbers(exact) || !is_numbers(got) || !is_numbers(want) || r->first < 0 ||
        oc_value_count(exact) != oc_value_count(got)) {
        tool_fail(e, OC_UNSUPPORTED, "the results have no elements to compare");
        return;
    }
    if (oc_value_type(exact) != OC_F64) {
        tool_fail(e, OC_UNSUPPORTED, "the result is %s in double too",
                  oc_type_name(oc_value_type(exact)));
        return;
    }
    n->known = true;
    n->exact = element(exact, r->first);
    n->way = distance(element(got, r->first), n->exact);
    n->reference = distance(element(want, r->first), n->exact);
}

/* Runs the model of this text. */
static void try_text(const check_run *run, int way, const char *text, check_nearer *n, oc_error *e)
{
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, e);
    oc_session_options o = check_session_options(run->plan, run->plan->way[0].functions);
    o.bodies.policy = OC_BODY_EXPAND;
    oc_session *s = m && e->code == OC_OK ? check_run_case(run->c, m, &o, e) : NULL;
    if (e->code == OC_OK)
        hold(run, way, oc_fetch_value_at(s, run->result[way].output, e), n, e);
    oc_session_free(s);
    oc_model_free(m);
}

check_nearer check_find_nearer(const check_run *run, int way)
{
    check_nearer n = {.asked = true};
    oc_error e = {0};
    for (int stash = run->plan->family->spec.stash_since != 0; stash >= 0 && !n.known; stash--) {
        e = (oc_error){0};
        char *text = check_double_text(run->model, run->c->model, stash, &e);
        if (text)
            try_text(run, way, text, &n, &e);
        free(text);
    }
    if (!n.known)
        snprintf(n.text, sizeof n.text, "%.*s", COMPARE_TEXT - 1, e.text);
    return n;
}
