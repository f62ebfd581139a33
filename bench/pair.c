/* SPDX-License-Identifier: Apache-2.0
 * pair.c - times two builds of the library in one process, run by run in turns, on the same inputs.
 *
 *     bench_pair NEW.so OLD.so THREADS SECONDS MODEL [NAME=FILE...]
 *
 * Prints the least and the median time of each in milliseconds: "new_min old_min new_median
 * old_median". What else the machine does meets both alike, as it does not two processes one after
 * the other. OLD.so may be older than structs that grow. */
#define _POSIX_C_SOURCE 200809L
#include "files/tensor_file.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RUNS = 4000 };

/* The calls of one library. Those without "_sized" are there in old ones only. */
typedef struct build {
    oc_model *(*load_sized)(const char *, const oc_model_options *, size_t, oc_error *);
    oc_model *(*load)(const char *, const oc_model_options *, oc_error *);
    oc_session *(*open_sized)(const oc_model *, const oc_session_options *, size_t, oc_error *);
    oc_session *(*open)(const oc_model *, const oc_session_options *, oc_error *);
    void (*bind)(oc_session *, const char *, oc_type, int, const int64_t *, const void *,
                 oc_error *);
    void (*run)(oc_session *, oc_error *);
    oc_session *session;
    double time[MOST_RUNS];
} build;

static double clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "bench_pair: %s: %s\n", what, why);
    return 1;
}

/* POSIX has functions as void pointers here, which C does not. */
static void find(void *library, const char *name, void *out)
{
    void *found = dlsym(library, name);
    memcpy(out, &found, sizeof found);
}

static bool open_build(build *b, const char *path, const char *model, int threads, oc_error *e)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fail(path, dlerror());
        return false;
    }
    find(library, "oc_model_load_sized", &b->load_sized);
    find(library, "oc_model_load", &b->load);
    find(library, "oc_session_new_sized", &b->open_sized);
    find(library, "oc_session_new", &b->open);
    find(library, "oc_bind", &b->bind);
    find(library, "oc_run", &b->run);
    const oc_session_options options = {.threads = threads};
    oc_model *m = b->load_sized ? b->load_sized(model, NULL, sizeof(oc_model_options), e)
                                : b->load(model, NULL, e);
    b->session =
        b->open_sized ? b->open_sized(m, &options, sizeof options, e) : b->open(m, &options, e);
    return e->code == OC_OK;
}

/* Reads a file and binds it in both. The value stays until the process ends. */
static void bind_file(build *b, const oc_model *m, const char *name, const char *path, oc_error *e)
{
    const tensor_options options = {.cap = SIZE_MAX, .quiet = true};
    oc_port port = {.rank = -1};
    for (int i = 0; i < oc_model_n_inputs(m); i++)
        if (strcmp(oc_model_input(m, i).name, name) == 0)
            port = oc_model_input(m, i);
    const oc_value *v = tensor_read(path, &port, &options, NULL, e);
    for (int i = 0; i < 2 && v; i++)
        b[i].bind(b[i].session, name, oc_value_type(v), oc_value_rank(v), oc_value_dims(v),
                  oc_value_data(v), e);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static build b[2];
    oc_error e = {0};
    if (argc < 6)
        return fail("usage", "bench_pair NEW.so OLD.so THREADS SECONDS MODEL [NAME=FILE...]");
    for (int i = 0; i < 2; i++)
        if (!open_build(&b[i], argv[1 + i], argv[5], atoi(argv[3]), &e))
            return fail(argv[1 + i], e.text);
    const oc_model *m = oc_model_load(argv[5], NULL, &e); /* for the types of its inputs */
    for (int i = 6; i < argc; i++) {
        char *path = strchr(argv[i], '=');
        *path++ = 0;
        bind_file(b, m, argv[i], path, &e);
    }
    const double end = clock_ms() + 1e3 * atof(argv[4]);
    int n = 0;
    for (; n < MOST_RUNS && (n < 5 || clock_ms() < end) && e.code == OC_OK; n++)
        for (int k = 0; k < 2; k++) {
            build *one = &b[(n + k) % 2];
            const double begin = clock_ms();
            one->run(one->session, &e);
            one->time[n] = clock_ms() - begin;
        }
    if (e.code != OC_OK)
        return fail(argv[5], e.text);
    for (int i = 0; i < 2; i++)
        qsort(b[i].time, (size_t)n, sizeof *b[i].time, by_size);
    printf("%.5f %.5f %.5f %.5f\n", b[0].time[0], b[1].time[0], b[0].time[n / 2], b[1].time[n / 2]);
}
