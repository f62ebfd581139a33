/* SPDX-License-Identifier: Apache-2.0
 * imports.h - the opset imports that a model forgets. */
#ifndef OC_RUNTIME_IMPORTS_H
#define OC_RUNTIME_IMPORTS_H

#include "graph/graph.h"

/* Adds an import of the newest version of each domain whose operators m uses and does not import,
 * or of version 1 where no operator of it is built in; a remark tells of it. m is loaded and not
 * yet checked. Of files older than opset imports (IR versions 1 and 2) oc_model_check knows the
 * version. */
oc_status oc_imports_complete(oc_model *m, oc_error *e);

#endif
