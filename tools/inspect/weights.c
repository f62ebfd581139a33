/* SPDX-License-Identifier: Apache-2.0
 * weights.c - inspect --weights and --metadata: initializers and Constants; keys and values. */
#include "inspect/view.h"
#include "inspect/weight_list.h"
#include "session/session_args.h"

static void put_weight(json_writer *j, const weight *w)
{
    char text[PORT_TEXT];
    if (!j) {
        tool_line("%14zu  %-32s %s%s%s%s%s", w->bytes, w->port.name,
                  session_port_text(&w->port, text), w->external ? "  in another file" : "",
                  w->lost ? ", which cannot be read" : "", w->sparse ? "  sparse" : "",
                  w->constant ? "  of a Constant" : "");
        return;
    }
    json_object(j, NULL);
    json_text(j, "name", w->port.name);
    view_json_type(j, &w->port);
    json_unsigned(j, "bytes", w->bytes);
    json_bool(j, "external", w->external);
    json_bool(j, "sparse", w->sparse);
    json_bool(j, "constant", w->constant);
    json_bool(j, "lost", w->lost);
    json_close(j);
}

static void print_sum(const weight_list *w, size_t bytes, int n_external)
{
    const int n = w->n - w->n_constant;
    printf("%14zu  in %d initializer%s, %d of them in other files", bytes, n, n == 1 ? "" : "s",
           n_external);
    if (w->n_constant)
        printf(", and %d Constant%s", w->n_constant, w->n_constant == 1 ? "" : "s");
    putchar('\n');
}

void view_weights(const view *v, oc_error *e)
{
    weight_list w = weight_list_of(v->model, e);
    size_t bytes = 0;
    int n_external = 0;
    if (v->j)
        json_array(v->j, "weights");
    else
        printf("%14s  %s\n", "bytes", w.n_constant ? "weight" : "initializer");
    for (int i = 0; i < w.n; i++) {
        put_weight(v->j, &w.item[i]);
        bytes += w.item[i].bytes; /* fits: all are in one address space, but for lost ones */
        n_external += w.item[i].external;
    }
    if (v->j) {
        json_close(v->j);
        json_int(v->j, "n_weights", w.n);
        json_unsigned(v->j, "bytes", bytes);
        json_int(v->j, "n_external", n_external);
    } else {
        print_sum(&w, bytes, n_external);
    }
    weight_list_free(&w);
}

void view_metadata(const view *v, OC_UNUSED oc_error *e)
{
    const char *key, *value;
    if (v->j)
        json_array(v->j, "metadata");
    for (int i = 0; (key = oc_model_metadata(v->model, i, &value)) != NULL; i++) {
        if (!v->j) {
            tool_line("%s: %s", key, value);
            continue;
        }
        json_object(v->j, NULL);
        json_text(v->j, "key", key);
        json_text(v->j, "value", value);
        json_close(v->j);
    }
    if (v->j)
        json_close(v->j);
    else if (!oc_model_metadata(v->model, 0, NULL))
        printf("no metadata\n");
}
