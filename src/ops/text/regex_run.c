/* SPDX-License-Identifier: Apache-2.0
 * regex_run.c - matches texts by sets of nodes, and remembers which set follows which. */
#include "ops/text/regex.h"

enum {
    STATES = 256, /* sets that are remembered at one time */
    ASCII = 128,  /* characters whose next state is remembered */
    UNKNOWN = -1,
    PIECE = 1 << 14 /* bytes of a text that are read together */
};

/* What is beside a place in the text. */
typedef enum beside { TEXT_END, NEW_LINE, WORD, OTHER } beside;

/* The nodes that the text so far has led to, without those that they lead to by themselves: these
 * depend on the next character. */
typedef struct state {
    uint64_t *nodes; /* a bit for each */
    beside before;   /* the last character */
    bool accepts;    /* if the text ends here */
    bool is_dead;    /* no text goes on from here */
    int16_t next[ASCII];
} state;

struct oc_matcher {
    const oc_regex *r;
    size_t words; /* words of a set */
    state *states;
    uint64_t *sets; /* a set for each state, and two more */
    int n_states;
    int32_t *stack; /* nodes to visit */
    oc_count count;
};

static beside beside_of(int32_t c)
{
    return c == '\n' ? NEW_LINE
           : (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 'a' && c <= 'z')
               ? WORD
               : OTHER;
}

static bool holds(oc_assertion a, beside before, beside after)
{
    switch (a) {
    case OC_AT_BEGIN:
        return before == TEXT_END;
    case OC_AT_END:
        return after == TEXT_END;
    case OC_AT_LINE_BEGIN:
        return before == TEXT_END || before == NEW_LINE;
    case OC_AT_LINE_END:
        return after == TEXT_END || after == NEW_LINE;
    case OC_AT_WORD_EDGE:
        return (before == WORD) != (after == WORD);
    default:
        return (before == WORD) == (after == WORD);
    }
}

static bool in_ranges(const oc_regex *r, const oc_regex_node *n, int32_t c)
{
    for (int32_t i = n->first; i < n->first + n->n; i++)
        if (c >= r->range[i].first && c <= r->range[i].last)
            return true;
    return false;
}

static bool takes(const oc_regex *r, const oc_regex_node *n, int32_t c)
{
    if (c > OC_CHAR_MOST) /* a byte of no character */
        return false;
    bool is_in = in_ranges(r, n, c);
    if (!is_in && n->fold) {
        const int32_t lower = oc_char_lower(c), upper = oc_char_upper(c);
        is_in = in_ranges(r, n, lower) || in_ranges(r, n, upper) ||
                in_ranges(r, n, oc_char_lower(upper)) || in_ranges(r, n, oc_char_upper(lower));
    }
    return is_in != n->outside;
}

static bool add(uint64_t *set, int32_t node)
{
    const uint64_t bit = UINT64_C(1) << (node & 63);
    const bool is_new = !(set[node >> 6] & bit);
    set[node >> 6] |= bit;
    return is_new;
}

/* Visits all nodes that `from` leads to before the next character, and adds to `to` where a
 * character c leads from there. c < 0: the end of the text. Does the text match there? */
static bool follow_character(oc_matcher *m, const uint64_t *from, beside before, int32_t c,
                             uint64_t *to)
{
    const oc_regex *r = m->r;
    uint64_t *seen = m->sets + (STATES + 1) * m->words;
    const beside after = c < 0 ? TEXT_END : beside_of(c);
    bool matches = false;
    int32_t n = 0;
    memcpy(seen, from, m->words * sizeof *seen);
    memset(to, 0, m->words * sizeof *to);
    for (int32_t i = 0; i < r->n_nodes; i++)
        if (from[i >> 6] == 0)
            i |= 63;
        else if (from[i >> 6] >> (i & 63) & 1)
            m->stack[n++] = i;
    while (n > 0) {
        const oc_regex_node *node = &r->node[m->stack[--n]];
        if (node->op == OC_REGEX_MATCH)
            matches = true;
        else if (node->op == OC_REGEX_CHAR && c >= 0 && takes(r, node, c))
            add(to, node->next);
        else if (node->op == OC_REGEX_PASS || node->op == OC_REGEX_FORK ||
                 (node->op == OC_REGEX_ASSERT && holds(node->assertion, before, after))) {
            if (add(seen, node->next))
                m->stack[n++] = node->next;
            if (node->op == OC_REGEX_FORK && add(seen, node->other))
                m->stack[n++] = node->other;
        }
    }
    return matches;
}

/* The state of a set, which is the one behind all states' sets. */
static int find_state(oc_matcher *m, beside before)
{
    uint64_t *set = m->sets + STATES * m->words, *spare = m->sets + (STATES + 2) * m->words;
    const size_t size = m->words * sizeof *set;
    for (int i = 0; i < m->n_states; i++)
        if (m->states[i].before == before && memcmp(m->states[i].nodes, set, size) == 0)
            return i;
    if (m->n_states == STATES)
        m->n_states = 0; /* forget all: what follows depends on the set alone */
    state *s = &m->states[m->n_states];
    s->nodes = m->sets + (size_t)m->n_states * m->words;
    s->before = before;
    memcpy(s->nodes, set, size);
    s->is_dead = true;
    for (size_t i = 0; i < m->words; i++)
        s->is_dead = s->is_dead && set[i] == 0;
    s->accepts = follow_character(m, s->nodes, before, -1, spare);
    for (int c = 0; c < ASCII; c++)
        s->next[c] = UNKNOWN;
    return m->n_states++;
}

oc_status oc_matcher_new(oc_call *c, const oc_regex *r, oc_matcher **matcher)
{
    oc_matcher *m;
    OC_TRY(OC_SCRATCH(c, m, 1));
    *m = (oc_matcher){.r = r, .words = (size_t)r->n_nodes / 64 + 1, .count = oc_call_count(c)};
    OC_TRY(OC_SCRATCH(c, m->states, STATES));
    OC_TRY(OC_SCRATCH(c, m->sets, (STATES + 3) * m->words));
    OC_TRY(OC_SCRATCH(c, m->stack, r->n_nodes));
    *matcher = m;
    return OC_OK;
}

/* Returns the state to which character c leads from state `at`. */
static int advance(oc_matcher *m, int at, int32_t c)
{
    const state *s = &m->states[at];
    follow_character(m, s->nodes, s->before, c, m->sets + STATES * m->words);
    const bool forgets = m->n_states == STATES;
    const int next = find_state(m, beside_of(c));
    if (c < ASCII && (!forgets || m->n_states == STATES))
        m->states[at].next[c] = (int16_t)next;
    return next;
}

/* Goes on from state `at` as far as it is known where characters lead, at most to the end. */
static int skim(const oc_matcher *m, int at, const char **text, const char *end)
{
    const char *p = *text;
    for (; p < end && !m->states[at].is_dead; p++) {
        const unsigned char byte = (unsigned char)*p;
        const int next = byte < ASCII ? m->states[at].next[byte] : UNKNOWN;
        if (next == UNKNOWN)
            break;
        at = next;
    }
    *text = p;
    return at;
}

bool oc_matcher_run(oc_matcher *m, oc_string text)
{
    const char *p = text.data, *end = text.data + text.size;
    uint64_t *set = m->sets + STATES * m->words;
    memset(set, 0, m->words * sizeof *set);
    add(set, m->r->begin);
    int at = find_state(m, TEXT_END);
    while (p < end && !m->states[at].is_dead && oc_counts(&m->count)) {
        at = skim(m, at, &p, end - p < PIECE ? end : p + PIECE);
        if (p < end && !m->states[at].is_dead)
            at = advance(m, at, oc_char_read(&p, end));
    }
    return p == end && m->states[at].accepts;
}
