/* SPDX-License-Identifier: Apache-2.0
 * posix.h - what tests call of POSIX that wasi-libc does not have; every test is compiled with it.
 */
#pragma once

char *mkdtemp(char *pattern);
int mkstemp(char *pattern);
