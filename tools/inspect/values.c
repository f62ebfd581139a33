/* SPDX-License-Identifier: Apache-2.0
 * values.c - what the page shows of the values of a run. */
#include "base/int.h"
#include "common/number.h"
#include "common/signals.h"
#include "inspect/page.h"
#include "values/stats.h"

#include <math.h>

enum { MOST_NUMBERS = 16, MOST_CELLS = 56, LEVELS = 8 };

static void put_number(io_bytes *to, const char *key, double x)
{
    html_put(to, ",\"%s\":\"%.6g\"", key, x);
}

static void put_numbers(io_bytes *to, const oc_value *v)
{
    html_put(to, ",\"numbers\":\"");
    for (int64_t i = 0; i < oc_value_count(v); i++)
        html_put(to, "%s%.6g", i ? " " : "", number_get(oc_value_type(v), oc_value_data(v), i));
    html_put(to, "\"");
}

/* Writes a cell for each element of the last two axes, without axes of length 1 behind them; when
 * there are too many, for one element in each of some strips. */
static void put_cells(io_bytes *to, const oc_value *v)
{
    int rank = oc_value_rank(v);
    const int64_t *dim = oc_value_dims(v);
    while (rank > 1 && dim[rank - 1] == 1)
        rank--;
    const int64_t height = rank > 1 ? dim[rank - 2] : 1, width = dim[rank - 1];
    const int64_t rows = oc_min(height, MOST_CELLS);
    const int64_t columns = oc_min(width, MOST_CELLS);
    double cell[MOST_CELLS * MOST_CELLS], least = INFINITY, greatest = -INFINITY;
    for (int64_t i = 0; i < rows * columns; i++) {
        const int64_t y = (2 * (i / columns) + 1) * height / (2 * rows);
        const int64_t x = (2 * (i % columns) + 1) * width / (2 * columns);
        cell[i] = number_get(oc_value_type(v), oc_value_data(v), y * width + x);
        if (isfinite(cell[i])) {
            least = cell[i] < least ? cell[i] : least;
            greatest = cell[i] > greatest ? cell[i] : greatest;
        }
    }
    html_put(to, ",\"width\":%" PRId64 ",\"height\":%" PRId64 ",\"cells\":\"", columns, rows);
    for (int64_t i = 0; i < rows * columns; i++) {
        const double share = greatest > least ? (cell[i] - least) / (greatest - least) : 0;
        if (isfinite(cell[i]))
            html_put(to, "%d", (int)fmin(share * LEVELS, LEVELS - 1));
        else
            html_put(to, "x");
    }
    html_put(to, "\"");
}

void page_add_value(io_bytes *to, const char *name, const oc_value *v, oc_error *e)
{
    char type[STATS_SHAPE];
    const bool numbers = oc_value_kind(v) == OC_TENSOR && oc_value_type(v) != OC_STRING;
    html_put(to, "%s{\"name\":", to->size ? ",\n" : "");
    html_script_text(to, name);
    html_put(to, ",\"type\":");
    html_script_text(to, stats_shape(v, type));
    if (numbers) {
        const stats s = stats_of(v, e);
        const void *data = oc_value_data(v);
        if (s.ordered) {
            put_number(to, "least", number_get(oc_value_type(v), data, s.least));
            put_number(to, "greatest", number_get(oc_value_type(v), data, s.greatest));
            put_number(to, "mean", s.mean);
        }
        html_put(to, ",\"nan\":%" PRId64 ",\"inf\":%" PRId64, (int64_t)s.n_nan, (int64_t)s.n_inf);
        if (s.ordered && oc_value_count(v) <= MOST_NUMBERS)
            put_numbers(to, v);
        else if (s.ordered)
            put_cells(to, v);
    }
    html_put(to, "}");
}

static void take_node(void *ctx, const oc_node_event *event)
{
    page_observer *o = ctx;
    for (int i = 0; !event->begin && event->depth == 0 && i < event->n_out; i++)
        if (event->out[i] && *event->out_name[i] && o->error.code == OC_OK)
            page_add_value(&o->page->values, event->out_name[i], event->out[i], &o->error);
}

static bool is_over(void *ctx)
{
    const page_observer *o = ctx;
    return o->error.code != OC_OK || signals_cancelled(NULL);
}

void page_observe(page_observer *o, oc_session_options *options)
{
    options->observer.on_node = take_node;
    options->observer.on_node_ctx = o;
    options->observer.view = OC_VIEW_ALL;
    options->limits.cancel = is_over;
    options->limits.cancel_ctx = o;
}
