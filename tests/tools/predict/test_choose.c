/* SPDX-License-Identifier: Apache-2.0
 * test_choose.c - which decoder is taken for a network, and what is said where none or several fit.
 */
#include "predict/choose.h"
#include "predict/recipe.h"
#include "predict/signature.h"
#include "predict/vision_texts.h"
#include "predict/words.h"
#include "suite.h"

#include <ocellus_model.h>

/* A network of an input of 320 x 320 (2100 cells of the strides 8, 16, 32), or of any size. */
#define FIXED "float[1,3,320,320] images"
#define OPEN  "float[1,3,h,w] images"

static oc_model *network(const char *input, const char *outputs, const char *properties)
{
    char text[1000];
    oc_error e = {0};
    int n = 1;
    for (const char *at = outputs; (at = strstr(at, ", ")); at++)
        n++;
    snprintf(text, sizeof text, "<ir_version: 8, opset_import: [\"x\": 1]%s%s>\ng (%s) => (%s) { ",
             properties ? ", metadata_props: " : "", properties ? properties : "", input, outputs);
    /* the names of outputs are the words behind their types */
    const char *at = outputs;
    for (int i = 0; i < n; i++) {
        const char *name = strchr(at, ']') + 2;
        const size_t size = strcspn(name, ",");
        char *end = text + strlen(text);
        snprintf(end, sizeof text - strlen(text), "%s%.*s", i ? ", " : "", (int)size, name);
        at = name + size;
    }
    snprintf(text + strlen(text), sizeof text - strlen(text), " = x.Network (images) }");
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    ck_assert_msg(m != NULL, "%s: %s", text, e.text);
    return m;
}

static char why[CHOICE_WHY]; /* of the last choice */

/* The name of the decoder that is chosen; "" after an error, which goes to *e. */
static const char *chosen(const char *input, const char *outputs, const char *properties,
                          const char *as, oc_error *e)
{
    oc_model *m = network(input, outputs, properties);
    metadata told = {0};
    metadata_read(&told, m, NULL, NULL, e);
    outline o = outline_of(m, NULL, e);
    const choice c = choose_decoder(&o, &told, as, e);
    snprintf(why, sizeof why, "%s", c.why);
    outline_free(&o);
    metadata_free(&told);
    oc_model_free(m);
    return e->code == OC_OK ? c.decoder->name : "";
}

static void takes(const char *input, const char *outputs, const char *properties, const char *name)
{
    oc_error e = {0};
    ck_assert_str_eq(chosen(input, outputs, properties, NULL, &e), name);
    ck_assert_str_eq(e.text, "");
}

static void refuses(const char *outputs, const char *as, const char *part)
{
    oc_error e = {0};
    chosen(FIXED, outputs, NULL, as, &e);
    ck_assert_int_eq(e.code, OC_ARGUMENT);
    ck_assert_msg(strstr(e.text, part) != NULL, "'%s' lacks '%s'", e.text, part);
}

START_TEST(shapes_choose)
{
    takes(FIXED, "float[1,84,2100] y", NULL, "yolov8");
    takes(FIXED, "float[1,116,2100] y, float[1,32,80,80] p", NULL, "yolov8-seg");
    takes(FIXED, "float[1,6300,85] y", NULL, "yolov5");
    takes(FIXED, "float[1,2100,85] y", NULL, "yolox");
    takes(FIXED, "float[1,2125,112] y", NULL, "nanodet");
    takes(FIXED, "float[1,300,6] y", NULL, "end2end");
    takes(FIXED, "float[1,1000] y", NULL, "classify");
    takes(FIXED, "float[1,21,320,320] y", NULL, "mask");
    takes(FIXED ", float[1,3,320,320] behind", "float[1,2,320,320] y", NULL, "flow");
    takes(FIXED, "int64[1,300] labels, float[1,300,4] boxes, float[1,300] scores", NULL, "rt-detr");
    takes(FIXED, "float[n,6] y, int32[1] n", NULL, "paddle");
    takes(FIXED, "float[1,100,5] dets, int64[1,100] labels", NULL, "mmdet");
    takes(OPEN, "float[n,4] boxes, int64[n] labels, float[n] scores", NULL, "torchvision");
    takes(OPEN, "float[n,4] a, float[n] b, int64[n] c", NULL, "torchvision");
    takes(OPEN, "float[n,4] a, float[n] b, int64[n] c, float[n,1,h,w] d", NULL, "torchvision-seg");
    takes(OPEN, "float[n,4] a, int64[n] b, float[n] c, float[n,17,3] d, float[n,17] e", NULL,
          "torchvision-pose");
    takes(FIXED,
          "float[3200,1] a, float[800,1] b, float[200,1] c, float[3200,4] d, float[800,4] e, "
          "float[200,4] f, float[3200,10] g, float[800,10] h, float[200,10] i",
          NULL, "scrfd");
    takes(FIXED, "float[1,896,16] a, float[1,896,1] b", NULL, "blazeface");
    takes(FIXED, "float[1,896,12] a, float[1,896,1] b", NULL, "blazepose-128");
}
END_TEST

/* Networks of UltraFace that compute corners have the names and shapes of those that do not. */
START_TEST(an_operator_chooses)
{
    static const char *const op[] = {"Exp", "Neg"}, *const name[] = {"ultraface", "ultraface-raw"};
    for (int i = 0; i < 2; i++) {
        char text[600];
        oc_error e = {0};
        metadata none = {0};
        snprintf(text, sizeof text,
                 "<ir_version: 8, opset_import: [\"\": 18, \"x\": 1]> g (float[1,3,8,8] images) => "
                 "(float[1,4420,2] scores, float[1,4420,4] boxes) { scores = x.Network (images) "
                 "raw = x.Network (images) boxes = %s (raw) }",
                 op[i]);
        oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
        outline o = outline_of(m, NULL, &e);
        const choice c = choose_decoder(&o, &none, NULL, &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        ck_assert_str_eq(c.decoder->name, name[i]);
        ck_assert_msg(strstr(c.why, "operator Exp") != NULL, "%s", c.why);
        ck_assert_str_eq(choose_decoder(&o, &none, name[1 - i], &e).decoder->name, name[1 - i]);
        outline_free(&o);
        oc_model_free(m);
    }
}
END_TEST

START_TEST(the_exporter_chooses)
{
    takes(FIXED, "float[1,56,2100] y",
          "[\"author\": \"Ultralytics\", \"task\": \"pose\", \"kpt_shape\": \"[17, 3]\"]",
          "yolov8-pose");
    takes(FIXED, "float[1,20,2100] y", "[\"author\": \"Ultralytics\", \"task\": \"obb\"]",
          "yolov8-obb");
    takes(FIXED, "uint8[1,320,320] y", "[\"author\": \"Ultralytics\", \"task\": \"semantic\"]",
          "mask-indices");
    takes(FIXED, "float[1,19,320,320] y", "[\"author\": \"Ultralytics\", \"task\": \"semantic\"]",
          "mask");
    takes(FIXED, "float[1,84,2100] y", "[\"author\": \"Ultralytics\", \"task\": \"detect\"]",
          "yolov8");
    takes(OPEN, "float[1,84,n] y",
          "[\"author\": \"Ultralytics\", \"task\": \"detect\", \"imgsz\": \"[640, 640]\"]",
          "yolov8");
}
END_TEST

START_TEST(a_name_chooses_what_fits)
{
    oc_error e = {0};
    ck_assert_str_eq(chosen(FIXED, "float[1,56,2100] y", NULL, "yolov8-pose", &e), "yolov8-pose");
    ck_assert_str_eq(chosen(FIXED, "float[1,2,320,320] y", NULL, "mask", &e), "mask");
    refuses("float[1,1000] y", "yolov8", "the model has output 'y' float[1,1000]");
    refuses("float[1,1000] y", "yolov8", "yolov8 is for YOLOv8");
    refuses("float[1,84,2100] y", "yolo8", "did you mean 'yolov8'?");
}
END_TEST

START_TEST(nothing_is_guessed)
{
    refuses("float[1,1,320,320] y", NULL, "expected --as mask-indices|foreground|depth|db-text");
    refuses("float[1,3,320,320] y", NULL, "expected --as heatmaps|mask,");
    refuses("float[1,2,320,320] y", NULL, "expected --as heatmaps|mask|flow,");
    refuses("float[1,128] y", NULL, "expected --as classify|landmarks-xy, which");
    refuses("float[1,17,80,80] y", NULL, "expected --as heatmaps|mask");
    oc_error e = {0};
    chosen(FIXED, "float[1,7,9,11,13] y", NULL, NULL, &e);
    ck_assert_int_eq(e.code, OC_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(e.text, "no decoder takes the model's output 'y'"));
    refuses("float[1,100,91] logits, float[1,100,4] pred_boxes", NULL, "--as detr|rf-detr");
}
END_TEST

static void takes_by(const char *outputs, const char *properties, const char *name,
                     const char *sign)
{
    takes(FIXED, outputs, properties, name);
    ck_assert_msg(strstr(why, sign) != NULL, "'%s' lacks '%s'", why, sign);
}

START_TEST(landmarks_are_told_by_their_number)
{
    takes(FIXED, "float[1,1404] y, float[1,1] z", NULL, "landmarks");
    takes(FIXED, "float[1,1,1,1434] y, float[1,1] z", NULL, "landmarks");
    takes(FIXED, "float[1,63] Identity, float[1,1] Identity_1, float[1,63] Identity_3", NULL,
          "landmarks-hand");
    takes(FIXED, "float[1,195] y, float[1,1] z", NULL, "landmarks-pose");
    takes(FIXED, "float[1,198,28,28] y", NULL, "openseeface");
    refuses("float[1,136] y", NULL, "expected --as classify|landmarks-xy, which");
    refuses("float[1,7] y", NULL, "--as classify takes a score for each class");
    refuses("float[1,143] y", NULL, "--as classify takes a score for each class");
    refuses("float[1,213] a, float[1,15] b", NULL,
            "expected --as landmarks-eye|landmarks-iris, which");
}
END_TEST

START_TEST(signs_of_classes_are_told)
{
    takes_by("float[1,1000] y", NULL, "classify", "float[1,1000], as many as ImageNet has classes");
    takes_by("float[1,2] classLogits", NULL, "classify", "by its name");
    takes_by("float[1,2] y", "[\"names\": \"{0: 'cat', 1: 'dog'}\"]", "classify",
             "as many as there are names (its property 'names')");
    takes_by("float[1,19,80,80] y", NULL, "mask", "as many as Cityscapes has classes");
    takes_by("float[1,7,320,320] y", NULL, "mask", "whose sides are the input's");
    takes_by("float[1,320,320,7] y", NULL, "mask-last", "whose sides are the input's");
    takes("float[1,3,H,W] images", "float[1,7,H,W] y", NULL, "mask");
}
END_TEST

START_TEST(a_model_without_a_picture_is_refused)
{
    oc_error e = {0};
    chosen("float[1,20] images", "float[1,84,2100] y", NULL, NULL, &e);
    ck_assert_int_eq(e.code, OC_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(e.text, "none of the model's 1 inputs takes a picture"));
}
END_TEST

static void counts(const char *outputs, const char *as, int64_t n)
{
    oc_error e = {0};
    oc_model *m = network(FIXED, outputs, NULL);
    metadata told = {0};
    outline o = outline_of(m, NULL, &e);
    const choice c = choose_decoder(&o, &told, as, &e);
    ck_assert_str_eq(e.text, "");
    ck_assert_int_eq(decoder_n_classes(c.decoder, &o, c.out), n);
    outline_free(&o);
    oc_model_free(m);
}

START_TEST(shapes_count_classes)
{
    counts("float[1,84,2100] y", NULL, 80);
    counts("float[1,116,2100] y, float[1,32,80,80] p", NULL, 80);
    counts("float[1,20,2100] y", "yolov8-obb", 15);
    counts("float[1,6300,85] y", NULL, 80);
    counts("float[1,6300,117] y, float[1,32,80,80] p", NULL, 80);
    counts("float[1,2100,85] y", NULL, 80);
    counts("float[1,2125,112] y", NULL, 80);
    counts("float[1,2100,4] b, float[1,2100,80] s", NULL, 80);
    counts("float[1,100,92] logits, float[1,100,4] pred_boxes", "detr", 91);
    counts("float[1,300,84] y", "ultralytics-detr", 80);
    counts("float[1,40,97] y", "ctc", 96); /* besides the blank */
    counts("float[1,68,18] y", "ctc-columns", 67);
    counts("float[68,18] y", "ctc-columns", 67);
    counts("float[1,1000] y", NULL, 1000);
    counts("float[1,21,320,320] y", NULL, 21);
    counts("float[1,320,320,21] y", NULL, 21);
    counts("float[1,300,6] y", NULL, -1);
}
END_TEST

/* A row names a function of functions/vision, which takes its parts and then how the photograph
 * lies, and a preset; its name is its own. */
START_TEST(every_row_names_what_there_is)
{
    for (int i = 0; decoder_at(i); i++) {
        const decoder *d = decoder_at(i);
        char *text = vision_text(d->function);
        ck_assert_msg(text != NULL, "%s: there is no function %s", d->name, d->function);
        const signature s = signature_of(text, d->function);
        const int n = decoder_n_parts(d);
        ck_assert_msg(s.n_input >= n && s.n_output > 0, "%s: %d inputs for %d parts", d->name,
                      s.n_input, n);
        for (int k = n; k < s.n_input; k++)
            ck_assert_msg(words_have("size photo fit", ' ', s.input[k], strlen(s.input[k])),
                          "%s: input '%s' is none of the photograph", d->name, s.input[k]);
        ck_assert_msg(recipe_preset(d) > 0, "%s: there is no preset %s", d->name, d->preset);
        ck_assert_ptr_eq(decoder_find(d->name), d);
        free(text);
    }
}
END_TEST

SUITE("choose", shapes_choose, an_operator_chooses, the_exporter_chooses, a_name_chooses_what_fits,
      nothing_is_guessed, landmarks_are_told_by_their_number, signs_of_classes_are_told,
      a_model_without_a_picture_is_refused, shapes_count_classes, every_row_names_what_there_is)
