/* SPDX-License-Identifier: Apache-2.0
 * outline.c - finds what is known of a network before a run. */
#include "predict/outline.h"

#include "common/nearest.h"
#include "common/number.h"
#include "files/image_view.h"

/* ---- the input that takes a picture ---- */

/* Are the channels on that axis of a picture, or may they be, because their number is not declared?
 */
static bool may_be_channels(const oc_port *p, int axis, bool declared)
{
    return declared ? image_is_channel_count(p->dim[axis]) : p->dim[axis] < 0;
}

static bool takes_picture(const oc_port *p)
{
    if (p->kind != OC_TENSOR || p->rank < 3 || p->rank > 4 || !number_is_float_or_integer(p->type))
        return false;
    const int first = p->rank - 3, last = p->rank - 1;
    return may_be_channels(p, first, true) || may_be_channels(p, last, true) ||
           may_be_channels(p, first, false) || may_be_channels(p, last, false);
}

int outline_input(const oc_model *network, const char *name, const char *option, oc_error *e)
{
    nearest near = {.text = name};
    char hint[NEAREST_TEXT];
    for (int i = 0; i < oc_model_n_inputs(network); i++) {
        const char *known = oc_model_input(network, i).name;
        if (strcmp(known, name) == 0)
            return i;
        nearest_try(&near, known);
    }
    tool_fail(e, OC_ARGUMENT, "%sthe model has no input '%s'%s", option, name,
              nearest_hint(&near, hint));
    return -1;
}

static int find_named_picture(const oc_model *network, const char *name, oc_error *e)
{
    const int found = outline_input(network, name, "", e);
    const oc_port p = oc_model_input(network, found);
    if (found >= 0 && p.rank >= 0 && !takes_picture(&p))
        tool_fail(e, OC_ARGUMENT,
                  "input '%s' takes no picture: expected numbers of rank 4 (or 3) with 1, 3 or "
                  "4 channels",
                  name);
    return found;
}

static int find_picture(const oc_model *network, oc_error *e)
{
    const int n = oc_model_n_inputs(network);
    for (int i = 0; i < n; i++) {
        const oc_port p = oc_model_input(network, i);
        if (!p.has_default && takes_picture(&p))
            return i;
    }
    tool_fail(e, OC_ARGUMENT,
              "none of the model's %d inputs takes a picture: expected numbers of rank 4 (or 3) "
              "with 1, 3 or 4 channels",
              n);
    return -1;
}

/* Do the two declare one type and one shape? */
static bool is_alike(const oc_port *a, const oc_port *b)
{
    bool alike = a->kind == b->kind && a->type == b->type && a->rank == b->rank;
    for (int i = 0; i < a->rank && alike; i++)
        alike = a->dim[i] == b->dim[i];
    return alike;
}

static int find_second(const oc_model *network, int picture)
{
    const oc_port first = oc_model_input(network, picture);
    int found = -1, n = 0;
    for (int i = 0; i < oc_model_n_inputs(network); i++) {
        const oc_port p = oc_model_input(network, i);
        if (i != picture && !p.has_default && takes_picture(&p) && is_alike(&p, &first)) {
            found = i;
            n++;
        }
    }
    return n == 1 ? found : -1;
}

/* ---- shapes ---- */

/* Is something of an output's type or shape not declared? */
static bool is_open(const oc_model *network)
{
    for (int i = 0; i < oc_model_n_outputs(network); i++) {
        const oc_port p = oc_model_output(network, i);
        if (p.kind == OC_TENSOR && (p.rank < 0 || p.type == OC_UNDEFINED))
            return true;
        for (int k = 0; k < p.rank; k++)
            if (p.dim[k] < 0)
                return true;
    }
    return false;
}

outline outline_of(const oc_model *network, const char *input, oc_error *e)
{
    outline o = {.network = network,
                 .picture = -1,
                 .second = -1,
                 .batch = 1,
                 .height = -1,
                 .width = -1,
                 .channels = -1};
    if (e->code != OC_OK)
        return o;
    oc_error unknown = {0}; /* shapes that cannot be followed stay as declared */
    if (is_open(network))
        o.declared = oc_model_declare(network, &unknown);
    const oc_model *m = o.declared ? o.declared : network;
    o.picture = input ? find_named_picture(network, input, e) : find_picture(network, e);
    o.n_out = oc_model_n_outputs(m);
    o.out = tool_alloc((size_t)o.n_out, sizeof *o.out);
    for (int i = 0; i < o.n_out; i++)
        o.out[i] = oc_model_output(m, i);
    if (o.picture < 0)
        return o;
    const oc_port p = oc_model_input(network, o.picture);
    const int end = p.rank - image_looks_channels_last(p.rank, p.dim);
    o.second = find_second(network, o.picture);
    if (p.rank == 4 && p.dim[0] > 1)
        o.batch = p.dim[0];
    if (p.rank >= 3) {
        o.height = p.dim[end - 2];
        o.width = p.dim[end - 1];
        o.channels = p.dim[end < p.rank ? end : end - 3];
        o.height_name = p.dim_name[end - 2];
        o.width_name = p.dim_name[end - 1];
    }
    return o;
}

void outline_free(outline *o)
{
    oc_model_free(o->declared);
    free(o->out);
    *o = (outline){0};
}

bool outline_has_operator(const outline *o, const char *name)
{
    oc_model_operator op;
    for (int i = 0; oc_model_operator_at(o->network, i, &op); i++)
        if (strcmp(op.name, name) == 0)
            return true;
    return false;
}

int64_t outline_cells(const outline *o, const int *stride, int n)
{
    int64_t cells = 0;
    if (o->height < 0 || o->width < 0)
        return -1;
    for (int i = 0; i < n; i++)
        cells +=
            ((o->height + stride[i] - 1) / stride[i]) * ((o->width + stride[i] - 1) / stride[i]);
    return cells;
}
