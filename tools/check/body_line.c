/* SPDX-License-Identifier: Apache-2.0
 * body_line.c - finds the names in an error in a body's text. */
#include "check/run.h"

#include <ctype.h>

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static const char *skip_space(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

/* Returns the next place of the word that has no letters around it; NULL when there is none. */
static const char *find_word(const char *text, const char *from, const char *word, size_t size)
{
    for (const char *at = from; *at; at++)
        if (strncmp(at, word, size) == 0 && !is_letter(at[size]) &&
            (at == text || !is_letter(at[-1])))
            return at;
    return NULL;
}

/* Do only names and commas stand between s and a '='? Then s is among the outputs of a node. */
static bool is_output(const char *s)
{
    while (is_letter(*s) || *s == ',' || isspace((unsigned char)*s))
        s++;
    return *s == '=' && s[1] != '>' && s[1] != '=';
}

static bool is_call(const char *behind)
{
    behind = skip_space(behind);
    return *behind == '(' || *behind == '<';
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

static int line_of_output(const char *text, const char *name, size_t size)
{
    for (const char *at = text; size && (at = find_word(text, at, name, size)) != NULL; at++)
        if (is_output(at))
            return line_of(text, at);
    return 0;
}

/* Returns 0 also when several nodes call it. */
static int line_of_call(const char *text, const char *op, size_t size)
{
    int line = 0;
    for (const char *at = text; (at = find_word(text, at, op, size)) != NULL; at++)
        if (is_call(at + size) && strchr(text, '{') && at > strchr(text, '{')) {
            if (line)
                return 0;
            line = line_of(text, at);
        }
    return line;
}

int check_body_line(const char *text, const char *op, const char *error)
{
    const size_t n = strlen(op);
    int line = 0;
    for (const char *s = error, *end; !line && (s = strchr(s, '\'')) != NULL; s = end + 1) {
        end = strchr(++s, '\'');
        if (!end)
            break;
        if (strncmp(s, op, n) == 0 && s[n] == '/')
            s += n + 1;
        line = line_of_output(text, s, (size_t)(end - s));
    }
    for (const char *s = error; !line && *s; s++) {
        const size_t size = strcspn(s, "-)( ,:;'");
        if (isupper((unsigned char)*s) && (s[size] == '-' || s[size] == ')'))
            line = line_of_call(text, s, size);
        s += size ? size - 1 : 0;
    }
    return line;
}
