/* SPDX-License-Identifier: Apache-2.0
 * list.c - finds the files of a job, and names for their results. */
#include "map/list.h"

#include "common/index.h"
#include "common/signals.h"
#include "common/system.h"
#include "files/tensor_file.h"
#include "files/text_value.h"
#include "map/stems.h"

static void add(file_list *l, char *path)
{
    l->item = tool_push(l->item, (size_t)l->n, sizeof *l->item);
    l->item[l->n++] = (file_item){.path = path};
}

/* ---- where they come from ---- */

static bool is_pattern(const char *text)
{
    return strpbrk(text, "*?[") && !io_exists(text);
}

/* Is the first line of a text file one of numbers, and no path of a file? */
static bool has_numbers(const char *path)
{
    enum { LONGEST = 4096 };
    char line[LONGEST] = "";
    system_file file;
    FILE *f = system_describe(path, true, &file) && file.is_regular ? fopen(path, "rb") : NULL;
    if (!f)
        return false;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\r\n")] = 0;
        if (*line)
            break;
    }
    fclose(f);
    return *line && text_value_is_typed(line) && !io_exists(line);
}

bool list_is_many(const char *text)
{
    const size_t size = strlen(text);
    const bool typed = text_value_is_typed(text) && (*text != '[' || text[size - 1] == ']');
    return strcmp(text, "-") == 0 || io_is_dir(text) ||
           (is_pattern(text) && (!typed || list_leads_to_files(text))) ||
           (io_ends_with(text, ".txt") && !has_numbers(text));
}

static void count_path(void *ctx, OC_UNUSED const char *path)
{
    int *n = ctx;
    ++*n;
}

bool list_leads_to_files(const char *text)
{
    int n = 0;
    if (is_pattern(text))
        system_find(text, count_path, &n);
    return n > 0 || strcmp(text, "-") == 0 || io_exists(text);
}

void list_leave_out(file_list *l, char *path, left_reason reason, const char *alone)
{
    l->left = tool_push(l->left, (size_t)l->n_left, sizeof *l->left);
    l->left[l->n_left++] = (file_left){path, reason, alone ? tool_format("%s", alone) : NULL};
}

static bool is_same(const system_file *a, const system_file *b)
{
    return a->number == b->number && a->device == b->device;
}

/* Is it a folder of results? */
static bool has_results_in(const args_list *results, const system_file *folder)
{
    system_file one;
    for (int i = 0; i < results->n; i++)
        if (system_describe(results->item[i], true, &one) && is_same(&one, folder))
            return true;
    return false;
}

/* Takes a path in a folder, but not that of a folder in it, or leaves it out. In a folder that has
 * results too, a file with an ending that is not read is one of them. */
static void add_found(file_list *l, char *path, bool has_results)
{
    system_file file;
    const bool is_read = tensor_can_read(path), is_known = system_describe(path, true, &file);
    if (is_known && file.is_folder)
        list_leave_out(l, path, LEFT_LINK, NULL);
    else if (has_results && !is_read)
        free(path);
    else if (!is_read)
        list_leave_out(l, path, LEFT_ENDING, NULL);
    else if (is_known && !file.is_regular)
        list_leave_out(l, path, LEFT_KIND, NULL);
    else
        add(l, path);
}

static void read_dir(file_list *l, const char *dir, const args_list *results, oc_error *e)
{
    system_file here;
    const bool has_results = system_describe(dir, true, &here) && has_results_in(results, &here);
    const char *slash = system_is_slash(dir[strlen(dir) - 1]) ? "" : "/";
    io_names inner = io_list_dir(dir, e);
    for (int i = 0; i < inner.n && e->code == OC_OK; i++) {
        system_file file;
        if (signals_cancelled(NULL))
            tool_fail(e, OC_CANCELLED, "%s: cancelled", dir);
        if (inner.name[i][0] == '.')
            continue;
        char *path = tool_format("%s%s%s", dir, slash, inner.name[i]);
        /* A link to a folder is not followed, because it may lead back here. */
        const bool folder = system_describe(path, false, &file) && file.is_folder;
        if (folder && !has_results_in(results, &file))
            read_dir(l, path, results, e);
        if (folder)
            free(path);
        else
            add_found(l, path, has_results);
    }
    io_names_free(&inner);
}

static void take_path(void *ctx, const char *path)
{
    if (!io_is_dir(path))
        add(ctx, tool_format("%s", path));
}

static void read_pattern(file_list *l, const char *pattern, oc_error *e)
{
    if (!system_find(pattern, take_path, l))
        tool_fail(e, OC_IO, "%s: the files of this pattern cannot be found", pattern);
}

static void read_lines(file_list *l, const char *path, oc_error *e)
{
    io_bytes b;
    io_read(path, (size_t)1 << 30, &b, e);
    int n = 0;
    for (size_t at = 0; at < b.size && e->code == OC_OK; n++) {
        const char *line = (const char *)b.data + at;
        const char *end = memchr(line, '\n', b.size - at);
        size_t size = end ? (size_t)(end - line) : b.size - at;
        at += size + 1;
        size -= size && line[size - 1] == '\r';
        if (memchr(line, 0, size))
            tool_fail(e, OC_FORMAT, "%s: byte %zu: a path holds a zero byte", path, at - size - 1);
        if (size && e->code == OC_OK) {
            add(l, tool_format("%.*s", (int)size, line));
            l->item[l->n - 1].list = strcmp(path, "-") == 0 ? "standard input" : path;
            l->item[l->n - 1].line = n + 1;
        }
    }
    io_bytes_free(&b);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const file_item *)a)->path, ((const file_item *)b)->path);
}

/* ---- names ---- */

/* Returns how many bytes the paths have in common, up to and with a '/'. */
static size_t common_folder(const file_list *l)
{
    size_t size = strlen(l->item[0].path);
    for (int i = 1; i < l->n; i++) {
        size_t same = 0;
        while (same < size && l->item[i].path[same] == l->item[0].path[same])
            same++;
        size = same;
    }
    while (size && !system_is_slash(l->item[0].path[size - 1]))
        size--;
    return size;
}

static size_t name_size(const char *path)
{
    size_t n = 0;
    while (path[n] && !system_is_slash(path[n]))
        n++;
    return n;
}

/* Returns a copy of a path that stays in the folder it is put in: "." and ".." are dropped. */
static char *inner_path(const char *path)
{
    char *inner = tool_alloc(2 * strlen(path) + 1, 1), *end = inner;
    for (const char *part = path; *part;) {
        const size_t size = name_size(part);
        const bool up = size == 2 && part[0] == '.' && part[1] == '.';
        if (size && !(size == 1 && part[0] == '.')) {
            if (end > inner)
                *end++ = '/';
            memcpy(end, up ? "__" : part, size);
            end += size;
        }
        part += size + system_is_slash(part[size]);
    }
    return inner;
}

static void give_names(file_list *l, const char *where, oc_error *e)
{
    const size_t folder = common_folder(l);
    text_index names = {0};
    stems of = stems_new(l->n);
    for (int i = 0; i < l->n; i++) {
        l->item[i].name = inner_path(l->item[i].path + folder);
        stems_add(&of, l->item[i].name, i);
    }
    for (int i = 0; i < l->n && e->code == OC_OK; i++) {
        char *name = l->item[i].name;
        int count;
        stems_find(&of, name, &count);
        if (count == 1)
            stems_cut(name);
        const int other = text_index_find(&names, name);
        if (other >= 0)
            tool_fail(e, OC_ARGUMENT, "%s: the results of '%s' and '%s' would be one file", where,
                      l->item[other].path, l->item[i].path);
        text_index_add(&names, name, i);
    }
    stems_free(&of);
    text_index_free(&names);
}

/* Adds the files of a folder, a pattern or a list. */
static void add_source(file_list *l, const char *text, const args_list *results, oc_error *e)
{
    const int before = l->n;
    const bool has_lines = list_has_lines(text);
    if (has_lines)
        read_lines(l, text, e);
    else if (io_is_dir(text))
        read_dir(l, text, results, e);
    else
        read_pattern(l, text, e);
    if (e->code == OC_OK && l->n == before)
        tool_fail(e, OC_ARGUMENT, "%s: there is no file in it%s", text,
                  l->n_left ? " with an ending that is read" : "");
    if (e->code == OC_OK && !has_lines)
        qsort(l->item + before, (size_t)(l->n - before), sizeof *l->item, by_path);
}

void list_find(file_list *l, const char *text, const args_list *results, oc_error *e)
{
    *l = (file_list){0};
    if (e->code == OC_OK)
        add_source(l, text, results, e);
    if (e->code == OC_OK)
        l->folder = io_is_dir(text) ? strlen(text) + !system_is_slash(text[strlen(text) - 1])
                                    : common_folder(l);
}

void list_read(file_list *l, const char *text, const args_list *results, oc_error *e)
{
    list_find(l, text, results, e);
    if (e->code == OC_OK)
        give_names(l, text, e);
}

bool list_has_lines(const char *text)
{
    return !io_is_dir(text) && !is_pattern(text);
}

void list_free_item(file_item *f)
{
    for (int i = 0; i < f->n_partner; i++)
        free(f->partner[i]);
    free(f->partner);
    free(f->path);
    free(f->name);
    *f = (file_item){0};
}

void list_read_all(file_list *l, const args_list *texts, const args_list *results, oc_error *e)
{
    *l = (file_list){0};
    if (texts->n == 1 && list_is_many(texts->item[0])) {
        list_read(l, texts->item[0], results, e);
        return;
    }
    for (int i = 0; i < texts->n && e->code == OC_OK; i++)
        if (list_is_many(texts->item[i]))
            add_source(l, texts->item[i], results, e);
        else
            add(l, tool_format("%s", texts->item[i]));
    if (e->code == OC_OK)
        give_names(l, "the pictures", e);
}

void list_free(file_list *l)
{
    for (int i = 0; i < l->n; i++)
        list_free_item(&l->item[i]);
    for (int i = 0; i < l->n_left; i++) {
        free(l->left[i].path);
        free(l->left[i].alone);
    }
    free(l->left);
    free(l->item);
    *l = (file_list){0};
}
