/* SPDX-License-Identifier: Apache-2.0
 * inspect.c - ocellus inspect: shows what is in a model. */
#include "commands/commands.h"
#include "commands/overview.h"
#include "inspect/build_line.h"
#include "inspect/page.h"
#include "session/inputs.h"
#include "session/sandbox.h"

/* The views that print, in the order of their options. */
enum { NODES, PLAN, SHAPES, WEIGHTS, MACS, METADATA, DOT, N_VIEWS };

typedef struct inspect {
    session_args session;
    input_args input;
    args_list models;
    const char *path, *html; /* path is that of the first model */
    bool view[N_VIEWS];
    bool passes;
    bool build, json;
    bool told; /* true: a JSON document has been written */
} inspect;

static const char *const examples[] = {
    "ocellus inspect model.onnx",
    "ocellus inspect model.onnx --macs --dim batch=1",
    "ocellus inspect model.onnx --html graph.html -i photo.jpg",
    "ocellus inspect model.onnx --dot | dot -Tsvg -o graph.svg",
    "ocellus inspect detector.onnx classifier.onnx --build",
    NULL,
};

static const args_command command = {
    .name = "inspect",
    .usage = "MODEL [options]",
    .about =
        "Tells what MODEL takes and gives, its opsets, and how each of its operators would\n"
        "run: by a native kernel, by a function body, by a function of the model itself, or\n"
        "not at all; then what else would keep it from running, and what it declares wrongly.\n"
        "The exit code is 4 if an operator is not supported, and 3 if there is a problem.\n"
        "With one of the first options it tells that instead, and the exit code is 0.",
    .examples = examples,
    .min = 1,
    .max = -1,
};

static args_result read_args(int argc, char **argv, inspect *x)
{
    const args_option options[] = {
        ARGS_SWITCH("--nodes", &x->view[NODES],
                    "every node: operator, name, inputs, outputs, attributes"),
        ARGS_SWITCH(
            "--plan", &x->view[PLAN],
            "the steps that a session runs: nodes, which are fused, conversions of layouts"),
        ARGS_SWITCH("--passes", &x->passes,
                    "with --plan: what each pass that makes the plan does to the steps"),
        ARGS_SWITCH("--shapes", &x->view[SHAPES],
                    "type and shape of every value, as far as they are known without inputs"),
        ARGS_SWITCH(
            "--weights", &x->view[WEIGHTS],
            "every weight: bytes, name, type, shape, whether in another file or a Constant"),
        ARGS_SWITCH("--macs", &x->view[MACS],
                    "multiply-accumulates of products and convolutions, by node and in all"),
        ARGS_SWITCH("--metadata", &x->view[METADATA], "the model's own keys and values"),
        ARGS_SWITCH("--dot", &x->view[DOT], "the graph for dot, of Graphviz"),
        ARGS_VALUE(
            "--html", ARGS_TEXT, "FILE", &x->html,
            "write a page with the graph as a picture; -i or --fill: and the values of a run"),
        ARGS_SWITCH("--build", &x->build,
                    "the line that builds a library with the operators of these MODELs alone"),
        INPUT_ARGS(&x->input),
        ARGS_VALUE("--seed", ARGS_INT, "N", &x->session.seed,
                   "of --fill and of random operators; equal seeds give equal bits"),
        FUNCTIONS_ARG(&x->session.functions),
        SESSION_LOAD_ARGS(&x->session),
        {0},
    };
    const args_result result = args_read(argc, argv, &command, options, &x->models, &x->json);
    x->path = x->models.n ? x->models.item[0] : NULL;
    return result;
}

/* Returns the view that is asked for; -1: none is. */
static int chosen_view(const inspect *x, oc_error *e)
{
    int n = (x->html != NULL) + x->build, chosen = -1;
    for (int i = 0; i < N_VIEWS; i++)
        if (x->view[i]) {
            n++;
            chosen = i;
        }
    if (n > 1)
        tool_fail(
            e, OC_ARGUMENT,
            "inspect: expected one of --nodes, --plan, --shapes, --weights, --macs, --metadata, "
            "--dot, --html and --build");
    if (x->models.n > 1 && !x->build)
        tool_fail(e, OC_ARGUMENT, "inspect: %d models, and only --build takes more than one",
                  x->models.n);
    if (x->json && (chosen == DOT || x->html))
        tool_fail(e, OC_ARGUMENT, "inspect: --dot and --html do not go with --json");
    if ((x->input.input.n || x->input.fill) && !x->html)
        tool_fail(e, OC_ARGUMENT, "inspect: -i and --fill go with --html");
    if (x->passes && chosen != PLAN)
        tool_fail(e, OC_ARGUMENT, "inspect: --passes goes with --plan");
    if (x->input.dim.n && (chosen == PLAN || (chosen < 0 && !x->html)))
        tool_fail(e, OC_ARGUMENT, "inspect: --dim goes with --shapes, --macs, --dot and --html");
    return chosen;
}

/* ---- views ---- */

static void print_view(inspect *x, int chosen, view *v, oc_error *e)
{
    static void (*const views[N_VIEWS])(const view *v, oc_error *e) = {
        [NODES] = view_nodes,     [PLAN] = view_plan,         [SHAPES] = view_shapes,
        [WEIGHTS] = view_weights, [METADATA] = view_metadata, [MACS] = view_macs,
        [DOT] = view_dot,
    };
    void (*const print)(const view *v, oc_error *e) = x->passes ? view_passes : views[chosen];
    if (!x->json) {
        print(v, e);
        return;
    }
    json_writer j = json_begin(stdout);
    v->j = &j;
    x->told = true;
    json_object(&j, NULL);
    json_text(&j, "model", x->path);
    print(v, e);
    if (e->code != OC_OK)
        json_text(&j, "error", e->text);
    json_close(&j);
    json_end(&j);
}

/* Runs the model and adds the values of the run to the page. */
static void run_model(const inspect *x, const inputs *in, page *p, oc_error *e)
{
    page_observer observer = {.page = p};
    oc_session_options options = session_args_options(&x->session);
    page_observe(&observer, &options);
    oc_session *s = oc_session_new(in->model, &options, e);
    for (int i = 0; i < in->n && e->code == OC_OK; i++)
        if (in->value[i])
            page_add_value(&p->values, oc_model_input(in->model, i).name, in->value[i], e);
    inputs_bind(in, s, e);
    oc_run(s, e);
    if (observer.error.code != OC_OK)
        *e = observer.error; /* the error that cancelled the run */
    oc_session_free(s);
}

static void write_page(const inspect *x, const inputs *in, const view *v, oc_error *e)
{
    char *decoder = overview_decoder(v->model, x->path);
    page p = {.view = *v, .path = x->path, .decoder = decoder};
    findings f = {0};
    weight_list w = weight_list_of(v->model, e);
    findings_of(v->model, &f, e);
    const char **told = tool_alloc((size_t)f.n, sizeof *told);
    for (int i = 0; i < f.n; i++) /* problems first */
        told[f.item[i].code != OC_OK ? p.n_problem++ : f.n_problems + p.n_remark++] =
            f.item[i].text;
    p.problem = told;
    p.weights = &w;
    if ((x->input.input.n || x->input.fill) && e->code == OC_OK)
        run_model(x, in, &p, e);
    page_write(&p, x->html, e);
    io_bytes_free(&p.values);
    free(decoder);
    free(told);
    findings_free(&f);
    weight_list_free(&w);
}

/* Returns how many initializers have elements that cannot be read; the model has them as inputs. */
static int count_lost(const oc_model *m)
{
    oc_weight w;
    int n = 0;
    while (oc_model_weight_at(m, n, &w))
        n++;
    return n - oc_model_describe(m).n_initializers;
}

static void show(inspect *x, int chosen, const oc_model *m, oc_error *e)
{
    const int lost = count_lost(m);
    const bool runs = x->input.input.n || x->input.fill;
    if (lost && runs) {
        tool_fail(e, OC_IO,
                  "%s: -i and --fill run the model, and the elements of %d of its "
                  "initializers cannot be read",
                  x->path, lost);
        return;
    }
    if (lost)
        tool_say("%s: the elements of %d initializer%s cannot be read", x->path, lost,
                 lost == 1 ? "" : "s");
    const tensor_options options = input_args_options(&x->input, e);
    inputs in = inputs_new(m, &options);
    oc_port *ports = tool_alloc((size_t)in.n, sizeof *ports);
    if (runs)
        inputs_gather(&in, &x->input, (uint64_t)x->session.seed, e);
    inputs_ports(&in, &x->input, ports, e);
    const oc_session_options session = session_args_options(&x->session);
    view v = {.model = m, .inputs = ports, .options = &session};
    if (e->code == OC_OK && x->html)
        write_page(x, &in, &v, e);
    else if (e->code == OC_OK)
        print_view(x, chosen, &v, e);
    free(ports);
    inputs_free(&in);
}

static int print_overview(const inspect *x, const oc_model *m, oc_error *e)
{
    findings f = {0};
    weight_list w = weight_list_of(m, e);
    int code = TOOL_OK;
    findings_of(m, &f, e);
    if (e->code == OC_OK && x->json) {
        json_writer j = json_begin(stdout);
        json_object(&j, NULL);
        overview_json(&j, m, x->path, &w, &f);
        json_close(&j);
        json_end(&j);
    } else if (e->code == OC_OK) {
        overview_print(m, x->path, &w, &f);
    }
    if (e->code == OC_OK)
        code = overview_verdict(m, x->path, &f);
    findings_free(&f);
    weight_list_free(&w);
    return code;
}

static int print_build(inspect *x, oc_error *e)
{
    build_line b = {0};
    functions_seen seen = {.n = 0};
    for (int i = 0; i < x->models.n && e->code == OC_OK; i++) {
        oc_model *m = session_open_next(x->models.item[i], &x->session, &seen, e);
        build_line_add(&b, m, x->models.item[i], e);
        oc_model_free(m);
    }
    functions_print(&seen, x->models.n > 1 ? "all models" : x->path);
    if (e->code == OC_OK && x->json) {
        json_writer j = json_begin(stdout);
        json_object(&j, NULL);
        build_line_print(&b, &j);
        json_close(&j);
        json_end(&j);
    } else if (e->code == OC_OK) {
        build_line_print(&b, NULL);
    }
    const int code = e->code != OC_OK ? tool_report(e, x->json)
                     : b.n_missing    ? TOOL_UNSUPPORTED
                                      : TOOL_OK;
    build_line_free(&b);
    return code;
}

static int inspect_model(inspect *x)
{
    oc_error e = {0};
    const int chosen = chosen_view(x, &e);
    sandbox box = sandbox_begin(&x->session);
    for (int i = 0; i < x->models.n; i++)
        sandbox_model(&box, x->models.item[i]);
    sandbox_inputs(&box, &x->input.input);
    sandbox_write(&box, x->html);
    sandbox_enter(&box, 4, &e);
    if (x->build && e.code == OC_OK)
        return print_build(x, &e);
    oc_model *m = e.code == OC_OK ? session_open(x->path, &x->session, &e) : NULL;
    int code = TOOL_OK;
    if (m && (chosen >= 0 || x->html))
        show(x, chosen, m, &e);
    else if (m)
        code = print_overview(x, m, &e);
    if (e.code != OC_OK)
        code = tool_report(&e, x->json && !x->told);
    oc_model_free(m);
    return code;
}

int cmd_inspect(int argc, char **argv)
{
    inspect x = {.session.without_weights = true};
    const args_result result = read_args(argc, argv, &x);
    const int code = result == ARGS_GO      ? inspect_model(&x)
                     : result == ARGS_WRONG ? TOOL_USAGE
                                            : TOOL_OK;
    args_list_free(&x.session.functions);
    input_args_free(&x.input);
    args_list_free(&x.models);
    return code;
}
