/* SPDX-License-Identifier: Apache-2.0
 * missing.c - reports the operators of a model that no row serves. */
#include "ops/kit/registry.h"
#include "plan/planner.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LISTED = 120 }; /* bytes of one operator's domain, and of its name, in the message */

/* Appends ", domain::Name-13 (oldest known is 16)". If the text is full it ends with "...". */
static void list_missing(const oc_usage *u, int oldest, char *text, size_t room)
{
    char known[40] = "";
    const size_t at = strlen(text);
    if (oldest)
        snprintf(known, sizeof known, " (oldest known is %d)", oldest);
    const int size =
        snprintf(text + at, room - at, "%s%.*s%s%.*s-%" PRId64 "%s", at ? ", " : "", MAX_LISTED,
                 u->domain, *u->domain ? "::" : "", MAX_LISTED, u->op_type, u->opset, known);
    if (size >= 0 && (size_t)size >= room - at)
        snprintf(text + at, sizeof ", ...", ", ...");
}

oc_status oc_plan_check_missing(const oc_planner *p)
{
    char text[900] = "";
    int n = 0;
    for (int i = 0; i < p->plan->model->n_usage; i++) {
        const oc_usage *u = &p->plan->model->usage[i];
        int oldest;
        if (oc_op_find(p->options->host_ops, u->domain, u->op_type, u->opset, &oldest))
            continue;
        if (strlen(text) + sizeof ", ..." < sizeof text)
            list_missing(u, oldest, text, sizeof text - sizeof ", ...");
        n++;
    }
    if (n == 0)
        return OC_OK;
    return oc_error_set(p->e, OC_UNSUPPORTED, "%d operator%s not supported: %s", n,
                        n > 1 ? "s are" : " is", text);
}
