/* SPDX-License-Identifier: Apache-2.0
 * attributes.c - names that operators of the program and their attributes may have. */
#include "own_op.h"

#define MODEL HEADER "g (float[N] x) => (float[N] y) { y = me.Op (x) }"

static const char *asked_name;

static OrtStatus *create_asking(const OrtCustomOp *op, const OrtApi *given,
                                const OrtKernelInfo *info, void **kernel)
{
    int64_t i = 0;
    OK(KernelInfoGetAttribute_int64(info, asked_name, &i));
    WANT(i == 5);
    return create_counter(op, given, info, kernel);
}

/* The text form has names of identifiers alone: the name in the binary model is another of as many
 * bytes. */
static void rename_in(bytes *b, const char *from, const char *to)
{
    const size_t n = strlen(from);
    int found = 0;
    for (size_t i = 0; i + n <= b->size; i++)
        if (memcmp(b->data + i, from, n) == 0) {
            memcpy(b->data + i, to, n);
            found++;
        }
    ck_assert_int_eq(found, 1);
}

START_TEST(attributes_have_any_name)
{
    static const char *const name[] = {"a-b cde", "my attr", "1x2y3z4", "q\"\\uote", "x)? y=1"};
    static const char text[] =
        HEADER "g (float[N] x) => (float[N] y) { y = me.Op <renamed: int = 5> (x) }";
    own_op asks = {.name = "Op", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    OrtSessionOptions *options;
    OrtCustomOpDomain *domain;
    OK(CreateSessionOptions(&options));
    OK(CreateCustomOpDomain("me", &domain));
    OK(CustomOpDomain_Add(domain, complete(&asks, create_asking, compute_plus)));
    OK(AddCustomOpDomain(options, domain));
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        oc_error e = {0};
        bytes b = {NULL, 0};
        OrtSession *session;
        oc_model *model = oc_model_load_memory(text, sizeof text - 1, NULL, &e);
        oc_model_save(model, OC_FORMAT_ONNX, &(oc_writer){append, &b}, &e);
        suite_assert(e.code == OC_OK, "%s", e.text);
        oc_model_free(model);
        asked_name = name[i];
        rename_in(&b, "renamed", asked_name);
        OK(CreateSessionFromArray(env, b.data, b.size, options, &session));
        expect_floats(session, "y", (float[]){2, 3, 4}, 3);
        api->ReleaseSession(session);
        free(b.data);
    }
    api->ReleaseSessionOptions(options);
    api->ReleaseCustomOpDomain(domain);
}
END_TEST

START_TEST(an_operator_without_a_name_is_refused)
{
    own_op nameless = {.in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op = complete(&nameless, NULL, compute_plus);
    OrtSession *session;
    fails_at(try_open(MODEL, &op, 1, &session), ORT_OK, "name", "", __LINE__);
    nameless.base.GetName = NULL;
    fails_at(try_open(MODEL, &op, 1, &session), ORT_OK, "name", "", __LINE__);
    nameless.base.GetName = get_name;
    nameless.name = "Op";
    nameless.base.GetInputTypeCount = NULL;
    fails_at(try_open(MODEL, &op, 1, &session), ORT_OK, "inputs", "Op", __LINE__);
}
END_TEST

SUITE("attributes", the_library_opens, attributes_have_any_name,
      an_operator_without_a_name_is_refused, the_library_is_released)
