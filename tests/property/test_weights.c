/* SPDX-License-Identifier: Apache-2.0
 * test_weights.c - products of 8-bit integers give the same whether their weights are constants,
 * which are packed with the plan, or inputs. */
#include "outcome.h"
#include "suite.h"

#include <stdio.h>

enum { ROUNDS = 500, MOST = 40000, TEXT = 1 << 18 };

static uint8_t x[MOST], w[MOST];
static char constant_text[2 * TEXT], input_text[2 * TEXT];

/* One node: its inputs x and w, and the text around. */
typedef struct node {
    oc_value x, w;
    const char *w_type, *w_dims;
    char call[400], x_port[80], others[4000];
} node;

static int64_t count(const oc_dims *d)
{
    int64_t n = 1;
    for (int a = 0; a < d->rank; a++)
        n *= d->n[a];
    return n;
}

static int below(suite_random *r, int limit)
{
    return (int)suite_below(r, (uint32_t)limit);
}

static void print_dims(char *to, size_t size, const oc_dims *d)
{
    size_t at = 0;
    to[0] = '\0';
    for (int a = 0; a < d->rank; a++)
        at += (size_t)snprintf(to + at, size - at, "%s%d", a ? "," : "", (int)d->n[a]);
}

/* Numbers "name = {..}, " of this number of columns, each low to low + range - 1 over `over`. */
static int print_numbers(char *to, size_t size, suite_random *r, const char *type, const char *name,
                         int n, int low, int range, int over)
{
    int at =
        snprintf(to, size, n > 1 ? "%s[%d] %s = {" : "%s%.0d %s = {", type, n > 1 ? n : 0, name);
    for (int i = 0; i < n; i++)
        at += snprintf(to + at, size - (size_t)at, "%s%g", i ? ", " : "",
                       (double)(low + below(r, range)) / over);
    return at + snprintf(to + at, size - (size_t)at, "}, ");
}

/* Scales and zero points of x, w and y; of w one for each of n channels or columns, or one. */
static void print_others(node *t, suite_random *r, int n, const char *x_type, bool bias)
{
    const bool is_signed = x_type[0] == 'i', w_signed = t->w_type[0] == 'i';
    const int each = below(r, 2) ? n : 1, none = w_signed ? 0 : 128;
    const int low = is_signed ? -128 : 0, w_low = w_signed ? -128 : 0;
    const bool plain = below(r, 2);
    char *to = t->others, *end = t->others + sizeof t->others;
    to += print_numbers(to, (size_t)(end - to), r, "float", "xs", 1, 1, 40, 1000);
    to += print_numbers(to, (size_t)(end - to), r, "float", "ws", each, 1, 40, 1000);
    to += print_numbers(to, (size_t)(end - to), r, "float", "ys", 1, 1, 40, 40);
    to += print_numbers(to, (size_t)(end - to), r, x_type, "xz", 1, low, 256, 1);
    to += print_numbers(to, (size_t)(end - to), r, t->w_type, "wz", each, plain ? none : w_low,
                        plain ? 1 : 256, 1);
    to += print_numbers(to, (size_t)(end - to), r, x_type, "yz", 1, low, 256, 1);
    if (bias)
        print_numbers(to, (size_t)(end - to), r, "int32", "b", n > 1 ? n : 1, -3000, 6000, 1);
}

static void make_conv(node *t, suite_random *r, bool is_signed)
{
    static const int sizes[] = {1, 2, 3, 4, 8, 16, 17, 24};
    const bool depthwise = below(r, 3) == 0;
    const int groups = depthwise ? 2 + below(r, 33) : 1 + below(r, 3) * below(r, 2);
    const int channels = depthwise ? 1 : sizes[below(r, 8)];
    const int out = groups * (depthwise ? 1 : sizes[below(r, 8)]);
    const int kernel[] = {1 + below(r, 4), 1 + below(r, 4)};
    const int side[] = {kernel[0] * 2 + below(r, 6), kernel[1] * 2 + below(r, 12)};
    t->x = oc_value_borrow(is_signed ? OC_I8 : OC_U8,
                           (oc_dims){4, {1 + below(r, 2), groups * channels, side[0], side[1]}}, x);
    t->w.dims = (oc_dims){4, {out, channels, kernel[0], kernel[1]}};
    print_others(t, r, out, is_signed ? "int8" : "uint8", out > 1);
    const bool linear = below(r, 3);
    const int at = snprintf(
        t->call, sizeof t->call,
        "%s <group = %d, strides = [%d, %d], dilations = [%d, %d], pads = [%d, %d, %d, %d]> ",
        linear ? "QLinearConv" : "ConvInteger", groups, 1 + below(r, 2), 1 + below(r, 2),
        1 + below(r, 2), 1 + below(r, 2), below(r, 3), below(r, 3), below(r, 3), below(r, 3));
    snprintf(t->call + at, sizeof t->call - (size_t)at, "(%s%s)",
             linear ? "x, xs, xz, w, ws, wz, ys, yz" : "x, w, xz, wz",
             linear && out > 1 ? ", b" : "");
}

static void make_matmul(node *t, suite_random *r, bool is_signed, bool linear)
{
    const int m = 1 + below(r, 20), k = 1 + below(r, 40), n = 1 + below(r, 50);
    t->x = oc_value_borrow(is_signed ? OC_I8 : OC_U8, (oc_dims){3, {1 + below(r, 3), m, k}}, x);
    t->w.dims = (oc_dims){2, {k, n}};
    print_others(t, r, n, is_signed ? "int8" : "uint8", false);
    snprintf(t->call, sizeof t->call, "%s",
             linear ? "QLinearMatMul (x, xs, xz, w, ws, wz, ys, yz)"
                    : "MatMulInteger (x, w, xz, wz)");
}

/* Both texts of a node. Half of the time the dims of x are not known when the plan is made. */
static void print_texts(const node *t, suite_random *r)
{
    static const char *const form =
        "<ir_version: 10, opset_import: [\"\" : 21]>\n"
        "g (%s[%s] x%s%s) => (%s y) <%s%s float unread = {0}> { y = %s }";
    const char *x_type = t->x.type == OC_I8 ? "int8" : "uint8";
    const char *y = strstr(t->call, "Integer") ? "int32[]"
                    : x_type[0] == 'i'         ? "int8[]"
                                               : "uint8[]";
    static char port[100], weights[TEXT];
    char dims[80];
    print_dims(dims, sizeof dims, &t->x.dims);
    if (below(r, 2))
        snprintf(dims, sizeof dims, "%s", t->x.dims.rank == 4 ? "n,c,h,w" : "n,m,k");
    snprintf(port, sizeof port, ", %s[%s] w", t->w_type, t->w_dims);
    int at = snprintf(weights, sizeof weights, "%s[%s] w = {", t->w_type, t->w_dims);
    for (int64_t i = 0; i < count(&t->w.dims); i++)
        at += snprintf(weights + at, sizeof weights - (size_t)at, "%s%d", i ? ", " : "",
                       t->w.type == OC_I8 ? (int8_t)w[i] : w[i]);
    snprintf(weights + at, sizeof weights - (size_t)at, "},");
    snprintf(constant_text, sizeof constant_text, form, x_type, dims, "", "", y, t->others, weights,
             t->call);
    snprintf(input_text, sizeof input_text, form, x_type, dims, port, "", y, t->others, "",
             t->call);
}

START_TEST(constant_weights_give_what_inputs_give)
{
    suite_random r = suite_random_new(39);
    int ran = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const bool is_signed = below(&r, 2), w_signed = below(&r, 2);
        const oc_session_options one = {.threads = 1}, some = {.threads = 1 + below(&r, 3)};
        char dims[80];
        node t = {.w_type = w_signed ? "int8" : "uint8", .w_dims = dims};
        for (int i = 0; i < MOST; i++) {
            x[i] = (uint8_t)below(&r, 256);
            w[i] = (uint8_t)below(&r, 256);
        }
        if (round % 2)
            make_conv(&t, &r, is_signed);
        else
            make_matmul(&t, &r, is_signed, below(&r, 2));
        t.w = oc_value_borrow(w_signed ? OC_I8 : OC_U8, t.w.dims, w);
        print_dims(dims, sizeof dims, &t.w.dims);
        print_texts(&t, &r);
        const oc_value in[] = {t.x, t.w};
        outcome constant = outcome_of(constant_text, &some, in, 1, 1);
        outcome input = outcome_of(input_text, &one, in, 2, 1);
        suite_assert(constant.error.code == input.error.code, "OC_SEED=%u: %s\n%s / %s", seed,
                     t.call, constant.error.text, input.error.text);
        ran += constant.error.code == OC_OK;
        if (constant.error.code == OC_OK)
            suite_assert(
                memcmp(constant.y[0]->data, input.y[0]->data, oc_value_bytes(input.y[0])) == 0,
                "OC_SEED=%u: %s differ", seed, t.call);
        outcome_free(&constant);
        outcome_free(&input);
    }
    ck_assert_int_gt(ran, ROUNDS * 3 / 4);
}
END_TEST

SUITE("weights", constant_weights_give_what_inputs_give)
