/* SPDX-License-Identifier: Apache-2.0
 * session_args.c - opens a model, and turns the command line into options of a session. */
#define _POSIX_C_SOURCE 200809L
#include "session/session_args.h"

#include "common/data.h"
#include "common/machine.h"
#include "common/signals.h"
#include "files/io.h"
#include "session/decoder.h"
#include "session/op_table.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static oc_limits limits_of(const session_args *s)
{
    return (oc_limits){.memory_cap = s->memory_cap,
                       .max_steps = s->max_steps,
                       .deadline = s->deadline,
                       .cancel = signals_cancelled};
}

oc_session_options session_args_options(const session_args *s)
{
    return (oc_session_options){
        .threads = s->threads > INT_MAX ? INT_MAX : (int)s->threads,
        .limits = limits_of(s),
        .cpu = s->cpu,
        .op_options = s->op_options,
        .seed = (uint64_t)s->seed,
        .no_fusion = s->no_fusion,
        .no_folding = s->no_folding,
        .no_nchw16c = s->no_nchw16c,
        .exact_conv = s->exact,
        .exact_quant = s->exact,
        .image_decoder = session_decoder(),
    };
}

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

/* Fails when the processor lacks the instruction set of --cpu, because the library would
 * silently use the best one that it has. */
static void check_cpu(const char *cpu, oc_error *e)
{
    static const char text[] =
        "<ir_version: 8, opset_import: [\"\": 13]> g (float x) => (float y) { y = Neg (x) }";
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

oc_model *session_open_next(const char *path, const session_args *s, functions_seen *seen,
                            oc_error *e)
{
    const char **functions = functions_paths(&s->functions);
    oc_model_options options = {
        .limits = limits_of(s), .no_map = s->no_map, .functions = functions, .newer = s->newer};
    if (!s->memory_cap)
        options.limits.memory_cap = machine_memory_share();
    data_set_cap(options.limits.memory_cap);
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

const char *session_port_text(const oc_port *p, char text[PORT_TEXT])
{
    const char *type = oc_type_name(p->type);
    static const char *const forms[] = {
        [OC_SEQUENCE] = "seq(%s%s)", [OC_OPTIONAL] = "optional(%s%s)", [OC_MAP] = "%s%s"};
    if (p->kind != OC_TENSOR) {
        char map[64] = "";
        if (p->key_type)
            snprintf(map, sizeof map, "map(%s, %s)", oc_type_name(p->key_type), type);
        snprintf(text, PORT_TEXT, forms[p->kind], map, p->key_type ? "" : type);
        return text;
    }
    size_t at = (size_t)snprintf(text, PORT_TEXT, "%s[%s", type, p->rank < 0 ? "..." : "");
    for (int i = 0; i < p->rank && at < PORT_TEXT; i++) {
        const char *comma = i ? "," : "";
        if (p->dim[i] >= 0)
            at += (size_t)snprintf(text + at, PORT_TEXT - at, "%s%" PRId64, comma, p->dim[i]);
        else
            at += (size_t)snprintf(text + at, PORT_TEXT - at, "%s%s", comma,
                                   p->dim_name[i] ? p->dim_name[i] : "?");
    }
    if (at < PORT_TEXT)
        snprintf(text + at, PORT_TEXT - at, "]");
    return text;
}

double session_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
