/* SPDX-License-Identifier: Apache-2.0
 * unguarded.c - guard.inc in a build without a compiler for C++: an exception that leaves a
 * function of the program's ends the process. */
#include "guard.h"
#include "interface.h"
#include "types.h"

#include <string.h>

#define TRY
#define CATCH
#define DROP
#include "guard.inc"
