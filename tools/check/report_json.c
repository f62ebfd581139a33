/* SPDX-License-Identifier: Apache-2.0
 * report_json.c - a check's report as JSON: an array with an object for each operator. */
#include "check/report.h"

#include "check/replay.h"

typedef struct json_report {
    check_report report;
    json_writer json;
    const check_search *search; /* the operator's search; NULL: there is none */
} json_report;

static json_writer *of(check_report *r)
{
    return &((json_report *)r)->json;
}

static void begin(check_report *r, const check_plan *p)
{
    ((json_report *)r)->search = NULL;
    json_object(of(r), NULL);
    json_text(of(r), "operator", p->family->op);
    json_text(of(r), "reference", p->reference.label);
    json_array(of(r), "cases");
}

static void put_nearer(json_writer *j, const check_run *run, int way)
{
    const check_nearer *n = &run->result[way].nearer;
    json_object(j, "in_double");
    if (n->known) {
        json_number(j, "exact", n->exact);
        json_number(j, "off", n->way);
        json_number(j, "reference_off", n->reference);
        json_text(j, "nearer", check_nearer_label(run, way));
    } else {
        json_text(j, "unknown", n->text);
    }
    json_close(j);
}

static void put_result(json_writer *j, const check_run *run, int way)
{
    const check_plan *p = run->plan;
    const check_result *r = &run->result[way];
    json_object(j, p->way[way].key);
    json_text(j, "outcome", check_outcome_name(p, r->outcome));
    if (r->ran) {
        json_number(j, "max_abs", r->max_abs);
        json_unsigned(j, "max_ulp", r->max_ulp);
        json_number(j, "share_of_bound", r->share);
    }
    if (*r->text)
        json_text(j, "text", r->text);
    if (r->inner.asked)
        json_text(j, r->inner.known ? "first_inner" : "first_inner_unknown", r->inner.text);
    if (r->nearer.asked)
        put_nearer(j, run, way);
    if (r->defect)
        json_text(j, "known", r->defect->text);
    json_close(j);
}

static void put_run(check_report *r, const check_run *run, OC_UNUSED const check_tally *so_far)
{
    json_writer *j = of(r);
    bool bad = false;
    json_object(j, NULL);
    json_text(j, "case", run->c->name);
    json_object(j, "bound");
    json_number(j, "rtol", run->c->bound.rtol);
    json_number(j, "atol", run->c->bound.atol);
    json_close(j);
    for (int i = 0; i < run->plan->n; i++) {
        put_result(j, run, i);
        bad = bad || check_is_bad(&run->result[i]);
    }
    if (bad) {
        char *line = check_replay(run->plan, run->c);
        json_text(j, "replay", line);
        free(line);
    }
    json_close(j);
}

static void put_defects(json_writer *j, const check_plan *p, const check_tally *t)
{
    json_array(j, "known_defects");
    for (int i = 0; p->family->defects && p->family->defects[i].text; i++) {
        json_object(j, NULL);
        json_text(j, "text", p->family->defects[i].text);
        json_int(j, "cases", t->defect[i].touched);
        json_int(j, "seen", t->defect[i].seen);
        json_close(j);
    }
    json_close(j);
}

static void put_hit(json_writer *j, const check_plan *p, const search_hit *h)
{
    char pair[JUDGE_TEXT];
    json_object(j, NULL);
    json_text(j, "between", judge_pair_text(p, h->pair, pair));
    json_number(j, "share", h->gap.share);
    json_bool(j, "fails", h->gap.fails);
    json_int(j, "step", h->step);
    json_text(j, "case", h->name);
    json_text(j, "text", h->text);
    json_text(j, "model", h->file);
    json_close(j);
}

static void put_search(json_writer *j, const check_plan *p, const check_search *s)
{
    json_object(j, "search");
    json_int(j, "steps", s->steps);
    json_array(j, "worst");
    for (int i = 0; i < JUDGE_PAIRS; i++)
        if (s->worst[i].judge)
            put_hit(j, p, &s->worst[i]);
    json_close(j);
    json_array(j, "found");
    for (int i = 0; i < s->n_found; i++)
        put_hit(j, p, &s->found[i]);
    json_close(j);
    json_close(j);
}

/* A search is written after the array of the cases; it lives until then. */
static void searched(check_report *r, OC_UNUSED const check_plan *p, const check_search *s)
{
    ((json_report *)r)->search = s;
}

static void end(check_report *r, const check_plan *p, const check_tally *t, const oc_error *e)
{
    json_writer *j = of(r);
    json_close(j);
    if (((json_report *)r)->search)
        put_search(j, p, ((json_report *)r)->search);
    put_defects(j, p, t);
    json_int(j, "disagreements", t->n_bad);
    if (e->code != OC_OK)
        json_text(j, "error", e->text);
    json_close(j);
}

static void finish(check_report *r, OC_UNUSED const check_tally *all, OC_UNUSED oc_error *e)
{
    json_close(of(r));
    json_end(of(r));
    free(r);
}

check_report *check_json_new(OC_UNUSED const check_options *options)
{
    json_report *r = tool_alloc(1, sizeof *r);
    r->report = (check_report){
        .begin = begin,
        .run = put_run,
        .searched = searched,
        .end = end,
        .finish = finish,
    };
    r->json = json_begin(stdout);
    json_array(&r->json, NULL);
    return &r->report;
}
