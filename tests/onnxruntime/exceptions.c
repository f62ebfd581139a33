/* SPDX-License-Identifier: Apache-2.0
 * exceptions.c - exceptions of C++ that leave a kernel become errors of the session or the run. */
#include "own_op.h"
#include "thrown.h"

#define MODEL HEADER "g (float[N] x) => (float[N] y) { [name_of_node] y = me.Op (x) }"

static own_op op_of(compute_function *compute)
{
    own_op op = {.name = "Op", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    complete(&op, NULL, compute);
    return op;
}

START_TEST(a_kernel_throws_when_it_is_made)
{
    own_op now = op_of(compute_plus), old = now;
    const OrtCustomOp *op = &now.base;
    OrtSession *session;
    now.base.CreateKernelV2 = throw_creating;
    fails_at(try_open(MODEL, &op, 1, &session), ORT_RUNTIME_EXCEPTION, "no kernel today", "",
             __LINE__);
    op = &old.base;
    old.base.CreateKernelV2 = NULL;
    old.base.CreateKernel = throw_creating_old;
    fails_at(try_open(MODEL, &op, 1, &session), ORT_RUNTIME_EXCEPTION, "no kernel ever", "",
             __LINE__);
}
END_TEST

START_TEST(a_kernel_throws_when_it_runs)
{
    own_op now = op_of(throw_computing), old = now;
    const OrtCustomOp *const op[] = {&now.base, &old.base};
    static const char *const text[] = {"no result today", "exception"};
    old.base.KernelComputeV2 = NULL;
    old.base.KernelCompute = throw_computing_old;
    for (int i = 0; i < 2; i++) {
        float x[] = {1};
        OrtValue *out;
        OrtSession *session = open_session(MODEL, &op[i], 1);
        for (int run = 0; run < 3; run++)
            fails_at(try_run(session, x, 1, "y", &out), ORT_RUNTIME_EXCEPTION, text[i],
                     "name_of_node", __LINE__);
        api->ReleaseSession(session);
    }
}
END_TEST

SUITE("exceptions", the_library_opens, a_kernel_throws_when_it_is_made,
      a_kernel_throws_when_it_runs, the_library_is_released)
