/* SPDX-License-Identifier: Apache-2.0
 * operators.c - adds up the entries of a profile by operator. */
#include "session/operators.h"

static void add_entry(operators *t, text_index *names, const observe_entry *entry)
{
    char *name = tool_format("%s%s%s", entry->runs, entry->into ? " in " : "",
                             entry->into ? entry->into : "");
    int at = text_index_find(names, name);
    if (at < 0) {
        at = t->n++;
        text_index_add(names, name, at);
        t->item = tool_push(t->item, (size_t)at, sizeof *t->item);
        t->item[at] = (operator_total){.name = name};
        name = NULL;
    }
    free(name);
    t->item[at].nodes++;
    t->item[at].count += entry->count;
    t->item[at].nanoseconds += entry->own;
    t->nanoseconds += entry->own;
}

static int slower_first(const void *a, const void *b)
{
    const operator_total *x = a, *y = b;
    if (x->nanoseconds != y->nanoseconds)
        return (x->nanoseconds < y->nanoseconds) - (x->nanoseconds > y->nanoseconds);
    return strcmp(x->name, y->name);
}

operators operators_new(const observer *o, int64_t runs)
{
    operators t = {.runs = runs};
    text_index names = {0};
    for (int i = 0; i < o->n; i++)
        add_entry(&t, &names, &o->entry[i]);
    text_index_free(&names);
    if (t.n)
        qsort(t.item, (size_t)t.n, sizeof *t.item, slower_first);
    return t;
}

static double ms_of_run(const operators *t, int64_t nanoseconds)
{
    return 1e-6 * (double)nanoseconds / (double)t->runs;
}

static double share(const operators *t, const operator_total *o)
{
    return t->nanoseconds ? (double)o->nanoseconds / (double)t->nanoseconds : 0;
}

void operators_print(const operators *t)
{
    printf("%10s %6s %7s %10s  %s\n", "ms a run", "%", "nodes", "runs each", "operator");
    for (int i = 0; i < t->n; i++) {
        const operator_total *o = &t->item[i];
        tool_line("%10.3f %6.1f %7" PRId64 " %10.1f  %s", ms_of_run(t, o->nanoseconds),
                  100 * share(t, o), o->nodes,
                  (double)o->count / (double)t->runs / (double)o->nodes, o->name);
    }
    printf("%10.3f  all nodes\n", ms_of_run(t, t->nanoseconds));
}

void operators_json(json_writer *j, const operators *t)
{
    json_array(j, "operators");
    for (int i = 0; i < t->n; i++) {
        const operator_total *o = &t->item[i];
        json_object(j, NULL);
        json_text(j, "operator", o->name);
        json_int(j, "nodes", o->nodes);
        json_number(j, "runs", (double)o->count / (double)t->runs);
        json_number(j, "ms", ms_of_run(t, o->nanoseconds));
        json_number(j, "share", share(t, o));
        json_close(j);
    }
    json_close(j);
}

void operators_free(operators *t)
{
    for (int i = 0; i < t->n; i++)
        free(t->item[i].name);
    free(t->item);
    *t = (operators){0};
}
