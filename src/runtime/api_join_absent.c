/* SPDX-License-Identifier: Apache-2.0
 * api_join_absent.c - oc_model_join in a library that is built without it. */
#include "base/status.h"

#include <ocellus_model.h>

oc_model *oc_model_join(OC_UNUSED const oc_model *first, OC_UNUSED const oc_model *second,
                        OC_UNUSED const oc_link *links, OC_UNUSED int n_links,
                        OC_UNUSED const char *prefix, oc_error *e)
{
    if (oc_error_is_clear(e))
        oc_error_set(e, OC_UNSUPPORTED, "this library is built without oc_model_join");
    return NULL;
}
