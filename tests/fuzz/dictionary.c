/* SPDX-License-Identifier: Apache-2.0
 * dictionary.c - prints the words as a dictionary of libFuzzer. */
#include "words.h"

#include <ctype.h>
#include <stdio.h>

int main(void)
{
    for (uint32_t i = 0; i < fuzz_n_words(); i++) {
        const oc_string w = fuzz_word(i);
        putchar('"');
        for (size_t k = 0; k < w.size; k++) {
            const unsigned char c = (unsigned char)w.data[k];
            if (isalnum(c))
                putchar(c);
            else
                printf("\\x%02x", c);
        }
        puts("\"");
    }
    return 0;
}
