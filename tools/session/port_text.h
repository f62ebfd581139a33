/* SPDX-License-Identifier: Apache-2.0
 * port_text.h - type and shape of a port, as people read them. */
#pragma once

#include "common/tool.h"

enum { PORT_TEXT = 512 };
/* Writes the port's type into text and returns text: "float[N,3,?,8]"; "float[...]" without a
 * declared rank; "seq(float)". */
const char *session_port_text(const oc_port *port, char text[PORT_TEXT]);
