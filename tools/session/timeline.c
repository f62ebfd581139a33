/* SPDX-License-Identifier: Apache-2.0
 * timeline.c - writes nodes of runs as Chrome's trace events. */
#include "session/timeline.h"

#include "session/session_args.h"
#include "values/stats.h"

static void begin_event(json_writer *j, const char *name, const char *phase)
{
    json_object(j, NULL);
    j->flat++;
    json_text(j, "name", name);
    json_text(j, "ph", phase);
    json_int(j, "pid", 1);
    json_int(j, "tid", 1);
}

static void end_event(json_writer *j)
{
    json_close(j);
    j->flat--;
}

/* Writes when an event begins and how long it is, in microseconds. */
static void write_time(timeline *t, double begin, double end)
{
    json_number(&t->json, "ts", 1e6 * (begin - t->origin));
    json_number(&t->json, "dur", 1e6 * (end - begin));
}

static void name_track(json_writer *j, const char *what, const char *name)
{
    begin_event(j, what, "M");
    json_object(j, "args");
    json_text(j, "name", name);
    json_close(j);
    end_event(j);
}

void timeline_open(timeline *t, const char *path, const char *model, oc_error *e)
{
    if (strcmp(path, "-") == 0)
        tool_fail(e, OC_ARGUMENT, "--trace -: expected a file; standard output has the results");
    io_create(&t->file, path, e);
    if (e->code != OC_OK)
        return;
    t->json = json_begin(t->file.stream);
    t->origin = session_clock();
    json_object(&t->json, NULL);
    json_text(&t->json, "displayTimeUnit", "ms");
    json_array(&t->json, "traceEvents");
    name_track(&t->json, "process_name", "ocellus");
    name_track(&t->json, "thread_name", model);
}

static void end_run(timeline *t)
{
    if (t->runs == 0)
        return;
    char name[32];
    snprintf(name, sizeof name, "run %" PRId64, t->runs - 1);
    begin_event(&t->json, name, "X");
    json_text(&t->json, "cat", "run");
    write_time(t, t->run_begin, t->run_end);
    end_event(&t->json);
}

static void write_shapes(json_writer *j, const char *key, const oc_value *const *value, int n)
{
    char text[STATS_SHAPE];
    json_array(j, key);
    for (int i = 0; value && i < n; i++)
        json_text(j, NULL, value[i] ? stats_shape(value[i], text) : NULL);
    json_close(j);
}

static void write_node(timeline *t, const oc_node_event *event, double now)
{
    json_writer *j = &t->json;
    const char *output = event->n_out ? event->out_name[0] : "";
    begin_event(j, event->runs, "X");
    json_text(j, "cat", event->fused_into ? "fused" : "node");
    write_time(t, t->begin[event->depth], now);
    json_object(j, "args");
    json_text(j, "node", event->name);
    json_text(j, "output", output);
    json_text(j, "domain", event->domain);
    json_text(j, "operator", event->op_type);
    json_int(j, "step", event->sequence);
    json_int(j, "depth", event->depth);
    json_int(j, "nanoseconds", event->nanoseconds);
    write_shapes(j, "inputs", event->in, event->n_in);
    write_shapes(j, "outputs", event->out, event->n_out);
    if (event->fused_into)
        json_text(j, "fused_into", event->fused_into);
    json_close(j);
    end_event(j);
}

void timeline_node(timeline *t, const oc_node_event *event)
{
    if (event->begin && event->depth == 0 && event->sequence == 0) {
        end_run(t);
        t->runs++;
        t->run_begin = session_clock();
    }
    if (event->begin) {
        if (event->depth >= t->depths) {
            t->depths = event->depth + 1;
            t->begin = tool_grow(t->begin, (size_t)t->depths, sizeof *t->begin);
        }
        t->begin[event->depth] = session_clock();
        return;
    }
    const double now = session_clock();
    write_node(t, event, now);
    if (event->depth == 0)
        t->run_end = now;
}

void timeline_close(timeline *t, oc_error *e)
{
    free(t->begin);
    t->begin = NULL;
    if (!t->file.path)
        return;
    if (e->code == OC_OK && t->file.stream) {
        end_run(t);
        json_close(&t->json);
        json_close(&t->json);
        json_end(&t->json);
    }
    io_commit(&t->file, e);
}
