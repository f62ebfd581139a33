/* SPDX-License-Identifier: Apache-2.0
 * async.c - runs on a thread of their own. */
#include "common/guard.h"
#include "common/interface.h"
#include "sessions/session.h"

enum {
    STACK = 8 << 20 /* bytes, as a program's first thread has: a C library may give far fewer */
};

typedef struct job {
    OrtSession *session; /* held */
    const OrtRunOptions *options;
    ort_feed feed;
    RunAsyncCallbackFn done;
    void *user_data;
} job;

static void *run_in_thread(void *arg)
{
    job *j = arg;
    OrtStatus *status = ort_run(j->session, j->options, &j->feed);
    ort_ReleaseSession(j->session);
    ort_guard_done(j->done, j->user_data, j->feed.output, status ? 0 : j->feed.n_output, status);
    free(j);
    return NULL;
}

static OrtStatus *start_thread(job *j)
{
    pthread_t thread;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&detached, STACK);
    const int failed = pthread_create(&thread, &detached, run_in_thread, j);
    pthread_attr_destroy(&detached);
    return failed ? ort_fail(ORT_FAIL, "RunAsync: no thread can be started") : NULL;
}

/* Names and values are the program's, and stay until the run has ended. */
OrtStatus *ort_RunAsync(OrtSession *session, const OrtRunOptions *options,
                        const char *const *input_name, const OrtValue *const *input, size_t n_input,
                        const char *const *output_name, size_t n_output, OrtValue **output,
                        RunAsyncCallbackFn done, void *user_data)
{
    ORT_NEED(session && ((input_name && input) || !n_input) &&
             ((output_name && output) || !n_output));
    job *j;
    ORT_EXPECT(done, "RunAsync: there is no function to call when the run has ended");
    ORT_TRY(ort_new(sizeof *j, &j));
    *j = (job){.session = ort_session_hold(session),
               .options = options,
               .feed = {input_name, input, n_input, output_name, output, n_output},
               .done = done,
               .user_data = user_data};
    OrtStatus *status = start_thread(j);
    if (status) {
        ort_ReleaseSession(session);
        free(j);
    }
    return status;
}
