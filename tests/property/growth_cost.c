/* SPDX-License-Identifier: Apache-2.0
 * growth_cost.c - takes a model through all stages, and notes time and memory of each. */
#include "growth.h"

#include <ocellus.h>
#include <time.h>

const char *const growth_stage_names[GROWTH_STAGES] = {
    "reading text", "saving binary", "reading binary", "saving text", "expanding",
    "planning",     "binding",       "running",        "fetching",    "freeing"};

/* ---- memory ---- */

typedef struct meter {
    size_t live, most;
} meter;

static void *resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
    meter *m = ctx;
    m->live = m->live - old_size + new_size;
    m->most = m->live > m->most ? m->live : m->most;
    if (new_size)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

/* ---- time ---- */

typedef struct stopwatch {
    growth_cost cost;
    double last; /* when the last stage was over */
} stopwatch;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Gives the stage the time since the last stage was over. */
static void over(stopwatch *w, growth_stage stage)
{
    const double end = now();
    w->cost.seconds[stage] += end - w->last;
    w->last = end;
}

/* ---- stages ---- */

static bool external(void *ctx, const char *location, const void **bytes, size_t *size)
{
    static const float data[16] = {1};
    (void)ctx;
    (void)location;
    *bytes = data;
    *size = sizeof data;
    return true;
}

static oc_model *load(const text_buffer *t, meter *m)
{
    oc_error e = {.code = OC_OK};
    const oc_model_options options = {.alloc = {resize, m}, .external = external};
    oc_model *model = oc_model_load_memory(t->bytes, t->size, &options, &e);
    ck_assert_msg(model != NULL, "%s in:\n%.1000s", e.text, t->bytes);
    return model;
}

static void save(const oc_model *m, oc_format format, text_buffer *t)
{
    oc_error e = {.code = OC_OK};
    oc_model_save(m, format, &(oc_writer){text_write, t}, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
}

static void expand(const oc_model *m)
{
    oc_error e = {.code = OC_OK};
    text_buffer t = {.bytes = NULL};
    oc_model *expanded = oc_model_expand(m, OC_BODY_EXPAND, NULL, &e);
    ck_assert_msg(expanded != NULL, "%s", e.text);
    save(expanded, OC_FORMAT_ONNX, &t);
    oc_model_free(expanded);
    free(t.bytes);
}

/* Binds zeros to all inputs without a default, by their names. */
static void bind(oc_session *s, const oc_model *m)
{
    static const char zeros[1 << 20];
    oc_error e = {.code = OC_OK};
    for (int i = 0; i < oc_model_n_inputs(m); i++) {
        const oc_port p = oc_model_input(m, i);
        int64_t dim[OC_MAX_RANK], n = (int64_t)oc_type_size(p.type);
        for (int k = 0; k < p.rank; k++) {
            dim[k] = p.dim[k] < 0 ? 1 : p.dim[k];
            n *= dim[k];
        }
        ck_assert_int_le(n, (int64_t)sizeof zeros);
        if (!p.has_default)
            oc_bind(s, p.name, p.type, p.rank, dim, zeros, &e);
    }
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
}

static void fetch(const oc_session *s, const oc_model *m)
{
    oc_error e = {.code = OC_OK};
    for (int i = 0; i < oc_model_n_outputs(m); i++)
        oc_fetch_value(s, oc_model_output(m, i).name, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
}

static void say_nothing(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
}

static void run(const oc_model *m, bool refused, stopwatch *w)
{
    oc_error e = {.code = OC_OK};
    const oc_session_options options = {.threads = 1, .observer.log = say_nothing};
    oc_session *s = oc_session_new(m, &options, &e);
    ck_assert_msg((s == NULL) == refused, "%s", e.text);
    over(w, GROWTH_PLAN);
    if (!s)
        return;
    bind(s, m);
    over(w, GROWTH_BIND);
    for (int i = 0; i < 3; i++) /* what a run leaves behind is there in the next */
        oc_run(s, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    over(w, GROWTH_RUN);
    fetch(s, m);
    over(w, GROWTH_FETCH);
    oc_session_free(s);
    over(w, GROWTH_FREE);
}

growth_cost growth_measure(const growth *g, int n)
{
    text_buffer text = {.bytes = NULL}, binary = {.bytes = NULL}, again = {.bytes = NULL};
    meter memory = {0, 0};
    g->write(&text, n);
    stopwatch w = {.last = now()};
    oc_model *of_text = load(&text, &memory);
    over(&w, GROWTH_READ_TEXT);
    save(of_text, OC_FORMAT_ONNX, &binary);
    over(&w, GROWTH_SAVE_BINARY);
    oc_model *m = load(&binary, &memory);
    over(&w, GROWTH_READ_BINARY);
    save(m, OC_FORMAT_TEXT, &again);
    over(&w, GROWTH_SAVE_TEXT);
    if (!g->refused)
        expand(m);
    over(&w, GROWTH_EXPAND);
    run(m, g->refused, &w);
    oc_model_free(m);
    oc_model_free(of_text);
    over(&w, GROWTH_FREE);
    w.cost.bytes = memory.most;
    w.cost.size = text.size;
    free(text.bytes);
    free(binary.bytes);
    free(again.bytes);
    return w.cost;
}
