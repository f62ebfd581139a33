/* SPDX-License-Identifier: Apache-2.0
 * regex_class.c - reads escapes and brackets, and adds their ranges. */
#include "ops/text/regex.h"

/* ---- ranges */

void oc_regex_add(oc_regex_parser *p, int32_t first, int32_t last)
{
    oc_regex *r = p->r;
    if (p->error)
        return;
    if (r->n_ranges == OC_REGEX_RANGES) {
        oc_regex_fail(p, OC_LIMIT, "the pattern is too large");
        return;
    }
    r->range[r->n_ranges++] = (oc_char_range){first, last};
}

/* Classes as pairs of characters, in order: first and last of each range. */
static const struct {
    const char *name;
    const char *pairs;
} named[] = {
    {"alnum", "09AZaz"},
    {"alpha", "AZaz"},
    {"ascii", "\x01\x7f"},
    {"blank", "\t\t  "},
    {"cntrl", "\x01\x1f\x7f\x7f"},
    {"digit", "09"},
    {"graph", "!~"},
    {"lower", "az"},
    {"print", " ~"},
    {"punct", "!/:@[`{~"},
    {"space", "\t\r  "},
    {"upper", "AZ"},
    {"word", "09AZ__az"},
    {"xdigit", "09AFaf"},
};

static const char digits[] = "09", words[] = "09AZ__az", spaces[] = "\t\n\f\r  ";

enum {
    ASCII = 128,
    LONG_S = 0x17f,
    KELVIN = 0x212a
}; /* the latter two are s and k in other case */

static void add_all_but(oc_regex_parser *p, const bool *in)
{
    int32_t first = 0;
    for (int32_t c = 0; c < ASCII; c++)
        if (in[c]) {
            if (first < c)
                oc_regex_add(p, first, c - 1);
            first = c + 1;
        }
    if (p->fold && in['s']) {
        oc_regex_add(p, first, LONG_S - 1);
        first = LONG_S + 1;
    }
    if (p->fold && in['k']) {
        oc_regex_add(p, first, KELVIN - 1);
        first = KELVIN + 1;
    }
    oc_regex_add(p, first, OC_CHAR_MOST);
}

/* A pair that begins with character 1 begins with 0. outside: all characters but these, where the
 * flag i holds in neither case. */
static void add_pairs(oc_regex_parser *p, const char *pairs, bool outside)
{
    bool in[ASCII] = {false};
    for (; *pairs; pairs += 2) {
        const int32_t first = pairs[0] == 1 ? 0 : pairs[0], last = pairs[1];
        if (!outside)
            oc_regex_add(p, first, last);
        for (int32_t c = first; c <= last; c++) {
            in[c] = true;
            in[oc_char_lower(c)] |= p->fold;
            in[oc_char_upper(c)] |= p->fold;
        }
    }
    if (outside)
        add_all_but(p, in);
}

/* ---- escapes */

bool oc_regex_class_escape(oc_regex_parser *p)
{
    if (p->end - p->at < 2 || *p->at != '\\')
        return false;
    switch (p->at[1]) {
    case 'd':
    case 'D':
        add_pairs(p, digits, p->at[1] == 'D');
        break;
    case 'w':
    case 'W':
        add_pairs(p, words, p->at[1] == 'W');
        break;
    case 's':
    case 'S':
        add_pairs(p, spaces, p->at[1] == 'S');
        break;
    case 'p':
    case 'P':
        oc_regex_fail(p, OC_UNSUPPORTED, "classes of Unicode (\\p) are not supported");
        break;
    default:
        return false;
    }
    p->at += 2;
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Reads what follows \x: two digits, or any number of digits in braces. */
static int32_t read_hex(oc_regex_parser *p)
{
    const bool braces = p->at < p->end && *p->at == '{';
    int32_t value = 0;
    int n = 0;
    p->at += braces;
    for (; p->at < p->end && hex_digit(*p->at) >= 0 && (braces || n < 2); n++, p->at++) {
        value = value * 16 + hex_digit(*p->at);
        if (value > OC_CHAR_MOST)
            break;
    }
    if (n < (braces ? 1 : 2) || value > OC_CHAR_MOST ||
        (braces && (p->at == p->end || *p->at != '}')))
        return oc_regex_fail(p, OC_VALUE, "expected a character's number behind \\x");
    p->at += braces;
    return value;
}

/* Reads an escape for one character, whose backslash is read already. */
static int32_t read_escape(oc_regex_parser *p)
{
    static const char names[] = "afnrtv", values[] = "\a\f\n\r\t\v";
    if (p->at == p->end)
        return oc_regex_fail(p, OC_VALUE, "the pattern ends with a backslash");
    const char c = *p->at++;
    const char *name = c ? strchr(names, c) : NULL;
    if (name)
        return values[name - names];
    if (c == 'x')
        return read_hex(p);
    if (c == '0' || (c >= '1' && c <= '7' && p->at < p->end && *p->at >= '0' && *p->at <= '7')) {
        int32_t value = c - '0';
        for (int n = 1; n < 3 && p->at < p->end && *p->at >= '0' && *p->at <= '7'; n++)
            value = value * 8 + *p->at++ - '0';
        return value;
    }
    if ((c & 0x80) == 0 && hex_digit(c) < 0 && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z'))
        return c;
    return oc_regex_fail(p, OC_VALUE, "no such escape");
}

int32_t oc_regex_itself(oc_regex_parser *p)
{
    const int32_t c = oc_char_read(&p->at, p->end);
    return c <= OC_CHAR_MOST ? c : oc_regex_fail(p, OC_VALUE, "the pattern is not valid UTF-8");
}

int32_t oc_regex_char(oc_regex_parser *p)
{
    if (*p->at == '\\') {
        p->at++;
        return read_escape(p);
    }
    return oc_regex_itself(p);
}

/* ---- brackets */

/* Reads [:name:] within brackets; false: there is none. */
static bool read_named(oc_regex_parser *p)
{
    if (p->end - p->at < 2 || p->at[0] != '[' || p->at[1] != ':')
        return false;
    const char *stop = p->at + 2;
    while (p->end - stop >= 2 && (stop[0] != ':' || stop[1] != ']'))
        stop++;
    if (p->end - stop < 2)
        return false;
    const bool outside = p->at[2] == '^';
    const char *name = p->at + 2 + outside;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strlen(named[i].name) == (size_t)(stop - name) &&
            memcmp(named[i].name, name, (size_t)(stop - name)) == 0) {
            add_pairs(p, named[i].pairs, outside);
            p->at = stop + 2;
            return true;
        }
    oc_regex_fail(p, OC_VALUE, "no such class");
    return true;
}

static void read_range(oc_regex_parser *p)
{
    const int32_t first = oc_regex_char(p);
    int32_t last = first;
    if (p->end - p->at >= 2 && p->at[0] == '-' && p->at[1] != ']') {
        p->at++;
        last = oc_regex_char(p);
        if (last < first)
            oc_regex_fail(p, OC_VALUE, "a range of characters that ends before it begins");
    }
    oc_regex_add(p, first, last);
}

/* Reads a class from behind the opening bracket to behind the closing one. */
void oc_regex_brackets(oc_regex_parser *p, bool *outside)
{
    *outside = p->at < p->end && *p->at == '^';
    p->at += *outside;
    bool is_first = true; /* a bracket there is a character */
    while (!p->error && p->at < p->end && (*p->at != ']' || is_first)) {
        is_first = false;
        if (!oc_regex_class_escape(p) && !read_named(p))
            read_range(p);
    }
    if (p->at == p->end)
        oc_regex_fail(p, OC_VALUE, "missing ]");
    else
        p->at++;
}
