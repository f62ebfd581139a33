/* SPDX-License-Identifier: Apache-2.0
 * report_page.h - the frame of the HTML page. */
#pragma once

#include "files/html.h"

/* Appends the page's head, from the doctype to <body>, with all styles. */
void check_page_head(io_bytes *to, const char *title);
/* Appends the legend of the pictures that heat.h draws. */
void check_page_legend(io_bytes *to);
