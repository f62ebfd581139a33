/* SPDX-License-Identifier: Apache-2.0
 * mapping.c - maps files, and returns pages that nobody will read soon to the system. */
#include "loader/file_bytes.h"

#include "graph/build.h"

oc_status oc_map_file(oc_model *m, oc_disk_file file, size_t size, const void **bytes, oc_error *e)
{
    void *p = oc_disk_map(file, size);
    *bytes = NULL;
    if (!p)
        return OC_OK;
    oc_status status = oc_model_on_free(m, oc_disk_unmap, p, size, e);
    if (status != OC_OK)
        oc_disk_unmap(p, size);
    else
        status = oc_model_may_leave(m, p, size, oc_disk_leave, e);
    *bytes = p;
    return status;
}
