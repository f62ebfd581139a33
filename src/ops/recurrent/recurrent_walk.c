/* SPDX-License-Identifier: Apache-2.0
 * recurrent_walk.c - the walk of LSTM, GRU and RNN along the steps of one direction.
 *
 * Steps are taken in chunks. The products with W are made for a whole chunk, those with R step by
 * step: each step waits for the one before. */

#include "ops/recurrent/recurrent.h"

enum {
    FEW = 16,                  /* sequences of the least piece of a loop over the batch */
    CHUNK = 1 << 20,           /* bytes of gates that a chunk may have; it has one step at least */
    ROW_CALL = 16 * OC_PLACE,  /* products that take as long as to begin a row */
    ROW_WORK = 16 * OC_ELEMENT /* and as a number of its state */
};

typedef struct walk {
    const oc_recurrent *r;
    const oc_recurrent_operands *o;
    oc_step step; /* what is the same in all steps */
    size_t elem;
    bool backward;
    int64_t width;      /* gates * hidden */
    char *gates, *bias; /* gates of a chunk; sums of both biases, [width] */
    char *h[2], *c[2];  /* states, and where the next ones are made */
} walk;

static oc_status take_walk_memory(oc_call *c, walk *w, int64_t chunk)
{
    const oc_recurrent *r = w->r;
    const int64_t state = r->batch * r->hidden;
    size_t each;
    if (!oc_size_mul((size_t)w->width, w->elem, &each) ||
        !oc_size_mul(each, (size_t)r->batch, &each))
        return oc_fail(c, OC_LIMIT, "the states are too large");
    OC_TRY(OC_SCRATCH_OF(c, w->gates, chunk, each));
    OC_TRY(OC_SCRATCH_OF(c, w->bias, w->width, w->elem));
    OC_TRY(OC_SCRATCH_OF(c, w->step.spare, state, w->elem));
    for (int i = 0; i < 2; i++) {
        OC_TRY(OC_SCRATCH_OF(c, w->h[i], state, w->elem));
        OC_TRY(OC_SCRATCH_OF(c, w->c[i], r->cell->has_c ? state : 0, w->elem));
    }
    return OC_OK;
}

#define SUM_BIASES(name, T)                                                                        \
    static void name(T *sum, const T *b, int64_t n, int64_t both)                                  \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            sum[i] = i < both ? b[i] + b[n + i] : b[i];                                            \
    }
SUM_BIASES(sum_biases_f32, float)
SUM_BIASES(sum_biases_f64, double)

/* Sums the biases Wb and Rb, in the order of the gates. When Rb is added late, the gates that
 * are not joint have only Wb here. */
static void add_biases(walk *w)
{
    const oc_recurrent *r = w->r;
    const int64_t n = w->width, both = r->late_bias ? r->cell->joint * r->hidden : n;
    memset(w->bias, 0, (size_t)n * w->elem);
    if (!w->o->biases)
        return;
    const char *b = (const char *)w->o->biases + (size_t)(2 * n * w->step.direction) * w->elem;
    if (r->real == OC_F64)
        sum_biases_f64((void *)w->bias, (const void *)b, n, both);
    else
        sum_biases_f32((void *)w->bias, (const void *)b, n, both);
    if (r->late_bias)
        w->step.bias = b + (size_t)(n + both) * w->elem;
}

/* Finds the states of the direction in an input or output [directions, batch, hidden], or with the
 * batch first: the bytes to the first state, and from one sequence to the next. */
static size_t state_at(const oc_recurrent *r, int direction, size_t elem, size_t *step)
{
    const size_t row = (size_t)r->hidden * elem;
    *step = r->by_batch ? row * (size_t)r->directions : row;
    return (size_t)direction * (r->by_batch ? row : row * (size_t)r->batch);
}

static void first_state(oc_call *c, const walk *w, const char *initial, char *state)
{
    const oc_recurrent *r = w->r;
    const size_t row = (size_t)r->hidden * w->elem;
    size_t step;
    const size_t at = state_at(r, w->step.direction, w->elem, &step);
    if (initial)
        oc_call_copy_rows(c, state, row, initial + at, step, row, r->batch);
    else
        oc_call_zero(c, state, row * (size_t)r->batch);
}

static void last_state(oc_call *c, const walk *w, int output, const char *state)
{
    const oc_recurrent *r = w->r;
    const oc_value *y = oc_out_or_null(c, output);
    if (!y)
        return;
    size_t step;
    const size_t at = state_at(r, w->step.direction, oc_type_size(y->type), &step);
    OC_CALL_LOOP (c, b, r->batch, FEW)
        oc_convert_fast(oc_call_cpu(c), (char *)y->data + at + (size_t)b * step, y->type,
                        state + (size_t)(b * r->hidden) * w->elem, r->real, r->hidden);
}

/* Sets the gates of steps first .. first + n - 1 to the biases plus the products with W. */
static oc_status multiply_inputs(oc_call *c, const walk *w, int64_t first, int64_t n)
{
    const oc_recurrent *r = w->r;
    const oc_strips *m = &w->o->weights[w->step.direction].w;
    const size_t row = (size_t)w->width * w->elem, x_row = (size_t)r->input * w->elem;
    OC_CALL_LOOP (c, i, n * r->batch, FEW)
        memcpy(w->gates + (size_t)i * row, w->bias, row);
    if (!r->by_batch)
        return oc_strips_multiply(c, r->real, w->gates, w->width,
                                  (const char *)w->o->x + (size_t)(first * r->batch) * x_row,
                                  r->input, n * r->batch, m);
    for (int64_t b = 0; b < r->batch; b++)
        OC_TRY(oc_strips_multiply(c, r->real, w->gates + (size_t)b * row, w->width * r->batch,
                                  (const char *)w->o->x + (size_t)(b * r->steps + first) * x_row,
                                  r->input, n, m));
    return OC_OK;
}

/* Writes the hidden states after step t to Y: zeros where the sequence has ended. */
static void put_step(oc_call *c, const walk *w, int64_t t, const char *h)
{
    const oc_recurrent *r = w->r;
    const oc_value *y = oc_out_or_null(c, OC_RECURRENT_Y);
    OC_CALL_LOOP (c, b, y ? r->batch : 0, FEW) {
        const int64_t at = r->by_batch ? (b * r->steps + t) * r->directions + w->step.direction
                                       : (t * r->directions + w->step.direction) * r->batch + b;
        const size_t row = (size_t)r->hidden * oc_type_size(y->type);
        char *to = (char *)y->data + (size_t)at * row;
        if (w->o->lens && t >= w->o->lens[b])
            memset(to, 0, row);
        else
            oc_convert_fast(oc_call_cpu(c), to, y->type, h + (size_t)(b * r->hidden) * w->elem,
                            r->real, r->hidden);
    }
}

/* A sequence that has ended, or, backward, not begun, keeps its state. */
static void keep_ended(oc_call *c, const walk *w, int64_t t, char *next, const char *state)
{
    const size_t row = (size_t)w->r->hidden * w->elem;
    OC_CALL_LOOP (c, b, w->o->lens ? w->r->batch : 0, FEW)
        if (t >= w->o->lens[b])
            memcpy(next + (size_t)b * row, state + (size_t)b * row, row);
}

static void swap(char *state[2])
{
    char *const first = state[0];
    state[0] = state[1];
    state[1] = first;
}

static oc_status take_step(oc_call *c, walk *w, int64_t t, char *gates)
{
    oc_step s = w->step;
    s.gates = gates;
    s.h = w->h[0];
    s.c = w->c[0];
    s.next_h = w->h[1];
    s.next_c = w->c[1];
    OC_TRY(w->r->cell->step(c, w->r, &s));
    keep_ended(c, w, t, w->h[1], w->h[0]);
    put_step(c, w, t, w->h[1]);
    swap(w->h);
    if (w->r->cell->has_c) {
        keep_ended(c, w, t, w->c[1], w->c[0]);
        swap(w->c);
    }
    return OC_OK;
}

static oc_status take_steps(oc_call *c, walk *w, int64_t chunk)
{
    const oc_recurrent *r = w->r;
    const size_t step = (size_t)(w->width * r->batch) * w->elem;
    for (int64_t done = 0; done < r->steps && r->batch > 0; done += chunk) {
        const int64_t n = oc_min(r->steps - done, chunk);
        const int64_t first = w->backward ? r->steps - done - n : done;
        OC_TRY(multiply_inputs(c, w, first, n));
        for (int64_t i = 0; i < n; i++) {
            const int64_t k = w->backward ? n - 1 - i : i;
            OC_TRY(take_step(c, w, first + k, w->gates + (size_t)k * step));
        }
    }
    return OC_OK;
}

oc_status oc_recurrent_walk(oc_call *c, const oc_recurrent *r, const oc_recurrent_operands *o,
                            int direction)
{
    walk w = {.r = r,
              .o = o,
              .step = {.direction = direction, .r = o->weights[direction].r},
              .elem = oc_type_size(r->real),
              .backward = direction == 1 || r->reverse,
              .width = r->cell->gates * r->hidden};
    const int64_t fit = CHUNK / (int64_t)w.elem / w.width / (r->batch ? r->batch : 1);
    const int64_t chunk = fit < 1 ? 1 : oc_min(fit, r->steps);
    if (o->peepholes)
        w.step.peephole = (const char *)o->peepholes + (size_t)(3 * r->hidden * direction) * w.elem;
    OC_TRY(take_walk_memory(c, &w, chunk));
    add_biases(&w);
    first_state(c, &w, o->h, w.h[0]);
    if (r->cell->has_c)
        first_state(c, &w, o->c, w.c[0]);
    OC_TRY(take_steps(c, &w, chunk));
    last_state(c, &w, OC_RECURRENT_Y_H, w.h[0]);
    if (r->cell->has_c)
        last_state(c, &w, OC_RECURRENT_Y_C, w.c[0]);
    return OC_OK;
}

/* ---- for cells */

oc_status oc_recurrent_multiply(oc_call *c, const oc_recurrent *r, void *y, int64_t y_step,
                                const void *x, const oc_strips *m)
{
    return oc_strips_multiply(c, r->real, y, y_step, x, r->hidden, r->batch, m);
}

typedef struct rows_job {
    const oc_recurrent *r;
    const oc_step *s;
    oc_recurrent_row_fn *row;
} rows_job;

static void compute_rows(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const rows_job *t = arg;
    for (int64_t b = first; b < end; b++)
        t->row(t->r, t->s, b);
}

void oc_recurrent_rows(oc_call *c, const oc_recurrent *r, const oc_step *s,
                       oc_recurrent_row_fn *row)
{
    const double each = ROW_CALL + (double)r->hidden * ROW_WORK;
    const oc_work w = oc_call_work(c, (double)r->batch * each);
    oc_work_run(&w, r->batch, compute_rows, &(rows_job){r, s, row});
}
