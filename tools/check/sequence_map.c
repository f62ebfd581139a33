/* SPDX-License-Identifier: Apache-2.0
 * sequence_map.c - makes cases for SequenceMap: graphs of every form over sequences of any
 * length. */
#include "check/cases.h"
#include "values/fill.h"

static const oc_type types[] = {OC_F32, OC_F16, OC_F64, OC_I64, OC_U8, OC_BOOL, OC_STRING};

/* Graphs. T is replaced by the type; s and r are sequences, t is a tensor, y and z are the
 * outputs. */
static const struct {
    const char *name, *nodes;
    int n_out;
} forms[] = {
    /* clang-format off */
    {"identity", "y = SequenceMap <body = step (T p) => (T q) { q = Identity (p) }> (s)", 1},
    {"two sequences", "y = SequenceMap <body = step (T p, T q) => (T both) { both = Concat <axis = 0> (p, q) }> (s, r)", 1},
    {"a sequence and a tensor", "y = SequenceMap <body = step (T p, T q) => (T both) { both = Concat <axis = 0> (q, p) }> (s, t)", 1},
    {"two outputs", "y, z = SequenceMap <body = step (T p, T q) => (int64 n, T same) { n = Shape (p) same = Identity (q) }> (s, r)", 2},
    {"the second of two outputs", "\"\", y = SequenceMap <body = step (T p) => (int64 n, T same) { n = Shape (p) same = Identity (p) }> (s)", 1},
    {"a value from around", "y = SequenceMap <body = step (T p) => (T both) { both = Concat <axis = 0> (p, t) }> (s)", 1},
    {"a graph within", "y = SequenceMap <body = step (T p) => (T q) { n = Size (p) three = Constant <value = int64 {3}> () more = Greater (n, three)"
     " q = If (more) <then_branch = yes () => (T u) { u = Concat <axis = 0> (p, t) }, else_branch = no () => (T v) { v = Identity (p) }> }> (s)", 1},
    {"a map within", "y = SequenceMap <body = step (T p) => (T q) { list = SequenceConstruct (p, t)"
     " mapped = SequenceMap <body = inner (T i) => (T j) { j = Concat <axis = 0> (i, p) }> (list) q = ConcatFromSequence <axis = 0> (mapped) }> (s)", 1},
    /* clang-format on */
};

/* Nodes that make s and r from the inputs a, b and t. D is replaced by the type's number. */
static const struct {
    const char *name, *s, *r;
} lengths[] = {
    {"no items", "SequenceEmpty <dtype = D> ()", "SequenceEmpty <dtype = D> ()"},
    {"one item", "SequenceConstruct (a)", "SequenceConstruct (b)"},
    {"two items", "SequenceConstruct (a, b)", "SequenceConstruct (b, a)"},
    {"seven items", "SequenceConstruct (a, b, b, a, t, a, b)",
     "SequenceConstruct (t, t, a, b, a, b, a)"},
};

static const struct {
    const char *name;
    int64_t dim[2];
} tensors[] = {{"a", {2, 3}}, {"b", {1, 3}}, {"t", {4, 3}}};

enum {
    N_TYPES = sizeof types / sizeof *types,
    N_FORMS = sizeof forms / sizeof *forms,
    N_LENGTHS = sizeof lengths / sizeof *lengths,
    N_TENSORS = sizeof tensors / sizeof *tensors,
    TEXT = 2000
};

/* Copies text, and replaces each word T and D by the type's name and number. */
static void put_typed(const char *text, oc_type type, char out[TEXT])
{
    size_t n = 0;
    for (const char *p = text; *p && n < TEXT - 1; p++) {
        const bool alone = !((p > text && ((p[-1] | 32) >= 'a' && (p[-1] | 32) <= 'z')) ||
                             ((p[1] | 32) >= 'a' && (p[1] | 32) <= 'z'));
        const int size = alone && *p == 'T' ? snprintf(out + n, TEXT - n, "%s", oc_type_name(type))
                         : alone && *p == 'D' ? snprintf(out + n, TEXT - n, "%d", (int)type)
                                              : (out[n] = *p, 1);
        n += (size_t)size;
    }
    out[n] = '\0';
}

bool check_sequence_map_make(check_maker *maker, int i, check_case *c, oc_error *e)
{
    const int length = i % N_LENGTHS, form = i / N_LENGTHS % N_FORMS;
    if (i / N_LENGTHS / N_FORMS >= N_TYPES)
        return false;
    const oc_type type = types[i / N_LENGTHS / N_FORMS];
    const bool pair = forms[form].n_out > 1;
    char model[TEXT];
    char *text = tool_format("<ir_version: 10, opset_import: [\"\" : 17]>\n"
                             "check (T[2,3] a, T[1,3] b, T[4,3] t) => (%s y%s)\n"
                             "{ s = %s r = %s %s }\n",
                             pair ? "seq(int64)" : "seq(T)", pair ? ", seq(T) z" : "",
                             lengths[length].s, lengths[length].r, forms[form].nodes);
    put_typed(text, type, model);
    free(text);
    snprintf(c->group, sizeof c->group, "%s %s", oc_type_name(type), forms[form].name);
    snprintf(c->name, sizeof c->name, "%s %s, %s", oc_type_name(type), forms[form].name,
             lengths[length].name);
    c->model = tool_format("%s", model);
    for (int k = 0; k < N_TENSORS; k++) {
        c->in[k] = oc_tensor_new(type, 2, tensors[k].dim, NULL, e);
        fill_tensor(c->in[k], maker->seed + (uint64_t)i, tensors[k].name, e);
    }
    c->n_in = N_TENSORS;
    c->n_out = forms[form].n_out;
    c->bound = (compare_bound){.atol = 0};
    c->defect = -1;
    return true;
}
