/* SPDX-License-Identifier: Apache-2.0
 * run.c - ocellus run: runs a model and prints, writes or compares its outputs. */
#include "base/int.h"
#include "commands/commands.h"
#include "commands/run_answer.h"
#include "common/number.h"
#include "session/observe.h"
#include "session/outputs.h"
#include "session/recorded.h"
#include "session/sandbox.h"
#include "session/save_test.h"
#include "session/print_outputs.h"

typedef struct run {
    session_args session;
    input_args input;
    output_args output;
    print_outputs_args tell;
    run_answer answer;
    outputs files;          /* targets for `output` */
    teller teller;          /* prints as `tell` asks */
    recorded_bodies bodies; /* by default a body runs only where no kernel exists */
    bool verbose, json;
    bool wants_nan;
    const char *trace, *save_test, *record; /* NULL: not given */
    recorded_words words;
    io_names external;
    int64_t repeat;
    observer observer;
    find_nan find_nan;
    timeline timeline;
    const char *path;
    tensor_options options;
    double seconds; /* time of the fastest run */
} run;

static const char *const examples[] = {
    "ocellus run model.onnx -i photo.jpg -o outputs",
    "ocellus run model.onnx -i image=photo.png -i theta=theta.npy -o warped=out.png",
    "ocellus run model.onnx --fill random --seed 1 --dim N=2 --profile",
    "ocellus run classifier.onnx -i photo.jpg --top 5 --labels names.txt",
    "ocellus run yolov8n.onnx -i photo.jpg --preset yolo --draw found.png --table found.csv",
    "ocellus run model.onnx -i photo.jpg --find-nan",
    "ocellus run model.onnx -i photo.jpg --record run.json",
    NULL,
};

static const args_command command = {
    .name = "run",
    .usage = "MODEL [-i [NAME=]FILE]... [-o [NAME=]PATH]... [options]",
    .about = "Runs MODEL, an .onnx, .onnx.gz or .onnxtxt file or - for standard input, and prints\n"
             "a line per output: name, type, shape, least, greatest, mean, count of NaN.",
    .examples = examples,
    .min = 1,
    .max = 1,
};

static args_result read_args(int argc, char **argv, run *r)
{
    const args_option options[] = {
        INPUT_ARGS(&r->input),
        OUTPUT_ARGS(&r->output),
        TELL_ARGS(&r->tell),
        RUN_ANSWER_ARGS(&r->answer),
        ARGS_SWITCH("--find-nan", &r->wants_nan,
                    "name the first node that makes NaN or Inf; exit code 1 if one does"),
        ARGS_VALUE("--save-test", ARGS_TEXT, "DIR", &r->save_test,
                   "write model, inputs and outputs as an ONNX backend test"),
        RECORD_ARG(&r->record),
        ARGS_VALUE("--expand", ARGS_TEXT, "all|OP", &r->bodies.expand,
                   "function bodies in place of kernels, everywhere or of one operator"),
        ARGS_SWITCH("--standard", &r->bodies.standard,
                    "with --expand: the standard's own text, its defects not repaired"),
        ARGS_SWITCH("--profile", &r->observer.profile, "a table of the time each node took"),
        ARGS_VALUE("--trace", ARGS_TEXT, "FILE", &r->trace,
                   "write the time of each node as trace events (JSON) for Perfetto"),
        ARGS_VALUE("--dump", ARGS_TEXT, "DIR", &r->observer.dump,
                   "write every node's outputs into a folder, numbered in order"),
        ARGS_VALUE("--repeat", ARGS_INT, "N", &r->repeat,
                   "run N times; the time told is the shortest"),
        ARGS_LETTER('v', "--verbose", ARGS_FLAG, NULL, &r->verbose,
                    "tell on standard error how the model is run"),
        FUNCTIONS_ARG(&r->session.functions),
        SESSION_ARGS(&r->session),
        {0},
    };
    const args_result result = args_read_model(argc, argv, &command, options, &r->path, &r->json);
    if (result != ARGS_GO || answer_args_list(&r->answer.args))
        return result;
    return run_answer_args_fit(&r->answer, &r->tell, command.name) &&
                   print_outputs_args_fit(&r->tell, command.name)
               ? ARGS_GO
               : ARGS_WRONG;
}

/* ---- reporting ---- */

static void print_outputs(run *r, const oc_session *s, oc_error *e)
{
    if (r->wants_nan)
        find_nan_print(&r->find_nan);
    tell_print(&r->teller, s, e);
    if (e->code != OC_OK || (!r->observer.profile && r->repeat < 2))
        return;
    const oc_session_stats d = oc_session_describe(s);
    char time[NUMBER_TEXT];
    printf("%s, %" PRId64 " nodes, at most %zu bytes of tensors\n",
           number_time(1e3 * r->seconds, time), d.steps, d.peak_bytes);
    if (r->observer.profile)
        observe_print(&r->observer);
}

static void json_outputs(json_writer *j, run *r, const inputs *in, const oc_session *s, oc_error *e)
{
    const oc_session_stats d = oc_session_describe(s);
    json_text(j, "model", r->path);
    if (r->wants_nan)
        find_nan_json(j, &r->find_nan);
    inputs_json_pictures(in, j);
    tell_json(&r->teller, j, s, e);
    json_number(j, "seconds", r->seconds);
    json_int(j, "nodes", d.steps);
    json_unsigned(j, "peak_bytes", d.peak_bytes);
    if (r->observer.profile)
        observe_json(j, &r->observer);
}

static void tell_comparison(const compare_result *c, const char *name, json_writer *j)
{
    char figures[COMPARE_FIGURES];
    if (j) {
        json_object(j, NULL);
        json_text(j, "output", name);
        json_bool(j, "agrees", c->agrees);
        compare_json(c, j);
        json_text(j, "text", c->text);
        json_close(j);
    } else if (c->agrees) {
        tool_line("%s agrees: %s", name, compare_figures(c, figures));
    } else {
        tool_line("%s differs: %s%s%s", name, c->text, c->n ? "; " : "",
                  c->n ? compare_figures(c, figures) : "");
    }
}

/* Compares all outputs. Returns whether they agree. */
static bool compare_outputs(run *r, const oc_model *m, const oc_session *s, json_writer *j,
                            oc_error *e)
{
    bool agrees = true;
    for (int i = 0; i < oc_model_n_outputs(m); i++) {
        oc_value *want = outputs_expected(&r->files, i, e);
        const oc_value *got = oc_fetch_value_at(s, i, e);
        if (!want || !got) {
            oc_value_free(want);
            return false;
        }
        const compare_result c = compare_values(got, want, &r->output.bound);
        const char *name = oc_model_output(m, i).name;
        agrees = agrees && c.agrees;
        if (c.cancelled) {
            tool_fail(e, OC_CANCELLED, "output '%s' and its expected value: cancelled", name);
            oc_value_free(want);
            return false;
        }
        tell_comparison(&c, name, j);
        oc_value_free(want);
    }
    return agrees;
}

static int report(run *r, const oc_model *m, const inputs *in, const oc_session *s, oc_error *e)
{
    bool agrees = true;
    observe_sort(&r->observer);
    if (r->json) {
        json_writer j = json_begin(stdout);
        json_object(&j, NULL);
        json_outputs(&j, r, in, s, e);
        if (r->output.expect && e->code == OC_OK) {
            json_array(&j, "expected");
            agrees = compare_outputs(r, m, s, &j, e);
            json_close(&j);
            json_bool(&j, "agrees", agrees);
        }
        run_answer_tell(&r->answer, in, s, &j, e);
        if (e->code != OC_OK)
            json_text(&j, "error", e->text);
        json_close(&j);
        json_end(&j);
    } else {
        print_outputs(r, s, e);
        if (r->output.expect && e->code == OC_OK)
            agrees = compare_outputs(r, m, s, NULL, e);
        run_answer_tell(&r->answer, in, s, NULL, e);
    }
    if (e->code != OC_OK)
        return tool_report(e, false);
    return agrees ? TOOL_OK : TOOL_DIFFERS;
}

/* ---- running ---- */

static void run_session(run *r, const inputs *in, oc_session *s, oc_error *e)
{
    inputs_bind(in, s, e);
    for (int64_t i = 0; i < oc_max(r->repeat, 1) && e->code == OC_OK; i++) {
        const double start = session_clock();
        oc_run(s, e);
        const double seconds = session_clock() - start;
        r->seconds = i == 0 || seconds < r->seconds ? seconds : r->seconds;
    }
    if (r->observer.error.code != OC_OK)
        *e = r->observer.error; /* the error that cancelled the run */
    else if (r->find_nan.found)
        *e = (oc_error){0}; /* it has been reported already */
}

static void log_line(OC_UNUSED void *ctx, const char *line)
{
    tool_say("%s", line);
}

/* Prepares what is asked for besides running. Fails before the run when it cannot be done. */
static void prepare(run *r, const oc_model *m, oc_session_options *options, oc_error *e)
{
    session_set_bodies(&options->bodies, r->bodies.expand, r->bodies.standard, e);
    options->observer.log = r->verbose ? log_line : NULL;
    if (r->trace) {
        timeline_open(&r->timeline, r->trace, r->path, e);
        r->observer.trace = &r->timeline;
    }
    r->find_nan = (find_nan){.model = r->path, .json = r->json};
    r->observer.find = r->wants_nan ? &r->find_nan : NULL;
    observe_attach(&r->observer, options);
    r->files = outputs_new(&r->output, m, &r->options, e);
    r->teller = tell_new(&r->tell, m, r->options.cap, e);
    if (r->observer.dump)
        io_make_dir(r->observer.dump, e);
}

/* Writes and prints what the run gave. */
static int report_run(run *r, const oc_model *m, const inputs *in, const oc_session *s, oc_error *e)
{
    const bool found = r->find_nan.found;
    if (e->code == OC_OK && !found)
        tell_check(&r->teller, s, e);
    timeline_close(&r->timeline, e);
    if (e->code == OC_OK && found)
        return TOOL_DIFFERS;
    outputs_write(&r->files, s, e);
    if (r->save_test)
        save_test_write(r->save_test, m, in, s, e);
    if (r->record)
        recorded_write(r->record,
                       &(recorded_run){.words = r->words,
                                       .model_path = r->path,
                                       .model = m,
                                       .session = &r->session,
                                       .bodies = r->bodies,
                                       .in = in,
                                       .ran = s},
                       e);
    return e->code == OC_OK ? report(r, m, in, s, e) : tool_report(e, r->json && !found);
}

static int run_model(run *r, const oc_model *m, oc_error *e)
{
    oc_session_options options = session_args_options(&r->session);
    prepare(r, m, &options, e);
    oc_session *s = oc_session_new(m, &options, e);
    inputs in = inputs_new(m, &r->options);
    in.keeps_seen = r->answer.args.draw != NULL;
    inputs_gather(&in, &r->input, (uint64_t)r->session.seed, e);
    run_answer_prepare(&r->answer, r->path, &in, &r->input, &r->session, r->json, e);
    if (e->code == OC_OK)
        run_session(r, &in, s, e);
    const int code = report_run(r, m, &in, s, e);
    run_answer_free(&r->answer, e);
    oc_session_free(s);
    inputs_free(&in);
    outputs_free(&r->files);
    tell_free(&r->teller);
    find_nan_free(&r->find_nan);
    return code;
}

static void enter_sandbox(run *r, oc_error *e)
{
    sandbox box = sandbox_begin(&r->session);
    sandbox_model(&box, r->path);
    sandbox_inputs(&box, &r->input.input);
    sandbox_read(&box, r->output.expect);
    sandbox_outputs(&box, &r->output.output, e);
    answer_args_sandbox(&r->answer.args, &box);
    sandbox_write(&box, r->answer.args.draw);
    sandbox_write(&box, r->trace);
    sandbox_write(&box, r->record);
    sandbox_folder(&box, r->observer.dump, e);
    char *data = r->save_test ? save_test_data_dir(r->save_test) : NULL;
    sandbox_folder(&box, data, e);
    sandbox_folder(&box, r->save_test, e);
    free(data);
    sandbox_enter(&box, (run_answer_wanted(&r->answer) ? 4.0 : 2.0) + (double)oc_max(r->repeat, 1),
                  e);
}

int cmd_run(int argc, char **argv)
{
    run r = {.output.bound = {.rtol = COMPARE_RTOL, .atol = COMPARE_ATOL},
             .tell = TELL_NOTHING,
             .words = {argc, (const char *const *)argv},
             .answer = {.args = ANSWER_ARGS_NOTHING}};
    oc_error e = {0};
    int code = TOOL_OK;
    const args_result result = read_args(argc, argv, &r);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO && answer_args_list(&r.answer.args)) {
        answer_args_print_list(r.json);
    } else if (result == ARGS_GO) {
        r.options = input_args_options(&r.input, &e);
        r.observer.options = r.options;
        r.observer.options.quiet = true;
        save_test_check("--save-test", r.save_test, &e);
        recorded_check(r.record, r.path, &e);
        r.session.external = r.record ? &r.external : NULL;
        outputs_check(&r.output, &e);
        enter_sandbox(&r, &e);
        oc_model *m = session_open(r.path, &r.session, &e);
        code = m ? run_model(&r, m, &e) : tool_report(&e, r.json);
        oc_model_free(m);
    }
    observe_free(&r.observer);
    io_names_free(&r.external);
    args_list_free(&r.session.functions);
    input_args_free(&r.input);
    output_args_free(&r.output);
    return code;
}
