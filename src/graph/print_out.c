/* SPDX-License-Identifier: Apache-2.0
 * print_out.c - buffered output, names, pairs and annotations for the printer. */
#include "graph/print_out.h"

#include "base/int.h"
#include "base/quote.h"
#include "base/number.h"

/* ---- bytes ---- */

bool oc_print_flush(oc_print *p)
{
    if (p->n && !p->failed)
        p->failed = !p->out->write(p->out->ctx, p->buffer, p->n);
    p->n = 0;
    return !p->failed;
}

void oc_put_bytes(oc_print *p, const void *bytes, size_t size)
{
    for (const char *from = bytes; size > 0;) {
        if (p->n == sizeof p->buffer && !oc_print_flush(p))
            return;
        const size_t room = sizeof p->buffer - p->n, part = oc_min(size, room);
        memcpy(p->buffer + p->n, from, part);
        p->n += part;
        from += part;
        size -= part;
    }
}

void oc_put(oc_print *p, const char *text)
{
    oc_put_bytes(p, text, strlen(text));
}

void oc_put_int(oc_print *p, int64_t n)
{
    char text[24];
    oc_put_bytes(p, text, (size_t)snprintf(text, sizeof text, "%" PRId64, n));
}

void oc_put_line(oc_print *p)
{
    oc_put(p, "\n");
    for (int i = 0; i < p->indent; i++)
        oc_put(p, "  ");
}

void oc_put_separator(oc_print *p, int i, const char *separator)
{
    if (i > 0)
        oc_put(p, separator);
}

/* ---- names ---- */

static bool write_to_print(void *ctx, const void *bytes, size_t size)
{
    oc_put_bytes(ctx, bytes, size);
    return !((oc_print *)ctx)->failed;
}

void oc_put_quoted_bytes(oc_print *p, const char *bytes, size_t size)
{
    const oc_writer out = {write_to_print, p};
    (void)oc_quote(&out, bytes, size);
}

void oc_put_quoted(oc_print *p, const char *text)
{
    oc_put_quoted_bytes(p, text, strlen(text));
}

void oc_put_id(oc_print *p, const char *name)
{
    if (oc_is_identifier(name, strlen(name)))
        oc_put(p, name);
    else
        oc_put_quoted(p, name);
}

/* Would a reader take the name for the begin of a type or for a number? */
static bool is_word(const char *name)
{
    static const char *const words[] = {"seq",           "optional", "map",
                                        "sparse_tensor", "opaque",   "undefined"};
    double x;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return oc_type_find(name, strlen(name)) || oc_f64_parse(name, strlen(name), &x);
}

void oc_put_name(oc_print *p, const char *name)
{
    if (is_word(name))
        oc_put_quoted(p, name);
    else
        oc_put_id(p, name);
}

/* Are all parts between the dots identifiers? */
static bool is_dotted(const char *name)
{
    for (const char *dot; (dot = strchr(name, '.')) != NULL; name = dot + 1)
        if (!oc_is_identifier(name, (size_t)(dot - name)))
            return false;
    return oc_is_identifier(name, strlen(name));
}

void oc_put_dotted(oc_print *p, const char *name)
{
    if (is_dotted(name))
        oc_put(p, name);
    else
        oc_put_quoted(p, name);
}

/* ---- pairs and annotations ---- */

void oc_put_pairs(oc_print *p, const oc_pairs *pairs)
{
    oc_put(p, "[");
    for (int i = 0; i < pairs->n; i++) {
        oc_put_separator(p, i, ", ");
        oc_put_quoted(p, pairs->item[i].key);
        oc_put(p, ": ");
        oc_put_quoted(p, pairs->item[i].value);
    }
    oc_put(p, "]");
}

static void put_quantization(oc_print *p, const oc_quantization *q, int n)
{
    oc_put(p, "[");
    for (int i = 0; i < n; i++) {
        oc_put_separator(p, i, ", ");
        oc_put_quoted(p, q[i].tensor);
        oc_put(p, ": ");
        oc_put_pairs(p, &q[i].parameters);
    }
    oc_put(p, "]");
}

/* Writes "{key: " for the first entry, ", key: " for the others. */
static void put_key(oc_print *p, int *n, const char *key)
{
    oc_put(p, (*n)++ ? ", " : "{");
    oc_put(p, key);
    oc_put(p, ": ");
}

void oc_put_note(oc_print *p, const oc_print_note *note)
{
    int n = 0;
    if (note->doc && *note->doc) {
        put_key(p, &n, "doc_string");
        oc_put_quoted(p, note->doc);
    }
    if (note->denotation && *note->denotation) {
        put_key(p, &n, "denotation");
        oc_put_quoted(p, note->denotation);
    }
    if (note->metadata && note->metadata->n) {
        put_key(p, &n, "metadata_props");
        oc_put_pairs(p, note->metadata);
    }
    if (note->metadata && note->metadata->rest) {
        put_key(p, &n, "fields");
        oc_put_quoted_bytes(p, note->metadata->rest->data, note->metadata->rest->size);
    }
    if (note->n_quantization) {
        put_key(p, &n, "quantization");
        put_quantization(p, note->quantization, note->n_quantization);
    }
    if (note->opset) {
        put_key(p, &n, "opset");
        oc_put_int(p, note->opset);
    }
    if (n)
        oc_put(p, "} ");
}
