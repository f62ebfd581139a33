/* SPDX-License-Identifier: Apache-2.0
 * stream.h - how is an output written past the caches?
 *
 * An ordinary write first reads the cache line that it replaces, and evicts another line. Writing
 * past the caches avoids both; it gains only where the output is larger than the caches. */
#ifndef OC_KERNELS_COMMON_STREAM_H
#define OC_KERNELS_COMMON_STREAM_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* As memcpy. A task that has streamed calls oc_stream_end before it returns. */
static inline void oc_stream(void *to_, const void *from_, size_t size)
{
#ifdef __SSE2__
    char *to = to_;
    const char *from = from_;
    const size_t line = 64, ragged = (line - (uintptr_t)to % line) % line;
    if (size >= ragged + line) {
        memcpy(to, from, ragged);
        size_t i = ragged;
        for (; i + line <= size; i += line)
            for (size_t k = i; k < i + line; k += sizeof(__m128i))
                _mm_stream_si128((__m128i *)(void *)(to + k),
                                 _mm_loadu_si128((const __m128i *)(const void *)(from + k)));
        memcpy(to + i, from + i, size - i);
        return;
    }
#endif
    memcpy(to_, from_, size);
}

/* Lets other threads see what was streamed. */
static inline void oc_stream_end(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

#endif
