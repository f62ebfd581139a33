/* SPDX-License-Identifier: Apache-2.0
 * net.h - random networks: their ONNX text, and what each value must be.
 *
 * A network is made node by node. Whoever makes a node draws its attributes and operands, writes
 * its line of ONNX text, and computes its outputs at once in double, from the operator's text in
 * ONNX's documentation. Nothing here includes a header of the library, so that no mistake is
 * shared.
 *
 * Each element has a bound: the library's number differs from v by e at most. INFINITY: any. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    NET_RANK = 6,
    NET_VALUES = 200,
    NET_NODES = 8,
    NET_TEXT = 1 << 19,
    NET_NAME = 16,
    NET_ELEMENTS = 1 << 18 /* more than any node gives */
};

typedef enum net_type {
    NET_F32,
    NET_F64,
    NET_F16,
    NET_BF16,
    NET_I8,
    NET_U8,
    NET_I32,
    NET_I64,
    NET_BOOL
} net_type;

typedef struct net_tensor {
    char name[NET_NAME];
    net_type type;
    int rank;
    int64_t dim[NET_RANK], n; /* n: the number of elements */
    double *v, *e;            /* the elements and their bounds */
    bool is_input, is_output; /* of the graph */
    bool is_constant;         /* an initializer */
    bool is_operand;  /* made for one node as its weights, scale or shape: no other reads it */
    int axis_of_step; /* the node that made it; -1: none did */
    double step; /* the scale of the codes that it was dequantised from; of channels the largest. 0:
                    none */
    double unit; /* one unit to which a bias may have been rounded by products of codes; 0: none */
} net_tensor;

/* How the nodes stand in the model. */
typedef enum net_frame { NET_PLAIN, NET_IF, NET_LOOP, NET_FUNCTION } net_frame;

typedef struct net_text {
    char *bytes;
    int size, room;
} net_text;

typedef struct net {
    uint64_t seed, random;
    uint32_t without; /* bit i: node i is left out */
    bool plain_frame; /* draw NET_PLAIN whatever the seed says */
    uint64_t digest; /* of all outputs of first runs, for builds that are held against each other */
    bool exact_codes; /* bounds hold for a session with exact_quant */
    bool exact_conv;  /* bounds hold for a session with exact_conv */
    bool unfused;  /* products are multiplied, then added, on instruction sets that do not fuse */
    net_type type; /* of most values */
    net_frame frame;
    int times; /* NET_LOOP: steps */
    int step;  /* the node that is being made */
    int n_steps;
    int64_t work;                   /* about how many products a node may have */
    bool quantised;                 /* between QuantizeLinear and DequantizeLinear */
    const net_tensor *scale, *zero; /* those drawn last; NULL: none yet */
    net_tensor value[NET_VALUES];
    int n_values;
    net_text nodes, all; /* the lines of nodes; the whole model */
    char *memory;
    size_t used, room;
} net;

/* Draws and computes the network of a seed. A failing allocation ends the program. The text is in
 * n->all; n's memory serves again for the next one. */
void net_make(net *n, uint64_t seed);
void net_free(net *n);

/* ---- random numbers */

uint32_t net_below(net *n, uint32_t limit); /* 0 .. limit - 1 */
int64_t net_from(net *n, int64_t least, int64_t most);
bool net_chance(net *n, uint32_t percent);
#define NET_PICK(n, list) ((list)[net_below(n, (uint32_t)(sizeof(list) / sizeof *(list)))])

/* ---- values */

/* A new value without a name, whose elements are 0. */
net_tensor *net_new(net *n, net_type type, int rank, const int64_t *dim);
/* A value that nodes can read, with random elements of about that size: an initializer or an input
 * of the graph, as is drawn. For one node alone. */
net_tensor *net_operand(net *n, net_type type, int rank, const int64_t *dim, double size);
/* An operand whose elements are given: shapes, axes, scales. constant: 0 an input, 1 an
 * initializer, -1: as is drawn. */
net_tensor *net_given(net *n, net_type type, int rank, const int64_t *dim, const double *v,
                      int constant);
net_tensor *net_list(net *n, int64_t count, const int64_t *v, int constant); /* int64[count] */
/* Weights and a bias of type n->type; in a quantised network most come from codes, with a scale for
 * all or one for each place on that axis. A bias of codes has the scale of x times that of the
 * weights. */
net_tensor *net_weights(net *n, int rank, const int64_t *dim, double size, int axis);
net_tensor *net_bias(net *n, const net_tensor *x, const net_tensor *weights, int64_t count);
/* Sets element i of codes to that of a number that is x or up to e beside it. x and e are in steps,
 * and the zero point is not yet added to x. A tie, or one within the bound, may go either way. */
void net_set_code(net_tensor *y, int64_t i, double x, double e, double zero);
/* y is a product of x and weights: may its bias be rounded to units where all of these are codes?
 */
void net_set_unit(const net *n, net_tensor *y, const net_tensor *x, const net_tensor *weights,
                  const net_tensor *bias);
/* QuantizeLinear of x and, most often, DequantizeLinear after it. */
void net_requantise(net *n, const net_tensor *x);
/* A value of type n->type with this number of axes that a node gave or that is an input, or a
 * new one. */
net_tensor *net_any(net *n, int least_rank, int most_rank);
/* One of exactly this type and these dims, or NULL. */
net_tensor *net_find(net *n, net_type type, int rank, const int64_t *dim,
                     const net_tensor *not_this);
/* The outputs of a node: gets a name. */
net_tensor *net_result(net *n, net_type type, int rank, const int64_t *dim);
bool net_fits(const net *n, int rank, const int64_t *dim); /* has few enough elements */

/* ---- text */

void net_add(net_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void net_write(net_text *t, const char *bytes, int size);
void net_line(net *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
void net_ints(net *n, const char *name, int count,
              const int64_t *v); /* ", name = [..]" or "name = [..]" */

/* ---- numbers */

double net_round(net_type type, double x); /* to the nearest of the type, ties to even */
double net_unit(net_type type);            /* half the distance from 1 to the next number */
double net_sum_unit(net_type type);        /* of the type that sums are computed in */
double net_largest(net_type type);         /* the greatest finite number */
/* The weight of a pixel at distance d in cubic interpolation with a = -0.75. */
double net_cubic_weight(double d);
/* The most that a product loses where it is less than the least normal number of the type of sums.
 */
double net_underflow(net_type type);
/* e, or INFINITY where a sum of that size may overflow the type of sums. */
double net_of_sums(net_type type, double most, double e);
/* The bound of v after it is rounded to the type, which without that has bound e. */
double net_bound(net_type type, double v, double e);
double net_gamma(net_type type,
                 double additions); /* of a sum of n terms, relative to absolute values */
bool net_is_float(net_type type);
const char *net_type_name(net_type type);

/* ---- positions */

int64_t net_count(int rank, const int64_t *dim);
/* The index of the next element in row-major order. */
void net_next(int rank, const int64_t *dim, int64_t *index);
int64_t net_at(int rank, const int64_t *dim, const int64_t *index);

/* ---- families. Each makes a node and returns true, or false: it can make none of these values. */

typedef bool net_family(net *n);
net_family net_conv, net_conv_transpose;
net_family net_matmul, net_gemm, net_einsum, net_attention, net_softmax, net_layer_normalization,
    net_group_normalization, net_batch_normalization, net_mean_variance_normalization,
    net_lp_normalization, net_lrn, net_reduce, net_cumulative_sum;
net_family net_unary, net_binary, net_compare, net_pool, net_global_pool;
net_family net_resize, net_grid_sample, net_roi_align, net_deform_conv, net_recurrent;
net_family net_quantise, net_product_of_codes, net_qlinear_conv, net_qlinear_matmul,
    net_integer_product, net_clip;
net_family net_concat, net_split, net_transpose, net_pad, net_slice, net_reshape, net_shuffle,
    net_depth, net_expand, net_squeeze;
