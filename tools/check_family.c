/* SPDX-License-Identifier: Apache-2.0
 * check_family.c - runs an operator's cases three ways and tells where they part. */
#include "check_cases.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPAIRED, STANDARD, N_BODIES };

typedef enum outcome { AGREES, DIFFERS, FAILS } outcome; /* FAILS: the body does not run */

static const char *const outcome_names[] = {"agrees", "differs", "body fails"};

typedef struct result {
    outcome outcome;
    oc_status status; /* why the body fails */
    double max_abs;
    uint64_t max_ulp;
    char text[COMPARE_TEXT];
} result;

typedef struct tally {
    int n[3]; /* by outcome, known defects apart */
    int known;
    double max_abs; /* of those that agree */
    uint64_t max_ulp;
} tally;

enum { MOST_DEFECTS = 8, MOST_LINES = 20 }; /* of disagreements, when not verbose */

typedef struct checker {
    const check_family *family;
    const check_options *options;
    char group[CHECK_NAME];
    int n_cases, n_group;
    tally tally[N_BODIES];
    int n_known[MOST_DEFECTS], n_seen[MOST_DEFECTS]; /* cases a defect touches; those it shows in */
    char first_known[MOST_DEFECTS][COMPARE_TEXT];
    int n_bad; /* disagreements that no defect explains */
    json_writer json;
} checker;

/* ---- one case ---- */

static oc_session *run_once(const oc_model *m, const check_case *c, oc_body_policy body,
                            const char *op, const check_options *o, oc_error *e)
{
    oc_session_options options = session_args_options(&o->session);
    options.body = body;
    options.body_only = op;
    oc_session *s = oc_session_new(m, &options, e);
    for (int i = 0; i < c->n_in; i++)
        oc_bind_value_at(s, i, c->in[i], e);
    oc_run(s, e);
    return s;
}

/* Runs the body and compares its output with the native one. */
static result compare_body(const oc_model *m, const check_case *c, oc_body_policy body,
                           const checker *k, const oc_session *native)
{
    oc_error e = {0};
    result r = {.outcome = FAILS};
    oc_session *s = run_once(m, c, body, k->family->op, k->options, &e);
    const oc_value *want = oc_fetch_value_at(native, 0, &e), *got = oc_fetch_value_at(s, 0, &e);
    if (e.code != OC_OK) {
        r.status = e.code;
        snprintf(r.text, sizeof r.text, "%.*s", COMPARE_TEXT - 1, e.text);
    } else {
        const compare_result d = compare_values(got, want, &c->bound);
        r = (result){d.agrees ? AGREES : DIFFERS, OC_OK, d.max_abs, d.max_ulp, ""};
        memcpy(r.text, d.text, sizeof r.text);
    }
    oc_session_free(s);
    return r;
}

/* ---- counting and printing ---- */

static void print_group(checker *k)
{
    if (!*k->group || k->options->json)
        return;
    const tally *r = &k->tally[REPAIRED], *s = &k->tally[STANDARD];
    printf("%-36s %5d  %6d %7d %6d %9.2g %8" PRIu64 "  %6d %6d %7d %6d\n", k->group, k->n_group,
           r->n[AGREES], r->n[DIFFERS], r->n[FAILS], r->max_abs, r->max_ulp, s->n[AGREES], s->known,
           s->n[DIFFERS], s->n[FAILS]);
}

static void begin_case(checker *k, const check_case *c)
{
    if (strcmp(k->group, c->group) != 0) {
        print_group(k);
        memcpy(k->group, c->group, sizeof k->group);
        memset(k->tally, 0, sizeof k->tally);
        k->n_group = 0;
    }
    k->n_cases++;
    k->n_group++;
}

static void print_case(const checker *k, const check_case *c, int body, const result *r, bool known)
{
    static const char *const bodies[] = {"repaired", "standard"};
    const bool bad = r->outcome != AGREES && !known && k->n_bad <= MOST_LINES;
    if (k->options->json || (!bad && !k->options->verbose))
        return;
    printf("  %s, %s body: %s", c->name, bodies[body], outcome_names[r->outcome]);
    if (r->outcome != FAILS)
        printf(", max abs %.3g, max ulp %" PRIu64, r->max_abs, r->max_ulp);
    if (r->outcome != AGREES)
        printf(": %s%s", r->text, known ? " (known)" : "");
    putchar('\n');
}

static void json_case(checker *k, int body, const result *r, const char *defect)
{
    static const char *const bodies[] = {"repaired", "standard"};
    if (!k->options->json)
        return;
    json_object(&k->json, bodies[body]);
    json_text(&k->json, "outcome", outcome_names[r->outcome]);
    if (r->outcome != FAILS) {
        json_number(&k->json, "max_abs", r->max_abs);
        json_unsigned(&k->json, "max_ulp", r->max_ulp);
    }
    if (*r->text)
        json_text(&k->json, "text", r->text);
    if (defect)
        json_text(&k->json, "known", defect);
    json_close(&k->json);
}

/* Is the result what the defect leads to? A body that lacks operators shows no defect. */
static bool shows(const check_defect *defect, const result *r)
{
    return defect->fails ? r->outcome == FAILS && r->status != OC_UNSUPPORTED
                         : r->outcome == DIFFERS;
}

static void count(checker *k, const check_case *c, int body, const result *r)
{
    tally *t = &k->tally[body];
    const bool known =
        body == STANDARD && c->defect >= 0 && shows(&k->family->defects[c->defect], r);
    if (body == STANDARD && c->defect >= 0)
        k->n_known[c->defect]++;
    if (known) {
        t->known++;
        if (k->n_seen[c->defect]++ == 0)
            snprintf(k->first_known[c->defect], COMPARE_TEXT, "%s: %.250s", c->name, r->text);
    } else {
        t->n[r->outcome]++;
        k->n_bad += r->outcome != AGREES;
    }
    if (r->outcome == AGREES) {
        t->max_abs = fmax(t->max_abs, r->max_abs);
        t->max_ulp = r->max_ulp > t->max_ulp ? r->max_ulp : t->max_ulp;
    }
    print_case(k, c, body, r, known);
    json_case(k, body, r, known ? k->family->defects[c->defect].text : NULL);
}

static void run_case(checker *k, const check_case *c, oc_error *e)
{
    static const oc_body_policy policies[] = {OC_BODY_EXPAND, OC_BODY_STANDARD};
    oc_model *m = oc_model_load_memory(c->model, strlen(c->model), NULL, e);
    oc_session *native = run_once(m, c, OC_BODY_NATIVE, NULL, k->options, e);
    if (e->code == OC_OK) {
        begin_case(k, c);
        if (k->options->json) {
            json_object(&k->json, NULL);
            json_text(&k->json, "case", c->name);
        }
        for (int body = 0; body < N_BODIES; body++) {
            const result r = compare_body(m, c, policies[body], k, native);
            count(k, c, body, &r);
        }
        if (k->options->json)
            json_close(&k->json);
    }
    oc_session_free(native);
    oc_model_free(m);
}

static void print_defects(const checker *k)
{
    for (int i = 0; k->family->defects[i].text; i++)
        if (k->n_known[i])
            printf("known defect of the standard's text: %s\n  seen in %d of %d cases, first %s\n",
                   k->family->defects[i].text, k->n_seen[i], k->n_known[i], k->first_known[i]);
}

static void json_defects(checker *k)
{
    json_array(&k->json, "known_defects");
    for (int i = 0; k->family->defects[i].text; i++) {
        json_object(&k->json, NULL);
        json_text(&k->json, "text", k->family->defects[i].text);
        json_int(&k->json, "cases", k->n_known[i]);
        json_int(&k->json, "seen", k->n_seen[i]);
        json_close(&k->json);
    }
    json_close(&k->json);
}

static void run_cases(checker *k, oc_error *e)
{
    for (int i = 0; e->code == OC_OK; i++) {
        check_case c = {.defect = -1};
        if (tool_is_cancelled(NULL))
            tool_fail(e, OC_CANCELLED, "check: interrupted");
        if (!k->family->make(i, (uint64_t)k->options->session.seed, &c, e))
            break;
        run_case(k, &c, e);
        free(c.model);
        for (int n = 0; n < c.n_in; n++)
            oc_value_free(c.in[n]);
    }
}

int check_run_family(const check_family *family, const check_options *options)
{
    checker *k = tool_alloc(1, sizeof *k);
    oc_error e = {0};
    *k = (checker){.family = family, .options = options};
    if (options->json) {
        k->json = json_begin(stdout);
        json_object(&k->json, NULL);
        json_text(&k->json, "operator", family->op);
        json_array(&k->json, "cases");
    } else {
        printf("%-36s %5s  %-38s   %s\n", family->op, "", "repaired body", "standard's body");
        printf("%-36s %5s  %6s %7s %6s %9s %8s  %6s %6s %7s %6s\n", "", "cases", "agree", "differ",
               "fail", "max abs", "max ulp", "agree", "known", "differ", "fail");
    }
    run_cases(k, &e);
    const int code = e.code != OC_OK ? tool_exit_code(e.code) : k->n_bad ? TOOL_DIFFERS : TOOL_OK;
    if (options->json) {
        json_close(&k->json);
        json_defects(k);
        json_int(&k->json, "disagreements", k->n_bad);
        if (e.code != OC_OK)
            json_text(&k->json, "error", e.text);
        json_close(&k->json);
        json_end(&k->json);
    } else {
        print_group(k);
        print_defects(k);
        if (k->n_bad > MOST_LINES && !options->verbose)
            printf("%d disagreements more; --verbose lists them\n", k->n_bad - MOST_LINES);
        printf("%d cases, %d disagreements that are not known\n", k->n_cases, k->n_bad);
    }
    if (e.code != OC_OK)
        tool_report(&e, false);
    free(k);
    return code;
}
