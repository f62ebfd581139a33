/* SPDX-License-Identifier: Apache-2.0
 * fuzz_inline.c - any text as a model with functions: refused, or inlined to a model without, and
 * with ONNX's bodies expanded to one that imports a single version for all nodes. */
#include "graph/build.h"
#include "graph/check.h"
#include "graph/inline.h"
#include "graph/usage.h"
#include "harness.h"
#include "loader/loader.h"

#include <stdio.h>
#include <stdlib.h>

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

static void expand(const oc_model *m, oc_body_policy policy)
{
    oc_error e = {0};
    oc_model *out = oc_model_expand(m, policy, NULL, &e);
    if (out) {
        check_inlined(out);
        check_versions(&out->graph);
    } else if (e.code == OC_OK) {
        abort();
    }
    oc_model_free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    oc_model *m = NULL, *out = NULL;
    if (oc_model_new(&(oc_model_options){.memory_cap = MEMORY_CAP}, &m, &e) == OC_OK &&
        oc_load_text(m, (const char *)bytes, size, &e) == OC_OK && oc_model_check(m, &e) == OC_OK &&
        oc_model_inline(m, NULL, &out, &e) == OC_OK)
        check_inlined(out);
    if (e.code == OC_OK && (!out || out->n_function))
        abort();
    if (e.code == OC_OK && oc_model_count_usage(m, &e) == OC_OK) {
        expand(m, OC_BODY_NATIVE);
        expand(m, OC_BODY_EXPAND);
    }
    oc_model_free(out);
    oc_model_free(m);
    return 0;
}
