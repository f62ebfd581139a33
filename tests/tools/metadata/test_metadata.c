/* SPDX-License-Identifier: Apache-2.0
 * test_metadata.c - what exporters leave in models and beside them is read, and what cannot be read
 * is a remark. */
#define _XOPEN_SOURCE 700
#include "common/limits.h"
#include "files/io.h"
#include "metadata/metadata.h"
#include "suite.h"

#include <math.h>
#include <unistd.h>

static void take(metadata *m, const char *key, const char *value)
{
    oc_error e = {0};
    metadata_take_property(m, key, value, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

/* ---- properties ---- */

START_TEST(ultralytics)
{
    metadata m = {0};
    take(&m, "description", "Ultralytics YOLOv8n-pose model trained on coco-pose.yaml");
    take(&m, "author", "Ultralytics");
    take(&m, "date", "2024-01-01");
    take(&m, "task", "pose");
    take(&m, "stride", "32");
    take(&m, "batch", "1");
    take(&m, "channels", "3");
    take(&m, "imgsz", "[480, 640]");
    take(&m, "names", "{0: 'person', 2: \"it's\"}");
    take(&m, "kpt_shape", "[17, 3]");
    take(&m, "kpt_names", "{0: ['nose', 'left_eye']}");
    take(&m, "args", "{'batch': 1, 'nms': True, 'opset': None}");
    take(&m, "end2end", "False");
    metadata_end_properties(&m);
    ck_assert_int_eq(m.maker, METADATA_ULTRALYTICS);
    ck_assert_str_eq(m.from[METADATA_MAKER], "its property 'author'");
    ck_assert_str_eq(m.task, "pose");
    ck_assert_str_eq(m.family, "YOLOv8n-pose");
    ck_assert(m.stride == 32 && m.batch == 1 && m.channels == 3);
    ck_assert(m.input_height == 480 && m.input_width == 640);
    ck_assert(m.n_points == 17 && m.point_size == 3);
    ck_assert(m.from[METADATA_NMS] && m.nms && m.from[METADATA_END2END] && !m.end2end);
    ck_assert_str_eq(metadata_name(&m, 2), "it's");
    ck_assert_ptr_null(metadata_name(&m, 1));
    ck_assert_ptr_null(metadata_name(&m, 3));
    ck_assert_ptr_null(metadata_name(&m, -1));
    ck_assert(m.point_names.n == 2 && strcmp(m.point_names.name[1], "left_eye") == 0);
    ck_assert(m.resize == METADATA_INSIDE && m.height == 480 && m.width == 640);
    ck_assert(m.pad_height == 480 && m.pad_width == 640 && m.pad_centred && m.fill == 114);
    ck_assert_str_eq(m.filter, "cv2:linear");
    ck_assert(is_near(m.scale, 1.0 / 255) && m.mean[1] == 0 && m.std[1] == 1 && !m.bgr);
    ck_assert_ptr_null(m.from[METADATA_CROP]);
    ck_assert_int_eq(m.n_remarks, 0);
    metadata_free(&m);
}
END_TEST

START_TEST(ultralytics_by_task_and_family)
{
    metadata m = {0};
    take(&m, "author", "Ultralytics");
    take(&m, "task", "classify");
    take(&m, "imgsz", "224");
    metadata_end_properties(&m);
    ck_assert(m.resize == METADATA_SIDES && m.short_side == 224 && m.long_side == 0);
    ck_assert(m.crop_height == 224 && m.crop_width == 224 && !m.from[METADATA_PAD]);
    ck_assert_str_eq(m.filter, "pil:bilinear");
    metadata_free(&m);
    take(&m, "author", "Ultralytics");
    take(&m, "description", "Ultralytics rtdetr-l model");
    take(&m, "task", "detect");
    take(&m, "imgsz", "[640, 640]");
    metadata_end_properties(&m);
    ck_assert(m.resize == METADATA_STRETCH && m.height == 640 && !m.from[METADATA_PAD]);
    metadata_free(&m);
    take(&m, "stride", "32");
    take(&m, "names", "['a', 'b']");
    metadata_end_properties(&m);
    ck_assert_int_eq(m.maker, METADATA_ULTRALYTICS);
    ck_assert_str_eq(m.family, "YOLOv5");
    ck_assert_str_eq(metadata_name(&m, 1), "b");
    ck_assert_ptr_null(m.from[METADATA_RESIZE]);
    metadata_free(&m);
}
END_TEST

START_TEST(other_properties)
{
    metadata m = {0};
    take(&m, "character", "!\n\"\r\n\xe6\x97\xa5\n\nz\n");
    take(&m, "Image.BitmapPixelFormat", "Bgr8");
    take(&m, "Image.NominalPixelRange", "Normalized_1_1");
    take(&m, "labels", "[\"x\", 7]");
    take(&m, "classes", "a,b");
    metadata_end_properties(&m);
    ck_assert_int_eq(m.characters.n, 5);
    ck_assert_str_eq(m.characters.name[1], "\"");
    ck_assert_str_eq(m.characters.name[2], "\xe6\x97\xa5");
    ck_assert_str_eq(m.characters.name[3], "");
    ck_assert_int_eq(m.maker, METADATA_PADDLE);
    ck_assert(m.bgr && is_near(m.scale * 255 - m.mean[0], 1) && m.std[2] == 1);
    ck_assert_str_eq(metadata_name(&m, 1), "7");
    ck_assert_str_eq(m.from[METADATA_NAMES], "its property 'labels'");
    ck_assert_int_eq(m.n_remarks, 0);
    metadata_free(&m);
}
END_TEST

START_TEST(what_is_wrong_is_a_remark)
{
    static const char *const rows[][3] = {
        {"names", "{0: 'a', 1: }", "property 'names': line 1, column 13: expected a value"},
        {"names", "{'a': 'b'}", "expected a list, or a name for each number"},
        {"names", "{-1: 'b'}", "expected a list, or a name for each number"},
        {"names", "[]", "expected a list, or a name for each number"},
        {"names", "[None]", "expected a list, or a name for each number"},
        {"names", "{99999999999999999999: 'a'}", "class 99999999999999999999, at most 131071"},
        {"names", "{131072: 'a'}", "class 131072, at most 131071"},
        {"kpt_shape", "17 x 3", "column 4: expected the end"},
        {"imgsz", "(", "expected a value"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        metadata m = {0};
        take(&m, rows[i][0], rows[i][1]);
        ck_assert_msg(m.n_remarks == 1 && strstr(m.remark[0], rows[i][2]), "%s: %s", rows[i][1],
                      m.n_remarks ? m.remark[0] : "no remark");
        ck_assert(!m.from[METADATA_NAMES] && !m.names.n);
        metadata_free(&m);
    }
    metadata m = {0};
    char last[64];
    snprintf(last, sizeof last, "{%d: 'last'}", LIMIT_NAMES - 1);
    take(&m, "names", last);
    ck_assert_str_eq(metadata_name(&m, LIMIT_NAMES - 1), "last");
    metadata_free(&m);
}
END_TEST

START_TEST(values_out_of_range_tell_nothing)
{
    metadata m = {0};
    take(&m, "stride", "-8");
    take(&m, "batch", "1e9");
    take(&m, "imgsz", "[0, 640]");
    take(&m, "kpt_shape", "[17.5, 3]");
    take(&m, "end2end", "'yes'");
    for (int i = 0; i < METADATA_FACTS; i++)
        ck_assert_ptr_null(m.from[i]);
    metadata_free(&m);
}
END_TEST

/* ---- MMDeploy ---- */

static metadata read_steps(const char *steps)
{
    metadata m = {0};
    json_tree t;
    oc_error e = {0};
    char *text = tool_format("{\"pipeline\": {\"tasks\": [{\"transforms\": [%s]}, {\"module\": "
                             "\"Net\"}, {\"component\": \"ResizeBBox\"}]}}",
                             steps);
    json_read(&t, text, strlen(text), JSON_STRICT, "pipeline.json", &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    metadata_take_pipeline(&m, t.root, "pipeline.json");
    json_tree_free(&t);
    free(text);
    return m;
}

START_TEST(pipelines)
{
    metadata m = read_steps(
        "{\"type\": \"LoadImageFromFile\"}, {\"type\": \"Resize\", \"size\": [640, 640], "
        "\"keep_ratio\": true}, {\"type\": \"Pad\", \"size\": [640, 640], \"pad_val\": {\"img\": "
        "[114, 114, 114]}}, {\"type\": \"Normalize\", \"to_rgb\": false, \"mean\": [103.53, "
        "116.28, "
        "123.675], \"std\": [57.375, 57.12, 58.395]}, {\"type\": \"Pad\", \"size_divisor\": 32}, "
        "{\"type\": \"Collect\"}");
    ck_assert_int_eq(m.maker, METADATA_MMDEPLOY);
    ck_assert(m.resize == METADATA_INSIDE && m.height == 640 && m.width == 640);
    ck_assert(m.pad_height == 640 && !m.pad_centred && m.fill == 114 && !m.fill_zero);
    ck_assert_int_eq(m.pad_multiple, 32);
    ck_assert(m.bgr && m.scale == 1 && m.mean[0] == 103.53 && m.std[2] == 58.395);
    ck_assert_str_eq(m.filter, "cv2:linear");
    ck_assert_str_eq(m.component, "ResizeBBox");
    ck_assert_str_eq(m.from[METADATA_PAD], "pipeline.json: Pad");
    ck_assert_int_eq(m.n_remarks, 0);
    metadata_free(&m);
    m = read_steps(
        "{\"type\": \"Resize\", \"size\": [1333, 800], \"keep_ratio\": true}, {\"type\": "
        "\"Normalize\", \"mean\": [0], \"std\": [255]}, {\"type\": \"Pad\", "
        "\"size_divisor\": 32}");
    ck_assert(m.resize == METADATA_SIDES && m.short_side == 800 && m.long_side == 1333);
    ck_assert(!m.bgr && m.std[1] == 255 && m.fill_zero && m.pad_multiple == 32);
    metadata_free(&m);
    m = read_steps(
        "{\"type\": \"Resize\", \"size\": [256, -1], \"keep_ratio\": true, "
        "\"interpolation\": \"bicubic\"}, {\"type\": \"CenterCrop\", \"crop_size\": 224}, "
        "{\"type\": \"PackInputs\"}, {\"type\": \"TopDownAffine\"}");
    ck_assert(m.resize == METADATA_SIDES && m.short_side == 256 && m.long_side == 0);
    ck_assert(m.crop_height == 224 && m.crop_width == 224);
    ck_assert_str_eq(m.filter, "cv2:cubic");
    ck_assert_int_eq(m.n_remarks, 1);
    ck_assert_str_eq(m.remark[0], "pipeline.json: step 'TopDownAffine' is left out");
    metadata_free(&m);
    m = read_steps("{\"type\": \"Resize\", \"size\": [1024, 512]}");
    ck_assert(m.resize == METADATA_STRETCH && m.height == 512 && m.width == 1024);
    metadata_free(&m);
    m = read_steps(
        "{\"type\": \"LetterResize\", \"scale\": [640, 480], \"pad_val\": {\"img\": 114}, "
        "\"allow_scale_up\": false}");
    ck_assert(m.resize == METADATA_INSIDE && m.height == 480 && m.width == 640 && m.no_enlarging);
    ck_assert(m.pad_centred && m.pad_width == 640 && m.fill == 114);
    metadata_free(&m);
}
END_TEST

/* ---- files ---- */

typedef struct folder {
    char path[64];
    char *file[16];
    int n;
} folder;

static void begin_folder(folder *f)
{
    *f = (folder){.path = "/tmp/metadata-XXXXXX"};
    ck_assert_ptr_nonnull(mkdtemp(f->path));
}

static void put(folder *f, const char *name, const char *text)
{
    oc_error e = {0};
    io_file out;
    char *path = tool_format("%s/%s", f->path, name), *parent = io_folder_of(path);
    io_make_dir(parent, &e);
    io_create(&out, path, &e);
    io_put(&out, text, strlen(text));
    io_commit(&out, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    f->file[f->n++] = path;
    free(parent);
}

static void end_folder(folder *f)
{
    for (int i = 0; i < f->n; i++) {
        char *parent = io_folder_of(f->file[i]);
        unlink(f->file[i]);
        if (strcmp(parent, f->path) != 0)
            rmdir(parent);
        free(parent);
        free(f->file[i]);
    }
    ck_assert_int_eq(rmdir(f->path), 0);
}

static oc_model *load(const char *names)
{
    static const char rest[] = "agraph (float[1] x) => (float[1] y) { y = Identity(x) }";
    oc_error e = {0};
    char *text =
        tool_format("<ir_version: 8, opset_import: [\"\": 17], metadata_props: [\"names\": "
                    "\"%s\"]>\n%s",
                    names, rest);
    oc_model *model = oc_model_load_memory(text, strlen(text), NULL, &e);
    ck_assert_msg(model != NULL, "%s", e.text);
    free(text);
    return model;
}

static metadata read_all(const folder *f, const char *name, const char *config, oc_status code)
{
    metadata m;
    oc_error e = {0};
    oc_model *model = load("['own']");
    char *path = tool_format("%s/%s", f->path, name);
    char *given = config ? tool_format("%s/%s", f->path, config) : NULL;
    metadata_read(&m, model, path, given, &e);
    ck_assert_msg(e.code == code, "%s", e.text);
    oc_model_free(model);
    free(path);
    free(given);
    return m;
}

START_TEST(files_beside_a_model)
{
    static const char config[] = "{\"model_type\": \"vit\", \"id2label\": {\"0\": \"cat\"}}";
    folder f;
    begin_folder(&f);
    put(&f, "config.json", config);
    put(&f, "preprocessor_config.json", "{\"do_resize\": true, \"size\": 30}");
    put(&f, "onnx/model.onnx", "");
    put(&f, "other/model.onnx", "");
    put(&f, "other/config.json", "{\"port\": 80}");
    put(&f, "other/preprocessor_config.json", "{");
    metadata m = read_all(&f, "onnx/model.onnx", NULL, OC_OK);
    ck_assert_str_eq(m.family, "vit");
    ck_assert_int_eq(m.height, 30);
    ck_assert_str_eq(metadata_name(&m, 0), "own");
    ck_assert(strstr(m.from[METADATA_RESIZE], "preprocessor_config.json: size"));
    metadata_free(&m);
    m = read_all(&f, "onnx/model.onnx", "config.json", OC_OK);
    ck_assert_str_eq(metadata_name(&m, 0), "cat");
    metadata_free(&m);
    m = read_all(&f, "onnx/model.onnx", "", OC_OK);
    ck_assert_str_eq(metadata_name(&m, 0), "cat");
    metadata_free(&m);
    m = read_all(&f, "other/model.onnx", NULL, OC_OK);
    ck_assert(!m.family && m.n_remarks == 1 && strstr(m.remark[0], "expected a key in quotes"));
    metadata_free(&m);
    m = read_all(&f, "other/model.onnx", "other/config.json", OC_ARGUMENT);
    metadata_free(&m);
    m = read_all(&f, "other/model.onnx", "other/preprocessor_config.json", OC_FORMAT);
    metadata_free(&m);
    m = read_all(&f, "other/model.onnx", "none.json", OC_IO);
    metadata_free(&m);
    end_folder(&f);
}
END_TEST

START_TEST(files_of_mmdeploy)
{
    folder f;
    begin_folder(&f);
    put(&f, "deploy.json",
        "{\"task\": \"Detector\", \"models\": [{\"name\": \"rtmdet\", \"net\": "
        "\"end2end.onnx\"}]}");
    put(&f, "detail.json", "{\"codebase\": {\"task\": \"ObjectDetection\"}, \"onnx_config\": {}}");
    put(&f, "pipeline.json",
        "{\"pipeline\": {\"tasks\": [{\"transforms\": [{\"type\": \"Resize\", "
        "\"size\": 20}]}]}}");
    metadata m = read_all(&f, "end2end.onnx", NULL, OC_OK);
    ck_assert_str_eq(m.family, "rtmdet");
    ck_assert_str_eq(m.task, "ObjectDetection");
    ck_assert(m.resize == METADATA_STRETCH && m.width == 20);
    metadata_free(&m);
    m = read_all(&f, "other.onnx", NULL, OC_OK);
    ck_assert(!m.family && !m.task && !m.from[METADATA_RESIZE] && !m.from[METADATA_MAKER]);
    metadata_free(&m);
    end_folder(&f);
}
END_TEST

START_TEST(names_are_replaced)
{
    folder f;
    labels l = {0};
    oc_error e = {0};
    begin_folder(&f);
    put(&f, "labels.txt", "cat\r\n\ndog");
    metadata m = {0};
    take(&m, "names", "{0: 'a', 5: 'b'}");
    /* numbers of labels: those of https://cocodataset.org, annotations of 2017 */
    static const struct {
        const char *word;
        int n, person, glove, tv;
    } coco[] = {{"coco", 80, 0, 35, 62}, {"coco-90", 90, 0, 39, 71}, {"coco-91", 91, 1, 40, 72}};
    for (int k = 0; k < 3; k++) {
        const metadata_coco numbering = metadata_coco_word(coco[k].word);
        metadata_use_coco(&m, numbering);
        ck_assert_int_eq(m.names.n, coco[k].n);
        ck_assert_int_eq(metadata_coco_size(m.names.n), numbering);
        ck_assert_int_eq(metadata_coco_of(&m.names), numbering);
        ck_assert_str_eq(metadata_name(&m, coco[k].person), "person");
        ck_assert_str_eq(metadata_name(&m, coco[k].glove), "baseball glove");
        ck_assert_str_eq(metadata_name(&m, coco[k].tv), "tv");
        ck_assert_str_eq(metadata_name(&m, coco[k].n - 1), "toothbrush");
        ck_assert_int_eq(metadata_coco_id(numbering, coco[k].person), 1);
        ck_assert_int_eq(metadata_coco_id(numbering, coco[k].glove), 40);
        ck_assert_int_eq(metadata_coco_id(numbering, coco[k].tv), 72);
        ck_assert_int_eq(metadata_coco_id(numbering, coco[k].n - 1), 90);
    }
    ck_assert_str_eq(m.from[METADATA_NAMES], "--labels coco-91");
    ck_assert_ptr_null(metadata_name(&m, 0));
    labels_read(&l, f.file[0], 1000, &e);
    metadata_use_labels(&m, &l);
    ck_assert(m.names.n == 3 && strcmp(metadata_name(&m, 0), "cat") == 0);
    ck_assert_str_eq(metadata_name(&m, 2), "dog");
    ck_assert_int_eq(metadata_coco_of(&m.names), METADATA_NO_COCO);
    ck_assert_int_eq(metadata_coco_id(METADATA_NO_COCO, 2), 3);
    ck_assert_str_eq(m.from[METADATA_NAMES], f.file[0]);
    labels_free(&l);
    metadata_free(&m);
    end_folder(&f);
}
END_TEST

SUITE("metadata", ultralytics, ultralytics_by_task_and_family, other_properties,
      what_is_wrong_is_a_remark, values_out_of_range_tell_nothing, pipelines, files_beside_a_model,
      files_of_mmdeploy, names_are_replaced)
