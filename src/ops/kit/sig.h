/* SPDX-License-Identifier: Apache-2.0
 * sig.h - a signature string as data.
 *
 *     Name <kind attr = default, kind attr?, kind attr> (T in, T opt?, int64 n!, T rest...)
 *         => (T out) | T: set set ...; U: set ...
 *
 * Attribute: a default makes it present always, "?" optional, neither required. Port: "?" optional,
 * "..." variadic (last one only), "~" its values may differ in type, "!" the shape rule reads its
 * elements, "=" prepare reads them. A port's type is a variable (explained after "|", the same type
 * everywhere it stands) or a set's name (each port on its own). Sets: every ONNX type name; all,
 * all_ir4, all_ir9, all_ir10, all_ir11, all_ir13, numeric, numeric_ir4, float_ir4, ... (the table
 * is in sig.c); "seq(set)" and "opt(set)" for sequences and optionals of members of the set. A
 * domain other than ONNX's stands in front: "com.me::Name". */
#ifndef OC_OPS_KIT_SIG_H
#define OC_OPS_KIT_SIG_H

#include "base/arena.h"
#include "tensor/attr.h"

enum { OC_SIG_PORTS = 24, OC_SIG_ATTRS = 24, OC_SIG_VARS = 8 };

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
    bool required;
    bool has_default;
    oc_attr value; /* kind always; name and elements when has_default */
} oc_sig_attr;

typedef struct oc_sig {
    const char *domain, *name;
    oc_sig_attr attr[OC_SIG_ATTRS];
    oc_sig_port in[OC_SIG_PORTS], out[OC_SIG_PORTS];
    const char *var[OC_SIG_VARS];
    int n_attr, n_in, n_out, n_var;
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
