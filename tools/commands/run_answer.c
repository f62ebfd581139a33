/* SPDX-License-Identifier: Apache-2.0
 * run_answer.c - finds the photograph that ocellus run was given, and tells its answer. */
#include "commands/run_answer.h"

#include "files/targets.h"

bool run_answer_wanted(const run_answer *a)
{
    return answer_args_wanted(&a->args, true);
}

bool run_answer_args_fit(const run_answer *a, print_outputs_args *tell, const char *command)
{
    const char *draw = a->args.draw, *wrong = answer_args_idle(&a->args, true);
    if (!wrong && draw && !image_can_write(draw))
        wrong = "--draw: expected a file that ends with .png or .jpg";
    if (wrong)
        tool_say("%s: %s", command, wrong);
    if (!run_answer_wanted(a)) {
        tell->top = a->args.wish.most;
        tell->labels = a->args.wish.labels;
    }
    return !wrong;
}

/* ---- before the run ---- */

/* The input whose photograph the answer is of: the only one that is given a picture; NULL: the
 * first that can take one. */
static const char *photograph_input(const inputs *in)
{
    int n = 0, found = -1;
    for (int i = 0; i < in->n; i++)
        if (in->picture[i].path) {
            found = i;
            n++;
        }
    return n == 1 ? oc_model_input(in->model, found).name : NULL;
}

/* OC_ARGUMENT when what is written would take the place of the photograph. */
static void check_files(const answer_args *a, const char *photograph, oc_error *e)
{
    const char *const written[] = {a->draw, a->table};
    for (int i = 0; i < 2; i++) {
        oc_error same = {0};
        targets all = {0};
        targets_add(&all, photograph, &same);
        if (written[i])
            targets_add(&all, written[i], &same);
        if (same.code != OC_OK)
            tool_fail(e, OC_ARGUMENT, "%s: it would take the place of %s, which is read",
                      written[i], photograph);
        targets_free(&all);
    }
}

void run_answer_prepare(run_answer *a, const char *path, const inputs *in,
                        const input_args *picture, const session_args *session, bool json,
                        oc_error *e)
{
    decoder_run *to = &a->decoder;
    oc_error unfit = {0};
    /* where a picture does not fit as it is, a remark says how predict prepares it */
    const bool has_failed = e->code != OC_OK;
    if (!run_answer_wanted(a) || (has_failed && e->code != OC_SHAPE))
        return;
    decoder_run_new(to, in, path, photograph_input(in), &a->args, picture, session,
                    has_failed ? &unfit : e);
    if (e->code != OC_OK)
        return;
    const int input = to->predictor.photograph;
    const char *photograph = in->picture[input].path;
    if (photograph)
        check_files(&a->args, photograph, e);
    else
        tool_fail(e, OC_ARGUMENT,
                  "an answer is of a photograph, and -i gives input '%s' none; expected -i with a "
                  "picture, or --picture INPUT",
                  oc_model_input(in->model, input).name);
    answer_tables_open(&to->tables, &a->args, &to->predictor, json ? ANSWER_JSON : ANSWER_TEXT,
                       NULL, photograph, e);
}

/* ---- behind the run ---- */

void run_answer_tell(run_answer *a, const inputs *in, const oc_session *s, json_writer *j,
                     oc_error *e)
{
    if (!run_answer_wanted(a) || e->code != OC_OK)
        return;
    const int n = oc_model_n_outputs(in->model);
    const oc_value **output = tool_alloc((size_t)n, sizeof *output);
    input_picture *picture = &in->picture[a->decoder.predictor.photograph];
    for (int i = 0; i < n; i++)
        output[i] = oc_fetch_value_at(s, i, e);
    const photograph_run run = {.file = picture->path,
                                .fit = &picture->fit,
                                .seen = &picture->seen,
                                .drawn = a->args.draw,
                                .output = output};
    if (j)
        answer_tables_json(&a->decoder.predictor, j);
    decoder_run_take(&a->decoder, &run, e);
    answer_tables_close(&a->decoder.tables, e);
    if (j)
        json_close(j);
    free(output);
}

void run_answer_free(run_answer *a, oc_error *e)
{
    answer_tables_close(&a->decoder.tables, e);
    decoder_run_free(&a->decoder);
}
