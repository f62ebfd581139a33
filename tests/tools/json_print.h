/* SPDX-License-Identifier: Apache-2.0
 * json_print.h - a tree of json_read.h as JSON without blanks, for tests to compare. */
#pragma once

#include "common/json_read.h"

typedef struct json_print {
    char *text; /* ended by NUL; free it with free */
    size_t size;
} json_print;

static inline void json_print_bytes(json_print *p, const char *bytes, size_t size)
{
    p->text = tool_grow(p->text, p->size + size + 1, 1);
    memcpy(p->text + p->size, bytes, size);
    p->size += size;
    p->text[p->size] = 0;
}

static inline void json_print_text(json_print *p, const char *text, size_t size)
{
    char escape[8];
    json_print_bytes(p, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];
        const bool plain = c >= 0x20 && c != '"' && c != '\\';
        snprintf(escape, sizeof escape, plain ? "%c" : "\\u%04x", c);
        json_print_bytes(p, escape, strlen(escape));
    }
    json_print_bytes(p, "\"", 1);
}

static inline void json_print_value(json_print *p, const json_value *v)
{
    char number[64];
    const bool is_object = v->kind == JSON_OBJECT;
    switch (v->kind) {
    case JSON_NULL:
        json_print_bytes(p, "null", 4);
        break;
    case JSON_BOOL:
        json_print_bytes(p, v->number != 0 ? "true" : "false", v->number != 0 ? 4 : 5);
        break;
    case JSON_NUMBER:
        if (v->number != v->number)
            snprintf(number, sizeof number, "NaN");
        else if (v->number - v->number != 0)
            snprintf(number, sizeof number, v->number > 0 ? "Infinity" : "-Infinity");
        else
            snprintf(number, sizeof number, "%.17g", v->number);
        json_print_bytes(p, number, strlen(number));
        break;
    case JSON_TEXT:
        json_print_text(p, v->text, v->size);
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        json_print_bytes(p, is_object ? "{" : "[", 1);
        for (const json_value *i = v->first; i; i = i->next) {
            if (i != v->first)
                json_print_bytes(p, ",", 1);
            if (is_object) {
                json_print_text(p, i->key, strlen(i->key));
                json_print_bytes(p, ":", 1);
            }
            json_print_value(p, i);
        }
        json_print_bytes(p, is_object ? "}" : "]", 1);
    }
}
