/* SPDX-License-Identifier: Apache-2.0
 * sized.c - reads and writes structs of a host that may be older or newer than the library. */
#include "runtime/sized.h"

#include "base/int.h"

#include <string.h>

oc_status oc_sized_read(void *own, size_t own_size, const char *name, const void *given,
                        size_t given_size, oc_error *e)
{
    const size_t shared = oc_min(given_size, own_size);
    memset(own, 0, own_size);
    if (!given)
        return OC_OK;
    if (given_size > OC_SIZED_MOST)
        return oc_error_set(e, OC_ARGUMENT, "%s of %zu bytes, expected at most %d", name,
                            given_size, OC_SIZED_MOST);
    memcpy(own, given, shared);
    for (size_t i = shared; i < given_size; i++)
        if (((const unsigned char *)given)[i])
            return oc_error_set(e, OC_ARGUMENT,
                                "%s has a field set that this library, version %s, does not know: "
                                "byte %zu is past the %zu that it reads",
                                name, oc_version(), i, own_size);
    return OC_OK;
}

bool oc_sized_is_item(size_t size)
{
    return size >= sizeof(void *) && size % sizeof(void *) == 0 && size <= OC_SIZED_MOST;
}

void oc_sized_write(void *given, size_t given_size, const void *own, size_t own_size)
{
    const size_t shared = oc_min(given_size, own_size);
    if (!given)
        return;
    memcpy(given, own, shared);
    memset((char *)given + shared, 0, given_size - shared);
}
