/* SPDX-License-Identifier: Apache-2.0
 * own.c - cases that the command line describes, for any operator. */
#include "check/own.h"

#include "session/session_args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Units of a bound; bytes of an input's text, where T may become a longer name. */
enum { SLACK = 64, MOST_DIGITS = 9, MOST_TEXT = CHECK_ITEM - 20 };

/* ---- is it the text of inputs that check_spec means? ---- */

/* Reads "T" or the name of a type; NULL: neither stands there. */
static const char *read_type(const char *p)
{
    const size_t size = strcspn(p, "[ ;");
    for (int i = 1; i < OC_N_TYPES; i++)
        if (strlen(oc_type_name((oc_type)i)) == size &&
            memcmp(p, oc_type_name((oc_type)i), size) == 0)
            return p + size;
    return size == 1 && *p == 'T' ? p + 1 : NULL;
}

/* Reads a whole number that any int holds. */
static const char *read_number(const char *p)
{
    const size_t digits = strspn(p, "0123456789");
    return digits > 0 && digits <= MOST_DIGITS ? p + digits : NULL;
}

/* Reads "[2,3]". */
static const char *read_dims(const char *p)
{
    if (*p++ != '[')
        return NULL;
    for (int rank = 0; *p != ']';) {
        p = read_number(p);
        if (!p || ++rank > CHECK_RANK || (*p != ',' && *p != ']'))
            return NULL;
        p += *p == ',';
    }
    return p + 1;
}

/* Reads one input, and the blanks after it. */
static const char *read_input(const char *p)
{
    const char kind = *p && strchr("+npi=", *p) && p[strcspn(p, " [")] == ' ' ? *p : ' ';
    if (kind != ' ') {
        p = kind == 'i' ? read_number(p + 1) : p + 1;
        if (!p || *p != ' ')
            return NULL;
        p += strspn(p, " ");
    }
    p = read_type(p);
    p = p ? read_dims(p) : NULL;
    if (!p)
        return NULL;
    p += strspn(p, " ");
    if (kind != '=')
        return p;
    if (*p != '{' || !strchr(p, '}'))
        return NULL;
    p = strchr(p, '}') + 1;
    return p + strspn(p, " ");
}

static void check_inputs(const char *text, oc_error *e)
{
    int n = 0;
    for (const char *p = text;; p++) {
        p += strspn(p, " ");
        const bool fits = strcspn(p, ";") <= MOST_TEXT;
        if (*p != ';' && *p)
            p = read_input(p);
        if (!p || (*p && *p != ';') || !fits || ++n > CHECK_INPUTS) {
            tool_fail(e, OC_ARGUMENT,
                      "check: --inputs '%.200s': expected up to %d inputs such as 'float[2,3]; "
                      "i5 int64[3]; ; = int64[2] {4, 5}', each of rank %d and %d bytes at most",
                      text, CHECK_INPUTS, CHECK_RANK, MOST_TEXT);
            return;
        }
        if (!*p)
            return;
    }
}

/* ---- the operator ---- */

static bool has_kernel(const char *op)
{
    const oc_op *row;
    for (int i = 0; (row = oc_builtin_op(i)); i++)
        if (session_is_row_of(row, op))
            return true;
    return false;
}

/* The newest version of ONNX's own operators. */
static int newest_opset(void)
{
    int newest = 0;
    const oc_op *row;
    for (int i = 0; (row = oc_builtin_op(i)); i++)
        if (!strstr(row->signature, "::") && row->since > newest)
            newest = row->since;
    return newest;
}

static void copy_list(const char **to, int most, const args_list *list, const char *option,
                      oc_error *e)
{
    if (list->n > most)
        tool_fail(e, OC_ARGUMENT, "check: %s stands %d times, at most %d are taken", option,
                  list->n, most);
    for (int i = 0; i < list->n && i < most; i++)
        to[i] = list->item[i];
}

void check_own_new(const char *op, const check_options *o, check_own *own, oc_error *e)
{
    const char *colons = strstr(op, "::");
    *own = (check_own){.spec = {.types = "float", .n_out = 1, .slack = SLACK, .near = SLACK}};
    if (!has_kernel(op) && !o->against)
        tool_fail(e, OC_ARGUMENT,
                  "check: '%s' has no kernel; two bodies are held against each "
                  "other by --body FILE --against OTHER",
                  op);
    if (!o->body && !session_has_body(colons ? colons + 2 : op, e))
        return; /* it said so */
    for (int i = 0; i < o->inputs.n; i++)
        check_inputs(o->inputs.item[i], e);
    copy_list(own->spec.inputs, (int)(sizeof own->spec.inputs / sizeof *own->spec.inputs) - 1,
              &o->inputs, "--inputs", e);
    copy_list(own->spec.attributes,
              (int)(sizeof own->spec.attributes / sizeof *own->spec.attributes) - 1, &o->attributes,
              "--attributes", e);
    if (colons) {
        snprintf(own->domain, sizeof own->domain, "%.*s", (int)(colons - op), op);
        own->spec.domain = own->domain;
    }
    own->spec.opset = o->opset ? (int)o->opset : colons ? 1 : newest_opset();
    own->family = (check_family){
        .op = colons ? colons + 2 : op,
        .make = check_spec_make,
        .spec = &own->spec,
    };
}
