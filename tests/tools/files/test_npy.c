/* SPDX-License-Identifier: Apache-2.0
 * test_npy.c - NumPy's own files read; what is written read back; hostile headers refused. */
#include "test_files.h"
#include "files/npy.h"
#include "common/number.h"

static oc_value *read_data(const char *name)
{
    oc_error e = {0};
    io_bytes b = load_data(name);
    oc_value *v = npy_read(b.data, b.size, name, &e);
    ck_assert_msg(v != NULL, "%s", e.text);
    io_bytes_free(&b);
    return v;
}

START_TEST(reads_what_numpy_writes)
{
    static const struct {
        const char *name;
        oc_type type;
        int rank;
        int64_t count;
    } files[] = {
        {"f2.npy", OC_F16, 2, 6},       {"f4.npy", OC_F32, 2, 6},
        {"f8.npy", OC_F64, 2, 6},       {"i1.npy", OC_I8, 2, 6},
        {"u2.npy", OC_U16, 2, 6},       {"i4.npy", OC_I32, 2, 6},
        {"i8.npy", OC_I64, 2, 6},       {"u8.npy", OC_U64, 2, 6},
        {"f4_big.npy", OC_F32, 2, 6},   {"f4_fortran.npy", OC_F32, 3, 24},
        {"scalar.npy", OC_F32, 0, 1},   {"i8_big_fortran.npy", OC_I64, 2, 6},
        {"empty.npy", OC_F32, 3, 0},    {"version2.npy", OC_F32, 2, 6},
        {"version3.npy", OC_F32, 2, 6},
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        oc_value *v = read_data(files[k].name);
        ck_assert_int_eq(oc_value_type(v), files[k].type);
        ck_assert_int_eq(oc_value_rank(v), files[k].rank);
        ck_assert_int_eq(oc_value_count(v), files[k].count);
        for (int64_t i = 0; i < files[k].count; i++)
            ck_assert_msg(number_get(files[k].type, oc_value_data(v), i) == (double)i, "%s [%d]",
                          files[k].name, (int)i);
        oc_value_free(v);
    }
}
END_TEST

START_TEST(reads_bool_complex_and_text)
{
    oc_value *v = read_data("bool.npy");
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(((const uint8_t *)oc_value_data(v))[i], i % 2);
    oc_value_free(v);
    v = read_data("c8.npy");
    ck_assert(((const float *)oc_value_data(v))[10] == 5 &&
              ((const float *)oc_value_data(v))[11] == -5);
    oc_value_free(v);
    v = read_data("c16_big.npy");
    ck_assert(((const double *)oc_value_data(v))[4] == 2 &&
              ((const double *)oc_value_data(v))[5] == -2);
    oc_value_free(v);
    static const char *const words[] = {"", "a", "gr\xc3\xbcn", "\xe7\x9c\xbc",
                                        "\xf0\x9f\x91\x81x"};
    for (int k = 0; k < 2; k++) {
        v = read_data(k ? "text_big.npy" : "text.npy");
        const oc_string *s = oc_value_data(v);
        for (int i = 0; i < 5; i++)
            ck_assert(s[i].size == strlen(words[i]) && memcmp(s[i].data, words[i], s[i].size) == 0);
        oc_value_free(v);
    }
    v = read_data("bytes.npy");
    const oc_string *s = oc_value_data(v);
    ck_assert(s[0].size == 0 && s[2].size == 3 && memcmp(s[2].data, "bc\xff", 3) == 0);
    oc_value_free(v);
}
END_TEST

/* A file written again is the file NumPy wrote. */
START_TEST(writes_as_numpy_does)
{
    static const char *const names[] = {"f2.npy",    "f4.npy",     "f8.npy",  "i1.npy", "u2.npy",
                                        "i4.npy",    "i8.npy",     "u8.npy",  "c8.npy", "bool.npy",
                                        "empty.npy", "scalar.npy", "text.npy"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        oc_error e = {0};
        io_bytes want = load_data(names[k]), got = {0};
        oc_value *v = read_data(names[k]);
        const oc_writer out = io_bytes_writer(&got);
        npy_write(v, &out, &e);
        ck_assert_int_eq(e.code, OC_OK);
        ck_assert_msg(got.size == want.size && memcmp(got.data, want.data, got.size) == 0, "%s",
                      names[k]);
        io_bytes_free(&want);
        io_bytes_free(&got);
        oc_value_free(v);
    }
}
END_TEST

static oc_status read_header(int version, const char *header, size_t elements)
{
    unsigned char file[1024] = "\x93NUMPY";
    oc_error e = {0};
    const size_t n = strlen(header);
    file[6] = (unsigned char)version;
    file[8] = (unsigned char)n;
    file[9] = (unsigned char)(n >> 8);
    memcpy(file + 10, header, n);
    unsigned char *copy = malloc(10 + n + elements);
    memcpy(copy, file, 10 + n + elements);
    oc_value *v = npy_read(copy, 10 + n + elements, "x", &e);
    ck_assert((v == NULL) == (e.code != OC_OK));
    oc_value_free(v);
    free(copy);
    return e.code;
}

#define DICT(descr, order, shape)                                                                  \
    "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape "}"

START_TEST(refuses_hostile_headers)
{
    ck_assert_int_eq(read_header(1, DICT("'<f4'", "False", "(2,)"), 8), OC_OK);
    ck_assert_int_eq(read_header(1, "{\"shape\":(2,),\"descr\":'<f4',\"fortran_order\":True,} ", 8),
                     OC_OK);
    static const struct {
        const char *header;
        size_t elements;
    } bad[] = {
        {DICT("'<f4'", "False", "(2,)"), 7},                                /* cut off */
        {DICT("'<f4'", "False", "(2,)"), 9},                                /* too long */
        {DICT("'<f4'", "False", "(2)"), 8},                                 /* no tuple */
        {DICT("'<f4'", "False", "(-2,)"), 8},                               /* negative */
        {DICT("'<f4'", "False", "(4611686018427387904, 4)"), 0},            /* product overflows */
        {DICT("'<f4'", "False", "(99999999999999999999,)"), 0},             /* number overflows */
        {DICT("'<f4'", "False", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"), 4}, /* rank 17 */
        {DICT("'<f4'", "Maybe", "(2,)"), 8},
        {DICT("'<f4'", "False", "(2,)") " x", 8},
        {"{'descr': '<f4', 'fortran_order': False}", 8},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 8},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", 8},
        {"{", 0},
        {"", 0},
        {DICT("'<U0'", "False", "(99999999999,)"), 0}, /* much memory for few bytes */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(read_header(1, bad[i].header, bad[i].elements) == OC_FORMAT, "%s",
                      bad[i].header);
    ck_assert_int_eq(read_header(4, DICT("'<f4'", "False", "(2,)"), 8), OC_FORMAT);
    ck_assert_int_eq(read_header(1, DICT("'|O'", "False", "(2,)"), 16), OC_UNSUPPORTED);
    ck_assert_int_eq(read_header(1, DICT("'<f3'", "False", "(2,)"), 6), OC_UNSUPPORTED);
    ck_assert_int_eq(read_header(1, DICT("[('a', '<f4')]", "False", "(2,)"), 8), OC_UNSUPPORTED);
}
END_TEST

static void read_any(const unsigned char *bytes, size_t size)
{
    oc_error e = {0};
    ck_assert_ptr_null(npy_read(bytes, size, "prefix", &e));
    ck_assert_int_ne(e.code, OC_OK);
}

START_TEST(refuses_every_prefix)
{
    io_bytes b = load_data("f4_fortran.npy");
    for (size_t n = 0; n < b.size; n++)
        with_exact_copy(b.data, n, read_any);
    io_bytes_free(&b);
}
END_TEST

SUITE("npy", reads_what_numpy_writes, reads_bool_complex_and_text, writes_as_numpy_does,
      refuses_hostile_headers, refuses_every_prefix)
