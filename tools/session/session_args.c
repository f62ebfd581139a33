/* SPDX-License-Identifier: Apache-2.0
 * session_args.c - opens a model, and turns the command line into options of a session. */
#define _POSIX_C_SOURCE 200809L
#include "session/session_args.h"

#include "common/data.h"
#include "common/machine.h"
#include "common/signals.h"
#include "session/decoder.h"
#include "session/op_table.h"

#include <limits.h>
#include <time.h>

/* ---- options of a session ---- */

#define ARGS_OF_SWITCH  ARGS_FLAG
#define ARGS_OF_INT     ARGS_INT
#define ARGS_OF_INT64   ARGS_INT
#define ARGS_OF_UINT64  ARGS_INT
#define ARGS_OF_BYTES   ARGS_SIZE
#define ARGS_OF_SECONDS ARGS_NUMBER
#define ARGS_OF_TEXT    ARGS_TEXT
#define ARGS_OF_CHOICE  ARGS_CHOICE
#define SAME            false
#define OTHER           true

/* Of each option that is a CHOICE, its words. */
#define OC_WORDS(name, ...) static const char *const name##_words[] = {__VA_ARGS__, NULL};
#include <session_options.def>
#define WORDS_OF_SWITCH(name)  NULL
#define WORDS_OF_INT(name)     NULL
#define WORDS_OF_INT64(name)   NULL
#define WORDS_OF_UINT64(name)  NULL
#define WORDS_OF_BYTES(name)   NULL
#define WORDS_OF_SECONDS(name) NULL
#define WORDS_OF_TEXT(name)    NULL
#define WORDS_OF_CHOICE(name)  name##_words

const args_option session_args_rows[] = {
#define OC_OPTION(called, field, of, plan, results, text, otherwise, sentence)                     \
    {.name = #called,                                                                              \
     .kind = ARGS_OF_##of,                                                                         \
     .value = (text),                                                                              \
     .help = ARGS_OF_##of == ARGS_FLAG ? sentence : sentence " (default: " otherwise ")",          \
     .choices = WORDS_OF_##of(called),                                                             \
     .at = offsetof(session_args, called)},
#include <session_options.def>
    {0},
};

static const bool changes_results[] = {
#define OC_OPTION(name, field, kind, plan, results, value, otherwise, sentence) results,
#include <session_options.def>
};

bool session_args_at(const session_args *s, int i, session_told *told)
{
    const args_option *row = &session_args_rows[i];
    if (!row->name)
        return false;
    args_name(row->name, told->name);
    told->value = args_value(row, (const char *)s + row->at, told->number, &told->is_given);
    told->is_switch = row->kind == ARGS_FLAG;
    told->changes_results = changes_results[i];
    return true;
}

oc_session_options session_args_options(const session_args *s)
{
    oc_session_options o = {.image_decoder = session_decoder()};
#define AS_SWITCH(v)  v
#define AS_INT(v)     ((v) > INT_MAX ? INT_MAX : (int)(v))
#define AS_INT64(v)   v
#define AS_UINT64(v)  (uint64_t) v
#define AS_BYTES(v)   v
#define AS_SECONDS(v) v
#define AS_TEXT(v)    v
#define AS_CHOICE(v)  v
#define OC_OPTION(name, field, kind, plan, results, value, otherwise, sentence)                    \
    o.field = AS_##kind(s->name);
#include <session_options.def>
    o.exact_conv = s->exact || s->exact_conv;
    o.exact_quant = s->exact || s->exact_quant;
    o.limits.cancel = signals_cancelled;
    return o;
}

/* ---- operators and bodies ---- */

const char *session_near_op(const char *op, char text[NEAREST_TEXT])
{
    const oc_op_info *info;
    const char *body;
    int since;
    nearest near = {.text = op};
    for (int i = 0; (info = op_table_at(i)) != NULL; i++)
        nearest_try(&near, info->label);
    for (int i = 0; (body = oc_builtin_body(i, &since)) != NULL; i++)
        nearest_try(&near, body);
    nearest_hint(&near, text);
    return text;
}

bool session_has_body(const char *op, oc_error *e)
{
    int since;
    const char *name;
    char hint[NEAREST_TEXT];
    nearest near = {.text = op};
    for (int i = 0; (name = oc_builtin_body(i, &since)) != NULL; i++) {
        if (strcmp(name, op) == 0)
            return true;
        nearest_try(&near, name);
    }
    tool_fail(e, OC_ARGUMENT, "there is no function body of an operator '%s'%s", op,
              nearest_hint(&near, hint));
    return false;
}

void session_set_bodies(oc_body_options *o, const char *expand, bool standard, oc_error *e)
{
    if (!expand && standard)
        tool_fail(e, OC_ARGUMENT, "--standard goes with --expand");
    if (!expand || (strcmp(expand, "all") != 0 && !session_has_body(expand, e)))
        return;
    o->policy = standard ? OC_BODY_STANDARD : OC_BODY_EXPAND;
    o->only = strcmp(expand, "all") == 0 ? NULL : expand;
}

/* ---- models ---- */

/* --cpu is what a person wants to see at work: the library would take the best there is instead. */
static void check_cpu(const char *cpu, oc_error *e)
{
    /* without an operator, which the library may be built without */
    static const char text[] =
        "<ir_version: 8, opset_import: [\"\": 13]> g (float x) => (float x) {}";
    if (!cpu || strcmp(cpu, "native") == 0 || strcmp(cpu, "scalar") == 0)
        return;
    const oc_session_options options = {.threads = 1, .cpu = cpu},
                             best = {.threads = 1, .cpu = "native"};
    oc_model *m = oc_model_load_memory(text, sizeof text - 1, NULL, e);
    oc_session *s = oc_session_new(m, &options, e), *t = oc_session_new(m, &best, e);
    if (e->code == OC_OK && strcmp(oc_session_describe(s).cpu, cpu) != 0)
        tool_fail(e, OC_ARGUMENT, "--cpu %s: this processor does not have it, its best is %s", cpu,
                  oc_session_describe(t).cpu);
    oc_session_free(s);
    oc_session_free(t);
    oc_model_free(m);
}

void session_cap_data(const session_args *s)
{
    data_set_cap(s->memory_cap ? s->memory_cap : machine_memory_share());
}

/* Notes a location of external data, and leaves it to the library to open it. */
static bool note_external(void *ctx, const char *location, const void **bytes, size_t *size)
{
    io_names *all = ctx;
    (void)bytes, (void)size;
    for (int i = 0; i < all->n; i++)
        if (strcmp(all->name[i], location) == 0)
            return false;
    all->name = tool_push(all->name, (size_t)all->n, sizeof *all->name);
    all->name[all->n++] = tool_format("%s", location);
    return false;
}

oc_model *session_open_next(const char *path, const session_args *s, functions_seen *seen,
                            oc_error *e)
{
    const char **functions = functions_paths(&s->functions);
    oc_model_options options = {.limits = session_args_options(s).limits,
                                .no_map = s->no_map,
                                .functions = functions,
                                .newer = s->newer,
                                .without_weights = s->without_weights};
    if (s->external) {
        options.external = note_external;
        options.external_ctx = s->external;
    }
    if (!s->memory_cap)
        options.limits.memory_cap = machine_memory_share();
    session_cap_data(s);
    check_cpu(s->cpu, e);
    const oc_reader in = io_standard_input();
    oc_model *m = strcmp(path, "-") == 0 ? oc_model_load_stream(&in, &options, e)
                                         : oc_model_load(path, &options, e);
    free(functions);
    functions_note(seen, m);
    return m;
}

oc_model *session_open(const char *path, const session_args *s, oc_error *e)
{
    functions_seen seen = {.n = 0};
    oc_model *m = session_open_next(path, s, &seen, e);
    functions_print(&seen, path);
    return m;
}

double session_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
