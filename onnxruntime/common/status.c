/* SPDX-License-Identifier: Apache-2.0
 * status.c - makes and reads statuses, and the memory that calls need. */
#include "common/status.h"

#include "common/interface.h"

#include <stdarg.h>

struct OrtStatus {
    OrtErrorCode code;
    char text[];
};

/* The status that tells of missing memory is static, and is never freed. */
static const struct {
    OrtErrorCode code;
    char text[16];
} no_memory = {ORT_FAIL, "out of memory"};

static OrtStatus *out_of_memory(void)
{
    return (OrtStatus *)(uintptr_t)&no_memory;
}

OrtStatus *ort_CreateStatus(OrtErrorCode code, const char *text)
{
    const size_t size = strlen(text ? text : "") + 1;
    OrtStatus *status = malloc(sizeof *status + size);
    if (!status)
        return out_of_memory();
    status->code = code;
    memcpy(status->text, text ? text : "", size);
    return status;
}

OrtErrorCode ort_GetErrorCode(const OrtStatus *status)
{
    return status ? status->code : ORT_OK;
}

const char *ort_GetErrorMessage(const OrtStatus *status)
{
    return status ? status->text : "";
}

void ort_ReleaseStatus(OrtStatus *status)
{
    if (status != out_of_memory())
        free(status);
}

OrtStatus *ort_fail(OrtErrorCode code, const char *format, ...)
{
    char text[1200];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return ort_CreateStatus(code, text);
}

OrtStatus *ort_no_memory(size_t size)
{
    return ort_fail(ORT_FAIL, "out of memory: %zu bytes are not to be had", size);
}

OrtStatus *ort_missing(const char *function, const char *needed)
{
    static const char prefix[] = "ort_";
    return ort_fail(ORT_INVALID_ARGUMENT, "%s: an argument is NULL, expected %s",
                    function + sizeof prefix - 1, needed);
}

OrtStatus *ort_from_error(const oc_error *e)
{
    static const OrtErrorCode code[OC_N_STATUS] = {
        [OC_ARGUMENT] = ORT_INVALID_ARGUMENT,
        [OC_IO] = ORT_NO_SUCHFILE,
        [OC_FORMAT] = ORT_INVALID_PROTOBUF,
        [OC_MODEL] = ORT_INVALID_GRAPH,
        [OC_TYPE] = ORT_INVALID_ARGUMENT,
        [OC_SHAPE] = ORT_INVALID_ARGUMENT,
        [OC_VALUE] = ORT_INVALID_ARGUMENT,
        [OC_UNSUPPORTED] = ORT_NOT_IMPLEMENTED,
        [OC_LIMIT] = ORT_RUNTIME_EXCEPTION,
        [OC_NOMEM] = ORT_RUNTIME_EXCEPTION,
        [OC_DEADLINE] = ORT_FAIL,
        [OC_CANCELLED] = ORT_FAIL,
    };
    if (e->code == OC_OK)
        return NULL;
    const bool known = (unsigned)e->code < OC_N_STATUS && code[e->code] != ORT_OK;
    return ort_CreateStatus(known ? code[e->code] : ORT_FAIL, e->text);
}

OrtStatus *ort_new(size_t size, void *block)
{
    void *made = calloc(1, size ? size : 1);
    memcpy(block, &made, sizeof made);
    return made ? NULL : ort_no_memory(size);
}

OrtStatus *ort_copy_text(const char *text, char **copy)
{
    *copy = NULL;
    if (!text)
        return NULL;
    const size_t size = strlen(text) + 1;
    ORT_TRY(ort_new(size, copy));
    memcpy(*copy, text, size);
    return NULL;
}

OrtStatus *ort_set_text(char **text, const char *by)
{
    char *copy;
    ORT_TRY(ort_copy_text(by, &copy));
    free(*text);
    *text = copy;
    return NULL;
}

OrtStatus *ort_grow(void *array, size_t n, size_t item)
{
    void *block;
    memcpy(&block, array, sizeof block);
    if (n & (n - 1)) /* arrays have room for a power of two */
        return NULL;
    const size_t size = (n ? 2 * n : 1) * item;
    block = realloc(block, size);
    if (!block)
        return ort_no_memory(size);
    memcpy(array, &block, sizeof block);
    return NULL;
}
