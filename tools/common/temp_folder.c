/* SPDX-License-Identifier: Apache-2.0
 * temp_folder.c - makes the line of a command that names a folder or a file. */
#include "common/temp_folder.h"

char *temp_folder_line(const char *command, const char *place, const char *path)
{
    char *line = tool_format("%s", ""), *word = temp_folder_word(path);
    for (const char *at; (at = strstr(command, place)); command = at + strlen(place)) {
        char *longer = tool_format("%s%.*s%s", line, (int)(at - command), command, word);
        free(line);
        line = longer;
    }
    char *whole = tool_format("%s%s", line, command);
    free(line);
    free(word);
    return whole;
}
