/* SPDX-License-Identifier: Apache-2.0
 * workers.c - how do several threads of a program run one model, within limits, into memory of the
 * program?
 *
 * $ workers examples/mirror.onnxtxt
 * 3 2 1 6 5 4
 * 13 12 11 16 15 14
 * not within 10000 bytes: a limit was hit */
#include <ocellus.h>
#include <pthread.h>
#include <stdio.h>

enum { PIXELS = 6 };

/* What one thread has for itself. */
typedef struct worker {
    const oc_model *model; /* of all workers */
    float image[PIXELS], mirrored[PIXELS];
    oc_error error;
} worker;

static void *work(void *arg)
{
    worker *w = arg;
    oc_error *e = &w->error;
    /* The workers are the threads: a session needs no more than that of oc_run. */
    oc_session *session = oc_session_new(w->model, &(oc_session_options){.threads = 1}, e);
    const int64_t dim[] = {1, 1, 2, 3};
    oc_bind(session, "image", OC_F32, 4, dim, w->image, e);
    oc_bind_output(session, "mirrored", OC_F32, 4, dim, w->mirrored, sizeof w->mirrored, e);
    oc_run(session, e); /* as often as there are images: what is bound stays bound */
    oc_session_free(session);
    return NULL;
}

static void run_workers(const oc_model *model)
{
    worker list[2] = {0};
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) {
        list[i].model = model;
        for (int p = 0; p < PIXELS; p++)
            list[i].image[p] = (float)(10 * i + p + 1);
        if (pthread_create(&thread[i], NULL, work, &list[i]))
            return;
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], NULL);
        for (int p = 0; p < PIXELS; p++)
            printf("%g%c", list[i].mirrored[p], p + 1 < PIXELS ? ' ' : '\n');
        if (list[i].error.code != OC_OK)
            puts(list[i].error.text);
    }
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "model.onnx";
    oc_error e = {0};
    const oc_limits limits = {.memory_cap = 64 << 20, .deadline = 5};
    oc_model *model = oc_model_load(path, &(oc_model_options){.limits = limits}, &e);
    run_workers(model);
    oc_model_free(model);

    const oc_limits few = {.memory_cap = 10000};
    model = oc_model_load(path, &(oc_model_options){.limits = few}, &e);
    if (e.code == OC_LIMIT)
        printf("not within 10000 bytes: %s\n", oc_status_text(e.code));
    else if (e.code != OC_OK)
        puts(e.text);
    oc_model_free(model);
}
