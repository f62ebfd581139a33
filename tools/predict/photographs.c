/* SPDX-License-Identifier: Apache-2.0
 * photographs.c - reads each file of a job as a photograph, and tells, draws and cuts out what the
 * network says of it. */
#include "predict/photographs.h"

#include "draw/draw_answer.h"

enum { FRAME_NAME = 32 };

/* A photograph while a worker has it. */
typedef struct photograph {
    /* of a stream: its bytes, and what it is called; `waits`: its turn to be written is to come */
    io_bytes bytes;
    file_item item;
    char path[FRAME_NAME], name[FRAME_NAME];
    file_kind kind;
    bool waits;
    job_file file; /* as the job knows it */
    bool is_told;  /* the reader has the answer */

    image image; /* as it is seen; without samples when nothing is drawn or cut out */
    image_fit fit;
    oc_value *second; /* for the input of the photograph beside it; NULL: there is none */
    io_bytes next;    /* of a stream: the bytes of that photograph */
    image_fit *all;   /* of photographs that run as one: how they lie, n_all of them */
    int n_all;
    predictor_values values;
    predictor_held held;
} photograph;

/* Ends the turn of a frame that was not written, and tells that a file has no answer. */
static void give_up(const photographs *p, photograph *f)
{
    oc_error e = {0};
    if (f->waits) {
        turns_wait(p->turns, f->file.number);
        turns_end(p->turns);
    }
    if (!f->is_told)
        p->reader.take(p->reader.ctx, &f->file, NULL, &e);
    f->waits = false;
    f->is_told = true;
}

static void release(void *ctx, void *more)
{
    photograph *f = more;
    give_up(ctx, f);
    image_free(&f->image);
    io_bytes_free(&f->bytes);
    io_bytes_free(&f->next);
    oc_value_free(f->second);
    predictor_values_free(&f->values);
    free(f->all);
    predictor_held_free(&f->held);
    free(f);
}

/* ---- before the run ---- */

static void fail_photograph(void *ctx, const job_file *file)
{
    give_up(ctx, file->more);
}

/* Takes the next picture of the stream, and, for a network of two frames, the one behind it, with
 * which the next call begins. */
static bool fetch_bytes(photographs *p, photograph *f, oc_error *e)
{
    if (p->second < 0)
        return frames_next(p->frames, &f->bytes, e);
    if (!p->last.data && !frames_next(p->frames, &p->last, e))
        return false;
    if (!frames_next(p->frames, &f->next, e))
        return false;
    f->bytes = p->last;
    p->last = (io_bytes){0};
    if (io_bytes_grow(&p->last, f->next.size)) {
        memcpy(p->last.data, f->next.data, f->next.size);
        p->last.size = f->next.size;
    } else {
        tool_fail(e, OC_NOMEM, "%s: out of memory", p->frames->name);
    }
    return e->code == OC_OK;
}

static bool fetch_frame(void *ctx, job_file *file, oc_error *e)
{
    photographs *p = ctx;
    photograph *f = tool_alloc(1, sizeof *f);
    if (!fetch_bytes(p, f, e)) {
        io_bytes_free(&f->bytes);
        io_bytes_free(&f->next);
        free(f);
        return false;
    }
    snprintf(f->path, sizeof f->path, "frame %d", file->number + 1);
    snprintf(f->name, sizeof f->name, "%06d", file->number + 1);
    f->item = (file_item){.path = f->path, .name = f->name};
    f->kind = p->frames->kind;
    f->waits = p->out != NULL;
    file->item = &f->item;
    file->more = f;
    return true;
}

/* Reads the picture of a file as a tensor, from the bytes if there are any, which it frees. */
static oc_value *read_picture(io_bytes *bytes, const char *path, const oc_port *port,
                              const tensor_options *o, oc_error *e)
{
    if (!bytes->data)
        io_read(path, o->cap, bytes, e);
    oc_value *v = tensor_decode(TENSOR_PICTURE, bytes, path, port, o, NULL, e);
    io_bytes_free(bytes);
    return v;
}

/* Reads the photograph beside f, which is prepared as f is. */
static void read_second(const photographs *p, photograph *f, const file_item *item, oc_error *e)
{
    const oc_port port = oc_model_input(p->predictor->model, p->second);
    const char *path = item->n_partner ? item->partner[0] : "the next frame";
    image_fit fit = {0};
    tensor_options o = *p->options;
    o.quiet = true;
    o.fit = &fit;
    f->second = read_picture(&f->next, path, &port, &o, e);
    if (e->code == OC_OK && (fit.width != f->fit.width || fit.height != f->fit.height))
        tool_fail(e, OC_SHAPE, "%s: %d x %d, and %s beside it %d x %d: expected two of one size",
                  item->path, f->fit.width, f->fit.height, path, fit.width, fit.height);
}

static void read_photograph(void *ctx, job_file *file, oc_error *e)
{
    const photographs *p = ctx;
    const char *path = file->item->path;
    const oc_port port = oc_model_input(p->predictor->model, p->predictor->photograph);
    photograph *f = file->more ? file->more : tool_alloc(1, sizeof *f);
    tensor_options o = *p->options;
    o.quiet = o.quiet || file->number > 0;
    o.fit = &f->fit;
    o.seen = p->drawn || p->crops || p->out ? &f->image : NULL;
    file->more = f;
    f->file = *file;
    file->value = read_picture(&f->bytes, path, &port, &o, e);
    if (p->second >= 0 && e->code == OC_OK)
        read_second(p, f, file->item, e);
}

static void bind_photograph(void *ctx, const job_file *file, oc_session *session, oc_error *e)
{
    const photographs *p = ctx;
    photograph *f = file->more;
    predictor_bind(p->predictor, f->all ? f->all : &f->fit, f->all ? f->n_all : 1, &f->values,
                   session, e);
    if (p->second >= 0)
        oc_bind_value_at(session, p->second, f->second, e);
    if (p->record)
        photograph_record_keep(p->record, p->predictor, file->value, p->second, f->second,
                               &f->values, e);
}

/* Returns the photographs as one, for their run; it has no answer of its own. */
static void *join_photographs(OC_UNUSED void *ctx, const job_file *file, int n,
                              OC_UNUSED oc_error *e)
{
    photograph *one = tool_alloc(1, sizeof *one);
    one->is_told = true;
    one->all = tool_alloc((size_t)n, sizeof *one->all);
    one->n_all = n;
    for (int i = 0; i < n; i++)
        one->all[i] = ((const photograph *)file[i].more)->fit;
    return one;
}

/* ---- behind the run ---- */

/* Writes each object that was found, cut out: "crops/NAME.0.person.jpg". */
static void write_crops(const photographs *p, const job_file *file, const image *m, const answer *a,
                        oc_error *e)
{
    for (int i = 0; i < a->n && a->box && e->code == OC_OK; i++) {
        image crop = {0};
        size_t size = 0;
        const char *name = a->label ? predictor_label(p->predictor, a->label[i], &size) : NULL;
        char *label = name ? tool_format("%.*s", (int)size, name)
                           : tool_format("%lld", (long long)(a->label ? a->label[i] : 0));
        char *safe = io_safe_name(label);
        char *path = tool_format("%s/%s.%d.%s.%s", p->crops->folder, file->item->name, i, safe,
                                 p->crops->ending);
        draw_crop(m, a, i, &crop, file->item->path, e);
        if (crop.sample)
            image_write_file(&crop, path, e);
        image_free(&crop);
        free(label);
        free(safe);
        free(path);
    }
}

static void write_drawn(const photographs *p, photograph *f, const answer *a, oc_error *e)
{
    char *path =
        p->file ? tool_format("%s", p->file) : results_path(p->drawn, f->file.item->name, 0);
    predictor_draw(p->predictor, a, &f->image, f->file.item->path, e);
    image_write_file(&f->image, path, e);
    free(path);
}

/* Writes a frame when all before it have been written. */
static void write_frame(const photographs *p, photograph *f, const answer *a, oc_error *e)
{
    predictor_draw(p->predictor, a, &f->image, f->file.item->path, e);
    turns_wait(p->turns, f->file.number);
    if (e->code == OC_OK)
        frames_write(&f->image, f->kind, p->out, e); /* flushes */
    turns_end(p->turns);
    f->waits = false;
}

static bool write_photograph(void *ctx, const job_file *file, int k, OC_UNUSED int n,
                             const oc_session *session, oc_error *e)
{
    const photographs *p = ctx;
    photograph *f = file->more;
    answer a;
    predictor_answer(p->predictor, &f->fit, k, session, &a, &f->held, e);
    if (e->code == OC_OK && p->crops)
        write_crops(p, file, &f->image, &a, e);
    if (e->code == OC_OK && p->out)
        write_frame(p, f, &a, e);
    else if (e->code == OC_OK && p->drawn)
        write_drawn(p, f, &a, e);
    if (e->code == OC_OK) {
        f->is_told = true;
        p->reader.take(p->reader.ctx, file, &a, e);
    }
    give_up(p, f);
    image_free(&f->image);
    return true;
}

job_way photographs_way(photographs *p)
{
    return (job_way){.ctx = p,
                     .fetch = p->frames ? fetch_frame : NULL,
                     .read = read_photograph,
                     .bind = bind_photograph,
                     .join = join_photographs,
                     .write = write_photograph,
                     .fail = fail_photograph,
                     .release = release};
}

void photographs_free(photographs *p)
{
    io_bytes_free(&p->last);
}
