/* SPDX-License-Identifier: Apache-2.0
 * words.h - lists of words in a text, with one character between. */
#pragma once

#include "common/tool.h"

/* Returns what follows the next separator; NULL when there is none. */
static inline const char *words_next(const char *at, char separator)
{
    const char *found = strchr(at, separator);
    return found ? found + 1 : NULL;
}

/* Is the word of size bytes one of the words? */
static inline bool words_have(const char *words, char separator, const char *word, size_t size)
{
    for (const char *at = words; at; at = words_next(at, separator)) {
        const char *end = strchr(at, separator);
        const size_t n = end ? (size_t)(end - at) : strlen(at);
        if (n == size && memcmp(at, word, size) == 0)
            return true;
    }
    return false;
}
