/* SPDX-License-Identifier: Apache-2.0
 * test_frames.c - streams of pictures, read in pieces of any size, cut off anywhere, and written.
 */
#define _POSIX_C_SOURCE 200809L
#include "test_files.h"
#include "files/frames.h"

#include <unistd.h>

enum { CAP = 1 << 20 };

#define BYTES(text)                                                                                \
    {                                                                                              \
        text, sizeof text - 1                                                                      \
    }

typedef struct piece {
    const char *bytes;
    size_t size;
} piece;

/* The marks of a JPEG in whose segment, coded pixels and fill bytes is what looks like an end; no
 * decoder would take it. Then PNM with digits where blanks could follow, and a PNG of two chunks.
 */
static const piece whole[] = {
    BYTES("\xff\xd8\xff\xe1\0\x8"
          "a\xff\xd9\xff\xd8z\xff\xff\xda\0\3q\1\xff\0\xd9\2\xff\xd0\xff\xff\xd7\3\xff\xda\0\2"
          "xyz\xff\xff\xd9"),
    BYTES("P6 2 #a comment 7\n1\n255\n123456"),
    BYTES("P5 01 1 065535\n\n\n"),
    BYTES("P4\n9 2\n1234"),
    BYTES("\x89PNG\r\n\x1a\n\0\0\0\4abcdIENDsum.\0\0\0\0IENDsum."),
    BYTES("RIFF\5\0\0\0WEBPa\0"),
    BYTES("BM\x16\0\0\0\0\0\0\0\0\0\0\0\x28\0\0\0abcd"),
    BYTES("\xff\xd8\xff\xd9"),
    BYTES("P2 1 1 9 7 "),
};
static const piece between[] = {
    BYTES(""), BYTES("\n"), BYTES("\0\0\0\0\0"), BYTES(""), BYTES(" "),
    BYTES(""), BYTES(""),   BYTES("\r\n"),       BYTES(""),
};
enum { N = sizeof whole / sizeof *whole };

/* A reader that gives at most `step` bytes at a time. */
typedef struct feed {
    const unsigned char *at;
    size_t left, step;
} feed;

static size_t give(void *ctx, void *buffer, size_t size)
{
    feed *f = ctx;
    size_t n = size < f->step ? size : f->step;
    n = n < f->left ? n : f->left;
    memcpy(buffer, f->at, n);
    f->at += n;
    f->left -= n;
    return n;
}

static io_bytes join(int n)
{
    io_bytes b = {0};
    const oc_writer w = io_bytes_writer(&b);
    for (int i = 0; i < n; i++)
        ck_assert(w.write(w.ctx, whole[i].bytes, whole[i].size) &&
                  w.write(w.ctx, between[i].bytes, between[i].size));
    return b;
}

START_TEST(pictures_come_whole_in_any_pieces)
{
    io_bytes stream = join(N), out = {0};
    for (size_t step = 1; step < 200; step++) {
        feed from = {stream.data, stream.size, step};
        const oc_reader in = {give, &from};
        oc_error e = {0};
        frames f;
        frames_begin(&f, &in, "stream", CAP);
        for (int i = 0; i < N; i++) {
            ck_assert_msg(frames_next(&f, &out, &e), "%zu, %d: %s", step, i, e.text);
            ck_assert_int_eq(f.n, i + 1);
            ck_assert_int_eq(f.kind, kind_of(whole[i].bytes, whole[i].size));
            ck_assert_msg(out.size == whole[i].size &&
                              memcmp(out.data, whole[i].bytes, out.size) == 0,
                          "%zu, %d: %zu bytes", step, i, out.size);
        }
        ck_assert(!frames_next(&f, &out, &e) && e.code == OC_OK);
        ck_assert(!frames_next(&f, &out, &e) && f.n == N);
        frames_close(&f);
    }
    io_bytes_free(&stream);
    io_bytes_free(&out);
}
END_TEST

/* Reads all of a stream and returns how many pictures came before *e. */
static int count(const unsigned char *bytes, size_t size, size_t step, size_t cap, oc_error *e)
{
    feed from = {bytes, size, step};
    const oc_reader in = {give, &from};
    io_bytes out = {0};
    frames f;
    int n = 0;
    frames_begin(&f, &in, "stream", cap);
    while (frames_next(&f, &out, e))
        n++;
    ck_assert(e->code != OC_OK || !frames_next(&f, &out, e));
    frames_close(&f);
    io_bytes_free(&out);
    return n;
}

/* The last picture of the stream ends where the stream ends, so it has no other end to miss. */
START_TEST(a_cut_picture_is_told_by_its_number)
{
    io_bytes stream = join(N - 1);
    int before = 0;
    size_t begin = 0;
    for (size_t n = 0; n <= stream.size; n++) {
        if (before < N - 1 && n == begin + whole[before].size)
            begin += whole[before].size + between[before].size, before++;
        oc_error e = {0};
        char wanted[60];
        ck_assert_int_eq(count(stream.data, n, 7, CAP, &e), before);
        snprintf(wanted, sizeof wanted, "stream: picture %d: ", before + 1);
        const bool inside = n > begin;
        ck_assert_msg(e.code == (inside ? OC_FORMAT : OC_OK), "%zu: %s", n, e.text);
        ck_assert_msg(!inside || strncmp(e.text, wanted, strlen(wanted)) == 0, "%s", e.text);
    }
    io_bytes_free(&stream);
}
END_TEST

START_TEST(what_is_no_picture_is_told)
{
    static const struct {
        piece bytes;
        int n;
        oc_status code;
        const char *told;
    } rows[] = {
        {BYTES(""), 0, OC_OK, ""},
        {BYTES("text"), 0, OC_FORMAT, "stream: picture 1: it is text, expected a picture: PNG"},
        {BYTES("P5 1 1 9\n\1text"), 1, OC_FORMAT, "stream: picture 2: it is text"},
        {BYTES("P5 x"), 0, OC_FORMAT, "stream: picture 1: damaged PNM"},
        {BYTES("P5 1048577 1 9\n"), 0, OC_FORMAT, "stream: picture 1: damaged PNM"},
        {BYTES("P6 1048576 1048576 65535\n"), 0, OC_LIMIT, "stream: picture 1: more than 1048576"},
        {BYTES("\x89PNG\r\n\x1a\n\xff\xff\xff\xff\0\0\0\0sum."), 0, OC_LIMIT, "more than 1048576"},
        {BYTES("\x89PNG\r\n\x1a\n\0\0\0\x9IEND"), 0, OC_FORMAT, "it is cut off"},
        {BYTES("\xff\xd8\xff\xe1\0\1"), 0, OC_FORMAT, "a segment has a size of 1"},
        /* without an end, the first ends where the second begins */
        {BYTES("\xff\xd8\xff\xda\0\2ab\xff\xd8\xff\xd9"), 2, OC_OK, ""},
        {BYTES("GIF89a\0\0\xff\xd8\xff\xd9"), 1, OC_OK, ""},
        {BYTES("BM\0\0\0\0\0\0\0\0\0\0\0\0\x28\0\0\0abcdBM"), 1, OC_OK, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        oc_error e = {0};
        const piece *b = &rows[i].bytes;
        ck_assert_int_eq(count((const unsigned char *)b->bytes, b->size, 3, CAP, &e), rows[i].n);
        ck_assert_msg(e.code == rows[i].code && strstr(e.text, rows[i].told), "%s", e.text);
    }
}
END_TEST

START_TEST(pictures_and_headers_are_bounded)
{
    oc_error e = {0};
    io_bytes large = {0};
    ck_assert(io_bytes_grow(&large, 40000));
    memset(large.data, ' ', 40000);
    memcpy(large.data, "P5", 2);
    ck_assert_int_eq(count(large.data, 40000, 40000, CAP, &e), 0);
    ck_assert_msg(strstr(e.text, "a header of more than 16384 bytes"), "%s", e.text);
    memset(large.data, 7, 40000);
    memcpy(large.data, "\xff\xd8\xff\xda\0\2", 6);
    memcpy(large.data + 39998, "\xff\xd9", 2);
    for (size_t cap = 39998; cap < 40002; cap++) {
        e = (oc_error){0};
        ck_assert_int_eq(count(large.data, 40000, 999, cap, &e), cap >= 40000);
        ck_assert_int_eq(e.code, cap >= 40000 ? OC_OK : OC_LIMIT);
    }
    io_bytes_free(&large);
}
END_TEST

/* A picture is there when its last byte is, and waits for no more. */
START_TEST(pictures_do_not_wait_for_the_next)
{
    int ends[2];
    char path[40];
    io_bytes out = {0};
    oc_error e = {0};
    frames f;
    ck_assert_int_eq(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    frames_open(&f, path, CAP, &e);
    for (int i = 0; i < N - 1; i++) {
        ck_assert_int_eq(write(ends[1], whole[i].bytes, whole[i].size), (ssize_t)whole[i].size);
        ck_assert_msg(frames_next(&f, &out, &e) && out.size == whole[i].size, "%s", e.text);
    }
    close(ends[1]);
    ck_assert(!frames_next(&f, &out, &e) && e.code == OC_OK);
    frames_close(&f);
    close(ends[0]);
    frames_open(&f, "no/such/file", CAP, &e);
    ck_assert(e.code == OC_IO && !frames_next(&f, &out, &e));
    e = (oc_error){0};
    ck_assert(!frames_next(&f, &out, &e) && e.code == OC_OK);
    frames_close(&f);
    io_bytes_free(&out);
}
END_TEST

static void fill(image *m, int channels, int white)
{
    oc_error e = {0};
    *m = (image){.width = 5, .height = 3, .channels = channels, .white = white};
    image_alloc(m, CAP, "test", &e);
    for (int i = 0; i < 15 * channels; i++)
        m->sample[i] = (uint16_t)(i * 7919 % (white + 1));
}

START_TEST(what_is_written_is_read)
{
    static const file_kind kinds[] = {KIND_PNM, KIND_JPEG, KIND_PNG, KIND_GIF};
    static const char path[] = "test_frames.stream";
    oc_error e = {0};
    io_file out;
    image m, back;
    frames f;
    io_bytes b = {0};
    io_create(&out, path, &e);
    for (int i = 0; i < 32; i++) {
        fill(&m, 1 + i / 4 % 4, i < 16 ? 255 : 65535);
        frames_write(&m, kinds[i % 4], &out, &e);
        image_free(&m);
    }
    io_commit(&out, &e);
    frames_open(&f, path, CAP, &e);
    for (int i = 0; i < 32; i++) {
        ck_assert_msg(frames_next(&f, &b, &e), "%d: %s", i, e.text);
        const bool pnm = i % 4 == 0 || i % 4 == 3, png = f.kind == KIND_PNG;
        ck_assert_int_eq(f.kind, pnm ? KIND_PNM : kinds[i % 4]);
        image_read(&back, b.data, b.size, CAP, "back", &e);
        ck_assert_msg(e.code == OC_OK && back.width == 5 && back.height == 3, "%s", e.text);
        fill(&m, 1 + i / 4 % 4, i < 16 ? 255 : 65535);
        ck_assert_int_eq(back.channels, png ? m.channels : m.channels < 3 ? 1 : 3);
        for (int p = 0; p < 15 && f.kind != KIND_JPEG; p++)
            for (int c = 0; c < back.channels; c++) {
                const int sample = m.sample[p * m.channels + c];
                ck_assert_int_eq(back.sample[p * back.channels + c],
                                 png || i < 16 ? sample : (sample + 128) / 257);
            }
        image_free(&m);
        image_free(&back);
    }
    ck_assert(!frames_next(&f, &b, &e) && e.code == OC_OK);
    frames_close(&f);
    io_bytes_free(&b);
    unlink(path);
}
END_TEST

SUITE("frames", pictures_come_whole_in_any_pieces, a_cut_picture_is_told_by_its_number,
      what_is_no_picture_is_told, pictures_and_headers_are_bounded,
      pictures_do_not_wait_for_the_next, what_is_written_is_read)
