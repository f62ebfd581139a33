/* SPDX-License-Identifier: Apache-2.0
 * mapped.h - what is told when a mapped file becomes shorter while it is read? */
#ifndef TOOLS_COMMON_MAPPED_H
#define TOOLS_COMMON_MAPPED_H

#include "common/tool.h"

/* After it, reading what a mapped file no longer has, because another process made it shorter, ends
 * this one with a message that names the file, and TOOL_INVALID. */
void tool_catch_short_files(void);

#endif
