/* SPDX-License-Identifier: Apache-2.0
 * library.c - the case files that are built in: functions/NAME.check. */
#include "check/library.h"

#include "check/case_file.h"
#include "check/validate.h"

#include <zlib.h>

#include "cases.def"

typedef struct entry {
    const char *op;
    char *text, *path;
    bool begun, ended; /* begun: the file's reading has begun; ended: it has ended */
    oc_error error;    /* what is wrong in the file */
    check_family family;
} entry;

struct check_library {
    char *texts; /* for each operator its name and its file, each followed by a zero */
    /* one more than there are files, because a build with few operators may have none */
    entry item[N_CASE_FILES + 1];
};

check_library *check_library_new(void)
{
    check_library *l = tool_alloc(1, sizeof *l);
    uLongf size = CASE_FILES_SIZE;
    l->texts = tool_alloc(CASE_FILES_SIZE, 1);
    uncompress((Bytef *)l->texts, &size, case_files_z, sizeof case_files_z);
    char *p = l->texts;
    for (int i = 0; i < N_CASE_FILES; i++) {
        l->item[i].op = p;
        l->item[i].text = p += strlen(p) + 1;
        p += strlen(p) + 1;
    }
    return l;
}

void check_library_free(check_library *l)
{
    for (int i = 0; l && i < N_CASE_FILES; i++) {
        check_spec_free(&l->item[i].family.spec);
        free(l->item[i].path);
    }
    if (l)
        free(l->texts);
    free(l);
}

const char *check_library_op(const check_library *l, int i)
{
    return i < N_CASE_FILES ? l->item[i].op : NULL;
}

/* Returns the entry of an operator, given without its domain; NULL when there is none. */
static const entry *find_entry(const check_library *l, const char *op)
{
    const char *colons = strstr(op, "::"), *name = colons ? colons + 2 : op;
    for (int i = 0; i < N_CASE_FILES; i++)
        if (strcmp(l->item[i].op, name) == 0)
            return &l->item[i];
    return NULL;
}

bool check_library_has(const check_library *l, const char *op)
{
    return find_entry(l, op) != NULL;
}

static const check_family *find_other(void *ctx, const char *op, oc_error *e)
{
    return check_library_find(ctx, op, e);
}

static void read_entry(check_library *l, entry *it)
{
    it->begun = true;
    it->path = tool_format("functions/%s.check", it->op);
    const check_source source = {
        .path = it->path, .op = it->op, .text = it->text, .find = find_other, .ctx = l};
    check_read_file(&source, &it->family, &it->error);
    if (it->error.code == OC_OK)
        check_validate(&it->family, &it->error);
    it->ended = true;
}

const check_family *check_library_find(check_library *l, const char *op, oc_error *e)
{
    const entry *found = find_entry(l, op);
    if (!found || e->code != OC_OK)
        return NULL;
    entry *it = &l->item[found - l->item];
    if (!it->begun)
        read_entry(l, it);
    if (!it->ended)
        tool_fail(e, OC_FORMAT, "%s takes lines of itself", it->path);
    else if (it->error.code != OC_OK)
        *e = it->error;
    if (e->code != OC_OK)
        return NULL;
    const char *colons = strstr(op, "::");
    const char *domain = it->family.spec.domain ? it->family.spec.domain : "ai.onnx";
    const size_t size = colons ? (size_t)(colons - op) : 0;
    return !colons || (strlen(domain) == size && memcmp(domain, op, size) == 0) ? &it->family
                                                                                : NULL;
}
