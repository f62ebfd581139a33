/* SPDX-License-Identifier: Apache-2.0
 * convert.c - ocellus convert: writes a model in another format. */
#include "commands/commands.h"
#include "files/model_file.h"
#include "session/sandbox.h"

#include <ocellus_model.h>

int cmd_convert(int argc, char **argv)
{
    static const args_command command = {
        .name = "convert",
        .usage = "MODEL OUT [options]",
        .about =
            "Writes MODEL as OUT: .onnx, .onnx.gz, .onnxtxt, or - for text on standard output.",
        .min = 2,
        .max = 2,
    };
    session_args session = {0};
    bool shapes = false;
    const args_option options[] = {
        {.name = "--shapes",
         .kind = ARGS_FLAG,
         .out = &shapes,
         .help =
             "declare the type and shape of every value, as far as inspect --shapes tells them"},
        SESSION_LOAD_ARGS(&session),
        {0},
    };
    args_list positional;
    bool json;
    oc_error e = {0};
    int code = TOOL_OK;
    const args_result result = args_read(argc, argv, &command, options, &positional, &json);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO) {
        const char *in = positional.item[0], *out = positional.item[1];
        sandbox box = sandbox_begin(&session);
        model_check_path(out, &e);
        sandbox_model(&box, in);
        sandbox_write(&box, out);
        sandbox_enter(&box, 0, &e);
        oc_model *m = session_open(in, &session, &e);
        oc_model *told = m && shapes ? oc_model_declare(m, &e) : m;
        if (told)
            model_write(told, out, &e);
        code = model_written(m, told, in, out, json, &e);
        if (told != m)
            oc_model_free(told);
        oc_model_free(m);
    }
    args_list_free(&positional);
    return code;
}
