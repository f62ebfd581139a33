/* SPDX-License-Identifier: Apache-2.0
 * string_split.c - StringSplit: each string's parts, and how many they are.
 *
 * Without a delimiter, parts are separated by any amount of white space (space, \t, \n, \v, \f,
 * \r); what is at both ends counts for nothing, and what follows the last split, when maxsplit
 * ends the splitting, is one part. With a delimiter, an empty string is one empty part. */
#include "ops/kit/op.h"

#include <string.h>

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

/* Where the delimiter is next in text, or the end. */
static const char *find(oc_count *count, const char *text, const char *end, oc_string delimiter)
{
    while ((size_t)(end - text) >= delimiter.size) {
        const size_t left = (size_t)(end - text), part = left < PIECE ? left : PIECE;
        const char *begin = text;
        text = memchr(text, delimiter.data[0], part);
        if (!oc_counts(count))
            return end;
        if (!text && part < left) {
            text = begin + part;
            continue;
        }
        if (!text || (size_t)(end - text) < delimiter.size)
            return end;
        if (memcmp(text, delimiter.data, delimiter.size) == 0)
            return text;
        text++;
    }
    return end;
}

/* The parts of s, which are written to part where that is not NULL; returns how many they are:
 * fewer where the work was ended. */
static int64_t split_at_delimiter(const splitter *p, oc_count *count, oc_string s, oc_string *part)
{
    const char *text = s.data, *end = s.data + s.size;
    for (int64_t n = 0;; n++) {
        const char *stop = n + 1 < p->most ? find(count, text, end, p->delimiter) : end;
        if (part)
            part[n] = (oc_string){text, (size_t)(stop - text)};
        if (stop == end)
            return n + 1;
        text = stop + p->delimiter.size;
    }
}

/* Where white space, or what is none, ends in text; NULL: the work was ended. */
static const char *skip(oc_count *count, const char *text, const char *end, bool space)
{
    for (;;) {
        const char *piece = end - text < PIECE ? end : text + PIECE;
        while (text < piece && is_space(*text) == space)
            text++;
        if (!oc_counts(count))
            return NULL;
        if (text < piece || text == end)
            return text;
    }
}

static int64_t split_at_space(const splitter *p, oc_count *count, oc_string s, oc_string *part)
{
    const char *text = s.data, *end = s.data + s.size;
    while (end > text && is_space(end[-1]) && oc_counts(count))
        end--;
    for (int64_t n = 0;; n++) {
        text = skip(count, text, end, true);
        if (!text || text == end)
            return n;
        const char *stop = n + 1 < p->most ? skip(count, text, end, false) : end;
        if (!stop)
            return n;
        if (part)
            part[n] = (oc_string){text, (size_t)(stop - text)};
        text = stop;
    }
}

static int64_t split(const splitter *p, oc_count *count, oc_string s, oc_string *part)
{
    return p->delimiter.size ? split_at_delimiter(p, count, s, part)
                             : split_at_space(p, count, s, part);
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
    OC_TRY(oc_set_out(c, 0, OC_STRING, dims));
    OC_TRY(oc_alloc_out(c, 0));
    oc_count count = oc_call_count(c);
    oc_string *part = oc_out(c, 0)->data;
    for (int64_t i = 0; i < oc_value_n(x) && oc_counts(&count); i++, part += width) {
        const int64_t n = split(p, &count, s[i], part);
        OC_TRY(keep_parts(c, part, n, width));
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
    oc_count steps = oc_call_count(c);
    for (int64_t i = 0; i < oc_value_n(x) && oc_counts(&steps); i++) {
        count[i] = split(&p, &steps, s[i], NULL);
        width = count[i] > width ? count[i] : width;
    }
    OC_TRY(oc_check_limits(c)); /* all strings were looked at */
    OC_TRY(oc_set_out(c, 1, OC_I64, x->dims));
    OC_TRY(oc_alloc_out(c, 1));
    oc_call_copy(c, oc_out(c, 1)->data, count, oc_value_bytes(oc_out(c, 1)));
    return fill_parts(c, &p, width);
}

/* clang-format off */
const oc_op oc_ops_string_split[] = {
    {20, "StringSplit <string delimiter?, int maxsplit?> (T1 X) => (T2 Y, T3 Z) "
         "| T1: string; T2: string; T3: int64", NULL, split_run},
    {0}
};
/* clang-format on */
