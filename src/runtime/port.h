/* SPDX-License-Identifier: Apache-2.0
 * port.h - shows a declared value in the public interface. */
#pragma once

#include "graph/graph.h"

/* Returns the port of a declared value. For a list its type is the type of the items. The
 * strings belong to info; has_default is false. */
oc_port oc_port_of(const oc_value_info *info);
