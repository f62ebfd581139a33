/* SPDX-License-Identifier: Apache-2.0
 * results.c - names the files that a job writes, and finds out what they would replace. */
#define _XOPEN_SOURCE 700
#include "map/results.h"

#include "base/int.h"
#include "common/system.h"

#include <errno.h>
#include <unistd.h>

char *results_path(const results *r, const char *name, int k)
{
    return r->n == 1 ? tool_format("%s/%s.%s", r->folder, name, r->ending)
                     : tool_format("%s/%s.%s.%s", r->folder, name, r->part[k], r->ending);
}

/* ---- places ---- */

/* Texts that identify files: one text for one file, by whatever path it is reached. A text is
 * the numbers of the folder, and the name. A new file takes the place of the file of its name;
 * links do not matter, because a complete file is renamed. */
typedef struct places {
    text_index folders; /* maps paths to indices in id */
    char **id;
    int n;
} places;

static char *place_of(places *p, const char *path)
{
    char *folder = io_folder_of(path);
    int i = text_index_find(&p->folders, folder);
    if (i < 0) {
        system_file f;
        i = p->n++;
        p->id = tool_push(p->id, (size_t)i, sizeof *p->id);
        p->id[i] = system_describe(folder, true, &f)
                       ? tool_format("%llu:%llu", (unsigned long long)f.device,
                                     (unsigned long long)f.number)
                       : tool_format("%s", folder);
        text_index_add(&p->folders, folder, i);
    }
    free(folder);
    const char *slash = system_last_slash(path);
    return tool_format("%s/%s", p->id[i], slash ? slash + 1 : path);
}

static void places_free(places *p)
{
    for (int i = 0; i < p->n; i++)
        free(p->id[i]);
    free(p->id);
    text_index_free(&p->folders);
}

/* ---- what would be replaced ---- */

/* The files whose places are taken. */
typedef struct check {
    const results *results;
    places places;
    text_index read, written; /* map places to indices in path */
    /* paths of the files that are read, and of the files that results are made from */
    const char **path;
    int n;
} check;

static int add_path(check *c, const char *path)
{
    c->path = tool_push(c->path, (size_t)c->n, sizeof *c->path);
    c->path[c->n] = path;
    return c->n++;
}

static void add_read(check *c, const char *path)
{
    char *place = place_of(&c->places, path);
    text_index_add(&c->read, place, add_path(c, path));
    free(place);
}

/* Adds result k of r of the file at path, as add_results does. */
static void add_result(check *c, const results *r, const char *name, int k, int number,
                       bool are_made, oc_error *e)
{
    const char *option = r->option ? r->option : "-o", *path = c->path[number];
    char *result = results_path(r, name, k), *place = place_of(&c->places, result);
    const int other = text_index_find(&c->written, place);
    const int replaced = text_index_find(&c->read, place);
    if (other >= 0 && !are_made)
        tool_fail(e, OC_ARGUMENT, "%s %s: results of '%s' and '%s' would be one file, %s", option,
                  r->folder, c->path[other], path, result);
    else if (replaced >= 0 && !are_made)
        tool_fail(e, OC_ARGUMENT,
                  "%s %s: a result of '%s' would take the place of %s, which is read", option,
                  r->folder, path, c->path[replaced]);
    text_index_add(&c->written, place, number);
    free(result);
    free(place);
}

/* Adds the results of the file at path. are_made: they are to be made; else they exist already. */
static void add_results(check *c, const char *path, const char *name, bool are_made, oc_error *e)
{
    const int number = add_path(c, path);
    for (const results *r = c->results; r; r = r->also)
        for (int k = 0; k < r->n && e->code == OC_OK; k++)
            add_result(c, r, name, k, number, are_made, e);
}

void results_check(const results *r, const file_list *files, const record *before,
                   const args_list *others, oc_error *e)
{
    check c = {.results = r};
    text_index done = {0};
    for (int i = 0; i < files->n; i++) {
        add_read(&c, files->item[i].path);
        for (int k = 0; k < files->item[i].n_partner; k++)
            add_read(&c, files->item[i].partner[k]);
    }
    for (int i = 0; i < others->n; i++)
        add_read(&c, others->item[i]);
    for (int i = 0; i < before->n_before; i++) {
        add_results(&c, before->before[i].path, before->before[i].name, true, e);
        text_index_add(&done, before->before[i].path, i);
    }
    for (int i = 0; i < files->n && e->code == OC_OK; i++)
        if (text_index_find(&done, files->item[i].path) < 0)
            add_results(&c, files->item[i].path, files->item[i].name, false, e);
    places_free(&c.places);
    text_index_free(&c.read);
    text_index_free(&c.written);
    text_index_free(&done);
    free(c.path);
}

/* ---- what a killed job leaves ---- */

/* Is a result of this job's? any: where it begins with the name of a file and a point. */
static bool is_mine(const text_index *mine, char *place, bool any)
{
    bool found = text_index_find(mine, place) >= 0;
    for (char *point = strrchr(place, '.'); any && !found && point; point = strrchr(place, '.')) {
        *point = 0;
        found = text_index_find(mine, place) >= 0;
    }
    return found;
}

static void remove_in(places *p, const char *folder, const text_index *mine, bool any, oc_error *e)
{
    io_names inner = io_list_dir(folder, e);
    for (int i = 0; i < inner.n && e->code == OC_OK; i++) {
        char *name = io_part_of(inner.name[i]);
        if (!name)
            continue;
        char *result = tool_format("%s/%s", folder, name), *place = place_of(p, result);
        char *part = tool_format("%s/%s", folder, inner.name[i]);
        if (is_mine(mine, place, any) && unlink(part) != 0 && errno != ENOENT)
            tool_fail(e, OC_IO, "%s: %s", part, strerror(errno));
        free(name);
        free(result);
        free(place);
        free(part);
    }
    io_names_free(&inner);
}

void results_remove_parts(const results *r, const file_item *const *item, int n, oc_error *e)
{
    places p = {0};
    text_index mine = {0}, folders = {0};
    char **folder = NULL;
    int n_folder = 0;
    for (int i = 0; i < n && r->folder; i++)
        for (int k = 0; k < oc_max(r->n, 1); k++) {
            char *path = r->n ? results_path(r, item[i]->name, k)
                              : tool_format("%s/%s", r->folder, item[i]->name);
            char *place = place_of(&p, path);
            char *above = io_folder_of(path);
            text_index_add(&mine, place, i);
            if (text_index_find(&folders, above) < 0) {
                folder = tool_push(folder, (size_t)n_folder, sizeof *folder);
                folder[n_folder++] = tool_format("%s", above);
                text_index_add(&folders, above, i);
            }
            free(path);
            free(place);
            free(above);
        }
    for (int i = 0; i < n_folder; i++) {
        remove_in(&p, folder[i], &mine, r->n == 0, e);
        free(folder[i]);
    }
    free(folder);
    text_index_free(&folders);
    text_index_free(&mine);
    places_free(&p);
    if (r->also)
        results_remove_parts(r->also, item, n, e);
}
