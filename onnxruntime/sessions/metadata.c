/* SPDX-License-Identifier: Apache-2.0
 * metadata.c - what a model's file says of itself. */
#include "common/functions.h"
#include "common/interface.h"
#include "common/memory.h"
#include "sessions/session.h"

struct OrtModelMetadata {
    OrtSession *session; /* held: it has the model */
    oc_model_info info;
};

OrtStatus *ort_SessionGetModelMetadata(const OrtSession *session, OrtModelMetadata **out)
{
    ORT_NEED(session && out);
    ORT_TRY(ort_new(sizeof **out, out));
    (*out)->session = ort_session_hold(session);
    (*out)->info = oc_model_describe(session->model);
    return NULL;
}

void ort_ReleaseModelMetadata(OrtModelMetadata *metadata)
{
    if (metadata)
        ort_ReleaseSession(metadata->session);
    free(metadata);
}

/* Defines a function that tells a text of the model. */
#define ORT_TEXT(function, member)                                                                 \
    OrtStatus *function(const OrtModelMetadata *metadata, OrtAllocator *allocator, char **out)     \
    {                                                                                              \
        if (!metadata || !out)                                                                     \
            return ort_missing(__func__, "metadata && out");                                       \
        return ort_allocate_text(allocator, metadata->info.member, out);                           \
    }
ORT_TEXT(ort_ModelMetadataGetProducerName, producer_name)
ORT_TEXT(ort_ModelMetadataGetGraphName, graph_name)
ORT_TEXT(ort_ModelMetadataGetDomain, domain)
ORT_TEXT(ort_ModelMetadataGetDescription, description)
ORT_TEXT(ort_ModelMetadataGetGraphDescription, graph_description)

/* A model without a version, which reads as 0, has the greatest. */
ORT_GETTER(ort_ModelMetadataGetVersion, OrtModelMetadata, metadata, int64_t,
           metadata->info.model_version ? metadata->info.model_version : INT64_MAX)

/* *out is NULL where there is no such key. */
OrtStatus *ort_ModelMetadataLookupCustomMetadataMap(const OrtModelMetadata *metadata,
                                                    OrtAllocator *allocator, const char *key,
                                                    char **out)
{
    ORT_NEED(metadata && key && out);
    const char *found, *value;
    *out = NULL;
    for (int i = 0; (found = oc_model_metadata(metadata->session->model, i, &value)); i++)
        if (strcmp(found, key) == 0)
            return ort_allocate_text(allocator, value, out);
    return NULL;
}

static const char *key_at(const void *model, size_t i)
{
    return oc_model_metadata(model, (int)i, NULL);
}

OrtStatus *ort_ModelMetadataGetCustomMetadataMapKeys(const OrtModelMetadata *metadata,
                                                     OrtAllocator *allocator, char ***out,
                                                     int64_t *n)
{
    ORT_NEED(metadata && out && n);
    const oc_model *model = metadata->session->model;
    int count = 0;
    while (oc_model_metadata(model, count, NULL))
        count++;
    *n = count;
    return ort_allocate_texts(allocator, key_at, model, (size_t)count, out);
}
