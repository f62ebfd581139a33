/* SPDX-License-Identifier: Apache-2.0
 * bench.c - ocellus bench: measures how long a model takes. */
#include "base/system.h"
#include "commands/commands.h"
#include "common/number.h"
#include "session/operators.h"
#include "session/roofline.h"
#include "session/sandbox.h"
#include "session/sweep.h"
#include "session/timing.h"

#include <limits.h>

/* The measurements with one set of inputs. */
typedef struct point {
    int64_t size;   /* size of the dimension of --sweep */
    int64_t batch;  /* items of a run; 0: unknown */
    double plan_ms; /* time to make the session */
    timing timing;
    oc_session_stats stats;
} point;

typedef struct bench {
    session_args session;
    input_args input;
    int64_t runs, warm;
    bool json;
    bool wants_roofline, wants_operators, all;
    const char *path, *sizes, *trace; /* sizes is the text of --sweep; NULL: not given */
    double load_ms;                   /* time to load the model */
    sweep sweep;
    point *point;
    int n; /* number of points */
    observer observer;
} bench;

enum { WORST = 10 }; /* nodes of a roofline without --all */

static const char *const examples[] = {
    "ocellus bench model.onnx -i photo.jpg -i theta.npy --threads 1",
    "ocellus bench model.onnx --fill random --dim N=2 --runs 100 --json",
    "ocellus bench model.onnx -i photo.jpg --threads 1 --roofline",
    "ocellus bench model.onnx --fill random --sweep batch=1,2,4",
    NULL,
};

static const args_command command = {
    .name = "bench",
    .usage = "MODEL [-i [NAME=]FILE]... [options]",
    .about =
        "Runs MODEL again and again on the same inputs and prints the least time of a run, the\n"
        "median, the 90th and the 99th percentile, the runs in a second, and the most bytes of\n"
        "tensors that were alive. With --roofline it measures what the machine can do, and\n"
        "prints the nodes that are the farthest from it.",
    .examples = examples,
    .min = 1,
    .max = 1,
};

static args_result read_args(int argc, char **argv, bench *b)
{
    const args_option options[] = {
        INPUT_ARGS(&b->input),
        ARGS_VALUE("--runs", ARGS_INT, "N", &b->runs, "timed runs; 20"),
        ARGS_VALUE("--warm", ARGS_INT, "N", &b->warm, "runs before them that are not timed; 3"),
        ARGS_SWITCH("--roofline", &b->wants_roofline,
                    "as many runs again, and the ten nodes that lose the most time"),
        ARGS_SWITCH("--operators", &b->wants_operators,
                    "as many runs again, and the time of each operator's nodes together"),
        ARGS_VALUE("--sweep", ARGS_TEXT, "NAME=N,N,..", &b->sizes,
                   "measure at each size of a dimension, named as in --dim; batch\n"
                   "means the first axis where no dimension has that name"),
        ARGS_VALUE("--trace", ARGS_TEXT, "FILE", &b->trace,
                   "one run more, the time of each node as trace events (JSON)"),
        ARGS_SWITCH("--all", &b->all, "with --roofline: all nodes"),
        FUNCTIONS_ARG(&b->session.functions),
        SESSION_ARGS(&b->session),
        {0},
    };
    const args_result result = args_read_model(argc, argv, &command, options, &b->path, &b->json);
    if (result != ARGS_GO)
        return result;
    if (b->runs == 0)
        tool_say("bench: --runs is 0, expected at least 1");
    else if (b->sizes && (b->wants_roofline || b->wants_operators || b->trace))
        tool_say("bench: --sweep goes without --roofline, --operators and --trace");
    else
        return ARGS_GO;
    return ARGS_WRONG;
}

/* ---- as text ---- */

static void print_point(const point *p)
{
    const timing_figures f = timing_sum_up(&p->timing);
    printf("min %.3f ms  median %.3f ms  p90 %.3f ms  p99 %.3f ms  mean %.3f ms\n", f.min, f.median,
           f.p90, f.p99, f.mean);
    printf("%.2f runs/s", f.rate);
    if (p->batch)
        printf(", %.2f items/s in batches of %" PRId64, f.rate * (double)p->batch, p->batch);
    putchar('\n');
}

static void print_sweep(const bench *b)
{
    tool_line("%10s %10s %10s %10s %10s %10s %10s %10s", b->sweep.name, "min ms", "median ms",
              "p90 ms", "p99 ms", "runs/s", "items/s", "peak MB");
    for (int i = 0; i < b->n; i++) {
        const point *p = &b->point[i];
        const timing_figures f = timing_sum_up(&p->timing);
        char items[32] = "-";
        if (p->batch)
            snprintf(items, sizeof items, "%.2f", f.rate * (double)p->batch);
        printf("%10" PRId64 " %10.3f %10.3f %10.3f %10.3f %10.2f %10s %10.3f\n", p->size, f.min,
               f.median, f.p90, f.p99, f.rate, items, 1e-6 * (double)p->stats.peak_bytes);
    }
}

static void print_figures(const bench *b, const operators *totals, const roofline *roof)
{
    const point *p = &b->point[0];
    char threads[48] = "a thread per processor";
    if (b->session.threads)
        snprintf(threads, sizeof threads, "threads: %" PRId64, b->session.threads);
    tool_line("%s: runs: %d, after %" PRId64 " warm ones, %s", b->path, p->timing.n, b->warm,
              threads);
    if (b->sizes) {
        print_sweep(b);
        return;
    }
    print_point(p);
    char load[NUMBER_TEXT], plan[NUMBER_TEXT];
    printf("load %s, plan %s, %" PRId64 " nodes, at most %zu bytes of tensors\n",
           number_time(b->load_ms, load), number_time(p->plan_ms, plan), p->stats.steps,
           p->stats.peak_bytes);
    if (totals)
        operators_print(totals);
    if (roof)
        roofline_print(roof, b->all ? INT_MAX : WORST);
}

/* ---- as JSON ---- */

static void json_point(json_writer *j, const point *p)
{
    const timing_figures f = timing_sum_up(&p->timing);
    json_int(j, "runs", p->timing.n);
    json_number(j, "min_ms", f.min);
    json_number(j, "median_ms", f.median);
    json_number(j, "p90_ms", f.p90);
    json_number(j, "p99_ms", f.p99);
    json_number(j, "mean_ms", f.mean);
    json_number(j, "runs_per_second", f.rate);
    if (p->batch) {
        json_int(j, "batch", p->batch);
        json_number(j, "items_per_second", f.rate * (double)p->batch);
    }
    json_number(j, "plan_ms", p->plan_ms);
    json_int(j, "nodes", p->stats.steps);
    json_unsigned(j, "peak_bytes", p->stats.peak_bytes);
    json_array(j, "samples_ms");
    for (int i = 0; i < p->timing.n; i++)
        json_number(j, NULL, p->timing.ms[i]);
    json_close(j);
}

static void json_figures(const bench *b, const operators *totals, const roofline *roof)
{
    json_writer j = json_begin(stdout);
    json_object(&j, NULL);
    json_text(&j, "model", b->path);
    json_int(&j, "threads", b->session.threads);
    json_int(&j, "warm", b->warm);
    json_number(&j, "load_ms", b->load_ms);
    if (b->sizes) {
        json_text(&j, "dimension", b->sweep.name);
        json_array(&j, "sweep");
    }
    for (int i = 0; i < b->n; i++) {
        if (b->sizes) {
            json_object(&j, NULL);
            json_int(&j, "size", b->point[i].size);
        }
        json_point(&j, &b->point[i]);
        if (b->sizes)
            json_close(&j);
    }
    if (b->sizes)
        json_close(&j);
    if (totals)
        operators_json(&j, totals);
    if (roof)
        roofline_json(&j, roof);
    json_close(&j);
    json_end(&j);
}

static void report(bench *b)
{
    peak p;
    roofline roof = {0};
    operators totals = {0};
    const int64_t runs = b->warm + b->runs;
    if (b->wants_operators)
        totals = operators_new(&b->observer, runs);
    if (b->wants_roofline) {
        const char *cpu = b->point[0].stats.cpu;
        p = peak_measure(cpu, (int)b->session.threads);
        roof = roofline_new(&b->observer, runs, &p, cpu);
    }
    (b->json ? json_figures : print_figures)(b, b->wants_operators ? &totals : NULL,
                                             b->wants_roofline ? &roof : NULL);
    operators_free(&totals);
    roofline_free(&roof);
}

/* ---- running ---- */

/* Runs the model `runs` times more, and observes these runs. */
static void observe(bench *b, const oc_model *m, const inputs *in, oc_error *e)
{
    timing unused = {0};
    oc_session_options options = session_args_options(&b->session);
    b->observer.profile = true;
    b->observer.work = b->wants_roofline;
    observe_attach(&b->observer, &options);
    oc_session *s = oc_session_new(m, &options, e);
    if (e->code == OC_OK)
        inputs_bind(in, s, e);
    timing_run(&unused, s, 0, b->warm + b->runs, e);
    timing_free(&unused);
    oc_session_free(s);
}

/* Runs the model once more, after the warm runs, and writes its nodes to a file. */
static void trace(bench *b, const oc_model *m, const inputs *in, oc_error *e)
{
    timing unused = {0};
    timeline t = {0};
    observer o = {.trace = &t};
    oc_session_options options = session_args_options(&b->session);
    observe_attach(&o, &options);
    o.trace = NULL; /* not before the warm runs are over */
    oc_session *s = oc_session_new(m, &options, e);
    if (e->code == OC_OK)
        inputs_bind(in, s, e);
    timing_run(&unused, s, b->warm, 0, e);
    timeline_open(&t, b->trace, b->path, e);
    o.trace = &t;
    timing_run(&unused, s, 0, 1, e);
    timeline_close(&t, e);
    timing_free(&unused);
    oc_session_free(s);
    observe_free(&o);
}

/* Measures the model with inputs of these dims. */
static void measure(bench *b, const oc_model *m, const args_list *dims, point *p, oc_error *e)
{
    const tensor_options reading = input_args_options(&b->input, e);
    const oc_session_options options = session_args_options(&b->session);
    input_args args = b->input;
    inputs in = inputs_new(m, &reading);
    args.dim = *dims;
    inputs_gather(&in, &args, (uint64_t)b->session.seed, e);
    sweep_check(&in, dims, &b->input.dim, e);
    const double start = session_clock();
    oc_session *s = oc_session_new(m, &options, e);
    p->plan_ms = 1e3 * (session_clock() - start);
    if (e->code == OC_OK)
        inputs_bind(&in, s, e);
    timing_run(&p->timing, s, b->warm, b->runs, e);
    if (e->code == OC_OK) {
        p->stats = oc_session_describe(s);
        p->batch = sweep_batch(&in, s);
    }
    if (e->code == OC_OK && (b->wants_roofline || b->wants_operators))
        observe(b, m, &in, e);
    if (e->code == OC_OK && b->trace)
        trace(b, m, &in, e);
    oc_session_free(s);
    inputs_free(&in);
}

static int bench_model(bench *b, const oc_model *m, oc_error *e)
{
    if (b->wants_roofline && b->session.threads == 0)
        b->session.threads = oc_processor_count();
    b->n = b->sizes ? b->sweep.n : 1;
    b->point = tool_alloc((size_t)b->n, sizeof *b->point);
    if (!b->sizes)
        measure(b, m, &b->input.dim, &b->point[0], e);
    for (int i = 0; b->sizes && i < b->n && e->code == OC_OK; i++) {
        b->point[i].size = b->sweep.size[i];
        args_list dims = sweep_dims(&b->sweep, m, b->sweep.size[i], &b->input.dim, e);
        measure(b, m, &dims, &b->point[i], e);
        sweep_free_dims(&dims, &b->input.dim);
    }
    if (e->code != OC_OK)
        return tool_report(e, b->json);
    report(b);
    return TOOL_OK;
}

static void enter_sandbox(bench *b, oc_error *e)
{
    sandbox box = sandbox_begin(&b->session);
    sandbox_model(&box, b->path);
    sandbox_inputs(&box, &b->input.input);
    sandbox_write(&box, b->trace);
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
        b.sweep = sweep_read(b.sizes, &e);
        enter_sandbox(&b, &e);
        const double start = session_clock();
        oc_model *m = session_open(b.path, &b.session, &e);
        b.load_ms = 1e3 * (session_clock() - start);
        code = m ? bench_model(&b, m, &e) : tool_report(&e, b.json);
        oc_model_free(m);
    }
    for (int i = 0; i < b.n; i++)
        timing_free(&b.point[i].timing);
    free(b.point);
    sweep_free(&b.sweep);
    observe_free(&b.observer);
    args_list_free(&b.session.functions);
    input_args_free(&b.input);
    return code;
}
