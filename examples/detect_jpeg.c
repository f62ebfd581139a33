/* SPDX-License-Identifier: Apache-2.0
 * detect_jpeg.c - decodes a JPEG with libjpeg, runs a detector of the YOLOv8 family with its
 * decoder joined behind it, and prints the boxes that it finds, in pixels of the photograph. The
 * decoder is a function of functions/vision (installed: share/ocellus/vision); for other networks
 * another one is called. detect_jpeg.onnxtxt stands for yolov8n.onnx: it finds where a photograph
 * is the most red.
 *
 * $ detect_jpeg examples/detect_jpeg.onnxtxt examples/detect/face.jpg functions/vision
 * label 0  score 0.72  left 0.0  top 244.5  right 302.6  bottom 320.0 */
#include <ocellus_model.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

static const char decoder[] =
    "<ir_version: 8, opset_import: [\"\" : 18, \"ocellus.vision\" : 1]>\n"
    "decoder (float[1,numbers,places] output, int64[2] photo, float[4] fit)\n"
    "  => (float[found,4] boxes, float[found] scores, int64[found] labels)\n"
    "{ boxes, scores, labels = ocellus.vision.Yolov8 <score: float = 0.25> (output, photo, fit) }";

/* Joins the decoder behind the network; the folder has the functions that it calls. */
static oc_model *join(const oc_model *network, const char *folder, oc_model **behind, oc_error *e)
{
    static const char *const name[] = {"Yolov8", "PickColumns", "Corners", "Suppress",
                                       "ToPhotograph"};
    char path[5][1024];
    const char *functions[6] = {NULL};
    for (int i = 0; i < 5; i++) {
        snprintf(path[i], sizeof path[i], "%s/%s.1.onnxtxt", folder, name[i]);
        functions[i] = path[i];
    }
    const oc_model_options options = {.functions = functions};
    *behind = oc_model_load_memory(decoder, sizeof decoder - 1, &options, e);
    const oc_link link = {oc_model_output(network, 0).name, "output"};
    return oc_model_join(network, *behind, &link, 1, "decoder", e);
}

/* Returns rows of red, green and blue; libjpeg ends the program where the file is damaged. */
static unsigned char *read_jpeg(const char *path, int *width, int *height)
{
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    FILE *file = fopen(path, "rb");
    if (!file)
        exit((fprintf(stderr, "%s: it cannot be read\n", path), 1));
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_stdio_src(&jpeg, file);
    jpeg_read_header(&jpeg, TRUE);
    jpeg.out_color_space = JCS_RGB;
    jpeg_start_decompress(&jpeg);
    *width = (int)jpeg.output_width;
    *height = (int)jpeg.output_height;
    unsigned char *rgb = malloc((size_t)*width * (size_t)*height * 3);
    while (rgb && jpeg.output_scanline < jpeg.output_height) {
        JSAMPROW row = rgb + (size_t)jpeg.output_scanline * (size_t)*width * 3;
        jpeg_read_scanlines(&jpeg, &row, 1);
    }
    jpeg_destroy_decompress(&jpeg);
    fclose(file);
    return rgb;
}

/* Returns the sample at (x, y), between the centres of four pixels. */
static float sample(const unsigned char *rgb, int width, int height, float x, float y, int c)
{
    const float u = fminf(fmaxf(x - 0.5f, 0), (float)width - 1);
    const float v = fminf(fmaxf(y - 0.5f, 0), (float)height - 1);
    const int i = (int)u, j = (int)v, right = i + 1 < width ? 3 : 0;
    const unsigned char *a = rgb + 3 * (j * width + i) + c, *b = j + 1 < height ? a + 3 * width : a;
    const float above = a[0] + (u - (float)i) * (float)(a[right] - a[0]);
    const float below = b[0] + (u - (float)i) * (float)(b[right] - b[0]);
    return above + (v - (float)j) * (below - above);
}

/* Fills the input, channels by rows: the photograph in the middle of gray, as large as it can be.
 */
static void letterbox(const unsigned char *rgb, int width, int height, float *input, int w, int h,
                      float fit[4])
{
    const float scale = fminf((float)w / (float)width, (float)h / (float)height);
    const int left = (int)((float)w - scale * (float)width) / 2;
    const int top = (int)((float)h - scale * (float)height) / 2;
    for (int i = 0; i < 3 * h * w; i++) {
        const float x = ((float)(i % w - left) + 0.5f) / scale;
        const float y = ((float)(i / w % h - top) + 0.5f) / scale;
        const bool inside = x >= 0 && y >= 0 && x < (float)width && y < (float)height;
        input[i] = (inside ? sample(rgb, width, height, x, y, i / w / h) : 114) / 255;
    }
    fit[0] = fit[1] = scale;
    fit[2] = (float)left;
    fit[3] = (float)top;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return fprintf(stderr, "usage: detect_jpeg MODEL PHOTO.jpg FOLDER\n"), 2;
    oc_error e = {0}; /* once e holds an error, every later call does nothing */
    oc_model *network = oc_model_load(argv[1], NULL, &e), *behind = NULL;
    oc_model *model = join(network, argv[3], &behind, &e);
    oc_session *session = oc_session_new(model, NULL, &e);
    const oc_port image = oc_model_input(network, 0);
    const int h = (int)image.dim[2], w = (int)image.dim[3];
    if (e.code == OC_OK && (image.rank != 4 || image.type != OC_F32 || h < 1 || w < 1))
        return fprintf(stderr, "expected a model whose input is float[1,3,height,width]\n"), 1;
    int width, height;
    unsigned char *rgb = read_jpeg(argv[2], &width, &height);
    float *input = malloc((size_t)(3 * h * w) * sizeof *input), fit[4];
    const int64_t photo[2] = {height, width};
    if (e.code == OC_OK && rgb && input)
        letterbox(rgb, width, height, input, w, h, fit);
    oc_bind(session, image.name, OC_F32, 4, (const int64_t[]){1, 3, h, w}, input, &e);
    oc_bind(session, "photo", OC_I64, 1, (const int64_t[]){2}, photo, &e);
    oc_bind(session, "fit", OC_F32, 1, (const int64_t[]){4}, fit, &e);
    oc_run(session, &e);
    size_t n = 0;
    const int64_t *label = oc_fetch(session, "labels", &n, &e);
    const float *box = oc_fetch(session, "boxes", NULL, &e),
                *score = oc_fetch(session, "scores", NULL, &e);
    for (size_t i = 0; e.code == OC_OK && i < n; i++, box += 4)
        printf("label %d  score %.2f  left %.1f  top %.1f  right %.1f  bottom %.1f\n",
               (int)label[i], score[i], box[0], box[1], box[2], box[3]);
    if (e.code != OC_OK)
        fprintf(stderr, "%s\n", e.text);
    oc_session_free(session);
    oc_model_free(model);
    oc_model_free(behind);
    oc_model_free(network);
    free(input);
    free(rgb);
    return e.code != OC_OK;
}
