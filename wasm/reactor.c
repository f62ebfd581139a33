/* SPDX-License-Identifier: Apache-2.0
 * reactor.c - what a script needs of the module besides the public C interface: where fields of its
 * structs lie, and hooks that call the script. */
#ifdef WASM_PREDICT
#include <ocellus_predict.h>
#else
#include <ocellus_model.h>
#endif

#define EXPORT(name) __attribute__((export_name(#name)))
#define IMPORT(name) __attribute__((import_module("ocellus"), import_name(#name)))

/* The script's functions. ctx is a number by which it knows who calls. */
IMPORT(log) void script_log(void *ctx, const char *line);
IMPORT(cancelled) int script_cancelled(void *ctx);
IMPORT(write) int script_write(void *ctx, const void *bytes, size_t size);

static void log_to_script(void *ctx, const char *line)
{
    script_log(ctx, line);
}

static bool ask_script(void *ctx)
{
    return script_cancelled(ctx) != 0;
}

static bool write_to_script(void *ctx, const void *bytes, size_t size)
{
    return script_write(ctx, bytes, size) != 0;
}

/* Has a session of these options give its remarks to the script. */
EXPORT(ocellus_log_to_script) void ocellus_log_to_script(oc_session_options *options, void *ctx);
void ocellus_log_to_script(oc_session_options *options, void *ctx)
{
    options->observer.log = log_to_script;
    options->observer.log_ctx = ctx;
}

/* Has calls under these limits ask the script whether they are to end. */
EXPORT(ocellus_ask_script) void ocellus_ask_script(oc_limits *limits, void *ctx);
void ocellus_ask_script(oc_limits *limits, void *ctx)
{
    limits->cancel = ask_script;
    limits->cancel_ctx = ctx;
}

/* Has a writer give what is written to the script. */
EXPORT(ocellus_write_to_script) void ocellus_write_to_script(oc_writer *writer, void *ctx);
void ocellus_write_to_script(oc_writer *writer, void *ctx)
{
    *writer = (oc_writer){write_to_script, ctx};
}

typedef struct place {
    const char *name;
    size_t bytes; /* the size of a struct, or how far into its struct a field begins */
} place;

#define SIZE(type)                                                                                 \
    {                                                                                              \
#type, sizeof(type)                                                                        \
    }
#define FIELD(type, field)                                                                         \
    {                                                                                              \
#type "." #field, offsetof(type, field)                                                    \
    }

/* Returns the places that js/engine.mjs and js/predictor.mjs read and write, ended by one without a
 * name. */
EXPORT(ocellus_layout) const place *ocellus_layout(void);
const place *ocellus_layout(void)
{
    static const place layout[] = {
        SIZE(oc_error),
        FIELD(oc_error, code),
        FIELD(oc_error, text),
        SIZE(oc_string),
        SIZE(oc_port),
        FIELD(oc_port, name),
        FIELD(oc_port, kind),
        FIELD(oc_port, type),
        FIELD(oc_port, rank),
        FIELD(oc_port, dim),
        FIELD(oc_port, dim_name),
        FIELD(oc_port, has_default),
        FIELD(oc_port, description),
        SIZE(oc_model_options),
        FIELD(oc_model_options, limits),
        FIELD(oc_model_options, external_dir),
        FIELD(oc_model_options, newer),
        SIZE(oc_session_options),
        FIELD(oc_session_options, limits),
        FIELD(oc_session_options, cpu),
        FIELD(oc_session_options, seed),
        FIELD(oc_session_options, op_options),
        FIELD(oc_session_options, exact_conv),
        FIELD(oc_session_options, no_fusion),
        FIELD(oc_session_options, no_nchw16c),
        FIELD(oc_session_options, no_folding),
        FIELD(oc_session_options, exact_quant),
        FIELD(oc_session_options, unfused),
        FIELD(oc_limits, memory_cap),
        FIELD(oc_limits, max_steps),
        FIELD(oc_limits, deadline),
        SIZE(oc_writer),
#ifdef WASM_PREDICT
        SIZE(oc_predictor_options),
        FIELD(oc_predictor_options, as),
        FIELD(oc_predictor_options, picture),
        FIELD(oc_predictor_options, preset),
        FIELD(oc_predictor_options, resize),
        FIELD(oc_predictor_options, image_resize),
        FIELD(oc_predictor_options, image_fill),
        FIELD(oc_predictor_options, image_scale),
        FIELD(oc_predictor_options, image_mean),
        FIELD(oc_predictor_options, image_std),
        FIELD(oc_predictor_options, image_channels),
        FIELD(oc_predictor_options, image_layout),
        FIELD(oc_predictor_options, image_multiple),
        FIELD(oc_predictor_options, image_no_enlarge),
        FIELD(oc_predictor_options, names),
        FIELD(oc_predictor_options, n_names),
        FIELD(oc_predictor_options, least),
        FIELD(oc_predictor_options, overlap),
        FIELD(oc_predictor_options, top),
        SIZE(oc_answer_info),
        FIELD(oc_answer_info, n),
        FIELD(oc_answer_info, n_points),
        FIELD(oc_answer_info, grid_width),
        FIELD(oc_answer_info, grid_height),
        FIELD(oc_answer_info, boxes),
        FIELD(oc_answer_info, scores),
        FIELD(oc_answer_info, labels),
        FIELD(oc_answer_info, points),
        FIELD(oc_answer_info, corners),
        FIELD(oc_answer_info, masks),
        FIELD(oc_answer_info, classes),
        FIELD(oc_answer_info, flow),
        FIELD(oc_answer_info, depth),
        SIZE(oc_picture),
        FIELD(oc_picture, width),
        FIELD(oc_picture, height),
        FIELD(oc_picture, samples),
#endif
        {NULL, 0},
    };
    return layout;
}
