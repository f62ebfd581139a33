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
static const char *find(const oc_work *w, const char *text, const char *end, oc_string delimiter)
{
    const int64_t places = end - text - (int64_t)delimiter.size + 1;
    OC_PIECES (w, p, places, PIECE / (int64_t)delimiter.size + 1) {
        const char *at = text + p.first, *stop = text + p.end;
        while ((at = memchr(at, delimiter.data[0], (size_t)(stop - at)))) {
            if (memcmp(at, delimiter.data, delimiter.size) == 0)
                return at;
            at++;
        }
    }
    return end;
}

/* The parts of s, which are written to part where that is not NULL; returns how many they are:
 * none where the work was ended. */
static int64_t split_at_delimiter(const splitter *p, const oc_work *w, oc_string s, oc_string *part)
{
    const char *text = s.data, *end = s.data + s.size;
    OC_LOOP (w, n, (int64_t)s.size + 1, 64) {
        const char *stop = n + 1 < p->most ? find(w, text, end, p->delimiter) : end;
        if (part)
            part[n] = (oc_string){text, (size_t)(stop - text)};
        if (stop == end)
            return n + 1;
        text = stop + p->delimiter.size;
    }
    return 0;
}

/* Where white space, or what is none, ends in text. */
static const char *skip(const oc_work *w, const char *text, const char *end, bool space)
{
    OC_LOOP (w, i, end - text, 4096)
        if (is_space(text[i]) != space)
            return text + i;
    return end;
}

/* The end of text without the white space there. */
static const char *trim(const oc_work *w, const char *text, const char *end)
{
    OC_LOOP (w, i, end - text, 4096)
        if (!is_space(end[-1 - i]))
            return end - i;
    return text;
}

static int64_t split_at_space(const splitter *p, const oc_work *w, oc_string s, oc_string *part)
{
    const char *text = s.data, *end = trim(w, text, text + s.size);
    OC_LOOP (w, n, (int64_t)s.size + 1, 64) {
        text = skip(w, text, end, true);
        if (text == end)
            return n;
        const char *stop = n + 1 < p->most ? skip(w, text, end, false) : end;
        if (part)
            part[n] = (oc_string){text, (size_t)(stop - text)};
        text = stop;
    }
    return 0;
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
    OC_TRY(oc_set_out(c, 0, OC_STRING, dims));
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
        width = count[i] > width ? count[i] : width;
    }
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
