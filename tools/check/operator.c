/* SPDX-License-Identifier: Apache-2.0
 * operator.c - runs the cases of operators and hands each to the reports. */
#include "check/operator.h"

#include "base/int.h"
#include "check/engine.h"
#include "check/found.h"
#include "check/where.h"
#include "common/signals.h"
#include "files/io.h"

typedef struct checker {
    const check_options *options;
    const oc_function_text *given, *against; /* bodies of the command line; NULL: there are none */
    check_report *report[CHECK_REPORTS];
    int n_reports;
    bool told;            /* true: a report goes to standard output */
    check_engine *engine; /* NULL: there is no engine */
    check_tally all;
} checker;

/* ---- reports ---- */

static void tell_begin(const checker *k, const check_plan *p)
{
    for (int i = 0; i < k->n_reports; i++)
        if (k->report[i]->begin)
            k->report[i]->begin(k->report[i], p);
}

static void tell_run(const checker *k, const check_run *run, const check_tally *so_far)
{
    for (int i = 0; i < k->n_reports; i++)
        if (k->report[i]->run)
            k->report[i]->run(k->report[i], run, so_far);
}

static void tell_group(const checker *k, const check_plan *p, const char *name,
                       const check_tally *t)
{
    for (int i = 0; i < k->n_reports && t->n_cases; i++)
        if (k->report[i]->group)
            k->report[i]->group(k->report[i], p, name, t);
}

static void tell_searched(const checker *k, const check_plan *p, const check_search *s)
{
    for (int i = 0; i < k->n_reports && s->steps; i++)
        if (k->report[i]->searched)
            k->report[i]->searched(k->report[i], p, s);
}

static void tell_end(const checker *k, const check_plan *p, const check_tally *t, const oc_error *e)
{
    for (int i = 0; i < k->n_reports; i++)
        if (k->report[i]->end)
            k->report[i]->end(k->report[i], p, t, e);
}

/* ---- the cases of one operator ---- */

/* The cases that wait for the engine. Without an engine a batch is a single case. */
typedef struct batch {
    check_case c[CHECK_BATCH];
    check_run run[CHECK_BATCH];
    int n;
} batch;

typedef struct progress {
    char group[CHECK_NAME];
    check_tally of_group, all;
    char refusal[COMPARE_TEXT]; /* error of the first case that neither kernel nor body ran */
    batch waiting;
    search_seeds seeds;
    int number; /* number of the case that was begun last */
} progress;

/* Two outputs differ: finds out why, and which one is nearer to the exact result. */
static void look_closer(check_run *run, int way)
{
    check_result *r = &run->result[way];
    const check_plan *p = run->plan;
    if (p->options->in_double)
        r->nearer = check_find_nearer(run, way);
    if (p->reference.functions && p->way[way].functions && r->ran)
        r->inner = check_find_inner(run, way);
}

static void end_case(const checker *k, check_run *run, progress *g, oc_error *e)
{
    const check_case *c = run->c;
    if (strcmp(g->group, c->group) != 0) {
        tell_group(k, run->plan, g->group, &g->of_group);
        memcpy(g->group, c->group, sizeof g->group);
        g->of_group = (check_tally){0};
    }
    check_run_end(run, e);
    if (e->code != OC_OK)
        return;
    for (int i = 0; i < run->plan->n; i++)
        if (run->result[i].outcome == CHECK_DIFFERS)
            look_closer(run, i);
    check_tally_add(&g->of_group, run);
    check_tally_add(&g->all, run);
    if (!c->refused && run->result[0].outcome == CHECK_AGREES)
        search_seeds_add(&g->seeds, g->number, run->result[0].share);
    if (!*g->refusal && run->result[0].outcome == CHECK_AGREES && !run->result[0].ran)
        memcpy(g->refusal, run->result[0].text, sizeof g->refusal);
    tell_run(k, run, &g->all);
}

static void end_batch(const checker *k, progress *g, oc_error *e)
{
    batch *b = &g->waiting;
    if (k->engine)
        check_engine_ask(k->engine, b->run, b->n, e);
    for (int i = 0; i < b->n; i++) {
        if (e->code == OC_OK)
            end_case(k, &b->run[i], g, e);
        check_run_free(&b->run[i]);
        check_case_free(&b->c[i]);
    }
    b->n = 0;
}

/* Is the case asked for? An engine is not asked about inputs that the operator must refuse. */
static bool is_wanted(const checker *k, const check_case *c)
{
    const char *only = k->options->only;
    return !(only && !check_is_file(only) && strcmp(only, c->name) != 0) &&
           !(k->engine && c->refused);
}

/* Begins the case, and takes it over. */
static void begin_case(const checker *k, const check_plan *p, check_case *c, progress *g,
                       oc_error *e)
{
    batch *b = &g->waiting;
    if (e->code != OC_OK || !is_wanted(k, c)) {
        check_case_free(c);
        return;
    }
    b->c[b->n] = *c;
    b->run[b->n] = check_run_begin(p, &b->c[b->n], e);
    b->n++;
    if (b->n == (k->engine ? CHECK_BATCH : 1))
        end_batch(k, g, e);
}

static void run_cases(const checker *k, const check_plan *p, progress *g, oc_error *e)
{
    check_maker maker = {.family = p->family, .seed = (uint64_t)k->options->session.seed};
    const int64_t step = k->options->sample ? k->options->sample : 1;
    for (int64_t i = 0; i <= INT_MAX && e->code == OC_OK; i += step) {
        check_case c = {.defect = -1};
        if (signals_cancelled(NULL))
            tool_fail(e, OC_CANCELLED, "check: interrupted");
        else if (!p->family->make(&maker, (int)i, &c, e))
            break;
        g->number = (int)i;
        begin_case(k, p, &c, g, e);
    }
    end_batch(k, g, e);
    g->seeds.n_cases = g->number + 1;
    if (k->options->only && g->all.n_cases == 0)
        tool_fail(e, OC_ARGUMENT, "check: %s has no case '%.300s'; --verbose lists its cases",
                  p->family->op, k->options->only);
    else if (k->options->inputs.n && g->all.way[0].refused == g->all.n_cases)
        tool_fail(e, OC_ARGUMENT, "check: %s refuses all of --inputs: %s", p->family->op,
                  g->refusal);
}

/* Runs a case from a file. */
static void run_file(const checker *k, const check_plan *p, progress *g, check_search *search,
                     oc_error *e)
{
    const compare_bound equal = {.atol = 0};
    check_case c, again;
    check_found_read(k->options->only, &equal, &c, e);
    check_found_read(k->options->only, &equal, &again, e);
    if (e->code == OC_OK)
        check_search_one(p, &again, search);
    check_case_free(&again);
    begin_case(k, p, &c, g, e);
}

/* Searches for worse inputs than those of the cases, and writes what it finds. */
static void search_worse(const check_plan *p, progress *g, check_search *search, oc_error *e)
{
    const char *path = p->options->output;
    if (e->code == OC_OK && (p->options->search > 0 || p->options->steps)) {
        check_search_run(p, &g->seeds, search, e);
        search->before = g->all.way[0].share;
    }
    oc_error unwritten = {0};
    if (path && search->steps)
        check_search_write(search, path, &unwritten);
    if (e->code == OC_OK)
        *e = unwritten;
    if (search->interrupted)
        tool_fail(e, OC_CANCELLED, "check: interrupted");
}

static int run_operator(checker *k, const check_family *family)
{
    const check_plan p = check_plan_new(family, k->options, k->given, k->against);
    progress *g = tool_alloc(1, sizeof *g);
    oc_error e = {0};
    check_search search = {0};
    tell_begin(k, &p);
    if (check_is_file(k->options->only))
        run_file(k, &p, g, &search, &e);
    else
        run_cases(k, &p, g, &e);
    tell_group(k, &p, g->group, &g->of_group);
    search_worse(&p, g, &search, &e);
    tell_searched(k, &p, &search);
    g->all.n_bad += search.n_found;
    tell_end(k, &p, &g->all, &e);
    check_tally_join(&k->all, &g->all);
    check_search_free(&search);
    free(g);
    return e.code == OC_OK ? TOOL_OK : tool_report(&e, false);
}

/* ---- all operators of the command line ---- */

static void add_report(checker *k, check_report *r)
{
    if (r)
        k->report[k->n_reports++] = r;
}

static void open_reports(checker *k, oc_error *e)
{
    const check_options *o = k->options;
    if (o->export)
        add_report(k, check_export_new(o->export, o->export_bad, e));
    if (o->html && e->code == OC_OK)
        add_report(k, check_html_new(o->html, o, e));
    if (e->code != OC_OK)
        return;
    k->told = true;
    if (o->html && strcmp(o->html, "-") == 0) /* then the page goes to standard output */
        return;
    add_report(k, o->json       ? check_json_new(o)
                  : o->markdown ? check_markdown_new(o)
                                : check_text_new(o));
}

/* Reads a body from a file. Returns NULL when path is NULL, or when *e is set. */
static const oc_function_text *read_body(const char *path, const char *op, oc_function_text rows[2],
                                         io_bytes *text, oc_error *e)
{
    enum { MOST_TEXT = 1 << 24 };
    if (!path || e->code != OC_OK)
        return NULL;
    io_read(path, MOST_TEXT, text, e);
    if (e->code == OC_OK && !io_bytes_writer(text).write(text, "", 1))
        tool_fail(e, OC_NOMEM, "%s: no memory", path);
    if (e->code == OC_OK && strlen((const char *)text->data) + 1 != text->size)
        tool_fail(e, OC_FORMAT, "%s: a zero byte, expected ONNX text", path);
    rows[0] = (oc_function_text){(const char *)text->data, op, path};
    rows[1] = (oc_function_text){0};
    return e->code == OC_OK ? rows : NULL;
}

int check_run_operators(const check_family *const *family, int n, const check_options *options)
{
    checker k = {.options = options};
    oc_error e = {0};
    oc_function_text given[2], against[2];
    io_bytes text[2] = {{0}};
    int worst = TOOL_OK;
    const char *domain = family[0]->spec.domain;
    char *op = tool_format("%s::%s", domain ? domain : "ai.onnx", family[0]->op);
    k.given = read_body(options->body, op, given, &text[0], &e);
    k.against = read_body(options->against, op, against, &text[1], &e);
    if (options->engine && e.code == OC_OK)
        k.engine = check_engine_new(options, &e);
    if (e.code == OC_OK)
        open_reports(&k, &e);
    for (int i = 0; i < n && e.code == OC_OK; i++) {
        const int code = run_operator(&k, family[i]);
        i = signals_cancelled(NULL) || check_engine_is_broken(k.engine)
                ? n
                : i; /* does not begin the others */
        worst = oc_max(code, worst);
    }
    for (int i = 0; i < k.n_reports; i++)
        k.report[i]->finish(k.report[i], &k.all, &e);
    check_engine_free(k.engine);
    for (int i = 0; i < 2; i++)
        io_bytes_free(&text[i]);
    free(op);
    if (k.all.n_bad)
        worst = TOOL_DIFFERS;
    return e.code == OC_OK ? worst : tool_report(&e, options->json && !k.told);
}
