/* SPDX-License-Identifier: Apache-2.0
 * check.c - ocellus check: compares kernels with function bodies, or ways of running a model. */
#include "model_check/model.h"
#include "check/found.h"
#include "check/library.h"
#include "check/operator.h"
#include "check/own.h"
#include "commands/commands.h"
#include "session/sandbox.h"

static bool is_model_path(const char *text)
{
    if (strstr(text, "::"))
        return false;
    return strcmp(text, "-") == 0 || io_exists(text) || strchr(text, '.') || strchr(text, '/');
}

/* Is an option given that is about the inputs of a model or the tolerances for its values? */
static bool is_about_model(const input_args *in, const compare_bound *bound)
{
    return in->input.n || in->dim.n || in->fill || in->cast || in->cap ||
           image_args_given(&in->image) || bound->rtol >= 0 || bound->atol >= 0;
}

/* Fails when options do not fit a model. */
static void check_model_arguments(const char *model, const check_options *o, oc_error *e)
{
    if (o->in_double || o->body || o->only || o->export || o->markdown || o->inputs.n ||
        o->sample || o->search > 0 || o->steps)
        tool_fail(e, OC_ARGUMENT,
                  "check: '%s' is a model; --body, --case, --inputs, --export, --markdown, "
                  "--in-double, --sample, --search and --steps go with operators",
                  model);
    if (o->verbose && !o->engine)
        tool_fail(e, OC_ARGUMENT, "check: --verbose goes with operators, or with --engine");
    if (o->engine && (o->axis.n || o->against || o->keep || o->standard))
        tool_fail(e, OC_ARGUMENT,
                  "check: --engine does not go with --axis, --against, --keep and --standard");
}

/* Fails when options do not fit each other: options for a model when operators are checked, for
 * operators when a model is, or for one operator when there are several. */
static void check_arguments(const args_list *what, bool is_model, const input_args *input,
                            const compare_bound *bound, const check_options *o, oc_error *e)
{
    const bool one = what->n == 1 && !o->all;
    if (o->all == (what->n > 0))
        tool_fail(e, OC_ARGUMENT, "check: expected operators, a model, or --all");
    if (o->against && !o->body && !is_model)
        tool_fail(e, OC_ARGUMENT, "check: --against goes with --body, or with a model");
    if (o->json + o->markdown + (o->html && strcmp(o->html, "-") == 0) > 1)
        tool_fail(e, OC_ARGUMENT, "check: expected one of --json, --markdown and --html -");
    if ((o->attributes.n || o->opset) && !o->inputs.n)
        tool_fail(e, OC_ARGUMENT, "check: --attributes and --opset go with --inputs");
    if ((o->body || o->only || o->inputs.n) && !one)
        tool_fail(e, OC_ARGUMENT, "check: %s goes with one operator",
                  o->body   ? "--body"
                  : o->only ? "--case"
                            : "--inputs");
    if (o->export && o->session.sandbox)
        tool_fail(e, OC_ARGUMENT, "check: --export makes folders, which --sandbox does not allow");
    if (o->export_bad && !o->export)
        tool_fail(e, OC_ARGUMENT, "check: --export-bad goes with --export");
    if (o->engine && (o->body || o->html || o->markdown || o->export || o->session.sandbox))
        tool_fail(e, OC_ARGUMENT,
                  "check: --engine does not go with --body, --html, --markdown, --export and "
                  "--sandbox");
    if (o->engine_seconds > 0 && !o->engine)
        tool_fail(e, OC_ARGUMENT, "check: --engine-seconds goes with --engine");
    if (o->in_double && o->markdown)
        tool_fail(e, OC_ARGUMENT,
                  "check: --in-double does not go with --markdown, which names no case");
    if (o->sample && o->only)
        tool_fail(e, OC_ARGUMENT, "check: --sample does not go with --case");
    const bool searches = o->search > 0 || o->steps;
    if (o->output && !(searches && one))
        tool_fail(e, OC_ARGUMENT, "check: -o goes with --search or --steps, of one operator");
    if (o->output && !check_is_file(o->output))
        tool_fail(e, OC_ARGUMENT, "check: -o %s: expected a name that ends with .onnxtxt",
                  o->output);
    if (searches && (o->only || o->engine || o->export || o->html))
        tool_fail(e, OC_ARGUMENT,
                  "check: --search does not go with --case, --engine, --export and --html");
    if (!is_model && (o->axis.n || o->keep))
        tool_fail(e, OC_ARGUMENT, "check: --axis and --keep go with a model");
    if (!is_model && o->standard && !searches && !check_is_file(o->only))
        tool_fail(e, OC_ARGUMENT,
                  "check: --standard goes with a model, a search or the file of a case");
    if (!is_model && o->session.functions.n)
        tool_fail(e, OC_ARGUMENT,
                  "check: --functions goes with a model; of one operator --body gives a body");
    if (!is_model && is_about_model(input, bound))
        tool_fail(e, OC_ARGUMENT,
                  "check: -i, --fill and what goes with them, --rtol and --atol go with a model");
    if (is_model)
        check_model_arguments(what->item[0], o, e);
}

/* Appends the family of the operator text to the *n families. */
static void find_family(check_library *l, const char *text, const check_family **family, int *n,
                        oc_error *e)
{
    const check_family *found = check_library_find(l, text, e);
    char hint[NEAREST_TEXT];
    if (!found && is_model_path(text))
        tool_fail(e, OC_ARGUMENT, "check: '%s' is a model, which is checked by itself", text);
    else if (!found)
        tool_fail(e, OC_UNSUPPORTED,
                  "check: there are no cases for an operator '%s'; --all shows for which there "
                  "are, --inputs 'float[2,3]; float[3]' makes some%s",
                  text, session_near_op(text, hint));
    else
        family[(*n)++] = found;
}

static int check_operators(check_library *l, const args_list *what, const check_options *o,
                           oc_error *e)
{
    int n = 0;
    while (check_library_op(l, n))
        n++;
    const check_family **family = tool_alloc((size_t)what->n + (size_t)n, sizeof *family);
    const char *op;
    n = 0;
    for (int i = 0; o->all && (op = check_library_op(l, i)); i++)
        find_family(l, op, family, &n, e);
    for (int i = 0; i < what->n; i++)
        find_family(l, what->item[i], family, &n, e);
    if (e->code == OC_OK && n == 0)
        tool_fail(e, OC_UNSUPPORTED, "check: no operator of this build has a kernel and a body");
    const int code = e->code == OC_OK ? check_run_operators(family, n, o) : tool_report(e, o->json);
    free(family);
    return code;
}

/* Checks op on the cases that --inputs makes. Returns the exit code. */
static int check_own_cases(const char *op, const check_options *o, oc_error *e)
{
    check_own own;
    check_own_new(op, o, &own, e);
    const check_family *family = &own.family;
    const int code =
        e->code == OC_OK ? check_run_operators(&family, 1, o) : tool_report(e, o->json);
    check_own_free(&own);
    return code;
}

static int check_all(const args_list *what, const input_args *input, const compare_bound *bound,
                     const check_options *o)
{
    oc_error e = {0};
    check_library *l = check_library_new();
    const bool is_model = what->n == 1 && !o->all && !check_library_has(l, what->item[0]) &&
                          is_model_path(what->item[0]);
    check_arguments(what, is_model, input, bound, o, &e);
    const int code = e.code != OC_OK ? tool_report(&e, o->json)
                     : is_model      ? check_run_model(what->item[0], input, bound, o)
                     : o->inputs.n   ? check_own_cases(what->item[0], o, &e)
                                     : check_operators(l, what, o, &e);
    check_library_free(l);
    return code;
}

static const char *const examples[] = {
    "ocellus check AffineGrid",
    "ocellus check --all --html differences.html",
    "ocellus check Softmax Celu --seed 7 --verbose",
    "ocellus check Softmax --search 60 -o worst.onnxtxt",
    "ocellus check Softmax --export tests",
    "ocellus check Softmax --engine 'node onnxruntime.js {dir}'",
    "ocellus check Softmax --body mine.onnxtxt",
    "ocellus check com.me::Twist --body a.onnxtxt --against b.onnxtxt --inputs 'float[2,3]'",
    "ocellus check model.onnx --fill random --dim N=2",
    "ocellus check model.onnx -i photo.jpg --axis isa --axis threads",
    "ocellus check model.onnx -i photo.jpg --against optimized.onnx --html page.html",
    "ocellus check model.onnx -i photo.jpg --engine 'node onnxruntime.js {dir}'",
    NULL,
};

static const args_command command = {
    .name = "check",
    .usage = "OP...|--all|MODEL [options]",
    .about = "For operators: runs kernel, repaired body and the standard's own body on made-up\n"
             "inputs, which --seed changes, and compares. Known defects of the standard's text\n"
             "are named; what else differs is listed with the command that runs it again, and\n"
             "ends in exit code 1.\n"
             "For a model: runs it with kernels, then with the body of one operator after\n"
             "another on the same inputs, compares what every node gives and names the first\n"
             "that differs; --axis compares other ways of running it, --against another model,\n"
             "--engine every inner value with that of another engine.",
    .examples = examples,
    .min = 0,
    .max = -1,
};

static void enter_sandbox(check_options *o, const args_list *what, const input_args *input,
                          oc_error *e)
{
    sandbox box = sandbox_begin(&o->session);
    for (int i = 0; i < what->n; i++)
        if (io_exists(what->item[i]))
            sandbox_model(&box, what->item[i]);
    sandbox_inputs(&box, &input->input);
    sandbox_read(&box, o->body);
    if (o->body)
        sandbox_read(&box, o->against);
    else
        sandbox_model(&box, o->against);
    sandbox_write(&box, o->html);
    sandbox_write(&box, o->output);
    if (check_is_file(o->only))
        sandbox_read(&box, o->only);
    sandbox_enter(&box, 0, e);
}

int cmd_check(int argc, char **argv)
{
    check_options o = {0};
    input_args input = {0};
    oc_error e = {0};
    compare_bound bound = {.rtol = CHECK_DEFAULT, .atol = CHECK_DEFAULT};
    const args_option options[] = {
        INPUT_ARGS(&input),       CHECK_MODEL_ARGS(&o, &bound),
        CHECK_OPERATOR_ARGS(&o),  FUNCTIONS_ARG(&o.session.functions),
        SESSION_ARGS(&o.session), {0},
    };
    args_list positional;
    const args_result result = args_read(argc, argv, &command, options, &positional, &o.json);
    int code = result == ARGS_WRONG ? TOOL_USAGE : TOOL_OK;
    if (result == ARGS_GO) {
        enter_sandbox(&o, &positional, &input, &e);
        code =
            e.code == OC_OK ? check_all(&positional, &input, &bound, &o) : tool_report(&e, o.json);
    }
    args_list_free(&o.session.functions);
    args_list_free(&o.inputs);
    args_list_free(&o.attributes);
    input_args_free(&input);
    args_list_free(&o.axis);
    args_list_free(&positional);
    return code;
}
