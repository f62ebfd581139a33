/* SPDX-License-Identifier: Apache-2.0
 * text_value.c - reads a tensor of numbers that are written as text. */
#include "files/text_value.h"

#include "common/data.h"
#include "common/number.h"
#include "files/io.h"

#include <ctype.h>
#include <errno.h>

enum { MOST_NUMBERS = 1 << 20, MOST_AXES = 8, LONGEST = 64 };

bool text_value_is_file(const char *path)
{
    return io_ends_with(path, ".txt") || io_ends_with(path, ".csv") || io_ends_with(path, ".json");
}

bool text_value_is_typed(const char *text)
{
    static const char *const words[] = {"true", "false", "nan", "inf", "-inf"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return *text == '[' ||
           (strpbrk(text, "0123456789") && !text[strspn(text, "0123456789+-.eE,; ")]);
}

/* ---- numbers ---- */

/* A number; whole is exact if is_whole. */
typedef struct number {
    double real;
    int64_t whole;
    bool is_whole;
} number;

typedef struct reader {
    const char *start, *at, *end, *where;
    number *item;
    int n, rank; /* rank is that of a list */
    int64_t dim[MOST_AXES];
    bool known[MOST_AXES]; /* true when the size of the axis is known from its first list */
    oc_error *e;
} reader;

static void fail(reader *r, const char *expected)
{
    int line = 1;
    for (const char *c = r->start; c < r->at; c++)
        line += *c == '\n';
    tool_fail(r->e, OC_FORMAT, "%s: line %d: expected %s", r->where, line, expected);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Reads one number, true or false. */
static void read_number(reader *r)
{
    char text[LONGEST + 1], *end = text;
    size_t size = 0;
    while (size < LONGEST && r->at + size < r->end && r->at[size] &&
           !isspace((unsigned char)r->at[size]) && !strchr(",;[]", r->at[size]))
        size++;
    memcpy(text, r->at, size);
    text[size] = 0;
    number x = {.is_whole = true};
    errno = 0;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        x.whole = text[0] == 't';
        end += size;
    } else if (size) {
        x.whole = strtoll(text, &end, 10);
        x.is_whole = *end == 0 && errno == 0;
    }
    x.real = x.is_whole ? (double)x.whole : strtod(text, &end);
    if (size == 0 || *end) {
        fail(r, "a number");
    } else if (r->n == MOST_NUMBERS) {
        tool_fail(r->e, OC_LIMIT, "%s: more than %d numbers; write a .npy", r->where, MOST_NUMBERS);
    } else {
        r->item = tool_push(r->item, (size_t)r->n, sizeof *r->item);
        r->item[r->n++] = x;
        r->at += size;
    }
}

/* ---- lists ---- */

static void skip_space(reader *r)
{
    while (r->at < r->end && isspace((unsigned char)*r->at))
        r->at++;
}

static bool take(reader *r, char c)
{
    skip_space(r);
    const bool found = r->at < r->end && *r->at == c;
    r->at += found;
    return found;
}

/* Reads a list from behind its bracket. All lists of one axis have equal lengths. */
static void read_list(reader *r, int axis)
{
    int64_t n = 0;
    if (axis == MOST_AXES) {
        fail(r, "at most 8 brackets within each other");
        return;
    }
    for (bool more = !take(r, ']'); more && r->e->code == OC_OK; n++) {
        const bool inner = take(r, '[');
        if (r->rank && (axis + 1 == r->rank) == inner) {
            fail(r, "lists of equal depth");
            return;
        }
        if (inner) {
            read_list(r, axis + 1);
        } else {
            r->rank = axis + 1;
            skip_space(r);
            read_number(r);
        }
        more = take(r, ',');
        if (!more && r->e->code == OC_OK && !take(r, ']'))
            fail(r, "',' or ']'");
    }
    if (r->e->code == OC_OK && r->known[axis] && r->dim[axis] != n)
        fail(r, "lists of equal length");
    r->dim[axis] = n;
    r->known[axis] = true;
    if (!r->rank)
        r->rank = axis + 1; /* the list is empty */
}

/* ---- tables ---- */

static int read_row(reader *r)
{
    const int before = r->n;
    while (r->at < r->end && *r->at != '\n' && r->e->code == OC_OK) {
        if (is_blank(*r->at)) {
            r->at++;
            continue;
        }
        read_number(r);
        while (r->at < r->end && is_blank(*r->at))
            r->at++;
        r->at += r->at < r->end && (*r->at == ',' || *r->at == ';');
    }
    r->at += r->at < r->end;
    return r->n - before;
}

/* Shapes a table of rows x columns for a port of that rank; rank -1: any. */
static void shape_table(reader *r, int64_t rows, int64_t columns, int rank)
{
    const bool is_line = rows == 1 || columns == 1, is_one = rows * columns == 1;
    r->rank = rank >= 0 && rank <= MOST_AXES ? rank : is_one ? 0 : is_line ? 1 : 2;
    r->rank = r->rank < 2 && !is_line ? 2 : r->rank == 0 && !is_one ? 1 : r->rank;
    for (int k = 0; k < r->rank; k++)
        r->dim[k] = 1;
    if (r->rank == 1)
        r->dim[0] = rows * columns;
    if (r->rank > 1) {
        r->dim[r->rank - 1] = columns;
        r->dim[r->rank - 2] = rows;
    }
}

static void read_table(reader *r, int rank)
{
    int64_t rows = 0, columns = 0;
    while (r->at < r->end && r->e->code == OC_OK) {
        const int n = read_row(r);
        if (n && rows && n != columns && r->e->code == OC_OK)
            tool_fail(r->e, OC_FORMAT, "%s: row %" PRId64 " has %d numbers, the first %" PRId64,
                      r->where, rows + 1, n, columns);
        columns = n ? n : columns;
        rows += n > 0;
    }
    if (r->e->code == OC_OK && r->n == 0)
        fail(r, "a number");
    if (r->e->code == OC_OK)
        shape_table(r, rows, columns, rank);
}

/* ---- the tensor ---- */

static bool holds(oc_type type, const oc_value *v, int64_t i, const number *x)
{
    if (type == OC_BOOL)
        return x->is_whole && (x->whole == 0 || x->whole == 1);
    return number_is_float(type) ||
           (x->is_whole && number_get(type, oc_value_data(v), i) == x->real);
}

static void set(oc_type type, oc_value *v, int64_t i, const number *x)
{
    if (type == OC_I64)
        ((int64_t *)oc_value_mutable_data(v))[i] = x->whole;
    else
        number_set(type, oc_value_mutable_data(v), i, x->real);
}

static void fill_elements(const reader *r, oc_type type, oc_value *v)
{
    for (int i = 0; i < r->n && r->e->code == OC_OK; i++) {
        const number *x = &r->item[i];
        set(type, v, i, x);
        if (!holds(type, v, i, x))
            tool_fail(r->e, OC_VALUE, "%s: number %d is %.17g, expected %s", r->where, i + 1,
                      x->real, oc_type_name(type));
    }
}

oc_value *text_value_read(const char *text, size_t size, const oc_port *port, const char *where,
                          oc_error *e)
{
    reader r = {.start = text, .at = text, .end = text + size, .where = where, .e = e};
    const oc_type type = port->type == OC_UNDEFINED ? OC_F32 : port->type;
    oc_value *v = NULL;
    if (e->code != OC_OK)
        return NULL;
    if (port->kind != OC_TENSOR || !number_is_real(type)) {
        tool_fail(e, OC_ARGUMENT, "%s: input '%s' is no tensor of numbers, which text gives", where,
                  port->name);
        return NULL;
    }
    if (take(&r, '[')) {
        read_list(&r, 0);
        skip_space(&r);
        if (e->code == OC_OK && r.at < r.end)
            fail(&r, "the end of the text");
    } else {
        read_table(&r, port->rank);
    }
    if (e->code == OC_OK)
        v = data_tensor(type, r.rank, r.dim, where, e);
    if (v)
        fill_elements(&r, type, v);
    free(r.item);
    if (e->code == OC_OK)
        return v;
    oc_value_free(v);
    return NULL;
}
