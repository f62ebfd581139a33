/* SPDX-License-Identifier: Apache-2.0
 * mapped_none.c - Windows lets nobody make a file shorter while it is mapped, and WASI maps none.
 */
#include "common/mapped.h"

void tool_catch_short_files(void) {}
