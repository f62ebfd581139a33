/* SPDX-License-Identifier: Apache-2.0
 * nearest.c - the distance between two words, and the word with the least. */
#include "common/nearest.h"

#include "base/int.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 63, /* letters; a longer word is not a mistyped one but another name */
    BEGINNING = 4 /* least letters that stand for a word that begins with them */
};

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Returns how many letters must be added, left out, changed, or swapped with the next to turn a
 * into b; upper and lower case are equal. Row i of the table is for the first i letters of a;
 * three rows are kept. */
static int distance(const char *a, int n, const char *b, int m)
{
    int row[3][LONGEST + 1];
    for (int j = 0; j <= m; j++)
        row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = row[i % 3];
        const int *before = row[(i + 2) % 3], *two_before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            now[j] = oc_min(oc_min(before[j], now[j - 1]) + 1,
                            before[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                now[j] = oc_min(now[j], two_before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

void nearest_try(nearest *n, const char *word)
{
    const size_t size = strlen(n->text), other = strlen(word);
    if (size < 2 || size > LONGEST || other > LONGEST)
        return;
    const int allowed = size < 6 ? 1 : (int)size / 3;
    const int bound = n->best ? n->distance - 1 : allowed;
    const bool begins = size >= BEGINNING && strncmp(n->text, word, size) == 0;
    if (!begins && abs((int)size - (int)other) > bound)
        return;
    const int letters = distance(n->text, (int)size, word, (int)other);
    const int d = begins ? oc_min(letters, allowed) : letters;
    if (d > bound)
        return;
    n->best = word;
    n->distance = d;
}

const char *nearest_hint(const nearest *n, char text[NEAREST_TEXT])
{
    text[0] = 0;
    if (n->best && strcmp(n->best, n->text) != 0)
        snprintf(text, NEAREST_TEXT, "; did you mean '%s'?", n->best);
    return text;
}
