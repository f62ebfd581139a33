/* SPDX-License-Identifier: Apache-2.0
 * reactor.c - what a script needs of the module besides the public C interface: where fields of its
 * structs lie, and a log function that calls the script. */
#include <ocellus.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* The script's log function: a line, and the context of the session that says it. */
__attribute__((import_module("ocellus"), import_name("log"))) void script_log(void *ctx,
                                                                              const char *line);

static void pass_on(void *ctx, const char *line)
{
    script_log(ctx, line);
}

/* Has a session of these options give its remarks to the script's log function. */
EXPORT(ocellus_log_to_script) void ocellus_log_to_script(oc_session_options *options, void *ctx);
void ocellus_log_to_script(oc_session_options *options, void *ctx)
{
    options->observer.log = pass_on;
    options->observer.log_ctx = ctx;
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

/* Returns the places that ocellus.mjs reads and writes, ended by one without a name. */
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
        SIZE(oc_model_options),
        FIELD(oc_model_options, limits),
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
        {NULL, 0},
    };
    return layout;
}
