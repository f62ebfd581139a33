/* SPDX-License-Identifier: Apache-2.0
 * photographs.c - reads each file of a job as a photograph, and tells, draws and cuts out what the
 * network says of it. */
#include "predict/photographs.h"

#include "predict/draw_answer.h"

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
    predictor_values values;
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
    free(f->values.text);
    free(f);
}

/* ---- before the run ---- */

static void fail_photograph(void *ctx, const job_file *file)
{
    give_up(ctx, file->more);
}

static bool fetch_frame(void *ctx, job_file *file, oc_error *e)
{
    const photographs *p = ctx;
    photograph *f = tool_alloc(1, sizeof *f);
    if (!frames_next(p->frames, &f->bytes, e)) {
        io_bytes_free(&f->bytes);
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
    if (!p->frames)
        io_read(path, o.cap, &f->bytes, e);
    file->value = tensor_decode(TENSOR_PICTURE, &f->bytes, path, &port, &o, NULL, e);
    io_bytes_free(&f->bytes);
}

static void bind_photograph(void *ctx, const job_file *file, oc_session *session, oc_error *e)
{
    const photographs *p = ctx;
    photograph *f = file->more;
    predictor_bind(p->predictor, &f->fit, &f->values, session, e);
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
        char *path = tool_format("%s/%s.%d.%s.jpg", p->crops, file->item->name, i, safe);
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
    char *path = results_path(p->drawn, f->file.item->name, 0);
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

static bool write_photograph(void *ctx, const job_file *file, OC_UNUSED int k, OC_UNUSED int n,
                             const oc_session *session, oc_error *e)
{
    const photographs *p = ctx;
    photograph *f = file->more;
    answer a;
    predictor_answer(p->predictor, &f->values, session, &a, e);
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
                     .write = write_photograph,
                     .fail = fail_photograph,
                     .release = release};
}
