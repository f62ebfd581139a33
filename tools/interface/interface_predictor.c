/* SPDX-License-Identifier: Apache-2.0
 * interface_predictor.c - makes a predictor as the options of a program say, and tells what was
 * found out. */
#include "common/data.h"
#include "common/limits.h"
#include "common/machine.h"
#include "interface/interface.h"

/* ---- options ---- */

bool interface_read_options(oc_predictor_options *to, const void *from, size_t size, oc_error *e)
{
    const unsigned char *bytes = from;
    for (size_t i = sizeof *to; from && i < size; i++)
        if (bytes[i]) {
            tool_fail(e, OC_ARGUMENT,
                      "oc_predictor_options has fields that this library does not know");
            return false;
        }
    if (from)
        memcpy(to, from, size < sizeof *to ? size : sizeof *to);
    return e->code == OC_OK;
}

/* Finds a word among its choices. NULL is the first of them, the default. */
static int choice_of(const char *option, const char *const *choices, const char *word, oc_error *e)
{
    const int found = word ? args_choice(choices, word) : 0;
    if (found < 0) {
        char all[600] = "";
        for (size_t i = 0, at = 0; choices[i] && at < sizeof all; i++)
            at += (size_t)snprintf(all + at, sizeof all - at, "%s%s", i ? " or " : "", choices[i]);
        tool_fail(e, OC_ARGUMENT, "%s is '%s', expected %s", option, word, all);
    }
    return found < 0 ? 0 : found;
}

image_args interface_image_args(const oc_predictor_options *o, oc_error *e)
{
    if (o->image_multiple < 0)
        tool_fail(e, OC_ARGUMENT, "--image-multiple is %d, expected a whole number, 0 or more",
                  o->image_multiple);
    return (image_args){
        .layout = choice_of("--image-layout", image_layout_names, o->image_layout, e),
        .order = choice_of("--image-channels", image_order_names, o->image_channels, e),
        .preset = choice_of("--preset", image_preset_names, o->preset, e),
        .filter = choice_of("--resize", image_filter_names, o->resize, e),
        .mean = o->image_mean,
        .std = o->image_std,
        .scale = o->image_scale,
        .resize = o->image_resize,
        .fill = o->image_fill,
        .multiple = o->image_multiple,
        .no_enlarge = o->image_no_enlarge,
    };
}

/* Returns the number that is given, -1 where none is. */
static double share_of(const char *option, const double *x, const char *what, oc_error *e)
{
    if (x && !(*x >= 0 && *x <= 1))
        tool_fail(e, OC_ARGUMENT, "%s is %g, expected %s, 0 to 1", option, *x, what);
    return x ? *x : -1;
}

static void make(oc_predictor *p, const oc_model *network, const oc_predictor_options *o,
                 oc_error *e)
{
    const image_args picture = interface_image_args(o, e);
    const predictor_wish wish = {
        .as = o->as,
        .input = o->picture,
        .config = o->config,
        .labels = o->labels,
        .saves = true,
        .names = o->names,
        .n_names = o->n_names,
        .score = share_of("--least", o->least, "the least score", e),
        .overlap = share_of("--overlap", o->overlap, "the greatest overlap", e),
        .most = o->top ? *o->top : -1,
        .picture = &picture,
        .quiet = true,
    };
    if (o->top && *o->top < 0)
        tool_fail(e, OC_ARGUMENT, "--top is %lld, expected a whole number, 0 or more",
                  (long long)*o->top);
    if (e->code == OC_OK)
        predictor_new(&p->made, network, o->path, &wish, e);
    p->options = (tensor_options){.cap = LIMIT_FILE, .image = p->made.picture, .quiet = true};
}

/* ---- predictors ---- */

/* Bounds what is decoded and drawn, once: other threads may be at it later. */
static void bound_memory(void)
{
    static atomic_flag is_bounded = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&is_bounded))
        data_set_cap(machine_memory_share());
}

oc_predictor *oc_predictor_new_sized(const oc_model *network, const oc_predictor_options *options,
                                     size_t options_size, oc_error *e)
{
    guard g;
    oc_predictor_options o = {0};
    if (e->code != OC_OK || !interface_read_options(&o, options, options_size, e) ||
        GUARD_FAILS(&g, e))
        return NULL;
    bound_memory();
    oc_predictor *p = tool_alloc(1, sizeof *p);
    make(p, network, &o, e);
    guard_end(&g);
    if (e->code == OC_OK)
        return p;
    oc_predictor_free(p);
    return NULL;
}

void oc_predictor_free(oc_predictor *p)
{
    if (p)
        predictor_free(&p->made);
    free(p);
}

const oc_model *oc_predictor_model(const oc_predictor *p)
{
    return p ? p->made.model : NULL;
}

/* ---- what was found out ---- */

const char *oc_predictor_text(const oc_predictor *p, oc_predictor_text_kind kind)
{
    switch (kind) {
    case OC_PREDICTOR_DECODER:
        return p->made.choice.decoder->name;
    case OC_PREDICTOR_WHY:
        return p->made.choice.why;
    case OC_PREDICTOR_PREPARED:
        return p->made.prepared;
    case OC_PREDICTOR_INPUT:
        return oc_model_input(p->made.model, p->made.photograph).name;
    case OC_PREDICTOR_BESIDE:
        return p->made.second < 0 ? NULL : oc_model_input(p->made.model, p->made.second).name;
    }
    return NULL;
}

const char *oc_predictor_remark(const oc_predictor *p, int i)
{
    return i >= 0 && i < p->made.metadata.n_remarks ? p->made.metadata.remark[i] : NULL;
}

int oc_predictor_n_names(const oc_predictor *p)
{
    return p->made.metadata.names.n;
}

const char *oc_predictor_name(const oc_predictor *p, int64_t label)
{
    return metadata_name(&p->made.metadata, label);
}

const char *oc_decoder_at(int i, const char **about)
{
    const decoder *d = i >= 0 ? decoder_at(i) : NULL;
    if (about)
        *about = d ? d->about : NULL;
    return d ? d->name : NULL;
}
