/* SPDX-License-Identifier: Apache-2.0
 * test_interface.c - the library libocellus_predict as a C program calls it: answers, what is
 * refused, calls after an error, and memory that runs out in any of them. */
#include "suite.h"

#include <ocellus_predict.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory that runs out ---- */

/* The allocations of the libraries go through these functions where the C library lets a program
 * replace them, and where no sanitizer has its own. */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define REPLACED 1
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#undef REPLACED
#endif
#endif
#endif

static long left = -1; /* allocations until one fails; < 0: none does */
static bool failed;
static long asked; /* allocations that came here; none where a tool such as valgrind has its own */

#ifdef REPLACED
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);

static bool is_refused(void)
{
    const bool now = left == 0;
    asked++;
    left -= left >= 0;
    failed = failed || now;
    return now;
}

void *calloc(size_t n, size_t size)
{
    return is_refused() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
    return is_refused() ? NULL : __libc_realloc(block, size);
}
#endif

/* ---- a network and a photograph ---- */

/* Of 84 places the first is a box around (32, 24), 32 wide and 16 high; its scores are the means of
 * red and of blue. */
static const char network[] =
    "<ir_version: 8, metadata_props: [\"author\": \"Ultralytics\", \"task\": \"detect\",\n"
    "  \"names\": \"{0: 'red', 1: 'sky'}\"], opset_import: [\"\" : 13]>\n"
    "finds (float[1,3,64,64] images) => (float[1,6,84] output0)\n"
    "<float[1,4,1] box = {32, 24, 32, 16}, int64[2] picked = {0, 2}, int64[1] last = {-1},\n"
    " int64[6] more = {0, 0, 0, 0, 0, 83}>\n"
    "{ means = ReduceMean <axes = [2, 3], keepdims = 0> (images)\n"
    "  two = Gather <axis = 1> (means, picked)\n"
    "  scores = Unsqueeze (two, last)\n"
    "  place = Concat <axis = 1> (box, scores)\n"
    "  output0 = Pad (place, more) }";

enum { WIDE = 128, HIGH = 64 };

/* Rows of samples, all red. */
static uint8_t *red(void)
{
    uint8_t *samples = malloc((size_t)WIDE * HIGH * 3);
    ck_assert_ptr_nonnull(samples);
    for (size_t i = 0; i < (size_t)WIDE * HIGH * 3; i++)
        samples[i] = i % 3 ? 0 : 255;
    return samples;
}

typedef struct setup {
    oc_model *network;
    oc_predictor *predictor;
    oc_session *session;
} setup;

static setup begin(const oc_predictor_options *options, oc_error *e)
{
    setup s = {.network = oc_model_load_memory(network, sizeof network - 1, NULL, e)};
    s.predictor = oc_predictor_new(s.network, options, e);
    s.session =
        oc_session_new(oc_predictor_model(s.predictor), &(oc_session_options){.threads = 1}, e);
    return s;
}

static void end(setup *s)
{
    oc_session_free(s->session);
    oc_predictor_free(s->predictor);
    oc_model_free(s->network);
}

static oc_answer *answer_of(const setup *s, const uint8_t *samples, oc_error *e)
{
    oc_photograph *photo = oc_photograph_take(s->predictor, samples, HIGH, WIDE, 3, 0, e);
    oc_photograph_bind(photo, s->session, e);
    if (e->code == OC_OK) {
        const oc_value *tensor = oc_photograph_tensor(photo);
        ck_assert_int_eq(oc_value_rank(tensor), 4);
        ck_assert_int_eq(oc_value_count(tensor), 3 * 64 * 64);
        oc_run(s->session, e);
    }
    oc_answer *a = oc_photograph_answer(photo, s->session, e);
    oc_photograph_free(photo);
    return a;
}

/* Appends to a text. */
typedef struct written {
    char text[1 << 16];
    size_t n;
} written;

static bool append(void *ctx, const void *bytes, size_t size)
{
    written *w = ctx;
    if (size >= sizeof w->text - w->n)
        return false;
    memcpy(w->text + w->n, bytes, size);
    w->n += size;
    w->text[w->n] = 0;
    return true;
}

static bool refuse(void *ctx, const void *bytes, size_t size)
{
    (void)ctx, (void)bytes, (void)size;
    return false;
}

/* ---- answers ---- */

START_TEST(an_answer_outlives_what_made_it)
{
    oc_error e = {0};
    uint8_t *samples = red();
    setup s = begin(NULL, &e);
    ck_assert_str_eq(oc_predictor_text(s.predictor, OC_PREDICTOR_DECODER), "yolov8");
    ck_assert_str_eq(oc_predictor_text(s.predictor, OC_PREDICTOR_INPUT), "images");
    ck_assert_int_eq(oc_predictor_n_names(s.predictor), 2);
    ck_assert_str_eq(oc_predictor_name(s.predictor, 1), "sky");
    ck_assert_ptr_null(oc_predictor_name(s.predictor, 2));
    ck_assert_ptr_null(oc_predictor_name(s.predictor, -1));
    ck_assert_ptr_null(oc_predictor_remark(s.predictor, 0));
    oc_answer *a = answer_of(&s, samples, &e);
    memset(samples, 0, (size_t)WIDE * HIGH * 3);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    oc_session_free(s.session);
    s.session = NULL;
    const oc_answer_info told = oc_answer_describe(a);
    ck_assert_int_eq(told.n, 1);
    ck_assert_int_eq(told.labels[0], 0);
    const float box[] = {32, 0, 96, 32};
    for (int i = 0; i < 4; i++)
        ck_assert_float_eq_tol(told.boxes[i], box[i], 1e-3F);
    ck_assert(!told.masks && !told.points && !told.text && !told.classes);
    oc_picture cut, drawn;
    oc_answer_crop(a, 0, &cut, &e);
    ck_assert(cut.width == 64 && cut.height == 32 && cut.samples[0] == 255 && cut.samples[1] == 0);
    oc_answer_draw(a, &drawn, &e);
    ck_assert(drawn.width == WIDE && drawn.height == HIGH);
    ck_assert_int_eq(drawn.samples[3 * (WIDE * HIGH - 1)], 255); /* nothing is drawn there */
    oc_picture_free(&cut);
    oc_picture_free(&drawn);
    static written w;
    const oc_writer out = {append, &w};
    oc_answer_json(a, &out, &e);
    ck_assert_ptr_nonnull(strstr(w.text, "\"label\": 0, \"name\": \"red\""));
    w.n = 0;
    oc_answer_table(a, &out, &e);
    ck_assert_int_eq(strncmp(w.text, "file     label  score", 21), 0);
    w.n = 0;
    oc_answer_draw_png(a, 32, &out, &e);
    ck_assert_int_eq(memcmp(w.text, "\x89PNG", 4), 0);
    ck_assert_int_eq(w.text[19], 32);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    oc_answer_free(a);
    end(&s);
    free(samples);
}
END_TEST

START_TEST(options_reach_the_decoder)
{
    oc_error e = {0};
    uint8_t *samples = red();
    const double least = 0.99999;
    const char *const names[] = {"rot", "himmel"};
    setup s = begin(
        &(oc_predictor_options){.least = &least, .names = names, .n_names = 2, .preset = "stretch"},
        &e);
    ck_assert_str_eq(oc_predictor_name(s.predictor, 1), "himmel");
    oc_answer *a = answer_of(&s, samples, &e);
    ck_assert_int_eq(oc_answer_describe(a).n, 1); /* without a border all of the input is red */
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    oc_answer_free(a);
    end(&s);
    free(samples);
}
END_TEST

/* ---- what is refused ---- */

static void expect(oc_error *e, oc_status code, const char *part)
{
    ck_assert_msg(e->code == code && strstr(e->text, part), "%s: %s, expected %s",
                  oc_status_name(e->code), e->text, part);
    *e = (oc_error){0};
}

START_TEST(what_makes_no_sense_is_refused)
{
    oc_error e = {0};
    uint8_t *samples = red();
    const double two = 2, none = NAN;
    const int64_t less = -1;
    const struct {
        oc_predictor_options options;
        const char *part;
    } wrong[] = {{{.as = "yolo8"}, "did you mean 'yolov8'"},
                 {{.picture = "y"}, "'y'"},
                 {{.preset = "x"}, "--preset is 'x', expected none or imagenet"},
                 {{.resize = ""}, "--resize is ''"},
                 {{.image_layout = "x"}, "expected auto or nchw or nhwc"},
                 {{.image_channels = "x"}, "rgb"},
                 {{.image_fill = "x"}, "0 to 255"},
                 {{.image_multiple = -1}, "0 or more"},
                 {{.least = &two}, "--least is 2"},
                 {{.overlap = &none}, "--overlap is"},
                 {{.top = &less}, "--top is -1"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setup s = begin(&wrong[i].options, &e);
        ck_assert_ptr_null(s.predictor);
        expect(&e, OC_ARGUMENT, wrong[i].part);
        end(&s);
    }
    struct {
        oc_predictor_options known;
        int later;
    } larger = {.later = 1};
    setup s = begin(NULL, &e);
    ck_assert_ptr_null(oc_predictor_new_sized(s.network, &larger.known, sizeof larger, &e));
    expect(&e, OC_ARGUMENT, "does not know");
    static const int sizes[][3] = {{0, 5, 3}, {5, -1, 3}, {5, 5, 0}, {5, 5, 5}};
    for (int i = 0; i < 4; i++) {
        const int *n = sizes[i];
        ck_assert_ptr_null(oc_photograph_take(s.predictor, samples, n[0], n[1], n[2], 0, &e));
        expect(&e, OC_SHAPE, "at least one pixel");
    }
    ck_assert_ptr_null(oc_photograph_take(s.predictor, samples, 1 << 20, 1 << 20, 4, 0, &e));
    expect(&e, OC_LIMIT, "pixels");
    ck_assert_ptr_null(oc_photograph_decode(s.predictor, "hello", 5, &e));
    expect(&e, OC_FORMAT, "expected a picture");
    ck_assert_ptr_null(oc_photograph_read(s.predictor, "/nowhere/photo.jpg", &e));
    expect(&e, OC_IO, "/nowhere/photo.jpg");
    oc_answer *a = answer_of(&s, samples, &e);
    oc_picture cut;
    uint8_t mask[1];
    int64_t classes[1];
    for (int i = -1; i < 2; i += 2) {
        oc_answer_crop(a, i, &cut, &e);
        expect(&e, OC_ARGUMENT, "no object");
        oc_answer_mask(a, i, mask, &e);
        expect(&e, OC_ARGUMENT, "no mask");
    }
    oc_answer_classes(a, classes, &e);
    expect(&e, OC_ARGUMENT, "no classes");
    oc_answer_json(a, &(oc_writer){refuse, NULL}, &e);
    expect(&e, OC_IO, "cannot be written");
    oc_answer_draw_png(a, 0, &(oc_writer){refuse, NULL}, &e);
    expect(&e, OC_IO, "cannot be written");
    oc_answer_draw_file(a, "/nowhere/drawn.png", &e);
    expect(&e, OC_IO, "/nowhere/drawn.png");
    oc_answer_draw_file(a, "drawn.gif", &e);
    expect(&e, OC_ARGUMENT, "'drawn.gif', expected a file that ends with .png or .jpg");
    oc_answer_free(a);
    end(&s);
    free(samples);
}
END_TEST

START_TEST(calls_after_an_error_do_nothing)
{
    oc_error e = {OC_IO, "before"};
    setup s = begin(NULL, &e);
    ck_assert(!s.predictor && !s.session);
    oc_photograph *photo = oc_photograph_read(s.predictor, "photo.jpg", &e);
    oc_photograph_bind(photo, s.session, &e);
    oc_answer *a = oc_photograph_answer(photo, s.session, &e);
    const oc_answer_info told = oc_answer_describe(a);
    ck_assert(told.n == 0 && !told.boxes);
    oc_picture drawn = {0};
    oc_answer_draw(a, &drawn, &e);
    oc_answer_draw_file(a, "drawn.png", &e);
    oc_answer_draw_png(a, 0, &(oc_writer){refuse, NULL}, &e);
    oc_answer_json(a, &(oc_writer){refuse, NULL}, &e);
    oc_picture_free(&drawn);
    oc_answer_free(a);
    oc_photograph_free(photo);
    end(&s);
    ck_assert_ptr_null(oc_picture_tensor(s.network, "images", NULL, 1, 1, 3, NULL, &e));
    ck_assert_str_eq(e.text, "before");
}
END_TEST

/* Does all that a program does with a photograph. */
static void do_all(const uint8_t *samples, oc_error *e)
{
    static written w;
    const char *const names[] = {"rot", "himmel"};
    setup s = begin(&(oc_predictor_options){.names = names, .n_names = 2}, e);
    oc_answer *a = answer_of(&s, samples, e);
    w.n = 0;
    oc_picture drawn = {0};
    oc_answer_json(a, &(oc_writer){append, &w}, e);
    oc_answer_draw_png(a, 0, &(oc_writer){append, &w}, e);
    oc_answer_draw(a, &drawn, e);
    oc_picture_free(&drawn);
    oc_answer_free(a);
    end(&s);
}

START_TEST(memory_runs_out)
{
    uint8_t *samples = red();
    int errors = 0;
    failed = true;
    /* Each of the first allocations, then some of the many that follow. */
    for (long k = 0; failed; k += k < 200 ? 1 : 7) {
        oc_error e = {0};
        failed = false;
        left = k;
        do_all(samples, &e);
        left = -1;
        ck_assert_msg(e.code == OC_OK || e.code == OC_NOMEM, "allocation %ld: %s: %s", k,
                      oc_status_name(e.code), e.text);
        errors += e.code == OC_NOMEM;
    }
    ck_assert(errors > 100 || !asked);
    free(samples);
}
END_TEST

/* Without a predictor: two pixels become what an input of two pixels takes. */
START_TEST(pictures_become_tensors)
{
    static const uint8_t pixels[] = {255, 0, 51, 0, 102, 204};
    static const float plain[] = {255 / 255.0F, 0, 0, 102 / 255.0F, 51 / 255.0F, 204 / 255.0F};
    static const float shifted[] = {51 - 1, 204 - 1, 0 - 2, 102 - 2, 255 - 3, 0 - 3};
    static const char text[] = "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                               "passes (float[1,3,1,2] x, int64 n) => (y) { y = Identity (x) }";
    const oc_predictor_options bgr = {
        .image_channels = "bgr", .image_scale = "1", .image_mean = "1,2,3"};
    oc_error e = {0};
    oc_model *m = oc_model_load_memory(text, sizeof text - 1, NULL, &e);
    for (int i = 0; i < 2; i++) {
        oc_value *v = oc_picture_tensor(m, "x", pixels, 1, 2, 3, i ? &bgr : NULL, &e);
        ck_assert_str_eq(e.text, "");
        ck_assert_int_eq(oc_value_count(v), 6);
        ck_assert(memcmp(oc_value_data(v), i ? shifted : plain, sizeof plain) == 0);
        oc_value_free(v);
    }
    ck_assert_ptr_null(oc_picture_tensor(m, "z", pixels, 1, 2, 3, NULL, &e));
    ck_assert(e.code == OC_ARGUMENT && strstr(e.text, "no input 'z'"));
    e = (oc_error){0};
    ck_assert_ptr_null(oc_picture_tensor(m, "x", pixels, 2, 1, 3, NULL, &e));
    ck_assert(e.code == OC_SHAPE && strstr(e.text, "takes 2 x 1"));
    oc_model_free(m);
}
END_TEST

START_TEST(decoders_are_listed)
{
    const char *about;
    int n = 0;
    bool found = false;
    for (const char *name; (name = oc_decoder_at(n, &about)) != NULL; n++) {
        ck_assert_ptr_nonnull(about);
        found = found || strcmp(name, "yolov8") == 0;
    }
    ck_assert(found && n > 20);
    ck_assert_ptr_null(oc_decoder_at(-1, NULL));
}
END_TEST

SUITE("interface", an_answer_outlives_what_made_it, options_reach_the_decoder,
      what_makes_no_sense_is_refused, calls_after_an_error_do_nothing, memory_runs_out,
      pictures_become_tensors, decoders_are_listed)
