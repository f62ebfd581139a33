/* SPDX-License-Identifier: Apache-2.0
 * answer_args.c - checks the options of the command line about answers, and passes them on. */
#include "predict/answer_args.h"

const char *answer_args_wrong(const answer_args *a)
{
    return a->wish.score > 1     ? "--least is above 1, the greatest score"
           : a->wish.overlap > 1 ? "--overlap is above 1, the greatest overlap"
                                 : NULL;
}

bool answer_args_wanted(const answer_args *a, bool is_shown)
{
    return a->draw || a->table || (is_shown && a->wish.as);
}

const char *answer_args_idle(const answer_args *a, bool is_shown)
{
    const predictor_wish *w = &a->wish;
    if (answer_args_wanted(a, is_shown))
        return answer_args_wrong(a);
    if (is_shown)
        return w->input || w->config || w->classes || w->score >= 0 || w->overlap >= 0
                   ? "--picture, --config, --classes, --least and --overlap go with --draw, "
                     "--table or --as"
                   : NULL;
    return w->as || w->input || w->config || w->labels || w->classes || w->score >= 0 ||
                   w->overlap >= 0 || w->most >= 0 || a->png
               ? "--as, --picture, --config, --labels, --classes, --least, --overlap, --top and "
                 "--png go with --draw or --table"
               : NULL;
}

bool answer_args_list(const answer_args *a)
{
    return a->wish.as && strcmp(a->wish.as, "list") == 0;
}

static void print_document(void)
{
    json_writer j = json_begin(stdout);
    json_object(&j, NULL);
    json_array(&j, "decoders");
    for (int i = 0; decoder_at(i); i++) {
        json_object(&j, NULL);
        json_text(&j, "name", decoder_at(i)->name);
        json_text(&j, "about", decoder_at(i)->about);
        json_text(&j, "preset", decoder_at(i)->preset);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    json_end(&j);
}

void answer_args_print_list(bool json)
{
    for (int i = 0; decoder_at(i) && !json; i++)
        tool_line("%-18s %s", decoder_at(i)->name, decoder_at(i)->about);
    if (json)
        print_document();
}

const char *answer_args_ending(const answer_args *a)
{
    return a->png ? "png" : "jpg";
}

/* Below 0 the option is not given. */
static void add_number(settings *to, const char *option, double x)
{
    settings_add(to, x < 0 ? tool_format("%s -", option) : tool_format("%s %.17g", option, x));
}

void answer_args_settings(const answer_args *a, const decoder *d, settings *to)
{
    const predictor_wish *w = &a->wish;
    settings_add(to, tool_format("--as %s", d->name));
    settings_add(to, tool_format("--labels %s", w->labels ? w->labels : "-"));
    settings_add(to, tool_format("--config %s", w->config ? w->config : "-"));
    settings_add(to, tool_format("--classes %s", w->classes ? w->classes : "-"));
    add_number(to, "--least", w->score);
    add_number(to, "--overlap", w->overlap);
    add_number(to, "--top", (double)w->most);
}

void answer_args_sandbox(const answer_args *a, sandbox *box)
{
    sandbox_read(box, a->wish.labels);
    sandbox_read(box, a->wish.config);
    sandbox_write(box, a->table);
}
