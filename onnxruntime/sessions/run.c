/* SPDX-License-Identifier: Apache-2.0
 * run.c - one run: inputs bound where they lie, outputs made or filled. */
#include "common/interface.h"
#include "sessions/session.h"
#include "values/value.h"

enum {
    DIRECT = 1 << 14 /* bytes of an output from which on it is computed where the program has it */
};

/* What a run keeps of an input until it ends. */
typedef struct run_input {
    int place;      /* its number in the model */
    oc_value *made; /* a copy made for the run; NULL: the value is bound as it lies */
} run_input;

/* What a run keeps of an output until it ends. */
typedef struct run_output {
    int port;       /* its number in the model */
    OrtValue *made; /* memory that it may be computed in, held; NULL: there is none */
    bool direct;    /* true: it is computed in made */
} run_output;

typedef struct run_state {
    ort_runner *runner;
    const ort_feed *feed;
    run_input *in;
    run_output *out;
} run_state;

/* ---- inputs ---- */

static bool is_aligned(const OrtValue *v)
{
    const size_t size = oc_type_size(v->type);
    return (uintptr_t)v->data % (size > 8 ? 8 : size) == 0;
}

/* One element is a scalar where the model has one, whatever its dims: programs give it as [1]. */
static int rank_of(const oc_port *port, const OrtValue *v)
{
    return port->rank == 0 && v->count == 1 ? 0 : v->rank;
}

/* Refuses a value whose dims contradict those that the model, or the options, give the input. */
static OrtStatus *expect_dims(const oc_port *port, const OrtValue *v)
{
    bool fit = port->kind != OC_TENSOR || v->kind != OC_TENSOR || port->rank < 0 ||
               port->rank == rank_of(port, v);
    for (int i = 0; fit && port->kind == OC_TENSOR && v->kind == OC_TENSOR && i < port->rank; i++)
        fit = port->dim[i] < 0 || port->dim[i] == v->dim[i];
    if (fit)
        return NULL;
    OrtValue expected = {.type = port->type, .rank = port->rank};
    char given[ORT_VALUE_TEXT], wanted[ORT_VALUE_TEXT];
    memcpy(expected.dim, port->dim, sizeof port->dim);
    return ort_fail(ORT_INVALID_ARGUMENT, "input '%s' is %s, expected %s (-1: any size)",
                    port->name, ort_value_text(v, given), ort_value_text(&expected, wanted));
}

/* Is true where the model that runs has an input. A model that was changed by the program's
 * initializers has lost the inputs that no node uses. */
static bool runs_with(const OrtSession *s, const char *name)
{
    bool found = !s->changed;
    for (int i = 0; !found && i < oc_model_n_inputs(s->changed); i++)
        found = strcmp(oc_model_input(s->changed, i).name, name) == 0;
    return found;
}

/* Binds a value as it lies, or a copy where Ocellus wants another form. */
static OrtStatus *bind_value(run_state *r, const oc_port *port, const OrtValue *v, oc_value **made)
{
    oc_session *session = r->runner->session;
    oc_error e = {0};
    const bool plain = port->kind == OC_TENSOR && v->kind == OC_TENSOR;
    if (plain && v->type == OC_STRING)
        oc_bind_value(session, port->name, v->strings, &e);
    else if (plain && ort_type_bits(v->type) == 8 && is_aligned(v))
        oc_bind(session, port->name, v->type, rank_of(port, v), v->dim, v->data ? v->data : "", &e);
    else {
        ORT_TRY(ort_value_to_ocellus(v, port->kind, port->type, made));
        oc_bind_value(session, port->name, *made, &e);
    }
    return ort_from_error(&e);
}

static OrtStatus *bind_input(run_state *r, size_t i)
{
    const OrtSession *s = r->runner->owner;
    const oc_port *port = &s->input[r->in[i].place];
    const OrtValue *v = r->feed->input[i];
    ORT_EXPECT(v, "input '%s' is NULL, expected a value", port->name);
    ORT_TRY(expect_dims(port, v));
    if (!runs_with(s, port->name))
        return NULL;
    r->runner->bound[r->in[i].place] = true;
    return bind_value(r, port, v, &r->in[i].made);
}

static bool is_given(const run_state *r, int input)
{
    size_t k = 0;
    while (k < r->feed->n_input && r->in[k].place != input)
        k++;
    return k < r->feed->n_input;
}

static OrtStatus *find_inputs(const OrtSession *s, run_state *r)
{
    const ort_feed *feed = r->feed;
    ORT_TRY(ort_new(feed->n_input * sizeof *r->in, &r->in));
    for (size_t k = 0; k < feed->n_input; k++) {
        const char *name = feed->input_name[k];
        r->in[k].place = ort_session_input(s, name);
        ORT_EXPECT(r->in[k].place >= 0, "the model has no input '%s'", name ? name : "NULL");
    }
    for (int i = 0; i < s->n_required; i++)
        ORT_EXPECT(is_given(r, s->required[i]), "input '%s' is missing",
                   s->input[s->required[i]].name);
    return NULL;
}

/* A runner whose default inputs are bound by no earlier run, unless this run binds them too: what
 * is bound stays bound. */
static OrtStatus *take_runner(OrtSession *s, const OrtRunOptions *options, run_state *r)
{
    ORT_TRY(ort_runner_take(s, options, &r->runner));
    for (int i = 0; i < s->n_overridable; i++) {
        const int input = s->overridable[i];
        if (!r->runner->bound[input] || is_given(r, input))
            continue;
        ort_runner_free(r->runner);
        return take_runner(s, options, r);
    }
    return NULL;
}

/* ---- outputs ---- */

static bool overlaps(const OrtValue *a, const OrtValue *b)
{
    const uintptr_t at = (uintptr_t)a->data, other = (uintptr_t)b->data;
    return a->data && b->data && at < other + ort_type_bytes(b->type, b->count) &&
           other < at + ort_type_bytes(a->type, a->count);
}

/* May Ocellus compute an output in the memory of v, in which no input and no other output lies? */
static bool may_be_direct(const run_state *r, size_t output, const OrtValue *v)
{
    if (v->kind != OC_TENSOR || v->type == OC_STRING || ort_type_bits(v->type) < 8 ||
        ort_type_bytes(v->type, v->count) < DIRECT || !is_aligned(v))
        return false;
    for (size_t i = 0; i < r->feed->n_input; i++)
        if (overlaps(v, r->feed->input[i]))
            return false;
    for (size_t i = 0; i < output; i++)
        if (r->out[i].port == r->out[output].port ||
            (r->out[i].direct && overlaps(v, r->out[i].made)))
            return false;
    return true;
}

/* Memory for an output whose dims the model tells; NULL where it does not. */
static OrtStatus *make_output(const run_state *r, size_t i, OrtValue **out)
{
    const oc_port *port = &r->runner->owner->output[r->out[i].port];
    int64_t count = port->kind == OC_TENSOR && port->rank >= 0 ? 1 : 0;
    for (int k = 0; k < port->rank && count > 0 && count <= INT32_MAX; k++)
        count = port->dim[k] > INT32_MAX ? 0 : count * port->dim[k];
    *out = NULL;
    if (count <= 0 || count > INT32_MAX || port->type == OC_STRING ||
        ort_type_bytes(port->type, count) < DIRECT)
        return NULL;
    return ort_value_new(NULL, port->type, port->rank, port->dim, out);
}

static OrtStatus *bind_output(run_state *r, size_t i)
{
    const OrtSession *s = r->runner->owner;
    const char *name = r->feed->output_name[i];
    oc_error e = {0};
    r->out[i].port = ort_session_output(s, name);
    ORT_EXPECT(r->out[i].port >= 0, "the model has no output '%s'", name ? name : "NULL");
    OrtValue *given = r->feed->output[i];
    if (given)
        r->out[i].made = ort_value_hold(given);
    else
        ORT_TRY(make_output(r, i, &r->out[i].made));
    const OrtValue *v = r->out[i].made;
    r->out[i].direct = v && may_be_direct(r, i, v);
    if (!r->out[i].direct)
        return NULL;
    const int rank = given ? v->rank : -1;
    oc_bind_output(r->runner->session, name, v->type, rank, v->dim, v->data,
                   ort_type_bytes(v->type, v->count), &e);
    return ort_from_error(&e);
}

/* Makes Ocellus forget the memory of outputs, which is the program's. */
static void unbind_outputs(run_state *r)
{
    for (size_t i = 0; r->out && i < r->feed->n_output; i++) {
        oc_error e = {0};
        if (r->out[i].direct)
            oc_bind_output(r->runner->session, r->feed->output_name[i], OC_UNDEFINED, -1, NULL,
                           NULL, 0, &e);
        r->out[i].direct = false;
    }
}

/* Is true where a value has the dims of an output that was computed. */
static bool has_dims_of(const OrtValue *v, const oc_value *output)
{
    return oc_value_kind(output) == OC_TENSOR &&
           ort_value_has_dims(v, (size_t)oc_value_rank(output), oc_value_dims(output));
}

static OrtStatus *collect(run_state *r, size_t i, OrtValue **out)
{
    oc_error e = {0};
    const oc_value *output = oc_fetch_value_at(r->runner->session, r->out[i].port, &e);
    ORT_TRY(ort_from_error(&e));
    OrtValue *given = r->feed->output[i];
    if (given && given->kind == OC_TENSOR)
        return r->out[i].direct ? NULL : ort_value_fill(given, output, r->feed->output_name[i]);
    ORT_EXPECT(!given, "the value given for output '%s' is no tensor: leave it to the run",
               r->feed->output_name[i]);
    if (!r->out[i].direct || !has_dims_of(r->out[i].made, output))
        return ort_value_copy(NULL, output, out);
    *out = r->out[i].made;
    r->out[i].made = NULL;
    return NULL;
}

/* All outputs are made before the program sees one. */
static OrtStatus *collect_all(run_state *r)
{
    const size_t n = r->feed->n_output;
    OrtValue **out;
    ORT_TRY(ort_new(n * sizeof *out, &out));
    OrtStatus *status = NULL;
    for (size_t i = 0; i < n && !status; i++)
        status = collect(r, i, &out[i]);
    for (size_t i = 0; i < n; i++)
        if (status)
            ort_ReleaseValue(out[i]);
        else if (out[i])
            r->feed->output[i] = out[i];
    free(out);
    return status;
}

/* ---- the run ---- */

static OrtStatus *run_session(run_state *r)
{
    const ort_runner *runner = r->runner;
    oc_error e = {0};
    const uint64_t begin = runner->profile ? ort_profile_clock() : 0;
    oc_run(runner->session, &e);
    if (e.code == OC_LIMIT && !(runner->run && runner->run->terminate)) {
        bool again = false; /* an output may be larger than the model says */
        for (size_t i = 0; i < r->feed->n_output; i++)
            again |= r->out[i].direct && !r->feed->output[i];
        if (again) {
            unbind_outputs(r);
            e = (oc_error){0};
            oc_run(runner->session, &e);
        }
    }
    ort_profile_span(runner->profile, "model_run", begin);
    if (e.code == OC_CANCELLED && runner->run && runner->run->terminate)
        return ort_fail(ORT_FAIL, "the terminate flag of the run options ended the run: %s",
                        e.text);
    return ort_from_error(&e);
}

static OrtStatus *bind_and_run(run_state *r)
{
    const size_t n_in = r->feed->n_input, n_out = r->feed->n_output;
    ORT_TRY(ort_new(n_out * sizeof *r->out, &r->out));
    for (size_t i = 0; i < n_in; i++)
        ORT_TRY(bind_input(r, i));
    for (size_t i = 0; i < n_out; i++)
        ORT_TRY(bind_output(r, i));
    ORT_TRY(run_session(r));
    return collect_all(r);
}

static void clear(run_state *r)
{
    for (size_t i = 0; r->in && i < r->feed->n_input; i++)
        oc_value_free(r->in[i].made);
    for (size_t i = 0; r->out && i < r->feed->n_output; i++)
        ort_ReleaseValue(r->out[i].made);
    free(r->in);
    free(r->out);
}

OrtStatus *ort_run(OrtSession *session, const OrtRunOptions *options, const ort_feed *feed)
{
    run_state r = {.feed = feed};
    ORT_EXPECT(feed->n_output, "no output is asked for, expected the name of one or more");
    OrtStatus *status = find_inputs(session, &r);
    if (!status && options && options->terminate)
        status = ort_fail(ORT_FAIL, "the terminate flag of the run options is set");
    if (!status)
        status = take_runner(session, options, &r);
    if (!status) {
        status = bind_and_run(&r);
        unbind_outputs(&r);
        ort_runner_give(r.runner);
    }
    clear(&r);
    return status;
}

OrtStatus *ort_Run(OrtSession *session, const OrtRunOptions *options, const char *const *input_name,
                   const OrtValue *const *input, size_t n_input, const char *const *output_name,
                   size_t n_output, OrtValue **output)
{
    ORT_NEED(session && ((input_name && input) || !n_input) &&
             ((output_name && output) || !n_output));
    const ort_feed feed = {input_name, input, n_input, output_name, output, n_output};
    return ort_run(session, options, &feed);
}
