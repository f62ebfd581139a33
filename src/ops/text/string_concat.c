/* SPDX-License-Identifier: Apache-2.0
 * string_concat.c - StringConcat: pairs of strings put together, with broadcasting. */
#include "ops/kit/op.h"

OC_CALL_FN(concat_shape, oc_broadcast_shape(c, OC_STRING))

static size_t longest(oc_call *c, const oc_value *v)
{
    const oc_string *s = v->data;
    size_t most = 0;
    OC_CALL_LOOP (c, i, oc_value_n(v), 1024)
        most = oc_max(s[i].size, most);
    return most;
}

typedef struct job {
    oc_call *c;
    char *text; /* room for the longest pair */
} job;

static void copy(oc_call *c, char *to, oc_string from)
{
    enum { LONG = 1 << 20 }; /* bytes from which on the copy asks */
    if (from.size < LONG)
        memcpy(to, from.data, from.size);
    else
        oc_call_copy(c, to, from.data, from.size);
}

/* An oc_row_fn. Once memory has run out it does nothing; the call has the error. */
static void join_row(void *y_, const void *const x[], const int64_t step[], int64_t n,
                     const void *ctx)
{
    const job *j = ctx;
    const oc_string *a = x[0], *b = x[1];
    oc_string *y = y_;
    for (int64_t i = 0; i < n && oc_call_error(j->c)->code == OC_OK; i++) {
        const oc_string left = a[i * step[0]], right = b[i * step[1]];
        copy(j->c, j->text, left);
        copy(j->c, j->text + left.size, right);
        y[i].size = left.size + right.size;
        y[i].data = oc_keep_string(j->c, j->text, y[i].size);
    }
}

static oc_status concat_run(oc_call *c)
{
    const oc_value *const x[] = {oc_in(c, 0), oc_in(c, 1)};
    job j = {.c = c};
    size_t size;
    if (!oc_size_add(longest(c, x[0]), longest(c, x[1]), &size))
        return oc_fail(c, OC_LIMIT, "the strings are too long");
    OC_TRY(OC_SCRATCH(c, j.text, size));
    const oc_work all = oc_call_all(c), alone = oc_work_alone(&all);
    oc_map(oc_out(c, 0), x, 2, join_row, &j, &alone);
    return oc_call_error(c)->code;
}

/* clang-format off */
const oc_op oc_ops_string_concat[] = {
    {20, "StringConcat (T X, T Y) => (T Z) | T: string", concat_shape, concat_run},
    {0}
};
