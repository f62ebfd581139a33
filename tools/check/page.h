/* SPDX-License-Identifier: Apache-2.0
 * page.h - the frame of a check's page of HTML. */
#ifndef TOOLS_CHECK_PAGE_H
#define TOOLS_CHECK_PAGE_H

#include "files/html.h"

/* From the doctype to the body's begin, with all styles. */
void check_page_head(io_bytes *to, const char *title);
/* What the pictures of heat.h show. */
void check_page_legend(io_bytes *to);

#endif
