/* SPDX-License-Identifier: Apache-2.0
 * cmd_check.c - ocellus check: native kernels against ONNX's function bodies. */
#include "check_cases.h"
#include "commands.h"

#include <string.h>

static const check_family *find_family(const char *op)
{
    for (const check_family *f = check_families; f->op; f++)
        if (strcmp(f->op, op) == 0)
            return f;
    return NULL;
}

static bool is_model_path(const char *text)
{
    return strcmp(text, "-") == 0 || io_exists(text) || strchr(text, '.') || strchr(text, '/');
}

static int run_argument(const char *text, const input_args *input, const compare_bound *bound,
                        const check_options *o)
{
    oc_error e = {0};
    const check_family *family = find_family(text);
    if (family)
        return check_run_family(family, o);
    if (is_model_path(text))
        return check_run_model(text, input, bound, o);
    tool_fail(&e, OC_UNSUPPORTED, "check: there are no cases for '%s'; --all shows for which",
              text);
    return tool_report(&e, o->json);
}

static const char *const examples[] = {
    "ocellus check AffineGrid",
    "ocellus check --all",
    "ocellus check model.onnx --fill random --dim N=2",
    NULL,
};

int cmd_check(int argc, char **argv)
{
    static const args_command command = {
        .name = "check",
        .usage = "OP|MODEL|--all [options]",
        .about =
            "For an operator: runs its kernel, its repaired body and the standard's own body on\n"
            "many inputs and compares. Known defects of the standard's text are named; what else\n"
            "differs ends in exit code 1. For a model: runs it natively and with all bodies\n"
            "expanded on the same inputs, and names the first node that differs.",
        .examples = examples,
        .min = 0,
        .max = 1,
    };
    bool all = false;
    check_options o = {0};
    input_args input = {0};
    compare_bound bound = {1e-5, 1e-6};
    const args_option options[] = {
        INPUT_ARGS(&input, &o.session),
        {.name = "--rtol",
         .kind = ARGS_NUMBER,
         .value = "X",
         .out = &bound.rtol,
         .help = "of a model: relative tolerance; 1e-5"},
        {.name = "--atol",
         .kind = ARGS_NUMBER,
         .value = "X",
         .out = &bound.atol,
         .help = "of a model: absolute tolerance; 1e-6"},
        {.name = "--all",
         .kind = ARGS_FLAG,
         .out = &all,
         .help = "every operator that has cases, a line each"},
        {.name = "--verbose",
         .letter = 'v',
         .kind = ARGS_FLAG,
         .out = &o.verbose,
         .help = "of an operator: a line for every case"},
        SESSION_ARGS(&o.session),
        {0},
    };
    args_list positional;
    int code = TOOL_OK;
    const args_result result = args_read(argc, argv, &command, options, &positional, &o.json);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO && all == (positional.n > 0)) {
        oc_error e = {0};
        tool_fail(&e, OC_ARGUMENT, "check: expected an operator, a model or --all");
        code = tool_report(&e, o.json);
    } else if (result == ARGS_GO) {
        code = all ? check_run_all(&o) : run_argument(positional.item[0], &input, &bound, &o);
    }
    input_args_free(&input);
    args_list_free(&positional);
    return code;
}
