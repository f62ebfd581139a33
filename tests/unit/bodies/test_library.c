/* SPDX-License-Identifier: Apache-2.0
 * test_library.c - the library of function bodies, and its known defects by running them. */
#include "suite.h"

#include "bodies/library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

START_TEST(bodies_are_found_by_name_and_version)
{
    ck_assert_ptr_null(oc_body_find("", "AffineGrid", 19));
    ck_assert_ptr_null(oc_body_find("", "AffineGri", 20));
    ck_assert_ptr_null(oc_body_find("", "AffineGridX", 20));
    ck_assert_ptr_null(oc_body_find("", "", 20));
    ck_assert_ptr_null(oc_body_find("my", "AffineGrid", 20));
    const oc_body *b = oc_body_find("", "AffineGrid", 20);
    ck_assert_ptr_nonnull(b);
    ck_assert_int_eq(b->since, 20);
    ck_assert_ptr_eq(oc_body_find("", "AffineGrid", INT64_MAX), b);
}
END_TEST

START_TEST(every_body_is_the_newest_of_its_version)
{
    int n = 0;
    for (; oc_body_at(n); n++) {
        const oc_body *b = oc_body_at(n), *after = oc_body_at(n + 1);
        ck_assert_ptr_eq(oc_body_find(b->domain, b->name, b->since), b);
        if (after)
            ck_assert_int_le(strcmp(b->name, after->name), 0);
    }
    ck_assert_int_gt(n, 0);
    ck_assert_ptr_null(oc_body_at(-1));
}
END_TEST

START_TEST(schema_defaults_are_in_the_attribute_list)
{
    oc_error e = {.code = OC_OK};
    oc_body_library library = {.model = NULL};
    const oc_body *b = oc_body_find("", "AffineGrid", 20);
    const char *standard, *repaired;
    ck_assert_int_eq(oc_body_text(&library, b, true, &standard, &e), OC_OK);
    ck_assert_int_eq(oc_body_text(&library, b, false, &repaired, &e), OC_OK);
    ck_assert_ptr_nonnull(strstr(standard, "AffineGrid <align_corners: int = 0>(theta, size)"));
    ck_assert_ptr_nonnull(strstr(repaired, "AffineGrid <align_corners: int = 0>(theta, size)"));
    ck_assert_ptr_nonnull(strstr(standard, "r1_ = Squeeze (r1)\n"));
    ck_assert_ptr_null(strstr(repaired, "r1_ = Squeeze (r1)\n"));
    oc_model_free(library.model);
}
END_TEST

/* The inliner holds a body while the calls within it make the library parse others. */
/* Does a condition of the text ask whether the attribute is given, whatever its value? */
static bool asks_for(const char *text, const char *attr)
{
    const size_t n = strlen(attr);
    for (const char *line = strstr(text, "#if "); line; line = strstr(line + 1, "#if ")) {
        const char *end = line + strcspn(line, "\n");
        for (const char *at = line + 3; at < end; at++) {
            const bool is_word = at[0] == ' ' && strncmp(at + 1, attr, n) == 0;
            const char *behind = at + 1 + n;
            if (is_word && (behind == end || strncmp(behind, " and ", 5) == 0))
                return true;
        }
    }
    return false;
}

/* A call that gives an attribute its default means what one without it means. */
START_TEST(attributes_at_their_defaults_change_nothing)
{
    oc_body_library l = {0};
    oc_error e = {.code = OC_OK};
    int n = 0;
    ck_assert(asks_for("{\n  #if not a and b\n  #end\n}", "b"));
    ck_assert(!asks_for("{\n  #if b == 1 and bb and a\n  #end\n}", "b"));
    for (int i = 0; oc_body_at(i); i++) {
        const oc_body *b = oc_body_at(i);
        const oc_function *header;
        const char *text;
        if (b->print)
            continue;
        ck_assert_int_eq(oc_body_text(&l, b, false, &text, &e), OC_OK);
        ck_assert_int_eq(oc_body_parse_header(&l, &text, &header, &e), OC_OK);
        for (int k = 0; k < header->n_attr_default; k++, n++)
            ck_assert_msg(!asks_for(text, header->attr_default[k].name), "%s: %s", b->label,
                          header->attr_default[k].name);
    }
    ck_assert_int_gt(n, 100);
    oc_model_free(l.model);
}
END_TEST

START_TEST(a_body_stays_where_it_is_while_others_are_parsed)
{
    enum { MANY = 12000 }; /* as functions of a model: two megabytes */
    oc_error e = {.code = OC_OK};
    oc_body_library library = {.model = NULL};
    const oc_function *first = NULL;
    for (int i = 0; i < MANY; i++) {
        char text[64];
        const oc_function *f;
        snprintf(text, sizeof text, "<opset_import: [\"\": 20]> F%d (x) => (x) {}", i);
        ck_assert_int_eq(oc_body_parse(&library, text, NULL, &f, &e), OC_OK);
        first = first ? first : f;
    }
    const oc_function *again;
    ck_assert_int_eq(
        oc_body_parse(&library, "<opset_import: [\"\": 20]> F0 (x) => (x) {}", NULL, &again, &e),
        OC_OK);
    ck_assert_ptr_eq(first, again);
    ck_assert_str_eq(first->name, "F0");
    oc_model_free(library.model);
}
END_TEST

/* ---- what KNOWN.md says, shown by running ---- */

enum { MAX_POINTS = 1024 };

typedef struct grid {
    oc_error error;
    int rank;
    int64_t dim[5];
    float at[MAX_POINTS];
} grid;

/* AffineGrid of the identity, slightly moved, for each of n images of d x h x w (d 0: 2-D). */
static grid affine_grid(oc_body_policy policy, bool align, int64_t n, int64_t d, int64_t h,
                        int64_t w)
{
    char text[400];
    snprintf(text, sizeof text,
             "<ir_version: 10, opset_import: [\"\": 20]> g (float[N,R,C] theta, int64[S] size) => "
             "(float[] grid) { grid = AffineGrid <align_corners = %d> (theta, size) }",
             align);
    const oc_session_options options = {.bodies.policy = policy, .threads = 1};
    grid g = {.rank = 0};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &g.error);
    oc_session *s = oc_session_new(m, &options, &g.error);
    float theta[4 * 12] = {0};
    const int64_t rows = d ? 3 : 2, columns = rows + 1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t r = 0; r < rows; r++) {
            theta[(i * rows + r) * columns + r] = 1;
            theta[(i * rows + r) * columns + rows] = 0.25F * (float)(i + r);
        }
    const int64_t size_2d[] = {n, 1, h, w}, size_3d[] = {n, 1, d, h, w};
    const int64_t n_size = d ? 5 : 4;
    oc_bind(s, "theta", OC_F32, 3, (const int64_t[]){n, rows, columns}, theta, &g.error);
    oc_bind(s, "size", OC_I64, 1, &n_size, d ? size_3d : size_2d, &g.error);
    oc_run(s, &g.error);
    const oc_value *v = oc_fetch_value(s, "grid", &g.error);
    if (v) {
        g.rank = oc_value_rank(v);
        memcpy(g.dim, oc_value_dims(v), (size_t)g.rank * sizeof *g.dim);
        ck_assert_int_le(oc_value_count(v), MAX_POINTS);
        memcpy(g.at, oc_value_data(v), (size_t)oc_value_count(v) * sizeof *g.at);
    }
    oc_session_free(s);
    oc_model_free(m);
    return g;
}

static int64_t count(const grid *g)
{
    int64_t n = 1;
    for (int i = 0; i < g->rank; i++)
        n *= g->dim[i];
    return n;
}

static bool same(const grid *a, const grid *b)
{
    if (a->error.code != OC_OK || a->rank != b->rank || memcmp(a->dim, b->dim, sizeof a->dim) != 0)
        return false;
    for (int64_t i = 0; i < count(a); i++)
        if (!(fabsf(a->at[i] - b->at[i]) <= 1e-5F))
            return false;
    return true;
}

START_TEST(the_repaired_body_is_the_kernel)
{
    static const int64_t sizes[] = {1, 2, 3, 5};
    for (int align = 0; align <= 1; align++)
        for (int64_t n = 1; n <= 3; n += 2)
            for (int at = 0; at < 4 * 4 * 4; at++) {
                const int64_t d = at / 16 == 3 ? 0 : sizes[at / 16], h = sizes[at / 4 % 4],
                              w = sizes[at % 4];
                const grid kernel = affine_grid(OC_BODY_NATIVE, align, n, d, h, w);
                const grid body = affine_grid(OC_BODY_EXPAND, align, n, d, h, w);
                ck_assert_msg(kernel.error.code == OC_OK, "%s", kernel.error.text);
                ck_assert_msg(same(&body, &kernel), "align %d, n %d, %dx%dx%d: %s", align, (int)n,
                              (int)d, (int)h, (int)w, body.error.text);
            }
}
END_TEST

START_TEST(the_standards_body_is_the_kernel_elsewhere)
{
    const struct {
        bool align;
        int64_t n, d, h, w;
    } good[] = {{false, 3, 0, 1, 1}, {false, 3, 0, 4, 5}, {true, 2, 0, 4, 5}, {false, 1, 1, 1, 1},
                {true, 1, 2, 3, 4},  {true, 3, 2, 2, 2},  {false, 2, 1, 3, 4}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const grid kernel =
            affine_grid(OC_BODY_NATIVE, good[i].align, good[i].n, good[i].d, good[i].h, good[i].w);
        const grid body = affine_grid(OC_BODY_STANDARD, good[i].align, good[i].n, good[i].d,
                                      good[i].h, good[i].w);
        ck_assert_msg(same(&body, &kernel), "case %zu: %s", i, body.error.text);
    }
}
END_TEST

START_TEST(known_one_image_in_2d_is_an_error)
{
    for (int align = 0; align <= 1; align++) {
        const grid g = affine_grid(OC_BODY_STANDARD, align, 1, 0, 3, 4);
        ck_assert_int_ne(g.error.code, OC_OK);
        ck_assert_msg(strstr(g.error.text, "Split") != NULL, "%s", g.error.text);
    }
}
END_TEST

START_TEST(known_one_row_or_column_is_nan)
{
    const grid row = affine_grid(OC_BODY_STANDARD, true, 2, 0, 1, 3);
    const grid column = affine_grid(OC_BODY_STANDARD, true, 2, 0, 3, 1);
    ck_assert_int_eq(row.error.code, OC_OK);
    ck_assert_int_eq(column.error.code, OC_OK);
    for (int64_t i = 0; i < count(&row); i++) {
        ck_assert(isnan(row.at[i])); /* 0 * NaN reaches the other axis too */
        ck_assert(isnan(column.at[i]));
    }
    const grid mended = affine_grid(OC_BODY_EXPAND, true, 2, 0, 1, 3);
    ck_assert_float_eq_tol(mended.at[0], -1, 1e-6F);
    ck_assert_float_eq_tol(mended.at[1], 0.25F, 1e-6F); /* y: 0, moved */
}
END_TEST

START_TEST(known_one_slice_is_at_minus_one)
{
    const grid standard = affine_grid(OC_BODY_STANDARD, true, 2, 1, 2, 2);
    const grid mended = affine_grid(OC_BODY_EXPAND, true, 2, 1, 2, 2);
    ck_assert_int_eq(standard.error.code, OC_OK);
    ck_assert_float_eq_tol(standard.at[2], -1 + 0.5F, 1e-6F);
    ck_assert_float_eq_tol(mended.at[2], 0 + 0.5F, 1e-6F);
}
END_TEST

SUITE("library", bodies_are_found_by_name_and_version, every_body_is_the_newest_of_its_version,
      schema_defaults_are_in_the_attribute_list, attributes_at_their_defaults_change_nothing,
      a_body_stays_where_it_is_while_others_are_parsed, the_repaired_body_is_the_kernel,
      the_standards_body_is_the_kernel_elsewhere, known_one_image_in_2d_is_an_error,
      known_one_row_or_column_is_nan, known_one_slice_is_at_minus_one)
