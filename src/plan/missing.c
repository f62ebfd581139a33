/* SPDX-License-Identifier: Apache-2.0
 * missing.c - reports the operators of a model that no version serves, and inputs that are maps. */
#include "graph/declared.h"
#include "ops/kit/registry.h"
#include "plan/planner.h"

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

/* Writes "input 'x' is map(int64, float[]), and no input may be a map" for the first such input. */
static bool list_map_input(const oc_graph *g, char *text, size_t room)
{
    char declared[OC_DECLARED_TEXT];
    for (int i = 0; i < g->n_input; i++)
        if (oc_declared_has_map(&g->input[i].type)) {
            oc_show(text, room, "input '%.200s' is %s, and no input may be a map", g->input[i].name,
                    oc_declared_text(&g->input[i].type, declared));
            return true;
        }
    return false;
}

oc_status oc_plan_check_inputs(const oc_planner *p)
{
    char text[400] = "";
    if (!list_map_input(&p->plan->model->graph, text, sizeof text))
        return OC_OK;
    return oc_error_set(p->e, OC_UNSUPPORTED, "%s", text);
}

oc_status oc_plan_check_missing(const oc_planner *p)
{
    char text[900] = "", input[300] = "";
    int n = 0;
    for (int i = 0; i < p->plan->model->n_usage; i++) {
        const oc_usage *u = &p->plan->model->usage[i];
        int oldest;
        if (oc_op_find(p->options->ops, u->domain, u->op_type, u->opset, &oldest))
            continue;
        if (strlen(text) + sizeof ", ..." < sizeof text)
            list_missing(u, oldest, text, sizeof text - sizeof ", ...");
        n++;
    }
    if (n == 0)
        return oc_plan_check_inputs(p);
    const bool map = list_map_input(&p->plan->model->graph, input, sizeof input);
    return oc_error_set(p->e, OC_UNSUPPORTED, "%d operator%s not supported: %s%s%s", n,
                        n > 1 ? "s are" : " is", text, map ? "; " : "", input);
}
