/* SPDX-License-Identifier: Apache-2.0
 * onednn.c - the least time of a convolution in oneDNN, between memory in the layouts that it
 * chooses itself.
 *
 *   OMP_NUM_THREADS=1 bench_onednn TYPE ALGORITHM CHANNELS HEIGHT WIDTH OUTPUT_CHANNELS KERNEL
 * STRIDE PAD GROUPS
 *
 * TYPE is f32, or u8s8: uint8 values, int8 weights, a uint8 result by a scale for each output
 * channel. ALGORITHM is direct, winograd or auto. Prints milliseconds and the name of the
 * implementation. Weights are brought into its layout once, before; the input is in its layout
 * already, the output stays in it. */
#define _POSIX_C_SOURCE 199309L
#include <dnnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double LONGEST = 0.3; /* seconds of timed runs, at least 20 */

typedef struct convolution {
    dnnl_data_type_t type, weights_type;
    dnnl_alg_kind_t algorithm;
    int channels, height, width, output_channels, kernel, stride, pad, groups;
} convolution;

static void check(dnnl_status_t status, const char *what)
{
    if (status == dnnl_success)
        return;
    fprintf(stderr, "bench_onednn: %s: status %d\n", what, (int)status);
    exit(status == dnnl_unimplemented ? 2 : 1);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static dnnl_memory_desc_t any_layout(int rank, const dnnl_dim_t *dims, dnnl_data_type_t type)
{
    dnnl_memory_desc_t desc;
    check(dnnl_memory_desc_init_by_tag(&desc, rank, dims, type, dnnl_format_tag_any), "a layout");
    return desc;
}

/* Memory of small numbers, so that no sum is denormal or overflows. */
static dnnl_memory_t filled(const dnnl_memory_desc_t *desc, dnnl_engine_t engine)
{
    dnnl_memory_t memory;
    void *data;
    check(dnnl_memory_create(&memory, desc, engine, DNNL_MEMORY_ALLOCATE), "memory");
    check(dnnl_memory_get_data_handle(memory, &data), "memory");
    const size_t size = dnnl_memory_desc_get_size(desc);
    if (desc->data_type == dnnl_f32)
        for (size_t i = 0; i < size / sizeof(float); i++)
            ((float *)data)[i] = (float)(i % 17) / 17 - 0.5f;
    else
        for (size_t i = 0; i < size; i++)
            ((unsigned char *)data)[i] = (unsigned char)(i % 17);
    return memory;
}

static int output_side(const convolution *c, int side)
{
    return (side + 2 * c->pad - c->kernel) / c->stride + 1;
}

static dnnl_primitive_desc_t describe(const convolution *c, dnnl_engine_t engine)
{
    const dnnl_dim_t x[] = {1, c->channels, c->height, c->width};
    const dnnl_dim_t y[] = {1, c->output_channels, output_side(c, c->height),
                            output_side(c, c->width)};
    const dnnl_dim_t w[] = {c->groups, c->output_channels / c->groups, c->channels / c->groups,
                            c->kernel, c->kernel};
    const dnnl_dim_t b[] = {c->output_channels};
    const dnnl_dims_t strides = {c->stride, c->stride}, pads = {c->pad, c->pad};
    const int grouped = c->groups > 1;
    const dnnl_memory_desc_t input = any_layout(4, x, c->type), output = any_layout(4, y, c->type),
                             weights = any_layout(4 + grouped, w + !grouped, c->weights_type),
                             bias = any_layout(1, b, dnnl_f32);
    dnnl_convolution_desc_t desc;
    check(dnnl_convolution_forward_desc_init(&desc, dnnl_forward_inference, c->algorithm, &input,
                                             &weights, &bias, &output, strides, pads, pads),
          "the convolution");
    dnnl_primitive_attr_t attributes;
    check(dnnl_primitive_attr_create(&attributes), "attributes");
    float *scales = malloc((size_t)c->output_channels * sizeof(float));
    for (int i = 0; scales && i < c->output_channels; i++)
        scales[i] = 0.001f;
    if (c->type != dnnl_f32)
        check(dnnl_primitive_attr_set_output_scales(attributes, c->output_channels, 1 << 1, scales),
              "scales");
    dnnl_primitive_desc_t found;
    check(dnnl_primitive_desc_create(&found, &desc, attributes, engine, NULL), "no implementation");
    dnnl_primitive_attr_destroy(attributes);
    free(scales);
    return found;
}

static double least_ms(dnnl_primitive_t primitive, dnnl_stream_t stream, int n,
                       const dnnl_exec_arg_t *args)
{
    double least = 1e9;
    const double begin = seconds();
    for (int runs = 0; runs < 20 || seconds() - begin < LONGEST; runs++) {
        const double start = seconds();
        check(dnnl_primitive_execute(primitive, stream, n, args), "a run");
        check(dnnl_stream_wait(stream), "a run");
        const double took = seconds() - start;
        least = took < least ? took : least;
    }
    return 1e3 * least;
}

static void run(const convolution *c)
{
    static const struct {
        dnnl_query_t query;
        int place;
    } operand[] = {{dnnl_query_src_md, DNNL_ARG_SRC},
                   {dnnl_query_weights_md, DNNL_ARG_WEIGHTS},
                   {dnnl_query_dst_md, DNNL_ARG_DST}};
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_t primitive;
    check(dnnl_engine_create(&engine, dnnl_cpu, 0), "an engine");
    check(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags), "a stream");
    dnnl_primitive_desc_t desc = describe(c, engine);
    check(dnnl_primitive_create(&primitive, desc), "the primitive");
    dnnl_exec_arg_t args[4];
    for (int i = 0; i < 3; i++)
        args[i] = (dnnl_exec_arg_t){
            operand[i].place,
            filled(dnnl_primitive_desc_query_md(desc, operand[i].query, 0), engine)};
    args[3] = (dnnl_exec_arg_t){
        DNNL_ARG_BIAS,
        filled(dnnl_primitive_desc_query_md(desc, dnnl_query_weights_md, 1), engine)};
    const char *name;
    check(dnnl_primitive_desc_query(desc, dnnl_query_impl_info_str, 0, (void *)&name), "a name");
    printf("%.5f %s\n", least_ms(primitive, stream, 4, args), name);
    for (int i = 0; i < 4; i++)
        dnnl_memory_destroy(args[i].memory);
    dnnl_primitive_destroy(primitive);
    dnnl_primitive_desc_destroy(desc);
    dnnl_stream_destroy(stream);
    dnnl_engine_destroy(engine);
}

static dnnl_alg_kind_t algorithm_named(const char *name)
{
    return !strcmp(name, "direct")     ? dnnl_convolution_direct
           : !strcmp(name, "winograd") ? dnnl_convolution_winograd
                                       : dnnl_convolution_auto;
}

static convolution read_words(char **argv)
{
    const int is_float = !strcmp(argv[1], "f32");
    convolution c = {.type = is_float ? dnnl_f32 : dnnl_u8,
                     .weights_type = is_float ? dnnl_f32 : dnnl_s8,
                     .algorithm = algorithm_named(argv[2])};
    int *const numbers[] = {&c.channels, &c.height, &c.width, &c.output_channels,
                            &c.kernel,   &c.stride, &c.pad,   &c.groups};
    for (int i = 0; i < 8; i++)
        *numbers[i] = atoi(argv[3 + i]);
    return c;
}

int main(int argc, char **argv)
{
    if (argc != 11) {
        fprintf(stderr, "usage: bench_onednn f32|u8s8 direct|winograd|auto CHANNELS HEIGHT WIDTH "
                        "OUTPUT_CHANNELS "
                        "KERNEL STRIDE PAD GROUPS\n");
        return 1;
    }
    const convolution c = read_words(argv);
    run(&c);
    return 0;
}
