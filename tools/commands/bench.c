/* SPDX-License-Identifier: Apache-2.0
 * bench.c - ocellus bench: how long does a model take? */
#include "commands/commands.h"
#include "session/inputs.h"
#include "session/roofline.h"
#include "session/sandbox.h"
#include "session/session_args.h"
#include "session/timing.h"

#include <inttypes.h>
#include <limits.h>

typedef struct bench {
    session_args session;
    input_args input;
    int64_t runs, warm;
    bool json;
    bool wants_roofline, all;
    const char *path;
    double load_ms, plan_ms; /* time to open the model; time to make the session */
    timing timing;
    roofline roofline; /* node NULL: not wanted */
} bench;

enum { WORST = 10 }; /* nodes of a roofline, without --all */

static const char *const examples[] = {
    "ocellus bench model.onnx -i photo.jpg -i theta.npy --threads 1",
    "ocellus bench model.onnx --fill random --dim N=2 --runs 100 --json",
    "ocellus bench model.onnx -i photo.jpg --threads 1 --roofline",
    NULL,
};

static const args_command command = {
    .name = "bench",
    .usage = "MODEL [-i [NAME=]FILE]... [options]",
    .about =
        "Runs MODEL again and again on the same inputs and prints the least time of a run, the\n"
        "median, the 90th percentile, and the most bytes of tensors that were alive. With\n"
        "--roofline it measures what the machine can do, and prints the nodes that are the\n"
        "farthest from it.",
    .examples = examples,
    .min = 1,
    .max = 1,
};

static args_result read_args(int argc, char **argv, bench *b)
{
    args_list positional;
    const args_option options[] = {
        INPUT_ARGS(&b->input, &b->session),
        {.name = "--runs",
         .kind = ARGS_INT,
         .value = "N",
         .out = &b->runs,
         .help = "timed runs; 20"},
        {.name = "--warm",
         .kind = ARGS_INT,
         .value = "N",
         .out = &b->warm,
         .help = "runs before them that are not timed; 3"},
        {.name = "--roofline",
         .kind = ARGS_FLAG,
         .out = &b->wants_roofline,
         .help = "as many runs again, and the ten nodes that lose the most time"},
        {.name = "--all", .kind = ARGS_FLAG, .out = &b->all, .help = "with --roofline: all nodes"},
        SESSION_ARGS(&b->session),
        {0},
    };
    const args_result result = args_read(argc, argv, &command, options, &positional, &b->json);
    b->path = positional.n ? positional.item[0] : NULL;
    args_list_free(&positional);
    if (result == ARGS_GO && b->runs == 0) {
        tool_say("bench: --runs is 0, expected at least 1");
        return ARGS_WRONG;
    }
    return result;
}

static void print_figures(const bench *b, const oc_session_stats *s)
{
    const timing_figures f = timing_sum_up(&b->timing);
    char threads[48] = "a thread per processor";
    if (b->session.threads)
        snprintf(threads, sizeof threads, "threads: %" PRId64, b->session.threads);
    tool_line("%s: runs: %d, after %" PRId64 " warm ones, %s", b->path, b->timing.n, b->warm,
              threads);
    printf("min %.3f ms  median %.3f ms  p90 %.3f ms  mean %.3f ms\n", f.min, f.median, f.p90,
           f.mean);
    printf("load %.3f ms, plan %.3f ms, %" PRId64 " nodes, at most %zu bytes of tensors\n",
           b->load_ms, b->plan_ms, s->steps, s->peak_bytes);
    if (b->roofline.node)
        roofline_print(&b->roofline, b->all ? INT_MAX : WORST);
}

static void json_figures(const bench *b, const oc_session_stats *s)
{
    const timing_figures f = timing_sum_up(&b->timing);
    json_writer j = json_begin(stdout);
    json_object(&j, NULL);
    json_text(&j, "model", b->path);
    json_int(&j, "threads", b->session.threads);
    json_int(&j, "warm", b->warm);
    json_int(&j, "runs", b->timing.n);
    json_number(&j, "min_ms", f.min);
    json_number(&j, "median_ms", f.median);
    json_number(&j, "p90_ms", f.p90);
    json_number(&j, "mean_ms", f.mean);
    json_number(&j, "load_ms", b->load_ms);
    json_number(&j, "plan_ms", b->plan_ms);
    json_int(&j, "nodes", s->steps);
    json_unsigned(&j, "peak_bytes", s->peak_bytes);
    json_array(&j, "samples_ms");
    for (int i = 0; i < b->timing.n; i++)
        json_number(&j, NULL, b->timing.ms[i]);
    json_close(&j);
    if (b->roofline.node)
        roofline_json(&j, &b->roofline);
    json_close(&j);
    json_end(&j);
}

/* Runs the model once more, observed. */
static void observe(bench *b, const oc_model *m, const inputs *in, oc_session_options options,
                    observer *o, oc_error *e)
{
    timing unused = {0};
    observe_attach(o, &options);
    oc_session *s = oc_session_new(m, &options, e);
    if (e->code == OC_OK)
        inputs_bind(in, s, e);
    timing_run(&unused, s, 0, b->warm + b->runs, e);
    timing_free(&unused);
    oc_session_free(s);
}

static void report(bench *b, const oc_session *s, const observer *o)
{
    const oc_session_stats stats = oc_session_describe(s);
    peak p;
    if (b->wants_roofline) {
        p = peak_measure(stats.cpu, (int)b->session.threads);
        b->roofline = roofline_new(o, b->warm + b->runs, &p, stats.cpu);
    }
    (b->json ? json_figures : print_figures)(b, &stats);
    roofline_free(&b->roofline);
}

static int bench_model(bench *b, const oc_model *m, oc_error *e)
{
    if (b->wants_roofline && b->session.threads == 0)
        b->session.threads = peak_processors();
    observer o = {.profile = true, .work = true};
    const oc_session_options options = session_args_options(&b->session);
    const tensor_options reading = input_args_options(&b->input, e);
    inputs in = inputs_new(m, &reading);
    inputs_gather(&in, &b->input, (uint64_t)b->session.seed, e);
    const double start = session_clock();
    oc_session *s = oc_session_new(m, &options, e);
    b->plan_ms = 1e3 * (session_clock() - start);
    if (e->code == OC_OK)
        inputs_bind(&in, s, e);
    timing_run(&b->timing, s, b->warm, b->runs, e);
    if (b->wants_roofline && e->code == OC_OK)
        observe(b, m, &in, options, &o, e);
    int code = TOOL_OK;
    if (e->code != OC_OK)
        code = tool_report(e, b->json);
    else
        report(b, s, &o);
    observe_free(&o);
    oc_session_free(s);
    inputs_free(&in);
    return code;
}

static void enter_sandbox(bench *b, oc_error *e)
{
    sandbox box = sandbox_begin(&b->session);
    sandbox_model(&box, b->path);
    sandbox_inputs(&box, &b->input.input);
    sandbox_enter(&box, 0, e);
}

int cmd_bench(int argc, char **argv)
{
    bench b = {.runs = 20, .warm = 3};
    oc_error e = {0};
    int code = TOOL_OK;
    const args_result result = read_args(argc, argv, &b);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO) {
        enter_sandbox(&b, &e);
        const double start = session_clock();
        oc_model *m = session_open(b.path, &b.session, &e);
        b.load_ms = 1e3 * (session_clock() - start);
        code = m ? bench_model(&b, m, &e) : tool_report(&e, b.json);
        oc_model_free(m);
    }
    timing_free(&b.timing);
    input_args_free(&b.input);
    return code;
}
