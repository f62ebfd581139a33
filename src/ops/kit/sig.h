/* SPDX-License-Identifier: Apache-2.0
 * sig.h - a signature string as data: all that is known of one version of an operator but its shape
 * rule and its computation.
 *
 *     Name <kind attr = default, kind attr?, kind attr> (T in, T opt?, int64 n!, T rest...)
 *         => (T out) | T: set set ...; U: set ...
 *
 * A domain other than ONNX's is in front: "com.me::Name".
 *
 * Attributes. With a default it is always present, with "?" it may be missing, else it is required.
 *
 *     option kind a = default   no attribute of nodes: a choice of the session (options.h)
 *     kind a+                   a node without a does what older versions, which have no a, do
 *     int a@T                   the value is the number of an element type: that of T
 *     kind a:T                  an element of the value is of type T
 *     graph a from port         inputs of the graph have the types of the node's, from port on
 *     graph a gives 1           outputs of the graph, from number 1 on, are outputs of the node
 *
 * Ports. "?" optional, "..." variadic (the last one only), "~" its values may differ in type, "!"
 * the shape rule reads its elements, "=" prepare reads them. A port's type is a variable (the same
 * type wherever it is named) or a set's name.
 *
 * After "|", separated by ";":
 *
 *     T: set set                the types of a variable
 *     T: set set = type         ... which is `type` where nothing says what it is
 *     random                    two runs may differ, so nothing is computed early
 *     change ...                what differs from the version before (below)
 *
 * Sets: every ONNX type name; all, all_ir4, all_ir9, all_ir10, all_ir11, all_ir13, numeric,
 * numeric_ir4, float_ir4 ... (the table is in sig_sets.c); "seq(set)" and "opt(set)" for sequences
 * and optionals of members of the set.
 *
 * Changes tell how a node that is valid for the version before means the same under this one:
 *
 *     change nothing                    as it is: this version only allows more
 *     change input 1 from axes          attribute axes, integers, became input 1
 *     change input 1 from min or 0.5    attribute min, a float, else 0.5, became input 1, of the
 * type of input 0 change without axis               attribute axis has no equivalent: only nodes
 * without it change dropped broadcast          attribute broadcast is gone; nothing depends on it
 *     change default mode half_pixel    a node without attribute mode now needs it, with this word
 *     change word mode bilinear linear  a value of attribute mode has another name
 *     change count num_outputs          a node without input 1 needs its number of outputs there
 *     change rows axis                  the axes from attribute axis on were taken as one */
#ifndef OC_OPS_KIT_SIG_H
#define OC_OPS_KIT_SIG_H

#include "base/arena.h"
#include "tensor/attr.h"

enum { OC_SIG_PORTS = 24, OC_SIG_ATTRS = 24, OC_SIG_VARS = 8, OC_SIG_CHANGES = 4 };

/* Which types of tensors, of sequences' items and of optionals' items are allowed. Optionals of
 * sequences are in opt_sequence. */
typedef struct oc_sig_set {
    uint32_t tensor, sequence, optional, opt_sequence;
} oc_sig_set;

typedef struct oc_sig_port {
    const char *name;
    bool optional, variadic, mixed, value, prepared;
    int var;        /* index of a type variable; -1: set stands by itself */
    oc_sig_set set; /* resolved, also for variables */
} oc_sig_port;

typedef struct oc_sig_attr {
    const char *name;
    bool required, has_default;
    bool option;     /* the session's, not the node's */
    bool neutral;    /* "+" */
    bool names_type; /* "@": else var, if any, is the type of the value's elements */
    int var;         /* the type variable that the value tells; -1: none */
    int from, gives; /* of a graph: an input, the number of an output; -1: not said */
    oc_attr value;   /* kind always; name and elements when has_default */
    const char *var_name, *from_name;
} oc_sig_attr;

typedef enum oc_change_kind {
    OC_CHANGE_NOTHING,
    OC_CHANGE_INPUT,
    OC_CHANGE_TYPED_INPUT,
    OC_CHANGE_WITHOUT,
    OC_CHANGE_DROPPED,
    OC_CHANGE_DEFAULT,
    OC_CHANGE_WORD,
    OC_CHANGE_COUNT,
    OC_CHANGE_ROWS
} oc_change_kind;

typedef struct oc_sig_change {
    oc_change_kind kind;
    const char *attr, *old_word, *word;
    int input;
    float number;
} oc_sig_change;

typedef struct oc_sig {
    const char *domain, *name;
    oc_sig_attr attr[OC_SIG_ATTRS];
    oc_sig_port in[OC_SIG_PORTS], out[OC_SIG_PORTS];
    const char *var[OC_SIG_VARS];
    oc_type fallback[OC_SIG_VARS]; /* of a variable that nothing tells; OC_UNDEFINED: none */
    oc_sig_change change[OC_SIG_CHANGES];
    int n_attr, n_in, n_out, n_var, n_change;
    int min_in, min_out; /* fewest ports a node may have */
    bool random;         /* two runs may differ: nothing is computed early */
} oc_sig;

/* The one type of tensor that the set allows; OC_UNDEFINED where it allows anything else too. */
oc_type oc_sig_only_type(const oc_sig_set *set);

/* Parses text into arena memory. A malformed signature is OC_ARGUMENT (a host's row may be). */
oc_status oc_sig_parse(const char *text, oc_arena *arena, const oc_sig **sig, oc_error *e);

/* Signatures that were parsed already. Texts are told apart by their address. */
typedef struct oc_sig_cache {
    oc_arena *arena;
    oc_name_map index; /* a text to its place in item */
    const oc_sig **item;
    int n;
} oc_sig_cache;

oc_sig_cache oc_sig_cache_new(oc_arena *arena);
oc_status oc_sig_cached(oc_sig_cache *c, const char *text, const oc_sig **sig, oc_error *e);

/* Does the signature name this operator? Looks at the front of the text only. */
bool oc_sig_names(const char *text, const char *domain, const char *name);

#endif
