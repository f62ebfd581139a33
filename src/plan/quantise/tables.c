/* SPDX-License-Identifier: Apache-2.0
 * tables.c - what follows from one code alone is looked up in a table of 256 entries.
 *
 *     c --- DequantizeLinear -+- HardSigmoid --- Mul --- QuantizeLinear --- y
 *                             '-------------------'
 *
 *     c --- Lookup --- y
 *
 * The table is made with the plan by the steps themselves, which run on all 256 codes; so the bits
 * are those of the chain. Steps that only move numbers are passed: y is then the table of moved
 * codes, or these codes themselves where the table changes none. */
#include "plan/quantise/quantise.h"

enum { CODES = 256, INPUTS = 8 /* of a step that is looked at */ };

static bool is_byte(oc_type type)
{
    return type == OC_U8 || type == OC_I8;
}

static oc_code_function *function_at(const oc_quantiser *t, int place)
{
    return oc_place_is_slot(place) && t->function[place].name ? &t->function[place] : NULL;
}

/* Is the value a function of codes that has the axes of the codes, whatever these are? */
static bool has_own_axes(const oc_code_function *f)
{
    return f->name && f->rank == 0 && !f->not_scalar;
}

/* Makes a value of all codes, in the order of their bits. */
static const uint8_t *all_codes(oc_quantiser *t)
{
    uint8_t *codes = oc_arena_room(&t->scratch, CODES, OC_ALIGN);
    for (int i = 0; codes && i < CODES; i++)
        codes[i] = (uint8_t)i;
    return codes;
}

/* Finds input i of a step as a function of codes; codes are a function of themselves. If it is
 * none, *f has no name. */
static oc_status find_input(oc_quantiser *t, const oc_step *s, int i, oc_code_function *f)
{
    const oc_code_function *known = function_at(t, s->in[i]);
    *f = known ? *known : (oc_code_function){0};
    const oc_type type = oc_quantise_type(t, s->node->in[i]);
    if (known || !oc_place_is_slot(s->in[i]) || !is_byte(type))
        return OC_OK;
    *f = (oc_code_function){.name = s->node->in[i],
                            .codes = s->in[i],
                            .type = type,
                            .value_type = type,
                            .values = all_codes(t)};
    return oc_arena_check(&t->scratch, t->p->e);
}

/* ---- one step on all codes ---- */

static bool is_elementwise(oc_quantiser *t, const oc_step *s)
{
    const oc_traits *traits = s->op.version ? oc_step_traits(s) : NULL;
    oc_scaled codes;
    if (!traits || s->op.n_out != 1 || s->op.n_in > INPUTS || s->op.n_in == 0 ||
        !oc_place_is_slot(s->out[0]))
        return false;
    if (traits->codes == OC_QUANTISES || traits->codes == OC_DEQUANTISES)
        return oc_quantise_scaled(t, s, traits->codes, &codes) && oc_quantise_is_single(&codes) &&
               is_byte(codes.type);
    return traits->stage || traits->codes == OC_MAKES_CODES;
}

/* The greatest of no elements is -Inf for numbers, and the least code for codes. Does the step make
 * its least result of both? */
static bool keeps_order(const oc_step *s)
{
    const oc_code_role role = oc_step_traits(s)->codes;
    return role == OC_QUANTISES || role == OC_DEQUANTISES || role == OC_CLAMPS;
}

/* Collects the inputs as functions of one code, in values of 256 elements. *done is false if they
 * are not, or not of one code alone. */
static oc_status gather(oc_quantiser *t, const oc_step *s, oc_code_function *of,
                        oc_value values[INPUTS], const oc_value *given[INPUTS], bool *done)
{
    *of = (oc_code_function){0};
    *done = true;
    for (int i = 0; i < s->op.n_in && *done; i++) {
        oc_code_function f = {0};
        oc_value v;
        if (s->in[i] == OC_NOWHERE)
            continue;
        if (oc_ahead_known(t->p, t->g, s->in[i], &v)) {
            *done = oc_value_n(&v) == 1;
            continue;
        }
        OC_TRY(find_input(t, s, i, &f));
        *done = f.name && (!of->name || of->codes == f.codes);
        f.rank = f.rank > of->rank ? f.rank : of->rank;
        f.largest |= of->largest;
        f.not_scalar |= of->not_scalar;
        *of = f;
        values[i] = oc_value_borrow(f.value_type, oc_dims_1d(CODES), f.values);
        given[i] = &values[i];
    }
    *done = *done && of->name && (!of->largest || keeps_order(s));
    return OC_OK;
}

/* Finds the axes that the shape rule of the step gives to a value of codes without an axis. */
static oc_status find_axes(oc_quantiser *t, const oc_step *s, oc_value values[INPUTS],
                           const oc_value *given[INPUTS], oc_code_function *f)
{
    oc_dims y;
    bool done;
    for (int i = 0; i < s->op.n_in; i++)
        values[i].dims.rank = 0;
    OC_TRY(oc_quantise_try_dims(t, s, given, &y, &done));
    f->not_scalar |= !done && f->rank == 0;
    f->rank = done && y.rank > f->rank ? y.rank : f->rank;
    return OC_OK;
}

/* Takes what a step has made of all codes as the function. */
static oc_status take(oc_quantiser *t, oc_code_function *f, const oc_value *y)
{
    const size_t size = oc_value_bytes(y);
    void *values = oc_arena_room(&t->scratch, size, OC_ALIGN);
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    memcpy(values, y->data, size);
    f->value_type = y->type;
    f->values = values;
    return OC_OK;
}

static oc_status note_elementwise(oc_quantiser *t, const oc_step *s)
{
    oc_code_function f;
    oc_value values[INPUTS], y = {0};
    const oc_value *given[INPUTS] = {NULL};
    bool done;
    OC_TRY(gather(t, s, &f, values, given, &done));
    oc_status status = done ? oc_quantise_try(t, s, given, &y, &done) : OC_OK;
    if (status == OC_OK && done && y.kind == OC_TENSOR && y.type != OC_STRING &&
        oc_value_n(&y) == CODES) {
        status = take(t, &f, &y);
        if (status == OC_OK)
            status = find_axes(t, s, values, given, &f);
        const bool is_own = oc_step_traits(s)->codes == OC_DEQUANTISES && f.codes == s->in[0];
        f.dequantise = is_own ? s : NULL;
        t->function[s->out[0]] = f;
    }
    oc_value_unref(&y);
    return status;
}

/* ---- steps that move ---- */

/* Returns the code of a number, whose bits an entry must have; -1: there is none. */
static int code_of(const oc_code_function *f, const void *number)
{
    const size_t size = oc_type_size(f->value_type);
    for (int i = 0; i < CODES; i++)
        if (memcmp((const char *)f->values + (size_t)i * size, number, size) == 0)
            return i;
    return -1;
}

/* Does a greater code never stand for a lesser number, or for an equal number with other bits? */
static bool is_ordered(const oc_code_function *f)
{
    const float *v = f->values;
    if (f->value_type != OC_F32)
        return false;
    for (int i = 0; i + 1 < CODES; i++) {
        const int flip = f->type == OC_I8 ? 128 : 0, a = i ^ flip, b = (i + 1) ^ flip;
        if (!(v[a] < v[b]) && memcmp(&v[a], &v[b], sizeof *v) != 0)
            return false;
    }
    return true;
}

/* Do codes of both mean the same numbers? */
static bool is_same(const oc_code_function *a, const oc_code_function *b)
{
    return a->type == b->type && a->value_type == b->value_type &&
           memcmp(a->values, b->values, CODES * oc_type_size(a->value_type)) == 0;
}

static const oc_sig_port *port_of(const oc_step *s, int i)
{
    return oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i);
}

static bool takes(const oc_step *s, int i, oc_type type)
{
    return oc_type_in(type, port_of(s, i)->set.tensor);
}

/* Finds the one function of all inputs that the step moves. */
static oc_status find_moved(oc_quantiser *t, const oc_step *s, const oc_moves *m,
                            oc_code_function *all, bool *done)
{
    *all = (oc_code_function){0};
    *done = true;
    for (int i = 0; i < s->op.n_in && *done; i++) {
        const oc_move_role role = oc_quantise_move_role(s, m, i);
        oc_code_function f;
        if (role == OC_MOVE_NOTHING)
            *done = s->in[i] == OC_NOWHERE || port_of(s, i)->optional;
        if (role != OC_MOVE_CODES)
            continue;
        OC_TRY(find_input(t, s, i, &f));
        *done = has_own_axes(&f) && takes(s, i, f.type) && (!all->name || is_same(all, &f));
        f.largest |= all->largest;
        *all = f;
    }
    *done = *done && all->name && all->value_type == OC_F32 && (!m->largest || is_ordered(all));
    return OC_OK;
}

/* Finds the code that a step that moves puts where there is nothing else. */
static bool find_fill(oc_quantiser *t, const oc_step *s, const oc_code_function *f, int fill,
                      uint8_t *code)
{
    static const float zero;
    oc_value v = oc_value_borrow(OC_F32, (oc_dims){0, {0}}, &zero);
    if (s->op.n_in > fill && s->in[fill] != OC_NOWHERE &&
        (!oc_ahead_known(t->p, t->g, s->in[fill], &v) || v.type != OC_F32 || oc_value_n(&v) != 1))
        return false;
    const int found = code_of(f, v.data);
    *code = (uint8_t)found;
    return found >= 0;
}

/* Adds a slot for codes that the step would move to output i. */
static oc_status add_moved(oc_quantiser *t, const oc_step *s, int i, const oc_code_function *of,
                           uint8_t fill)
{
    const oc_name name = oc_quantise_name(t, s->node->out[i], "codes");
    int slot;
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    OC_TRY(oc_quantise_slot(t, name, of->type, &slot));
    t->moved[slot] = (oc_moved){.step = s, .out = i, .fill = fill};
    oc_code_function f = *of;
    f.name = name;
    f.codes = slot;
    t->function[s->out[i]] = f;
    return OC_OK;
}

static oc_status note_moves(oc_quantiser *t, const oc_step *s)
{
    const oc_traits *traits = s->op.version ? oc_step_traits(s) : NULL;
    const oc_call c = oc_step_call(s, NULL, NULL, &t->p->services);
    oc_moves m = {0};
    oc_code_function f;
    uint8_t fill = 0;
    bool done;
    if (!traits || !traits->moves)
        return OC_OK;
    traits->moves(&c, &m);
    OC_TRY(find_moved(t, s, &m, &f, &done));
    if (!done || !m.inputs || (m.fill && !find_fill(t, s, &f, m.fill, &fill)))
        return OC_OK;
    f.largest |= m.largest;
    for (int i = 0; i < s->op.n_out; i++)
        if (oc_place_is_slot(s->out[i]))
            OC_TRY(add_moved(t, s, i, &f, fill));
    return OC_OK;
}

/* ---- the step that quantises ---- */

/* Does the table change no code? */
static bool changes_none(const oc_code_function *f)
{
    const uint8_t *table = f->values;
    for (int i = 0; i < CODES; i++)
        if (table[i] != i)
            return false;
    return f->type == f->value_type && has_own_axes(f);
}

/* The greatest of no elements is the least code for codes, and -Inf for numbers, whose code must
 * then be the least code too. */
static bool keeps_least(const oc_code_function *f)
{
    const uint8_t least = f->type == OC_I8 ? 128 : 0, quantised = f->value_type == OC_I8 ? 128 : 0;
    return ((const uint8_t *)f->values)[least] == quantised;
}

/* Sets the inputs of a lookup: codes, and the function as a constant named after `of`. */
static oc_status name_table(oc_quantiser *t, const char *of, const oc_code_function *f,
                            oc_name in[2])
{
    oc_value table =
        oc_value_borrow(f->value_type, (oc_dims){f->rank + 1 + f->not_scalar, {0}}, NULL);
    uint8_t *entries = oc_arena_room(&t->p->plan->arena, CODES, OC_ALIGN);
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    memcpy(entries, f->values, CODES);
    table.data = entries;
    for (int a = 0; a < table.dims.rank; a++)
        table.dims.n[a] = a == f->rank ? CODES : 1;
    in[0] = f->name;
    t->needed[f->codes] = true;
    return oc_quantise_constant(t, of, "table", &table, &in[1]);
}

static oc_status make_table(oc_quantiser *t, oc_step *s, const oc_code_function *f)
{
    oc_name in[2];
    OC_TRY(name_table(t, s->node->out[0], f, in));
    const oc_node node = {.in = in, .n_in = 2};
    return oc_quantise_replace(t, s, s, oc_lookup, &node, NULL);
}

/* Notes that the step's codes are those of the slot, which readers of its output read instead. */
static void stand_for(oc_quantiser *t, const oc_step *s, const oc_code_function *f)
{
    oc_moved *m = &t->moved[f->codes];
    t->needed[f->codes] = true;
    t->same[s->out[0]] = f->codes;
    if (m->step && !m->name)
        m->name = s->node->out[0];
}

/* ---- several values that are put together, and quantised then ---- */

/* Finds the function of input i of the step that is quantised, as codes that the quantising step
 * gives. */
static oc_status quantise_part(oc_quantiser *t, const oc_step *s, const oc_step *part, int i,
                               oc_code_function *f, bool *done)
{
    oc_value y = {0};
    const oc_value *given[INPUTS] = {NULL};
    OC_TRY(find_input(t, part, i, f));
    *done = has_own_axes(f) && !f->largest && f->value_type == OC_F32;
    if (!*done)
        return OC_OK;
    const oc_value x = oc_value_borrow(f->value_type, oc_dims_1d(CODES), f->values);
    given[0] = &x;
    oc_status status = oc_quantise_try(t, s, given, &y, done);
    *done = *done && is_byte(y.type) && oc_value_n(&y) == CODES && takes(part, i, y.type);
    if (status == OC_OK && *done)
        status = take(t, f, &y);
    oc_value_unref(&y);
    return status;
}

/* Does the step do nothing but put all its inputs together? */
static bool joins(const oc_quantiser *t, const oc_step *s)
{
    const oc_traits *traits = s && s->op.version ? oc_step_traits(s) : NULL;
    oc_moves m = {0};
    if (!traits || !traits->moves || s->op.n_out != 1 || s->op.n_in > 63 ||
        t->g->slot[s->out[0]].n_readers != 1)
        return false;
    const oc_call c = oc_step_call(s, NULL, NULL, &t->p->services);
    traits->moves(&c, &m);
    return !m.fill && !m.largest && m.inputs == (UINT64_C(1) << s->op.n_in) - 1;
}

/* Returns the name of the codes, which a lookup before the step makes if the table changes any. */
static oc_status name_part(oc_quantiser *t, oc_step *s, const oc_code_function *f, oc_name *name)
{
    oc_name in[2];
    *name = f->name;
    t->needed[f->codes] = true;
    if (changes_none(f))
        return OC_OK;
    const char *of = oc_arena_printf(&t->scratch, "%s:%d", f->name, t->n_inserted);
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    OC_TRY(name_table(t, of, f, in));
    const oc_node node = {.in = in, .n_in = 2};
    return oc_quantise_insert(t, s, oc_lookup, &node, f->value_type, of, name);
}

/* Where values of other scales are put together, each is looked up in the scale of the result. */
static oc_status join(oc_quantiser *t, oc_step *s)
{
    const oc_step *part = oc_edit_maker(t->g, s->in[0]);
    bool done = joins(t, part);
    if (!done)
        return OC_OK;
    const size_t n = (size_t)part->op.n_in;
    oc_code_function *f = oc_arena_array(&t->scratch, n, sizeof *f);
    oc_name *in = oc_arena_array(&t->scratch, n, sizeof *in);
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    for (int i = 0; i < part->op.n_in && done; i++)
        OC_TRY(quantise_part(t, s, part, i, &f[i], &done));
    for (int i = 0; i < part->op.n_in && done; i++)
        OC_TRY(name_part(t, s, &f[i], &in[i]));
    const oc_node node = {.in = in, .n_in = part->op.n_in};
    return done ? oc_quantise_replace(t, s, part, part->op.version, &node, NULL) : OC_OK;
}

oc_status oc_quantise_tables(oc_quantiser *t, oc_step *s)
{
    if (!is_elementwise(t, s))
        return note_moves(t, s);
    OC_TRY(note_elementwise(t, s));
    oc_code_function *f = function_at(t, s->out[0]);
    const oc_code_role role = oc_step_traits(s)->codes;
    if (role != OC_QUANTISES && (role != OC_MAKES_CODES || !f))
        return OC_OK;
    if (!f) {
        OC_TRY(join(t, s));
        return oc_quantise_exact(t, s); /* has no effect if it does not quantise any more */
    }
    if (f->rank + f->not_scalar >= OC_MAX_RANK || (f->largest && !keeps_least(f)))
        return OC_OK;
    f->largest = false; /* its codes are right for -Inf too */
    if (!changes_none(f))
        return make_table(t, s, f);
    stand_for(t, s, f);
    return OC_OK;
}
