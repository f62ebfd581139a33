/* SPDX-License-Identifier: Apache-2.0
 * fuzz_inline.c - any text as a model with functions: refused, or inlined to a model without, and
 * with ONNX's bodies expanded to one that imports a single version for all nodes. */
#include "graph/build.h"
#include "graph/check.h"
#include "bodies/inline.h"
#include "graph/ports.h"
#include "byte_buffer.h"
#include "harness.h"
#include "loader/loader.h"
#include "mutate_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_CAP = 256 << 20 };

/* What inlining makes is valid, but for inputs that are missing where only a value will do. */
static void check_inlined(oc_model *out)
{
    oc_error e = {0};
    if (oc_model_check(out, &e) != OC_OK)
        return;
    if (oc_model_count_usage(out, &e) != OC_OK)
        return;
    for (int i = 0; i < out->n_usage; i++)
        if (out->usage[i].function >= 0 || out->n_function) {
            fprintf(stderr, "a call of '%s' is left\n", out->usage[i].op_type);
            abort();
        }
}

static void check_versions(const oc_graph *g)
{
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        if (n->opset)
            abort();
        for (int a = 0; a < n->n_attr; a++)
            for (int k = 0; k < oc_attr_n_graphs(&n->attr[a]); k++)
                check_versions(n->attr[a].u.g[k]);
    }
}

/* What is written can be read, but for what is more than a reader takes. */
static void check_file(const oc_model *m, oc_format format)
{
    oc_error e = {0};
    byte_buffer b = {NULL, 0, 0};
    const oc_writer out = {byte_buffer_append, &b};
    oc_model_save(m, format, &out, &e);
    oc_model *back = oc_model_load_memory(b.bytes, b.size,
                                          &(oc_model_options){.limits.memory_cap = MEMORY_CAP}, &e);
    if (!back && e.code != OC_LIMIT && e.code != OC_UNSUPPORTED) {
        fprintf(stderr, "%s\n%.*s\n", e.text, format == OC_FORMAT_TEXT ? (int)b.size : 0, b.bytes);
        abort();
    }
    oc_model_free(back);
    free(b.bytes);
}

static void expand(const oc_model *m, oc_body_policy policy)
{
    oc_error e = {0};
    oc_model *out = oc_model_expand(m, policy, NULL, &e);
    if (out) {
        check_inlined(out);
        check_versions(&out->graph);
        check_file(out, OC_FORMAT_ONNX);
        check_file(out, OC_FORMAT_TEXT);
    } else if (e.code == OC_OK) {
        abort();
    }
    oc_model_free(out);
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    return mutate_text(bytes, size, room, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    oc_model *m = NULL, *out = NULL;
    if (oc_model_new(&(oc_model_options){.limits.memory_cap = MEMORY_CAP}, &m, &e) == OC_OK &&
        oc_load_text(m, (const char *)bytes, size, &e) == OC_OK && oc_model_check(m, &e) == OC_OK &&
        oc_model_inline(m, NULL, NULL, &out, &e) == OC_OK)
        check_inlined(out);
    if (e.code == OC_OK && (!out || out->n_function))
        abort();
    if (e.code == OC_OK && oc_model_count_usage(m, &e) == OC_OK) {
        expand(m, OC_BODY_NATIVE);
        expand(m, OC_BODY_EXPAND);
        expand(m, OC_BODY_STANDARD);
    }
    oc_model_free(out);
    oc_model_free(m);
    return 0;
}
