/* SPDX-License-Identifier: Apache-2.0
 * answer_tables.c - opens the tables of a command's answers, and gives each answer its place. */
#include "predict/answer_tables.h"

#include "common/text_width.h"

/* ---- opening ---- */

static int widest_path(const file_list *files)
{
    int widest = 0;
    for (int i = 0; i < files->n; i++) {
        const int n = text_width(files->item[i].path);
        widest = n > widest ? n : widest;
    }
    return widest;
}

/* The files that an earlier job has done are not shown again, and keep their rows. */
static void keep_answers(answer_tables *t, const many *m, oc_error *e)
{
    for (int i = 0; i < m->files.n && e->code == OC_OK; i++) {
        const file_item *item = &m->files.item[i];
        const int64_t place = many_place(m, item);
        if (place < 0 || !record_has(&m->record, item->path))
            continue;
        if (t->shown)
            table_skip(t->shown, place, e);
        if (t->written && !table_has(t->written, item->path))
            tool_fail(e, OC_ARGUMENT,
                      "--table %s: an earlier job kept no rows of %s for a table of this "
                      "format; --again runs all files again",
                      t->path, item->path);
        else if (t->written)
            table_keep(t->written, place, item->path, e);
    }
}

void answer_tables_json(const predictor *p, json_writer *j)
{
    json_text(j, "decoder", p->choice.decoder->name);
    json_text(j, "why", p->choice.why);
    json_text(j, "names", p->metadata.from[METADATA_NAMES]);
    json_array(j, "answers");
    putchar('\n');
}

void answer_tables_open(answer_tables *t, const answer_args *a, const predictor *p,
                        answer_show show, const many *m, const char *name, oc_error *e)
{
    if (e->code != OC_OK)
        return;
    char *rows =
        m && m->folder && a->table ? tool_format("%s/rows%s.tsv", m->folder, m->part) : NULL;
    const table_options to_file = {.names = &p->metadata.names,
                                   .point_names = &p->metadata.point_names,
                                   .rows = rows,
                                   .resume = m && m->args->resume,
                                   .stream = m && !m->files.n};
    table_options to_screen = to_file;
    to_screen.rows = NULL;
    to_screen.format = show == ANSWER_JSON ? TABLE_JSONL : TABLE_TEXT;
    to_screen.between = show == ANSWER_JSON ? "," : NULL;
    to_screen.widest = m ? widest_path(&m->files) : text_width(name);
    t->path = a->table;
    if (show)
        t->shown = table_open("-", &to_screen, e);
    if (a->table)
        t->written = table_open(a->table, &to_file, e);
    free(rows);
    if (m && e->code == OC_OK)
        keep_answers(t, m, e);
}

/* ---- answers ---- */

void answer_tables_add(answer_tables *t, int64_t place, const char *file, const answer *a,
                       oc_error *e)
{
    struct table *const tables[] = {t->shown, t->written};
    for (int i = 0; i < 2; i++)
        if (tables[i] && a)
            table_add(tables[i], place, file, a, e);
        else if (tables[i])
            table_miss(tables[i], place, file, e);
}

void answer_tables_close(answer_tables *t, oc_error *e)
{
    table_close(t->shown, e);
    table_close(t->written, e);
    *t = (answer_tables){0};
}
