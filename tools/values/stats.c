/* SPDX-License-Identifier: Apache-2.0
 * stats.c - sums up a value in one line. */
#include "values/stats.h"

#include "common/number.h"
#include "common/signals.h"

#include <math.h>

/* Returns false, with *e set, after SIGINT and after an error. */
static bool may_go_on(oc_error *e)
{
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "statistics of values: cancelled");
    return e->code == OC_OK;
}

stats stats_of(const oc_value *v, oc_error *e)
{
    stats s = {0};
    const oc_type type = oc_value_type(v);
    const void *data = oc_value_data(v);
    const int64_t n = oc_value_count(v);
    const bool is_complex = type == OC_C64 || type == OC_C128;
    double least = 0, greatest = 0, sum = 0;
    int64_t used = 0;
    if (type == OC_STRING)
        return s;
    for (int64_t i = 0; i < n; i++) {
        if (signals_end_at(i) && !may_go_on(e))
            return (stats){0};
        const double x = number_get(type, data, i);
        const double y =
            is_complex ? number_get(type == OC_C64 ? OC_F32 : OC_F64, data, 2 * i + 1) : 0;
        s.n_inf += isinf(x) || isinf(y);
        if (isnan(x) || isnan(y)) {
            s.n_nan++;
            continue;
        }
        if (used == 0 || x < least) {
            least = x;
            s.least = i;
        }
        if (used == 0 || x > greatest) {
            greatest = x;
            s.greatest = i;
        }
        sum += x;
        used++;
    }
    s.ordered = used > 0 && !is_complex;
    s.mean = used && !isnan(sum) ? sum / (double)used : (double)NAN;
    return s;
}

const char *stats_shape(const oc_value *v, char text[STATS_SHAPE])
{
    const char *type = oc_type_name(oc_value_type(v));
    if (oc_value_kind(v) == OC_OPTIONAL) {
        const oc_value *item = oc_value_item(v, 0);
        const bool nested = item && oc_value_kind(item) == OC_SEQUENCE;
        snprintf(text, STATS_SHAPE, nested ? "optional(seq(%s))" : "optional(%s)",
                 item ? type : "none");
    } else if (oc_value_kind(v) == OC_MAP) {
        snprintf(text, STATS_SHAPE, "map(%s, %s)[%" PRId64 "]", oc_type_name(oc_value_key_type(v)),
                 type, oc_value_count(oc_value_item(v, 0)));
    } else if (oc_value_key_type(v)) {
        snprintf(text, STATS_SHAPE, "seq(map(%s, %s))[%" PRId64 "]",
                 oc_type_name(oc_value_key_type(v)), type, oc_value_count(v));
    } else if (oc_value_kind(v) == OC_SEQUENCE) {
        snprintf(text, STATS_SHAPE, "seq(%s)[%" PRId64 "]", type, oc_value_count(v));
    } else {
        size_t at = (size_t)snprintf(text, STATS_SHAPE, "%s[", type);
        for (int i = 0; i < oc_value_rank(v) && at < STATS_SHAPE; i++)
            at += (size_t)snprintf(text + at, STATS_SHAPE - at, "%s%" PRId64, i ? "," : "",
                                   oc_value_dims(v)[i]);
        if (at < STATS_SHAPE)
            snprintf(text + at, STATS_SHAPE - at, "]");
    }
    return text;
}

const char *stats_index(const oc_value *v, int64_t i, char text[STATS_SHAPE])
{
    int64_t index[OC_MAX_RANK];
    size_t at = 0;
    for (int k = oc_value_rank(v) - 1; k >= 0; k--) {
        index[k] = i % oc_value_dims(v)[k];
        i /= oc_value_dims(v)[k];
    }
    at += (size_t)snprintf(text, STATS_SHAPE, "[");
    for (int k = 0; k < oc_value_rank(v); k++)
        at += (size_t)snprintf(text + at, STATS_SHAPE - at, "%s%" PRId64, k ? "," : "", index[k]);
    snprintf(text + at, STATS_SHAPE - at, "]");
    return text;
}

static void tell_more(const stats_more *more, const oc_value *tensor, oc_error *e)
{
    if (more && e->code == OC_OK)
        more->tell(more->ctx, tensor, e);
}

static const char *const map_parts[] = {"keys", "values"};

static void print_items(const char *name, int width, const oc_value *v, const stats_more *more,
                        oc_error *e)
{
    const int indent = (int)strspn(name, " "); /* above 0 for an item of an item */
    for (int64_t i = 0; i < oc_value_count(v) && may_go_on(e); i++) {
        char item[64];
        if (oc_value_kind(v) == OC_MAP)
            snprintf(item, sizeof item, "%*s%s", indent + 2, "", map_parts[i]);
        else
            snprintf(item, sizeof item, "%*s[%" PRId64 "]", indent + 2, "", i);
        stats_print(item, width, oc_value_item(v, i), more, e);
    }
}

void stats_print(const char *name, int width, const oc_value *v, const stats_more *more,
                 oc_error *e)
{
    char shape[STATS_SHAPE], least[NUMBER_TEXT], greatest[NUMBER_TEXT];
    const bool tensor = oc_value_kind(v) == OC_TENSOR;
    const stats s = tensor && e->code == OC_OK ? stats_of(v, e) : (stats){0};
    if (e->code != OC_OK)
        return;
    tool_print("%-*s  %s", width, name, stats_shape(v, shape));
    if (!tensor) {
        putchar('\n');
        print_items(name, width, v, more, e);
        return;
    }
    const oc_type type = oc_value_type(v);
    if (s.ordered)
        tool_print("  min %s  max %s  mean %.6g",
                   number_text(type, oc_value_data(v), s.least, 6, least),
                   number_text(type, oc_value_data(v), s.greatest, 6, greatest),
                   number_unsigned_nan(s.mean));
    if (type == OC_STRING && oc_value_count(v))
        tool_print("  first %s", number_text(type, oc_value_data(v), 0, 6, least));
    if (type != OC_STRING)
        printf("  nan %" PRId64, s.n_nan);
    if (s.n_inf)
        printf("  inf %" PRId64, s.n_inf);
    putchar('\n');
    tell_more(more, v, e);
}

static void json_element(json_writer *j, const char *key, const oc_value *v, int64_t i)
{
    const oc_type type = oc_value_type(v);
    if (number_is_float(type))
        json_number(j, key, number_get(type, oc_value_data(v), i));
    else if (number_is_signed(type))
        json_int(j, key, number_signed(type, oc_value_data(v), i));
    else
        json_unsigned(j, key, number_unsigned(type, oc_value_data(v), i));
}

static void json_items(json_writer *j, const oc_value *v, const stats_more *more, oc_error *e)
{
    const bool map = oc_value_kind(v) == OC_MAP;
    if (oc_value_key_type(v))
        json_text(j, "key_type", oc_type_name(oc_value_key_type(v)));
    if (!map)
        json_array(j, "items");
    for (int64_t i = 0; i < oc_value_count(v) && may_go_on(e); i++) {
        json_object(j, map ? map_parts[i] : NULL);
        stats_json(j, oc_value_item(v, i), more, e);
        json_close(j);
    }
    if (!map)
        json_close(j);
}

void stats_json(json_writer *j, const oc_value *v, const stats_more *more, oc_error *e)
{
    static const char *const kinds[] = {"tensor", "sequence", "optional", "map"};
    json_text(j, "kind", kinds[oc_value_kind(v)]);
    json_text(j, "type", oc_type_name(oc_value_type(v)));
    if (oc_value_kind(v) != OC_TENSOR) {
        json_items(j, v, more, e);
        return;
    }
    json_array(j, "shape");
    for (int i = 0; i < oc_value_rank(v); i++)
        json_int(j, NULL, oc_value_dims(v)[i]);
    json_close(j);
    const stats s = stats_of(v, e);
    if (s.ordered) {
        json_element(j, "min", v, s.least);
        json_element(j, "max", v, s.greatest);
        json_number(j, "mean", s.mean);
    }
    if (oc_value_type(v) != OC_STRING && e->code == OC_OK) {
        json_int(j, "nan", s.n_nan);
        json_int(j, "inf", s.n_inf);
    }
    tell_more(more, v, e);
}
