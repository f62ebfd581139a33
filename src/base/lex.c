/* SPDX-License-Identifier: Apache-2.0
 * lex.c - cuts characters into tokens, and reads names, numbers and errors from tokens. */
#include "base/lex.h"

#include "base/number.h"

/* ---- characters ---- */

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_ascii_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_byte(int c)
{
    return is_ascii_letter(c) || is_digit(c) || c >= 0x80;
}

static int hex_value(int c)
{
    return is_digit(c)              ? c - '0'
           : (c >= 'a' && c <= 'f') ? c - 'a' + 10
           : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                    : -1;
}

/* The byte at p; -1 at the end of the text. */
static int peek(const oc_lex *l, const char *p)
{
    return p < l->end ? (unsigned char)*p : -1;
}

static const char *skip_digits(const oc_lex *l, const char *p, bool hex)
{
    while (hex ? hex_value(peek(l, p)) >= 0 : is_digit(peek(l, p)))
        p++;
    return p;
}

/* ---- scanning ---- */

static void count_lines(oc_lex *l, const char *from, const char *to)
{
    for (const char *p = from; (p = memchr(p, '\n', (size_t)(to - p))) != NULL;) {
        l->line++;
        l->line_start = ++p;
    }
}

static void skip_blanks(oc_lex *l)
{
    const char *from = l->token == OC_TOK_STRING || l->token == OC_TOK_BAD ? l->at : l->next;
    for (;;) {
        const int c = peek(l, l->next);
        if (c == '#')
            while (l->next < l->end && *l->next != '\n')
                l->next++;
        else if (c == ' ' || (c >= '\t' && c <= '\r'))
            l->next++;
        else
            break;
    }
    count_lines(l, from, l->next);
}

static void end_token(oc_lex *l, oc_token token, const char *end)
{
    l->token = token;
    l->text = l->at;
    l->size = (size_t)(end - l->at);
    l->next = end;
}

static void end_bad(oc_lex *l, const char *end, const char *what)
{
    l->token = OC_TOK_BAD;
    l->text = what;
    l->size = strlen(what);
    l->next = end;
}

/* The end of the exponent that begins at p with the letter lower or upper; p when there is no
 * exponent. */
static const char *skip_exponent(const oc_lex *l, const char *p, int lower, int upper)
{
    if (peek(l, p) != lower && peek(l, p) != upper)
        return p;
    const int sign = peek(l, p + 1);
    const char *digits = sign == '-' || sign == '+' ? p + 2 : p + 1;
    return is_digit(peek(l, digits)) ? skip_digits(l, digits, false) : p;
}

/* Scans the number whose first digit is at p; a sign may stand before p. */
static void scan_number(oc_lex *l, const char *p)
{
    const bool hex = peek(l, p) == '0' && (peek(l, p + 1) == 'x' || peek(l, p + 1) == 'X') &&
                     hex_value(peek(l, p + 2)) >= 0;
    bool is_float = hex;
    p = skip_digits(l, hex ? p + 2 : p, hex);
    if (peek(l, p) == '.' && peek(l, p + 1) != '.') {
        is_float = true;
        p = skip_digits(l, p + 1, hex);
    }
    const char *after = hex ? skip_exponent(l, p, 'p', 'P') : skip_exponent(l, p, 'e', 'E');
    is_float = is_float || after > p;
    p = after;
    if (!is_name_byte(peek(l, p))) {
        end_token(l, is_float ? OC_TOK_FLOAT : OC_TOK_INT, p);
        return;
    }
    while (is_name_byte(peek(l, p)))
        p++;
    end_bad(l, p, "a malformed number");
}

/* Scans a token that begins with "-" or "+": a number, a signed inf or nan, or the sign alone. */
static void scan_sign(oc_lex *l)
{
    const char *p = l->at + 1, *end = p;
    while (is_name_byte(peek(l, end)))
        end++;
    double x;
    if (is_digit(peek(l, p)))
        scan_number(l, p);
    else if (end > p && oc_f64_parse(l->at, (size_t)(end - l->at), &x))
        end_token(l, OC_TOK_FLOAT, end);
    else
        end_token(l, OC_TOK_PUNCT, p);
}

/* Returns the byte of the escape sequence whose backslash is at *p and moves *p past the sequence;
 * -1 when the sequence is malformed. */
static int unescape(const oc_lex *l, const char **p)
{
    const int c = peek(l, *p + 1);
    *p += 2;
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case 'x': {
        const int high = hex_value(peek(l, *p));
        const int low = high < 0 ? -1 : hex_value(peek(l, *p + 1));
        *p += 2;
        return low < 0 ? -1 : high * 16 + low;
    }
    default:
        return c;
    }
}

/* Sets the token's text to a copy in the arena of the raw bytes first .. last-1 with their escape
 * sequences decoded. */
static void unescape_all(oc_lex *l, const char *first, const char *last)
{
    char *text = oc_arena_alloc(l->arena, (size_t)(last - first));
    size_t n = 0;
    for (const char *p = first; text && p < last;) {
        const int c = *p == '\\' ? unescape(l, &p) : (unsigned char)*p++;
        if (c < 0 || p > last) {
            end_bad(l, last + 1, "a string with a bad \\x escape");
            return;
        }
        text[n++] = (char)c;
    }
    l->text = text;
    l->size = n;
    if (!text)
        end_bad(l, l->end, "a string that memory cannot hold");
}

static void scan_string(oc_lex *l)
{
    const char *first = l->at + 1, *p = first;
    bool escapes = false;
    for (; p < l->end && *p != '"'; p++)
        if (*p == '\\') {
            escapes = true;
            p += p + 1 < l->end;
        }
    if (p >= l->end) {
        end_bad(l, l->end, "a string without its closing quote");
        return;
    }
    end_token(l, OC_TOK_STRING, p + 1);
    l->text = first;
    l->size = (size_t)(p - first);
    if (escapes)
        unescape_all(l, first, p);
}

static size_t punct_size(const oc_lex *l)
{
    static const char *const longer[] = {"...", "=>", "::"};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        const size_t n = strlen(longer[i]);
        if ((size_t)(l->end - l->at) >= n && memcmp(l->at, longer[i], n) == 0)
            return n;
    }
    return 1;
}

oc_lex oc_lex_new(const char *text, size_t size, oc_arena *arena)
{
    oc_lex l = {.start = text,
                .next = text,
                .end = text + size,
                .arena = arena,
                .at = text,
                .line = 1,
                .line_start = text};
    oc_lex_next(&l);
    return l;
}

void oc_lex_next(oc_lex *l)
{
    skip_blanks(l);
    l->at = l->next;
    l->column = (int)(l->at - l->line_start) + 1;
    const int c = peek(l, l->at);
    if (c < 0)
        end_token(l, OC_TOK_END, l->at);
    else if (is_digit(c))
        scan_number(l, l->at);
    else if (is_name_byte(c)) {
        const char *p = l->at;
        while (is_name_byte(peek(l, p)))
            p++;
        end_token(l, OC_TOK_NAME, p);
    } else if (c == '"')
        scan_string(l);
    else if (c == '-' || c == '+')
        scan_sign(l);
    else if (c > ' ' && c < 0x7f)
        end_token(l, OC_TOK_PUNCT, l->at + punct_size(l));
    else
        end_bad(l, l->at + 1, "a control character");
}

/* ---- what the current token is ---- */

bool oc_lex_is(const oc_lex *l, const char *text)
{
    return (l->token == OC_TOK_NAME || l->token == OC_TOK_PUNCT) && l->size == strlen(text) &&
           memcmp(l->text, text, l->size) == 0;
}

bool oc_lex_take(oc_lex *l, const char *text)
{
    const bool is = oc_lex_is(l, text);
    if (is)
        oc_lex_next(l);
    return is;
}

oc_status oc_lex_want(oc_lex *l, const char *text, oc_error *e)
{
    return oc_lex_take(l, text) ? OC_OK : oc_lex_fail(l, e, "expected '%s'", text);
}

static oc_status take_bytes(oc_lex *l, oc_token token, const char *what, const char **text,
                            size_t *size, oc_error *e)
{
    if (l->token != token)
        return oc_lex_fail(l, e, "expected %s", what);
    *text = l->text;
    *size = l->size;
    oc_lex_next(l);
    return OC_OK;
}

oc_status oc_lex_name(oc_lex *l, const char *what, const char **text, size_t *size, oc_error *e)
{
    return take_bytes(l, OC_TOK_NAME, what, text, size, e);
}

oc_status oc_lex_string(oc_lex *l, const char *what, const char **text, size_t *size, oc_error *e)
{
    return take_bytes(l, OC_TOK_STRING, what, text, size, e);
}

bool oc_lex_magnitude(const oc_lex *l, bool *negative, uint64_t *value)
{
    if (l->token != OC_TOK_INT)
        return false;
    const char *p = l->text, *end = p + l->size;
    *negative = *p == '-';
    uint64_t n = 0;
    for (p += *p == '-' || *p == '+'; p < end; p++)
        if (__builtin_mul_overflow(n, UINT64_C(10), &n) ||
            __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
            return false;
    *value = n;
    return true;
}

oc_status oc_lex_int(oc_lex *l, const char *what, int64_t *value, oc_error *e)
{
    bool negative;
    uint64_t n;
    if (l->token != OC_TOK_INT)
        return oc_lex_fail(l, e, "expected %s", what);
    if (!oc_lex_magnitude(l, &negative, &n) || n > (uint64_t)INT64_MAX + negative)
        return oc_lex_fail(l, e, "expected %s that fits 64 bits", what);
    *value = n > INT64_MAX ? INT64_MIN : negative ? -(int64_t)n : (int64_t)n;
    oc_lex_next(l);
    return OC_OK;
}

static bool is_numeric(const oc_lex *l)
{
    return l->token == OC_TOK_INT || l->token == OC_TOK_FLOAT || l->token == OC_TOK_NAME;
}

oc_status oc_lex_float(oc_lex *l, const char *what, double *value, oc_error *e)
{
    if (!is_numeric(l) || !oc_f64_parse(l->text, l->size, value))
        return oc_lex_fail(l, e, "expected %s", what);
    oc_lex_next(l);
    return OC_OK;
}

oc_status oc_lex_f32(oc_lex *l, const char *what, float *value, oc_error *e)
{
    if (!is_numeric(l) || !oc_f32_parse(l->text, l->size, value))
        return oc_lex_fail(l, e, "expected %s", what);
    oc_lex_next(l);
    return OC_OK;
}

/* ---- errors ---- */

/* The current token as messages show it: quoted, cut short when it is long, "?" for control
 * characters. */
static const char *found(const oc_lex *l, char text[64])
{
    enum { MOST = 40 };
    if (l->token == OC_TOK_END)
        return "the end";
    if (l->token == OC_TOK_BAD)
        return l->text;
    size_t n = (size_t)(l->next - l->at);
    const bool cut = n > MOST;
    for (n = cut ? MOST : n; cut && n > 0 && (l->at[n] & 0xc0) == 0x80;)
        n--;
    snprintf(text, 64, "'%.*s%s'", (int)n, l->at, cut ? "..." : "");
    for (char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            *p = '?';
    return text;
}

oc_status oc_lex_fail(const oc_lex *l, oc_error *e, const char *format, ...)
{
    OC_TRY(oc_arena_check(l->arena, e));
    char token[64], rest[sizeof e->text / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(rest, sizeof rest, format, args);
    va_end(args);
    return oc_error_set(e, OC_FORMAT, "line %d, column %d: found %s, %s", l->line, l->column,
                        found(l, token), rest);
}
