/* SPDX-License-Identifier: Apache-2.0
 * key_mask.c - reads a mask in each of its forms. B batches, S queries, L keys after P past ones,
 * T = P + L; a number above 0 stands for a key that is seen.
 *
 *     [B]         how many keys, from the first on, are seen
 *     [2B]        the ends of what is seen, then the beginnings
 *     [3B+2]      how many keys are seen; what follows tells where packed sequences begin
 *     [B,T]       a number for each key
 *     [B,L]       the same for keys that are not past; past ones are seen
 *     [B,1], [1,1] the same number for all keys, so that all weights are as without a mask
 *     [B,S,T]     for each query and key
 *     [B,1,M,M]   the same of all M positions; M is T or more, query 0 has position P */
#include "ops/attention/heads.h"

typedef enum form { OTHER, LENGTHS, ENDS_STARTS, BY_KEY, BY_NEW_KEY, ALIKE, BY_QUERY, SQUARE } form;

static form form_of(const oc_call *c, const oc_key_mask *m)
{
    const oc_value *v = oc_in_or_null(c, m->input);
    const oc_dims *d = &v->dims;
    const int64_t n = d->n[0];
    switch (d->rank) {
    case 1:
        return n == m->batch || n == 3 * m->batch + 2 ? LENGTHS
               : n == 2 * m->batch                    ? ENDS_STARTS
                                                      : OTHER;
    case 2:
        return n == m->batch && d->n[1] == m->keys             ? BY_KEY
               : n == m->batch && d->n[1] == m->keys - m->past ? BY_NEW_KEY
               : (n == m->batch || n == 1) && d->n[1] == 1     ? ALIKE
                                                               : OTHER;
    case 3:
        return n == m->batch && d->n[1] == m->queries && d->n[2] == m->keys ? BY_QUERY : OTHER;
    case 4:
        return n == m->batch && d->n[1] == 1 && d->n[2] == d->n[3] && d->n[3] >= m->keys &&
                       m->past + m->queries <= d->n[2]
                   ? SQUARE
                   : OTHER;
    default:
        return OTHER;
    }
}

oc_status oc_key_mask_check(oc_call *c, const oc_key_mask *m)
{
    if (!oc_in_or_null(c, m->input) || form_of(c, m) != OTHER)
        return OC_OK;
    return oc_fail_dims(c, m->input,
                        "expected [B], [2B], [3B+2], [B,T], [B,S,T] or [B,1,M,M], with B = %" PRId64
                        " batches, S = %" PRId64 " queries, T = %" PRId64 " keys and M >= T",
                        m->batch, m->queries, m->keys);
}

bool oc_key_mask_by_query(const oc_call *c, const oc_key_mask *m)
{
    const form f = form_of(c, m);
    return f == BY_QUERY || f == SQUARE;
}

/* Makes the mask of one row from the numbers of its keys. */
static void fill_row(const oc_key_mask *m, float *to, const int32_t *from)
{
    for (int64_t i = 0; i < m->keys; i++)
        to[i] = from[i] > 0 ? 0 : m->filter;
}

static void fill_span(const oc_key_mask *m, float *to, int64_t first, int64_t end)
{
    for (int64_t i = 0; i < m->keys; i++)
        to[i] = i >= first && i < end ? 0 : m->filter;
}

void oc_key_mask_fill(oc_call *c, const oc_key_mask *m, float *to)
{
    const oc_value *v = oc_in_or_null(c, m->input);
    const int32_t *x = v->data;
    const form f = form_of(c, m);
    const int64_t rows = f == BY_QUERY || f == SQUARE ? m->queries : 1,
                  size = v->dims.n[v->dims.rank - 1];
    OC_CALL_LOOP (c, at, m->keys ? m->batch * rows : 0, 16) {
        const int64_t b = at / rows, r = at % rows;
        if (f == LENGTHS)
            fill_span(m, to, 0, x[b]);
        else if (f == ENDS_STARTS)
            fill_span(m, to, x[m->batch + b], x[b]);
        else if (f == BY_KEY)
            fill_row(m, to, x + b * size);
        else if (f == BY_QUERY)
            fill_row(m, to, x + (b * rows + r) * size);
        else if (f == SQUARE)
            fill_row(m, to, x + (b * size + m->past + r) * size);
        else
            fill_span(m, to, 0, m->keys);
        for (int64_t i = 0; f == BY_NEW_KEY && i < size; i++)
            to[m->past + i] = x[b * size + i] > 0 ? 0 : m->filter;
        to += m->keys;
    }
}
