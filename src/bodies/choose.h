/* SPDX-License-Identifier: Apache-2.0
 * choose.h - which body runs in place of a node: the host's own, else one of ONNX's where there is
 * no kernel or the choice asks for it. */
#ifndef OC_BODIES_CHOOSE_H
#define OC_BODIES_CHOOSE_H

#include "bodies/bodies.h"
#include "bodies/library.h"

typedef struct oc_chooser {
    oc_body_options choice;
    const oc_op *host_ops;
    struct oc_own_body *own; /* the host's, in order */
    int n_own;
    oc_body_library library; /* parsed functions; chosen ones live as long as its model */
    oc_error *e;
} oc_chooser;

/* Reads the headers of the host's own bodies. options: of the library's model. */
oc_status oc_chooser_new(const oc_body_options *choice, const oc_op *host_ops,
                         const oc_model_options *options, oc_chooser *chooser, oc_error *e);
/* Frees the functions too. Whoever takes chooser->library.model over sets it to NULL first. */
void oc_chooser_free(oc_chooser *chooser);

/* Would a node of this operator run by a body? */
bool oc_chooser_has(const oc_chooser *c, const char *domain, const char *name, int64_t opset);
/* Does the choice prefer bodies for the operator of this name? */
bool oc_chooser_prefers(const oc_chooser *c, const char *name);

/* *function becomes the body of the call's node, parsed for this call; NULL: the node stays. */
oc_status oc_choose_body(oc_chooser *c, const oc_body_call *call, const oc_function **function);

#endif
