/* SPDX-License-Identifier: Apache-2.0
 * settings.c - collects and compares what the results of a job depend on. */
#include "map/settings.h"

#include <zlib.h>

void settings_add(settings *s, char *item)
{
    s->item = tool_push(s->item, (size_t)s->n, sizeof *s->item);
    s->item[s->n++] = item;
}

void settings_free(settings *s)
{
    for (int i = 0; i < s->n; i++)
        free(s->item[i]);
    free(s->item);
    *s = (settings){0};
}

/* ---- checksums ---- */

/* Continues the checksum with a file. A file that cannot be read adds nothing; opening the model
 * reports it. */
static unsigned long add_file(unsigned long sum, const char *path)
{
    enum { STEP = 1 << 16 };
    unsigned char *piece = tool_alloc(STEP, 1);
    FILE *f = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    for (size_t n; f && (n = fread(piece, 1, STEP, f)) > 0;)
        sum = crc32(sum, piece, (uInt)n);
    if (f)
        fclose(f);
    free(piece);
    return sum;
}

static bool add_to_sum(void *ctx, const void *bytes, size_t size)
{
    uLong *sum = ctx;
    *sum = crc32_z(*sum, bytes, size);
    return true;
}

/* Returns a checksum of the values that all runs share; the open input counts as its place. */
static unsigned long inputs_checksum(const inputs *in, oc_error *e)
{
    uLong sum = crc32(0, NULL, 0);
    const oc_writer out = {.write = add_to_sum, .ctx = &sum};
    for (int i = 0; i < in->n; i++) {
        const unsigned char has_value = in->value[i] != NULL;
        add_to_sum(&sum, &has_value, 1);
        if (has_value)
            oc_value_write(in->value[i], NULL, &out, e);
    }
    return sum;
}

/* ---- the settings ---- */

static void add_text(settings *s, const char *name, const char *value)
{
    settings_add(s, tool_format("%s %s", name, value ? value : "-"));
}

static void add_number(settings *s, const char *name, int64_t n)
{
    settings_add(s, tool_format("%s %lld", name, (long long)n));
}

static void add_flag(settings *s, const char *name, bool on)
{
    add_text(s, name, on ? "on" : "off");
}

static void add_checksum(settings *s, const char *name, unsigned long sum)
{
    settings_add(s, tool_format("%s crc %08lx", name, sum));
}

static void add_pictures(settings *s, const image_args *i)
{
    add_text(s, "--image-layout", image_layout_names[i->layout]);
    add_text(s, "--image-channels", image_order_names[i->order]);
    add_text(s, "--preset", image_preset_names[i->preset]);
    add_text(s, "--image-mean", i->mean);
    add_text(s, "--image-std", i->std);
    add_text(s, "--image-scale", i->scale);
    add_text(s, "--image-resize", i->resize);
    add_text(s, "--image-fill", i->fill);
    add_text(s, "--resize", image_filter_names[i->filter]);
    add_number(s, "--image-multiple", i->multiple);
    add_flag(s, "--image-no-enlarge", i->no_enlarge);
}

/* The options that results depend on, and the switches, with which a job takes another time. */
static void add_session(settings *s, const session_args *session)
{
    session_told told;
    for (int i = 0; session_args_at(session, i, &told); i++)
        if (told.is_switch || told.changes_results)
            add_text(s, told.name, told.value);
    add_flag(s, "--exact", session->exact);
}

settings settings_of(const char *model, const input_args *input, const inputs *in,
                     const session_args *session, const char *format, int64_t batch, oc_error *e)
{
    settings s = {0};
    unsigned long functions = crc32(0, NULL, 0);
    if (e->code != OC_OK)
        return s;
    for (int i = 0; i < session->functions.n; i++)
        functions = add_file(functions, session->functions.item[i]);
    add_checksum(&s, "model", add_file(crc32(0, NULL, 0), model));
    add_text(&s, "input", oc_model_input(in->model, in->open).name);
    add_checksum(&s, "other-inputs", inputs_checksum(in, e));
    add_text(&s, "--format", format);
    add_number(&s, "--batch", batch);
    add_pictures(&s, &input->image);
    add_flag(&s, "--cast", input->cast);
    add_checksum(&s, "--functions", functions);
    add_session(&s, session);
    return s;
}

/* ---- two jobs ---- */

static size_t name_size(const char *item)
{
    return strcspn(item, " ");
}

static const char *value_of(const char *item)
{
    const size_t size = name_size(item);
    return item[size] ? item + size + 1 : "";
}

/* Returns the value that s has under the name of item; NULL when there is none. */
static const char *value_like(const settings *s, const char *item)
{
    const size_t size = name_size(item);
    for (int i = 0; i < s->n; i++)
        if (name_size(s->item[i]) == size && memcmp(s->item[i], item, size) == 0)
            return value_of(s->item[i]);
    return NULL;
}

/* Does the value say that an option was not given? A record of an older version, which knows fewer
 * options, is one of this job if the new ones are not given. */
static bool is_default(const char *value)
{
    return strcmp(value, "-") == 0 || strcmp(value, "off") == 0;
}

static void add_difference(char **text, const char *item, const char *was, const char *is)
{
    const char *before = *text ? *text : "", *between = *text ? "; " : "";
    was = was && strcmp(was, "-") != 0 ? was : "none";
    is = is && strcmp(is, "-") != 0 ? is : "none";
    char *longer =
        tool_format("%s%s%.*s was %s, is %s", before, between, (int)name_size(item), item, was, is);
    free(*text);
    *text = longer;
}

char *settings_difference(const settings *before, const settings *now)
{
    char *text = NULL;
    for (int i = 0; i < now->n; i++) {
        const char *was = value_like(before, now->item[i]), *is = value_of(now->item[i]);
        if (was ? strcmp(was, is) != 0 : !is_default(is))
            add_difference(&text, now->item[i], was, is);
    }
    for (int i = 0; i < before->n; i++)
        if (!value_like(now, before->item[i]) && !is_default(value_of(before->item[i])))
            add_difference(&text, before->item[i], value_of(before->item[i]), NULL);
    return text;
}
