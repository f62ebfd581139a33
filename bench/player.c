/* SPDX-License-Identifier: Apache-2.0
 * player.c - Ocellus as the comparison drives it: holds a model and its inputs, runs when asked.
 *
 *   bench_player MODEL [NAME=]FILE... [--cpu SET] [any other option of sessions]
 *
 * Each line of standard input is a request, each line of standard output its answer in words
 * key=value; "error=" takes the rest of its line.
 *
 *   run THREADS WARM RUNS   ms=1.5,1.4   the timed runs, after WARM ones that are not
 *   about THREADS           version= bytes= peak= allocations= mean= mean_abs= bits=
 *                           bytes: of inputs and outputs; peak: most bytes of tensors alive;
 *                           allocations: made by the timed runs of the latest request;
 *                           mean, mean_abs: of the elements of the first output;
 *                           bits: a hash of all its bytes
 *   copy BYTES RUNS         ms=...       memcpy between two buffers of BYTES */
#include "common/data.h"
#include "session/inputs.h"
#include "common/number.h"
#include "session/session_args.h"
#include "session/timing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 64 };

typedef struct player {
    session_args options;
    oc_model *model;
    inputs in;
    oc_session *session[MOST_THREADS + 1]; /* by number of threads; made when first asked for */
    int64_t n_allocations, of_runs;
    size_t copy_size;
    char *from, *to;
} player;

static void *count_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
    player *p = ctx;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    p->n_allocations++;
    return realloc(block, new_size);
}

static oc_session *session_of(player *p, int threads, oc_error *e)
{
    if (threads < 1 || threads > MOST_THREADS) {
        tool_fail(e, OC_ARGUMENT, "%d threads, expected 1 to %d", threads, MOST_THREADS);
        return NULL;
    }
    if (!p->session[threads]) {
        oc_session_options options = session_args_options(&p->options);
        options.threads = threads;
        p->session[threads] = oc_session_new(p->model, &options, e);
        if (e->code == OC_OK)
            inputs_bind(&p->in, p->session[threads], e);
    }
    return p->session[threads];
}

static void print_samples(timing *t, const oc_error *e)
{
    for (int i = 0; i < t->n && e->code == OC_OK; i++)
        printf("%s%.6f", i ? "," : "ms=", t->ms[i]);
    timing_free(t);
}

static void answer_run(player *p, int threads, int warm, int runs, oc_error *e)
{
    timing t = {0};
    oc_session *s = session_of(p, threads, e);
    timing_run(&t, s, warm, 0, e);
    const int64_t before = p->n_allocations;
    timing_run(&t, s, 0, runs, e);
    p->of_runs = p->n_allocations - before;
    print_samples(&t, e);
}

/* FNV-1a, eight bytes at a time. */
static uint64_t hash_of(const oc_value *v, size_t size)
{
    const unsigned char *data = oc_value_data(v);
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, data + i, size - i < 8 ? size - i : 8);
        hash = (hash ^ word) * 0x100000001b3u;
    }
    return hash;
}

static int64_t bytes_of(const oc_value *v)
{
    return v ? oc_value_count(v) * (int64_t)oc_type_size(oc_value_type(v)) : 0;
}

static void answer_about(player *p, int threads, oc_error *e)
{
    oc_session *s = session_of(p, threads, e);
    const oc_value *first = oc_fetch_value_at(s, 0, e);
    if (e->code != OC_OK)
        return;
    double sum = 0, sum_abs = 0;
    const int64_t n = oc_value_count(first);
    for (int64_t i = 0; i < n; i++) {
        const double x = number_get(oc_value_type(first), oc_value_data(first), i);
        sum += x;
        sum_abs += fabs(x);
    }
    int64_t bytes = 0;
    for (int i = 0; i < p->in.n; i++)
        bytes += bytes_of(p->in.value[i]);
    for (int i = 0; i < oc_model_n_outputs(p->model); i++)
        bytes += bytes_of(oc_fetch_value_at(s, i, e));
    printf("version=%s bytes=%" PRId64 " peak=%zu allocations=%" PRId64
           " mean=%.9g mean_abs=%.9g bits=%016" PRIx64,
           oc_version(), bytes, oc_session_describe(s).peak_bytes, p->of_runs, sum / (double)n,
           sum_abs / (double)n, hash_of(first, (size_t)bytes_of(first)));
}

static void answer_copy(player *p, size_t size, int runs, oc_error *e)
{
    if (size != p->copy_size) {
        data_free(p->from);
        data_free(p->to);
        p->copy_size = 0;
        p->from = data_alloc(size, "copy", e);
        p->to = data_alloc(size, "copy", e);
        if (e->code != OC_OK)
            return;
        memset(p->from, 1, size);
        memset(p->to, 2, size);
        p->copy_size = size;
    }
    for (int i = 0; i < runs; i++) {
        const double start = session_clock();
        memcpy(p->to, p->from, size);
        p->from[i % (int)(size < 64 ? size : 64)] ^= p->to[size / 2]; /* so that each copy counts */
        printf("%s%.6f", i ? "," : "ms=", 1e3 * (session_clock() - start));
    }
}

static void answer(player *p, const char *line, oc_error *e)
{
    int a, b, c;
    size_t size;
    if (sscanf(line, "run %d %d %d", &a, &b, &c) == 3)
        answer_run(p, a, b, c, e);
    else if (sscanf(line, "about %d", &a) == 1)
        answer_about(p, a, e);
    else if (sscanf(line, "copy %zu %d", &size, &a) == 2 && size > 0)
        answer_copy(p, size, a, e);
    else
        tool_fail(e, OC_ARGUMENT, "request '%.100s' is not known", line);
}

static args_result read_args(int argc, char **argv, player *p, args_list *words)
{
    static const args_command command = {.name = "bench_player",
                                         .usage = "MODEL [[NAME=]FILE]... [options]",
                                         .about = "Runs MODEL as standard input asks.",
                                         .min = 1,
                                         .max = -1};
    const args_option options[] = {SESSION_ARGS(&p->options), {0}};
    bool json;
    return args_read(argc, argv, &command, options, words, &json);
}

int main(int argc, char **argv)
{
    char line[256];
    oc_error e = {0};
    player p = {0};
    args_list words;
    if (read_args(argc, argv, &p, &words) != ARGS_GO)
        return TOOL_USAGE;
    const input_args args = {.input = {.item = words.item + 1, .n = words.n - 1}, .quiet = true};
    const tensor_options options = input_args_options(&args, &e);
    const oc_model_options counting = {.alloc = {count_resize, &p}};
    p.model = oc_model_load(words.item[0], &counting, &e);
    if (p.model) {
        p.in = inputs_new(p.model, &options);
        inputs_gather(&p.in, &args, 0, &e);
    }
    while (fgets(line, sizeof line, stdin)) {
        oc_error of_line = e;
        line[strcspn(line, "\n")] = 0;
        answer(&p, line, &of_line);
        if (of_line.code != OC_OK)
            printf("error=%s", of_line.text);
        putchar('\n');
        fflush(stdout);
    }
    for (int i = 0; i <= MOST_THREADS; i++)
        oc_session_free(p.session[i]);
    if (p.model)
        inputs_free(&p.in);
    oc_model_free(p.model);
    args_list_free(&words);
    data_free(p.from);
    data_free(p.to);
    return e.code != OC_OK;
}
