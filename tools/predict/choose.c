/* SPDX-License-Identifier: Apache-2.0
 * choose.c - finds out which decoder goes with a network: by its name, by what the exporter tells,
 * by the shapes of the outputs. */
#include "predict/choose.h"

#include "common/nearest.h"
#include "predict/signature.h"
#include "predict/signs.h"
#include "predict/vision_texts.h"
#include "predict/words.h"
#include "session/port_text.h"

#include <stdarg.h>

/* ---- what exporters tell ---- */

/* Which decoders networks of a task have. A task is the exporter's own word, or the end of it. */
static const struct {
    metadata_maker maker;
    const char *task;     /* NULL: it tells none */
    const char *family;   /* NULL: any */
    const char *decoders; /* names with blanks between */
} tasks[] = {
    {METADATA_ULTRALYTICS, "detect", NULL, "end2end yolov8 yolov5"},
    {METADATA_ULTRALYTICS, "segment", NULL, "end2end-seg yolov8-seg"},
    {METADATA_ULTRALYTICS, "semantic", NULL, "mask-indices mask"},
    {METADATA_ULTRALYTICS, "depth", NULL, "depth"},
    {METADATA_ULTRALYTICS, "pose", NULL, "end2end-pose yolov8-pose"},
    {METADATA_ULTRALYTICS, "obb", NULL, "end2end-obb yolov8-obb"},
    {METADATA_ULTRALYTICS, "classify", NULL, "classify"},
    {METADATA_ULTRALYTICS, NULL, NULL, "yolov5"},
    {METADATA_MMDEPLOY, "Detection", NULL, "mmdet"},
    {METADATA_MMDEPLOY, "InstanceSegmentation", NULL, "mmdet-seg mmdet"},
    {METADATA_MMDEPLOY, "Segmentation", NULL, "mask"},
    {METADATA_MMDEPLOY, "Classification", NULL, "classify"},
    {METADATA_HUGGING_FACE, "ForObjectDetection", "detr", "detr"},
    {METADATA_HUGGING_FACE, "ForObjectDetection", "conditional_detr", "rf-detr"},
    {METADATA_HUGGING_FACE, "ForObjectDetection", "table-transformer", "detr"},
    {METADATA_HUGGING_FACE, "ForObjectDetection", "yolos", "detr"},
    {METADATA_HUGGING_FACE, "ForObjectDetection", NULL, "rf-detr"},
    {METADATA_HUGGING_FACE, "ForSemanticSegmentation", NULL, "mask"},
    {METADATA_HUGGING_FACE, "ForDepthEstimation", NULL, "depth"},
    {METADATA_HUGGING_FACE, "ForImageClassification", NULL, "classify"},
    {METADATA_TIMM, NULL, NULL, "classify"},
    {METADATA_PADDLE, "HRNet", NULL, "heatmaps"},
    {METADATA_PADDLE, "", NULL, "paddle"},
    {METADATA_PADDLE, NULL, NULL, "ctc"},
};

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), size = strlen(end);
    return n >= size && strcmp(text + n - size, end) == 0;
}

/* Returns the names of the decoders that the metadata tells; NULL when it tells none. */
static const char *told_decoders(const metadata *m)
{
    if (!m->from[METADATA_MAKER])
        return NULL;
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        const char *task = m->from[METADATA_TASK] ? m->task : NULL;
        const char *family = m->from[METADATA_FAMILY] ? m->family : NULL;
        if (tasks[i].maker == m->maker && !task == !tasks[i].task &&
            (!task || ends_with(task, tasks[i].task)) &&
            (!tasks[i].family || (family && strcmp(family, tasks[i].family) == 0)))
            return tasks[i].decoders;
    }
    return NULL;
}

/* ---- texts ---- */

typedef struct text {
    char *at;
    size_t size, n;
} text;

static void put(text *t, const char *format, ...) TOOL_PRINTF(2, 3);
static void put(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(t->at + t->n, t->size - t->n, format, args);
    va_end(args);
    if (n > 0)
        t->n = t->n + (size_t)n < t->size ? t->n + (size_t)n : t->size - 1;
}

/* Names the outputs numbered out (NULL: all n), the first few of them. */
static void put_outputs(text *t, const outline *o, const int *out, int n)
{
    enum { NAMED = 4 };
    char shape[PORT_TEXT];
    put(t, n == 1 ? "output" : "outputs");
    for (int k = 0; k < n && k < NAMED; k++) {
        const oc_port *p = &o->out[out ? out[k] : k];
        put(t, "%s '%.60s' %.120s", k ? "," : "", p->name, session_port_text(p, shape));
    }
    if (n > NAMED)
        put(t, " and %d more", n - NAMED);
}

/* ---- the choice ---- */

/* The decoders that are asked, and which of them fit. */
typedef struct search {
    const outline *o;
    const metadata *m;
    const char *names; /* with blanks between; NULL: all that shapes may choose */
    bool all;          /* also decoders that shapes alone do not choose */
    bool suppressed;   /* the exporter tells that boxes come without duplicates */
    choice found;
    int n, n_parts; /* decoders that fit and take the most outputs; how many these are */
    char list[300]; /* their names, with '|' between */
} search;

static bool is_asked(const search *s, const decoder *d)
{
    if (s->suppressed && strncmp(d->name, "end2end", 7) != 0)
        return false;
    return !s->names || words_have(s->names, ' ', d->name, strlen(d->name));
}

/* Are the outputs those that the decoder is for? Where nobody names it, and their shapes are those
 * of other things too, a sign must say so, which goes to c->why. */
static bool is_meant(const search *s, choice *c)
{
    const int axis = c->decoder->classes;
    if (s->names || s->all)
        return true;
    return decoder_is_sure(c->decoder, s->o, c->out) &&
           (!axis || sign_of_classes(s->o, s->m, &s->o->out[c->out[0]], axis, c->why));
}

static void look(search *s)
{
    text list = {s->list, sizeof s->list, 0};
    for (int i = 0; decoder_at(i); i++) {
        choice c = {.decoder = decoder_at(i)};
        if (!is_asked(s, c.decoder) || !decoder_fits(c.decoder, s->o, c.out) || !is_meant(s, &c))
            continue;
        const int n_parts = decoder_n_parts(c.decoder);
        if (n_parts < s->n_parts)
            continue;
        if (n_parts > s->n_parts)
            s->n = (int)(list.n = 0);
        s->n_parts = n_parts;
        put(&list, "%s%s", s->n ? "|" : "", c.decoder->name);
        if (s->n++ == 0)
            s->found = c;
    }
}

static void refuse_name(const char *as, oc_error *e)
{
    char hint[NEAREST_TEXT], all[600] = "";
    nearest near = {.text = as};
    text list = {all, sizeof all, 0};
    for (int i = 0; decoder_at(i); i++) {
        nearest_try(&near, decoder_at(i)->name);
        put(&list, "%s%s", i ? "|" : "", decoder_at(i)->name);
    }
    tool_fail(e, OC_ARGUMENT, "--as %s: there is no such decoder%s; expected one of %s", as,
              nearest_hint(&near, hint), all);
}

/* Tells which outputs the model has, and what the decoders take that were asked and do not fit. */
static void refuse_asked(const search *s, const char *who, oc_error *e)
{
    char takes[400] = "", has[400] = "";
    text t = {takes, sizeof takes, 0}, h = {has, sizeof has, 0};
    for (int i = 0; decoder_at(i); i++)
        if (is_asked(s, decoder_at(i)))
            put(&t, "%s%s is for %s", t.n ? "; " : "", decoder_at(i)->name, decoder_at(i)->about);
    put_outputs(&h, s->o, NULL, s->o->n_out);
    tool_fail(e, OC_ARGUMENT, "%s: the model has %s, and %s", who, has, takes);
}

/* Lists the decoders that the shapes of the outputs fit. */
static void refuse_shapes(const outline *o, oc_error *e)
{
    char has[400] = "";
    text h = {has, sizeof has, 0};
    search s = {.o = o, .all = true};
    look(&s);
    put_outputs(&h, o, NULL, o->n_out);
    if (s.n == 1)
        tool_fail(
            e, OC_ARGUMENT,
            "the shapes of the outputs do not tell what they are: %s; --as %s takes %s, and run "
            "gives the outputs as they are",
            has, s.list, s.found.decoder->about);
    else if (s.n)
        tool_fail(e, OC_ARGUMENT,
                  "the shapes of the outputs leave a choice: %s; expected --as %s, which "
                  "'ocellus predict --as list' tells apart, and run gives the outputs as they are",
                  has, s.list);
    else
        tool_fail(e, OC_UNSUPPORTED,
                  "no decoder takes the model's %s; 'ocellus predict --as list' tells what they "
                  "take, and run gives the outputs as they are",
                  has);
}

/* ---- a decoder that --save has joined ---- */

/* Are the network's first outputs those of the decoder? Where the network has an output of such a
 * name itself, the joined one has "decoder/" in front. */
static bool gives_answers(const outline *o, const decoder *d)
{
    static const char prefix[] = JOIN_PREFIX "/";
    char *function = vision_text(d->function);
    const signature s = signature_of(function ? function : "", d->function);
    bool fits = s.n_output > 0 && o->batch <= o->n_out / s.n_output;
    for (int k = 0; k < s.n_output * o->batch && fits; k++) {
        const char *name = o->out[k].name, *expected = s.output[k % s.n_output];
        const size_t size = strlen(expected);
        name += strncmp(name, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
        /* of several photographs names have a number at their end */
        fits = strncmp(name, expected, size) == 0 && name[size] == (o->batch > 1 ? '_' : 0);
    }
    free(function);
    return fits;
}

/* Sets *c to the decoder that the metadata tells to be inside, if the outputs are its answers. */
static bool find_inside(const outline *o, const metadata *m, const char *as, choice *c)
{
    const decoder *d = m->from[METADATA_DECODER] ? decoder_find(m->decoder) : NULL;
    if (!d || (as && strcmp(as, d->name) != 0) || !gives_answers(o, d))
        return false;
    *c = (choice){.decoder = d, .is_inside = true};
    snprintf(c->why, sizeof c->why, "%s, by --save", m->from[METADATA_DECODER]);
    return true;
}

choice choose_decoder(const outline *o, const metadata *m, const char *as, oc_error *e)
{
    const char *told = as ? NULL : told_decoders(m);
    search s = {.o = o,
                .m = m,
                .names = as ? as : told,
                .suppressed = told && m->maker == METADATA_ULTRALYTICS && (m->nms || m->end2end)};
    if (e->code != OC_OK || find_inside(o, m, as, &s.found))
        return s.found;
    if (as && !decoder_find(as)) {
        refuse_name(as, e);
        return s.found;
    }
    const char *from =
        told ? m->from[m->from[METADATA_TASK] ? METADATA_TASK : METADATA_MAKER] : NULL;
    char *who = as ? tool_format("--as %s", as) : tool_format("%s", from ? from : "");
    look(&s);
    if (s.n == 0 && s.names)
        refuse_asked(&s, who, e);
    else if (s.n > 1 && s.names)
        tool_fail(e, OC_ARGUMENT, "%s: the outputs fit several decoders; expected --as %s", who,
                  s.list);
    else if (s.n != 1)
        refuse_shapes(o, e);
    char *sign = tool_format("%s", s.found.why);
    text why = {s.found.why, sizeof s.found.why, 0};
    if (s.n == 1 && told)
        put(&why, "%s, and ", from);
    if (s.n == 1)
        put_outputs(&why, o, s.found.out, decoder_n_parts(s.found.decoder));
    if (s.n == 1 && !s.names && s.found.decoder->op)
        put(&why, " and an operator %s", s.found.decoder->op);
    if (s.n == 1 && !s.names && s.found.decoder->no_op)
        put(&why, " without an operator %s", s.found.decoder->no_op);
    put(&why, "%s", sign);
    free(sign);
    free(who);
    return s.found;
}

const decoder *choose_for_model(const oc_model *m, const char *path, char **told)
{
    oc_error e = {0};
    metadata meta = {0};
    metadata_read(&meta, m, path, NULL, &e);
    outline o = outline_of(m, NULL, &e);
    const bool is_known = e.code == OC_OK;
    const choice c = choose_decoder(&o, &meta, NULL, &e);
    *told = tool_format("%s", c.decoder && e.code == OC_OK        ? c.why
                              : is_known && e.code == OC_ARGUMENT ? e.text
                                                                  : "");
    outline_free(&o);
    metadata_free(&meta);
    return e.code == OC_OK ? c.decoder : NULL;
}
