/* SPDX-License-Identifier: Apache-2.0
 * providers.c - what runs models: processors. */
#include "interface.h"
#include "memory.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

static const char cpu[] = "CPUExecutionProvider";

OrtStatus *ort_GetAvailableProviders(char ***out, int *n)
{
    ORT_TRY(ort_new(sizeof **out, out));
    *n = 1;
    return ort_copy_text(cpu, &(*out)[0]);
}

OrtStatus *ort_ReleaseAvailableProviders(char **name, int n)
{
    for (int i = 0; name && i < n; i++)
        free(name[i]);
    free(name);
    return NULL;
}

/* Options of a provider say how it is to be fast. */
OrtStatus *ort_SessionOptionsAppendExecutionProvider(OrtSessionOptions *options, const char *name,
                                                     const char *const *key,
                                                     const char *const *value, size_t n)
{
    (void)options;
    (void)key;
    (void)value;
    (void)n;
    ORT_EXPECT(name && (strcmp(name, "CPU") == 0 || strcmp(name, cpu) == 0),
               "execution provider '%s' is not there: Ocellus runs on the processor (%s)",
               name ? name : "NULL", cpu);
    return NULL;
}
