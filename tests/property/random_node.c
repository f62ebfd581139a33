/* SPDX-License-Identifier: Apache-2.0
 * random_node.c - writes the text of models of one node.
 *
 * Dims, ranks and numbers are small and mostly agree with one another, because a node whose inputs
 * agree in nothing is refused before anything interesting happens. Outputs, and inputs that may be
 * missing, are left out at random. */
#include "random_node.h"

#include "random_words.h"

enum { NEWEST = 28, MOST_ELEMENTS = 4096 };

static uint32_t below(random_node *n, uint32_t count)
{
    return suite_below(&n->random, count);
}

static bool chance(random_node *n, uint32_t percent)
{
    return below(n, 100) < percent;
}

static bool wild(random_node *n)
{
    return chance(n, n->wild);
}

/* ---- numbers ---- */

static int64_t wild_integer(random_node *n)
{
    static const int64_t extreme[] = {INT64_MIN,    INT64_MIN + 1,
                                      INT64_MAX,    INT64_MAX - 1,
                                      INT32_MAX,    INT32_MIN,
                                      -INT32_MAX,   1LL << 62,
                                      -(1LL << 62), 1LL << 32,
                                      (1LL << 31),  1000000,
                                      -1000,        (1LL << 62) + 1,
                                      65536,        4294967295LL,
                                      -1,           0,
                                      3037000500LL, 255};
    return extreme[below(n, sizeof extreme / sizeof *extreme)];
}

static int64_t some_integer(random_node *n)
{
    if (wild(n))
        return wild_integer(n);
    if (n->rank && chance(n, 30))
        return n->dim[below(n, (uint32_t)n->rank)];
    return (int64_t)below(n, 6) - (chance(n, 30) ? 3 : 0);
}

static void write_float(random_node *n, text_buffer *t)
{
    static const char *const extreme[] = {"nan", "inf", "-inf",  "3e38", "-3e38", "1e-45",
                                          "-0",  "1e9", "-1e30", "0",    "1e19",  "2147483648"};
    if (wild(n))
        text_add(t, "%s", extreme[below(n, sizeof extreme / sizeof *extreme)]);
    else
        text_add(t, "%g", ((double)below(n, 800) - (chance(n, 70) ? 0 : 400)) / 100);
}

/* Also words of more bytes than a buffer for one has room for. */
static void write_word(random_node *n, text_buffer *t, const char *attr)
{
    enum { PIECE = 150 };
    const char *word = random_word(&n->random, attr, wild(n));
    const uint32_t times = wild(n) && chance(n, 10) ? 2 + below(n, 8) : 0;
    text_add(t, "\"%s", word);
    for (uint32_t i = 0; i < times; i++)
        text_add(t, "%*s", PIECE, word);
    text_add(t, "\"");
}

/* An element of a tensor: integers stay within the narrowest range of their kind of type. */
static void write_element(random_node *n, text_buffer *t, oc_type type)
{
    const oc_type_mask bit = oc_type_bit(type);
    if (type == OC_STRING)
        write_word(n, t, "");
    else if (type == OC_BOOL || type == OC_U2)
        text_add(t, "%u", below(n, 2));
    else if (type == OC_I2)
        text_add(t, "%d", (int)below(n, 4) - 2);
    else if (type == OC_I64)
        text_add(t, "%lld", (long long)some_integer(n));
    else if (type == OC_I32)
        text_add(t, "%d", (int)some_integer(n));
    else if (bit & OC_SET_SIGNED)
        text_add(t, "%d", wild(n) ? -(int)below(n, 128) : (int)below(n, 6) - 2);
    else if (bit & OC_SET_UNSIGNED)
        text_add(t, "%u", wild(n) ? below(n, 256) : below(n, 6));
    else if (type == OC_I4 || type == OC_U4)
        text_add(t, "%u", below(n, 8));
    else if (bit & OC_SET_FLOAT || bit & OC_SET_COMPLEX)
        write_float(n, t);
    else
        text_add(t, "%u", below(n, 4));
}

/* ---- tensors ---- */

static int64_t usual_dim(random_node *n)
{
    return chance(n, 4) ? 0 : 1 + below(n, n->most);
}

static int random_dims(random_node *n, int64_t dim[RANDOM_NODE_RANK])
{
    int rank = n->rank;
    const uint32_t how = below(n, 20);
    memcpy(dim, n->dim, sizeof n->dim);
    if (how < 9)
        return rank;
    if (how == 9)
        return 0;
    if (how < 14) {
        const int64_t axis = rank ? n->dim[below(n, (uint32_t)rank)] : 1;
        const int64_t length[] = {axis, axis, axis, rank, 2 * rank, usual_dim(n), 1};
        dim[0] = length[below(n, 7)];
        return 1;
    }
    if (how < 17) { /* the last axes, or the first */
        const int drop = rank ? (int)below(n, (uint32_t)rank) : 0;
        if (chance(n, 50))
            memmove(dim, dim + drop, (size_t)(rank - drop) * sizeof *dim);
        return rank - drop;
    }
    if (how == 17)
        rank = (int)below(n, RANDOM_NODE_RANK + 1);
    for (int i = 0; i < rank; i++)
        if (how == 17 || chance(n, 40))
            dim[i] = chance(n, 30) ? 1 : usual_dim(n);
    return rank;
}

static void write_type(text_buffer *t, oc_type type, int rank, const int64_t *dim)
{
    text_add(t, "%s", oc_type_name(type));
    for (int i = 0; i < rank; i++)
        text_add(t, "%s%lld%s", i ? ", " : "[", (long long)dim[i], i == rank - 1 ? "]" : "");
}

static void write_elements(random_node *n, text_buffer *t, oc_type type, int rank,
                           const int64_t *dim)
{
    int64_t count = oc_type_bit(type) & OC_SET_COMPLEX ? 2 : 1;
    for (int i = 0; i < rank; i++)
        count *= dim[i];
    text_add(t, "{");
    for (int64_t i = 0; i < count; i++) {
        text_add(t, "%s", i ? ", " : "");
        write_element(n, t, type);
    }
    text_add(t, "}");
}

/* Dims with at most MOST_ELEMENTS elements. */
static int modest_dims(random_node *n, int64_t dim[RANDOM_NODE_RANK])
{
    int rank = random_dims(n, dim);
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        if (count * dim[i] > MOST_ELEMENTS)
            dim[i] = 1;
        count *= dim[i];
    }
    return rank;
}

/* The name of a new tensor: a constant, or an input whose dims the plan may not know. */
static void write_tensor(random_node *n, const char *name, oc_type type)
{
    int64_t dim[RANDOM_NODE_RANK];
    const int rank = modest_dims(n, dim);
    const bool constant = chance(n, 30), hidden = !constant && n->since > 0 && chance(n, 40);
    text_buffer *t = constant ? &n->constants : &n->inputs;
    text_add(t, "%s", t->size ? ",\n  " : "");
    if (!constant && chance(n, n->wild) && chance(n, 20)) { /* a huge input without a value */
        write_type(t, type, 2, (const int64_t[]){wild_integer(n) & INT64_MAX, 3});
        text_add(t, " %s", name);
        return;
    }
    write_type(t, type, rank, dim);
    text_add(t, " %s%s = ", name, hidden ? "_h" : "");
    write_elements(n, t, type, rank, dim);
    if (!hidden)
        return;
    text_add(t, ", int64[%d] %s_s = {", rank, name);
    for (int i = 0; i < rank; i++)
        text_add(t, "%s%lld", i ? ", " : "", (long long)dim[i]);
    text_add(t, "}");
    text_add(&n->before, "  %s = Reshape <allowzero = 1> (%s_h, %s_s)\n", name, name, name);
}

/* ---- operands ---- */

static oc_type type_of_set(random_node *n, oc_type_mask set)
{
    if (!set || wild(n))
        set = (1u << OC_N_TYPES) - 2;
    if (set & oc_type_bit(OC_F32) && chance(n, 40))
        return OC_F32;
    oc_type type;
    do
        type = (oc_type)(1 + below(n, OC_N_TYPES - 1));
    while (!(set & oc_type_bit(type)));
    return type;
}

static void write_sequence(random_node *n, const char *name, oc_type type)
{
    const int count = (int)below(n, 4);
    char item[4][32];
    for (int i = 0; i < count; i++) {
        snprintf(item[i], sizeof item[i], "%.20s_%d", name, i);
        write_tensor(n, item[i], type);
    }
    if (!count)
        text_add(&n->before, "  %s = SequenceEmpty <dtype = %d> (", name, (int)type);
    else
        text_add(&n->before, "  %s = SequenceConstruct (", name);
    for (int i = 0; i < count; i++)
        text_add(&n->before, "%s%s", i ? ", " : "", item[i]);
    text_add(&n->before, ")\n");
}

static void write_optional(random_node *n, const char *name, oc_type type, bool sequence)
{
    char inner[32];
    if (chance(n, 30)) {
        text_add(&n->before,
                 sequence ? "  %s = Optional <type = seq(%s)> ()\n"
                          : "  %s = Optional <type = %s[]> ()\n",
                 name, oc_type_name(type));
        return;
    }
    snprintf(inner, sizeof inner, "%.20s_in", name);
    if (sequence)
        write_sequence(n, inner, type);
    else
        write_tensor(n, inner, type);
    text_add(&n->before, "  %s = Optional (%s)\n", name, inner);
}

static void write_operand(random_node *n, const oc_sig_port *port, const char *name)
{
    const oc_sig_set *set = &port->set;
    const oc_type_mask kinds[] = {set->tensor, set->sequence, set->optional, set->opt_sequence};
    uint32_t kind = wild(n) ? below(n, 4) : 0;
    for (int tries = 0; !kinds[kind] && tries < 20; tries++)
        kind = below(n, 4);
    oc_type type = type_of_set(n, kinds[kind]);
    if (port->var >= 0 && !port->mixed && !wild(n)) {
        oc_type *chosen = &n->type[port->var];
        if (!*chosen || !(kinds[kind] & oc_type_bit(*chosen)))
            *chosen = type;
        type = *chosen;
    }
    if (kind == 0)
        write_tensor(n, name, type);
    else if (kind == 1)
        write_sequence(n, name, type);
    else
        write_optional(n, name, type, kind == 3);
}

static void write_operands(random_node *n)
{
    const oc_sig *s = n->sig;
    const bool variadic = s->n_in && s->in[s->n_in - 1].variadic;
    int count = s->min_in + (int)below(n, (uint32_t)(s->n_in - s->min_in) + 1);
    count += variadic ? (int)below(n, 4) : 0;
    if (wild(n) && chance(n, 30))
        count = (int)below(n, 6);
    for (int i = 0; i < count; i++) {
        const oc_sig_port spare = {.var = -1, .set = {.tensor = oc_type_bit(OC_F32)}};
        const oc_sig_port *port = s->n_in ? oc_sig_port_at(s->in, s->n_in, i) : &spare;
        char name[32];
        snprintf(name, sizeof name, "x%d", i);
        text_add(&n->operands, "%s", i ? ", " : "");
        if (chance(n, port->optional ? 40 : n->wild / 2)) {
            text_add(&n->operands, "\"\"");
            continue;
        }
        text_add(&n->operands, "%s", name);
        write_operand(n, port, name);
    }
}

/* ---- attributes ---- */

static void write_graph(random_node *n, const char *name)
{
    text_buffer *t = &n->attributes;
    const int n_in = (int)below(n, 4), n_out = 1 + (int)below(n, 3);
    text_add(t, "b (");
    for (int i = 0; i < n_in; i++)
        text_add(t, "%s%s_a%d", i ? ", " : "", name, i);
    text_add(t, ") => (");
    for (int i = 0; i < n_out; i++)
        text_add(t, "%s%s_o%d", i ? ", " : "", name, i);
    text_add(t, ") < bool %s_k = {%u}, float %s_f = {2} > {", name, below(n, 2), name);
    for (int i = 0; i < n_out; i++) {
        const uint32_t from = below(n, (uint32_t)n_in + 2);
        if (from < (uint32_t)n_in && chance(n, 30))
            text_add(t, " %s_o%d = Add (%s_a%u, %s_a%u)", name, i, name, from, name,
                     below(n, (uint32_t)n_in));
        else if (from < (uint32_t)n_in)
            text_add(t, " %s_o%d = Identity (%s_a%u)", name, i, name, from);
        else
            text_add(t, " %s_o%d = Identity (%s_%c)", name, i, name, chance(n, 70) ? 'k' : 'f');
    }
    text_add(t, " }");
}

static void write_item(random_node *n, const oc_sig_attr *a, oc_attr_kind kind)
{
    text_buffer *t = &n->attributes;
    if (kind == OC_ATTR_FLOAT)
        write_float(n, t);
    else if (kind == OC_ATTR_STRING)
        write_word(n, t, a->name);
    else if (a->names_type && !wild(n))
        text_add(t, "%u", 1 + below(n, OC_N_TYPES - 1));
    else
        text_add(t, "%lld", (long long)some_integer(n));
}

static void write_list(random_node *n, const oc_sig_attr *a, oc_attr_kind item)
{
    const uint32_t rank = (uint32_t)n->rank;
    const uint32_t lengths[] = {0,
                                1,
                                2,
                                2,
                                3,
                                4,
                                rank,
                                rank,
                                2 * rank,
                                rank > 1 ? rank - 2 : 2,
                                rank > 1 ? 2 * rank - 4 : 1,
                                wild(n) ? 40 : 2};
    const uint32_t count = lengths[below(n, 12)];
    text_add(&n->attributes, "[");
    for (uint32_t i = 0; i < count; i++) {
        text_add(&n->attributes, "%s", i ? ", " : "");
        write_item(n, a, item);
    }
    text_add(&n->attributes, "]");
}

static void write_value(random_node *n, const oc_sig_attr *a)
{
    text_buffer *t = &n->attributes;
    int64_t dim[RANDOM_NODE_RANK];
    int rank;
    oc_type type;
    switch (a->value.kind) {
    case OC_ATTR_FLOATS:
        write_list(n, a, OC_ATTR_FLOAT);
        return;
    case OC_ATTR_INTS:
        write_list(n, a, OC_ATTR_INT);
        return;
    case OC_ATTR_STRINGS:
        write_list(n, a, OC_ATTR_STRING);
        return;
    case OC_ATTR_TENSOR:
        type = type_of_set(n, oc_type_bit(OC_F32) | oc_type_bit(OC_F64) | oc_type_bit(OC_I64) |
                                  oc_type_bit(OC_STRING) | oc_type_bit(OC_U8));
        rank = modest_dims(n, dim);
        write_type(t, type, rank, dim);
        write_elements(n, t, type, rank, dim);
        return;
    case OC_ATTR_GRAPH:
        write_graph(n, a->name);
        return;
    case OC_ATTR_TYPE_PROTO:
        text_add(t, chance(n, 50) ? "float[2]" : "seq(int64)");
        return;
    case OC_ATTR_SPARSE_TENSOR:
        text_add(t, "sparse_tensor(float[3,4]) = float[2] {1, 2} at int64[2,2] {0, 0, 1, %u}",
                 below(n, 4));
        return;
    default:
        write_item(n, a, a->value.kind);
    }
}

static void write_attributes(random_node *n)
{
    static const oc_attr_kind kinds[] = {OC_ATTR_FLOAT, OC_ATTR_INT, OC_ATTR_STRING, OC_ATTR_INTS,
                                         OC_ATTR_FLOATS};
    for (int i = 0; i < n->sig->n_attr; i++) {
        oc_sig_attr a = n->sig->attr[i];
        if (a.option || chance(n, a.required ? n->wild / 2 : 60))
            continue;
        if (wild(n) && chance(n, 20))
            a.value.kind = kinds[below(n, 5)];
        text_add(&n->attributes, "%s%s: %s = ", n->attributes.size ? ", " : "", a.name,
                 oc_attr_kind_name(a.value.kind));
        write_value(n, &a);
    }
}

/* ---- the model ---- */

static void choose_shape(random_node *n)
{
    static const int ranks[] = {0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5};
    n->rank = ranks[below(n, 12)];
    for (int i = 0; i < RANDOM_NODE_RANK; i++)
        n->dim[i] = usual_dim(n);
    for (int i = 1; i < n->rank; i++)
        if (chance(n, 40))
            n->dim[i] = n->dim[i - 1];
}

/* Some outputs of a node have no name, others one that nobody reads. */
static void choose_outputs(random_node *n)
{
    const oc_sig *s = n->sig;
    const bool some = chance(n, 60), variadic = s->n_out && s->out[s->n_out - 1].variadic;
    n->ports = s->min_out + (int)below(n, (uint32_t)(s->n_out - s->min_out) + 1);
    n->ports += variadic ? (int)below(n, 3) : 0;
    n->ports += n->ports == 0 || (wild(n) && chance(n, 10));
    n->n_out = 0;
    for (int i = 0; i < n->ports; i++) {
        const bool left_out = some && chance(n, 40), read = !left_out && (!some || chance(n, 80));
        n->port[i] = left_out ? RANDOM_NODE_LEFT_OUT : read ? RANDOM_NODE_READ : RANDOM_NODE_UNREAD;
        n->n_out += read;
    }
}

/* Of the node, or those that the graph gives. */
static void write_outputs(const random_node *n, text_buffer *t, bool of_node)
{
    const char *between = "";
    for (int i = 0; i < n->ports; i++) {
        if (!of_node && n->port[i] != RANDOM_NODE_READ)
            continue;
        if (n->port[i] == RANDOM_NODE_LEFT_OUT)
            text_add(t, "%s\"\"", between);
        else
            text_add(t, "%sy%d", between, i);
        between = ", ";
    }
}

static void add_text(text_buffer *to, text_buffer *from)
{
    if (from->size)
        text_write(to, from->bytes, from->size);
    free(from->bytes);
    *from = (text_buffer){.bytes = NULL};
}

char *random_node_text(random_node *n, const oc_sig *sig, int since)
{
    text_buffer t = {.bytes = NULL};
    n->sig = sig;
    n->since = since;
    memset(n->type, 0, sizeof n->type);
    choose_shape(n);
    write_operands(n);
    write_attributes(n);
    choose_outputs(n);
    text_add(&t, "<ir_version: 13, opset_import: [\"\" : %d", NEWEST);
    text_add(&t, *sig->domain ? ", \"%s\" : %d" : "%s", sig->domain, since);
    text_add(&t, "]>\ng (");
    add_text(&t, &n->inputs);
    text_add(&t, ") => (");
    write_outputs(n, &t, false);
    text_add(&t, ")\n< ");
    add_text(&t, &n->constants);
    text_add(&t, " > {\n");
    add_text(&t, &n->before);
    text_add(&t, "  [victim] {opset: %d} ", since);
    write_outputs(n, &t, true);
    text_add(&t, " = %s%s%s <", sig->domain, *sig->domain ? "." : "", sig->name);
    add_text(&t, &n->attributes);
    text_add(&t, "> (");
    add_text(&t, &n->operands);
    text_add(&t, ")\n}\n");
    return t.bytes;
}
