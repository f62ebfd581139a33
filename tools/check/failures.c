/* SPDX-License-Identifier: Apache-2.0
 * failures.c - groups the failures of one operator's cases by their place in a body. */
#include "check/failures.h"

#include "check/replay.h"

#include <ctype.h>

/* Returns the place that an error text tells of. A text that names a node is cut behind the
 * node, because what follows depends on the case. In any other text each number becomes '#'.
 * Free it with free. */
static char *place_of(const char *text)
{
    const char *node = strstr(text, "): ");
    if (node)
        return tool_format("%.*s", (int)(node - text), text);
    char *place = tool_format("%s", text), *to = place;
    for (const char *c = text; *c; c++)
        if (!isdigit((unsigned char)*c))
            *to++ = *c;
        else if (to == place || to[-1] != '#')
            *to++ = '#';
    *to = 0;
    return place;
}

bool failures_add(check_failures *f, const check_run *run, int way)
{
    const check_result *r = &run->result[way];
    int i = 0;
    if (r->outcome != CHECK_FAILS && r->outcome != CHECK_KERNEL_FAILS)
        return false;
    char *first =
        tool_format("%s: %s", run->plan->way[way].label, check_outcome_name(run->plan, r->outcome));
    char *at = place_of(r->text), *place = tool_format("%s: %s", first, at);
    free(at);
    while (i < f->n && strcmp(f->at[i].place, place) != 0)
        i++;
    if (i == f->n && f->n < FAILURES_PLACES) {
        f->at[f->n++] = (check_failure){.first = tool_format("%s, %s", run->c->name, first),
                                        .text = tool_format("%s", r->text),
                                        .place = tool_format("%s", place),
                                        .replay = check_replay(run->plan, run->c)};
    }
    if (i < f->n)
        f->at[i].n++;
    free(first);
    free(place);
    return i < f->n;
}

void failures_end(check_failures *f)
{
    for (int i = 0; i < f->n; i++) {
        check_failure *one = &f->at[i];
        if (one->n > 1)
            tool_line("  %s in %d cases, first in this one: %s", one->first, one->n, one->text);
        else
            tool_line("  %s: %s", one->first, one->text);
        tool_line("    %s", one->replay);
        free(one->first);
        free(one->text);
        free(one->place);
        free(one->replay);
    }
    *f = (check_failures){0};
}
