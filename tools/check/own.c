/* SPDX-License-Identifier: Apache-2.0
 * own.c - makes cases that the command line describes, for any operator. */
#include "check/own.h"

#include "check/case_file.h"
#include "check/validate.h"
#include "check/entry.h"
#include "session/op_table.h"

enum { TOLERANCE = 64 }; /* units in the last place that a bound allows */

/* Returns the newest version of ONNX's own operators. */
static int newest_opset(void)
{
    int newest = 0;
    const oc_op_info *info;
    for (int i = 0; (info = op_table_at(i)); i++)
        if (!*info->domain && info->version->since > newest)
            newest = info->version->since;
    return newest;
}

/* Returns a copy of text that lives as long as *own, and sets its place for errors. */
static char *keep_text(check_own *own, const char *option, const char *text, check_place *place)
{
    own->text = tool_grow(own->text, (size_t)own->n_texts + 2, sizeof *own->text);
    char *source = own->text[own->n_texts++] = tool_format("check: %s '%s'", option, text);
    char *copy = own->text[own->n_texts++] = tool_format("%s", text);
    *place = (check_place){.source = source, .start = copy};
    for (size_t end = strlen(copy); end > 0 && copy[end - 1] == ' ';)
        copy[--end] = 0;
    return copy;
}

static void read_lists(const check_options *o, check_own *own, oc_error *e)
{
    check_place place;
    check_spec *spec = &own->family.spec;
    for (int i = 0; i < o->inputs.n && e->code == OC_OK; i++) {
        check_inputs one;
        char *text = keep_text(own, "--inputs", o->inputs.item[i], &place);
        check_read_inputs(&place, text, &one, e);
        check_spec_add_inputs(spec, &one);
    }
    for (int i = 0; i < o->attributes.n && e->code == OC_OK; i++) {
        check_attributes one;
        char *text = keep_text(own, "--attributes", o->attributes.item[i], &place);
        check_read_attributes(&place, text, &one, e);
        check_spec_add_attributes(spec, &one);
    }
}

void check_own_new(const char *op, const check_options *o, check_own *own, oc_error *e)
{
    const char *colons = strstr(op, "::");
    *own = (check_own){{.op = colons ? colons + 2 : op, .make = check_spec_make}, NULL, 0, ""};
    check_spec *spec = &own->family.spec;
    if (o->opset > CHECK_MOST_OPSET)
        tool_fail(e, OC_ARGUMENT, "check: --opset is %lld, expected a number from 1 to %d",
                  (long long)o->opset, CHECK_MOST_OPSET);
    if (!op_table_find(op, INT_MAX) && !o->against)
        tool_fail(e, OC_ARGUMENT,
                  "check: '%s' has no kernel; two bodies are held against each "
                  "other by --body FILE --against OTHER",
                  op);
    oc_error none = {0};
    own->family.no_body = !o->body && !session_has_body(op, &none);
    if (own->family.no_body && !(o->search > 0 || o->steps))
        tool_fail(e, OC_ARGUMENT, "%s; --search compares instruction sets", none.text);
    if (colons) {
        snprintf(own->domain, sizeof own->domain, "%.*s", (int)(colons - op), op);
        spec->domain = own->domain;
    }
    spec->opset = o->opset ? (int)o->opset : colons ? 1 : newest_opset();
    spec->types[spec->n_types++] = OC_F32;
    spec->n_out = 1;
    spec->ulp = spec->ulp_of_1 = TOLERANCE;
    read_lists(o, own, e);
    if (e->code == OC_OK && !o->against) /* with --against, attributes are those of the bodies */
        check_validate(&own->family, e);
}

void check_own_free(check_own *own)
{
    for (int i = 0; i < own->n_texts; i++)
        free(own->text[i]);
    free(own->text);
    check_spec_free(&own->family.spec);
}
