/* SPDX-License-Identifier: Apache-2.0
 * imports.h - adds the opset imports that a model lacks. */
#pragma once

#include "graph/graph.h"

/* For each domain whose operators m uses without importing it, adds an import of the newest
 * version, or of version 1 where no operator of the domain is built in. A remark tells of each.
 * m is loaded and not yet checked. Files of IR versions 1 and 2, which are older than imports,
 * are left to oc_model_check. */
oc_status oc_imports_complete(oc_model *m, oc_error *e);
