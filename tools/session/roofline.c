/* SPDX-License-Identifier: Apache-2.0
 * roofline.c - compares nodes with what the machine can do; those with the most time to win come
 * first. */
#include "session/roofline.h"

#include "base/int.h"

#include <math.h>

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static roofline_node node_of(const observe_entry *entry, int64_t runs, const peak *p)
{
    const double each =
        (double)entry->count / (double)runs; /* runs of the node in one run of the model */
    roofline_node n = {.entry = entry,
                       .ms = 1e-6 * (double)entry->least * each,
                       .flop = entry->work.flop / (double)runs,
                       .bytes = entry->work.bytes / (double)runs};
    const double gflops = entry->work.is_double ? p->gflops / 2 : p->gflops;
    const double by_flop = 1e-6 * n.flop / gflops;
    const double by_bytes = 1e-6 * n.bytes / peak_gbytes(p, ratio(n.bytes, each));
    n.by_memory = by_bytes > by_flop;
    n.roof_ms = fmax(by_flop, by_bytes);
    return n;
}

static int farthest_first(const void *a, const void *b)
{
    const roofline_node *m = a, *n = b;
    const double x = m->ms - m->roof_ms, y = n->ms - n->roof_ms;
    return (x < y) - (x > y);
}

roofline roofline_new(const observer *o, int64_t runs, const peak *p, const char *cpu)
{
    roofline r = {.peak = p, .cpu = cpu, .node = tool_alloc((size_t)o->n + 1, sizeof *r.node)};
    for (int i = 0; i < o->n; i++) {
        const observe_entry *entry = &o->entry[i];
        if (entry->into || entry->work.holds_others)
            continue;
        r.node[r.n] = node_of(entry, runs, p);
        r.ms += r.node[r.n].ms;
        r.roof_ms += fmin(r.node[r.n].roof_ms, r.node[r.n].ms);
        r.n++;
    }
    qsort(r.node, (size_t)r.n, sizeof *r.node, farthest_first);
    return r;
}

static void print_peak(const roofline *r)
{
    printf("peak: %.1f GFLOP/s (%s, threads: %d); copies of", r->peak->gflops, r->cpu,
           r->peak->threads);
    for (int k = 0; k < PEAK_COPIES; k++)
        printf("%s %.0f KB %.0f GB/s", k ? "," : "", r->peak->copy[k].bytes / 1024,
               r->peak->copy[k].gbytes);
    printf("\n");
}

void roofline_print(const roofline *r, int most)
{
    const int n = oc_min(r->n, most);
    print_peak(r);
    printf("%9s %9s %6s %10s %9s %8s %8s %6s %-7s  %-20s %s\n", "above ms", "ms", "% run", "MFLOP",
           "MB", "GFLOP/s", "GB/s", "% roof", "bound", "operator", "node");
    for (int i = 0; i < n; i++) {
        const roofline_node *v = &r->node[i];
        tool_line("%9.3f %9.3f %6.1f %10.2f %9.3f %8.1f %8.1f %6.1f %-7s  %-20s %s%s",
                  v->ms - v->roof_ms, v->ms, 100 * ratio(v->ms, r->ms), 1e-6 * v->flop,
                  1e-6 * v->bytes, 1e-6 * ratio(v->flop, v->ms), 1e-6 * ratio(v->bytes, v->ms),
                  100 * ratio(v->roof_ms, v->ms), v->by_memory ? "memory" : "compute",
                  v->entry->runs, *v->entry->name ? v->entry->name : "of ",
                  *v->entry->name ? "" : v->entry->output);
    }
    printf("nodes together: %.3f ms, roof %.3f ms (%.1f %%)", r->ms, r->roof_ms,
           100 * ratio(r->roof_ms, r->ms));
    printf(n < r->n ? "; %d of %d nodes, --all shows all\n" : "\n", n, r->n);
}

static void json_node(json_writer *j, const roofline_node *v, double all_ms)
{
    json_object(j, NULL);
    json_text(j, "node", v->entry->name);
    json_text(j, "operator", v->entry->op);
    json_text(j, "group", v->entry->runs);
    json_text(j, "output", v->entry->output);
    json_number(j, "ms", v->ms);
    json_number(j, "share", ratio(v->ms, all_ms));
    json_number(j, "flop", v->flop);
    json_number(j, "bytes", v->bytes);
    json_number(j, "gflops", 1e-6 * ratio(v->flop, v->ms));
    json_number(j, "gbytes", 1e-6 * ratio(v->bytes, v->ms));
    json_number(j, "roof_ms", v->roof_ms);
    json_number(j, "of_roof", ratio(v->roof_ms, v->ms));
    json_text(j, "bound", v->by_memory ? "memory" : "compute");
    json_close(j);
}

void roofline_json(json_writer *j, const roofline *r)
{
    json_object(j, "roofline");
    json_text(j, "cpu", r->cpu);
    json_int(j, "threads", r->peak->threads);
    json_number(j, "peak_gflops", r->peak->gflops);
    json_array(j, "copies");
    for (int k = 0; k < PEAK_COPIES; k++) {
        json_object(j, NULL);
        json_number(j, "bytes", r->peak->copy[k].bytes);
        json_number(j, "gbytes", r->peak->copy[k].gbytes);
        json_close(j);
    }
    json_close(j);
    json_number(j, "ms", r->ms);
    json_number(j, "roof_ms", r->roof_ms);
    json_array(j, "nodes");
    for (int i = 0; i < r->n; i++)
        json_node(j, &r->node[i], r->ms);
    json_close(j);
    json_close(j);
}

void roofline_free(roofline *r)
{
    free(r->node);
    *r = (roofline){0};
}
