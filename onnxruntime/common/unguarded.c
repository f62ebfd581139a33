/* SPDX-License-Identifier: Apache-2.0
 * unguarded.c - guard.inc in a build without a compiler for C++: an exception that leaves a
 * function of the program's ends the process. */
#include "common/element_type.h"
#include "common/guard.h"
#include "common/interface.h"

#define TRY
#define CATCH
#define DROP
#include "common/guard.inc"
