/* SPDX-License-Identifier: Apache-2.0
 * einsum_equation.c - reads the equation of an Einsum. */
#include "ops/math/einsum_equation.h"

enum { NONE = 255 };

typedef struct parser {
    oc_call *c;
    oc_einsum *g;
    oc_string text;
    size_t at;
    uint8_t letter[128]; /* the label of each letter; NONE: not met yet */
    int uses[128];       /* how often each letter stands in inputs */
    int dots;            /* axes that an ellipsis covers; -1: none was met */
    uint8_t dot_label[OC_MAX_RANK];
} parser;

static oc_status wrong(const parser *p, const char *format, ...) OC_PRINTF(2, 3);

static oc_status wrong(const parser *p, const char *format, ...)
{
    enum { SHOWN = 100 };
    char text[sizeof((oc_error *)0)->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return oc_fail(p->c, OC_VALUE, "attribute 'equation' is '%.*s%s': %s",
                   (int)oc_min(p->text.size, SHOWN), p->text.data,
                   p->text.size > SHOWN ? "..." : "", text);
}

static bool is_letter(int ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

/* Returns the next character, skipping spaces; -1 at the end. */
static int peek(parser *p)
{
    while (p->at < p->text.size && p->text.data[p->at] == ' ')
        p->at++;
    return p->at < p->text.size ? (unsigned char)p->text.data[p->at] : -1;
}

static bool take(parser *p, const char *word)
{
    const size_t n = strlen(word);
    peek(p);
    if (p->text.size - p->at < n || memcmp(p->text.data + p->at, word, n) != 0)
        return false;
    p->at += n;
    return true;
}

/* Reads the characters of a term, with '.' for an ellipsis. */
typedef struct term_text {
    char ch[OC_MAX_RANK + 1];
    int n;
    bool dots;
} term_text;

static oc_status read_term(parser *p, term_text *t)
{
    *t = (term_text){.n = 0};
    for (;;) {
        const int ch = peek(p);
        if (ch < 0 || ch == ',' || ch == '-')
            return OC_OK;
        if (!is_letter(ch) && ch != '.')
            return wrong(p, "character %zu is none of letters, blanks, ',', '...' and '->'",
                         p->at + 1);
        if (t->n - t->dots == OC_MAX_RANK)
            return wrong(p, "a term has more than %d letters", OC_MAX_RANK);
        if (is_letter(ch)) {
            t->ch[t->n++] = (char)ch;
            p->at++;
            continue;
        }
        if (t->dots || !take(p, "..."))
            return wrong(p, "character %zu begins no '...', or a second one in a term", p->at + 1);
        t->dots = true;
        t->ch[t->n++] = '.';
    }
}

/* ---- labels */

static oc_status new_label(parser *p, uint8_t *label)
{
    if (p->g->n_label == OC_EINSUM_LABELS)
        return wrong(p, "it has more than %d labels", OC_EINSUM_LABELS);
    p->g->size[p->g->n_label] = 1;
    *label = (uint8_t)p->g->n_label++;
    return OC_OK;
}

static oc_status set_dots(parser *p, int i, int n)
{
    if (p->dots >= 0 && p->dots != n)
        return wrong(p, "'...' covers %d axes of input %d, but %d of an input before", n, i,
                     p->dots);
    for (int k = 0; p->dots < 0 && k < n; k++)
        OC_TRY(new_label(p, &p->dot_label[k]));
    p->dots = n;
    return OC_OK;
}

/* Gives the next axis of input i a label. */
static oc_status add_axis(parser *p, int i, uint8_t label, const char *name)
{
    oc_einsum_term *t = &p->g->term[i];
    const int64_t n = oc_in(p->c, i)->dims.n[t->rank];
    int64_t *size = &p->g->size[label];
    for (int a = 0; a < t->rank; a++)
        if (t->label[a] == label && oc_in(p->c, i)->dims.n[a] != n)
            return wrong(p, "label '%s' of input %d has sizes %" PRId64 " and %" PRId64, name, i,
                         oc_in(p->c, i)->dims.n[a], n);
    if (n != 1 && *size != 1 && *size != n)
        return wrong(p, "label '%s' of input %d has size %" PRId64 ", but %" PRId64 " before", name,
                     i, n, *size);
    *size = n == 1 ? *size : n;
    t->label[t->rank++] = label;
    return OC_OK;
}

static oc_status add_input(parser *p, int i)
{
    term_text t;
    OC_TRY(read_term(p, &t));
    const int rank = oc_in(p->c, i)->dims.rank, letters = t.n - t.dots;
    if (t.dots ? letters > rank : letters != rank)
        return wrong(p, "term %d has %d letters%s, but input %d has rank %d", i + 1, letters,
                     t.dots ? " besides '...'" : "", i, rank);
    if (t.dots)
        OC_TRY(set_dots(p, i, rank - letters));
    for (int k = 0; k < t.n; k++) {
        const int ch = t.ch[k];
        if (ch == '.') {
            for (int d = 0; d < p->dots; d++)
                OC_TRY(add_axis(p, i, p->dot_label[d], "..."));
            continue;
        }
        if (p->letter[ch] == NONE)
            OC_TRY(new_label(p, &p->letter[ch]));
        p->uses[ch]++;
        OC_TRY(add_axis(p, i, p->letter[ch], (const char[]){(char)ch, 0}));
    }
    return OC_OK;
}

static oc_status add_inputs(parser *p)
{
    const int n = oc_n_in(p->c);
    for (int i = 0; i < n; i++) {
        if (i > 0 && !take(p, ","))
            return wrong(p, "it has %d terms, but there are %d inputs", i, n);
        OC_TRY(add_input(p, i));
    }
    if (peek(p) == ',')
        return wrong(p, "it has more terms than there are inputs, %d", n);
    return OC_OK;
}

/* ---- the output */

static oc_status push_out(parser *p, uint8_t label)
{
    oc_einsum_term *out = &p->g->out;
    if (out->rank == OC_MAX_RANK)
        return wrong(p, "the output's rank would pass %d", OC_MAX_RANK);
    out->label[out->rank++] = label;
    return OC_OK;
}

static oc_status push_dots(parser *p)
{
    for (int d = 0; d < p->dots; d++)
        OC_TRY(push_out(p, p->dot_label[d]));
    return OC_OK;
}

static oc_status imply_output(parser *p)
{
    OC_TRY(push_dots(p));
    for (int ch = 'A'; ch <= 'z'; ch++)
        if (p->uses[ch] == 1)
            OC_TRY(push_out(p, p->letter[ch]));
    return OC_OK;
}

static oc_status read_output(parser *p)
{
    term_text t;
    bool seen[128] = {false};
    OC_TRY(read_term(p, &t));
    if (peek(p) >= 0)
        return wrong(p, "the output's term does not end at character %zu", p->at + 1);
    if (!t.dots && p->dots > 0)
        return wrong(p, "the output lacks the '...' of the inputs");
    for (int k = 0; k < t.n; k++) {
        const int ch = t.ch[k];
        if (ch == '.') {
            OC_TRY(push_dots(p));
            continue;
        }
        if (p->letter[ch] == NONE)
            return wrong(p, "label '%c' of the output is in no input", ch);
        if (seen[ch])
            return wrong(p, "label '%c' is twice in the output", ch);
        seen[ch] = true;
        OC_TRY(push_out(p, p->letter[ch]));
    }
    return OC_OK;
}

oc_status oc_einsum_read(oc_call *c, oc_einsum *g)
{
    parser p = {.c = c, .g = g, .text = oc_attr_string(c, "equation"), .dots = -1};
    memset(p.letter, NONE, sizeof p.letter);
    *g = (oc_einsum){.n_label = 0};
    OC_TRY(OC_SCRATCH(c, g->term, oc_n_in(c)));
    memset(g->term, 0, (size_t)oc_n_in(c) * sizeof *g->term);
    OC_TRY(add_inputs(&p));
    if (take(&p, "->"))
        return read_output(&p);
    if (peek(&p) >= 0)
        return wrong(&p, "character %zu begins no '->'", p.at + 1);
    return imply_output(&p);
}
