/* SPDX-License-Identifier: Apache-2.0
 * test_npz.c - archives of NumPy read, written ones read back, hostile ones refused. */
#define _POSIX_C_SOURCE 200809L
#include "test_files.h"
#include "files/npz.h"
#include "common/number.h"

#include <unistd.h>

enum { CAP = 1 << 20 };

START_TEST(reads_stored_and_deflated)
{
    oc_error e = {0};
    npz_file f;
    io_bytes b = load_data("stored.npz");
    npz_read(&f, b.data, b.size, CAP, "stored", &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_int_eq(f.n, 2);
    const int k = strcmp(f.item[0].name, "b") == 0 ? 0 : 1; /* NumPy puts named ones first */
    ck_assert_str_eq(f.item[k].name, "b");
    ck_assert_str_eq(f.item[1 - k].name, "arr_0");
    ck_assert_int_eq(oc_value_type(f.item[k].value), OC_I64);
    ck_assert(number_get(OC_F32, oc_value_data(f.item[1 - k].value), 5) == 5);
    npz_free(&f);
    io_bytes_free(&b);

    b = load_data("deflated.npz");
    npz_read(&f, b.data, b.size, CAP, "deflated", &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_int_eq(oc_value_count(f.item[0].value), 1000);
    ck_assert(number_get(OC_I32, oc_value_data(f.item[0].value), 999) == 999);
    npz_free(&f);
    io_bytes_free(&b);
}
END_TEST

START_TEST(caps_what_it_unpacks)
{
    oc_error e = {0};
    npz_file f;
    io_bytes b = load_data("deflated.npz");
    npz_read(&f, b.data, b.size, 4000, "deflated", &e);
    ck_assert_int_eq(e.code, OC_LIMIT);
    /* The directory's size of the member, made 4 GiB: no such bomb fits into its bytes. */
    e = (oc_error){0};
    size_t entry = b.size;
    while (memcmp(b.data + entry - 4, "PK\x01\x02", 4) != 0)
        entry--;
    memset(b.data + entry - 4 + 24, 0xfe, 4);
    npz_read(&f, b.data, b.size, SIZE_MAX, "bomb", &e);
    ck_assert_int_eq(e.code, OC_LIMIT);
    io_bytes_free(&b);
}
END_TEST

START_TEST(finds_damage_by_the_checksum)
{
    io_bytes b = load_data("stored.npz");
    oc_error e = {0};
    npz_file f;
    size_t at = 0;
    while (memcmp(b.data + at, "NUMPY", 5) != 0)
        at++;
    b.data[at + 130] ^= 1; /* an element */
    npz_read(&f, b.data, b.size, CAP, "damaged", &e);
    ck_assert_int_eq(e.code, OC_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "is damaged"));
    io_bytes_free(&b);
}
END_TEST

START_TEST(finds_a_member_that_is_cut_off)
{
    io_bytes b = load_data("deflated.npz");
    oc_error e = {0};
    npz_file f;
    b.data[28] = b.data[29] = 0xff; /* the local header's count of extra bytes */
    npz_read(&f, b.data, b.size, CAP, "cut", &e);
    ck_assert_int_eq(e.code, OC_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "a member is cut off"));
    io_bytes_free(&b);
}
END_TEST

static void read_any(const unsigned char *bytes, size_t size)
{
    oc_error e = {0};
    npz_file f;
    npz_read(&f, bytes, size, CAP, "prefix", &e);
    ck_assert_int_ne(e.code, OC_OK);
}

static void read_quietly(const unsigned char *bytes, size_t size)
{
    oc_error e = {0};
    npz_file f;
    npz_read(&f, bytes, size, CAP, "damaged", &e);
    npz_free(&f);
}

START_TEST(survives_every_prefix_and_flipped_byte)
{
    io_bytes b = load_data("deflated.npz");
    for (size_t n = 0; n < b.size; n++)
        with_exact_copy(b.data, n, read_any);
    for (size_t n = 0; n < b.size; n++) {
        b.data[n] ^= 0xff;
        with_exact_copy(b.data, b.size, read_quietly);
        b.data[n] ^= 0xff;
    }
    io_bytes_free(&b);
}
END_TEST

START_TEST(reads_back_what_it_writes)
{
    char path[] = "npz_XXXXXX.npz";
    oc_error e = {0};
    const int64_t dim[] = {2, 2};
    oc_value *v = oc_tensor_new(OC_F64, 2, dim, NULL, &e);
    number_set(OC_F64, oc_value_mutable_data(v), 3, -7.5);
    io_file out;
    io_create(&out, path, &e);
    zip_writer z = zip_begin(&out);
    npz_add(&z, "first", v, &e);
    npz_add(&z, "se/cond", v, &e);
    zip_end(&z, &e);
    io_commit(&out, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    io_bytes b;
    npz_file f;
    io_read(path, CAP, &b, &e);
    npz_read(&f, b.data, b.size, CAP, path, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_int_eq(f.n, 2);
    ck_assert_str_eq(f.item[1].name, "se/cond");
    ck_assert(number_get(OC_F64, oc_value_data(f.item[1].value), 3) == -7.5);
    npz_free(&f);
    io_bytes_free(&b);
    oc_value_free(v);
    unlink(path);
}
END_TEST

SUITE("npz", reads_stored_and_deflated, caps_what_it_unpacks, finds_damage_by_the_checksum,
      finds_a_member_that_is_cut_off, survives_every_prefix_and_flipped_byte,
      reads_back_what_it_writes)
