/* SPDX-License-Identifier: Apache-2.0
 * test_mapped.c - files of a model that are overwritten while they are mapped: numbers change, and
 * nothing else. */
#define _POSIX_C_SOURCE 200809L
#include "models.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[256], model_path[300], data_path[300];
static char original[1 << 20], data_original[1 << 19];
static size_t original_size, data_size;

/* ---- a model of large constants of every kind ---- */

static void add_list(text_buffer *t, const char *type, const char *name, int n, int modulo)
{
    text_add(t, "%s %s = {", type, name);
    for (int i = 0; i < n; i++)
        text_add(t, "%s%d", i ? "," : "", i % modulo);
    text_add(t, "}");
}

enum { INDICES = 9000, BYTES = 128 * 600 };

/* external: the file of some constants; NULL: the text has them. */
static char *make_text(const char *external)
{
    text_buffer t = {.bytes = NULL};
    text_add(&t, "<ir_version: 10, opset_import: [\"\" : 17]>\n"
                 "g (float[4,128] x, uint8[4,128] q) => (product, picked, small, codes, chosen, "
                 "put, left, shaped)\n<");
    if (external) {
        text_add(&t, "float[128,160] w = [\"location\": \"data\", \"offset\": \"0\"],");
        text_add(&t, "int64[9000] i = [\"location\": \"data\", \"offset\": \"81920\"],");
        text_add(&t, "uint8[128,600] u = [\"location\": \"data\", \"offset\": \"153920\"],");
    } else {
        add_list(&t, "float[128,160]", "w", 128 * 160, 17);
        text_add(&t, ",");
        add_list(&t, "int64[9000]", "i", INDICES, 8);
        text_add(&t, ",");
        add_list(&t, "uint8[128,600]", "u", BYTES, 200);
        text_add(&t, ",");
    }
    add_list(&t, "int32[20000]", "j", 20000, 8);
    text_add(&t, ",");
    add_list(&t, "bool[70000]", "m", 70000, 2);
    text_add(&t, ",float[8] few = {1,2,3,4,5,6,7,8}, int64[2] lens = {1, 3}, int64[3] shape = {2, "
                 "2, 128}, int64[2] one = {9000, 1}>\n{\n"
                 "product = MatMul (x, w)\n"
                 "picked = Gather (few, i)\n"
                 "small = Gather (few, j)\n"
                 "codes = MatMulInteger (q, u)\n"
                 "chosen = NonZero (m)\n"
                 "tuples = Reshape (i, one)\n"
                 "values = Gather (few, i)\n"
                 "put = ScatterND (few, tuples, values)\n"
                 "left, right = Split <axis = 0> (x, lens)\n"
                 "shaped = Reshape (x, shape)\n"
                 "}\n");
    return t.bytes;
}

static bool write_bytes(void *ctx, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, ctx) == size;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    ck_assert(f && write_bytes(f, bytes, size));
    fclose(f);
}

static size_t read_back(const char *path, char *to, size_t room)
{
    FILE *f = fopen(path, "rb");
    const size_t n = fread(to, 1, room, f);
    ck_assert(n < room);
    fclose(f);
    return n;
}

static void make_files(bool external)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/ocellus-mapped-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(model_path, sizeof model_path, "%s/m.onnx", folder);
    snprintf(data_path, sizeof data_path, "%s/data", folder);
    char *text = make_text(external ? "data" : NULL);
    data_size = 0;
    if (external) {
        data_size = 153920 + BYTES;
        for (size_t i = 0; i < data_size; i++)
            data_original[i] = (char)(i < 81920 || i >= 153920 ? i % 63 : 0);
        for (size_t i = 0; i < INDICES; i++)
            data_original[81920 + 8 * i] = (char)(i % 8);
        write_file(data_path, data_original, data_size);
        write_file(model_path, text, strlen(text));
    } else {
        oc_error e = {.code = OC_OK};
        oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
        FILE *f = fopen(model_path, "wb");
        oc_model_save(m, OC_FORMAT_ONNX, &(oc_writer){write_bytes, f}, &e);
        fclose(f);
        oc_model_free(m);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
    }
    free(text);
    original_size = read_back(model_path, original, sizeof original);
}

static void remove_files(void)
{
    unlink(model_path);
    unlink(data_path);
    rmdir(folder);
}

/* ---- overwriting ---- */

static void overwrite_file(const char *path, size_t size, int pattern)
{
    static uint8_t bytes[1 << 20];
    suite_random r = {(uint32_t)pattern};
    for (size_t i = 0; i < size; i++)
        bytes[i] = pattern == 0 ? 0 : pattern == 1 ? 255 : (uint8_t)suite_below(&r, 256);
    const int file = open(path, O_WRONLY);
    ck_assert(file >= 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
    close(file);
}

static void overwrite(int pattern)
{
    overwrite_file(model_path, original_size, pattern);
    if (data_size)
        overwrite_file(data_path, data_size, pattern);
}

static void restore(void)
{
    write_file(model_path, original, original_size);
    if (data_size)
        write_file(data_path, data_original, data_size);
}

typedef enum stage { NEVER, LOADING, LOADED, PLANNING, PLANNED, RUNNING } stage;

typedef struct host {
    bool armed;
    int left; /* allocations before the files are overwritten */
    int pattern;
} host;

static void *resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
    host *h = ctx;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    if (h->armed && h->left-- == 0) {
        overwrite(h->pattern);
        h->armed = false;
    }
    return realloc(block, new_size);
}

/* Loads and runs, with other bytes at the k-th allocation of a stage; false when there was none. */
static bool attempt(stage when, int k, int pattern, bool no_map)
{
    static float x[4 * 128];
    static uint8_t q[4 * 128];
    static const int64_t dims[] = {4, 128};
    host h = {.pattern = pattern, .left = k};
    oc_error e = {.code = OC_OK};
    h.armed = when == LOADING;
    oc_model *m =
        oc_model_load(model_path, &(oc_model_options){.alloc = {resize, &h}, .no_map = no_map}, &e);
    bool reached = when == LOADING && !h.armed;
    h.armed = when == PLANNING;
    if (when == LOADED)
        overwrite(pattern);
    oc_session *s = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
    reached |= when == PLANNING && !h.armed;
    h.armed = when == RUNNING;
    if (when == PLANNED)
        overwrite(pattern);
    if (m && oc_model_n_inputs(m) == 2) {
        oc_bind(s, "x", OC_F32, 2, dims, x, &e);
        oc_bind(s, "q", OC_U8, 2, dims, q, &e);
    }
    oc_run(s, &e);
    reached |= when == RUNNING && !h.armed;
    if (when != LOADING) {
        static const int64_t sizes[] = {4 * 160, INDICES, 20000, 4 * 600, 35000, 8, 128, 512};
        for (int i = 0; i < 8; i++)
            ck_assert_msg(e.code == OC_OK &&
                              oc_value_count(oc_fetch_value_at(s, i, &e)) == sizes[i],
                          "stage %d, allocation %d, pattern %d: %s", when, k, pattern, e.text);
        const float *picked = oc_fetch(s, "picked", NULL, &e), *put = oc_fetch(s, "put", NULL, &e);
        for (int i = 0; i < 8; i++)
            ck_assert(picked[i] == (float)i + 1 && put[i] == (float)i + 1);
    }
    h.armed = false;
    oc_session_free(s);
    oc_model_free(m);
    restore();
    return reached;
}

static void attempt_all(bool external)
{
    make_files(external);
    attempt(NEVER, 0, 0, false);
    for (int pattern = 0; pattern < 4; pattern++) {
        attempt(LOADED, 0, pattern, false);
        attempt(PLANNED, 0, pattern, false);
        for (stage when = LOADING; when <= RUNNING; when += 2) {
            int k = 0;
            while (attempt(when, k, pattern, false))
                k += when == PLANNING && k > 20 ? 7 : 1;
            ck_assert_int_gt(k, 0);
        }
    }
    remove_files();
}

START_TEST(model_file)
{
    attempt_all(false);
}
END_TEST

START_TEST(external_data)
{
    attempt_all(true);
}
END_TEST

/* Without maps nothing changes, even where files become shorter. */
START_TEST(files_that_are_read)
{
    static float x[4 * 128], y[4 * 160];
    static uint8_t q[4 * 128];
    static const int64_t dims[] = {4, 128};
    for (int external = 0; external < 2; external++) {
        make_files(external);
        oc_error e = {.code = OC_OK};
        oc_model *m = oc_model_load(model_path, &(oc_model_options){.no_map = true}, &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        for (int round = 0; round < 2; round++) {
            oc_session *s = oc_session_new(m, &(oc_session_options){.threads = 1}, &e);
            for (int i = 0; i < 4 * 128; i++)
                x[i] = (float)(i % 11);
            oc_bind(s, "x", OC_F32, 2, dims, x, &e);
            oc_bind(s, "q", OC_U8, 2, dims, q, &e);
            oc_run(s, &e);
            const float *product = oc_fetch(s, "product", NULL, &e);
            ck_assert_msg(e.code == OC_OK, "%s", e.text);
            if (round)
                ck_assert_int_eq(memcmp(product, y, sizeof y), 0);
            memcpy(y, product, sizeof y);
            oc_session_free(s);
            ck_assert_int_eq(truncate(model_path, 100), 0);
            if (external)
                ck_assert_int_eq(truncate(data_path, 100), 0);
        }
        oc_model_free(m);
        remove_files();
    }
}
END_TEST

/* A cap that the file does not fit under. */
START_TEST(files_that_are_read_count)
{
    make_files(false);
    oc_error e = {.code = OC_OK};
    ck_assert_ptr_null(oc_model_load(
        model_path, &(oc_model_options){.no_map = true, .limits.memory_cap = original_size / 2},
        &e));
    ck_assert_int_eq(e.code, OC_LIMIT);
    remove_files();
}
END_TEST

SUITE("mapped", model_file, external_data, files_that_are_read, files_that_are_read_count)
