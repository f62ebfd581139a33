/* SPDX-License-Identifier: Apache-2.0
 * mapped.h - reports a mapped file that becomes shorter while it is read. */
#pragma once

#include "common/tool.h"

/* From now on, when this process reads bytes that a mapped file has lost, because another process
 * made it shorter, the process ends with a message that names the file, and with TOOL_INVALID. */
void tool_catch_short_files(void);
