/* SPDX-License-Identifier: Apache-2.0
 * answer_read.c - takes an answer from what a session has computed. */
#include "predict/answer_read.h"

/* An output of the decoder: its shape, with a letter for each axis, and where its elements go. */
typedef struct part {
    const char *name;
    oc_type type;
    /* n: objects, or letters; k: points of each object; w, h: of the grid; a digit: that size */
    const char *axes;
    size_t at; /* of the pointer in struct answer */
} part;

#define AT(field) offsetof(answer, field)
static const part parts[] = {
    {"boxes", OC_F32, "n4", AT(box)},       {"scores", OC_F32, "n", AT(score)},
    {"labels", OC_I64, "n", AT(label)},     {"points", OC_F32, "nk3", AT(point)},
    {"corners", OC_F32, "n42", AT(corner)}, {"masks", OC_F32, "nhw", AT(mask)},
    {"classes", OC_I64, "hw", AT(cls)},     {"flow", OC_F32, "2hw", AT(flow)},
    {"depth", OC_F32, "hw", AT(depth)},     {"letters", OC_I64, "n", AT(label)},
};

/* The sizes that axes have in an answer; -1: no output has told one. */
typedef struct sizes {
    int64_t n, k, h, w;
} sizes;

static int64_t *size_of(sizes *s, char axis)
{
    return axis == 'n' ? &s->n : axis == 'k' ? &s->k : axis == 'h' ? &s->h : &s->w;
}

/* Notes the sizes of the value's axes; false: they contradict those of another output. */
static bool take_sizes(const part *p, const oc_value *v, sizes *s)
{
    if (oc_value_type(v) != p->type || oc_value_rank(v) != (int)strlen(p->axes))
        return false;
    for (int i = 0; p->axes[i]; i++) {
        const int64_t dim = oc_value_dims(v)[i];
        const bool fixed = p->axes[i] >= '0' && p->axes[i] <= '9';
        int64_t *known = fixed ? NULL : size_of(s, p->axes[i]);
        if (dim > ANSWER_MOST || (fixed ? dim != p->axes[i] - '0' : *known >= 0 && *known != dim))
            return false;
        if (known)
            *known = dim;
    }
    return true;
}

static void take_part(const part *p, const oc_session *session, int output, answer *a, sizes *s,
                      oc_error *e)
{
    const oc_value *v = oc_fetch_value_at(session, output, e);
    if (e->code != OC_OK)
        return;
    if (!take_sizes(p, v, s)) {
        tool_fail(e, OC_SHAPE, "the decoder's output '%s' has other dims than its other outputs",
                  p->name);
        return;
    }
    static const int64_t nothing;
    const void *data = oc_value_data(v);
    data = data ? data : &nothing; /* a list of no objects is a list */
    memcpy((char *)a + p->at, &data, sizeof data);
}

void answer_read(answer *a, const oc_session *session, const signature *gives, int k, oc_error *e)
{
    sizes s = {-1, -1, -1, -1};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const int output = signature_find(gives->output, gives->n_output, parts[i].name);
        if (output >= 0)
            take_part(&parts[i], session, k * gives->n_output + output, a, &s, e);
    }
    a->n = s.n > 0 ? (int)s.n : 0;
    a->n_points = s.k > 0 ? (int)s.k : 0;
    a->grid_height = s.h > 0 ? (int)s.h : 0;
    a->grid_width = s.w > 0 ? (int)s.w : 0;
}

void answer_declare(const char *output, const char *end, text_build *to)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const part *p = &parts[i];
        if (strcmp(p->name, output) != 0)
            continue;
        text_put(to, "%s", oc_type_name(p->type));
        for (int k = 0; p->axes[k]; k++)
            text_put(to, "%c%c%s", k ? ',' : '[', p->axes[k],
                     p->axes[k] >= '0' && p->axes[k] <= '9' ? "" : end);
        text_put(to, "] %s%s", output, end);
    }
}
