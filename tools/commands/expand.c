/* SPDX-License-Identifier: Apache-2.0
 * expand.c - ocellus expand: replaces calls of functions by their bodies. */
#include "commands/commands.h"
#include "files/model_file.h"
#include "session/sandbox.h"

#include <ocellus_model.h>

typedef struct expand {
    session_args session;
    const char *in, *out;
    const char *only; /* the only operator of ONNX whose calls are replaced; NULL: all are */
    bool standard, local, json;
} expand;

static const args_command command = {
    .name = "expand",
    .usage = "MODEL -o OUT [options]",
    .about = "Writes MODEL with calls of functions replaced by their bodies: of the model's own\n"
             "functions, and of ONNX's operators that have one.",
    .min = 1,
    .max = 1,
};

static args_result read_args(int argc, char **argv, expand *x)
{
    const args_option options[] = {
        ARGS_LETTER('o', "--output", ARGS_TEXT, "OUT", &x->out,
                    ".onnx, .onnx.gz, .onnxtxt, or - for text"),
        ARGS_VALUE("--only", ARGS_TEXT, "OP", &x->only, "of ONNX's operators, only this one"),
        ARGS_SWITCH("--local", &x->local, "only functions of the model itself"),
        ARGS_SWITCH("--standard", &x->standard,
                    "the standard's own text, its defects not repaired"),
        FUNCTIONS_ARG(&x->session.functions),
        SESSION_LOAD_ARGS(&x->session),
        {0},
    };
    return args_read_model(argc, argv, &command, options, &x->in, &x->json);
}

static void check_arguments(const expand *x, oc_error *e)
{
    if (!x->out)
        tool_fail(e, OC_ARGUMENT, "expand: -o OUT is missing");
    else
        model_check_path(x->out, e);
    if (x->local && (x->only || x->standard))
        tool_fail(e, OC_ARGUMENT, "expand: --local leaves ONNX's operators alone, expected no %s",
                  x->only ? "--only" : "--standard");
    if (x->only)
        session_has_body(x->only, e);
}

static int expand_model(expand *x)
{
    oc_error e = {0};
    const oc_body_policy policy = x->local      ? OC_BODY_NATIVE
                                  : x->standard ? OC_BODY_STANDARD
                                                : OC_BODY_EXPAND;
    sandbox box = sandbox_begin(&x->session);
    check_arguments(x, &e);
    sandbox_model(&box, x->in);
    sandbox_write(&box, x->out);
    sandbox_enter(&box, 0, &e);
    oc_model *m = session_open(x->in, &x->session, &e);
    oc_model *expanded = oc_model_expand(m, policy, x->only, &e);
    if (expanded)
        model_write(expanded, x->out, &e);
    const int code = model_written(m, expanded, x->in, x->out, x->json, &e);
    oc_model_free(expanded);
    oc_model_free(m);
    return code;
}

int cmd_expand(int argc, char **argv)
{
    expand x = {.out = NULL};
    const args_result result = read_args(argc, argv, &x);
    const int code = result == ARGS_GO      ? expand_model(&x)
                     : result == ARGS_WRONG ? TOOL_USAGE
                                            : TOOL_OK;
    args_list_free(&x.session.functions);
    return code;
}
