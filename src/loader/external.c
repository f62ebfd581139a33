/* SPDX-License-Identifier: Apache-2.0
 * external.c - reads elements from files in the model's folder, and from nowhere else.
 *
 * A location is opened one component after another, from the model's folder down. If a component
 * is a link, its target must lie below the folder of the real model file (the one that the
 * model's path leads to), and is opened by its real path from that folder down, in which no
 * component may be a link. The file must be regular and must have only one name (hard link),
 * because another name could lie outside the folder. */
#include "loader/loader.h"
#include "loader/file_bytes.h"

#include <errno.h>

static oc_status refuse(const char *location, const char *why, oc_error *e)
{
    return oc_error_set(e, OC_IO, "external data '%s': %s", location, why);
}

/* ---- the keys ---- */

static oc_status parse_number(const char *key, const char *text, int64_t *value, oc_error *e)
{
    int64_t v = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && v < INT64_MAX / 10 - 1; at++)
        v = v * 10 + (*at - '0');
    if (at == text || *at)
        return oc_error_set(e, OC_FORMAT, "external %s is '%s', expected a number >= 0", key, text);
    *value = v;
    return OC_OK;
}

oc_status oc_external_entry(oc_external_place *p, const char *key, const char *value, oc_error *e)
{
    /* The keys that ONNX defines. Other keys, which engines add for themselves, are ignored. */
    enum { LOCATION, OFFSET, LENGTH, CHECKSUM, N_KEYS };
    static const char *const name[N_KEYS] = {"location", "offset", "length", "checksum"};
    int k = 0;
    while (k < N_KEYS && strcmp(key, name[k]) != 0)
        k++;
    if (k == N_KEYS)
        return OC_OK;
    if (p->given & 1u << k)
        return oc_error_set(e, OC_FORMAT, "external %s is given twice", key);
    p->given |= 1u << k;
    if (k == LOCATION)
        p->location = value;
    return k == OFFSET   ? parse_number(key, value, &p->offset, e)
           : k == LENGTH ? parse_number(key, value, &p->length, e)
                         : OC_OK;
}

/* ---- the way down ---- */

static oc_status check_location(const char *location, oc_error *e)
{
    if (!*location)
        return refuse(location, "the location is empty", e);
    if (*location == '/')
        return refuse(location, "absolute paths are refused", e);
    for (const char *at = location; at;) {
        const oc_disk_part part = oc_disk_take_part(&at);
        if (part.size == 2 && memcmp(part.name, "..", 2) == 0)
            return refuse(location, "'..' is refused", e);
        const char *why = oc_disk_refuses(part.name, part.size);
        if (why)
            return refuse(location, why, e);
    }
    return OC_OK;
}

/* Opens a location in which a component is a link. EXDEV: the target is not below the folder of
 * the real model file. */
static oc_disk_file open_linked(const oc_model *m, const char *folder, const char *location)
{
    char named[2 * OC_DISK_PATH], real[OC_DISK_PATH], target[OC_DISK_PATH];
    const int n = m->folder ? snprintf(named, sizeof named, "%s", m->path)
                            : snprintf(named, sizeof named, "%s/.", folder);
    if (n >= (int)sizeof named) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (!oc_disk_real_path(named, real))
        return -1;
    if (!m->folder && strlen(real) < sizeof real - 1)
        strcat(real, "/");
    const size_t size = oc_disk_folder_size(real);
    if (snprintf(named, sizeof named, "%s/%s", folder, location) >= (int)sizeof named) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (!oc_disk_real_path(named, target))
        return -1;
    errno = EXDEV;
    if (size == 0 || strncmp(real, target, size) != 0)
        return -1;
    real[size] = 0;
    return oc_disk_open_below(real, target + size);
}

static oc_disk_file open_location(const oc_model *m, const char *folder, const char *location)
{
    const oc_disk_file file = oc_disk_open_below(folder, location);
    /* For O_DIRECTORY on a link some systems report ENOTDIR. */
    return file < 0 && (errno == ELOOP || errno == ENOTDIR) ? open_linked(m, folder, location)
                                                            : file;
}

/* ---- mapping ---- */

typedef struct found {
    const char *bytes;
    size_t size;
} found;

/* The data found so far. A location has many spellings ("w", "./w"), so there are also entries
 * by device and file number: a file is mapped once. */
typedef struct oc_externals {
    oc_names names;
    oc_name_map index; /* maps locations and files to indices in item */
    found *item;
    int n;
} oc_externals;

static oc_status get_externals(oc_model *m, oc_externals **x, oc_error *e)
{
    if (!m->external) {
        m->external = oc_arena_alloc(&m->arena, sizeof *m->external);
        OC_TRY(oc_arena_check(&m->arena, e));
        m->external->names = oc_names_new(&m->arena);
        m->external->index = oc_name_map_new(&m->arena);
    }
    *x = m->external;
    return OC_OK;
}

static const found *find(const oc_externals *x, const char *key)
{
    const oc_name name = oc_names_find(&x->names, key, strlen(key));
    const int at = name ? oc_name_map_get(&x->index, name) : -1;
    return at < 0 ? NULL : &x->item[at];
}

static oc_status keep_found(oc_model *m, oc_externals *x, const char *key, const found *what,
                            oc_error *e)
{
    const oc_name name = oc_names_intern(&x->names, key, strlen(key));
    const int at = x->n;
    found *last = OC_PUSH(&m->arena, x->item, x->n);
    if (!name || !last || !oc_name_map_put(&x->index, name, at))
        return oc_arena_check(&m->arena, e);
    *last = *what;
    return OC_OK;
}

/* Maps a file; one that cannot be mapped is read. */
static oc_status map_file(oc_model *m, const char *location, oc_disk_file file,
                          const oc_disk_info *info, found *out, oc_error *e)
{
    const void *bytes = NULL;
    if (!info->is_regular)
        return refuse(location, "it is not a regular file", e);
    if (info->links > 1)
        return refuse(location, "it has hard links, which may lie outside the model's folder", e);
    oc_error large = {.code = OC_OK};
    if (oc_bytes_fit(info->size, &large) != OC_OK)
        return oc_error_set(e, large.code, "external data '%s': %s", location, large.text);
    *out = (found){"", (size_t)info->size};
    if (out->size == 0)
        return OC_OK;
    if (!m->options.no_map)
        OC_TRY(oc_map_file(m, file, out->size, &bytes, e));
    if (!bytes)
        OC_TRY(oc_read_open_file(m, file, out->size, &bytes, &out->size, e));
    out->bytes = bytes;
    return OC_OK;
}

static oc_status map_once(oc_model *m, oc_externals *x, const char *location, oc_disk_file file,
                          found *out, oc_error *e)
{
    oc_disk_info info;
    char key[64]; /* begins with a slash, as no location does, because absolute paths are refused */
    if (!oc_disk_describe(file, &info))
        return refuse(location, strerror(errno), e);
    snprintf(key, sizeof key, "/%" PRIu64 "/%" PRIu64, info.device, info.number);
    const found *before = find(x, key);
    if (before) {
        *out = *before;
        return OC_OK;
    }
    OC_TRY(map_file(m, location, file, &info, out, e));
    return keep_found(m, x, key, out, e);
}

static oc_status open_and_map(oc_model *m, oc_externals *x, const char *location, found *out,
                              oc_error *e)
{
    const void *bytes = "";
    *out = (found){"", 0};
    if (m->options.external &&
        m->options.external(m->options.external_ctx, location, &bytes, &out->size)) {
        out->bytes = bytes;
        return bytes ? OC_OK : refuse(location, "the host gave no bytes", e);
    }
    if (m->options.external && !m->folder)
        return refuse(location, "the host refused it", e);
    const char *folder = m->folder ? m->folder : m->options.external_dir;
    if (!folder)
        return refuse(location, "it is refused for a model that comes from no folder", e);
    OC_TRY(check_location(location, e));
    const oc_disk_file file = open_location(m, folder, location);
    if (file < 0)
        return refuse(location,
                      errno == EXDEV ? "a link leads out of the folder of the model file"
                                     : strerror(errno),
                      e);
    const oc_status status = map_once(m, x, location, file, out, e);
    oc_disk_close(file);
    return status;
}

static oc_status find_or_open(oc_model *m, const char *location, found *out, oc_error *e)
{
    oc_externals *x;
    OC_TRY(get_externals(m, &x, e));
    const found *before = find(x, location);
    if (before) {
        *out = *before;
        return OC_OK;
    }
    OC_TRY(open_and_map(m, x, location, out, e));
    return keep_found(m, x, location, out, e);
}

oc_status oc_external_data(oc_model *m, const char *location, int64_t offset, int64_t length,
                           const void **bytes, size_t *size, oc_error *e)
{
    found all;
    OC_TRY(find_or_open(m, location, &all, e));
    if (offset < 0 || (uint64_t)offset > all.size)
        return refuse(location, "the offset lies past the end of the file", e);
    const size_t left = all.size - (size_t)offset;
    if (length >= 0 && (uint64_t)length > left)
        return refuse(location, "offset and length reach past the end of the file", e);
    *bytes = all.bytes + offset;
    *size = length < 0 ? left : (size_t)length;
    return OC_OK;
}

oc_status oc_external_lost(oc_model *m, const char *name, const oc_error *why, oc_error *e)
{
    if (!m->why_lost)
        m->why_lost = oc_arena_printf(&m->arena, "%s%s%s%s", *name ? "'" : "", name,
                                      *name ? "': " : "", why->text);
    return oc_arena_check(&m->arena, e);
}
