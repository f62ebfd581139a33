/* SPDX-License-Identifier: Apache-2.0
 * same_row.h - do two versions of an operator mean the same? */
#ifndef OC_RUNTIME_SAME_ROW_H
#define OC_RUNTIME_SAME_ROW_H

#include <ocellus.h>

/* Would every node that row a serves mean the same to row b? Either may be NULL: then not. */
bool oc_row_replaces(const oc_op *a, const oc_op *b, const oc_allocator *hook);

#endif
