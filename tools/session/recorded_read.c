/* SPDX-License-Identifier: Apache-2.0
 * recorded_read.c - reads a recorded run: its form, its options, and the files that it names. */
#include "session/recorded.h"

#include "common/limits.h"
#include "session/recorded_fields.h"
#include "session/recorded_names.h"

#include <errno.h>

/* ---- the document ---- */

recorded recorded_read(const char *path, oc_error *e)
{
    recorded r = {.version = ""};
    io_bytes b;
    io_read(path, LIMIT_FILE, &b, e);
    json_read(&r.tree, b.data, b.size, JSON_STRICT, path, e);
    io_bytes_free(&b);
    r.folder = io_folder_of(path);
    const json_value *number = json_get(r.tree.root, "ocellus_run");
    if (e->code == OC_OK && !number)
        tool_fail(e, OC_FORMAT, "it is no recorded run, which has an entry \"ocellus_run\"");
    else if (json_int_of(number, 1, INT32_MAX, 0) != RECORDED_VERSION)
        tool_fail(e, OC_FORMAT, "ocellus_run is %s, expected %d, the version of recorded runs",
                  number && number->kind == JSON_NUMBER ? "another number" : "no number",
                  RECORDED_VERSION);
    const char *version = recorded_text(r.tree.root, "", "version", e);
    const char *products = recorded_text(r.tree.root, "", "products", e);
    if (e->code != OC_OK)
        return r;
    r.version = version;
    r.is_fast = strcmp(products, "fast") == 0;
    if (!r.is_fast && strcmp(products, "fused") != 0 && strcmp(products, "exact") != 0)
        tool_fail(e, OC_FORMAT, "products is '%.40s', expected fused, exact or fast", products);
    return r;
}

void recorded_free(recorded *r)
{
    json_tree_free(&r->tree);
    free(r->folder);
    *r = (recorded){0};
}

/* ---- fields ---- */

static const char *const kind_names[] = {
    [JSON_NULL] = "null",   [JSON_BOOL] = "true or false", [JSON_NUMBER] = "a number",
    [JSON_TEXT] = "a text", [JSON_ARRAY] = "an array",     [JSON_OBJECT] = "an object",
};

const json_value *recorded_entry(const json_value *of, const char *place, const char *key,
                                 json_kind kind, oc_error *e)
{
    const json_value *v = json_get(of, key);
    if (v && v->kind == kind)
        return v;
    tool_fail(e, OC_FORMAT, "%s%s%s is %s, expected %s", place, *place ? "." : "", key,
              v ? kind_names[v->kind] : "missing", kind_names[kind]);
    return NULL;
}

const char *recorded_text(const json_value *of, const char *place, const char *key, oc_error *e)
{
    const json_value *v = recorded_entry(of, place, key, JSON_TEXT, e);
    const char *text = json_text_of(v);
    if (v && !text)
        tool_fail(e, OC_FORMAT, "%s%s%s has a zero byte", place, *place ? "." : "", key);
    return text;
}

const char *recorded_sha256(const json_value *of, const char *place, oc_error *e)
{
    const char *text = recorded_text(of, place, "sha256", e);
    if (text &&
        (strlen(text) != SHA256_TEXT - 1 || strspn(text, "0123456789abcdef") != SHA256_TEXT - 1)) {
        tool_fail(e, OC_FORMAT, "%s.sha256 is not 64 digits of 0-9 and a-f", place);
        return NULL;
    }
    return text;
}

/* ---- options ---- */

/* Sets an option of s, at value, as the record has it. */
static void take_option(const args_option *row, const json_value *v, void *value, oc_error *e)
{
    const char *text = json_text_of(v);
    if (row->kind == ARGS_FLAG && v->kind == JSON_BOOL) {
        *(bool *)value = v->number != 0;
    } else if (row->kind == ARGS_CHOICE && text && args_choice(row->choices, text) >= 0) {
        *(int *)value = args_choice(row->choices, text);
    } else if (row->kind == ARGS_TEXT && (text || v->kind == JSON_NULL)) {
        *(const char **)value = text;
    } else if (row->kind == ARGS_INT && v->kind == JSON_NUMBER && v->number >= 0 &&
               v->number <= 0x1p53 && v->number == (double)(int64_t)v->number) {
        *(int64_t *)value = (int64_t)v->number;
    } else if (row->kind == ARGS_INT && text && *text &&
               strspn(text, "0123456789") == strlen(text)) {
        errno = 0;
        *(int64_t *)value = strtoll(text, NULL, 10);
        if (errno)
            tool_fail(e, OC_FORMAT, "options.%s is '%.40s', which is too large", row->name, text);
    } else {
        tool_fail(e, OC_FORMAT, "options.%s is no value that the option has", row->name);
    }
}

/* Notes an option that a command line has set. */
static void note(char **all, const char *name)
{
    char *more = tool_format("%s%s%s", *all, **all ? ", " : "", name);
    free(*all);
    *all = more;
}

/* Takes an option of a session unless the command line has it. Returns whether the key is one. */
static bool take_session_option(const json_value *v, session_args *s, char **noted, oc_error *e)
{
    session_told told, as_recorded;
    session_args other = *s;
    for (int i = 0; session_args_at(s, i, &told); i++) {
        const args_option *row = &session_args_rows[i];
        if (!told.changes_results || strcmp(row->name, v->key) != 0)
            continue;
        take_option(row, v, (char *)&other + row->at, e);
        session_args_at(&other, i, &as_recorded);
        if (!told.is_given)
            *s = other;
        else if (e->code == OC_OK &&
                 (!as_recorded.value || strcmp(told.value, as_recorded.value) != 0))
            note(noted, told.name);
        return true;
    }
    return false;
}

static void take_bodies(const json_value *v, recorded_bodies *b, char **noted, oc_error *e)
{
    const char *text = json_text_of(v);
    if (!text && v->kind != JSON_NULL)
        tool_fail(e, OC_FORMAT, "options.expand is no text and not null");
    else if (b->expand && (!text || strcmp(b->expand, text) != 0))
        note(noted, "--expand");
    if (!b->expand)
        b->expand = text;
}

char *recorded_options(const recorded *r, session_args *s, recorded_bodies *bodies, oc_error *e)
{
    char *noted = tool_format("%s", "");
    const bool expands = bodies->expand != NULL;
    const json_value *all = recorded_entry(r->tree.root, "", "options", JSON_OBJECT, e);
    s->exact_conv = s->exact_conv || s->exact;
    s->exact_quant = s->exact_quant || s->exact;
    for (const json_value *v = all ? all->first : NULL; v && e->code == OC_OK; v = v->next) {
        const bool is_switch = strcmp(v->key, "standard") == 0 || strcmp(v->key, "newer") == 0;
        if (strcmp(v->key, "expand") == 0)
            take_bodies(v, bodies, &noted, e);
        else if (is_switch && v->kind != JSON_BOOL)
            tool_fail(e, OC_FORMAT, "options.%s is %s, expected true or false", v->key,
                      kind_names[v->kind]);
        else if (strcmp(v->key, "standard") == 0)
            bodies->standard = expands ? bodies->standard : v->number != 0;
        else if (strcmp(v->key, "newer") == 0)
            s->newer = s->newer || v->number != 0;
        else if (!take_session_option(v, s, &noted, e))
            tool_fail(e, OC_FORMAT, "options.%.60s: there is no such option that changes results",
                      v->key);
    }
    return noted;
}

/* ---- files ---- */

static recorded_file file_of(const recorded *r, const json_value *entry, const char *place,
                             oc_error *e)
{
    recorded_file f = {.entry = entry};
    const char *name = recorded_text(entry, place, "file", e);
    snprintf(f.place, sizeof f.place, "%s", place);
    if (name && !recorded_name_fits(name))
        tool_fail(e, OC_FORMAT,
                  "%s.file is '%.400s', expected the name of a file in the record's folder or "
                  "below it",
                  place, name);
    else if (name)
        f.path = recorded_path(r->folder, name);
    return f;
}

recorded_file recorded_model(const recorded *r, oc_error *e)
{
    const json_value *entry = recorded_entry(r->tree.root, "", "model", JSON_OBJECT, e);
    return entry ? file_of(r, entry, "model", e) : (recorded_file){0};
}

recorded_file recorded_function(const recorded *r, int i, oc_error *e)
{
    char place[32];
    const json_value *all = recorded_entry(r->tree.root, "", "functions", JSON_ARRAY, e);
    const json_value *entry = json_item(all, i);
    snprintf(place, sizeof place, "functions[%d]", i);
    return entry && e->code == OC_OK ? file_of(r, entry, place, e) : (recorded_file){0};
}

recorded_file recorded_external(const recorded *r, const char *location, oc_error *e)
{
    const json_value *all = recorded_entry(r->tree.root, "", "external", JSON_ARRAY, e);
    recorded_file f = {0};
    for (int i = 0; all && i < all->n && e->code == OC_OK; i++) {
        const json_value *entry = json_item(all, i);
        snprintf(f.place, sizeof f.place, "external[%d]", i);
        const char *name = recorded_text(entry, f.place, "file", e);
        if (name && strcmp(name, location) == 0) {
            f.entry = entry;
            f.path = tool_format("%s", name);
            return f;
        }
    }
    return f;
}

bool recorded_file_agrees(const recorded_file *f, const char *path, char *text, size_t size,
                          oc_error *e)
{
    const char *expected = recorded_sha256(f->entry, f->place, e);
    const file_digest d = file_sha256(path ? path : f->path, e);
    if (e->code != OC_OK || strcmp(d.sha256, expected) == 0)
        return e->code == OC_OK;
    snprintf(text, size, "%s is another file than the one recorded: sha256 %s, expected %s",
             path ? path : f->path, d.sha256, expected);
    return false;
}

void recorded_file_free(recorded_file *f)
{
    free(f->path);
    *f = (recorded_file){0};
}
