/* SPDX-License-Identifier: Apache-2.0
 * string_normalizer.c - StringNormalizer: strings in one case, without stop words.
 *
 * A stop word is a whole element. Unless is_case_sensitive is set, words are compared in lower
 * case. The locale is not used: the two cases are those of Unicode's simple mappings. */
#include "kernels/sort/order.h"
#include "ops/kit/op.h"
#include "ops/kit/strings.h"
#include "ops/text/unicode.h"

typedef int32_t case_fn(int32_t c);

/* Returns the text with each character converted, in `bytes`, which has room for OC_CHAR_BYTES
 * times the text. */
static oc_string convert(const oc_work *w, oc_string text, case_fn *fn, char *bytes)
{
    const char *p = text.data, *end = text.data + text.size;
    char *q = bytes;
    OC_PIECES (w, piece, (int64_t)text.size, 4096)
        while (p < text.data + piece.end)
            q += oc_char_write(fn(oc_char_read(&p, end)), q);
    return (oc_string){bytes, (size_t)(q - bytes)};
}

/* Gives room to convert the longest of n words. */
static oc_status make_room(oc_call *c, const oc_string *word, int64_t n, char **room)
{
    size_t most = 0;
    OC_CALL_LOOP (c, i, n, 1024)
        most = oc_max(word[i].size, most);
    return OC_SCRATCH_OF(c, *room, most, OC_CHAR_BYTES);
}

typedef struct stop_words {
    oc_string *word;
    int64_t n, *sorted; /* numbers of the words, in the order of the words */
    case_fn *fold;      /* folds words before they are compared; NULL: they stay */
    const oc_work *work;
} stop_words;

static int compare(const void *ctx, int64_t a, int64_t b)
{
    const stop_words *s = ctx;
    return oc_order_strings(s->work, s->word[a], s->word[b]);
}

static oc_status read_stop_words(oc_call *c, const oc_work *w, stop_words *s)
{
    const oc_attr *a = oc_attr_get(c, "stopwords");
    *s = (stop_words){.n = a ? a->n : 0, .work = w};
    s->fold = oc_attr_int(c, "is_case_sensitive") ? NULL : oc_char_lower;
    OC_TRY(OC_SCRATCH(c, s->word, s->n));
    OC_TRY(OC_SCRATCH_OF(c, s->sorted, s->n, 2 * sizeof *s->sorted));
    for (int64_t i = 0; i < s->n; i++) {
        char *room;
        s->word[i] = a->u.s[i];
        OC_TRY(make_room(c, &s->word[i], 1, &room));
        if (s->fold)
            s->word[i] = convert(w, s->word[i], s->fold, room);
        s->sorted[i] = i;
    }
    oc_order_merge(s->sorted, s->sorted + s->n, s->n, compare, s, w);
    return OC_OK;
}

/* Is the text a stop word? It is converted in `room`. */
static bool is_stop_word(const stop_words *s, oc_string text, char *room)
{
    if (s->n && s->fold)
        text = convert(s->work, text, s->fold, room);
    for (int64_t low = 0, high = s->n; low < high;) {
        const int64_t middle = low + (high - low) / 2;
        const int order = oc_order_strings(s->work, text, s->word[s->sorted[middle]]);
        if (order == 0)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

/* Collects the words that are kept, converted by fn unless it is NULL. */
static oc_status filter(oc_call *c, case_fn *fn, oc_string *kept, int64_t *n)
{
    const oc_string *x = oc_in(c, 0)->data;
    const int64_t count = oc_value_n(oc_in(c, 0));
    stop_words stop;
    char *room;
    const oc_work w = oc_call_work(c, 0);
    OC_TRY(read_stop_words(c, &w, &stop));
    OC_TRY(make_room(c, x, count, &room));
    *n = 0;
    OC_CALL_LOOP (c, i, count, 16) {
        if (is_stop_word(&stop, x[i], room))
            continue;
        oc_string word = fn ? convert(&w, x[i], fn, room) : x[i];
        word.data = oc_keep_string(c, word.data, word.size);
        if (!word.data)
            return oc_call_error(c)->code;
        kept[(*n)++] = word;
    }
    if (*n == 0)
        kept[(*n)++] = (oc_string){"", 0};
    return OC_OK;
}

static oc_status normalizer_run(oc_call *c)
{
    static const char *const names[] = {"NONE", "LOWER", "UPPER", NULL};
    static case_fn *const fns[] = {NULL, oc_char_lower, oc_char_upper};
    const oc_value *x = oc_in(c, 0);
    oc_dims dims = x->dims;
    oc_string *kept;
    int64_t n;
    int action;
    OC_TRY(oc_attr_enum(c, "case_change_action", names, &action));
    OC_TRY(oc_expect_rank(c, 0, 1, 2));
    if (dims.rank == 2 && dims.n[0] != 1)
        return oc_fail_dims(c, 0, "expected [C] or [1,C]");
    OC_TRY(OC_SCRATCH(c, kept, oc_value_n(x) + 1));
    OC_TRY(filter(c, fns[action], kept, &n));
    dims.n[dims.rank - 1] = n;
    OC_TRY(oc_set_out(c, 0, OC_STRING, &dims));
    OC_TRY(oc_alloc_out(c, 0));
    oc_call_copy(c, oc_out(c, 0)->data, kept, (size_t)n * sizeof *kept);
    return OC_OK;
}

static oc_status normalizer_outline(oc_call *c)
{
    oc_dims dims = oc_in(c, 0)->dims;
    OC_TRY(oc_expect_rank(c, 0, 1, 2));
    dims.n[dims.rank - 1] = -1;
    return oc_outline(c, 0, OC_STRING, &dims);
}

/* clang-format off */
const oc_op oc_ops_string_normalizer[] = {
    {10, "StringNormalizer <string case_change_action = \"NONE\", int is_case_sensitive = 0, "
         "string locale?, strings stopwords?> (T X) => (T Y) | T: string", NULL,
         normalizer_run, OC_TRAITS(.outline = normalizer_outline)},
    {0}
};
