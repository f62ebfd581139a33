/* SPDX-License-Identifier: Apache-2.0
 * text_width.h - how wide is a text on a terminal? */
#pragma once

#include <stddef.h>

/* Returns the code of the UTF-8 character of n bytes. */
unsigned text_code(const unsigned char *p, size_t n);
/* Returns how many columns the UTF-8 character of n bytes takes: 2 for East Asian characters and
 * pictures, 0 for accents that combine with the character before them, else 1. */
int text_width_of(const unsigned char *p, size_t n);
/* Returns how many columns a text takes in which what cannot be shown is written as \x1b. */
int text_width(const char *text);
