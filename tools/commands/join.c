/* SPDX-License-Identifier: Apache-2.0
 * join.c - ocellus join: puts one model behind another. */
#include "commands/commands.h"
#include "files/model_file.h"
#include "session/sandbox.h"

#include <ocellus_model.h>

typedef struct join {
    session_args session;
    const char *first, *second, *out;
    const char *prefix;
    args_list links; /* "OUTPUT=INPUT" */
    bool json;
} join;

static const char *const examples[] = {
    "ocellus join detector.onnx decoder.onnx -l boxes=raw -o whole.onnx",
    NULL,
};

static const args_command command = {
    .name = "join",
    .usage = "FIRST SECOND [-l OUTPUT=INPUT]... -o OUT [options]",
    .about = "Writes a model that runs FIRST and then SECOND, which takes outputs of FIRST, and\n"
             "inputs of it that both take.",
    .examples = examples,
    .min = 2,
    .max = 2,
};

static args_result read_args(int argc, char **argv, join *x)
{
    args_list models;
    const args_option options[] = {
        ARGS_LETTER('l', "--link", ARGS_LIST, "OUTPUT=INPUT", &x->links,
                    "an output of FIRST that an input of SECOND takes; those of equal names"),
        ARGS_VALUE("--prefix", ARGS_TEXT, "NAME", &x->prefix,
                   "nodes and values within SECOND are called NAME/...; second"),
        ARGS_LETTER('o', "--output", ARGS_TEXT, "OUT", &x->out,
                    ".onnx, .onnx.gz, .onnxtxt, or - for text"),
        SESSION_LOAD_ARGS(&x->session),
        {0},
    };
    const args_result result = args_read(argc, argv, &command, options, &models, &x->json);
    x->first = models.n > 0 ? models.item[0] : NULL;
    x->second = models.n > 1 ? models.item[1] : NULL;
    args_list_free(&models);
    return result;
}

/* Returns the name of output i, or of the input behind all outputs; "" behind all inputs. */
static const char *name_of(const oc_model *m, int i)
{
    const int n = oc_model_n_outputs(m);
    return i < n ? oc_model_output(m, i).name : oc_model_input(m, i - n).name;
}

static int find_name(const void *ctx, const char *name)
{
    for (int i = 0; *name_of(ctx, i); i++)
        if (strcmp(name_of(ctx, i), name) == 0)
            return i;
    return -1;
}

static void read_links(const join *x, const oc_model *first, oc_link *links, oc_error *e)
{
    for (int i = 0; i < x->links.n; i++) {
        const char *text = x->links.item[i], *input;
        const int from = args_split(text, find_name, first, &input);
        if (from < 0)
            tool_fail(e, OC_ARGUMENT,
                      "--link %s: expected OUTPUT=INPUT, with an output or input of %s", text,
                      x->first);
        links[i] = (oc_link){from < 0 ? "" : name_of(first, from), input};
    }
}

static int join_models(join *x)
{
    oc_error e = {0};
    sandbox box = sandbox_begin(&x->session);
    if (!x->out)
        tool_fail(&e, OC_ARGUMENT, "join: -o OUT is missing");
    else
        model_check_path(x->out, &e);
    sandbox_model(&box, x->first);
    sandbox_model(&box, x->second);
    sandbox_write(&box, x->out);
    sandbox_enter(&box, 0, &e);
    oc_model *first = session_open(x->first, &x->session, &e);
    oc_model *second = session_open(x->second, &x->session, &e);
    oc_link *links = tool_alloc((size_t)x->links.n, sizeof *links);
    read_links(x, first, links, &e);
    oc_model *joined = oc_model_join(first, second, links, x->links.n, x->prefix, &e);
    if (joined)
        model_write(joined, x->out, &e);
    const int code = model_written(first, joined, x->first, x->out, x->json, &e);
    free(links);
    oc_model_free(joined);
    oc_model_free(second);
    oc_model_free(first);
    return code;
}

int cmd_join(int argc, char **argv)
{
    join x = {.out = NULL};
    const args_result result = read_args(argc, argv, &x);
    const int code = result == ARGS_GO      ? join_models(&x)
                     : result == ARGS_WRONG ? TOOL_USAGE
                                            : TOOL_OK;
    args_list_free(&x.links);
    return code;
}
