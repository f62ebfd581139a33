/* SPDX-License-Identifier: Apache-2.0
 * sig_changes.c - parses the changes that a signature lists. */
#include "ops/signature/sig_parser.h"

/* Reads "1 from axes" or "2 from max or 3.4e38", which follow "input". */
static oc_status parse_input(oc_sig_parser *p, oc_sig_change *x)
{
    int64_t input;
    double value;
    OC_TRY(oc_lex_int(&p->lex, "the number of an input", &input, p->e));
    OC_TRY(oc_lex_want(&p->lex, "from", p->e));
    OC_TRY(oc_sig_name(p, "an attribute of the version before", &x->attr));
    if (input < 0 || input >= p->sig->n_in)
        return oc_lex_fail(&p->lex, p->e, "expected the number of an input before it");
    x->input = (int)input;
    if (!oc_lex_take(&p->lex, "or"))
        return OC_OK;
    x->kind = OC_CHANGE_TYPED_INPUT;
    OC_TRY(oc_lex_float(&p->lex, "the value where the attribute is missing", &value, p->e));
    x->number = (float)value;
    return OC_OK;
}

/* Reads "1", which follows "outputs". */
static oc_status parse_outputs(oc_sig_parser *p, oc_sig_change *x)
{
    int64_t n;
    OC_TRY(oc_lex_int(&p->lex, "how many outputs there may be", &n, p->e));
    if (n < 0 || n > p->sig->n_out)
        return oc_lex_fail(&p->lex, p->e, "expected a number of outputs before it");
    x->outputs = (int)n;
    return OC_OK;
}

static oc_status parse_words(oc_sig_parser *p, oc_sig_change *x)
{
    if (x->kind == OC_CHANGE_NOTHING)
        return OC_OK;
    if (x->kind == OC_CHANGE_INPUT)
        return parse_input(p, x);
    if (x->kind == OC_CHANGE_OUTPUTS)
        return parse_outputs(p, x);
    OC_TRY(oc_sig_name(p, "an attribute", &x->attr));
    if (x->kind == OC_CHANGE_WORD)
        OC_TRY(oc_sig_name(p, "the old word", &x->old_word));
    if (x->kind == OC_CHANGE_WORD || x->kind == OC_CHANGE_DEFAULT)
        OC_TRY(oc_sig_name(p, "a word", &x->word));
    return OC_OK;
}

oc_status oc_sig_parse_change(oc_sig_parser *p)
{
    static const struct {
        const char *word;
        oc_change_kind kind;
    } kinds[] = {
        {"nothing", OC_CHANGE_NOTHING}, {"input", OC_CHANGE_INPUT},
        {"without", OC_CHANGE_WITHOUT}, {"dropped", OC_CHANGE_DROPPED},
        {"default", OC_CHANGE_DEFAULT}, {"word", OC_CHANGE_WORD},
        {"count", OC_CHANGE_COUNT},     {"rows", OC_CHANGE_ROWS},
        {"outputs", OC_CHANGE_OUTPUTS},
    };
    oc_sig *s = p->sig;
    if (s->n_change == OC_SIG_CHANGES)
        return oc_lex_fail(&p->lex, p->e, "expected at most %d changes", OC_SIG_CHANGES);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (oc_lex_take(&p->lex, kinds[i].word)) {
            oc_sig_change *x = &s->change[s->n_change++];
            x->kind = kinds[i].kind;
            return parse_words(p, x);
        }
    return oc_lex_fail(&p->lex, p->e, "expected a kind of change");
}
