/* SPDX-License-Identifier: Apache-2.0
 * keeper.c - the line of a command, which names a folder or a file. */
#include "common/keeper.h"

#include <stdlib.h>
#include <string.h>

char *keeper_line(const char *command, const char *place, const char *path)
{
    char *line = tool_format("%s", ""), *word = keeper_word(path);
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
