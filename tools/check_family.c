/* SPDX-License-Identifier: Apache-2.0
 * check_family.c - runs an operator's cases three ways and tells where they part. */
#include "check_cases.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPAIRED, STANDARD, N_BODIES };

/* FAILS: the body does not run; NATIVE_FAILS: the kernel does not. Where neither does they agree.
 */
typedef enum outcome { AGREES, DIFFERS, FAILS, NATIVE_FAILS, N_OUTCOMES } outcome;

static const char *const outcome_names[] = {"agrees", "differs", "body fails", "native fails"};

typedef struct result {
    outcome outcome;
    oc_status status; /* why the body fails */
    double max_abs;
    uint64_t max_ulp;
    char text[COMPARE_TEXT];
} result;

typedef struct tally {
    int n[N_OUTCOMES]; /* known defects apart */
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
    int n_bad;  /* disagreements that no defect explains */
    bool brief; /* one line for all groups */
    tally all;  /* of the repaired body, or the only one */
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

/* Adds what one more output came to. */
static void merge(result *r, const compare_result *d)
{
    r->max_abs = fmax(r->max_abs, d->max_abs);
    r->max_ulp = d->max_ulp > r->max_ulp ? d->max_ulp : r->max_ulp;
    if (d->agrees || r->outcome == DIFFERS)
        return;
    r->outcome = DIFFERS;
    memcpy(r->text, d->text, sizeof r->text);
}

/* Runs the body and compares its outputs with the native ones. */
static result compare_body(const oc_model *m, const check_case *c, oc_body_policy body,
                           const checker *k, const oc_session *native, const oc_error *refused)
{
    oc_error e = {0};
    result r = {.outcome = AGREES};
    oc_session *s = run_once(m, c, body, k->family->op, k->options, &e);
    if (e.code != OC_OK || refused->code != OC_OK) {
        const bool body_fails =
            e.code != OC_OK && (refused->code == OC_OK || e.code == OC_UNSUPPORTED);
        const bool native_fails =
            refused->code != OC_OK && (e.code == OC_OK || refused->code == OC_UNSUPPORTED);
        r.outcome = body_fails ? FAILS : native_fails ? NATIVE_FAILS : AGREES;
        r.status = e.code;
        snprintf(r.text, sizeof r.text, "%.*s", COMPARE_TEXT - 1,
                 r.outcome == NATIVE_FAILS ? refused->text : e.text);
    }
    for (int i = 0; i < c->n_out && e.code == OC_OK && refused->code == OC_OK; i++) {
        const oc_value *want = oc_fetch_value_at(native, i, &e), *got = oc_fetch_value_at(s, i, &e);
        const compare_result d = compare_values(got, want, &c->bound);
        merge(&r, &d);
    }
    oc_session_free(s);
    return r;
}

/* ---- counting and printing ---- */

static void print_group(checker *k)
{
    if (!*k->group || k->options->json || k->brief)
        return;
    const tally *r = &k->tally[REPAIRED], *s = &k->tally[STANDARD];
    printf("%-36s %5d  %6d %7d %6d %6d %9.2g %8" PRIu64, k->group, k->n_group, r->n[AGREES],
           r->n[DIFFERS], r->n[FAILS], r->n[NATIVE_FAILS], r->max_abs, r->max_ulp);
    if (k->family->defects)
        printf("  %6d %6d %7d %6d", s->n[AGREES], s->known, s->n[DIFFERS], s->n[FAILS]);
    putchar('\n');
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
    if (r->outcome == AGREES || r->outcome == DIFFERS)
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
    if (r->outcome == AGREES || r->outcome == DIFFERS) {
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

static void add(tally *t, const result *r)
{
    t->n[r->outcome]++;
    if (r->outcome == AGREES) {
        t->max_abs = fmax(t->max_abs, r->max_abs);
        t->max_ulp = r->max_ulp > t->max_ulp ? r->max_ulp : t->max_ulp;
    }
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
            snprintf(k->first_known[c->defect], COMPARE_TEXT, "%.180s: %.200s", c->name, r->text);
    } else {
        add(t, r);
        k->n_bad += r->outcome != AGREES;
    }
    if (body == REPAIRED)
        add(&k->all, r);
    print_case(k, c, body, r, known);
    json_case(k, body, r, known ? k->family->defects[c->defect].text : NULL);
}

/* An operator without kernel or body would be compared with itself. */
static void want_both(const oc_model *m, const char *name, oc_error *e)
{
    oc_model_operator op = {0};
    bool found = false;
    for (int i = 0; i == 0 || strcmp(op.name, name) != 0; i++)
        if (!m || !oc_model_operator_at(m, i, &op))
            return;
    const char *body;
    for (int i = 0, since; !found && (body = oc_builtin_body(i, &since)); i++)
        found = strcmp(body, op.name) == 0 && since <= op.opset;
    if (op.support != OC_SUPPORT_NATIVE)
        tool_fail(e, OC_UNSUPPORTED, "%s-%d has no kernel", op.name, (int)op.opset);
    else if (!found)
        tool_fail(e, OC_UNSUPPORTED, "%s-%d has no body", op.name, (int)op.opset);
}

static void run_case(checker *k, const check_case *c, oc_error *e)
{
    static const oc_body_policy policies[] = {OC_BODY_EXPAND, OC_BODY_STANDARD};
    oc_error refused = {0};
    oc_model *m = oc_model_load_memory(c->model, strlen(c->model), NULL, e);
    want_both(m, k->family->op, &refused);
    oc_session *native =
        refused.code == OC_OK ? run_once(m, c, OC_BODY_NATIVE, NULL, k->options, &refused) : NULL;
    if (e->code == OC_OK) {
        begin_case(k, c);
        if (k->options->json) {
            json_object(&k->json, NULL);
            json_text(&k->json, "case", c->name);
        }
        for (int body = 0; body < (k->family->defects ? N_BODIES : 1); body++) {
            const result r = compare_body(m, c, policies[body], k, native, &refused);
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
    for (int i = 0; k->family->defects && k->family->defects[i].text; i++)
        if (k->n_known[i])
            printf("known defect of the standard's text: %s\n  seen in %d of %d cases, first %s\n",
                   k->family->defects[i].text, k->n_seen[i], k->n_known[i], k->first_known[i]);
}

static void json_defects(checker *k)
{
    json_array(&k->json, "known_defects");
    for (int i = 0; k->family->defects && k->family->defects[i].text; i++) {
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
        if (!k->family->make(k->family, i, (uint64_t)k->options->session.seed, &c, e))
            break;
        run_case(k, &c, e);
        free(c.model);
        for (int n = 0; n < c.n_in; n++)
            oc_value_free(c.in[n]);
    }
}

static void print_head(const checker *k)
{
    const bool both = k->family->defects;
    printf("%-36s %5s  %-45s   %s\n", k->family->op, "", both ? "repaired body" : "body",
           both ? "standard's body" : "");
    printf("%-36s %5s  %6s %7s %6s %6s %9s %8s", "", "cases", "agree", "differ", "fail", "native",
           "max abs", "max ulp");
    printf(both ? "  %6s %6s %7s %6s\n" : "\n", "agree", "known", "differ", "fail");
}

static void json_head(checker *k)
{
    json_object(&k->json, NULL);
    json_text(&k->json, "operator", k->family->op);
    json_array(&k->json, "cases");
}

static void json_tail(checker *k, const oc_error *e)
{
    json_close(&k->json);
    json_defects(k);
    json_int(&k->json, "disagreements", k->n_bad);
    if (e->code != OC_OK)
        json_text(&k->json, "error", e->text);
    json_close(&k->json);
}

static int finish(const checker *k, const oc_error *e)
{
    if (e->code != OC_OK)
        tool_report(e, false);
    return e->code != OC_OK ? tool_exit_code(e->code) : k->n_bad ? TOOL_DIFFERS : TOOL_OK;
}

int check_run_family(const check_family *family, const check_options *options)
{
    checker *k = tool_alloc(1, sizeof *k);
    oc_error e = {0};
    *k = (checker){.family = family, .options = options};
    if (options->json) {
        k->json = json_begin(stdout);
        json_head(k);
    } else {
        print_head(k);
    }
    run_cases(k, &e);
    if (options->json) {
        json_tail(k, &e);
        json_end(&k->json);
    } else {
        print_group(k);
        print_defects(k);
        if (k->n_bad > MOST_LINES && !options->verbose)
            printf("%d disagreements more; --verbose lists them\n", k->n_bad - MOST_LINES);
        printf("%d cases, %d disagreements that are not known\n", k->n_cases, k->n_bad);
    }
    const int code = finish(k, &e);
    free(k);
    return code;
}

/* Runs one family of many; json is handed from one to the next. */
static int run_one(const check_family *family, const check_options *options, json_writer *json,
                   int *n_cases, int *n_bad)
{
    checker *k = tool_alloc(1, sizeof *k);
    oc_error e = {0};
    *k = (checker){.family = family, .options = options, .brief = true, .json = *json};
    if (options->json)
        json_head(k);
    run_cases(k, &e);
    const tally *t = &k->all;
    if (options->json)
        json_tail(k, &e);
    else
        printf("%-28s %6d  %6d %7d %6d %6d %9.2g %8" PRIu64 "\n", family->op, k->n_cases,
               t->n[AGREES], t->n[DIFFERS], t->n[FAILS], t->n[NATIVE_FAILS], t->max_abs,
               t->max_ulp);
    *n_cases += k->n_cases;
    *n_bad += k->n_bad;
    *json = k->json;
    const int code = finish(k, &e);
    free(k);
    return code;
}

int check_run_all(const check_options *options)
{
    json_writer json = {0};
    int worst = TOOL_OK, n_cases = 0, n_bad = 0;
    if (options->json) {
        json = json_begin(stdout);
        json_array(&json, NULL);
    } else {
        printf("%-28s %6s  %6s %7s %6s %6s %9s %8s\n", "", "cases", "agree", "differ", "fail",
               "native", "max abs", "max ulp");
    }
    for (const check_family *f = check_families; f->op; f++) {
        const int code = run_one(f, options, &json, &n_cases, &n_bad);
        worst = code > worst ? code : worst;
    }
    if (options->json) {
        json_close(&json);
        json_end(&json);
    } else {
        printf("%d cases, %d disagreements that are not known\n", n_cases, n_bad);
    }
    return worst;
}
