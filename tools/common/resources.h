/* SPDX-License-Identifier: Apache-2.0
 * resources.h - limits of this process, which cannot be raised again. */
#pragma once

#include <stddef.h>

/* Allows no core file, few open files, `memory` bytes more than now (SIZE_MAX: any number), and
 * `seconds` of processor time of all threads (0: any number). */
void resources_limit(size_t memory, double seconds);
