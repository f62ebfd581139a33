/* SPDX-License-Identifier: Apache-2.0
 * nearest.h - which known word did a person mean who typed another one? */
#pragma once

/* Start with {.text = what was typed} and try each known word; words must outlive it. */
typedef struct nearest {
    const char *text, *best; /* best NULL: no word is near */
    int distance;            /* distance of `best` */
} nearest;

/* A word is near when few letters have to be added, left out, changed or swapped with the next,
 * or when the text is its beginning. */
void nearest_try(nearest *n, const char *word);

enum { NEAREST_TEXT = 96 };
/* Writes "; did you mean 'WORD'?" into text, or "" when no word is near or the text is
 * that word, and returns text. */
const char *nearest_hint(const nearest *n, char text[NEAREST_TEXT]);
