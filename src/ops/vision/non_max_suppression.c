/* SPDX-License-Identifier: Apache-2.0
 * non_max_suppression.c - NonMaxSuppression: of boxes that overlap, those with the best scores.
 *
 * A box takes part if its score is above the threshold; without a threshold any does whose score is
 * not NaN. Of equal scores the one with the lower index is first. */
#include "base/limits.h"
#include "kernels/nms/suppress.h"
#include "kernels/sort/order.h"
#include "ops/kit/op.h"

#include <math.h>

enum { BOX_WORK = 2048 }; /* products that take as long as a box may take */

typedef struct job {
    const oc_box *box;   /* [batch][n] */
    const float *scores; /* [batch][classes][n] */
    int64_t batch, classes, n, most;
    float overlap, score; /* thresholds */
    bool scored;          /* there is a threshold of scores */
    int32_t *stay;        /* [batch][classes][most] */
    int64_t *n_stay;      /* [batch][classes] */
    /* for each task: room for 2 n elements of rows, n numbers of boxes, and the kernel's memory */
    oc_ranked *ranked;
    int32_t *order;
    char *scratch;
    uint64_t scratch_size;
    oc_work work;
} job;

/* Reads the one element of optional float input i. */
static oc_status read_float(oc_call *c, int i, float *value)
{
    OC_TRY(oc_expect_rank(c, i, 0, 1));
    OC_TRY(oc_expect_one(c, i));
    const oc_value *x = oc_in_or_null(c, i);
    if (x)
        *value = *(const float *)x->data;
    return OC_OK;
}

static oc_status read_inputs(oc_call *c, job *t)
{
    const oc_dims *boxes = &oc_in(c, 0)->dims, *scores = &oc_in(c, 1)->dims;
    OC_TRY(oc_expect_dims(c, 0, &(oc_dims){3, {-1, -1, 4}}, NULL));
    OC_TRY(oc_expect_dims(c, 1, &(oc_dims){3, {boxes->n[0], -1, boxes->n[1]}},
                          ", the batches and boxes of input 0"));
    *t = (job){.scores = oc_in(c, 1)->data, .scored = oc_in_or_null(c, 4) != NULL};
    t->batch = boxes->n[0];
    t->n = boxes->n[1];
    t->classes = scores->n[1];
    if (t->n > OC_MAX_BOXES)
        return oc_fail(c, OC_LIMIT, "there are %" PRId64 " boxes, the most is %d", t->n,
                       OC_MAX_BOXES);
    if (oc_in_or_null(c, 2))
        OC_TRY(oc_in_int(c, 2, &t->most));
    t->most = t->most < 0 ? 0 : oc_min(t->most, t->n);
    OC_TRY(read_float(c, 3, &t->overlap));
    OC_TRY(read_float(c, 4, &t->score));
    if (!(t->overlap >= 0 && t->overlap <= 1))
        return oc_fail(c, OC_VALUE, "iou_threshold is %g, expected 0 to 1", (double)t->overlap);
    return OC_OK;
}

static void run_class(const job *t, int64_t number, int task)
{
    static const oc_keys by_score = {OC_F32, true, true};
    const float *score = t->scores + number * t->n;
    oc_ranked *r = t->ranked + task * 2 * t->n;
    int32_t *order = t->order + task * t->n;
    int64_t n = 0;
    const bool only = t->batch * t->classes == 1; /* then threads share its boxes */
    const oc_work alone = oc_work_alone(&t->work), *w = only ? &t->work : &alone;
    t->n_stay[number] = 0;
    oc_order_rank(&by_score, r, score, t->n, w);
    OC_LOOP (w, i, t->n, 1024) {
        r[n] = r[i];
        n += t->scored ? score[i] > t->score : !isnan(score[i]);
    }
    oc_order_sort(r, r + t->n, n, w);
    OC_LOOP (w, i, n, 1024)
        order[i] = (int32_t)r[i].index;
    if (oc_work_ended(w)) /* the order may lack boxes */
        return;
    t->n_stay[number] = oc_suppress_run(&(oc_suppress){
        .box = t->box + number / t->classes * t->n,
        .order = order,
        .n = n,
        .most = t->most,
        .threshold = t->overlap,
        .stay = t->stay + number * t->most,
        .scratch = t->scratch + (uint64_t)task * t->scratch_size,
        .work = w,
    });
}

static void run_classes(void *arg, int task, int64_t first, int64_t end)
{
    for (int64_t number = first; number < end; number++)
        run_class(arg, number, task);
}

/* Finds the boxes that stay in each class. */
static oc_status suppress_all(oc_call *c, job *t)
{
    const int64_t units = t->batch * t->classes;
    t->work = oc_call_work(c, (double)t->n * BOX_WORK * (double)units);
    const int tasks = oc_work_tasks(&t->work, units);
    oc_box *box;
    OC_TRY(OC_SCRATCH(c, box, t->batch * t->n));
    oc_boxes_read(box, oc_in(c, 0)->data, t->batch * t->n, oc_attr_int(c, "center_point_box") != 0,
                  &t->work);
    t->box = box;
    t->scratch_size = oc_suppress_scratch(t->most);
    OC_TRY(OC_SCRATCH_OF(c, t->ranked, t->n, 2 * (uint64_t)tasks * sizeof *t->ranked));
    OC_TRY(OC_SCRATCH_OF(c, t->order, t->n, (uint64_t)tasks * sizeof *t->order));
    OC_TRY(OC_SCRATCH_OF(c, t->scratch, oc_work_most_tasks(&t->work), t->scratch_size));
    OC_TRY(OC_SCRATCH_OF(c, t->stay, t->most, (uint64_t)units * sizeof *t->stay));
    oc_work_run(&t->work, units, run_classes, t);
    return OC_OK;
}

/* Writes batch, class and box of each box that stays to y [all that stay, 3]. */
static void put_all(const job *t, int64_t *y)
{
    OC_LOOP (&t->work, number, t->batch * t->classes, 64) {
        const int64_t batch = number / t->classes, class = number % t->classes;
        OC_LOOP (&t->work, i, t->n_stay[number], 1024) {
            *y++ = batch;
            *y++ = class;
            *y++ = t->stay[number * t->most + i];
        }
    }
}

static oc_status non_max_suppression_run(oc_call *c)
{
    const int64_t center = oc_attr_int(c, "center_point_box");
    int64_t all = 0;
    job t;
    if (center != 0 && center != 1)
        return oc_fail(c, OC_VALUE, "attribute 'center_point_box' is %" PRId64 ", expected 0 or 1",
                       center);
    OC_TRY(read_inputs(c, &t));
    const bool some = t.most > 0 && t.batch > 0 && t.classes > 0;
    if (some) {
        OC_TRY(OC_SCRATCH(c, t.n_stay, t.batch * t.classes));
        OC_TRY(suppress_all(c, &t));
        OC_CALL_LOOP (c, i, t.batch * t.classes, 1024)
            all += t.n_stay[i];
    }
    OC_TRY(oc_set_out(c, 0, OC_I64, &(oc_dims){2, {all, 3}}));
    OC_TRY(oc_alloc_out(c, 0));
    if (some)
        put_all(&t, oc_out(c, 0)->data);
    return OC_OK;
}

OC_CALL_FN(suppression_outline, oc_outline(c, 0, OC_I64, &(oc_dims){2, {-1, 3}}))

/* clang-format off */
#define SUPPRESS NULL, non_max_suppression_run, OC_TRAITS(.outline = suppression_outline)
#define SIG "NonMaxSuppression <int center_point_box = 0> (float boxes, float scores, "            \
    "int64 max_output_boxes_per_class?, float iou_threshold?, float score_threshold?) "            \
    "=> (int64 selected_indices)"
const oc_op oc_ops_non_max_suppression[] = {
    {11, SIG, SUPPRESS},
    {10, SIG, SUPPRESS},
    {0}
};
