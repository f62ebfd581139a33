/* SPDX-License-Identifier: Apache-2.0
 * show.c - prints the elements of a tensor, laid out as NumPy lays them out. */
#include "values/show.h"

#include "base/int.h"
#include "common/number.h"
#include "common/signals.h"
#include "values/decimal.h"

enum { EDGE = 3, LINE = 75, WORD = 2 * DECIMAL_TEXT };

typedef struct shower {
    const oc_value *v;
    oc_type part;         /* type of floats and of the parts of a complex type; else undefined */
    bool is_complex, cut; /* cut: only the ends of long axes are shown */
    decimal_column real, imaginary;
    int width;                   /* width of elements that are not floats */
    char line[LINE + WORD + 32]; /* text that is not printed yet */
    size_t size;                 /* size of line */
    int64_t seen;
    oc_error *error;
} shower;

/* Returns false, with the error set, after SIGINT. */
static bool may_go_on(shower *s)
{
    if (signals_end_at(s->seen++))
        tool_fail(s->error, OC_CANCELLED, "printing of values: cancelled");
    return s->error->code == OC_OK;
}

/* Returns the next index after k on an axis of n that is shown; n at the end. */
static int64_t next_shown(const shower *s, int64_t k, int64_t n)
{
    return s->cut && n > 2 * EDGE && k == EDGE - 1 ? n - EDGE : k + 1;
}

/* ---- one element ---- */

static double real_of(const shower *s, int64_t i)
{
    return number_get(s->part, oc_value_data(s->v), s->is_complex ? 2 * i : i);
}

static double imaginary_of(const shower *s, int64_t i)
{
    return number_get(s->part, oc_value_data(s->v), 2 * i + 1);
}

/* Returns an element that is not a float, without padding. */
static const char *plain_text(const shower *s, int64_t i, char text[NUMBER_TEXT])
{
    const oc_type type = oc_value_type(s->v);
    if (type == OC_BOOL)
        return number_unsigned(type, oc_value_data(s->v), i) ? "True" : "False";
    return number_text(type, oc_value_data(s->v), i, 0, text);
}

/* Puts the j of an imaginary number behind its last character that is not a blank. */
static void add_j(char *text, size_t size)
{
    size_t end = strlen(text);
    while (end > 0 && text[end - 1] == ' ')
        end--;
    if (strlen(text) + 1 < size) {
        memmove(text + end + 1, text + end, strlen(text + end) + 1);
        text[end] = 'j';
    }
}

static void write_word(const shower *s, int64_t i, char word[WORD])
{
    char text[DECIMAL_TEXT], other[DECIMAL_TEXT], plain[NUMBER_TEXT];
    if (!s->part) {
        snprintf(word, WORD, "%*s", s->width, plain_text(s, i, plain));
        return;
    }
    snprintf(word, WORD, "%s%s", decimal_text(&s->real, real_of(s, i), text),
             s->is_complex ? decimal_text(&s->imaginary, imaginary_of(s, i), other) : "");
    if (s->is_complex)
        add_j(word, WORD);
}

/* ---- widths of columns ---- */

static void see_range(shower *s, int64_t i)
{
    if (s->part)
        decimal_range(&s->real, real_of(s, i));
    if (s->is_complex)
        decimal_range(&s->imaginary, imaginary_of(s, i));
}

static void see_width(shower *s, int64_t i)
{
    char text[NUMBER_TEXT];
    if (s->part)
        decimal_measure(&s->real, real_of(s, i));
    if (s->is_complex)
        decimal_measure(&s->imaginary, imaginary_of(s, i));
    if (!s->part && oc_value_type(s->v) != OC_STRING) {
        const int width = (int)strlen(plain_text(s, i, text));
        s->width = oc_max(width, s->width);
    }
}

/* Calls see for every element that is shown. at is the index of the first element of this part. */
static void walk_shown(shower *s, int axis, int64_t at, void (*see)(shower *s, int64_t i))
{
    if (!may_go_on(s))
        return;
    if (axis == oc_value_rank(s->v)) {
        see(s, at);
        return;
    }
    const int64_t n = oc_value_dims(s->v)[axis];
    for (int64_t k = 0; k < n && s->error->code == OC_OK; k = next_shown(s, k, n))
        walk_shown(s, axis + 1, at * n + k, see);
}

/* ---- lines ---- */

static void put(shower *s, const char *text)
{
    const size_t room = sizeof s->line - s->size, size = strlen(text);
    const size_t n = size < room ? size : room - 1;
    memcpy(s->line + s->size, text, n);
    s->size += n;
    s->line[s->size] = 0;
}

/* Prints the line without the blanks at its end, and begins another. */
static void end_line(shower *s)
{
    while (s->size > 0 && s->line[s->size - 1] == ' ')
        s->line[--s->size] = 0;
    tool_line("%s", s->line);
    s->size = 0;
    s->line[0] = 0;
}

static void indent(shower *s, int n)
{
    for (int i = 0; i < n; i++)
        put(s, " ");
}

/* Puts a word of the last axis; a line that would become too long ends before it. */
static void put_word(shower *s, const char *word, bool first)
{
    const int inner = oc_value_rank(s->v);
    const size_t most = (size_t)(LINE - inner), begin = (size_t)inner;
    if (!first)
        put(s, " ");
    if (s->size + strlen(word) > most && s->size > begin) {
        end_line(s);
        indent(s, inner);
    }
    put(s, word);
}

static void show_axis(shower *s, int axis, int64_t at)
{
    const int rank = oc_value_rank(s->v);
    const int64_t n = oc_value_dims(s->v)[axis];
    char word[WORD];
    put(s, "[");
    for (int64_t k = 0, next; k < n && may_go_on(s); k = next) {
        next = next_shown(s, k, n);
        if (axis == rank - 1) {
            write_word(s, at * n + k, word);
            put_word(s, word, k == 0);
            if (next > k + 1)
                put_word(s, "...", false);
            continue;
        }
        show_axis(s, axis + 1, at * n + k);
        for (int times = next > k + 1 ? 2 : next<n; times> 0; times--) {
            for (int line = axis; line < rank - 1; line++)
                end_line(s);
            indent(s, axis + 1);
            if (times == 2)
                put(s, "...");
        }
    }
    put(s, "]");
}

/* A number alone is shown with all its digits, at least one behind the point. */
static void show_scalar(shower *s)
{
    char word[WORD];
    write_word(s, 0, word);
    const size_t size = strlen(word);
    if (s->part && !s->is_complex && word[size - 1] == '.')
        snprintf(word + size, WORD - size, "0");
    put(s, word + strspn(word, " "));
}

void show_tensor(const oc_value *v, int64_t most, oc_error *e)
{
    const oc_type type = oc_value_type(v);
    const bool is_complex = type == OC_C64 || type == OC_C128;
    const oc_type part = type == OC_C64 ? OC_F32 : type == OC_C128 ? OC_F64 : type;
    shower s = {.v = v, .is_complex = is_complex, .cut = oc_value_count(v) > most, .error = e};
    s.width = type == OC_BOOL ? 5 : 0; /* 5 is the width of False */
    s.part = number_is_float(part) ? part : OC_UNDEFINED;
    s.real = (decimal_column){.type = s.part, .most = oc_value_rank(v) ? 0 : 16};
    s.imaginary = (decimal_column){.type = s.part, .sign = true, .most = s.real.most};
    if (oc_value_count(v) == 0)
        put(&s, "[]");
    else {
        walk_shown(&s, 0, 0, see_range);
        walk_shown(&s, 0, 0, see_width);
        if (oc_value_rank(v) == 0)
            show_scalar(&s);
        else
            show_axis(&s, 0, 0);
    }
    if (e->code == OC_OK)
        end_line(&s);
}

/* ---- JSON ---- */

void show_json_element(json_writer *j, const char *key, const oc_value *v, int64_t i)
{
    const oc_type type = oc_value_type(v);
    const void *data = oc_value_data(v);
    if (type == OC_STRING) {
        const oc_string *s = (const oc_string *)data + i;
        json_bytes(j, key, s->size ? s->data : "", s->size);
    } else if (type == OC_C64 || type == OC_C128) {
        json_array(j, key);
        for (int k = 0; k < 2; k++)
            json_number(j, NULL, number_get(type == OC_C64 ? OC_F32 : OC_F64, data, 2 * i + k));
        json_close(j);
    } else if (number_is_float(type)) {
        json_number(j, key, number_get(type, data, i));
    } else if (type == OC_BOOL) {
        json_bool(j, key, number_unsigned(type, data, i) != 0);
    } else if (number_is_signed(type)) {
        json_int(j, key, number_signed(type, data, i));
    } else {
        json_unsigned(j, key, number_unsigned(type, data, i));
    }
}

void show_json(json_writer *j, const oc_value *v, int64_t most, oc_error *e)
{
    const int64_t n = oc_value_count(v);
    if (n > most) {
        json_text(j, "values", NULL);
        json_int(j, "elements", n);
        return;
    }
    json_array(j, "values");
    j->flat++;
    for (int64_t i = 0; i < n; i++) {
        if (signals_end_at(i) && signals_cancelled(NULL)) {
            tool_fail(e, OC_CANCELLED, "values: cancelled");
            break;
        }
        show_json_element(j, NULL, v, i);
    }
    json_close(j);
    j->flat--;
}
