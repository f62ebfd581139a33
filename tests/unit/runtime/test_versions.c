/* SPDX-License-Identifier: Apache-2.0
 * test_versions.c - models of versions that are newer than the library, or that do not say theirs.
 */
#include "models.h"

#include <ocellus.h>

#define NEG "g (float[2] x) => (float[2] y) { y = my.Op (x) }"
#define OP  "<domain: \"my\", opset_import: [\"\": %d]> Op (p) => (q) { q = Neg (p) }"

static oc_model *load(int ir, int opset, int opset_of_function, bool newer, oc_error *e)
{
    char text[400];
    snprintf(text, sizeof text, "<ir_version: %d, opset_import: [\"\": %d, \"\": %d]> " NEG OP, ir,
             opset, opset, opset_of_function);
    return oc_model_load_memory(text, strlen(text), &(oc_model_options){.newer = newer}, e);
}

static void count(void *ctx, oc_status code, const char *text)
{
    ck_assert_msg(code == OC_OK, "%s", text);
    *(int *)ctx += strstr(text, ", the newest known") != NULL;
}

/* The model runs, and has this number of remarks on versions. */
static void runs(oc_model *m, int n_remark)
{
    oc_error e = {.code = OC_OK};
    const float x[] = {-1, 2};
    int n = 0;
    oc_model_examine(m, count, &n, &e);
    ck_assert_int_eq(n, n_remark);
    oc_session *s = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
    oc_bind(s, "x", OC_F32, 1, (const int64_t[]){2}, x, &e);
    oc_run(s, &e);
    const float *y = oc_fetch(s, "y", NULL, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert(y[0] == 1 && y[1] == -2);
    oc_session_free(s);
    oc_model_free(m);
}

START_TEST(a_newer_version_is_refused_unless_the_host_wants_it)
{
    static const struct {
        int ir, opset, of_function, n_remark;
        const char *part;
    } newer[] = {
        {OC_MAX_IR_VERSION + 1, 17, 17, 1, "model: IR version 14 is newer than 13"},
        {8, OC_MAX_OPSET + 1, 17, 1, "model: opset 29 is newer than 28"},
        {8, 17, OC_MAX_OPSET + 9, 1, "function 'Op': opset 37 is newer than 28"},
        {99, 100, 101, 3, "the option 'newer'"},
    };
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++) {
        oc_error e = {.code = OC_OK};
        ck_assert_ptr_null(load(newer[i].ir, newer[i].opset, newer[i].of_function, false, &e));
        ck_assert_msg(e.code == OC_UNSUPPORTED && strstr(e.text, newer[i].part), "%s", e.text);
        e = (oc_error){.code = OC_OK};
        oc_model *m = load(newer[i].ir, newer[i].opset, newer[i].of_function, true, &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        runs(m, newer[i].n_remark);
    }
}
END_TEST

START_TEST(a_version_that_is_known_stays)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = load(4, 9, 10, true, &e);
    int64_t version;
    ck_assert_str_eq(oc_model_opset(m, 0, &version), "");
    ck_assert_int_eq(version, 9);
    ck_assert_int_eq(oc_model_describe(m).ir_version, 4);
    runs(m, 0);
}
END_TEST

/* What is saved names the versions that were taken. */
START_TEST(a_model_is_saved_with_the_versions_that_were_taken)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = load(99, 100, 101, true, &e);
    text_buffer t = {.bytes = NULL};
    oc_model_save(m, OC_FORMAT_ONNX, &(oc_writer){text_write, &t}, &e);
    oc_model *again = oc_model_load_memory(t.bytes, t.size, NULL, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_int_eq(oc_model_describe(again).ir_version, OC_MAX_IR_VERSION);
    runs(again, 0);
    oc_model_free(m);
    free(t.bytes);
}
END_TEST

SUITE("versions", a_newer_version_is_refused_unless_the_host_wants_it,
      a_version_that_is_known_stays, a_model_is_saved_with_the_versions_that_were_taken)
