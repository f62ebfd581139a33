/* SPDX-License-Identifier: Apache-2.0
 * pairs.c - finds the photograph that stands beside each one. */
#include "predict/pairs.h"

/* ---- files ---- */

static bool names_many(const char *text)
{
    char *name;
    const bool is_many = list_is_many(source_file_of(text, &name));
    free(name);
    return is_many;
}

void pairs_find(sources *s, args_list *given, const args_list *pictures, const args_list *folders,
                many *to, oc_error *e)
{
    file_list other;
    bool any = false;
    for (int i = 0; i < given->n; i++)
        any = any || names_many(given->item[i]);
    if (!any || e->code != OC_OK)
        return;
    sources_take(s, given, e);
    const char *picture = pictures->n == 1 ? pictures->item[0] : "-";
    if (e->code == OC_OK && (s->n > 1 || strcmp(picture, "-") == 0 || !list_is_many(picture)))
        tool_fail(e, OC_ARGUMENT,
                  "-i %s: expected one folder, pattern or list of pictures, and one beside it",
                  s->item[0].text);
    if (e->code != OC_OK)
        return;
    list_find(&other, s->item[0].text, folders, e);
    list_pair(&to->files, picture, &other, s->item[0].text, e);
}

void pairs_of_frames(file_list *files, oc_error *e)
{
    if (e->code != OC_OK)
        return;
    if (files->n < 2) {
        tool_fail(e, OC_ARGUMENT,
                  "the network takes two photographs at a time: expected two or more frames, or a "
                  "folder and -i INPUT=DIR with the photographs beside it");
        return;
    }
    for (int i = 0; i + 1 < files->n; i++)
        list_add_partner(&files->item[i], tool_format("%s", files->item[i + 1].path));
    list_free_item(&files->item[--files->n]);
}

/* ---- the input ---- */

/* Does -i give the input of that name a value? One without a name gives some input its value. */
static bool is_given(const args_list *given, const char *wanted)
{
    bool found = false;
    for (int i = 0; i < given->n && !found; i++) {
        char *name;
        source_file_of(given->item[i], &name);
        found = !name || strcmp(name, wanted) == 0;
        free(name);
    }
    return found;
}

static int find_input(const oc_model *m, const char *name, oc_error *e)
{
    char *option = tool_format("-i %s=: ", name);
    const int found = outline_input(m, name, option, e);
    free(option);
    return found;
}

int pairs_input(const predictor *p, const sources *s, const args_list *given, oc_error *e)
{
    const char *name = s->n ? s->item[0].name : NULL;
    if (e->code != OC_OK)
        return -1;
    const int found = name ? find_input(p->model, name, e) : p->second;
    if (found < 0 || (!s->n && is_given(given, oc_model_input(p->model, found).name)))
        return -1;
    if (p->outline.batch > 1)
        tool_fail(e, OC_UNSUPPORTED,
                  "the network takes %lld pairs of photographs at a time, expected one",
                  (long long)p->outline.batch);
    return found;
}

void pairs_say(const predictor *p, const sources *s, int second)
{
    tool_say("input '%.60s' takes a photograph, and '%.60s' %s%s",
             oc_model_input(p->model, p->photograph).name, oc_model_input(p->model, second).name,
             s->n ? "that of its name in " : "the next one", s->n ? s->item[0].text : "");
}
