/* SPDX-License-Identifier: Apache-2.0
 * poison.h - marks bytes of a block of memory that nobody may touch.
 *
 * In a build with the address sanitizer a touch of poisoned bytes is reported; in all others
 * these macros do nothing. */
#pragma once

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define OC_POISONS
#endif
#elif defined __SANITIZE_ADDRESS__
#define OC_POISONS
#endif

#ifdef OC_POISONS
#include <sanitizer/asan_interface.h>
#define OC_POISON(p, size)   ASAN_POISON_MEMORY_REGION(p, size)
#define OC_UNPOISON(p, size) ASAN_UNPOISON_MEMORY_REGION(p, size)
#else
#define OC_POISON(p, size)   ((void)(p), (void)(size))
#define OC_UNPOISON(p, size) ((void)(p), (void)(size))
#endif
