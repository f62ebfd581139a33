/* SPDX-License-Identifier: Apache-2.0
 * plans.c - the plans of a model; sessions with equal options share one. */
#include "runtime/plans.h"

#include "base/system.h"
#include "bodies/bodies.h"
#include "graph/build.h"
#include "plan/make_plan.h"

/* A plan that sessions use. Two sessions with equal keys share it. */
typedef struct entry {
    struct entry *next;
    oc_arena arena; /* owns the key and uses `memory` */
    oc_memory memory;
    char *key;
    oc_plan *plan;
    int n_users;
} entry;

struct oc_plans {
    /* Held while a plan is made, which may take long. The host is called back meanwhile and may
     * make other sessions of the model on that thread, so the lock is recursive. */
    oc_lock making;
    oc_lock list; /* held only while the members below are read or changed */
    entry *first;
    /* number of the process that made the locks; negative while a process makes them */
    atomic_llong process;
};

static void free_plans(void *plans, OC_UNUSED size_t size)
{
    oc_lock_destroy(&((struct oc_plans *)plans)->making);
    oc_lock_destroy(&((struct oc_plans *)plans)->list);
}

oc_status oc_plans_new(oc_model *m, oc_error *e)
{
    struct oc_plans *plans = oc_arena_alloc(&m->arena, sizeof *plans);
    OC_TRY(oc_arena_check(&m->arena, e));
    const bool made = oc_lock_init(&plans->making, true);
    if (!made || !oc_lock_init(&plans->list, false)) {
        if (made)
            oc_lock_destroy(&plans->making);
        return oc_error_set(e, OC_NOMEM, "the locks of a model cannot be made");
    }
    atomic_init(&plans->process, oc_process_self());
    m->plans = plans;
    return oc_model_on_free(m, free_plans, plans, 0, e);
}

/* Called before a lock is taken. In a child of fork() the locks may be held by threads that do
 * not exist there, so the first thread that needs them makes them anew. The list is never left
 * half changed, so it can be used. */
static void own_locks(struct oc_plans *plans)
{
    const long long self = oc_process_self();
    long long owner = atomic_load(&plans->process);
    while (owner != self) {
        if (owner != -self && atomic_compare_exchange_strong(&plans->process, &owner, -self)) {
            oc_lock_init(&plans->making, true);
            oc_lock_init(&plans->list, false);
            atomic_store(&plans->process, self);
        }
        owner = atomic_load(&plans->process);
    }
}

/* ---- what a plan depends on, as text ---- */

/* The options of a session as its plan has them: a host that looks at all values sees each stored,
 * row-major. */
static oc_session_options options_of_plan(const oc_session_options *o)
{
    oc_session_options planned = *o;
    const bool shows_all = o->observer.on_node && o->observer.view == OC_VIEW_ALL;
    planned.no_fusion = o->no_fusion || shows_all;
    planned.no_nchw16c = o->no_nchw16c || shows_all;
    return planned;
}

static void append(entry *x, int *n, const char *text)
{
    const char *part =
        oc_arena_printf(&x->arena, "%zu:%s;", text ? strlen(text) : 0, text ? text : "");
    if (part)
        oc_arena_append(&x->arena, &x->key, n, part, strlen(part));
}

static void append_number(entry *x, int *n, uint64_t number)
{
    append(x, n, oc_arena_printf(&x->arena, "%llu", (unsigned long long)number));
}

/* The options of session_options.def whose rows say PLAN. */
static void append_options(entry *x, int *n, const oc_session_options *o)
{
#define APPEND_SWITCH           APPEND_INT
#define APPEND_INT(x, n, v)     append_number(x, n, (uint64_t)(v))
#define APPEND_INT64            APPEND_INT
#define APPEND_UINT64           append_number
#define APPEND_BYTES            append_number
#define APPEND_CHOICE           APPEND_INT
#define APPEND_SECONDS(x, n, v) append(x, n, oc_arena_printf(&(x)->arena, "%a", v))
#define APPEND_TEXT             append
#define PLAN(step)              step;
#define RUN(step)
#define OC_OPTION(name, field, kind, plan, results, value, otherwise, sentence)                    \
    plan(APPEND_##kind(x, n, o->field))
#include <session_options.def>
}

/* cpu: the instruction sets that the option of that name allows here; operators may prepare what
 * only these can read. It also has what the option unfused changes. */
static oc_status make_key(entry *x, oc_session_options o, unsigned cpu, oc_error *e)
{
    const oc_body_options *b = &o.bodies;
    int n = 0;
    o.cpu = oc_arena_printf(&x->arena, "%u", cpu);
    o.unfused = 0;
    append_options(x, &n, &o);
    append(x, &n,
           oc_arena_printf(&x->arena, "%d %d %d %p", (int)b->policy, b->only != NULL,
                           b->kernels_first, (const void *)o.ops));
    append(x, &n, b->only);
    for (const oc_function_text *f = b->own; f && f->text; f++) {
        append(x, &n, f->text);
        append(x, &n, f->op);
    }
    return oc_arena_check(&x->arena, e);
}

/* ---- entries ---- */

static void free_entry(entry *x)
{
    oc_plan_free(x->plan);
    oc_arena_free(&x->arena);
    oc_memory owner = x->memory;
    oc_memory_free(&owner, x, sizeof *x);
}

static oc_status new_entry(const oc_model *m, const oc_session_options *o, unsigned cpu,
                           entry **out, oc_error *e)
{
    oc_memory memory = oc_memory_beside(&m->memory, 0, NULL);
    entry *x = oc_memory_alloc(&memory, sizeof *x);
    if (!x)
        return oc_memory_error(&memory, sizeof *x, e);
    *x = (entry){.memory = memory};
    x->arena = oc_arena_new(&x->memory);
    *out = x;
    return make_key(x, *o, cpu, e);
}

/* Of a model whose calls have become their bodies; passes: see oc_plan_new. */
static oc_status plan_model(const oc_model *m, const oc_session_options *o,
                            const oc_services *services, const oc_pass_listener *passes,
                            oc_plan **plan, oc_error *e)
{
    const oc_status status = oc_plan_new(m, o, services, passes, plan, e);
    /* Plans without folding when the values computed ahead exceed the memory cap. */
    if (status != OC_LIMIT || o->no_folding || !o->limits.memory_cap)
        return status;
    oc_session_options unfolded = *o;
    *e = (oc_error){.code = OC_OK};
    unfolded.no_folding = true;
    return oc_plan_new(m, &unfolded, services, passes, plan, e);
}

static oc_status make_plan(const oc_model *m, const oc_session_options *o,
                           const oc_services *services, oc_plan **plan, oc_error *e)
{
    oc_model *expanded;
    OC_TRY(oc_bodies_inline(m, &o->bodies, o->ops, services->watch, &expanded, e));
    const oc_status status = plan_model(expanded ? expanded : m, o, services, NULL, plan, e);
    if (status == OC_OK)
        (*plan)->expanded = expanded;
    else
        oc_model_free(expanded);
    return status;
}

/* Returns the entry of the list that has x's key, with one more user; NULL when there is none. */
static entry *find(struct oc_plans *plans, const entry *x)
{
    oc_lock_take(&plans->list);
    entry *found = plans->first;
    while (found && strcmp(found->key, x->key) != 0)
        found = found->next;
    if (found)
        found->n_users++;
    oc_lock_release(&plans->list);
    return found;
}

static void add(struct oc_plans *plans, entry *x)
{
    x->n_users = 1;
    oc_lock_take(&plans->list);
    x->next = plans->first;
    plans->first = x;
    oc_lock_release(&plans->list);
}

/* Waits while other sessions make their plans, as long as the watch allows, but not for ever:
 * two threads that make plans of two models, and in callbacks sessions of each other's model,
 * would wait for each other. Sets *held to whether the lock is held. */
static oc_status lock_patiently(oc_lock *lock, oc_watch *watch, bool *held, oc_error *e)
{
    /* BETWEEN_ASKS is in nanoseconds, PATIENCE is a number of questions */
    enum { BETWEEN_ASKS = 1000 * 1000, PATIENCE = 5000 };
    *held = oc_lock_try(lock);
    for (int i = 0; i < PATIENCE && !*held; i++) {
        OC_TRY(oc_watch_check(watch, e));
        oc_sleep(BETWEEN_ASKS);
        *held = oc_lock_try(lock);
    }
    return OC_OK;
}

/* Sessions that are made at one time share a plan: a session that has waited looks for the plan
 * again. Two plans of one key exist when a callback made one meanwhile, or when the wait was too
 * long. */
static oc_status find_or_make(struct oc_plans *plans, const oc_model *m,
                              const oc_session_options *o, const oc_services *services, entry *x,
                              entry **found, oc_error *e)
{
    *found = find(plans, x);
    if (*found)
        return OC_OK;
    bool held;
    OC_TRY(lock_patiently(&plans->making, services->watch, &held, e));
    oc_status status = OC_OK;
    *found = find(plans, x);
    if (!*found)
        status = make_plan(m, o, services, &x->plan, e);
    if (!*found && status == OC_OK)
        add(plans, *found = x);
    if (held)
        oc_lock_release(&plans->making);
    return status;
}

oc_status oc_plans_take(const oc_model *m, const oc_session_options *options,
                        const oc_services *services, const oc_plan **plan, oc_error *e)
{
    const oc_session_options planned = options_of_plan(options);
    entry *x = NULL, *found = NULL;
    own_locks(m->plans);
    oc_status status = new_entry(m, &planned, services->cpu, &x, e);
    if (status == OC_OK)
        status = find_or_make(m->plans, m, &planned, services, x, &found, e);
    if (status == OC_OK)
        *plan = found->plan;
    if (x && x != found)
        free_entry(x);
    return status;
}

oc_status oc_plans_tell_passes(const oc_plan *plan, const oc_session_options *o,
                               const oc_services *services, const oc_pass_listener *passes,
                               oc_error *e)
{
    const oc_session_options planned = options_of_plan(o);
    oc_plan *again;
    OC_TRY(plan_model(plan->model, &planned, services, passes, &again, e));
    oc_plan_free(again);
    return OC_OK;
}

oc_status oc_plans_examine(const oc_model *m, const oc_session_options *o, const oc_port *inputs,
                           const oc_services *services, const oc_listener *listener, oc_error *e)
{
    oc_model *expanded = NULL;
    const oc_status inlined =
        oc_bodies_inline(m, &o->bodies, o->ops, services->watch, &expanded, e);
    OC_TRY(oc_listener_hear(listener, inlined, e));
    const oc_status status =
        oc_plan_examine(expanded ? expanded : m, o, inputs, services, listener, e);
    oc_model_free(expanded);
    return status;
}

/* Removes one user of a plan. When no user is left, takes the plan's entry out of the list and
 * returns it; else returns NULL. */
static entry *drop_user(struct oc_plans *plans, const oc_plan *plan)
{
    own_locks(plans);
    oc_lock_take(&plans->list);
    entry **at = &plans->first;
    while ((*at)->plan != plan)
        at = &(*at)->next;
    entry *x = *at;
    if (--x->n_users > 0)
        x = NULL;
    else
        *at = x->next;
    oc_lock_release(&plans->list);
    return x;
}

void oc_plans_release(const oc_model *m, const oc_plan *plan)
{
    if (!plan)
        return;
    entry *unused = drop_user(m->plans, plan);
    if (unused)
        free_entry(unused);
}

size_t oc_plan_bytes(const oc_plan *plan)
{
    return plan->memory.live + (plan->expanded ? plan->expanded->memory.live : 0);
}
