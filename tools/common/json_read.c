/* SPDX-License-Identifier: Apache-2.0
 * json_read.c - reads a JSON document, or a literal of Python, by recursive descent of bounded
 * depth. */
#include "common/json_read.h"

#include "base/utf8.h"
#include "common/data.h"

#include <math.h>

enum { BLOCK = 256 };

/* Values never move, since they point to each other. */
struct json_block {
    struct json_block *next;
    int n;
    json_value value[BLOCK];
};

/* What is read of a text never takes more bytes than the text: a string loses its quotes, a key
 * that is a number its colon, and the shortest escape of a character is as long as its UTF-8. So
 * one buffer of the text's size holds all texts and their NULs. */
typedef struct parser {
    const unsigned char *start, *at, *end;
    char *to; /* where the next text goes */
    json_tree *tree;
    bool python;
    const char *where;
    oc_error *e;
} parser;

static void read_value(parser *p, json_value *v, int depth);

static void fail_at(parser *p, const unsigned char *at, const char *expected)
{
    int line = 1, column = 1;
    for (const unsigned char *c = p->start; c < at; c++) {
        column = *c == '\n' ? 1 : column + ((*c & 0xc0) != 0x80);
        line += *c == '\n';
    }
    tool_fail(p->e, OC_FORMAT, "%s: line %d, column %d: expected %s", p->where, line, column,
              expected);
}

static bool is_good(const parser *p)
{
    return p->e->code == OC_OK;
}

/* ---- words and numbers ---- */

static void skip_space(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || (*p->at >= '\t' && *p->at <= '\r')) &&
           (p->python || (*p->at != '\v' && *p->at != '\f')))
        p->at++;
}

static bool take(parser *p, char c)
{
    skip_space(p);
    const bool found = p->at < p->end && *p->at == (unsigned char)c;
    p->at += found;
    return found;
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t count_digits(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *s = at;
    while (s < end && is_digit(*s))
        s++;
    return (size_t)(s - at);
}

/* Returns how many bytes at p->at are a number; 0: none. Python leaves out digits on one side of
 * the point. */
static size_t number_size(const parser *p)
{
    const unsigned char *s = p->at;
    s += s < p->end && (*s == '-' || (p->python && *s == '+'));
    const size_t whole = count_digits(s, p->end);
    if (whole > 1 && *s == '0')
        return 0;
    s += whole;
    size_t behind = 0;
    if (s < p->end && *s == '.') {
        behind = count_digits(++s, p->end);
        s += behind;
        if (!p->python && (!behind || !whole))
            return 0;
    }
    if (!whole && !behind)
        return 0;
    if (s < p->end && (*s == 'e' || *s == 'E')) {
        s++;
        s += s < p->end && (*s == '-' || *s == '+');
        const size_t digits = count_digits(s, p->end);
        s = digits ? s + digits : p->at;
    }
    return (size_t)(s - p->at);
}

/* Copies bytes behind the texts and returns them, ended by NUL, as the next text. */
static char *put(parser *p, const unsigned char *bytes, size_t size)
{
    memcpy(p->to, bytes, size);
    p->to[size] = 0;
    return p->to;
}

static void read_number(parser *p, json_value *v)
{
    const size_t size = number_size(p);
    if (size == 0) {
        fail_at(p, p->at, "a value");
        return;
    }
    v->kind = JSON_NUMBER;
    v->number = strtod(put(p, p->at, size), NULL);
    p->at += size;
}

/* Reads a word such as true, None or -Infinity. Returns false when there is none. */
static bool read_word(parser *p, json_value *v)
{
    static const struct {
        const char *word;
        json_kind kind;
        double number;
        bool python;
    } words[] = {
        {"null", JSON_NULL, 0, false},
        {"true", JSON_BOOL, 1, false},
        {"false", JSON_BOOL, 0, false},
        {"NaN", JSON_NUMBER, NAN, false},
        {"Infinity", JSON_NUMBER, INFINITY, false},
        {"-Infinity", JSON_NUMBER, -INFINITY, false},
        {"None", JSON_NULL, 0, true},
        {"True", JSON_BOOL, 1, true},
        {"False", JSON_BOOL, 0, true},
        {"nan", JSON_NUMBER, NAN, true},
        {"inf", JSON_NUMBER, INFINITY, true},
        {"-inf", JSON_NUMBER, -INFINITY, true},
    };
    const unsigned char *s = p->at;
    s += s < p->end && *s == '-';
    while (s < p->end && is_letter(*s))
        s++;
    const size_t size = (size_t)(s - p->at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == size && memcmp(words[i].word, p->at, size) == 0 &&
            (p->python || !words[i].python)) {
            v->kind = words[i].kind;
            v->number = words[i].number;
            p->at = s;
            return true;
        }
    return false;
}

/* ---- texts ---- */

static int hex_digit(unsigned char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Reads n digits at p->at into *code. */
static bool take_hex(parser *p, int n, uint32_t *code)
{
    uint32_t x = 0;
    for (int i = 0; i < n; i++) {
        const int digit = p->end - p->at > i ? hex_digit(p->at[i]) : -1;
        if (digit < 0) {
            fail_at(p, p->at,
                    n == 4   ? "4 hexadecimal digits"
                    : n == 2 ? "2 hexadecimal digits"
                             : "8 hexadecimal digits");
            return false;
        }
        x = x << 4 | (uint32_t)digit;
    }
    p->at += n;
    *code = x;
    return true;
}

/* Appends a character in UTF-8. */
static void put_character(parser *p, uint32_t c)
{
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        c = 0xfffd;
    if (c < 0x80) {
        *p->to++ = (char)c;
        return;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    *p->to++ = (char)(lead[more] | c >> (6 * more));
    for (int i = more - 1; i >= 0; i--)
        *p->to++ = (char)(0x80 | (c >> (6 * i) & 0x3f));
}

/* Reads what stands behind \u, and the second half of a pair. */
static void read_utf16(parser *p)
{
    uint32_t c, low;
    if (!take_hex(p, 4, &c))
        return;
    if (c >= 0xd800 && c < 0xdc00 && p->end - p->at >= 6 && p->at[0] == '\\' && p->at[1] == 'u') {
        const unsigned char *second = p->at;
        p->at += 2;
        if (!take_hex(p, 4, &low))
            return;
        if (low >= 0xdc00 && low < 0xe000)
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        else
            p->at = second;
    }
    put_character(p, c);
}

/* Reads the escapes that Python has and JSON has not; what is none stands for itself. */
static void read_python_escape(parser *p, unsigned char c)
{
    static const char letters[] = "av'", meant[] = "\a\v'";
    const char *found = strchr(letters, c);
    uint32_t code = 0;
    if (c == 'x' || c == 'U') {
        if (take_hex(p, c == 'x' ? 2 : 8, &code))
            put_character(p, code);
    } else if (c >= '0' && c <= '7') {
        p->at--;
        for (int i = 0; i < 3 && p->at < p->end && *p->at >= '0' && *p->at <= '7'; i++)
            code = code << 3 | (uint32_t)(*p->at++ - '0');
        put_character(p, code);
    } else if (found) {
        *p->to++ = meant[found - letters];
    } else if (c != '\n') {
        *p->to++ = '\\';
        p->at--;
    }
}

/* Reads an escape from behind its backslash. */
static void read_escape(parser *p)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const unsigned char c = p->at < p->end ? *p->at : 0;
    const char *found = c ? strchr(letters, c) : NULL;
    if (!c || (!found && c != 'u' && !p->python)) {
        fail_at(p, p->at, "an escape");
        return;
    }
    p->at++;
    if (c == 'u')
        read_utf16(p);
    else if (found && (c != '/' || !p->python))
        *p->to++ = meant[found - letters];
    else
        read_python_escape(p, c);
}

/* Reads a text whose quote is at p->at. Returns its first byte, and how many there are. */
static const char *read_text(parser *p, size_t *size)
{
    const unsigned char *const open = p->at, quote = *p->at++;
    char *const text = p->to;
    while (is_good(p)) {
        const size_t n = p->at < p->end ? oc_utf8_size(p->at, (size_t)(p->end - p->at)) : 0;
        if (p->at == p->end) {
            fail_at(p, open, "a text that ends");
        } else if (n == 0) {
            fail_at(p, p->at, "UTF-8");
        } else if (*p->at == quote) {
            break;
        } else if (*p->at == '\\') {
            p->at++;
            read_escape(p);
        } else if (p->python ? *p->at == '\n' : *p->at < 0x20) {
            fail_at(p, p->at, "an escape in place of a control character");
        } else {
            memcpy(p->to, p->at, n);
            p->to += n;
            p->at += n;
        }
    }
    p->at++;
    *size = (size_t)(p->to - text);
    *p->to++ = 0;
    return text;
}

/* ---- arrays and objects ---- */

static json_value *new_value(parser *p)
{
    struct json_block *b = p->tree->blocks;
    if (!b || b->n == BLOCK) {
        b = data_alloc(sizeof *b, p->where, p->e);
        if (!b)
            return NULL;
        b->next = p->tree->blocks;
        b->n = 0;
        p->tree->blocks = b;
    }
    b->value[b->n] = (json_value){0};
    return &b->value[b->n++];
}

static bool is_quote(const parser *p)
{
    return p->at < p->end && (*p->at == '"' || (p->python && *p->at == '\''));
}

/* Reads a key and its colon. In Python a key may be a number. */
static void read_key(parser *p, json_value *v)
{
    size_t size;
    skip_space(p);
    const size_t digits = p->python ? number_size(p) : 0;
    if (is_quote(p)) {
        v->key = read_text(p, &size);
    } else if (digits) {
        v->key = put(p, p->at, digits);
        p->to += digits + 1;
        p->at += digits;
    } else {
        fail_at(p, p->at, p->python ? "a key" : "a key in quotes");
    }
    if (is_good(p) && !take(p, ':'))
        fail_at(p, p->at, "':'");
}

/* Reads items or entries from behind the opening bracket to the closing one. */
static void read_inner(parser *p, json_value *v, char close, int depth)
{
    const bool is_object = close == '}';
    const json_value **link = &v->first;
    v->kind = is_object ? JSON_OBJECT : JSON_ARRAY;
    if (depth == JSON_READ_DEPTH) {
        tool_fail(p->e, OC_LIMIT, "%s: more than %d arrays and objects within each other", p->where,
                  JSON_READ_DEPTH);
        return;
    }
    for (bool more = !take(p, close); more && is_good(p);) {
        json_value *inner = new_value(p);
        if (!inner)
            return;
        if (is_object)
            read_key(p, inner);
        if (is_good(p))
            read_value(p, inner, depth + 1);
        *link = inner;
        link = &inner->next;
        v->n++;
        more = is_good(p) && take(p, ',');
        if (is_good(p) && (!more || p->python) && take(p, close))
            more = false;
        else if (is_good(p) && !more)
            fail_at(p, p->at,
                    close == '}'   ? "',' or '}'"
                    : close == ']' ? "',' or ']'"
                                   : "',' or ')'");
    }
}

static void read_value(parser *p, json_value *v, int depth)
{
    skip_space(p);
    if (is_quote(p)) {
        v->kind = JSON_TEXT;
        v->text = read_text(p, &v->size);
    } else if (take(p, '{')) {
        read_inner(p, v, '}', depth);
    } else if (take(p, '[')) {
        read_inner(p, v, ']', depth);
    } else if (p->python && take(p, '(')) {
        read_inner(p, v, ')', depth);
    } else if (!read_word(p, v)) {
        read_number(p, v);
    }
}

/* ---- all ---- */

void json_read(json_tree *t, const void *text, size_t size, json_syntax syntax, const char *where,
               oc_error *e)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of byte order, which some editors write */
    *t = (json_tree){0};
    if (e->code != OC_OK)
        return;
    t->texts = data_alloc(size + 1, where, e);
    if (!t->texts)
        return;
    const unsigned char *first = size ? text : (const void *)""; /* no text may be NULL */
    parser p = {first, first, first + size, t->texts, t, syntax == JSON_PYTHON, where, e};
    if (size >= 3 && memcmp(first, mark, 3) == 0)
        p.start = p.at += 3;
    json_value *root = new_value(&p);
    if (root)
        read_value(&p, root, 0);
    skip_space(&p);
    if (is_good(&p) && p.at < p.end)
        fail_at(&p, p.at, "the end of the text");
    t->root = is_good(&p) ? root : NULL;
}

void json_tree_free(json_tree *t)
{
    for (struct json_block *b = t->blocks, *next; b; b = next) {
        next = b->next;
        data_free(b);
    }
    data_free(t->texts);
    *t = (json_tree){0};
}

const json_value *json_get(const json_value *v, const char *key)
{
    const json_value *found = NULL;
    for (const json_value *i = v && v->kind == JSON_OBJECT ? v->first : NULL; i; i = i->next)
        if (strcmp(i->key, key) == 0)
            found = i;
    return found;
}

const json_value *json_item(const json_value *v, int i)
{
    const json_value *item = v && v->kind == JSON_ARRAY ? v->first : NULL;
    for (; item && i > 0; i--)
        item = item->next;
    return item;
}

const char *json_text_of(const json_value *v)
{
    return v && v->kind == JSON_TEXT && strlen(v->text) == v->size ? v->text : NULL;
}

double json_number_of(const json_value *v, double otherwise)
{
    return v && v->kind == JSON_NUMBER ? v->number : otherwise;
}

bool json_bool_of(const json_value *v, bool otherwise)
{
    return v && v->kind == JSON_BOOL ? v->number != 0 : otherwise;
}

int json_int_of(const json_value *v, int least, int greatest, int otherwise)
{
    const double x = json_number_of(v, NAN);
    return x >= least && x <= greatest && x == floor(x) ? (int)x : otherwise;
}
