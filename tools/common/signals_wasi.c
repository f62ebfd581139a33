/* SPDX-License-Identifier: Apache-2.0
 * signals_wasi.c - a module gets no signals, and has no files that it would wait for. */
#include "common/signals.h"

#include "base/compiler.h"

void signals_wait(OC_UNUSED int file) {}

void signals_end(void) {}

void signals_catch(void) {}
