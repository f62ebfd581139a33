/* SPDX-License-Identifier: Apache-2.0
 * case_file.c - reads a case file, functions/NAME.check: the cases of the operator NAME. */
#include "check/case_file.h"

#include "check/entry.h"

enum { MOST_OUTPUTS = 24 };

/* The line that is being read. */
typedef struct line {
    const check_source *source;
    check_place place;
    check_family *out;
    oc_error *e;
} line;

/* ---- the C functions that make cases */

static const struct {
    const char *name;
    bool (*make)(check_maker *maker, int i, check_case *out, oc_error *e);
    const check_defect *defects;
    double ulp_of_1; /* a bound for cases that a search makes from the function's cases */
} makers[] = {
    {"affine_grid", check_affine_grid_make, check_affine_grid_defects, 20},
    {"sequence_map", check_sequence_map_make, NULL, 0},
};

static void read_maker(line *l, char *text)
{
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (strcmp(text, makers[i].name) == 0) {
            l->out->make = makers[i].make;
            l->out->defects = makers[i].defects;
            l->out->spec.ulp_of_1 = makers[i].ulp_of_1;
            return;
        }
    check_fail_at(&l->place, text, l->e, "there is no maker '%.100s'", text);
}

/* ---- lists */

/* Returns OP in "of OP"; NULL when the text is something else. */
static const char *name_behind_of(const char *text)
{
    const char *name = strncmp(text, "of ", 3) == 0 ? text + 3 + strspn(text + 3, " ") : "";
    return *name && *name != '=' && *name != ':' ? name : NULL;
}

static const check_spec *find_other(const line *l, const char *op)
{
    const check_family *other = NULL;
    if (l->source->find)
        other = l->source->find(l->source->ctx, op, l->e);
    if (!other)
        check_fail_at(&l->place, op, l->e, "there is no functions/%.100s.check", op);
    return other ? &other->spec : NULL;
}

static void read_attributes(line *l, char *text)
{
    check_attributes one;
    const char *op = name_behind_of(text);
    const check_spec *other = op ? find_other(l, op) : NULL;
    for (int i = 0; other && i < other->n_attributes; i++)
        check_spec_add_attributes(&l->out->spec, &other->attributes[i]);
    if (!op) {
        check_read_attributes(&l->place, text, &one, l->e);
        check_spec_add_attributes(&l->out->spec, &one);
    }
}

static void add_inputs(line *l, char *text, bool refused)
{
    check_inputs one;
    check_read_inputs(&l->place, text, &one, l->e);
    one.refused = refused;
    check_spec_add_inputs(&l->out->spec, &one);
}

static void read_inputs(line *l, char *text)
{
    const char *op = name_behind_of(text);
    const check_spec *other = op ? find_other(l, op) : NULL;
    for (int i = 0; other && i < other->n_inputs; i++)
        check_spec_add_inputs(&l->out->spec, &other->inputs[i]);
    if (!op)
        add_inputs(l, text, false);
}

static void read_refused(line *l, char *text)
{
    add_inputs(l, text, true);
}

/* ---- what holds for all cases */

static int read_whole(line *l, const char *text, int most)
{
    int n = 0;
    const char *end = check_read_number(text, &n);
    if (!end || *end || n < 1 || n > most)
        check_fail_at(&l->place, text, l->e, "'%.100s', expected a number from 1 to %d", text,
                      most);
    return n;
}

static void read_outputs(line *l, char *text)
{
    l->out->spec.n_out = read_whole(l, text, MOST_OUTPUTS);
}

static void read_opset(line *l, char *text)
{
    l->out->spec.opset = read_whole(l, text, CHECK_MOST_OPSET);
}

static void read_domain(line *l, char *text)
{
    if (text[strcspn(text, " \"")])
        check_fail_at(&l->place, text, l->e, "'%.100s', expected a domain without blanks", text);
    l->out->spec.domain = text;
}

static void read_numbers(line *l, char *text)
{
    if (strcmp(text, "mild") != 0)
        check_fail_at(&l->place, text, l->e, "numbers '%.100s', expected mild", text);
    l->out->spec.mild = true;
}

static void read_stash_type(line *l, char *text)
{
    if (strncmp(text, "since ", 6) != 0)
        check_fail_at(&l->place, text, l->e, "expected 'since' and an opset");
    else
        l->out->spec.stash_since = read_whole(l, text + 6, CHECK_MOST_OPSET);
}

static void read_types(line *l, char *text)
{
    check_spec *s = &l->out->spec;
    for (size_t size; *text && s->n_types < CHECK_TYPES; text += size + strspn(text + size, " ")) {
        size = strcspn(text, " ");
        s->types[s->n_types] = check_type_named(text, size);
        if (s->types[s->n_types++] == OC_UNDEFINED)
            check_fail_at(&l->place, text, l->e,
                          "'%.*s' is not an element type, expected a name such as float",
                          size < 100 ? (int)size : 100, text);
    }
    if (*text)
        check_fail_at(&l->place, text, l->e, "more than %d types", CHECK_TYPES);
}

/* Reads "2 ulp + 1 ulp(1) + 3 least", or a part of it. */
static void read_bound(line *l, char *text)
{
    check_spec *s = &l->out->spec;
    const struct {
        const char *unit;
        double *out;
    } units[] = {{"ulp", &s->ulp}, {"ulp(1)", &s->ulp_of_1}, {"least", &s->least}};
    enum { UNITS = sizeof units / sizeof *units };
    for (char *p = text;; p += 2) {
        const double x = strtod(p, &p);
        p += strspn(p, " ");
        const size_t size = strcspn(p, " ");
        int i = 0;
        while (i < UNITS && (strlen(units[i].unit) != size || memcmp(p, units[i].unit, size) != 0))
            i++;
        if (i == UNITS || !(x > 0) || *units[i].out > 0)
            break;
        *units[i].out = x;
        p += size + strspn(p + size, " ");
        if (!*p)
            return;
        if (strncmp(p, "+ ", 2) != 0)
            break;
    }
    check_fail_at(&l->place, text, l->e,
                  "'%.100s', expected numbers of ulp, ulp(1) and least, as in 2 ulp + 1 ulp(1)",
                  text);
}

static void read_defect(line *l, char *text)
{
    check_defect *defect = l->out->spec.defect;
    char *colon = strchr(text, ':');
    const size_t size = colon ? (size_t)(colon - text) : 0;
    defect->fails = size == 5 && memcmp(text, "fails", size) == 0;
    if (!colon || !(defect->fails || (size == 7 && memcmp(text, "differs", size) == 0)) ||
        !colon[1 + strspn(colon + 1, " ")])
        check_fail_at(&l->place, text, l->e,
                      "expected 'differs:' or 'fails:' and what is wrong in the standard's text");
    else
        defect->text = colon + 1 + strspn(colon + 1, " ");
    l->out->defects = defect;
}

/* ---- lines */

static const struct key {
    const char *name;
    void (*read)(line *l, char *text);
    bool many; /* true: the key may stand on several lines */
} keys[] = {
    {"inputs", read_inputs, true},          {"refused", read_refused, true},
    {"attributes", read_attributes, true},  {"outputs", read_outputs, false},
    {"bound", read_bound, false},           {"numbers", read_numbers, false},
    {"stash_type", read_stash_type, false}, {"types", read_types, false},
    {"opset", read_opset, false},           {"domain", read_domain, false},
    {"defect", read_defect, false},         {"maker", read_maker, false},
};

enum { KEYS = sizeof keys / sizeof *keys };

/* Reads one line. Returns its key; -1 for a blank line, a comment and after an error. */
static int read_line(line *l, char *text, const int *count)
{
    text += strspn(text, " ");
    if (!*text || *text == '#')
        return -1;
    for (size_t end = strlen(text); text[end - 1] == ' ';)
        text[--end] = 0;
    const size_t size = strcspn(text, " ");
    char *rest = text + size + strspn(text + size, " ");
    int k = 0;
    while (k < KEYS && (strlen(keys[k].name) != size || memcmp(text, keys[k].name, size) != 0))
        k++;
    if (k == KEYS)
        check_fail_at(&l->place, text, l->e,
                      "'%.*s' is not a key, expected inputs, refused, attributes, outputs, bound, "
                      "numbers, stash_type, types, opset, domain, defect or maker",
                      size < 100 ? (int)size : 100, text);
    else if (count[k] && !keys[k].many)
        check_fail_at(&l->place, text, l->e, "a second line '%s', expected one", keys[k].name);
    else if (!*rest)
        check_fail_at(&l->place, rest, l->e, "nothing behind '%s'", keys[k].name);
    else
        keys[k].read(l, rest);
    return l->e->code == OC_OK ? k : -1;
}

/* A file has lines for inputs, or only a maker. */
static void check_keys(line *l, int n)
{
    const check_family *f = l->out;
    if (f->make != check_spec_make && n > 1)
        check_fail_at(&l->place, l->place.start, l->e, "another line goes with 'maker'");
    else if (f->make == check_spec_make && f->spec.n_inputs == 0)
        check_fail_at(&l->place, l->place.start, l->e, "the file ends without a line 'inputs'");
}

void check_read_file(const check_source *source, check_family *out, oc_error *e)
{
    int count[KEYS] = {0}, n = 0;
    line l = {.source = source, .out = out, .e = e};
    *out = (check_family){.op = source->op, .make = check_spec_make, .spec = {.n_out = 1}};
    l.place = (check_place){.source = source->path, .line = 1, .start = source->text};
    for (char *text = source->text, *next; *text && e->code == OC_OK; text = next) {
        const size_t size = strcspn(text, "\n");
        next = text + size + (text[size] != 0);
        text[size] = 0;
        l.place.start = text;
        const int k = read_line(&l, text, count);
        if (k >= 0)
            n += ++count[k] > 0;
        l.place.line++;
    }
    l.place.line--;
    if (e->code == OC_OK)
        check_keys(&l, n);
}
