/* SPDX-License-Identifier: Apache-2.0
 * weights.c - inspect --weights and --metadata: initializers; keys and values. */
#include "inspect/view.h"
#include "session/session_args.h"

static oc_port port_of(const oc_weight *w)
{
    oc_port p = {.name = w->name, .type = w->type, .rank = w->rank};
    for (int i = 0; i < w->rank; i++)
        p.dim[i] = w->dim[i];
    return p;
}

static void put_weight(json_writer *j, const oc_weight *w)
{
    const oc_port port = port_of(w);
    char text[PORT_TEXT];
    if (!j) {
        tool_line("%14zu  %-32s %s%s%s", w->bytes, w->name, session_port_text(&port, text),
                  w->external ? "  in another file" : "", w->sparse ? "  sparse" : "");
        return;
    }
    json_object(j, NULL);
    json_text(j, "name", w->name);
    view_json_type(j, &port);
    json_unsigned(j, "bytes", w->bytes);
    json_bool(j, "external", w->external);
    json_bool(j, "sparse", w->sparse);
    json_close(j);
}

void view_weights(const view *v, OC_UNUSED oc_error *e)
{
    oc_weight w;
    size_t bytes = 0;
    int n = 0, n_external = 0;
    if (v->j)
        json_array(v->j, "weights");
    else
        printf("%14s  %s\n", "bytes", "initializer");
    for (; oc_model_weight_at(v->model, n, &w); n++) {
        put_weight(v->j, &w);
        bytes += w.bytes; /* fits, as all are in one address space; only strings may be shared */
        n_external += w.external;
    }
    if (v->j) {
        json_close(v->j);
        json_int(v->j, "n_weights", n);
        json_unsigned(v->j, "bytes", bytes);
        json_int(v->j, "n_external", n_external);
    } else {
        printf("%14zu  in %d initializer%s, %d of them in other files\n", bytes, n,
               n == 1 ? "" : "s", n_external);
    }
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
