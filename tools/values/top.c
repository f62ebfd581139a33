/* SPDX-License-Identifier: Apache-2.0
 * top.c - ranks the values along the last axis of a tensor. */
#include "values/top.h"

#include "common/number.h"
#include "common/signals.h"
#include "values/show.h"
#include "values/stats.h"

#include <math.h>

static int row_axis(const oc_value *v)
{
    const int last = oc_value_rank(v) - 1;
    int axis = last;
    while (axis >= 0 && oc_value_dims(v)[axis] == 1)
        axis--;
    return axis < 0 ? last : axis;
}

int64_t top_row_size(const oc_value *v)
{
    return oc_value_dims(v)[row_axis(v)];
}

bool top_has_rows(const oc_value *v)
{
    if (oc_value_kind(v) != OC_TENSOR || oc_value_rank(v) == 0 || oc_value_count(v) == 0)
        return false;
    return number_is_real(oc_value_type(v));
}

/* Is element a larger than element b? A NaN is smaller than all numbers. */
static bool is_larger(const oc_value *v, int64_t a, int64_t b)
{
    const oc_type type = oc_value_type(v);
    const void *data = oc_value_data(v);
    if (number_is_signed(type))
        return number_signed(type, data, a) > number_signed(type, data, b);
    if (!number_is_float(type))
        return number_unsigned(type, data, a) > number_unsigned(type, data, b);
    const double x = number_get(type, data, a), y = number_get(type, data, b);
    return x > y || (isnan(y) && !isnan(x));
}

int top_of_row(const oc_value *v, int64_t row, int n, int64_t index[TOP_MOST], oc_error *e)
{
    const int64_t size = top_row_size(v), base = row * size;
    int used = 0;
    for (int64_t i = 0; i < size; i++) {
        if (signals_end_at(i)) {
            tool_fail(e, OC_CANCELLED, "--top: cancelled");
            return 0;
        }
        if (used == n && !is_larger(v, base + i, base + index[n - 1]))
            continue;
        int low = 0, high = used; /* its place is behind all elements that are not smaller */
        while (low < high) {
            const int middle = (low + high) / 2;
            if (is_larger(v, base + i, base + index[middle]))
                high = middle;
            else
                low = middle + 1;
        }
        used += used < n;
        memmove(index + low + 1, index + low, (size_t)(used - 1 - low) * sizeof *index);
        index[low] = i;
    }
    return used;
}

static int64_t n_rows(const oc_value *v)
{
    return oc_value_count(v) / top_row_size(v);
}

static bool is_labelled(const oc_value *v, const labels *l)
{
    return l->path && l->n == top_row_size(v);
}

/* Writes the coordinates of a row on the axes before its own, "[0,2]", into text and returns
 * text. */
static const char *row_text(const oc_value *v, int64_t row, char text[STATS_SHAPE])
{
    stats_index(v, row * top_row_size(v), text);
    char *end = text + 1;
    for (int left = row_axis(v); left > 0; left--)
        end += 1 + strcspn(end + 1, ",]");
    snprintf(end, 2, "]");
    return text;
}

void top_print(const oc_value *v, int n, const labels *l, oc_error *e)
{
    char text[STATS_SHAPE], number[NUMBER_TEXT];
    int64_t index[TOP_MOST];
    const int64_t rows = n_rows(v);
    for (int64_t row = 0; row < rows && row < TOP_LINES && e->code == OC_OK; row++) {
        const int used = top_of_row(v, row, n, index, e);
        if (rows > 1)
            printf("  row %s\n", row_text(v, row, text));
        for (int k = 0; k < used; k++) {
            const int64_t at = row * top_row_size(v) + index[k];
            size_t size = 0;
            const char *label = is_labelled(v, l) ? labels_line(l, index[k], &size) : "";
            number_text(oc_value_type(v), oc_value_data(v), at, 6, number);
            tool_line("  %6" PRId64 "  %s%s%.*s", index[k], number, size ? "  " : "", (int)size,
                      label);
        }
    }
    if (rows > TOP_LINES)
        printf("  and %" PRId64 " rows more%s\n", rows - TOP_LINES,
               rows > TOP_ROWS ? "" : ", which --json has too");
}

void top_json(json_writer *j, const oc_value *v, int n, const labels *l, oc_error *e)
{
    int64_t index[TOP_MOST];
    const int64_t rows = n_rows(v);
    json_int(j, "axis", row_axis(v));
    json_int(j, "rows", rows);
    json_array(j, "top");
    for (int64_t row = 0; row < rows && row < TOP_ROWS && e->code == OC_OK; row++) {
        const int used = top_of_row(v, row, n, index, e);
        json_array(j, NULL);
        for (int k = 0; k < used; k++) {
            json_object(j, NULL);
            j->flat++;
            json_int(j, "index", index[k]);
            show_json_element(j, "value", v, row * top_row_size(v) + index[k]);
            size_t size;
            const char *label = is_labelled(v, l) ? labels_line(l, index[k], &size) : NULL;
            if (label)
                json_bytes(j, "label", label, size);
            json_close(j);
            j->flat--;
        }
        json_close(j);
    }
    json_close(j);
}
