/* SPDX-License-Identifier: Apache-2.0
 * custom_op.c - how does a program add an operator of its own, here "my.vision::Threshold"?
 *
 * $ custom_op
 * 0 0 1 1
 * node of 'y' (my.vision.Threshold-1): limit must not be negative */
#include <ocellus.h>
#include <ocellus_op.h>
#include <stdio.h>
#include <string.h>

static oc_status threshold_shape(oc_call *call)
{
    const oc_value *x = oc_call_in(call, 0);
    return oc_call_set_out(call, 0, OC_F32, oc_value_rank(x), oc_value_dims(x));
}

static oc_status threshold_run(oc_call *call)
{
    const oc_value *x = oc_call_in(call, 0);
    const float *from = oc_value_data(x);
    float *to = oc_call_out(call, 0);
    const double limit = oc_call_float(call, "limit");
    if (limit < 0)
        return oc_call_fail(call, OC_VALUE, "limit must not be negative");
    for (int64_t i = 0; i < oc_value_count(x); i++)
        to[i] = from[i] > limit;
    return OC_OK;
}

static const oc_op my_ops[] = {
    {1, "my.vision::Threshold <float limit = 0.5> (T x) => (T y) | T: float", threshold_shape,
     threshold_run},
    {0},
};

static void run(const char *text)
{
    oc_error e = {0};
    oc_model *model = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_session *session = oc_session_new(model, &(oc_session_options){.ops = my_ops}, &e);
    const float x[] = {0.1f, 0.4f, 0.6f, 0.9f};
    oc_bind(session, "x", OC_F32, 1, (const int64_t[]){4}, x, &e);
    oc_run(session, &e);
    const float *y = oc_fetch(session, "y", NULL, &e);
    if (y)
        printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
    else
        puts(e.text);
    oc_session_free(session);
    oc_model_free(model);
}

#define MODEL "<ir_version: 8, opset_import: [\"my.vision\" : 1]> g (float[N] x) => (float[N] y) "

int main(void)
{
    run(MODEL "{ y = my.vision.Threshold (x) }");
    run(MODEL "{ y = my.vision.Threshold <limit = -1.0> (x) }");
}
