/* SPDX-License-Identifier: Apache-2.0
 * exact.c - the axes on which all runs must give equal bits: isa, threads, fusion, folding,
 * memory. */
#include "model_check/axis.h"

/* Runs the model with options o, compares it with the trace and reports a row. Returns false
 * without a run if fusion is on but no nodes are fused, if the processor lacks the instruction
 * set, or if only one of the two runs sums products in the fast way. */
static bool add_exact(axis_check *c, const char *name, oc_session_options o)
{
    oc_error e = {0};
    value_comparison m = value_comparison_new(&c->trace, &(compare_bound){.bits = true});
    axis_row row = {.comparison = &m, .error = &e};
    m.picture = axis_report_picture(&c->report);
    snprintf(row.name, sizeof row.name, "%s%s", name, o.no_fusion ? "" : ", fused");
    o.observer.on_node = value_compare_node;
    o.observer.on_node_ctx = &m;
    o.observer.view = o.no_fusion ? OC_VIEW_ALL : OC_VIEW_STORED;
    oc_session *s = oc_session_new(c->model, &o, &e);
    const oc_session_stats stats = s ? oc_session_describe(s) : (oc_session_stats){.n_fused = 1};
    if (!o.no_fusion && stats.n_fused == 0) {
        oc_session_free(s);
        return false;
    }
    if (s && o.cpu && strcmp(o.cpu, stats.cpu) != 0)
        row.note = "this processor does not have it";
    else if (s && axis_is_fast(s) != c->is_fast)
        row.note = "its products are fused, those of the reference multiplied, then added";
    if (row.note) {
        oc_session_free(s);
        axis_report_row(&c->report, &row);
        return false;
    }
    axis_run(c, s, &e);
    if (axis_is_fatal(&e))
        c->error = e;
    else
        axis_report_row(&c->report, &row);
    return true;
}

/* Runs the model without fusion, and again with fusion unless the command line forbids it. */
static void add_both(axis_check *c, const char *name, oc_session_options o)
{
    if (c->error.code != OC_OK || !add_exact(c, name, o))
        return;
    o.no_fusion = c->options->session.no_fusion;
    if (c->error.code == OC_OK && !o.no_fusion)
        add_exact(c, name, o);
}

void axis_isa(axis_check *c)
{
    static const char *const sets[] = {"v128", "avx2", "avx512", "neon"};
    oc_session_options o = axis_base(c);
    o.cpu = "scalar";
    axis_refer(c, "isa", "instruction sets against scalar code, bit by bit", o);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        o.cpu = sets[i];
        add_both(c, sets[i], o);
    }
}

void axis_threads(axis_check *c)
{
    static const int counts[] = {2, 3, 7};
    oc_session_options o = axis_base(c);
    o.threads = 1;
    axis_refer(c, "threads", "several threads against one, bit by bit", o);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char name[24];
        snprintf(name, sizeof name, "%d threads", counts[i]);
        o.threads = counts[i];
        add_both(c, name, o);
    }
}

void axis_fusion(axis_check *c)
{
    oc_session_options o = axis_base(c);
    axis_refer(c, "fusion", "nodes that run as one against each by itself, bit by bit", o);
    o.no_fusion = false;
    if (c->error.code == OC_OK && !add_exact(c, "all nodes", o))
        axis_report_row(&c->report, &(axis_row){.name = "all nodes, fused",
                                                .note = "no nodes of this model run as one"});
}

/* Returns the number of nodes whose results the plan would compute ahead under these options. */
static int count_folded(axis_check *c, const oc_session_options *o)
{
    oc_session *s = oc_session_new(c->model, o, &c->error);
    const int n = s ? oc_session_describe(s).n_folded : 0;
    oc_session_free(s);
    return n;
}

void axis_folding(axis_check *c)
{
    oc_session_options o = axis_base(c);
    o.no_folding = true;
    axis_refer(c, "folding",
               "nodes that depend on weights alone, run once against each time, bit by bit", o);
    o.no_folding = false;
    if (c->error.code == OC_OK && count_folded(c, &o) > 0)
        add_both(c, "run once", o);
    else if (c->error.code == OC_OK)
        axis_report_row(&c->report,
                        &(axis_row){.name = "run once",
                                    .note = "no node of this model depends on weights alone"});
}

void axis_memory(axis_check *c)
{
    oc_session_options o = axis_base(c);
    o.no_reuse = true;
    axis_refer(c, "memory", "buffers used again against new ones, bit by bit", o);
    o.no_reuse = false;
    add_both(c, "used again", o);
}
