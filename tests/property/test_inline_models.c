/* SPDX-License-Identifier: Apache-2.0
 * test_inline_models.c - every model under the given folders: inlined, it is valid, calls no
 * function that it has a body for, and reads back from its text as the same model. */
#include "models.h"

#include "bodies/bodies.h"
#include "bodies/library.h"
#include "graph/ports.h"

#include <ftw.h>

enum { SKIPPED = 77, MAX_OPEN = 16 };

static struct {
    int models, with_calls, failed;
} total;

static bool is_model(const char *path)
{
    const size_t size = strlen(path);
    return size > 5 && strcmp(path + size - 5, ".onnx") == 0;
}

static bool has_calls(const oc_model *m)
{
    for (int i = 0; i < m->n_usage; i++)
        if (m->usage[i].function >= 0 ||
            oc_body_find(m->usage[i].domain, m->usage[i].op_type, m->usage[i].opset))
            return true;
    return false;
}

static oc_status read_back(const oc_model *m, oc_error *e)
{
    char why[400] = "";
    oc_model *again = NULL;
    char *text = model_text(m);
    OC_TRY(oc_model_new(NULL, &again, e));
    oc_status status = oc_load_text(again, text, strlen(text), e);
    if (status == OC_OK)
        status = oc_model_check(again, e);
    if (status == OC_OK && !model_equal(m, again, why, sizeof why))
        status = oc_error_set(e, OC_MODEL, "its text reads back otherwise: %s", why);
    oc_model_free(again);
    free(text);
    return status;
}

static oc_status check_inlined(oc_model *m, oc_error *e)
{
    OC_TRY(oc_model_check(m, e));
    OC_TRY(oc_model_count_usage(m, e));
    if (m->n_function || has_calls(m))
        return oc_error_set(e, OC_MODEL, "calls of functions are left");
    return read_back(m, e);
}

static oc_status check_model(oc_model *m, const char *path, oc_error *e)
{
    oc_model *out = NULL;
    OC_TRY(oc_load_file(m, path, e));
    OC_TRY(oc_model_check(m, e));
    OC_TRY(oc_model_count_usage(m, e));
    if (!has_calls(m) && !m->n_function)
        return OC_OK;
    total.with_calls++;
    OC_TRY(
        oc_bodies_inline(m, &(oc_body_options){.policy = OC_BODY_STANDARD}, NULL, NULL, &out, e));
    const oc_status status = check_inlined(out, e);
    oc_model_free(out);
    return status;
}

static int visit(const char *path, const struct stat *about, int type, struct FTW *f)
{
    (void)about;
    (void)f;
    if (type != FTW_F || !is_model(path))
        return 0;
    oc_error e = {.code = OC_OK};
    oc_model *m = NULL;
    total.models++;
    if (oc_model_new(NULL, &m, &e) == OC_OK)
        check_model(m, path, &e);
    if (e.code != OC_OK) {
        printf("%s: %s\n", path, e.text);
        total.failed++;
    }
    oc_model_free(m);
    return 0;
}

static char **folder; /* ends with NULL */

START_TEST(models_of_the_folders)
{
    for (char **f = folder; *f; f++)
        nftw(*f, visit, MAX_OPEN, FTW_PHYS);
    printf("%d models, %d of them with calls, %d failed\n", total.models, total.with_calls,
           total.failed);
    ck_assert_int_eq(total.failed, 0);
}
END_TEST

int main(int argc, char **argv)
{
    (void)argc;
    folder = argv + 1;
    const int status = suite_run("inline_models", &models_of_the_folders, 1);
    return total.models ? status : SKIPPED;
}
