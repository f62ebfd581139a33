/* SPDX-License-Identifier: Apache-2.0
 * pairs.c - keys and their values. */
#include "common/pairs.h"

#include "common/interface.h"

/* Returns the place of a key in the list, or n where the list does not have it. */
static size_t find(const OrtKeyValuePairs *pairs, const char *key)
{
    size_t i = 0;
    while (i < pairs->n && strcmp(pairs->key[i], key) != 0)
        i++;
    return i;
}

OrtStatus *ort_pairs_set(OrtKeyValuePairs *pairs, const char *key, const char *value)
{
    const size_t i = find(pairs, key);
    if (i < pairs->n)
        return ort_set_text(&pairs->value[i], value);
    ORT_TRY(ort_grow(&pairs->key, i, sizeof *pairs->key));
    ORT_TRY(ort_grow(&pairs->value, i, sizeof *pairs->value));
    ORT_TRY(ort_copy_text(key, &pairs->key[i]));
    OrtStatus *status = ort_copy_text(value, &pairs->value[i]);
    if (status)
        free(pairs->key[i]);
    else
        pairs->n++;
    return status;
}

const char *ort_pairs_get(const OrtKeyValuePairs *pairs, const char *key)
{
    const size_t i = find(pairs, key);
    return i < pairs->n ? pairs->value[i] : NULL;
}

OrtStatus *ort_pairs_copy(const OrtKeyValuePairs *from, OrtKeyValuePairs *to)
{
    for (size_t i = 0; i < from->n; i++)
        ORT_TRY(ort_pairs_set(to, from->key[i], from->value[i]));
    return NULL;
}

void ort_pairs_clear(OrtKeyValuePairs *pairs)
{
    for (size_t i = 0; i < pairs->n; i++) {
        free(pairs->key[i]);
        free(pairs->value[i]);
    }
    free(pairs->key);
    free(pairs->value);
    *pairs = (OrtKeyValuePairs){0};
}

void ort_CreateKeyValuePairs(OrtKeyValuePairs **out)
{
    if (out)
        *out = calloc(1, sizeof **out);
}

/* The function returns no status: where memory lacks, no pair is added. */
void ort_AddKeyValuePair(OrtKeyValuePairs *pairs, const char *key, const char *value)
{
    if (pairs && key && value && *key)
        ort_ReleaseStatus(ort_pairs_set(pairs, key, value));
}

const char *ort_GetKeyValue(const OrtKeyValuePairs *pairs, const char *key)
{
    return pairs && key ? ort_pairs_get(pairs, key) : NULL;
}

void ort_GetKeyValuePairs(const OrtKeyValuePairs *pairs, const char *const **keys,
                          const char *const **values, size_t *n)
{
    if (keys)
        *keys = pairs ? (const char *const *)pairs->key : NULL;
    if (values)
        *values = pairs ? (const char *const *)pairs->value : NULL;
    if (n)
        *n = pairs ? pairs->n : 0;
}

void ort_RemoveKeyValuePair(OrtKeyValuePairs *pairs, const char *key)
{
    const size_t i = pairs && key ? find(pairs, key) : 0;
    if (!pairs || !key || i == pairs->n)
        return;
    free(pairs->key[i]);
    free(pairs->value[i]);
    pairs->n--;
    for (size_t k = i; k < pairs->n; k++) {
        pairs->key[k] = pairs->key[k + 1];
        pairs->value[k] = pairs->value[k + 1];
    }
}

void ort_ReleaseKeyValuePairs(OrtKeyValuePairs *pairs)
{
    if (pairs)
        ort_pairs_clear(pairs);
    free(pairs);
}
