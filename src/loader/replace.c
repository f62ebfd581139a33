/* SPDX-License-Identifier: Apache-2.0
 * replace.c - writes a file so that it is complete or absent. */
#include "loader/replace.h"

#include "base/status.h"

#include <errno.h>

static bool put(void *ctx, const void *bytes, size_t size)
{
    oc_replacement *r = ctx;
    errno = EIO;
    if (fwrite(bytes, 1, size, r->stream) != size)
        r->failure = errno;
    return !r->failure;
}

static oc_status fail(const oc_replacement *r, int reason, oc_error *e)
{
    *e = (oc_error){.code = OC_OK};
    return oc_error_set(e, OC_IO, "%s: it cannot be written: %s", r->path, strerror(reason));
}

oc_status oc_replace_begin(oc_replacement *r, const char *path, oc_writer *out, oc_error *e)
{
    const bool special = oc_disk_is_special(path);
    r->failure = 0;
    r->temp[0] = 0;
    if (special || !oc_disk_real_path(path, r->path))
        snprintf(r->path, sizeof r->path, "%s", path); /* longer paths cannot be opened */
    if (special)
        r->stream = oc_disk_create(path, false);
    for (int i = 0; !special && i < 100; i++) {
        snprintf(r->temp, sizeof r->temp, "%s.%d.part", r->path, i);
        r->stream = oc_disk_create(r->temp, true);
        if (r->stream || errno != EEXIST)
            break;
    }
    *out = (oc_writer){put, r};
    return r->stream ? OC_OK : fail(r, errno, e);
}

oc_status oc_replace_end(oc_replacement *r, oc_error *e)
{
    errno = EIO;
    if (fclose(r->stream) != 0 && !r->failure)
        r->failure = errno;
    if (r->temp[0] && e->code == OC_OK && !r->failure && !oc_disk_replace(r->temp, r->path))
        r->failure = errno;
    /* the writer cannot tell why it failed */
    if (r->failure && (e->code == OC_OK || e->code == OC_IO))
        fail(r, r->failure, e);
    if (r->temp[0] && e->code != OC_OK)
        oc_disk_remove(r->temp);
    return e->code;
}
