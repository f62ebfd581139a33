/* SPDX-License-Identifier: Apache-2.0
 * body_vs_native.c - how far apart are a model's results by kernels and by ONNX's function bodies?
 *
 * $ body_vs_native examples/mirror.onnxtxt
 * native: 3 nodes, body: 198 nodes, largest difference 0 */
#include <math.h>
#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

enum { C = 3, H = 5, W = 7 };

/* Runs the model on a picture of C x H x W, copies the result to out, and returns the number of
 * nodes that ran. */
static int64_t run(const oc_model *model, oc_body_policy body, float out[C * H * W], oc_error *e)
{
    oc_session *session = oc_session_new(model, &(oc_session_options){.bodies.policy = body}, e);
    float image[C * H * W];
    size_t count = 0;
    for (int i = 0; i < C * H * W; i++)
        image[i] = (float)(i * i % 31);
    oc_bind(session, "image", OC_F32, 4, (const int64_t[]){1, C, H, W}, image, e);
    oc_run(session, e);
    const float *result = oc_fetch(session, "mirrored", &count, e);
    if (result && count == C * H * W)
        memcpy(out, result, sizeof image);
    const int64_t steps = session ? oc_session_describe(session).steps : 0;
    oc_session_free(session);
    return steps;
}

int main(int argc, char **argv)
{
    oc_error e = {0};
    oc_model *model = oc_model_load(argc > 1 ? argv[1] : "model.onnx", NULL, &e);
    float native[C * H * W] = {0}, body[C * H * W] = {0}, most = 0;
    const int64_t n_native = run(model, OC_BODY_NATIVE, native, &e);
    const int64_t n_body = run(model, OC_BODY_EXPAND, body, &e);
    for (int i = 0; i < C * H * W; i++)
        most = fmaxf(most, fabsf(native[i] - body[i]));
    printf("native: %d nodes, body: %d nodes, largest difference %g\n", (int)n_native, (int)n_body,
           most);
    if (e.code != OC_OK)
        fprintf(stderr, "%s\n", e.text);
    oc_model_free(model);
    return e.code != OC_OK;
}
