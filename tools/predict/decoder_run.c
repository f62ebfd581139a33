/* SPDX-License-Identifier: Apache-2.0
 * decoder_run.c - runs a decoder on what a network gave, and draws and tells the answer. */
#include "predict/decoder_run.h"

void decoder_run_new(decoder_run *r, const inputs *in, const char *path, const char *input,
                     const answer_args *args, const input_args *picture,
                     const session_args *session, oc_error *e)
{
    predictor_wish wish = args->wish;
    wish.apart = true;
    wish.input = wish.input ? wish.input : input;
    wish.picture = &picture->image;
    wish.quiet = picture->quiet;
    r->inputs = in;
    r->options = session_args_options(session);
    if (e->code == OC_OK)
        predictor_new(&r->predictor, in->model, path, &wish, e);
    if (args->draw && !wish.quiet && e->code == OC_OK)
        predictor_say_letters(&r->predictor);
}

void decoder_run_free(decoder_run *r)
{
    predictor_free(&r->predictor);
}

static void run(const decoder_run *r, const photograph_run *of, predictor_values *v, oc_session *s,
                answer *a, predictor_held *held, oc_error *e)
{
    const choice *c = &r->predictor.choice;
    predictor_check(&r->predictor, of->fit, (const oc_value *const *)r->inputs->value, e);
    for (int k = 0; k < decoder_n_parts(c->decoder); k++)
        oc_bind_value_at(s, k, of->output[c->out[k]], e);
    predictor_bind(&r->predictor, of->fit, 1, v, s, e);
    oc_run(s, e);
    if (e->code == OC_OK)
        predictor_answer(&r->predictor, of->fit, 0, s, a, held, e);
}

void decoder_run_take(decoder_run *r, const photograph_run *of, oc_error *e)
{
    predictor_values v = {0};
    predictor_held held = {0};
    answer a;
    oc_session *s = oc_session_new(r->predictor.model, &r->options, e);
    run(r, of, &v, s, &a, &held, e);
    if (of->drawn && e->code == OC_OK) {
        predictor_draw(&r->predictor, &a, of->seen, of->file, e);
        image_write_file(of->seen, of->drawn, e);
    }
    if (e->code == OC_OK)
        answer_tables_add(&r->tables, of->place, of->file, &a, e);
    oc_session_free(s);
    predictor_values_free(&v);
    predictor_held_free(&held);
}
