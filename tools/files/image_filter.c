/* SPDX-License-Identifier: Apache-2.0
 * image_filter.c - the table of the filters with which pictures are resized. */
#include "files/image_filter.h"

#include "base/int.h"
#include "common/signals.h"

const image_filter image_filters[] = {
#define X(kind, name, function, variant) {function, variant},
    IMAGE_FILTERS(X)
#undef X
};

const char *const image_filter_names[] = {
#define X(kind, name, function, variant) name,
    IMAGE_FILTERS(X)
#undef X
        NULL,
};

const char *image_filter_told(int filter)
{
    return image_filter_names[oc_max(filter, (int)IMAGE_FILTER_ONNX_LINEAR)];
}

bool image_filter_is_cv2(int filter)
{
    return image_filters[filter].run == image_scale_cv2;
}

bool image_scaling_ends(const image_scaling *s, oc_error *e)
{
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "%s: cancelled", s->where);
    return e->code != OC_OK;
}
