/* SPDX-License-Identifier: Apache-2.0
 * quote.h - writes bytes as the quoted strings and identifiers that lex.c reads. */
#pragma once

#include <ocellus_model.h>

/* Are the bytes an identifier of ASCII letters, digits and '_' only? Such a name never needs
 * quotes. */
bool oc_is_identifier(const char *bytes, size_t size);
/* Writes bytes as a quoted string that the lexer reads back to the same bytes. Returns false when
 * the writer fails. */
bool oc_quote(const oc_writer *out, const char *bytes, size_t size);
