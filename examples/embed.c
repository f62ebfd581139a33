/* SPDX-License-Identifier: Apache-2.0
 * embed.c - loads a model, runs it once, prints the result.
 *
 * $ embed examples/mirror.onnxtxt
 * 3 2 1 6 5 4 */
#include <ocellus.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    oc_error e = {0}; /* once e holds an error, every later call does nothing */
    oc_model *model = oc_model_load(argc > 1 ? argv[1] : "model.onnx", NULL, &e);
    oc_session *session = oc_session_new(model, NULL, &e);

    const float image[6] = {1, 2, 3, 4, 5, 6};
    oc_bind(session, "image", OC_F32, 4, (const int64_t[]){1, 1, 2, 3}, image, &e);
    oc_run(session, &e);

    size_t count = 0;
    const float *mirrored = oc_fetch(session, "mirrored", &count, &e);
    for (size_t i = 0; i < count; i++)
        printf("%g%c", mirrored[i], i + 1 < count ? ' ' : '\n');

    if (e.code != OC_OK)
        fprintf(stderr, "%s\n", e.text);
    oc_session_free(session);
    oc_model_free(model);
    return e.code != OC_OK;
}
