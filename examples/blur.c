/* SPDX-License-Identifier: Apache-2.0
 * blur.c - how does an operator of a program's own use the memory and the threads of its session?
 * "my.vision::Blur" takes the mean of each pixel and its neighbours, first along rows, then along
 * columns.
 *
 * $ blur
 * 4 4 4 4 4 4
 * 4 4 4 4 4 4
 * node of 'y' (my.vision.Blur-1): input x is no image [N,C,H,W] */
#include <ocellus_op.h>
#include <stdio.h>
#include <string.h>

/* What the tasks of one run share. */
typedef struct blur {
    const float *from;
    float *across, *to; /* blurred along rows; along columns too */
    int64_t rows, wide; /* of all channels of all images; pixels of a row */
    int64_t high;       /* rows of one channel */
    int n;              /* tasks */
    bool down;          /* this time along columns */
} blur;

static float mean(const float *x, int64_t i, int64_t n, int64_t step)
{
    const float *before = i > 0 ? x - step : x, *after = i + 1 < n ? x + step : x;
    return (*before + *x + *after) / 3;
}

/* Rows i/n to (i+1)/n of all. Whatever n is, each pixel is computed alike. */
static void blur_rows(void *arg, int i)
{
    const blur *b = arg;
    for (int64_t row = b->rows * i / b->n; row < b->rows * (i + 1) / b->n; row++)
        for (int64_t x = 0; x < b->wide; x++) {
            const int64_t at = row * b->wide + x;
            if (b->down)
                b->to[at] = mean(b->across + at, row % b->high, b->high, b->wide);
            else
                b->across[at] = mean(b->from + at, x, b->wide, 1);
        }
}

static oc_status blur_shape(oc_call *call)
{
    const oc_value *x = oc_call_in(call, 0);
    if (oc_value_rank(x) != 4)
        return oc_call_fail(call, OC_SHAPE, "input x is no image [N,C,H,W]");
    return oc_call_set_out(call, 0, OC_F32, 4, oc_value_dims(x));
}

static oc_status blur_run(oc_call *call)
{
    const oc_value *x = oc_call_in(call, 0);
    const int64_t *dim = oc_value_dims(x);
    blur b = {.from = oc_value_data(x), .to = oc_call_out(call, 0), .n = oc_call_threads(call)};
    b.high = dim[2];
    b.wide = dim[3];
    b.rows = dim[0] * dim[1] * dim[2];
    b.across = oc_call_scratch(call, (size_t)oc_value_count(x) * sizeof(float));
    if (!b.across)
        return OC_NOMEM;
    oc_call_run_tasks(call, b.n, blur_rows, &b);
    b.down = true;
    oc_call_run_tasks(call, b.n, blur_rows, &b);
    return OC_OK;
}

static const oc_op my_ops[] = {
    {1, "my.vision::Blur (T x) => (T y) | T: float", blur_shape, blur_run},
    {0},
};

/* Runs the operator on an image of that rank, whose middle column is bright. */
static void run(int rank, int threads)
{
    static const char text[] = "<ir_version: 8, opset_import: [\"my.vision\" : 1]>\n"
                               "g (float[] x) => (float[] y) { y = my.vision.Blur (x) }";
    static const float image[] = {0, 12, 0, 0, 12, 0};
    oc_error e = {0};
    oc_model *model = oc_model_load_memory(text, strlen(text), NULL, &e);
    const oc_session_options options = {.ops = my_ops, .threads = threads};
    oc_session *session = oc_session_new(model, &options, &e);
    oc_bind(session, "x", OC_F32, rank, (const int64_t[]){1, 1, 2, 3} + 4 - rank, image, &e);
    oc_run(session, &e);
    size_t n = 0;
    const float *y = oc_fetch(session, "y", &n, &e);
    for (size_t i = 0; i < n; i++)
        printf("%g%c", y[i], i + 1 < n ? ' ' : '\n');
    if (e.code != OC_OK)
        puts(e.text);
    oc_session_free(session);
    oc_model_free(model);
}

int main(void)
{
    run(4, 1);
    run(4, 2);
    run(2, 1);
}
