/* SPDX-License-Identifier: Apache-2.0
 * reduce.c - ocellus reduce: finds the smallest part of a model that still shows an error, a
 * difference between kernels and bodies, or what a command finds. */
#include "commands/commands.h"
#include "common/system.h"
#include "files/model_file.h"
#include "reduce/shrink.h"

typedef struct reduce {
    session_args session;
    input_args input;
    shows looked;
    const char *in, *out;
    int64_t most;
    bool json;
} reduce;

static const char *const examples[] = {
    "ocellus reduce model.onnx --fill random --error 'expected [2,3]' -o small.onnx",
    "ocellus reduce model.onnx -i photo.jpg --disagrees -o small.onnx",
    "ocellus reduce model.onnx --command 'sh shows.sh {model}' -o small.onnx",
    NULL,
};

static const args_command command = {
    .name = "reduce",
    .usage = "MODEL --error TEXT|--disagrees|--command CMD -o OUT [options]",
    .about = "Looks for the smallest part of MODEL that still shows what is asked for, and writes\n"
             "it: nodes at the end go, then those at the beginning, whose values are replaced\n"
             "by what a run of MODEL gave for them.",
    .examples = examples,
    .min = 1,
    .max = 1,
};

static args_result read_args(int argc, char **argv, reduce *r)
{
    const args_option options[] = {
        ARGS_VALUE("--error", ARGS_TEXT, "TEXT", &r->looked.error,
                   "the run ends with an error whose text contains TEXT"),
        ARGS_SWITCH("--disagrees", &r->looked.disagrees,
                    "kernels and function bodies give other outputs"),
        ARGS_VALUE("--command", ARGS_TEXT, "CMD", &r->looked.command,
                   "a command of the shell ends with --code; {model} is the file of the part"),
        ARGS_VALUE("--code", ARGS_INT, "N", &r->looked.code,
                   "of --command: the exit code that means that the part shows it; 1"),
        ARGS_VALUE("--tries", ARGS_INT, "N", &r->most, "most parts that are looked at; 1000"),
        ARGS_LETTER('o', "--output", ARGS_TEXT, "OUT", &r->out, ".onnx, .onnx.gz or .onnxtxt"),
        INPUT_ARGS(&r->input),
        SESSION_ARGS(&r->session),
        {0},
    };
    return args_read_model(argc, argv, &command, options, &r->in, &r->json);
}

static void check_arguments(const reduce *r, oc_error *e)
{
    const shows *s = &r->looked;
    if (!!s->error + s->disagrees + !!s->command != 1)
        tool_fail(e, OC_ARGUMENT, "reduce: expected one of --error, --disagrees and --command");
    if (s->command && !strstr(s->command, "{model}"))
        tool_fail(e, OC_ARGUMENT, "reduce: --command has no {model}, which stands for the file");
    if (r->most == 0)
        tool_fail(e, OC_ARGUMENT, "reduce: --tries is 0, expected at least 1");
    if (r->session.sandbox)
        tool_fail(e, OC_ARGUMENT, "reduce: goes without --sandbox");
    if (!r->out || strcmp(r->out, "-") == 0)
        tool_fail(e, OC_ARGUMENT, "reduce: -o OUT is missing, the name of a file");
    else
        model_check_path(r->out, e);
}

/* Returns a name beside OUT, for a file of OUT's format. */
static char *name_try(const char *out)
{
    const char *slash = system_last_slash(out);
    const int folder = slash ? (int)(slash - out + 1) : 0;
    return tool_format("%.*stry-%s", folder, out, out + folder);
}

static int reduce_model(reduce *r)
{
    oc_error e = {0};
    inputs in = {0};
    shrink_result found = {0};
    check_arguments(r, &e);
    const tensor_options file = input_args_options(&r->input, &e);
    oc_model *m = e.code == OC_OK ? session_open(r->in, &r->session, &e) : NULL;
    char *tried = r->out ? name_try(r->out) : NULL;
    if (m) {
        in = inputs_new(m, &file);
        inputs_gather(&in, &r->input, (uint64_t)r->session.seed, &e);
    }
    if (e.code == OC_OK) {
        shows looked = r->looked;
        looked.session = &r->session;
        looked.in = &in;
        looked.file = tried;
        found = shrink(m, &looked, r->out, r->most, r->json || r->input.quiet, &e);
    }
    if (found.part) {
        const int left = oc_model_describe(found.part).n_nodes;
        tool_say("reduce: %d of %d nodes %s left after %" PRId64 " tries%s", left,
                 oc_model_describe(m).n_nodes, left == 1 ? "is" : "are", found.tries,
                 found.ended ? ", as many as --tries allows" : "");
    }
    const int code = model_written(NULL, found.part, r->in, r->out ? r->out : "-", r->json, &e);
    oc_model_free(found.part);
    inputs_free(&in);
    oc_model_free(m);
    free(tried);
    return code;
}

int cmd_reduce(int argc, char **argv)
{
    reduce r = {.looked.code = 1, .most = 1000};
    int code = TOOL_OK;
    const args_result result = read_args(argc, argv, &r);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO)
        code = reduce_model(&r);
    input_args_free(&r.input);
    return code;
}
