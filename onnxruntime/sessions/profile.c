/* SPDX-License-Identifier: Apache-2.0
 * profile.c - writes events as they end, in the words that ONNX Runtime's tools look for. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, localtime_r */

#include "sessions/profile.h"

#include "common/interface.h"
#include "sessions/written_file.h"

#include <inttypes.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

struct ort_profile {
    char *name;
    uint64_t start;       /* time of ort_profile_clock */
    uint64_t begun;       /* nanoseconds since 1970 */
    pthread_mutex_t lock; /* lock of the members below */
    ort_replacing file;   /* the file; without a stream the profile has ended */
    bool has_events;
};

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t ort_profile_clock(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t ort_profile_start(const ort_profile *profile)
{
    return profile->begun;
}

/* ---- a file ---- */

static OrtStatus *make_name(const char *prefix, char **name)
{
    struct timespec now;
    struct tm local;
    char text[64];
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &local);
    strftime(text, sizeof text, "%Y-%m-%d_%H-%M-%S", &local);
    const size_t size = strlen(prefix) + sizeof text + 16;
    ORT_TRY(ort_new(size, name));
    snprintf(*name, size, "%s_%s_%03d.json", prefix, text, (int)(now.tv_nsec / 1000000));
    return NULL;
}

OrtStatus *ort_profile_new(const char *prefix, ort_profile **out)
{
    ort_profile *p;
    *out = NULL;
    ORT_TRY(ort_new(sizeof *p, &p));
    OrtStatus *status = make_name(prefix, &p->name);
    if (!status)
        status = ort_replace_begin(p->name, &p->file);
    if (status) {
        free(p->name);
        free(p);
        return status;
    }
    p->start = ort_profile_clock();
    p->begun = read_clock(CLOCK_REALTIME);
    pthread_mutex_init(&p->lock, NULL);
    fputc('[', p->file.stream);
    *out = p;
    return NULL;
}

/* Under the lock: ends the file, and returns whether all of it is written. */
static bool close_file(ort_profile *p)
{
    fputs("\n]\n", p->file.stream);
    OrtStatus *status = ort_replace_end(&p->file);
    ort_ReleaseStatus(status);
    return !status;
}

char *ort_profile_end(ort_profile *profile)
{
    char *name = NULL;
    if (!profile)
        return NULL;
    pthread_mutex_lock(&profile->lock);
    if (profile->file.stream && close_file(profile)) {
        name = profile->name;
        profile->name = NULL;
    }
    pthread_mutex_unlock(&profile->lock);
    return name;
}

void ort_profile_free(ort_profile *profile)
{
    if (!profile)
        return;
    free(ort_profile_end(profile));
    pthread_mutex_destroy(&profile->lock);
    free(profile->name);
    free(profile);
}

/* ---- events ---- */

static void write_text(FILE *f, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < ' ')
            fprintf(f, "\\u%04x", c);
        else
            fprintf(f, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
}

/* Threads are told apart by a number of their own. */
static uintptr_t this_thread(void)
{
    return (uintptr_t)pthread_self();
}

/* Writes an event from then to now, in microseconds from the beginning of the profile, up to its
 * name. The lock is held. */
static void begin_event(ort_profile *p, const char *category, uint64_t begin, uint64_t duration)
{
    fprintf(p->file.stream,
            "%s\n{\"cat\" : \"%s\",\"pid\" :%ld,\"tid\" :%" PRIuPTR ",\"dur\" :%" PRIu64
            ",\"ts\" :%" PRIu64 ",\"ph\" : \"X\",\"name\" :\"",
            p->has_events ? "," : "", category, (long)getpid(), this_thread(), duration / 1000,
            (begin > p->start ? begin - p->start : 0) / 1000);
    p->has_events = true;
}

void ort_profile_span(ort_profile *profile, const char *name, uint64_t begin)
{
    if (!profile)
        return;
    pthread_mutex_lock(&profile->lock);
    if (profile->file.stream) {
        begin_event(profile, "Session", begin, ort_profile_clock() - begin);
        fprintf(profile->file.stream, "%s\",\"args\" : {}}", name);
    }
    pthread_mutex_unlock(&profile->lock);
}

/* "input_type_shape" : [{"float":[2,3]}], with {} for what is no tensor or missing. */
static void write_shapes(FILE *f, const char *key, const oc_value *const *value, int n)
{
    fprintf(f, ",\"%s\" : [", key);
    for (int i = 0; i < n; i++) {
        const oc_value *v = value[i];
        fputs(i ? ",{" : "{", f);
        if (v && oc_value_kind(v) == OC_TENSOR) {
            fprintf(f, "\"%s\":[", oc_type_name(oc_value_type(v)));
            for (int a = 0; a < oc_value_rank(v); a++)
                fprintf(f, "%s%" PRId64, a ? "," : "", oc_value_dims(v)[a]);
            fputc(']', f);
        }
        fputc('}', f);
    }
    fputc(']', f);
}

static void write_arguments(FILE *f, const oc_node_event *e)
{
    fputs("\",\"args\" : {\"op_name\" : \"", f);
    write_text(f, e->op_type);
    fprintf(f, "\",\"node_index\" : \"%" PRId64 "\",\"provider\" : \"" ORT_CPU_PROVIDER "\"",
            e->sequence);
    if (e->fused_into)
        fprintf(f, ",\"fused_into\" : \"%s\"", e->fused_into);
    if (e->in)
        write_shapes(f, "input_type_shape", e->in, e->n_in);
    if (e->out)
        write_shapes(f, "output_type_shape", e->out, e->n_out);
    fputs("}}", f);
}

static void write_node(ort_profile *p, const oc_node_event *e)
{
    const uint64_t took = e->nanoseconds > 0 ? (uint64_t)e->nanoseconds : 0;
    begin_event(p, "Node", ort_profile_clock() - took, took);
    write_text(p->file.stream, *e->name ? e->name : e->op_type);
    if (!*e->name)
        fprintf(p->file.stream, "_%" PRId64, e->sequence);
    fputs("_kernel_time", p->file.stream);
    write_arguments(p->file.stream, e);
}

void ort_profile_node(ort_profile *profile, const oc_node_event *event)
{
    if (event->begin)
        return;
    pthread_mutex_lock(&profile->lock);
    if (profile->file.stream)
        write_node(profile, event);
    pthread_mutex_unlock(&profile->lock);
}
