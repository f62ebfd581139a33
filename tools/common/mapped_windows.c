/* SPDX-License-Identifier: Apache-2.0
 * mapped_windows.c - Windows lets nobody make a file shorter while it is mapped. */
#include "common/mapped.h"

void tool_catch_short_files(void) {}
