/* SPDX-License-Identifier: Apache-2.0
 * interface_photograph.c - makes of a photograph what the network takes, and gives a session that.
 */
#include "common/limits.h"
#include "interface/interface.h"
#include "map/batch.h"

/* Prepares a picture for an input of the network. A network of several photographs at a time gets
 * it several times. */
static oc_value *tensor_for(const oc_predictor *p, const given *from, int input, image_fit *fit,
                            oc_error *e)
{
    const oc_port port = oc_model_input(p->made.model, input);
    const int n = (int)p->made.outline.batch;
    tensor_options o = p->options;
    image m = {0};
    o.fit = fit;
    given_read(from, &m, e);
    oc_value *v = e->code == OC_OK ? tensor_of_picture(&m, &port, &o, from->name, e) : NULL;
    image_free(&m);
    if (!v || n == 1)
        return v;
    oc_value *several = batch_join(&v, 1, n, e);
    oc_value_free(v);
    return several;
}

/* Takes the source over. */
static oc_photograph *prepare(const oc_predictor *p, given *from, oc_error *e)
{
    oc_photograph *f = tool_alloc(1, sizeof *f);
    *f = (oc_photograph){.predictor = p, .given = from};
    f->tensor = tensor_for(p, from, p->made.photograph, &f->fit, e);
    if (e->code == OC_OK)
        return f;
    oc_photograph_free(f);
    return NULL;
}

oc_photograph *oc_photograph_read(const oc_predictor *p, const char *path, oc_error *e)
{
    guard g;
    if (e->code != OC_OK || GUARD_FAILS(&g, e))
        return NULL;
    oc_photograph *f = prepare(p, given_of_file(path, e), e);
    guard_end(&g);
    return f;
}

oc_photograph *oc_photograph_decode(const oc_predictor *p, const void *bytes, size_t size,
                                    oc_error *e)
{
    guard g;
    if (e->code != OC_OK || GUARD_FAILS(&g, e))
        return NULL;
    oc_photograph *f = prepare(p, given_of_bytes(bytes, size, e), e);
    guard_end(&g);
    return f;
}

oc_photograph *oc_photograph_take(const oc_predictor *p, const uint8_t *samples, int height,
                                  int width, int channels, int turn, oc_error *e)
{
    guard g;
    if (e->code != OC_OK || GUARD_FAILS(&g, e))
        return NULL;
    oc_photograph *f = prepare(p, given_of_samples(samples, height, width, channels, turn, e), e);
    guard_end(&g);
    return f;
}

static void put_beside(oc_photograph *f, const oc_photograph *beside, oc_error *e)
{
    const predictor *p = &f->predictor->made;
    image_fit fit = {0};
    if (p->second < 0)
        tool_fail(e, OC_ARGUMENT, "the network takes one photograph, expected none beside it");
    else if (p->outline.batch > 1)
        tool_fail(e, OC_UNSUPPORTED, "the network takes %lld pairs of photographs at a time",
                  (long long)p->outline.batch);
    else if (beside->fit.width != f->fit.width || beside->fit.height != f->fit.height)
        tool_fail(e, OC_SHAPE, "%s: %d x %d, and %s beside it %d x %d: expected two of one size",
                  f->given->name, f->fit.width, f->fit.height, beside->given->name,
                  beside->fit.width, beside->fit.height);
    if (e->code != OC_OK)
        return;
    oc_value_free(f->second);
    f->second = tensor_for(f->predictor, beside->given, p->second, &fit, e);
}

void oc_photograph_put_beside(oc_photograph *f, const oc_photograph *beside, oc_error *e)
{
    guard g;
    if (e->code != OC_OK || GUARD_FAILS(&g, e))
        return;
    put_beside(f, beside, e);
    guard_end(&g);
}

void oc_photograph_free(oc_photograph *f)
{
    if (!f)
        return;
    given_free(f->given);
    oc_value_free(f->tensor);
    oc_value_free(f->second);
    predictor_values_free(&f->values);
    free(f);
}

const oc_value *oc_photograph_tensor(const oc_photograph *f)
{
    return f->tensor;
}

void oc_photograph_bind(oc_photograph *f, oc_session *session, oc_error *e)
{
    guard g;
    if (e->code != OC_OK || GUARD_FAILS(&g, e))
        return;
    const predictor *p = &f->predictor->made;
    oc_bind_value_at(session, p->photograph, f->tensor, e);
    if (f->second)
        oc_bind_value_at(session, p->second, f->second, e);
    predictor_values_free(&f->values);
    predictor_bind(p, &f->fit, 1, &f->values, session, e);
    guard_end(&g);
}

/* ---- without a predictor ---- */

static oc_value *picture_as_tensor(const oc_model *model, const char *input, const given *from,
                                   const oc_predictor_options *options, oc_error *e)
{
    const image_args args = interface_image_args(options, e);
    const tensor_options o = {
        .cap = LIMIT_FILE, .image = image_args_options(&args, e), .quiet = true};
    image m = {0};
    int i = 0;
    while (i < oc_model_n_inputs(model) && strcmp(oc_model_input(model, i).name, input) != 0)
        i++;
    if (e->code == OC_OK && i == oc_model_n_inputs(model))
        tool_fail(e, OC_ARGUMENT, "the model has no input '%s'", input);
    const oc_port port = oc_model_input(model, i);
    given_read(from, &m, e);
    oc_value *v = e->code == OC_OK ? tensor_of_picture(&m, &port, &o, from->name, e) : NULL;
    image_free(&m);
    return v;
}

oc_value *oc_picture_tensor_sized(const oc_model *model, const char *input, const uint8_t *samples,
                                  int height, int width, int channels,
                                  const oc_predictor_options *options, size_t options_size,
                                  oc_error *e)
{
    guard g;
    oc_predictor_options o = {0};
    if (e->code != OC_OK || !interface_read_options(&o, options, options_size, e) ||
        GUARD_FAILS(&g, e))
        return NULL;
    given *from = given_of_samples(samples, height, width, channels, 0, e);
    oc_value *v = e->code == OC_OK ? picture_as_tensor(model, input, from, &o, e) : NULL;
    given_free(from);
    guard_end(&g);
    return v;
}
