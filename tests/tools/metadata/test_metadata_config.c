/* SPDX-License-Identifier: Apache-2.0
 * test_metadata_config.c - what config.json and preprocessor_config.json of Hugging Face and timm
 * tell. */
#include "metadata/metadata.h"
#include "suite.h"

#include <math.h>

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static metadata read_preprocessor(const char *text)
{
    metadata m = {0};
    json_tree t;
    oc_error e = {0};
    json_read(&t, text, strlen(text), JSON_STRICT, "p.json", &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    metadata_take_preprocessor(&m, t.root, "p.json");
    json_tree_free(&t);
    return m;
}

typedef struct size_row {
    const char *text;
    metadata_resize resize;
    int height, width, short_side, long_side, crop;
} size_row;

START_TEST(sizes_of_hugging_face)
{
    static const size_row rows[] = {
        {"{\"size\": {\"height\": 224, \"width\": 192}}", METADATA_STRETCH, 224, 192, 0, 0, 0},
        {"{\"size\": 224}", METADATA_STRETCH, 224, 224, 0, 0, 0},
        {"{\"size\": {\"shortest_edge\": 800, \"longest_edge\": 1333}}", METADATA_SIDES, 0, 0, 800,
         1333, 0},
        {"{\"size\": 800, \"max_size\": 1333}", METADATA_SIDES, 0, 0, 800, 1333, 0},
        {"{\"size\": {\"shortest_edge\": 256}, \"do_center_crop\": true, "
         "\"crop_size\": {\"height\": 224, \"width\": 224}}",
         METADATA_SIDES, 0, 0, 256, 0, 224},
        {"{\"size\": 224, \"do_center_crop\": true, \"crop_size\": 224}", METADATA_SIDES, 0, 0, 224,
         0, 224},
        {"{\"size\": {\"shortest_edge\": 256}, \"do_center_crop\": false, \"crop_size\": 224}",
         METADATA_SIDES, 0, 0, 256, 0, 0},
        {"{\"size\": {\"longest_edge\": 1024}}", METADATA_INSIDE, 1024, 1024, 0, 0, 0},
        {"{\"size\": {\"max_height\": 100, \"max_width\": 200}}", METADATA_INSIDE, 100, 200, 0, 0,
         0},
        {"{\"size\": {\"height\": 518, \"width\": 518}, \"keep_aspect_ratio\": true, "
         "\"ensure_multiple_of\": 14}",
         METADATA_NEARER, 518, 518, 0, 0, 0},
        {"{\"image_processor_type\": \"ConvNextImageProcessor\", \"size\": {\"shortest_edge\": "
         "224}, \"crop_pct\": 0.875}",
         METADATA_SIDES, 0, 0, 256, 0, 224},
        {"{\"feature_extractor_type\": \"ConvNextFeatureExtractor\", \"size\": 384}",
         METADATA_STRETCH, 384, 384, 0, 0, 0},
        {"{\"image_processor_type\": \"LevitImageProcessor\", \"size\": {\"shortest_edge\": 224}, "
         "\"do_center_crop\": true, \"crop_size\": 224}",
         METADATA_SIDES, 0, 0, 256, 0, 224},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_row *r = &rows[i];
        metadata m = read_preprocessor(r->text);
        ck_assert_msg(m.resize == r->resize && m.height == r->height && m.width == r->width &&
                          m.short_side == r->short_side && m.long_side == r->long_side &&
                          m.crop_height == r->crop && m.crop_width == r->crop,
                      "%s: %d %dx%d, sides %d %d, crop %d", r->text, (int)m.resize, m.height,
                      m.width, m.short_side, m.long_side, m.crop_height);
        ck_assert(m.from[METADATA_RESIZE] && !r->crop == !m.from[METADATA_CROP]);
        ck_assert_int_eq(m.multiple, r->resize == METADATA_NEARER ? 14 : 1);
        metadata_free(&m);
    }
    metadata m = read_preprocessor("{\"do_resize\": false, \"size\": 224}");
    ck_assert_ptr_null(m.from[METADATA_RESIZE]);
    metadata_free(&m);
}
END_TEST

START_TEST(numbers_of_hugging_face)
{
    metadata m = read_preprocessor(
        "{\"do_normalize\": true, \"image_mean\": [0.5, 0.4, 0.3], \"image_std\": [0.1], "
        "\"resample\": 3, \"do_pad\": true, \"size_divisor\": 32}");
    ck_assert_str_eq(m.filter, "pil:bicubic");
    ck_assert_str_eq(m.from[METADATA_FILTER], "p.json: resample");
    ck_assert(is_near(m.scale, 1.0 / 255) && m.mean[1] == 0.4 && m.std[2] == 0.1 && !m.bgr);
    ck_assert(m.pad_multiple == 32 && m.fill_zero && !m.pad_height);
    metadata_free(&m);
    m = read_preprocessor("{\"do_normalize\": false, \"do_rescale\": true, \"rescale_factor\": "
                          "0.00784313725490196, \"rescale_offset\": true, "
                          "\"do_flip_channel_order\": true}");
    ck_assert(is_near(m.scale, 2.0 / 255) && m.mean[0] == 1 && m.std[0] == 1 && m.bgr);
    metadata_free(&m);
    m = read_preprocessor("{\"do_normalize\": false, \"do_rescale\": false, \"do_pad\": true, "
                          "\"pad_size\": {\"height\": 1024, \"width\": 512}}");
    ck_assert(m.scale == 1 && m.pad_height == 1024 && m.pad_width == 512 && !m.pad_centred);
    metadata_free(&m);
    m = read_preprocessor("{\"do_normalize\": true, \"image_mean\": [0, 0, 0], \"image_std\": [1, "
                          "0, 1], \"resample\": 9, \"rescale_factor\": NaN}");
    ck_assert(!m.from[METADATA_NORMALIZE] && !m.from[METADATA_FILTER] && !m.from[METADATA_SCALE]);
    metadata_free(&m);
}
END_TEST

static void read_config(metadata *m, const char *text)
{
    json_tree t;
    oc_error e = {0};
    *m = (metadata){0};
    json_read(&t, text, strlen(text), JSON_STRICT, "c.json", &e);
    metadata_take_config(m, t.root, "c.json", &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    json_tree_free(&t);
}

START_TEST(configs)
{
    metadata m;
    read_config(&m, "{\"architectures\": [\"DetrForObjectDetection\"], \"model_type\": \"detr\", "
                    "\"id2label\": {\"0\": \"N/A\", \"17\": \"cat\"}}");
    ck_assert_int_eq(m.maker, METADATA_HUGGING_FACE);
    ck_assert_str_eq(m.task, "DetrForObjectDetection");
    ck_assert_str_eq(m.family, "detr");
    ck_assert_str_eq(metadata_name(&m, 17), "cat");
    ck_assert_str_eq(m.from[METADATA_NAMES], "c.json: id2label");
    metadata_free(&m);
    read_config(
        &m, "{\"model_type\": \"vit\", \"id2label\": {\"0\": \"LABEL_0\", \"1\": \"LABEL_1\"}}");
    ck_assert(!m.from[METADATA_NAMES] && !m.names.n && !m.task);
    metadata_free(&m);
    read_config(&m,
                "{\"architecture\": \"resnet18\", \"pretrained_cfg\": {\"input_size\": [3, 224, "
                "224], \"interpolation\": \"bicubic\", \"crop_pct\": 0.95, \"crop_mode\": "
                "\"center\", \"mean\": [0.485, 0.456, 0.406], \"std\": [0.229, 0.224, 0.225]}}");
    ck_assert_int_eq(m.maker, METADATA_TIMM);
    ck_assert_str_eq(m.family, "resnet18");
    ck_assert(m.resize == METADATA_SIDES && m.short_side == 235 && m.crop_height == 224);
    ck_assert(m.mean[2] == 0.406 && is_near(m.scale, 1.0 / 255));
    metadata_free(&m);
}
END_TEST

SUITE("metadata_config", sizes_of_hugging_face, numbers_of_hugging_face, configs)
