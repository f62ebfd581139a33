/* SPDX-License-Identifier: Apache-2.0
 * streaming_store.h - writes an output past the caches.
 *
 * An ordinary write first reads the cache line that it replaces, and evicts another line.
 * Writing past the caches avoids both; it gains only where the output is larger than the caches. */
#pragma once

#include <stdint.h>
#include <string.h>

/* OC_STREAMS: does the processor have such writes? Without them, results that wait in a buffer to
 * be streamed would only be copied once more. */
#ifndef __SSE2__
enum { OC_STREAMS = 0 };
#else
#include <emmintrin.h>

enum { OC_STREAMS = 1 };

/* Writes a cache line at once. A line that is written in two steps with other work between them
 * leaves the processor in two halves. */
static inline void oc_stream_line(void *to_, const void *from_)
{
    __m128i *to = to_;
    const __m128i *from = from_;
    const __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1);
    const __m128i c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
    _mm_stream_si128(to, a);
    _mm_stream_si128(to + 1, b);
    _mm_stream_si128(to + 2, c);
    _mm_stream_si128(to + 3, d);
}
#endif

/* As memcpy. A task that has streamed must call oc_stream_end before it returns. */
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
            oc_stream_line(to + i, from + i);
        memcpy(to + i, from + i, size - i);
        return;
    }
#endif
    memcpy(to_, from_, size);
}

/* Makes streamed bytes visible to other threads. */
static inline void oc_stream_end(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}
