/* SPDX-License-Identifier: Apache-2.0
 * test_output_bindings.c - a host's mistakes with memory of its own for outputs, and with sizes of
 * structs.
 */
#include "misuse.h"

static _Alignas(64) float room[17], more[16];

/* Output y into room, by its right type and dims but for what is given. */
static void bind_y(oc_type type, int rank, const int64_t *dims, void *data, size_t size)
{
    oc_bind_output(s, "y", type, rank, dims, data, size, e);
}

static void bind_right(void)
{
    bind_y(OC_F32, 1, dim, room, sizeof room);
}

/* The run must refuse what bind took. */
static void run_refused(oc_status want)
{
    misuse_check(e->code == OC_OK);
    oc_run(s, e);
    misuse_check(e->code == want && strstr(e->text, "'y'"));
    oc_error later = {0};
    misuse_check(!oc_fetch(s, "y", NULL, &later) && later.code == OC_ARGUMENT);
}

START_TEST(binding)
{
    HARMLESS(bind_right());
    HARMLESS(oc_bind_output(s, "y", OC_F32, 1, dim, room, sizeof room, NULL));
    HARMLESS(bind_y(OC_F32, 1, dim, NULL, 0)); /* the session's own memory, as before */
    HARMLESS(bind_y(OC_UNDEFINED, 0, NULL, NULL, 0));
    REFUSED(ARGUMENT, oc_bind_output(NULL, "y", OC_F32, 1, dim, room, sizeof room, e));
    REFUSED(ARGUMENT, oc_bind_output(s, NULL, OC_F32, 1, dim, room, sizeof room, e));
    REFUSED(ARGUMENT, oc_bind_output(s, "x", OC_F32, 1, dim, room, sizeof room, e));
    REFUSED(ARGUMENT, bind_y(OC_F32, 1, NULL, room, sizeof room));
    REFUSED(ARGUMENT, bind_y(OC_F32, -2, dim, room, sizeof room));
    REFUSED(ARGUMENT, bind_y(OC_F32, 17, dim, room, sizeof room));
    REFUSED(ARGUMENT, bind_y(OC_F32, 1, (int64_t[]){-2}, room, sizeof room));
    REFUSED(ARGUMENT, bind_y(OC_F32, 2, (int64_t[]){INT64_MAX, INT64_MAX}, room, SIZE_MAX));
    REFUSED(ARGUMENT, bind_y(OC_F32, 1, dim, room, 15));
    REFUSED(ARGUMENT, bind_y(OC_F32, 1, dim, (char *)room + 1, 16));
    REFUSED(ARGUMENT, bind_y(OC_UNDEFINED, 1, dim, room, sizeof room));
    REFUSED(ARGUMENT, bind_y((oc_type)99, 1, dim, room, sizeof room));
    REFUSED(TYPE, bind_y(OC_F64, 1, dim, room, sizeof room));
    REFUSED(TYPE, bind_y(OC_STRING, 1, dim, room, sizeof room));
    misuse_report();
}
END_TEST

static void overlapping(void *y, void *z)
{
    bind_y(OC_F32, 1, dim, y, 16);
    oc_bind_output(s, "z", OC_F32, 1, dim, z, 16, e);
    misuse_check(e->code == OC_OK);
    oc_run(s, e);
}

START_TEST(running)
{
    MISUSE(OC_SHAPE, "another dim", bind_y(OC_F32, 1, (int64_t[]){5}, room, sizeof room);
           run_refused(OC_SHAPE));
    MISUSE(OC_SHAPE, "another rank", bind_y(OC_F32, 2, dim, room, sizeof room);
           run_refused(OC_SHAPE));
    MISUSE(OC_LIMIT, "less room", bind_y(OC_F32, -1, NULL, room, 15); run_refused(OC_LIMIT));
    MISUSE(OC_LIMIT, "no room", bind_y(OC_F32, 1, (int64_t[]){-1}, room, 0); run_refused(OC_LIMIT));
    MISUSE(OC_ARGUMENT, "the memory of an input", bind_y(OC_F32, 1, dim, (void *)(uintptr_t)x, 16);
           run_refused(OC_ARGUMENT));
    REFUSED(ARGUMENT, overlapping(room, room));
    REFUSED(ARGUMENT, overlapping(room, room + 3));
    REFUSED(ARGUMENT, overlapping(room + 3, room));
    HARMLESS(overlapping(room, room + 4));
    HARMLESS(overlapping(room, more));
    misuse_report();
}
END_TEST

static bool runs_again(void)
{
    bind_right();
    oc_run(s, e);
    const bool first = oc_fetch(s, "y", NULL, e) == room && room[1] == 2;
    bind_y(OC_F32, 1, dim, more, sizeof more); /* room is the host's again */
    memset(room, 0, sizeof room);
    oc_run(s, e);
    return first && oc_fetch(s, "y", NULL, e) == more && more[1] == 2 && room[1] == 0;
}

/* Outputs of a run are inputs of the next: not into the memory that they lie in. */
static void feed_back(void)
{
    bind_right();
    oc_run(s, e);
    oc_bind_value(s, "x", oc_fetch_value(s, "y", e), e);
    run_refused(OC_ARGUMENT);
}

START_TEST(order)
{
    GIVES(runs_again());
    REFUSED(ARGUMENT, oc_run(s, e); bind_right(); oc_fetch(s, "y", NULL, e));
    REFUSED(ARGUMENT, bind_right(); oc_fetch(s, "y", NULL, e));
    REFUSED(ARGUMENT, bind_right(); oc_run(s, e); bind_y(OC_F32, 0, NULL, NULL, 0);
            oc_fetch(s, "y", NULL, e));
    GIVES((bind_right(), oc_run(s, e), bind_y(OC_F32, 0, NULL, NULL, 0), oc_run(s, e),
           oc_fetch(s, "y", NULL, e) != room));
    /* After a bind that was refused, the one before it holds. */
    GIVES((bind_right(), bind_y(OC_F64, 1, dim, more, sizeof more), *e = (oc_error){0},
           oc_run(s, e), oc_fetch(s, "y", NULL, e) == room));
    GIVES((bind_right(), oc_run(s, e),
           !oc_value_mutable_data((oc_value *)(uintptr_t)oc_fetch_value(s, "y", e))));
    REFUSED(ARGUMENT, feed_back());
    misuse_report();
}
END_TEST

START_TEST(sizes)
{
    static const oc_session_options o;
    static const oc_model_options of_model;
    oc_port port;
    GIVES((oc_session_free(oc_session_new_sized(m, &o, 0, e)), true));
    GIVES((oc_session_free(oc_session_new_sized(m, NULL, SIZE_MAX, e)), true));
    REFUSED(ARGUMENT, oc_session_new_sized(m, &o, SIZE_MAX, e));
    REFUSED(ARGUMENT, oc_model_load_memory_sized(misuse_model, 9, &of_model, SIZE_MAX, e));
    HARMLESS(oc_model_input_sized(m, 0, NULL, sizeof port));
    HARMLESS(oc_model_output_sized(m, 0, &port, 0));
    HARMLESS(oc_model_describe_sized(m, NULL, 8));
    HARMLESS(oc_session_describe_sized(s, NULL, 8));
    GIVES(!oc_model_operator_at_sized(m, 0, NULL, 8));
    misuse_report();
}
END_TEST

SUITE("output bindings", binding, running, order, sizes)
