/* SPDX-License-Identifier: Apache-2.0
 * judge_runs.c - runs a case in all of its ways many times, each time with other numbers. */
#include "check/judge_ways.h"

#include "check/where.h"
#include "check/numbers.h"
#include "common/number.h"

#include <math.h>
#include <ocellus_model.h>

/* Limits of one run, because numbers of a case may ask for results of any size, or for any
 * number of iterations. They do not depend on the machine, so that a search does not either. */
enum { MOST_BYTES = 1 << 23, MOST_STEPS = 20000, MOST_ELEMENTS = 1 << 14 };

/* ---- sessions ---- */

static void open_way(const judge *j, const oc_model *m, const oc_session_options *o, judge_way *w)
{
    w->session = oc_session_new(m, o, &w->error);
    if (w->session)
        snprintf(w->cpu, sizeof w->cpu, "%s", oc_session_describe(w->session).cpu);
    for (int i = 0; i < j->c.n_in; i++)
        oc_bind_value_at(w->session, i, j->c.in[i], &w->error);
}

static oc_session_options options_of(const judge *j, const oc_function_text *own)
{
    oc_session_options o = check_session_options(j->plan, own);
    if (!o.limits.memory_cap || o.limits.memory_cap > MOST_BYTES)
        o.limits.memory_cap = MOST_BYTES;
    if (!o.limits.max_steps)
        o.limits.max_steps = MOST_STEPS;
    if (!o.threads)
        o.threads = 1;
    return o;
}

/* Opens the body in double. If it has a stash_type, that is double too. */
static void open_exact(judge *j)
{
    oc_session_options o = options_of(j, j->plan->way[0].functions);
    o.bodies.policy = OC_BODY_EXPAND;
    for (int stash = j->plan->family->spec.stash_since != 0; stash >= 0; stash--) {
        oc_error e = {0};
        char *text = check_double_text(j->model, j->c.model, stash, &e);
        j->wide = text ? oc_model_load_memory(text, strlen(text), NULL, &e) : NULL;
        free(text);
        if (!j->wide)
            continue;
        open_way(j, j->wide, &o, &j->exact);
        if (j->exact.error.code == OC_OK)
            return;
        oc_session_free(j->exact.session);
        oc_model_free(j->wide);
        j->exact = (judge_way){0};
        j->wide = NULL;
    }
}

/* Are products multiplied, then added? Only sessions that agree about it give equal bits. */
static bool is_fast(const judge_way *w)
{
    return strcmp(oc_session_describe(w->session).products, "fast") == 0;
}

/* Opens the kernel on those instruction sets of this processor that the session does not use. */
static void open_sets(judge *j, oc_session_options o)
{
    static const char *const sets[] = {"scalar", "v128", "avx2", "neon"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        judge_way w = {0};
        o.cpu = sets[i];
        open_way(j, j->model, &o, &w);
        if (!w.session || strcmp(w.cpu, sets[i]) != 0 || strcmp(w.cpu, j->kernel.cpu) == 0 ||
            is_fast(&w) != is_fast(&j->kernel))
            oc_session_free(w.session);
        else
            j->set[j->n_sets++] = w;
    }
}

static void open_ways(judge *j)
{
    const check_plan *p = j->plan;
    oc_session_options o = options_of(j, p->reference.functions);
    o.bodies.policy = p->reference.body;
    open_way(j, j->model, &o, &j->kernel);
    if (j->kernel.error.code != OC_OK)
        return;
    if (!p->reference.functions)
        open_sets(j, o);
    if (!p->n)
        return;
    o = options_of(j, p->way[0].functions);
    o.bodies.policy = p->way[0].body;
    open_way(j, j->model, &o, &j->body);
    open_exact(j);
}

judge *judge_new(const check_plan *plan, check_case *c)
{
    judge *j = tool_alloc(1, sizeof *j);
    j->uses = 1;
    j->plan = plan;
    j->c = *c;
    *c = (check_case){0};
    j->model = oc_model_load_memory(j->c.model, strlen(j->c.model), NULL, &j->kernel.error);
    if (j->model)
        open_ways(j);
    return j;
}

judge *judge_keep(judge *j)
{
    j->uses++;
    return j;
}

void judge_drop(judge *j)
{
    if (!j || --j->uses)
        return;
    oc_session_free(j->kernel.session);
    oc_session_free(j->body.session);
    oc_session_free(j->exact.session);
    for (int i = 0; i < j->n_sets; i++)
        oc_session_free(j->set[i].session);
    oc_model_free(j->wide);
    oc_model_free(j->model);
    check_case_free(&j->c);
    free(j);
}

const check_case *judge_case(const judge *j)
{
    return &j->c;
}

static size_t size_of(const oc_value *v)
{
    const oc_type type = oc_value_type(v);
    return type == OC_STRING ? 0 : oc_type_size(type) * (size_t)oc_value_count(v);
}

unsigned char *judge_bytes(const judge *j)
{
    size_t n = 0;
    for (int i = 0; i < j->c.n_in; i++)
        n += size_of(j->c.in[i]);
    unsigned char *bytes = tool_alloc(n + 1, 1), *to = bytes;
    for (int i = 0; i < j->c.n_in; i++, to += n) {
        n = size_of(j->c.in[i]);
        if (n)
            memcpy(to, oc_value_data(j->c.in[i]), n);
    }
    return bytes;
}

void judge_restore(const judge *j, const unsigned char *bytes)
{
    for (int i = 0; i < j->c.n_in; i++) {
        const size_t n = size_of(j->c.in[i]);
        if (n)
            memcpy(oc_value_mutable_data(j->c.in[i]), bytes, n);
        bytes += n;
    }
}

const check_plan *judge_plan(const judge *j)
{
    return j->plan;
}

/* ---- runs ---- */

void judge_run(judge_way *w)
{
    if (!w->session)
        return;
    w->error = (oc_error){0};
    oc_run(w->session, &w->error);
}

const oc_value *judge_output(const judge_way *w, int i)
{
    oc_error e = {0};
    return w->session && w->error.code == OC_OK ? oc_fetch_value_at(w->session, i, &e) : NULL;
}

/* Is the kernel's result small enough for a search to compare it again and again? */
static bool is_small(const judge *j)
{
    int64_t n = 0;
    for (int i = 0; i < j->c.n_out; i++)
        n += oc_value_count(judge_output(&j->kernel, i));
    return n <= MOST_ELEMENTS;
}

oc_value *judge_round(const oc_value *exact, const oc_value *like)
{
    oc_error e = {0};
    if (!exact || !like || oc_value_kind(exact) != OC_TENSOR || oc_value_kind(like) != OC_TENSOR ||
        oc_value_type(exact) == OC_STRING ||
        oc_value_type(exact) !=
            (number_is_float(oc_value_type(like)) ? OC_F64 : oc_value_type(like)))
        return NULL;
    const oc_type to = oc_value_type(like), from = oc_value_type(exact);
    oc_value *v = oc_tensor_new(to, oc_value_rank(exact), oc_value_dims(exact), NULL, &e);
    const size_t size = oc_type_size(to) * (size_t)oc_value_count(exact);
    if (v && to == from && size)
        memcpy(oc_value_mutable_data(v), oc_value_data(exact), size);
    for (int64_t i = 0; v && to != from && i < oc_value_count(exact); i++)
        number_set(to, oc_value_mutable_data(v), i, number_get(from, oc_value_data(exact), i));
    return v;
}

/* Is one element infinite, and the other, with what the bound allows, beyond the range of its
 * type? */
static bool is_at_range(const oc_value *got, const oc_value *want, int64_t i,
                        const compare_bound *bound)
{
    const oc_type type = oc_value_type(got);
    double edge[1] = {0}; /* room for an element of any float type */
    if (i < 0 || !number_is_float(type))
        return false;
    const double x = number_get(type, oc_value_data(got), i),
                 y = number_get(type, oc_value_data(want), i), finite = isinf(x) ? y : x,
                 allowed = bound->atol + bound->rtol * fabs(finite);
    number_set(type, edge, 0, finite + (finite < 0 ? -allowed : allowed));
    return isfinite(finite) && number_get(type, edge, 0) == (isinf(x) ? x : y);
}

/* Widens the gap by output i of two results. */
static void widen(judge_gap *gap, int i, const oc_value *got, const oc_value *want,
                  const compare_bound *bound)
{
    const compare_result r = compare_values(got, want, bound);
    const bool at_range = !r.agrees && is_at_range(got, want, r.first, bound);
    const double share = at_range ? 1 : r.agrees || r.share > 1 ? r.share : INFINITY;
    if (share > gap->share) {
        gap->share = share;
        gap->output = i;
        gap->at = isfinite(share) && r.worst >= 0 ? r.worst : r.agrees ? r.worst : r.first;
    }
}

static judge_gap compare_ways(const judge *j, const judge_way *got, const judge_way *want,
                              const compare_bound *bound)
{
    judge_gap gap = {.share = 0, .at = -1};
    for (int i = 0; i < j->c.n_out; i++)
        widen(&gap, i, judge_output(got, i), judge_output(want, i), bound);
    return gap;
}

compare_bound judge_exact_bound(const compare_bound *bound, oc_type type)
{
    compare_bound b = {.rtol = bound->rtol, .atol = bound->atol};
    if (b.rtol == 0 && b.atol == 0)
        b = (compare_bound){.rtol = ldexp(1, 1 - check_digits(type)), .atol = check_least(type)};
    return b;
}

static judge_gap compare_exact(const judge *j, const judge_way *got)
{
    judge_gap gap = {.share = -1, .at = -1};
    for (int i = 0; i < j->c.n_out; i++) {
        const oc_value *v = judge_output(got, i);
        oc_value *exact = judge_round(judge_output(&j->exact, i), v);
        if (!exact)
            continue;
        const compare_bound bound = judge_exact_bound(&j->c.bound, oc_value_type(v));
        gap.share = fmax(gap.share, 0);
        widen(&gap, i, v, exact, &bound);
        oc_value_free(exact);
    }
    return gap;
}

static const judge_gap unknown = {.share = -1, .at = -1},
                       failed = {.share = INFINITY, .at = -1, .fails = true};

static judge_gap compare_sets(judge *j, judge_score *s)
{
    const compare_bound equal = {.bits = true};
    judge_gap worst = j->n_sets ? (judge_gap){.at = -1} : unknown;
    for (int i = 0; i < j->n_sets && s->valid; i++) {
        judge_run(&j->set[i]);
        const oc_status code = j->set[i].error.code;
        s->valid = !tool_ends_all(code);
        const judge_gap gap =
            code == OC_OK ? compare_ways(j, &j->set[i], &j->kernel, &equal) : failed;
        if (gap.share > worst.share || i == 0) {
            worst = gap;
            j->worst_set = i;
        }
    }
    return worst;
}

judge_score judge_try(judge *j, const double record[JUDGE_PAIRS])
{
    judge_score s = {.gap = {unknown, unknown, unknown, unknown}};
    judge_run(&j->kernel);
    s.valid = j->kernel.session && j->kernel.error.code == OC_OK && is_small(j);
    if (s.valid && j->plan->n) {
        judge_run(&j->body);
        judge_run(&j->exact);
        s.valid = !tool_ends_all(j->body.error.code) && j->body.error.code != OC_UNSUPPORTED;
        const bool ran = j->body.error.code == OC_OK,
                   exact = j->exact.session && j->exact.error.code == OC_OK;
        s.gap[JUDGE_BODY] = ran ? compare_ways(j, &j->body, &j->kernel, &j->c.bound) : failed;
        if (exact)
            s.gap[JUDGE_KERNEL_EXACT] = compare_exact(j, &j->kernel);
        if (exact && ran)
            s.gap[JUDGE_BODY_EXACT] = compare_exact(j, &j->body);
    }
    if (s.valid)
        s.gap[JUDGE_CPU] = compare_sets(j, &s);
    if (s.valid)
        judge_excuse(j, record, &s);
    return s;
}
