/* SPDX-License-Identifier: Apache-2.0
 * conditions.c - makes the text of a function body for one call: it keeps or drops lines and
 * fills in values. */
#include "bodies/conditions.h"

#include "base/lex.h"
#include "base/quote.h"
#include "bodies/call_text.h"
#include "graph/build.h"

enum { MAX_OPEN = 16 }; /* most conditions that may be open at once */

typedef struct selection {
    const oc_function *header;
    const oc_node *call;
    const oc_types *types; /* types of the call's inputs; NULL: none is known */
    int64_t opset;
    oc_arena *arena;
    oc_error *e;
    int line; /* number of the current line, from 1 */
    int n_open;
    struct {
        bool outside; /* true: the lines around this condition are kept */
        bool holds, has_else;
    } open[MAX_OPEN];
    bool keep;
    char *to; /* the text made so far */
    int n;
} selection;

/* Sets the error for the current line. what may be NULL only if an allocation failed. */
static oc_status wrong(const selection *s, const char *what, const char *expected)
{
    OC_TRY(oc_arena_check(s->arena, s->e));
    return oc_error_set(s->e, OC_FORMAT, "body of %s, line %d: %s, expected %s", s->header->name,
                        s->line, what, expected);
}

/* ---- terms ---- */

static int find_port(const oc_value_info *port, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(port[i].name, name) == 0)
            return i;
    return -1;
}

static const oc_attr *find_default(const oc_function *f, const char *name)
{
    for (int i = 0; i < f->n_attr_default; i++)
        if (strcmp(f->attr_default[i].name, name) == 0)
            return &f->attr_default[i];
    return NULL;
}

static bool is_attribute(const oc_function *f, const char *name)
{
    for (int i = 0; i < f->n_attr_name; i++)
        if (strcmp(f->attr_name[i], name) == 0)
            return true;
    return find_default(f, name);
}

static oc_status is_there(const selection *s, const char *name, bool *there)
{
    const oc_graph *ports = &s->header->body;
    const oc_node *call = s->call;
    const int in = find_port(ports->input, ports->n_input, name);
    const int out = find_port(ports->output, ports->n_output, name);
    if (in < 0 && out < 0 && !is_attribute(s->header, name))
        return wrong(s, oc_arena_printf(s->arena, "'%s' is unknown", name),
                     "an input, an output or an attribute of the function");
    if (in >= 0)
        *there = !call || (in < call->n_in && *call->in[in]);
    else if (out >= 0)
        *there = !call || (out < call->n_out && *call->out[out]);
    else
        *there = call && oc_node_attr(call, name);
    return OC_OK;
}

/* *type becomes the type of input i, which the call must have. An unknown type is an error. */
static oc_status want_type(const selection *s, int i, oc_known_type *type)
{
    *type = s->types ? oc_type_get(&s->types->of, s->call->in[i])
                     : (oc_known_type){.type = OC_UNDEFINED};
    if (type->type != OC_UNDEFINED)
        return OC_OK;
    char text[OC_NODE_TEXT];
    return oc_error_set(s->e, OC_UNSUPPORTED,
                        "%s: the type of input '%s' is not known, which its body depends on: "
                        "expected a declared one",
                        oc_call_text(s->call, s->opset, text), s->call->in[i]);
}

/* Returns the type of input i of the call; OC_UNDEFINED when it is not known. */
static oc_type known_type(const selection *s, int i)
{
    const bool given = s->call && s->types && i < s->call->n_in && *s->call->in[i];
    return given ? oc_type_get(&s->types->of, s->call->in[i]).type : OC_UNDEFINED;
}

/* Reads the rest of "X is unlike Y", after "unlike". */
static oc_status read_unlike(const selection *s, oc_lex *l, int i, bool *holds)
{
    const oc_graph *ports = &s->header->body;
    const char *name = l->token == OC_TOK_NAME ? oc_arena_text(s->arena, l->text, l->size) : "";
    OC_TRY(oc_arena_check(s->arena, s->e));
    const int other = find_port(ports->input, ports->n_input, name);
    if (i < 0 || other < 0)
        return wrong(s, "'unlike' is in the wrong place", "an input on both sides");
    oc_lex_next(l);
    const oc_type a = known_type(s, i), b = known_type(s, other);
    *holds = a && b && a != b;
    return OC_OK;
}

/* Reads the rest of "X is TYPE", after X. */
static oc_status read_type_term(const selection *s, oc_lex *l, const char *name, bool *holds)
{
    const oc_graph *ports = &s->header->body;
    const int i = find_port(ports->input, ports->n_input, name);
    const bool sequence = oc_lex_is(l, "sequence");
    const oc_type wanted = l->token == OC_TOK_NAME ? oc_type_find(l->text, l->size) : OC_UNDEFINED;
    oc_known_type type;
    if (oc_lex_take(l, "unlike"))
        return read_unlike(s, l, i, holds);
    if (i < 0 || (!wanted && !sequence))
        return wrong(s, "'is' is in the wrong place", "an input and a type");
    oc_lex_next(l);
    *holds = false;
    if (!s->call || i >= s->call->n_in || !*s->call->in[i])
        return OC_OK;
    OC_TRY(want_type(s, i, &type));
    *holds = sequence ? type.kind == OC_SEQUENCE : type.kind == OC_TENSOR && type.type == wanted;
    return OC_OK;
}

static bool equals(const oc_attr *a, const oc_lex *value)
{
    if (a && a->kind == OC_ATTR_STRING)
        return a->u.s->size == value->size && memcmp(a->u.s->data, value->text, value->size) == 0;
    oc_lex copy = *value;
    oc_error none = {0};
    double number;
    if (!a || oc_lex_float(&copy, "a number", &number, &none) != OC_OK)
        return false;
    return a->kind == OC_ATTR_INT     ? (double)*a->u.i == number
           : a->kind == OC_ATTR_FLOAT ? (double)*a->u.f == number
                                      : false;
}

/* Reads the rest of "opset < 24", after "opset". */
static oc_status read_version(const selection *s, oc_lex *l, bool *holds)
{
    oc_error none = {0};
    int64_t version;
    if (!oc_lex_take(l, "<") || oc_lex_int(l, "a version", &version, &none) != OC_OK)
        return wrong(s, "'opset' has no version", "'opset <' and a version");
    *holds = s->opset < version;
    return OC_OK;
}

static oc_status read_term(const selection *s, oc_lex *l, bool *holds)
{
    const bool negated = oc_lex_take(l, "not");
    if (!is_attribute(s->header, "opset") && oc_lex_take(l, "opset")) {
        OC_TRY(read_version(s, l, holds));
        *holds = *holds != negated;
        return OC_OK;
    }
    if (l->token != OC_TOK_NAME)
        return wrong(s, "a condition has no name", "that of a port or an attribute");
    const char *name = oc_arena_text(s->arena, l->text, l->size);
    OC_TRY(oc_arena_check(s->arena, s->e));
    OC_TRY(is_there(s, name, holds));
    oc_lex_next(l);
    if (oc_lex_take(l, "=")) {
        if (!oc_lex_take(l, "="))
            return wrong(s, "a single '='", "'=='");
        const oc_attr *given = s->call ? oc_node_attr(s->call, name) : NULL;
        *holds = equals(given ? given : find_default(s->header, name), l);
        oc_lex_next(l);
    } else if (oc_lex_take(l, "is")) {
        OC_TRY(read_type_term(s, l, name, holds));
    }
    *holds = *holds != negated;
    return OC_OK;
}

static oc_status read_condition(const selection *s, const char *text, size_t size, bool *holds)
{
    oc_lex l = oc_lex_new(text, size, s->arena);
    *holds = true;
    do {
        bool term = false;
        OC_TRY(read_term(s, &l, &term));
        *holds = *holds && term;
    } while (oc_lex_take(&l, "and"));
    return l.token == OC_TOK_END ? OC_OK : wrong(s, "a condition goes on", "'and', or its end");
}

/* ---- lines ---- */

static bool is_word(const char *line, size_t size, const char *word)
{
    const size_t n = strlen(word);
    return size >= n && memcmp(line, word, n) == 0 && (size == n || line[n] == ' ');
}

static oc_status open_condition(selection *s, const char *text, size_t size)
{
    bool holds;
    if (s->n_open == MAX_OPEN)
        return wrong(s, "too many conditions are open", "16 or fewer");
    OC_TRY(read_condition(s, text, size, &holds));
    s->open[s->n_open].outside = s->keep;
    s->open[s->n_open].holds = holds;
    s->open[s->n_open++].has_else = false;
    s->keep = s->keep && holds;
    return OC_OK;
}

static void put(selection *s, const char *bytes, size_t size)
{
    oc_arena_append(s->arena, &s->to, &s->n, bytes, size);
}

static void put_number(selection *s, int i, bool is_int, const oc_attr *a)
{
    const char *text = is_int
                           ? oc_arena_printf(s->arena, "%s%" PRId64, i ? ", " : "", a->u.i[i])
                           : oc_arena_printf(s->arena, "%s%.9g", i ? ", " : "", (double)a->u.f[i]);
    if (text)
        put(s, text, strlen(text));
}

/* Writes the number of the element type of input i. */
static oc_status put_type(selection *s, int i)
{
    oc_known_type type;
    if (i >= s->call->n_in || !*s->call->in[i])
        return wrong(s, "a missing input has no type", "an #if around it");
    OC_TRY(want_type(s, i, &type));
    const char *text = oc_arena_printf(s->arena, "%d", (int)type.type);
    if (text)
        put(s, text, strlen(text));
    return OC_OK;
}

static oc_status put_value(selection *s, const char *name)
{
    const oc_graph *ports = &s->header->body;
    const oc_attr *a = s->call ? oc_node_attr(s->call, name) : NULL;
    a = a ? a : find_default(s->header, name);
    const int in = a ? -1 : find_port(ports->input, ports->n_input, name);
    if (!s->call && !a && (in >= 0 || is_attribute(s->header, name))) {
        put(s, "1", 1);
        return OC_OK;
    }
    if (in >= 0)
        return put_type(s, in);
    if (a && a->kind == OC_ATTR_STRING) {
        if (!oc_is_identifier(a->u.s->data, a->u.s->size))
            return wrong(s, oc_arena_printf(s->arena, "$%s is not a word", name),
                         "letters, digits and '_'");
        put(s, a->u.s->data, a->u.s->size);
        return OC_OK;
    }
    const bool is_int = a && oc_attr_item(a->kind) == OC_ATTR_INT;
    if (!is_int && !(a && oc_attr_item(a->kind) == OC_ATTR_FLOAT))
        return wrong(s, oc_arena_printf(s->arena, "$%s has no value", name),
                     "an input, or an attribute that is given or has a default: numbers or a word");
    for (int i = 0; i < a->n; i++)
        put_number(s, i, is_int, a);
    return OC_OK;
}

/* Returns the size of the identifier that begins at bytes; 0 if none begins there. */
static size_t identifier_size(const char *bytes, const char *end)
{
    size_t n = 0;
    while (bytes + n < end &&
           (oc_is_identifier(bytes + n, 1) || (n > 0 && bytes[n] >= '0' && bytes[n] <= '9')))
        n++;
    return n;
}

/* Appends a line that is kept, with its $values filled in. */
static oc_status put_line(selection *s, const char *line, size_t size)
{
    const char *end = line + size, *dollar;
    while ((dollar = memchr(line, '$', (size_t)(end - line)))) {
        const size_t n = identifier_size(dollar + 1, end);
        put(s, line, (size_t)(dollar - line));
        const char *name = oc_arena_text(s->arena, dollar + 1, n);
        OC_TRY(oc_arena_check(s->arena, s->e));
        OC_TRY(put_value(s, name));
        line = dollar + 1 + n;
    }
    put(s, line, (size_t)(end - line));
    return OC_OK;
}

/* Sets the error of a line "#refuse" (the operator forbids this call) or "#unsupported" (the
 * body does not compute it). */
static oc_status refuse(selection *s, const char *text, size_t size, oc_status code)
{
    const int at = s->n;
    OC_TRY(put_line(s, text, size));
    OC_TRY(oc_arena_check(s->arena, s->e));
    char node[OC_NODE_TEXT];
    return oc_error_set(s->e, code, "%s:%s", oc_call_text(s->call, s->opset, node), s->to + at);
}

/* Obeys a line that begins with "#if", "#else", "#end", "#refuse" or "#unsupported". For any other
 * line *is_text becomes true. */
static oc_status read_line(selection *s, const char *line, size_t size, bool *is_text)
{
    *is_text = false;
    if (is_word(line, size, "#if"))
        return open_condition(s, line + 3, size - 3);
    if (is_word(line, size, "#else")) {
        if (s->n_open == 0 || s->open[s->n_open - 1].has_else)
            return wrong(s, "#else has no #if", "an #if before it");
        s->open[s->n_open - 1].has_else = true;
        s->keep = s->open[s->n_open - 1].outside && !s->open[s->n_open - 1].holds;
        return OC_OK;
    }
    if (is_word(line, size, "#end")) {
        if (s->n_open == 0)
            return wrong(s, "#end has no #if", "an #if before it");
        s->keep = s->open[--s->n_open].outside;
        return OC_OK;
    }
    if (is_word(line, size, "#refuse"))
        return s->keep && s->call ? refuse(s, line + 7, size - 7, OC_VALUE) : OC_OK;
    if (is_word(line, size, "#unsupported"))
        return s->keep && s->call ? refuse(s, line + 12, size - 12, OC_UNSUPPORTED) : OC_OK;
    *is_text = true;
    return OC_OK;
}

bool oc_body_is_conditional(const char *text)
{
    return strstr(text, "#if ") || strchr(text, '$');
}

oc_status oc_body_header(const char *text, oc_arena *arena, const char **header, oc_error *e)
{
    const char *brace = strstr(text, "\n{");
    const size_t size = brace ? (size_t)(brace - text) : strlen(text);
    char *copy = oc_arena_alloc(arena, size + sizeof "{}");
    OC_TRY(oc_arena_check(arena, e));
    memcpy(copy, text, size);
    memcpy(copy + size, "{}", sizeof "{}");
    *header = copy;
    return OC_OK;
}

oc_status oc_body_select(const oc_function *header, const char *text, const oc_body_call *call,
                         oc_arena *arena, const char **selected, oc_error *e)
{
    selection s = {.header = header,
                   .call = call ? call->node : NULL,
                   .types = call ? call->types : NULL,
                   .opset = call ? call->opset : INT64_MAX,
                   .arena = arena,
                   .e = e,
                   .keep = true};
    while (*text) {
        const size_t size = strcspn(text, "\n"), blank = strspn(text, " ");
        const size_t whole = size + (text[size] == '\n');
        bool is_text;
        s.line++;
        OC_TRY(read_line(&s, text + blank, blank < size ? size - blank : 0, &is_text));
        if (is_text && s.keep)
            OC_TRY(put_line(&s, text, whole));
        else
            put(&s, "\n", 1); /* an empty line keeps the line numbers of messages right */
        text += whole;
    }
    OC_TRY(oc_arena_check(arena, e));
    *selected = s.to;
    return s.n_open ? wrong(&s, "the text ends within an #if", "#end") : OC_OK;
}
