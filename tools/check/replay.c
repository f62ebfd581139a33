/* SPDX-License-Identifier: Apache-2.0
 * replay.c - makes the command that runs one case again. */
#include "check/replay.h"

#include "common/temp_folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

char *check_replay(const check_plan *p, const check_case *c)
{
    const check_options *o = p->options;
    char number[32];
    const char *domain = p->family->spec.domain;
    char *op = tool_format("%s%s%s", domain ? domain : "", domain ? "::" : "", p->family->op);
    char *line = add(tool_format("ocellus"), "check", op);
    free(op);
    snprintf(number, sizeof number, "%" PRId64, o->session.seed);
    line = add(line, "--seed", number);
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
    line = add(line, "--cpu", o->session.cpu);
    snprintf(number, sizeof number, "%" PRId64, o->session.threads);
    line = add(line, "--threads", o->session.threads ? number : NULL);
    line = add_flag(line, "--no-fusion", o->session.no_fusion);
    line = add_flag(line, "--no-folding", o->session.no_folding);
    line = add_flag(line, "--no-nchw16c", o->session.no_nchw16c);
    line = add_flag(line, "--exact", o->session.exact);
    return add(line, "--case", c->name);
}
