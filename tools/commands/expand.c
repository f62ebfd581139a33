/* SPDX-License-Identifier: Apache-2.0
 * expand.c - ocellus expand: calls of functions replaced by their bodies. */
#include "commands/commands.h"
#include "files/model_file.h"
#include "session/session_args.h"

int cmd_expand(int argc, char **argv)
{
    static const args_command command = {
        .name = "expand",
        .usage = "MODEL -o OUT [options]",
        .about =
            "Writes MODEL with calls of functions replaced by their bodies: of the model's own\n"
            "functions, and of ONNX's operators that have one.",
        .min = 1,
        .max = 1,
    };
    session_args session = {0};
    const char *out = NULL, *only = NULL;
    bool standard = false, local = false, json;
    const args_option options[] = {
        {.name = "--output",
         .letter = 'o',
         .kind = ARGS_TEXT,
         .value = "OUT",
         .out = &out,
         .help = ".onnx, .onnx.gz, .onnxtxt, or - for text"},
        {.name = "--only",
         .kind = ARGS_TEXT,
         .value = "OP",
         .out = &only,
         .help = "of ONNX's operators, only this one"},
        {.name = "--local",
         .kind = ARGS_FLAG,
         .out = &local,
         .help = "only functions of the model itself"},
        {.name = "--standard",
         .kind = ARGS_FLAG,
         .out = &standard,
         .help = "the standard's own text, its defects not repaired"},
        {0},
    };
    args_list positional;
    oc_error e = {0};
    int code = TOOL_OK;
    const args_result result = args_read(argc, argv, &command, options, &positional, &json);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO) {
        const char *in = positional.item[0];
        const oc_body_policy policy = local      ? OC_BODY_NATIVE
                                      : standard ? OC_BODY_STANDARD
                                                 : OC_BODY_EXPAND;
        if (!out)
            tool_fail(&e, OC_ARGUMENT, "expand: -o OUT is missing");
        else
            model_check_path(out, &e);
        if (local && (only || standard))
            tool_fail(&e, OC_ARGUMENT,
                      "expand: --local leaves ONNX's operators alone, expected no %s",
                      only ? "--only" : "--standard");
        if (only)
            session_has_body(only, &e);
        oc_model *m = session_open(in, &session, &e);
        oc_model *expanded = oc_model_expand(m, policy, only, &e);
        if (expanded)
            model_write(expanded, out, &e);
        code = model_written(expanded, in, out, json, &e);
        oc_model_free(expanded);
        oc_model_free(m);
    }
    args_list_free(&positional);
    return code;
}
