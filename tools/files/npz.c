/* SPDX-License-Identifier: Apache-2.0
 * npz.c - reads and writes NumPy's .npz files: named tensors in one zip archive. */
#include "files/npz.h"

#include "common/signals.h"
#include "files/npy.h"

static void read_member(npz_file *f, const zip_archive *z, int i, oc_error *e)
{
    io_bytes bytes;
    const char *name = z->member[i].name;
    zip_read(z, i, &bytes, e);
    char *where = tool_format("%s: %s", z->where, name);
    oc_value *v = npy_read(bytes.data, bytes.size, where, e);
    free(where);
    io_bytes_free(&bytes);
    if (!v)
        return;
    const size_t size = strlen(name) - (io_ends_with(name, ".npy") ? 4 : 0);
    f->item[f->n++] = (npz_item){tool_format("%.*s", (int)size, name), v};
}

void npz_read(npz_file *f, const void *bytes, size_t size, size_t cap, const char *where,
              oc_error *e)
{
    zip_archive z;
    *f = (npz_file){0};
    zip_open(&z, bytes, size, cap, where, e);
    f->item = tool_alloc((size_t)z.n, sizeof *f->item);
    for (int i = 0; i < z.n && e->code == OC_OK; i++)
        read_member(f, &z, i, e);
    zip_close(&z);
    if (e->code != OC_OK)
        npz_free(f);
}

void npz_free(npz_file *f)
{
    for (int i = 0; i < f->n; i++) {
        free(f->item[i].name);
        oc_value_free(f->item[i].value);
    }
    free(f->item);
    *f = (npz_file){0};
}

/* Is it one or more names with '/' between them, none of them empty, "." or ".."? A backslash
 * counts as '/' on some systems, and "c:" begins a drive. */
static bool stays_below(const char *name)
{
    if (name[0] && name[1] == ':')
        return false;
    for (;; name++) {
        const size_t size = strcspn(name, "/");
        if (size == 0 || strncmp(name, "..", size) == 0)
            return false;
        for (size_t i = 0; i < size; i++)
            if ((unsigned char)name[i] < ' ' || name[i] == 0x7f || name[i] == '\\')
                return false;
        name += size;
        if (!*name)
            return true;
    }
}

char *npz_safe_name(const char *name)
{
    return stays_below(name) ? tool_format("%s", name) : io_safe_name(name);
}

void npz_add(zip_writer *z, const char *name, const oc_value *tensor, oc_error *e)
{
    io_bytes bytes = {0};
    const oc_writer out = io_bytes_writer(&bytes);
    npy_write(tensor, &out, e);
    if (e->code == OC_IO && signals_cancelled(NULL)) {
        *e = (oc_error){0};
        tool_fail(e, OC_CANCELLED, "member '%s': cancelled", name);
    }
    char *member = tool_format("%s.npy", name);
    zip_add(z, member, bytes.data, bytes.size, e);
    free(member);
    io_bytes_free(&bytes);
}
