/* SPDX-License-Identifier: Apache-2.0
 * run.c - runs one case of an operator in each of the ways that are compared. */
#include "check/run.h"

#include "base/int.h"
#include "check/found.h"
#include "common/signals.h"

#include <ocellus_model.h>
#include <math.h>

check_plan check_plan_new(const check_family *family, const check_options *options,
                          const oc_function_text *given, const oc_function_text *against)
{
    const check_way standard = {
        .label = "standard's body", .key = "standard", .body = OC_BODY_STANDARD, .standard = true};
    check_plan p = {.family = family, .options = options, .n = 1};
    p.reference = (check_way){.label = "kernel", .key = "kernel"};
    if (against)
        p.reference = (check_way){.label = against->file, .key = "against", .functions = against};
    if (options->engine) {
        p.reference = (check_way){.label = "body", .key = "repaired", .body = OC_BODY_EXPAND};
        p.way[0] = (check_way){.label = "engine", .key = "engine", .engine = true};
    } else if (given) {
        p.way[0] = (check_way){.label = given->file, .key = "body", .functions = given};
    } else if (family->no_body) {
        p.way[0].label = "no body";
        p.n = 0;
    } else if (options->standard) {
        p.way[0] = standard;
    } else {
        p.way[0] = (check_way){.label = family->defects ? "repaired body" : "body",
                               .key = "repaired",
                               .body = OC_BODY_EXPAND};
        p.way[1] = standard;
        p.n = family->defects && !check_is_file(options->only) ? 2 : 1;
    }
    return p;
}

/* ---- one way ---- */

/* Checks that the operator has the kernel or body that the way asks for. Otherwise the session
 * would run the other one, which would be compared with itself. */
static void want_way(const check_way *way, const oc_model *m, const char *name, oc_error *e)
{
    oc_model_operator op = {0};
    bool found = way->body == OC_BODY_NATIVE;
    for (int i = 0; i == 0 || strcmp(op.name, name) != 0; i++)
        if (!m || way->functions || way->engine || !oc_model_operator_at(m, i, &op))
            return;
    const char *body;
    for (int i = 0, since; !found && (body = oc_builtin_body(i, &since)); i++) {
        const char *domain = strstr(body, "::");
        found = strcmp(domain ? domain + 2 : body, op.name) == 0 && since <= op.opset;
    }
    if (way->body == OC_BODY_NATIVE && op.support != OC_SUPPORT_NATIVE)
        tool_fail(e, OC_UNSUPPORTED, "%s-%d has no kernel", op.name, (int)op.opset);
    else if (!found)
        tool_fail(e, OC_UNSUPPORTED, "%s-%d has no body", op.name, (int)op.opset);
}

oc_session_options check_session_options(const check_plan *plan, const oc_function_text *own)
{
    oc_session_options o = session_args_options(&plan->options->session);
    o.bodies.only = plan->family->op;
    o.bodies.own = own;
    return o;
}

oc_session *check_run_case(const check_case *c, const oc_model *m, const oc_session_options *o,
                           oc_error *e)
{
    oc_session *s = oc_session_new(m, o, e);
    for (int i = 0; i < c->n_in; i++)
        oc_bind_value_at(s, i, c->in[i], e);
    oc_run(s, e);
    return s;
}

static oc_session *run_way(const check_plan *p, const check_way *way, const oc_model *m,
                           const check_case *c, oc_error *e)
{
    oc_session_options o = check_session_options(p, way->functions);
    o.bodies.policy = way->body;
    if (p->options->engine && !o.threads)
        /* many sessions of a batch exist at a time; the results do not depend on threads */
        o.threads = 1;
    return check_run_case(c, m, &o, e);
}

/* Copies an error that has nothing to do with the case, and stops the check: a body that cannot
 * be read, an interruption, an option or a limit that stops the reference. Returns false when
 * the error is a result of the case. */
static bool is_outside(const check_plan *p, const check_way *way, const oc_error *found,
                       oc_error *e)
{
    const bool malformed = found->code == OC_FORMAT && way->functions;
    const bool stopped = found->code == OC_ARGUMENT || tool_ends_all(found->code);
    if (!malformed && found->code != OC_CANCELLED && !(stopped && way == &p->reference))
        return false;
    *e = *found;
    return true;
}

/* ---- results ---- */

/* Adds the comparison of output i to the result. */
static void merge(check_result *r, int i, const compare_result *d)
{
    r->exact = r->exact && d->agrees && d->max_ulp == 0;
    r->max_abs = fmax(r->max_abs, d->max_abs);
    r->max_ulp = oc_max(d->max_ulp, r->max_ulp);
    r->share = fmax(r->share, d->share);
    if (d->agrees || r->outcome == CHECK_DIFFERS)
        return;
    r->outcome = CHECK_DIFFERS;
    r->output = i;
    r->first = d->first;
    memcpy(r->text, d->text, sizeof r->text);
}

/* Sets the outcome when kernel or body failed. With `allowed` the operator must take the inputs, as
 * it must those of case files that are not marked as refused; inputs of the user may be refused. */
static void set_failure(check_result *r, const oc_error *failed, const oc_error *refused,
                        bool allowed)
{
    const bool body = failed->code != OC_OK, kernel = refused->code != OC_OK;
    if (body && (!kernel || failed->code == OC_UNSUPPORTED))
        r->outcome = CHECK_FAILS;
    else if (kernel && (!body || allowed || refused->code == OC_UNSUPPORTED))
        r->outcome = CHECK_KERNEL_FAILS;
    r->status = failed->code;
    snprintf(r->text, sizeof r->text, "%.*s", COMPARE_TEXT - 1,
             r->outcome == CHECK_KERNEL_FAILS ? refused->text : failed->text);
}

/* Sets the outcome of inputs that the operator does not allow: the kernel must refuse them.
 * Bodies do not run on them, since a graph cannot say that it refuses its inputs. */
static void set_refusal(check_result *r, const oc_error *refused)
{
    if (refused->code != OC_OK)
        return;
    r->outcome = CHECK_DIFFERS;
    snprintf(r->text, sizeof r->text, "the kernel runs what the operator does not allow");
}

/* When a body from a file failed, begins the text with file and line. */
static void name_line(check_result *r, const check_plan *p, const check_way *way)
{
    const oc_function_text *own = r->outcome == CHECK_FAILS          ? way->functions
                                  : r->outcome == CHECK_KERNEL_FAILS ? p->reference.functions
                                                                     : NULL;
    const int line = own && own->file ? check_body_line(own->text, p->family->op, r->text) : 0;
    if (line) {
        char text[COMPARE_TEXT];
        snprintf(text, sizeof text, "%s", r->text);
        snprintf(r->text, sizeof r->text, "%.150s: line %d: %.230s", own->file, line, text);
    }
}

/* Is this the outcome that the defect causes? A body with unsupported operators shows no defect. */
static bool shows(const check_defect *defect, const check_result *r)
{
    return defect->fails ? r->outcome == CHECK_FAILS && r->status != OC_UNSUPPORTED
                         : r->outcome == CHECK_DIFFERS;
}

/* Sets the outcome when the body, which is the reference, or the engine gave no outputs. */
static void set_answer(check_result *r, const check_run *run)
{
    const bool body = run->refused.code != OC_OK;
    r->outcome = body ? CHECK_FAILS : run->answer.outcome;
    r->status = run->refused.code;
    snprintf(r->text, sizeof r->text, "%.*s", COMPARE_TEXT - 1,
             body ? run->refused.text : run->answer.text);
}

const oc_value *check_expected(const check_run *run, int i)
{
    oc_error e = {0};
    return run->reference ? oc_fetch_value_at(run->reference, i, &e) : NULL;
}

const oc_value *check_output(const check_run *run, int way, int i)
{
    oc_error e = {0};
    if (run->plan->way[way].engine)
        return run->answer.out ? run->answer.out[i] : NULL;
    return run->session[way] ? oc_fetch_value_at(run->session[way], i, &e) : NULL;
}

static check_result compare_way(const check_run *run, int way, const oc_error *failed)
{
    const check_case *c = run->c;
    const check_plan *p = run->plan;
    const bool engine = p->way[way].engine;
    check_result r = {.outcome = CHECK_AGREES, .first = -1};
    r.ran =
        run->refused.code == OC_OK && (engine ? run->answer.out != NULL : failed->code == OC_OK);
    r.exact = r.ran;
    if (c->refused)
        set_refusal(&r, &run->refused);
    else if (!r.ran && engine)
        set_answer(&r, run);
    else if (!r.ran)
        set_failure(&r, failed, &run->refused, p->options->inputs.n == 0);
    if (!r.ran && !engine)
        name_line(&r, p, &p->way[way]);
    for (int i = 0; i < c->n_out && r.ran && !c->refused; i++) {
        const compare_result d =
            compare_values(check_output(run, way, i), check_expected(run, i), &c->bound);
        merge(&r, i, &d);
    }
    if (p->way[way].standard && c->defect >= 0 && shows(&p->family->defects[c->defect], &r))
        r.defect = &p->family->defects[c->defect];
    return r;
}

check_run check_run_begin(const check_plan *p, const check_case *c, oc_error *e)
{
    check_run run = {.plan = p, .c = c};
    oc_model *m = oc_model_load_memory(c->model, strlen(c->model), NULL, e);
    if (e->code != OC_OK) {
        const oc_error found = *e;
        snprintf(e->text, sizeof e->text, "the model of case '%.240s': %.700s", c->name,
                 found.text);
    } else {
        want_way(&p->reference, m, p->family->op, e);
        run.reference = run_way(p, &p->reference, m, c, &run.refused);
        is_outside(p, &p->reference, &run.refused, e);
    }
    run.model = m;
    return run;
}

void check_run_end(check_run *run, oc_error *e)
{
    const check_plan *p = run->plan;
    for (int i = 0; i < p->n && e->code == OC_OK; i++) {
        const check_way *way = &p->way[i];
        oc_error failed = {0};
        want_way(way, run->model, p->family->op, e);
        if (!run->c->refused && !way->engine)
            run->session[i] = run_way(p, way, run->model, run->c, &failed);
        if (!is_outside(p, way, &failed, e))
            run->result[i] = compare_way(run, i, &failed);
        if (signals_cancelled(NULL))
            tool_fail(e, OC_CANCELLED, "check: interrupted");
    }
}

void check_run_free(check_run *run)
{
    oc_session_free(run->reference);
    for (int i = 0; i < CHECK_WAYS; i++)
        oc_session_free(run->session[i]);
    for (int i = 0; run->answer.out && i < run->c->n_out; i++)
        oc_value_free(run->answer.out[i]);
    free(run->answer.out);
    oc_model_free(run->model);
    *run = (check_run){0};
}

const char *check_outcome_name(const check_plan *p, check_outcome outcome)
{
    static const char *const names[] = {"agrees", "differs", "body fails", "kernel fails",
                                        "refused"};
    if (outcome != CHECK_KERNEL_FAILS || !(p->reference.functions || p->options->engine))
        return names[outcome];
    return p->options->engine ? "engine fails" : "other body fails";
}

const char *check_nearer_label(const check_run *run, int way)
{
    const check_nearer *n = &run->result[way].nearer;
    const check_plan *p = run->plan;
    return n->way == n->reference  ? NULL
           : n->way < n->reference ? p->way[way].label
                                   : p->reference.label;
}

char *check_nearer_text(const check_run *run, int way)
{
    const check_nearer *n = &run->result[way].nearer;
    const char *label = n->known ? check_nearer_label(run, way) : NULL;
    if (n->known)
        return tool_format(
            "in double the body gives %.17g: %s is off by %.3g, %s by %.3g: %s is nearer", n->exact,
            run->plan->way[way].label, n->way, run->plan->reference.label, n->reference,
            label ? label : "neither");
    return n->asked ? tool_format("in double: not known: %s", n->text) : NULL;
}

char *check_inner_text(const check_result *r)
{
    if (!r->inner.asked)
        return NULL;
    return tool_format("the first inner value that differs%s: %s",
                       r->inner.known ? "" : " is not known", r->inner.text);
}

bool check_is_bad(const check_result *r)
{
    return r->outcome != CHECK_AGREES && r->outcome != CHECK_REFUSED && !r->defect;
}
