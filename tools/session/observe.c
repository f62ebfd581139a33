/* SPDX-License-Identifier: Apache-2.0
 * observe.c - hands each node of a run to whoever asks for it: a table of times and work, a
 * folder of values, the search for NaN, a trace. */
#include "session/observe.h"

#include "base/int.h"
#include "common/signals.h"

/* ---- times ---- */

static bool is_entry(const observe_entry *entry, const oc_node_event *event, const char *output)
{
    return strcmp(entry->name, event->name) == 0 && strcmp(entry->op, event->op_type) == 0 &&
           strcmp(entry->output, output) == 0;
}

static char *entry_key(const char *name, const char *op, const char *output)
{
    return tool_format("%s\x1f%s\x1f%s", name, op, output);
}

static void add_entry(observer *o, const oc_node_event *event, const char *output, const char *key)
{
    o->entry = tool_push(o->entry, (size_t)o->n, sizeof *o->entry);
    o->last = o->n++;
    o->entry[o->last] =
        (observe_entry){.name = tool_format("%s", event->name),
                        .op = tool_format("%s", event->op_type),
                        .runs = tool_format("%s", event->runs),
                        .output = tool_format("%s", output),
                        .into = event->fused_into ? tool_format("%s", event->fused_into) : NULL};
    text_index_add(&o->entries, key, o->last);
}

/* Finds the event's entry or appends one. Repeated runs have one order of nodes, so the entry
 * after that of the last event is tried first. */
static observe_entry *find_entry(observer *o, const oc_node_event *event)
{
    const char *output = event->n_out ? event->out_name[0] : "";
    const int next = o->n ? (o->last + 1) % o->n : 0;
    if (o->n && is_entry(&o->entry[next], event, output)) {
        o->last = next;
        return &o->entry[next];
    }
    char *key = entry_key(event->name, event->op_type, output);
    const int found = text_index_find(&o->entries, key);
    if (found >= 0)
        o->last = found;
    else
        add_entry(o, event, output, key);
    free(key);
    return &o->entry[o->last];
}

static int slower_first(const void *a, const void *b)
{
    const int64_t x = ((const observe_entry *)a)->nanoseconds;
    const int64_t y = ((const observe_entry *)b)->nanoseconds;
    return (x < y) - (x > y);
}

void observe_sort(observer *o)
{
    if (o->n)
        qsort(o->entry, (size_t)o->n, sizeof *o->entry, slower_first);
    text_index_free(&o->entries);
    for (int i = 0; i < o->n; i++) {
        char *key = entry_key(o->entry[i].name, o->entry[i].op, o->entry[i].output);
        text_index_add(&o->entries, key, i);
        free(key);
    }
}

void observe_print(const observer *o)
{
    int64_t total = 0;
    for (int i = 0; i < o->n; i++)
        total += o->entry[i].nanoseconds;
    printf("%10s %6s %7s  %-24s %s\n", "ms", "%", "runs", "operator", "node");
    for (int i = 0; i < o->n; i++) {
        const observe_entry *r = &o->entry[i];
        char *op = tool_format("%s%s%s", r->runs, r->into ? " in " : "", r->into ? r->into : "");
        tool_line("%10.3f %6.1f %7" PRId64 "  %-24s %s%s", (double)r->nanoseconds / 1e6,
                  total ? 100.0 * (double)r->nanoseconds / (double)total : 0, r->count, op,
                  *r->name ? r->name : "of ", *r->name ? "" : r->output);
        free(op);
    }
}

void observe_json(json_writer *j, const observer *o)
{
    json_array(j, "profile");
    for (int i = 0; i < o->n; i++) {
        json_object(j, NULL);
        json_text(j, "node", o->entry[i].name);
        json_text(j, "operator", o->entry[i].op);
        json_text(j, "output", o->entry[i].output);
        json_text(j, "group", o->entry[i].runs);
        json_text(j, "fused_into", o->entry[i].into);
        json_int(j, "runs", o->entry[i].count);
        json_int(j, "nanoseconds", o->entry[i].nanoseconds);
        json_close(j);
    }
    json_close(j);
}

/* ---- values ---- */

/* Returns a safe name that no output before i has, with the number i before it if needed. Free
 * it with free. */
static char *unique_name(text_index *taken, const char *output, int i)
{
    char *name = io_safe_name(output);
    while (text_index_find(taken, name) >= 0) {
        char *longer = tool_format("%d_%s", i, name);
        free(name);
        name = longer;
    }
    text_index_add(taken, name, i);
    return name;
}

static void dump(observer *o, const oc_node_event *event)
{
    text_index taken = {0};
    for (int i = 0; i < event->n_out && o->error.code == OC_OK; i++) {
        const oc_value *v = event->out[i];
        if (!v || !*event->out_name[i])
            continue;
        char *op = io_safe_name(event->op_type);
        char *name = unique_name(&taken, event->out_name[i], i);
        char *path = tool_format("%s/%06" PRId64 "_%s_%s%s", o->dump, event->sequence, op, name,
                                 oc_value_kind(v) == OC_TENSOR ? ".npy" : ".pb");
        tensor_write(path, v, event->out_name[i], &o->options, &o->error);
        free(path);
        free(name);
        free(op);
    }
    text_index_free(&taken);
}

/* Returns the time of the node without that of the nodes in its graphs, which have ended before. */
static int64_t own_time(observer *o, const oc_node_event *event)
{
    const int depth = event->depth;
    while (o->depths < depth + 2) {
        o->within = tool_push(o->within, (size_t)o->depths, sizeof *o->within);
        o->within[o->depths++] = 0;
    }
    const int64_t own = event->nanoseconds - o->within[depth + 1];
    o->within[depth + 1] = 0;
    o->within[depth] += event->nanoseconds;
    return oc_max(own, 0);
}

static void add_time(observe_entry *entry, int64_t nanoseconds, int64_t own)
{
    entry->own += own;
    entry->least = entry->count && entry->least < nanoseconds ? entry->least : nanoseconds;
    entry->nanoseconds += nanoseconds;
    entry->count++;
}

/* Returns the work so far of the group whose last node has that first output. */
static node_work *work_of_group(observer *o, const char *output)
{
    int found = text_index_find(&o->groups, output);
    if (found < 0) {
        o->fused = tool_push(o->fused, (size_t)o->n_fused, sizeof *o->fused);
        o->fused[found = o->n_fused++] = (node_work){0};
        text_index_add(&o->groups, output, found);
    }
    return &o->fused[found];
}

static void add(node_work *to, const node_work *more)
{
    to->flop += more->flop;
    to->bytes += more->bytes;
    to->is_double = to->is_double || more->is_double;
}

/* Adds work; that of nodes fused away belongs to their group's last node. */
static void add_work(observer *o, observe_entry *entry, const oc_node_event *event)
{
    const node_work own = work_of(event);
    if (event->fused_output) {
        add(work_of_group(o, event->fused_output), &own);
        return;
    }
    add(&entry->work, &own);
    entry->work.holds_others = own.holds_others;
    if (strcmp(event->runs, event->op_type) == 0)
        return;
    node_work *others = work_of_group(o, event->out_name[0]);
    add(&entry->work, others);
    *others = (node_work){0};
}

static void on_node(void *ctx, const oc_node_event *event)
{
    observer *o = ctx;
    if (o->trace && o->error.code == OC_OK)
        timeline_node(o->trace, event);
    if (event->begin || o->error.code != OC_OK)
        return;
    if (o->find)
        find_nan_look(o->find, event, &o->error);
    if (o->profile) {
        observe_entry *entry = find_entry(o, event);
        add_time(entry, event->nanoseconds, own_time(o, event));
        if (o->work)
            add_work(o, entry, event);
    }
    if (o->dump)
        dump(o, event);
}

static bool is_over(void *ctx)
{
    const observer *o = ctx;
    return o->error.code != OC_OK || (o->find && o->find->found) || signals_cancelled(NULL);
}

void observe_attach(observer *o, oc_session_options *options)
{
    o->last = -1;
    if (!o->profile && !o->dump && !o->find && !o->trace)
        return;
    options->observer.on_node = on_node;
    options->observer.on_node_ctx = o;
    options->observer.view = o->dump || o->find    ? OC_VIEW_ALL
                             : o->work || o->trace ? OC_VIEW_STORED
                                                   : OC_VIEW_NONE;
    /* a value that was computed ahead has no inputs to examine */
    options->no_folding = options->no_folding || o->find;
    options->limits.cancel = is_over;
    options->limits.cancel_ctx = o;
}

void observe_free(observer *o)
{
    for (int i = 0; i < o->n; i++) {
        free(o->entry[i].name);
        free(o->entry[i].op);
        free(o->entry[i].runs);
        free(o->entry[i].output);
        free(o->entry[i].into);
    }
    free(o->entry);
    free(o->within);
    free(o->fused);
    text_index_free(&o->entries);
    text_index_free(&o->groups);
    *o = (observer){0};
}
