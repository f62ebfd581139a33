/* SPDX-License-Identifier: Apache-2.0
 * port.h - a declared value as the public interface shows it. */
#ifndef OC_RUNTIME_PORT_H
#define OC_RUNTIME_PORT_H

#include "graph/graph.h"

/* Lists show the type of their items. Strings are those of info; has_default is false. */
oc_port oc_port_of(const oc_value_info *info);

#endif
