/* SPDX-License-Identifier: Apache-2.0
 * string_split.c - StringSplit: each string's parts, and how many they are.
 *
 * Without a delimiter, parts are separated by any amount of white space (space, \t, \n, \v, \f,
 * \r); what is at both ends counts for nothing, and what follows the last split, when maxsplit
 * ends the splitting, is one part. With a delimiter, an empty string is one empty part. */
#include "ops/kit/op.h"

enum { PIECE = 1 << 16 }; /* characters that are looked at together */

typedef struct splitter {
    oc_string delimiter; /* empty: white space */
    int64_t most;        /* parts of a string */
} splitter;

static splitter read_splitter(const oc_call *c)
{
    const int64_t most = oc_attr_has(c, "maxsplit") ? oc_attr_int(c, "maxsplit") : -1;
    return (splitter){oc_attr_string(c, "delimiter"),
                      most < 0 || most == INT64_MAX ? INT64_MAX : most + 1};
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void put(oc_string *part, int64_t n, const char *first, const char *end)
{
    if (part)
        part[n] = (oc_string){first, (size_t)(end - first)};
}

/* The parts of s, which are written to part where that is not NULL; returns how many they are:
 * fewer where the work was ended. */
static int64_t split_at_delimiter(const splitter *p, const oc_work *w, oc_string s, oc_string *part)
{
    const size_t size = p->delimiter.size;
    const char *text = s.data, *at = text, *found;
    int64_t n = 0;
    OC_PIECES (w, piece, (int64_t)s.size - (int64_t)size + 1, PIECE / (int64_t)size + 1) {
        const char *stop = s.data + piece.end;
        while (at < stop && n + 1 < p->most) {
            found = memchr(at, p->delimiter.data[0], (size_t)(stop - at));
            if (found && memcmp(found, p->delimiter.data, size) == 0) {
                put(part, n++, text, found);
                at = text = found + size;
            } else {
                at = found ? found + 1 : stop;
            }
        }
    }
    put(part, n++, text, s.data + s.size);
    return n;
}

static int64_t split_at_space(const splitter *p, const oc_work *w, oc_string s, oc_string *part)
{
    const char *first = NULL, *end = NULL; /* the current part, without white space at its end */
    int64_t n = 0;
    OC_LOOP (w, i, (int64_t)s.size, PIECE) {
        const char *at = s.data + i;
        if (!is_space(*at)) {
            first = first ? first : at;
            end = at + 1;
        } else if (first && n + 1 < p->most) {
            put(part, n++, first, end);
            first = NULL;
        }
    }
    if (first)
        put(part, n++, first, end);
    return n;
}

static int64_t split(const splitter *p, const oc_work *w, oc_string s, oc_string *part)
{
    return p->delimiter.size ? split_at_delimiter(p, w, s, part) : split_at_space(p, w, s, part);
}

/* Keeps the first n parts of a row, which are others' text; the rest become empty. */
static oc_status keep_parts(oc_call *c, oc_string *part, int64_t n, int64_t width)
{
    OC_CALL_LOOP (c, k, n, 64) {
        part[k].data = oc_keep_string(c, part[k].data, part[k].size);
        if (!part[k].data)
            return oc_call_error(c)->code;
    }
    OC_CALL_LOOP (c, k, width - n, 1024)
        part[n + k] = (oc_string){"", 0};
    return OC_OK;
}

static oc_status fill_parts(oc_call *c, const splitter *p, int64_t width)
{
    const oc_value *x = oc_in(c, 0);
    const oc_string *s = x->data;
    oc_dims dims = x->dims;
    dims.n[dims.rank++] = width;
    OC_TRY(oc_set_out(c, 0, OC_STRING, &dims));
    OC_TRY(oc_alloc_out(c, 0));
    const oc_work w = oc_call_work(c, 0);
    oc_string *part = oc_out(c, 0)->data;
    OC_LOOP (&w, i, oc_value_n(x), 16) {
        const int64_t n = split(p, &w, s[i], part + i * width);
        OC_TRY(keep_parts(c, part + i * width, n, width));
    }
    return OC_OK;
}

static oc_status split_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    const oc_string *s = x->data;
    const splitter p = read_splitter(c);
    int64_t width = 0, *count;
    if (x->dims.rank == OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "the output has rank %d, the most is %d", OC_MAX_RANK + 1,
                       OC_MAX_RANK);
    OC_TRY(OC_SCRATCH(c, count, oc_value_n(x)));
    const oc_work w = oc_call_work(c, 0);
    OC_LOOP (&w, i, oc_value_n(x), 16) {
        count[i] = split(&p, &w, s[i], NULL);
        width = oc_max(count[i], width);
    }
    OC_TRY(oc_set_out(c, 1, OC_I64, &x->dims));
    OC_TRY(oc_alloc_out(c, 1));
    oc_call_copy(c, oc_out(c, 1)->data, count, oc_value_bytes(oc_out(c, 1)));
    return fill_parts(c, &p, width);
}

static oc_status split_outline(oc_call *c)
{
    oc_dims dims = oc_in(c, 0)->dims;
    OC_TRY(oc_expect_rank(c, 0, 0, OC_MAX_RANK - 1));
    OC_TRY(oc_outline(c, 1, OC_I64, &dims));
    dims.n[dims.rank++] = -1;
    return oc_outline(c, 0, OC_STRING, &dims);
}

/* clang-format off */
const oc_op oc_ops_string_split[] = {
    {20, "StringSplit <string delimiter?, int maxsplit?> (T1 X) => (T2 Y, T3 Z) "
         "| T1: string; T2: string; T3: int64", NULL, split_run,
         OC_TRAITS(.outline = split_outline)},
    {0}
};
