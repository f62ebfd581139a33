/* SPDX-License-Identifier: Apache-2.0
 * shell_word.c - quotes a text for the shells of POSIX systems. */
#include "common/temp_folder.h"

char *temp_folder_word(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=,@%+-";
    if (*text && text[strspn(text, plain)] == 0)
        return tool_format("%s", text);
    char *word = tool_alloc(4 * strlen(text) + 3, 1), *at = word;
    *at++ = '\'';
    for (; *text; text++)
        if (*text == '\'') {
            memcpy(at, "'\\''", 4);
            at += 4;
        } else {
            *at++ = *text;
        }
    *at = '\'';
    return word;
}
