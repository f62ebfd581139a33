/* SPDX-License-Identifier: Apache-2.0
 * metadata.c - what a model's file says of itself. */
#include "interface.h"
#include "memory.h"
#include "session.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct OrtModelMetadata {
    OrtSession *session; /* held: it has the model */
    oc_model_info info;
};

OrtStatus *ort_SessionGetModelMetadata(const OrtSession *session, OrtModelMetadata **out)
{
    ORT_TRY(ort_new(sizeof **out, out));
    (*out)->session = ort_session_hold(session);
    (*out)->info = oc_model_describe(session->model);
    return NULL;
}

void ort_ReleaseModelMetadata(OrtModelMetadata *metadata)
{
    if (metadata)
        ort_session_drop(metadata->session);
    free(metadata);
}

OrtStatus *ort_ModelMetadataGetProducerName(const OrtModelMetadata *metadata,
                                            OrtAllocator *allocator, char **out)
{
    return ort_allocate_text(allocator, metadata->info.producer_name, out);
}

OrtStatus *ort_ModelMetadataGetGraphName(const OrtModelMetadata *metadata, OrtAllocator *allocator,
                                         char **out)
{
    return ort_allocate_text(allocator, metadata->info.graph_name, out);
}

OrtStatus *ort_ModelMetadataGetDomain(const OrtModelMetadata *metadata, OrtAllocator *allocator,
                                      char **out)
{
    return ort_allocate_text(allocator, metadata->info.domain, out);
}

OrtStatus *ort_ModelMetadataGetDescription(const OrtModelMetadata *metadata,
                                           OrtAllocator *allocator, char **out)
{
    return ort_allocate_text(allocator, metadata->info.description, out);
}

OrtStatus *ort_ModelMetadataGetGraphDescription(const OrtModelMetadata *metadata,
                                                OrtAllocator *allocator, char **out)
{
    return ort_allocate_text(allocator, metadata->info.graph_description, out);
}

/* A model without a version, which reads as 0, has the greatest. */
OrtStatus *ort_ModelMetadataGetVersion(const OrtModelMetadata *metadata, int64_t *out)
{
    *out = metadata->info.model_version ? metadata->info.model_version : INT64_MAX;
    return NULL;
}

/* *out is NULL where there is no such key. */
OrtStatus *ort_ModelMetadataLookupCustomMetadataMap(const OrtModelMetadata *metadata,
                                                    OrtAllocator *allocator, const char *key,
                                                    char **out)
{
    const char *found, *value;
    *out = NULL;
    for (int i = 0; (found = oc_model_metadata(metadata->session->model, i, &value)); i++)
        if (strcmp(found, key) == 0)
            return ort_allocate_text(allocator, value, out);
    return NULL;
}

static OrtStatus *list_keys(const oc_model *model, OrtAllocator *allocator, char **key, int n)
{
    for (int i = 0; i < n; i++) {
        OrtStatus *status =
            ort_allocate_text(allocator, oc_model_metadata(model, i, NULL), &key[i]);
        if (!status)
            continue;
        while (i > 0)
            ort_AllocatorFree(allocator, key[--i]);
        return status;
    }
    return NULL;
}

OrtStatus *ort_ModelMetadataGetCustomMetadataMapKeys(const OrtModelMetadata *metadata,
                                                     OrtAllocator *allocator, char ***out,
                                                     int64_t *n)
{
    const oc_model *model = metadata->session->model;
    int count = 0;
    *out = NULL;
    while (oc_model_metadata(model, count, NULL))
        count++;
    *n = count;
    if (!count)
        return NULL;
    ORT_TRY(ort_allocate(allocator, (size_t)count * sizeof **out, out));
    OrtStatus *status = list_keys(model, allocator, *out, count);
    if (status)
        ort_AllocatorFree(allocator, *out);
    return status;
}
