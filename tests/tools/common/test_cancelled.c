/* SPDX-License-Identifier: Apache-2.0
 * test_cancelled.c - after SIGINT no part of the command goes through all elements of a value: each
 * ends with OC_CANCELLED before the first. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include "values/heat.h"
#include "common/data.h"
#include "common/signals.h"
#include "files/image_filter.h"
#include "files/npy.h"
#include "files/npz.h"
#include "files/tensor_file.h"
#include "values/compare.h"
#include "values/fill.h"
#include "values/stats.h"
#include "values/trace_entry.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static oc_value *ones(oc_type type)
{
    oc_error e = {0};
    const int64_t dim[] = {1, 1, 4, 4};
    oc_value *v = oc_tensor_new(type, 4, dim, NULL, &e);
    ck_assert_ptr_nonnull(v);
    memset(oc_value_mutable_data(v), 1, 16 * oc_type_size(type));
    return v;
}

/* io_read ends with OC_CANCELLED too. */
static io_bytes load(const char *name)
{
    char path[512];
    io_bytes b = {.data = data_resize(NULL, 1 << 16), .room = 1 << 16};
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    ck_assert(file && b.data);
    b.size = fread(b.data, 1, b.room, file);
    fclose(file);
    return b;
}

/* The first time it catches SIGINT and sends it to this process; the state lasts. */
static void interrupt(void)
{
    if (signals_cancelled(NULL))
        return;
    signals_catch();
    raise(SIGINT);
    ck_assert(signals_cancelled(NULL));
}

static void cancelled(oc_error *e)
{
    ck_assert_msg(e->code == OC_CANCELLED && strstr(e->text, "cancelled"), "%d '%s'", e->code,
                  e->text);
    *e = (oc_error){0};
}

START_TEST(elements_of_values)
{
    oc_error e = {0};
    const int64_t large = 1 << 22;
    oc_value *v = ones(OC_F32), *zeros = ones(OC_F32);
    memset(oc_value_mutable_data(zeros), 0, 64);
    interrupt();
    ck_assert_ptr_null(data_tensor(OC_F32, 1, &large, "x", &e));
    cancelled(&e);
    fill_tensor(v, 1, "x", &e);
    cancelled(&e);
    ck_assert(((float *)oc_value_mutable_data(v))[0] != 0);
    stats_of(v, &e);
    cancelled(&e);
    stats_print("x", 1, v, NULL, &e);
    cancelled(&e);
    const compare_bound bound = {.rtol = 9, .atol = 9};
    const compare_result r = compare_values(v, zeros, &bound);
    ck_assert(r.cancelled && !r.agrees);
    ck_assert(!compare_values(v, v, &bound).cancelled);
    ck_assert_uint_eq(value_print(v), value_print(zeros));
    oc_value_free(v);
    oc_value_free(zeros);
}
END_TEST

START_TEST(elements_of_arrays)
{
    static const char *const names[] = {"f4_big.npy", "f4_fortran.npy", "bool.npy", "text.npy"};
    oc_error e = {0};
    npz_file archive;
    interrupt();
    for (int i = 0; i < 4; i++) {
        io_bytes b = load(names[i]);
        ck_assert_ptr_null(npy_read(b.data, b.size, names[i], &e));
        cancelled(&e);
        io_bytes_free(&b);
    }
    for (int i = 0; i < 2; i++) {
        io_bytes b = load(i ? "deflated.npz" : "stored.npz");
        npz_read(&archive, b.data, b.size, 1 << 20, "archive", &e);
        cancelled(&e);
        io_bytes_free(&b);
    }
    for (int i = 0; i < 2; i++) { /* codes, and numbers of another type */
        const oc_port port = {.name = "x", .type = i ? OC_F64 : OC_U4};
        const tensor_options options = {.cast = true};
        ck_assert_ptr_null(tensor_as(ones(OC_U8), &port, &options, "x", &e));
        cancelled(&e);
    }
}
END_TEST

START_TEST(samples_of_pictures)
{
    oc_error e = {0};
    image_options options = {0};
    uint16_t sample[16] = {0};
    image m = {.width = 4, .height = 4, .channels = 1, .white = 255, .sample = sample}, out;
    const oc_port port = {.name = "x", .type = OC_F32, .rank = -1};
    char text[IMAGE_TEXT];
    oc_value *v = ones(OC_F32);
    interrupt();
    ck_assert_ptr_null(image_to_tensor(&m, &port, &options, "p", text, &e));
    cancelled(&e);
    for (int k = 0; k < IMAGE_FILTER_KINDS; k++) {
        const image_sizing sizing = {.how = IMAGE_STRETCH, .filter = k, .width = 3, .height = 2};
        image copy = {.width = 4, .height = 4, .channels = 1, .white = 255};
        copy.sample = data_alloc(sizeof sample, "p", &e);
        memcpy(copy.sample, sample, sizeof sample);
        image_resize(&copy, &sizing, 1 << 20, "p", &e);
        cancelled(&e);
        image_free(&copy);
    }
    image_from_tensor(&out, v, &options, NULL, "p", text, &e);
    cancelled(&e);
    image_free(&out);
    image_read(&out, "P2 2 2 9 1 2 3 4", 16, 1 << 20, "p", &e);
    cancelled(&e);
    image_free(&out);
    oc_value_free(v);
}
END_TEST

SUITE("cancelled", elements_of_values, elements_of_arrays, samples_of_pictures)
