/* SPDX-License-Identifier: Apache-2.0
 * max_pool.c - how does an operator of a program's own take lists? MaxPool over two axes, as
 * "my.vision::MaxPool", beside the built-in one.
 *
 * $ max_pool
 * 7 5 9 9 8 5 6 6 8 4 6 7 as the built-in one
 * 7 9 8 7 as the built-in one
 * node of 'y' (my.vision.MaxPool-1): strides has 1 items, expected 2, each at least 1 */
#include <ocellus.h>
#include <ocellus_op.h>
#include <stdio.h>
#include <string.h>

/* The window over axes 2 and 3 of an image. */
typedef struct window {
    int64_t size[2], step[2];
    int64_t before[2], after[2]; /* padding: pixels that are less than any other */
} window;

/* Reads a list of n items, each at least `least`; without one they are all `otherwise`. */
static oc_status read_list(oc_call *call, const char *name, size_t n, int64_t least,
                           int64_t otherwise, int64_t *to)
{
    char text[100];
    size_t count;
    const int64_t *list = oc_call_ints(call, name, &count);
    bool right = !list || count == n;
    for (size_t i = 0; i < n && right; i++) {
        to[i] = list ? list[i] : otherwise;
        right = to[i] >= least && to[i] <= INT32_MAX;
    }
    if (right)
        return OC_OK;
    snprintf(text, sizeof text, "%s has %zu items, expected %zu, each at least %d", name, count, n,
             (int)least);
    return oc_call_fail(call, OC_VALUE, text);
}

static oc_status read_window(oc_call *call, window *w)
{
    int64_t pads[4];
    if (read_list(call, "kernel_shape", 2, 1, 1, w->size) != OC_OK ||
        read_list(call, "strides", 2, 1, 1, w->step) != OC_OK ||
        read_list(call, "pads", 4, 0, 0, pads) != OC_OK)
        return OC_VALUE;
    for (int a = 0; a < 2; a++) {
        w->before[a] = pads[a];
        w->after[a] = pads[a + 2];
        if (pads[a] >= w->size[a] || pads[a + 2] >= w->size[a])
            return oc_call_fail(call, OC_VALUE, "pads reach past the window");
    }
    return OC_OK;
}

static oc_status pool_shape(oc_call *call)
{
    const oc_value *x = oc_call_in(call, 0);
    window w;
    int64_t dim[4];
    if (read_window(call, &w) != OC_OK)
        return OC_VALUE;
    if (oc_value_rank(x) != 4)
        return oc_call_fail(call, OC_SHAPE, "input 0 has another rank than 4");
    memcpy(dim, oc_value_dims(x), sizeof dim);
    for (int a = 0; a < 2; a++) {
        const int64_t room = dim[a + 2] + w.before[a] + w.after[a] - w.size[a];
        if (room < 0)
            return oc_call_fail(call, OC_SHAPE, "the window is larger than the image");
        dim[a + 2] = room / w.step[a] + 1;
    }
    return oc_call_set_out(call, 0, OC_F32, 4, dim);
}

/* The largest pixel of the window whose first row and column are given; NaN if it has one. */
static float largest(const float *image, const int64_t *dim, const window *w, int64_t row,
                     int64_t column)
{
    float most = -1.0f / 0.0f;
    for (int64_t i = row < 0 ? 0 : row; i < row + w->size[0] && i < dim[2]; i++)
        for (int64_t j = column < 0 ? 0 : column; j < column + w->size[1] && j < dim[3]; j++) {
            const float pixel = image[i * dim[3] + j];
            if (pixel > most || pixel != pixel)
                most = pixel;
        }
    return most;
}

static oc_status pool_run(oc_call *call)
{
    const oc_value *x = oc_call_in(call, 0);
    const int64_t *dim = oc_value_dims(x);
    const float *image = oc_value_data(x);
    float *y = oc_call_out(call, 0);
    window w;
    if (read_window(call, &w) != OC_OK)
        return OC_VALUE;
    for (int64_t plane = 0; plane < dim[0] * dim[1]; plane++, image += dim[2] * dim[3])
        for (int64_t i = -w.before[0]; i + w.size[0] <= dim[2] + w.after[0]; i += w.step[0])
            for (int64_t j = -w.before[1]; j + w.size[1] <= dim[3] + w.after[1]; j += w.step[1])
                *y++ = largest(image, dim, &w, i, j);
    return OC_OK;
}

static const oc_op my_ops[] = {
    {1,
     "my.vision::MaxPool <ints kernel_shape, ints strides?, ints pads?> (T x) => (T y) | T: float",
     pool_shape, pool_run},
    {0},
};

/* Pools a small image by the program's operator and by the built-in one. */
static void compare(const char *attributes)
{
    static const float x[20] = {7, 1, 2, 9, 0, 3, 4, 5, 6, 5, 8, 2, 1, 0, 3, 1, 1, 4, 6, 7};
    char text[500];
    oc_error e = {0};
    snprintf(text, sizeof text,
             "<ir_version: 8, opset_import: [\"\" : 17, \"my.vision\" : 1]>\n"
             "g (float[1,1,4,5] x) => (float[1,1,H,W] y, float[1,1,H,W] z)\n"
             "{ y = my.vision.MaxPool <%s> (x)  z = MaxPool <%s> (x) }",
             attributes, attributes);
    oc_model *model = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_session *session = oc_session_new(model, &(oc_session_options){.ops = my_ops}, &e);
    size_t n = 0, m = 0;
    oc_bind(session, "x", OC_F32, 4, (const int64_t[]){1, 1, 4, 5}, x, &e);
    oc_run(session, &e);
    const float *y = oc_fetch(session, "y", &n, &e), *z = oc_fetch(session, "z", &m, &e);
    for (size_t i = 0; i < n; i++)
        printf("%g ", y[i]);
    if (e.code != OC_OK)
        puts(e.text);
    else
        puts(n == m && memcmp(y, z, n * sizeof *y) == 0 ? "as the built-in one" : "unlike MaxPool");
    oc_session_free(session);
    oc_model_free(model);
}

int main(void)
{
    compare("kernel_shape = [2, 2]");
    compare("kernel_shape = [3, 2], strides = [2, 3], pads = [1, 0, 1, 1]");
    compare("kernel_shape = [2, 2], strides = [2]");
}
