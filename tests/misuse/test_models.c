/* SPDX-License-Identifier: Apache-2.0
 * test_models.c - a host's mistakes with models: loading, asking, saving, expanding,
 * extracting, joining and freeing. */
#include "misuse.h"

#include <limits.h>
#include <math.h>

/* ---- loading ---- */

static size_t read_too_much(void *ctx, void *buffer, size_t size)
{
    (void)ctx, (void)buffer;
    return size + 1;
}

static size_t read_nothing(void *ctx, void *buffer, size_t size)
{
    (void)ctx, (void)buffer, (void)size;
    return 0;
}

static size_t read_failing(void *ctx, void *buffer, size_t size)
{
    (void)ctx, (void)buffer, (void)size;
    return (size_t)-1;
}

static void load_with(oc_model_options o)
{
    oc_model_free(oc_model_load_memory(misuse_model, sizeof misuse_model - 1, &o, e));
}

static void load_limited(oc_limits l)
{
    load_with((oc_model_options){.limits = l});
}

static void *no_memory(void *ctx, void *block, size_t old_size, size_t new_size)
{
    (void)ctx, (void)block, (void)old_size, (void)new_size;
    return NULL;
}

START_TEST(loading)
{
    REFUSED(ARGUMENT, oc_model_load(NULL, NULL, e));
    REFUSED(ARGUMENT, oc_model_load_memory(NULL, 0, NULL, e));
    REFUSED(ARGUMENT, oc_model_load_memory(NULL, 100, NULL, e));
    REFUSED(ARGUMENT, oc_model_load_stream(NULL, NULL, e));
    REFUSED(ARGUMENT, oc_model_load_stream(&(oc_reader){NULL, NULL}, NULL, e));
    REFUSED(IO, oc_model_load_stream(&(oc_reader){read_too_much, NULL}, NULL, e));
    REFUSED(IO, oc_model_load_stream(&(oc_reader){read_failing, NULL}, NULL, e));
    REFUSED(FORMAT, oc_model_load_stream(&(oc_reader){read_nothing, NULL}, NULL, e));
    REFUSED(IO, oc_model_load("", NULL, e));
    REFUSED(IO, oc_model_load("/", NULL, e));
    REFUSED(IO, oc_model_load("no such file", NULL, e));
    REFUSED(FORMAT, oc_model_load_memory("", 0, NULL, e));
    GIVES(oc_model_load("no such file", NULL, NULL) == NULL);
    GIVES(oc_model_load_memory(misuse_model, 10, NULL, NULL) == NULL);
    GIVES(oc_model_load_stream(NULL, NULL, NULL) == NULL);
    REFUSED(ARGUMENT, load_limited((oc_limits){.deadline = (double)NAN}));
    REFUSED(ARGUMENT, load_limited((oc_limits){.deadline = -1}));
    HARMLESS(load_limited((oc_limits){.deadline = (double)INFINITY}));
    HARMLESS(load_limited((oc_limits){.deadline = 1e300}));
    REFUSED(ARGUMENT, load_limited((oc_limits){.max_steps = INT64_MIN}));
    REFUSED(LIMIT, load_limited((oc_limits){.memory_cap = 1}));
    HARMLESS(load_with((oc_model_options){.alloc = {NULL, NULL}}));
    REFUSED(NOMEM, load_with((oc_model_options){.alloc = {no_memory, NULL}}));
    misuse_report();
}
END_TEST

/* ---- external data ---- */

static bool give_null(void *ctx, const char *location, const void **bytes, size_t *size)
{
    (void)ctx, (void)location;
    *bytes = NULL;
    *size = 4;
    return true;
}

static bool give_nothing(void *ctx, const char *location, const void **bytes, size_t *size)
{
    (void)ctx, (void)location, (void)bytes, (void)size;
    return true;
}

static bool use_error(void *ctx, const char *location, const void **bytes, size_t *size)
{
    static const float one = 1;
    (void)ctx, (void)location;
    *bytes = &one;
    *size = sizeof one;
    oc_model_load(NULL, NULL, e);
    return true;
}

static void load_external(bool (*external)(void *, const char *, const void **, size_t *))
{
    static const char text[] =
        "<ir_version: 8, opset_import: [\"\" : 17]>\n"
        "g () => (float[1] y) <float[1] w = [\"location\": \"there\"]> { y = Neg (w) }";
    oc_model_options o = {.external = external};
    oc_model_free(oc_model_load_memory(text, sizeof text - 1, &o, e));
}

START_TEST(external_data)
{
    REFUSED(IO, load_external(NULL));
    REFUSED(IO, load_external(give_null));
    REFUSED(IO, load_external(give_nothing));
    REFUSED(ARGUMENT, load_external(use_error));
    misuse_report();
}
END_TEST

/* ---- asking ---- */

static int64_t version;
static oc_model_operator used;
static oc_weight weight;
static oc_model_function function;
static const char *value;

START_TEST(asking)
{
    GIVES(oc_model_n_inputs(NULL) == 0);
    GIVES(oc_model_n_outputs(NULL) == 0);
    GIVES(oc_model_input(NULL, 0).rank == -1);
    GIVES(oc_model_output(NULL, 0).rank == -1);
    GIVES(strlen(oc_model_input(m, -1).name) == 0 && strlen(oc_model_input(m, 1).name) == 0);
    GIVES(strlen(oc_model_input(m, INT_MIN).name) == 0);
    GIVES(strlen(oc_model_output(m, -1).name) == 0 && strlen(oc_model_output(m, 2).name) == 0);
    GIVES(oc_model_describe(NULL).n_nodes == 0 && strlen(oc_model_describe(NULL).graph_name) == 0);
    GIVES(oc_model_opset(NULL, 0, &version) == NULL);
    GIVES(oc_model_opset(m, -1, &version) == NULL && !oc_model_opset(m, 1, &version));
    GIVES(oc_model_opset(m, 0, NULL) != NULL);
    GIVES(!oc_model_operator_at(NULL, 0, &used));
    GIVES(!oc_model_operator_at(m, -1, &used) && !oc_model_operator_at(m, 9, &used));
    GIVES(!oc_model_operator_at(m, 0, NULL));
    GIVES(oc_model_metadata(NULL, 0, &value) == NULL && oc_model_metadata(m, 0, &value) == NULL);
    GIVES(oc_model_metadata(m, -1, NULL) == NULL && oc_model_metadata(m, INT_MAX, NULL) == NULL);
    GIVES(!oc_model_weight_at(NULL, 0, &weight) && !oc_model_weight_at(m, 0, NULL));
    GIVES(!oc_model_function_at(NULL, 0, &function) && !oc_model_function_at(m, 0, NULL));
    GIVES(!oc_model_function_at(m, -1, &function) && !oc_model_function_at(m, INT_MAX, &function));
    GIVES(!oc_model_weight_at(m, -1, &weight) && !oc_model_weight_at(m, INT_MAX, &weight));
    misuse_report();
}
END_TEST

/* ---- visiting ---- */

static int n_told;

static void count_node(void *ctx, const oc_node_info *node)
{
    (void)ctx, (void)node;
    n_told++;
}

static void ask_too_much(void *ctx, const oc_node_info *node)
{
    (void)ctx;
    misuse_check(*oc_node_attribute(node, -1).name == 0 && *oc_node_attribute(node, 99).name == 0);
    oc_node_write_attribute(node, 0, NULL, e);
}

static void free_model(void *ctx, const oc_node_info *node)
{
    (void)ctx;
    misuse_check(strlen(node->op_type) == 3);
    oc_session_free(s);
    oc_model_free(m);
    s = NULL;
    m = NULL;
}

static void visit_with(oc_port port)
{
    oc_model_visit(m, &port, count_node, NULL, e);
}

START_TEST(visiting)
{
    REFUSED(ARGUMENT, oc_model_visit(NULL, NULL, count_node, NULL, e));
    REFUSED(ARGUMENT, oc_model_visit(m, NULL, NULL, NULL, e));
    REFUSED(ARGUMENT, oc_model_visit(m, NULL, ask_too_much, NULL, e));
    REFUSED(ARGUMENT, oc_model_visit_sized(m, NULL, 0, count_node, NULL, e));
    REFUSED(ARGUMENT, oc_model_visit_sized(m, NULL, sizeof(oc_port) + 1, count_node, NULL, e));
    REFUSED(ARGUMENT, oc_model_visit_sized(m, NULL, SIZE_MAX - 7, count_node, NULL, e));
    REFUSED(ARGUMENT, visit_with((oc_port){.rank = OC_MAX_RANK + 1}));
    REFUSED(ARGUMENT, visit_with((oc_port){.rank = INT_MIN}));
    HARMLESS(visit_with((oc_port){.rank = 1, .dim = {INT64_MIN}}));
    HARMLESS(visit_with((oc_port){.type = OC_F32, .rank = 1, .dim = {INT64_MAX}}));
    REFUSED(ARGUMENT, visit_with((oc_port){.type = OC_N_TYPES}));
    REFUSED(ARGUMENT, visit_with((oc_port){.kind = (oc_kind)-1}));
    HARMLESS(visit_with((oc_port){.type = OC_F32, .kind = OC_OPTIONAL}));
    HARMLESS(oc_model_visit(m, NULL, free_model, NULL, e));
    REFUSED(ARGUMENT, oc_node_write_attribute(NULL, 0, &(oc_writer){NULL, NULL}, e));
    GIVES(*oc_node_attribute(NULL, 0).name == 0);
    GIVES((oc_model_visit(m, NULL, count_node, NULL, NULL), n_told == 0));
    GIVES((oc_model_visit(m, NULL, count_node, NULL, e), n_told == 3));
    misuse_report();
}
END_TEST

/* ---- examining ---- */

/* Has a Transpose that cannot be, and another one. */
static const char faulty[] = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                             "g (float[2,2] x) => (float[M] y)\n"
                             "{ y = Transpose <perm = [3]> (x)  z = Transpose <perm = [4]> (x) }";

static void tell_nobody(void *ctx, oc_status code, const char *text)
{
    (void)ctx, (void)code, (void)text;
}

static void tell_and_free(void *ctx, oc_status code, const char *text)
{
    (void)ctx, (void)code, (void)text;
    oc_model_free(m);
    m = NULL;
}

static void tell_and_examine(void *ctx, oc_status code, const char *text)
{
    (void)ctx, (void)code, (void)text;
    oc_model_examine(m, tell_nobody, NULL, e);
}

static void examine(void (*tell)(void *, oc_status, const char *))
{
    oc_session_free(s);
    oc_model_free(m);
    s = NULL;
    m = load(faulty);
    oc_model_examine(m, tell, NULL, e);
}

START_TEST(examining)
{
    REFUSED(ARGUMENT, oc_model_examine(NULL, tell_nobody, NULL, e));
    REFUSED(ARGUMENT, oc_model_examine(m, NULL, NULL, e));
    HARMLESS(oc_model_examine(m, tell_nobody, NULL, NULL));
    HARMLESS(examine(tell_nobody));
    HARMLESS(examine(tell_and_free));
    HARMLESS(examine(tell_and_examine));
    misuse_report();
}
END_TEST

/* ---- saving, expanding, extracting, joining ---- */

static bool take(void *ctx, const void *bytes, size_t size)
{
    (void)ctx, (void)bytes, (void)size;
    return true;
}

static bool refuse(void *ctx, const void *bytes, size_t size)
{
    (void)ctx, (void)bytes, (void)size;
    return false;
}

static bool free_all(void *ctx, const void *bytes, size_t size)
{
    (void)ctx, (void)bytes, (void)size;
    oc_session_free(s);
    oc_model_free(m);
    s = NULL;
    m = NULL;
    return true;
}

static bool free_and_cancel(void *ctx)
{
    return m && free_all(ctx, NULL, 0);
}

static const oc_writer taking = {take, NULL}, refusing = {refuse, NULL}, freeing = {free_all, NULL},
                       nobody = {NULL, NULL};

START_TEST(saving)
{
    REFUSED(ARGUMENT, oc_model_save(NULL, OC_FORMAT_TEXT, &taking, e));
    REFUSED(ARGUMENT, oc_model_save(m, OC_FORMAT_TEXT, NULL, e));
    REFUSED(ARGUMENT, oc_model_save(m, OC_FORMAT_TEXT, &nobody, e));
    REFUSED(ARGUMENT, oc_model_save(m, (oc_format)2, &taking, e));
    REFUSED(ARGUMENT, oc_model_save(m, (oc_format)-1, &taking, e));
    REFUSED(IO, oc_model_save(m, OC_FORMAT_TEXT, &refusing, e));
    REFUSED(IO, oc_model_save(m, OC_FORMAT_ONNX, &refusing, e));
    HARMLESS(oc_model_save(m, OC_FORMAT_ONNX, &freeing, e));
    HARMLESS(oc_model_save(m, OC_FORMAT_TEXT, &freeing, e));
    HARMLESS(oc_model_save(m, OC_FORMAT_TEXT, &taking, NULL));
    misuse_report();
}
END_TEST

/* Expands a model that is freed meanwhile. */
static void expand_freed(void)
{
    oc_session_free(s);
    oc_model_free(m);
    s = NULL;
    m = NULL;
    m = oc_model_load_memory(misuse_model, sizeof misuse_model - 1,
                             &(oc_model_options){.limits.cancel = free_and_cancel}, e);
    oc_model_expand(m, OC_BODY_EXPAND, NULL, e);
}

/* Runs the expansion of a model that is freed first. */
static void outlive(int rounds)
{
    oc_session_free(s);
    for (int i = 0; i < rounds; i++) {
        oc_model *expanded = oc_model_expand(m, OC_BODY_STANDARD, NULL, e);
        oc_model_free(m);
        m = expanded;
    }
    s = start((oc_session_options){.no_fusion = true});
    bind_x(s);
    oc_run(s, e);
}

START_TEST(expanding)
{
    REFUSED(ARGUMENT, oc_model_expand(NULL, OC_BODY_EXPAND, NULL, e));
    REFUSED(ARGUMENT, oc_model_expand(m, (oc_body_policy)3, NULL, e));
    REFUSED(ARGUMENT, oc_model_expand(m, (oc_body_policy)-1, NULL, e));
    HARMLESS(oc_model_free(oc_model_expand(m, OC_BODY_EXPAND, "no such operator", e)));
    GIVES(oc_model_expand(m, OC_BODY_EXPAND, NULL, NULL) == NULL);
    REFUSED(CANCELLED, expand_freed());
    HARMLESS(outlive(1));
    HARMLESS(outlive(100));
    misuse_report();
}
END_TEST

START_TEST(extracting)
{
    const char *const y[] = {"y", "y"};
    const char *const nothing = NULL;
    const oc_cut from[] = {{"x", NULL}, {NULL, NULL}};
    REFUSED(ARGUMENT, oc_model_extract(NULL, from, 1, y, 1, e));
    REFUSED(ARGUMENT, oc_model_extract(m, NULL, 1, y, 1, e));
    REFUSED(ARGUMENT, oc_model_extract(m, from, 1, NULL, 1, e));
    REFUSED(ARGUMENT, oc_model_extract(m, from, -1, y, 1, e));
    REFUSED(ARGUMENT, oc_model_extract(m, from, 1, y, -1, e));
    REFUSED(ARGUMENT, oc_model_extract(m, from, 2, y, 1, e));
    REFUSED(ARGUMENT, oc_model_extract(m, from, 1, y, 2, e));
    REFUSED(ARGUMENT, oc_model_extract(m, from, 1, &nothing, 1, e));
    HARMLESS(oc_model_free(oc_model_extract(m, NULL, 0, NULL, 0, e)));
    HARMLESS(oc_model_free(oc_model_extract(m, from, 1, y, 1, e)));
    GIVES(oc_model_extract(m, from, 1, y, 1, NULL) == NULL);
    misuse_report();
}
END_TEST

/* Joins models that are freed meanwhile. */
static void join_freed(void)
{
    const oc_model_options options = {.limits.cancel = free_and_cancel};
    const oc_link link = {"y", "x"};
    oc_session_free(s);
    oc_model_free(m);
    s = NULL;
    m = NULL;
    m = oc_model_load_memory(misuse_model, sizeof misuse_model - 1, &options, e);
    oc_model_join(m, m, &link, 1, "p", e);
}

/* Runs a model joined of two that are freed first. */
static void outlive_both(void)
{
    const oc_link link = {"y", "x"};
    oc_session_free(s);
    oc_model *joined = oc_model_join(m, m, &link, 1, "p", e);
    oc_model_free(m);
    m = joined;
    s = start((oc_session_options){.no_fusion = true});
    bind_x(s);
    oc_run(s, e);
}

START_TEST(joining)
{
    const oc_link link[] = {{"y", "x"}, {"y", NULL}, {NULL, "x"}};
    REFUSED(ARGUMENT, oc_model_join(NULL, m, link, 1, NULL, e));
    REFUSED(ARGUMENT, oc_model_join(m, NULL, link, 1, NULL, e));
    REFUSED(ARGUMENT, oc_model_join(m, m, NULL, 1, NULL, e));
    REFUSED(ARGUMENT, oc_model_join(m, m, link, -1, NULL, e));
    REFUSED(ARGUMENT, oc_model_join(m, m, link, 2, NULL, e));
    REFUSED(ARGUMENT, oc_model_join(m, m, link + 2, 1, NULL, e));
    REFUSED(ARGUMENT, oc_model_join(m, m, NULL, 0, NULL, e));
    REFUSED(ARGUMENT, oc_model_join(m, m, link, 1, NULL, e)); /* both have an output z */
    HARMLESS(oc_model_free(oc_model_join(m, m, link, 1, "a prefix", e)));
    GIVES(oc_model_join(m, m, link, 1, "p", NULL) == NULL);
    REFUSED(CANCELLED, join_freed());
    HARMLESS(outlive_both());
    misuse_report();
}
END_TEST

/* ---- freeing ---- */

/* Runs a session after its model was freed, a number of times. */
static void run_after_free(int times)
{
    for (int i = 0; i < times; i++)
        oc_model_free(m);
    m = NULL;
    oc_run(s, e);
    misuse_check(oc_fetch(s, "y", NULL, e) != NULL);
}

START_TEST(freeing_models)
{
    HARMLESS(oc_model_free(NULL));
    HARMLESS(run_after_free(1));
    HARMLESS(run_after_free(2));
    HARMLESS(oc_model_free(m), oc_session_free(s), s = NULL, m = NULL);
    misuse_report();
}
END_TEST

SUITE("models", loading, external_data, asking, visiting, examining, saving, expanding, extracting,
      joining, freeing_models)
