/* SPDX-License-Identifier: Apache-2.0
 * replay.c - makes the command that runs one case again. */
#include "check/replay.h"

#include "common/temp_folder.h"

/* Appends " --option word", unless word is NULL. Frees line. */
static char *add(char *line, const char *option, const char *word)
{
    if (!word)
        return line;
    char *quoted = temp_folder_word(word), *longer = tool_format("%s %s %s", line, option, quoted);
    free(quoted);
    free(line);
    return longer;
}

/* Appends " option" if it was given. Frees line. */
static char *add_flag(char *line, const char *option, bool given)
{
    if (!given)
        return line;
    char *longer = tool_format("%s %s", line, option);
    free(line);
    return longer;
}

/* The options of the session, and those that change results as defaults too. */
static char *add_session(char *line, const session_args *s)
{
    session_told told;
    for (int i = 0; session_args_at(s, i, &told); i++)
        line = told.is_switch ? add_flag(line, told.name, told.is_given)
                              : add(line, told.name,
                                    told.is_given || told.changes_results ? told.value : NULL);
    return add_flag(line, "--exact", s->exact);
}

char *check_replay(const check_plan *p, const check_case *c)
{
    const check_options *o = p->options;
    char number[32];
    const char *domain = p->family->spec.domain;
    char *op = tool_format("%s%s%s", domain ? domain : "", domain ? "::" : "", p->family->op);
    char *line = add(tool_format("ocellus"), "check", op);
    free(op);
    line = add_session(line, &o->session);
    line = add(line, "--body", o->body);
    line = add(line, "--against", o->against);
    line = add(line, "--engine", o->engine);
    snprintf(number, sizeof number, "%.17g", o->engine_seconds);
    line = add(line, "--engine-seconds", o->engine_seconds > 0 ? number : NULL);
    for (int i = 0; i < o->inputs.n; i++)
        line = add(line, "--inputs", o->inputs.item[i]);
    for (int i = 0; i < o->attributes.n; i++)
        line = add(line, "--attributes", o->attributes.item[i]);
    snprintf(number, sizeof number, "%" PRId64, o->opset);
    line = add(line, "--opset", o->opset ? number : NULL);
    line = add_flag(line, "--in-double", o->in_double);
    return add(line, "--case", c->name);
}
