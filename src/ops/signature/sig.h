/* SPDX-License-Identifier: Apache-2.0
 * sig.h - a signature string as data: all that is known of one version of an operator, except its
 * shape rule and its computation.
 *
 *     Name <kind attr = default, kind attr?, kind attr> (T in, T opt?, int64 n!, T rest...)
 *         => (T out) | T: set set ...; U: set ...
 *
 * A domain other than ONNX's is in front: "com.me::Name".
 *
 * Attributes. One with a default always has a value, one with "?" may be missing, any other is
 * required.
 *
 *     option kind a = default   not an attribute of nodes: a choice of the session (op_options.h)
 *     kind a+                   a node without a does what older versions, which have no a, do
 *     int a@T                   the value is the number of an element type: that of T
 *     kind a:T                  an element of the value is of type T
 *     graph a from port         inputs of the graph have the types of the node's, from port on
 *     graph a gives 1           outputs of the graph, from number 1 on, are outputs of the node
 *     graph a gives all         all are, and the node has as many
 *
 * Ports. "?": optional. "...": variadic, the last port only; a node may leave out any of its
 * outputs. "~": its values may differ in type.
 * "!": the shape rule reads its elements. "^", of inputs: neither the shape rule nor run reads its
 * elements, so that type and dims suffice; not with "!", "$" or "=". "$": run reads its elements
 * more than once where they decide, as indices that it checks before it uses them; inputs with "!"
 * or "$" are copied (snapshot.c). "=": prepare reads its elements. "*": element by element, or read
 * tile by tile, or an output whose tiles stages may take (stages.h). "*" is for built-in operators
 * alone. A port's type is the name of a variable (the same type wherever it is named) or of a set.
 *
 * After "|", separated by ";":
 *
 *     T: set set                the types of a variable
 *     T: set set = type         the same; T is `type` if nothing else determines it
 *     T: set set = U            T has the type of the variable U if nothing else determines it
 *     random                    two runs may differ, so nothing is computed early
 *     change ...                what differs from the version before (below)
 *
 * Sets: every ONNX type name; all, all_ir4 ... all_ir13, real ... (all but complex ones), numeric,
 * numeric_ir4, float_ir4 ... (the table is in sig_sets.c); "seq(set)" and "opt(set)" for sequences
 * and optionals of members of the set, "map(set)" and "seq(map(set))" for maps with such values,
 * whatever their keys. Types of maps are not followed before a run.
 *
 * Changes tell how a node that is valid for the version before can mean the same under this one:
 *
 *     change nothing                    as it is: this version only allows more
 *     change input 1 from axes          attribute axes, integers or one, became input 1
 *     change input 1 from min or 0.5    attribute min, a float, by default 0.5, became input 1,
 *                                       of the type of input 0
 *     change without axis               attribute axis has no equivalent: only for nodes without it
 *     change outputs 1                  outputs after the first have no equivalent: only for nodes
 *                                       without them
 *     change dropped broadcast          attribute broadcast is gone; nothing depends on it
 *     change default mode half_pixel    a node without attribute mode now needs it, with this word
 *     change word mode bilinear linear  the word bilinear of attribute mode is now linear
 *     change count num_outputs          a node without input 1 needs its number of outputs there
 *     change rows axis                  the axes from attribute axis on were taken as one */
#pragma once

#include "tensor/attr.h"

enum { OC_SIG_PORTS = 24, OC_SIG_ATTRS = 24, OC_SIG_VARS = 8, OC_SIG_CHANGES = 4 };

typedef oc_type_sets oc_sig_set;

typedef struct oc_sig_port {
    const char *name;
    bool optional, variadic, mixed, value, dims_only, copied, prepared, tiled;
    int var;        /* index of the type variable; -1: the port names a set */
    oc_sig_set set; /* the allowed types, also of a variable */
} oc_sig_port;

typedef struct oc_sig_attr {
    const char *name;
    bool required, has_default;
    bool option;     /* set by the session, not by nodes */
    bool neutral;    /* "+" */
    bool names_type; /* "@": the value is var's type; else its elements are of that type */
    int var;         /* the type variable that the value determines; -1: none */
    int from, gives; /* first input and output of a graph; -1: not given */
    bool gives_all;
    oc_attr value; /* kind is always set; name and elements if has_default */
    const char *var_name, *from_name;
} oc_sig_attr;

typedef enum oc_change_kind {
    OC_CHANGE_NOTHING,
    OC_CHANGE_INPUT,
    OC_CHANGE_TYPED_INPUT,
    OC_CHANGE_WITHOUT,
    OC_CHANGE_OUTPUTS,
    OC_CHANGE_DROPPED,
    OC_CHANGE_DEFAULT,
    OC_CHANGE_WORD,
    OC_CHANGE_COUNT,
    OC_CHANGE_ROWS
} oc_change_kind;

typedef struct oc_sig_change {
    oc_change_kind kind;
    const char *attr, *old_word, *word;
    int input, outputs;
    float number;
} oc_sig_change;

typedef struct oc_sig {
    const char *domain, *name;
    oc_sig_attr attr[OC_SIG_ATTRS];
    oc_sig_port in[OC_SIG_PORTS], out[OC_SIG_PORTS];
    const char *var[OC_SIG_VARS];
    oc_type fallback[OC_SIG_VARS]; /* if nothing determines the type; OC_UNDEFINED: none */
    int like[OC_SIG_VARS];         /* the variable whose type it then is; itself: none */
    oc_sig_change change[OC_SIG_CHANGES];
    /* Parts of the text, for people: the ports, and for each variable "T: set set". */
    oc_string ports_text, var_text[OC_SIG_VARS];
    int n_attr, n_in, n_out, n_var, n_change;
    int min_in, min_out; /* the fewest inputs and outputs a node may have */
    bool random;         /* two runs may differ: nothing is computed early */
} oc_sig;

/* Returns the port of operand i. Operands past the last port belong to that port, which is
 * variadic. */
static inline const oc_sig_port *oc_sig_port_at(const oc_sig_port *ports, int n, int i)
{
    return &ports[i < n ? i : n - 1];
}

/* Do the types and dims of a node's inputs suffice to run the operator ("^" at each)? */
static inline bool oc_sig_reads_dims_only(const oc_sig *sig, int n_in)
{
    for (int i = 0; i < n_in; i++)
        if (!oc_sig_port_at(sig->in, sig->n_in, i)->dims_only)
            return false;
    return true;
}

/* May a node leave the operand of this port out? Outputs of a variadic one each, too. */
static inline bool oc_sig_may_miss(const oc_sig_port *port, bool output)
{
    return port->optional || (output && port->variadic);
}

/* The type of tensor that the set allows, if it allows nothing else; otherwise OC_UNDEFINED. */
oc_type oc_sig_only_type(const oc_sig_set *set);
/* Writes the names of the set's members, as many as fit in size bytes. Returns text. */
const char *oc_sig_set_text(const oc_sig_set *set, char *text, size_t size);

/* *sig becomes the parsed text, in the arena. A malformed signature, as a host may give, is
 * OC_FORMAT. */
oc_status oc_sig_parse(const char *text, oc_arena *arena, const oc_sig **sig, oc_error *e);

/* Signatures that were parsed before. Two texts are the same one if their addresses are equal. */
typedef struct oc_sig_cache {
    oc_arena *arena;
    oc_names places;   /* the bytes of each text's address */
    oc_name_map index; /* index of each name in item */
    const oc_sig **item;
    int n;
} oc_sig_cache;

oc_sig_cache oc_sig_cache_new(oc_arena *arena);
oc_status oc_sig_cached(oc_sig_cache *c, const char *text, const oc_sig **sig, oc_error *e);

/* Does the signature name this operator? Reads only the beginning of the text. */
bool oc_sig_names(const char *text, const char *domain, const char *name);

/* ---- a node's attributes and arity, held against the signature (sig_match.c) ---- */

/* Matches a node's attributes against the signature. bound[i] becomes the node's value
 * of the signature's attribute i. Unknown attributes that are no notes (oc_attr_is_note), wrong
 * kinds and missing required ones are errors; where names the node in them. */
oc_status oc_call_bind_attrs(const oc_sig *sig, const oc_attr *attr, int n_attr, const char *where,
                             const oc_attr **bound, oc_error *e);
/* Checks the numbers of inputs and outputs against the signature. */
oc_status oc_call_check_arity(const oc_sig *sig, int n_in, int n_out, const char *where,
                              oc_error *e);
