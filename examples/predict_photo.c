/* SPDX-License-Identifier: Apache-2.0
 * predict_photo.c - tells what a network says of photographs, and draws it: libocellus_predict
 * finds out which decoder its outputs need and how it is given photographs, as `ocellus predict`
 * does.
 *
 * $ predict_photo examples/detect_jpeg.onnxtxt examples/detect/face.jpg
 * decoder yolov8, by output 'output' float[1,5,189]
 * examples/detect/face.jpg: label 0, score 0.72, 0.0 244.5 to 302.6 320.0 */
#include <ocellus_predict.h>
#include <inttypes.h>
#include <stdio.h>

static void tell(const char *path, const oc_answer_info *a)
{
    for (int i = 0; i < a->n; i++) {
        const float *box = a->boxes ? a->boxes + 4 * i : NULL;
        printf("%s: label %" PRId64 ", score %.2f", path, a->labels ? a->labels[i] : 0,
               a->scores ? a->scores[i] : 0);
        if (box)
            printf(", %.1f %.1f to %.1f %.1f", box[0], box[1], box[2], box[3]);
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    oc_error e = {0}; /* once e holds an error, every later call does nothing */
    oc_model *network = oc_model_load(argc > 1 ? argv[1] : "model.onnx", NULL, &e);
    const oc_predictor_options options = {.path = argc > 1 ? argv[1] : NULL};
    oc_predictor *predictor = oc_predictor_new(network, &options, &e);
    oc_session *session = oc_session_new(oc_predictor_model(predictor), NULL, &e);
    if (e.code == OC_OK)
        printf("decoder %s, by %s\n", oc_predictor_text(predictor, OC_PREDICTOR_DECODER),
               oc_predictor_text(predictor, OC_PREDICTOR_WHY));

    for (int i = 2; i < argc; i++) {
        oc_photograph *photo = oc_photograph_read(predictor, argv[i], &e);
        oc_photograph_bind(photo, session, &e);
        oc_run(session, &e);
        oc_answer *answer = oc_photograph_answer(photo, session, &e);
        const oc_answer_info found = oc_answer_describe(answer);
        tell(argv[i], &found);
        oc_picture drawn = {0};
        oc_answer_draw(answer, &drawn, &e); /* drawn.samples are rows of red, green and blue */
        oc_picture_free(&drawn);
        oc_answer_free(answer);
        oc_photograph_free(photo);
    }

    if (e.code != OC_OK)
        fprintf(stderr, "%s\n", e.text);
    oc_session_free(session);
    oc_predictor_free(predictor);
    oc_model_free(network);
    return e.code != OC_OK;
}
