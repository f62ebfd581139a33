/* SPDX-License-Identifier: Apache-2.0
 * html.h - a text of HTML that grows. */
#ifndef TOOLS_FILES_HTML_H
#define TOOLS_FILES_HTML_H

#include "files/io.h"

/* Memory that cannot be had ends the process, as tool_alloc does. Free with io_bytes_free. */

void html_put(io_bytes *to, const char *format, ...) TOOL_PRINTF(2, 3);
/* Any bytes as text: what HTML means otherwise is escaped, what is no UTF-8 becomes U+FFFD, control
 * characters become blanks. */
void html_text(io_bytes *to, const char *text);
void html_join(io_bytes *to, const io_bytes *from);

#endif
