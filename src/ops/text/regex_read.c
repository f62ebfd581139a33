/* SPDX-License-Identifier: Apache-2.0
 * regex_read.c - a pattern becomes a program. An atom that is repeated n times is read n times. */
#include "ops/text/regex.h"

#include "base/limits.h"

enum { STEPS = 1 << 20 }; /* atoms that may be read, again for each repetition */

/* Nodes from begin to end; end is a PASS whose `next` is not set yet. */
typedef struct part {
    int32_t begin, end;
} part;

static part read_alternatives(oc_regex_parser *p);

/* ---- nodes */

static int32_t add_node(oc_regex_parser *p, oc_regex_op op, int32_t next, int32_t other)
{
    oc_regex *r = p->r;
    if (r->n_nodes == OC_MAX_PATTERN_NODES)
        return oc_regex_fail(p, OC_LIMIT, "the pattern is too large");
    r->node[r->n_nodes] = (oc_regex_node){.op = op, .next = next, .other = other};
    return r->n_nodes++;
}

static void link_to(oc_regex_parser *p, int32_t from, int32_t to)
{
    if (!p->error)
        p->r->node[from].next = to;
}

static part add_empty(oc_regex_parser *p)
{
    const int32_t n = add_node(p, OC_REGEX_PASS, 0, 0);
    return (part){n, n};
}

static part add_assertion(oc_regex_parser *p, oc_assertion assertion)
{
    const part end = add_empty(p);
    const int32_t n = add_node(p, OC_REGEX_ASSERT, end.end, 0);
    p->r->node[n].assertion = assertion;
    return (part){n, end.end};
}

/* Makes a class of the ranges from `first` on. */
static part add_class(oc_regex_parser *p, int32_t first, bool outside)
{
    const part end = add_empty(p);
    const int32_t at = add_node(p, OC_REGEX_CHAR, end.end, 0);
    oc_regex_node *n = &p->r->node[at];
    n->first = first;
    n->n = p->r->n_ranges - first;
    n->outside = outside;
    n->fold = p->fold;
    return (part){at, end.end};
}

static part add_char(oc_regex_parser *p, int32_t c)
{
    const int32_t first = p->r->n_ranges;
    oc_regex_add(p, c, c);
    if (p->fold) {
        oc_regex_add(p, oc_char_lower(c), oc_char_lower(c));
        oc_regex_add(p, oc_char_upper(c), oc_char_upper(c));
    }
    return add_class(p, first, false);
}

static part join(oc_regex_parser *p, part a, part b)
{
    link_to(p, a.end, b.begin);
    return (part){a.begin, b.end};
}

/* Makes the node that matches a or b. */
static part either(oc_regex_parser *p, part a, part b)
{
    const int32_t fork = add_node(p, OC_REGEX_FORK, a.begin, b.begin);
    const part end = add_empty(p);
    link_to(p, a.end, end.end);
    link_to(p, b.end, end.end);
    return (part){fork, end.end};
}

/* Makes the part that matches a any number of times from `least` (0 or 1) on. */
static part repeat(oc_regex_parser *p, part a, int least)
{
    const part end = add_empty(p);
    const int32_t fork = add_node(p, OC_REGEX_FORK, a.begin, end.end);
    link_to(p, a.end, fork);
    return (part){least ? a.begin : fork, end.end};
}

/* ---- groups */

static bool take(oc_regex_parser *p, const char *text)
{
    const size_t n = strlen(text);
    if ((size_t)(p->end - p->at) < n || memcmp(p->at, text, n) != 0)
        return false;
    p->at += n;
    return true;
}

/* Reads the rest of (?P<name>. */
static void read_name(oc_regex_parser *p)
{
    const char *begin = p->at;
    while (p->at < p->end && (*p->at == '_' || (*p->at >= '0' && *p->at <= '9') ||
                              (*p->at >= 'A' && *p->at <= 'Z') || (*p->at >= 'a' && *p->at <= 'z')))
        p->at++;
    if (p->at == begin || !take(p, ">"))
        oc_regex_fail(p, OC_VALUE, "expected a group's name and >");
}

/* Reads the flags behind (? up to the : or ), which is read too and returned. */
static char read_flags(oc_regex_parser *p)
{
    bool on = true, any = false;
    while (p->at < p->end) {
        const char c = *p->at++;
        if ((c == ':' || c == ')') && (on || any))
            return c;
        if (c == '-' && on) {
            on = any = false;
            continue;
        }
        any = true;
        if (c == 'i')
            p->fold = on;
        else if (c == 'm')
            p->lines = on;
        else if (c == 's')
            p->dot_all = on;
        else if (c != 'U')
            break;
    }
    oc_regex_fail(p, OC_VALUE, "expected flags i, m, s, U and : or ) behind (?");
    return ':';
}

/* Reads a group from behind the opening parenthesis to behind the closing one. *is_atom becomes
 * false for flags that hold for the rest of the group around them. */
static part read_group(oc_regex_parser *p, bool *is_atom)
{
    const bool fold = p->fold, lines = p->lines, dot_all = p->dot_all;
    if (take(p, "?P<") || take(p, "?<"))
        read_name(p);
    else if (take(p, "?") && read_flags(p) == ')') {
        *is_atom = false;
        return add_empty(p);
    }
    if (++p->depth > OC_MAX_PATTERN_GROUPS)
        oc_regex_fail(p, OC_LIMIT, "groups are nested too deeply");
    const part inner = p->error ? add_empty(p) : read_alternatives(p);
    if (!take(p, ")"))
        oc_regex_fail(p, OC_VALUE, "missing )");
    p->depth--;
    p->fold = fold;
    p->lines = lines;
    p->dot_all = dot_all;
    return inner;
}

/* ---- atoms */

/* Reads \A, \b and the like, and \Q...\E; false: it is none of them. */
static bool read_special_escape(oc_regex_parser *p, part *atom)
{
    static const struct {
        const char *text;
        oc_assertion assertion;
    } escapes[] = {{"\\A", OC_AT_BEGIN},
                   {"\\z", OC_AT_END},
                   {"\\b", OC_AT_WORD_EDGE},
                   {"\\B", OC_NOT_AT_WORD_EDGE}};
    for (int i = 0; i < 4; i++)
        if (take(p, escapes[i].text)) {
            *atom = add_assertion(p, escapes[i].assertion);
            return true;
        }
    if (take(p, "\\C"))
        oc_regex_fail(p, OC_UNSUPPORTED, "single bytes (\\C) are not supported");
    return p->error != NULL;
}

static part read_any(oc_regex_parser *p)
{
    const int32_t first = p->r->n_ranges;
    oc_regex_add(p, 0, p->dot_all ? OC_CHAR_MOST : '\n' - 1);
    if (!p->dot_all)
        oc_regex_add(p, '\n' + 1, OC_CHAR_MOST);
    return add_class(p, first, false);
}

static part read_atom(oc_regex_parser *p, bool *is_atom)
{
    const int32_t first = p->r->n_ranges;
    bool outside;
    part atom = {0, 0};
    if (++p->steps > STEPS)
        oc_regex_fail(p, OC_LIMIT, "the pattern is too large");
    *is_atom = true;
    if (p->error)
        return atom;
    if (p->quoted)
        return add_char(p, oc_regex_itself(p));
    if (take(p, "("))
        return read_group(p, is_atom);
    if (take(p, "[")) {
        oc_regex_brackets(p, &outside);
        return add_class(p, first, outside);
    }
    if (take(p, "."))
        return read_any(p);
    if (take(p, "^"))
        return add_assertion(p, p->lines ? OC_AT_LINE_BEGIN : OC_AT_BEGIN);
    if (take(p, "$"))
        return add_assertion(p, p->lines ? OC_AT_LINE_END : OC_AT_END);
    if (strchr("*+?", *p->at) && *p->at)
        oc_regex_fail(p, OC_VALUE, "nothing to repeat");
    if (p->error || read_special_escape(p, &atom))
        return atom;
    if (oc_regex_class_escape(p))
        return add_class(p, first, false);
    return add_char(p, oc_regex_char(p));
}

/* ---- repetitions */

static bool read_count(oc_regex_parser *p, int *count)
{
    const char *begin = p->at;
    *count = 0;
    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
        *count = *count > OC_MAX_PATTERN_REPEATS ? *count : *count * 10 + (*p->at - '0');
    return p->at > begin;
}

/* Reads {2}, {2,} or {2,5}; most is -1 if there is no upper bound. Anything else is no
 * repetition. */
static bool read_braces(oc_regex_parser *p, int *least, int *most)
{
    const char *begin = p->at;
    if (take(p, "{") && read_count(p, least)) {
        *most = *least;
        if (take(p, ",") && !read_count(p, most))
            *most = -1;
        if (take(p, "}")) {
            if (*least > OC_MAX_PATTERN_REPEATS || *most > OC_MAX_PATTERN_REPEATS ||
                (*most >= 0 && *most < *least))
                oc_regex_fail(p, OC_VALUE, "expected at most 1000 repetitions, the fewest first");
            return true;
        }
    }
    p->at = begin;
    return false;
}

static bool read_repetition(oc_regex_parser *p, int *least, int *most)
{
    *least = 0;
    *most = -1;
    if (take(p, "+"))
        *least = 1;
    else if (take(p, "?"))
        *most = 1;
    else if (!take(p, "*") && !read_braces(p, least, most))
        return false;
    take(p, "?"); /* which match is preferred makes no difference */
    return true;
}

/* Begins or ends the part between \Q and \E, in which every character is itself. */
static void read_quotes(oc_regex_parser *p)
{
    while (take(p, p->quoted ? "\\E" : "\\Q"))
        p->quoted = !p->quoted;
}

/* Reads the atom again from the place and with the flags of `before`. */
static part read_again(oc_regex_parser *p, const oc_regex_parser *before)
{
    const char *at = p->at;
    bool is_atom;
    p->at = before->at;
    p->quoted = before->quoted;
    const part atom = read_atom(p, &is_atom);
    p->at = at;
    p->quoted = false;
    return atom;
}

static part read_repeated(oc_regex_parser *p)
{
    const oc_regex_parser before = *p;
    int least, most;
    bool is_atom;
    part atom = read_atom(p, &is_atom);
    if (p->quoted && take(p, "\\E"))
        p->quoted = false;
    if (p->error || p->quoted || !read_repetition(p, &least, &most))
        return atom;
    if (!is_atom)
        oc_regex_fail(p, OC_VALUE, "nothing to repeat");
    const char *behind = p->at;
    int ignored;
    if (read_repetition(p, &ignored, &ignored)) {
        p->at = behind;
        oc_regex_fail(p, OC_VALUE, "a repetition of a repetition");
    }
    if (most == 0)
        return add_empty(p);
    if (most < 0 && least < 2)
        return repeat(p, atom, least);
    part all = least ? atom : either(p, atom, add_empty(p));
    for (int i = 1; i < (most < 0 ? least : most) && !p->error; i++) {
        part next = read_again(p, &before);
        if (most < 0 && i == least - 1)
            next = repeat(p, next, 1);
        else if (i >= least)
            next = either(p, next, add_empty(p));
        all = join(p, all, next);
    }
    return all;
}

static part read_sequence(oc_regex_parser *p)
{
    part all = add_empty(p);
    read_quotes(p);
    while (!p->error && p->at < p->end && (p->quoted || (*p->at != '|' && *p->at != ')'))) {
        all = join(p, all, read_repeated(p));
        read_quotes(p);
    }
    return all;
}

static part read_alternatives(oc_regex_parser *p)
{
    part all = read_sequence(p);
    while (!p->error && take(p, "|"))
        all = either(p, all, read_sequence(p));
    return all;
}

oc_status oc_regex_read(oc_call *c, oc_string pattern, oc_regex *r)
{
    oc_regex_parser p = {.r = r, .at = pattern.data, .end = pattern.data + pattern.size};
    *r = (oc_regex){0};
    OC_TRY(OC_SCRATCH(c, r->node, OC_MAX_PATTERN_NODES));
    OC_TRY(OC_SCRATCH(c, r->range, OC_REGEX_RANGES));
    const part all = read_alternatives(&p);
    if (!p.error && p.at < p.end)
        oc_regex_fail(&p, OC_VALUE, "missing (");
    link_to(&p, all.end, add_node(&p, OC_REGEX_MATCH, 0, 0));
    r->begin = all.begin;
    if (!p.error)
        return OC_OK;
    return oc_fail(c, p.code, "attribute 'pattern' at byte %d: %s",
                   (int)(p.error_at - pattern.data), p.error);
}
