/* SPDX-License-Identifier: Apache-2.0
 * predictor.c - puts a decoder behind a network, and tells both how a photograph lies in it. */
#include "predict/predictor.h"

#include "common/data.h"
#include "common/limits.h"
#include "common/number.h"
#include "files/text_build.h"
#include "predict/answer_read.h"
#include "draw/draw_answer.h"
#include "draw/font.h"
#include "predict/vision_texts.h"

/* ---- inputs that say how large the photograph is ---- */

static const struct {
    const char *name;
    predictor_meaning meaning;
} told_names[] = {
    {"orig_target_sizes", PREDICTOR_WIDTH_HEIGHT}, /* RT-DETR, D-FINE, DEIM */
    {"orig_size", PREDICTOR_WIDTH_HEIGHT},
    {"im_shape", PREDICTOR_HEIGHT_WIDTH},    /* PaddleDetection */
    {"image_shape", PREDICTOR_HEIGHT_WIDTH}, /* YOLOv3 of Keras */
    {"scale_factor", PREDICTOR_SCALES},
};

static void find_told(predictor *p, const oc_model *network)
{
    for (int i = 0; i < oc_model_n_inputs(network); i++) {
        const oc_port port = oc_model_input(network, i);
        for (size_t k = 0; k < sizeof told_names / sizeof *told_names; k++)
            if (strcmp(port.name, told_names[k].name) == 0 && p->n_told < PREDICTOR_TOLD &&
                (port.type == OC_F32 || port.type == OC_I64)) {
                p->told[p->n_told].name = told_names[k].name;
                p->told[p->n_told].input = i;
                p->told[p->n_told++].meaning = told_names[k].meaning;
            }
    }
}

/* ---- joining ---- */

static void read_labels(metadata *m, const char *path, oc_error *e)
{
    labels lines = {0};
    const metadata_coco coco = metadata_coco_word(path);
    if (coco) {
        metadata_use_coco(m, coco);
        return;
    }
    labels_read(&lines, path, LIMIT_FILE, e);
    if (e->code == OC_OK)
        metadata_use_labels(m, &lines);
    labels_free(&lines);
}

/* Takes a network that has its decoder inside. */
static void use_inside(predictor *p, const oc_model *network, const predictor_wish *wish,
                       oc_error *e)
{
    const signature *s = &p->signature;
    p->model = network;
    for (int k = 0; k < JOIN_INPUTS; k++) {
        const bool takes = signature_find(s->input, s->n_input, join_input_names[k]) >= 0;
        p->input[k] = takes ? join_find(network, (join_input)k) : -1;
    }
    if (p->apart || wish->score >= 0 || wish->overlap >= 0 || wish->most >= 0)
        tool_fail(e, OC_ARGUMENT, "the model has its decoder inside, expected %s",
                  p->apart ? "'ocellus predict'" : "no --least, --overlap and --top");
}

/* What a model that is to be saved tells of itself; NULL: it is not to be. */
static char *properties_of(const predictor *p, const predictor_wish *wish)
{
    text_build text = {0};
    if (!wish->saves)
        return NULL;
    metadata_put_saved(&p->metadata, p->choice.decoder->name, &p->picture, &text);
    char *copy = tool_format("%s", text_string(&text));
    text_free(&text);
    return copy;
}

static bool reads_text(const signature *s)
{
    return signature_find(s->output, s->n_output, "letters") >= 0;
}

/* A file that names labels must name each. Of a network that reads text it names each character,
 * and need not name the last one if that is the space. */
static void check_names(const predictor *p, oc_error *e)
{
    const int n = p->metadata.names.n;
    const char *from = p->metadata.from[METADATA_NAMES];
    if (p->n_classes < 0 || p->n_classes == n)
        return;
    if (!reads_text(&p->signature))
        tool_fail(e, OC_ARGUMENT, "%s: it names %d class%s, and the network has %lld", from, n,
                  n == 1 ? "" : "es", (long long)p->n_classes);
    else if (p->n_classes != n + 1)
        tool_fail(
            e, OC_ARGUMENT,
            "%s: it names %d character%s, expected %lld, or one less without the space at the "
            "end",
            from, n, n == 1 ? "" : "s", (long long)p->n_classes);
}

/* Finds the number of classes. A detector without names that tells
 * COCO's number of classes has those of COCO. */
static void count_classes(predictor *p, const predictor_wish *wish, oc_error *e)
{
    const choice *c = &p->choice;
    const signature *s = &p->signature;
    if (wish->most == 0)
        tool_fail(e, OC_ARGUMENT, "--top is 0, expected more");
    p->n_classes = c->is_inside ? -1 : decoder_n_classes(c->decoder, &p->outline, c->out);
    if (wish->labels || wish->names)
        check_names(p, e);
    const metadata_coco coco = metadata_coco_size(p->n_classes);
    if (!coco || p->metadata.from[METADATA_NAMES] ||
        signature_find(s->output, s->n_output, "boxes") < 0)
        return;
    metadata_use_coco(&p->metadata, coco);
    metadata_remark(&p->metadata,
                    "the %lld classes, which nobody names, have COCO's names; or --labels FILE",
                    (long long)p->n_classes);
}

/* Loads the decoder, and puts it behind the network unless it is to run apart. */
static void join(predictor *p, const oc_model *network, const predictor_wish *wish,
                 const join_attribute *attribute, oc_error *e)
{
    oc_link link[DECODER_PARTS];
    char name[DECODER_PARTS][8];
    const int n = decoder_n_parts(p->choice.decoder);
    char *properties = properties_of(p, wish);
    char *text = join_text(&p->choice, &p->outline, &p->signature, attribute, properties);
    const oc_model_options options = {.alloc = *data_allocator()};
    oc_model *behind = oc_model_load_memory(text, strlen(text), &options, e);
    for (int k = 0; k < n; k++) {
        snprintf(name[k], sizeof name[k], "in%d", k);
        link[k] = (oc_link){p->outline.out[p->choice.out[k]].name, name[k]};
    }
    p->joined = p->apart ? behind : oc_model_join(network, behind, link, n, JOIN_PREFIX, e);
    p->model = p->joined;
    if (!p->apart)
        oc_model_free(behind);
    free(text);
    free(properties);
    int next = p->apart ? n : oc_model_n_inputs(network);
    for (int k = 0; k < JOIN_INPUTS; k++)
        p->input[k] = join_takes(&p->outline, &p->signature, (join_input)k) ? next++ : -1;
}

/* The characters of letters: those of --labels, or those that the exporter tells. */
static const metadata_names *characters_of(const metadata *m)
{
    return m->from[METADATA_NAMES] ? &m->names : &m->characters;
}

static bool has_attribute(const signature *s, const char *name)
{
    return signature_find(s->attribute, s->n_attribute, name) >= 0;
}

/* Names the options that the decoder has no use for. */
static void say_idle(const predictor *p, const predictor_wish *wish)
{
    const signature *s = &p->signature;
    const bool is_idle[] = {
        wish->score >= 0 && !has_attribute(s, "score"),
        wish->overlap >= 0 && !has_attribute(s, "overlap"),
        wish->most >= 0 && !has_attribute(s, "most") && !has_attribute(s, "top"),
        wish->crops && signature_find(s->output, s->n_output, "boxes") < 0,
    };
    static const char *const told[] = {
        "--least changes nothing: decoder %s leaves nothing out by scores",
        "--overlap changes nothing: decoder %s compares no boxes",
        "--top changes nothing: decoder %s has no number of objects",
        "--crops cuts nothing out: decoder %s gives no boxes",
    };
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (is_idle[i])
            tool_say(told[i], p->choice.decoder->name);
}

static void read_classes(predictor *p, const predictor_wish *wish, oc_error *e)
{
    const signature *s = &p->signature;
    if (!wish->classes)
        return;
    if (signature_find(s->output, s->n_output, "labels") < 0 &&
        signature_find(s->output, s->n_output, "classes") < 0)
        tool_fail(e, OC_ARGUMENT, "--classes: decoder %s tells no classes",
                  p->choice.decoder->name);
    picked_read(&p->picked, wish->classes, &p->metadata.names, p->n_classes, e);
}

static void say_choice(const predictor *p, const predictor_wish *wish)
{
    if (!wish->as && !wish->quiet)
        tool_say("decoder %s, by %s%s", p->choice.decoder->name, p->choice.why,
                 p->choice.is_inside ? "" : "; --as names another");
    const bool is_told = p->apart ? image_args_given(wish->picture) : wish->picture->preset != 0;
    if (!is_told && !wish->quiet)
        tool_say(p->apart ? "no option prepares photographs; predict's %s (--preset %s)"
                          : "photographs %s; --preset names another way",
                 p->prepared, p->choice.decoder->preset);
    if (p->outline.batch > 1 && !wish->quiet)
        tool_say(
            "the network takes %lld photographs at a time; where there are fewer, the last one "
            "is repeated",
            (long long)p->outline.batch);
    if (!wish->quiet)
        say_idle(p, wish);
    for (int i = 0; i < p->metadata.n_remarks && !wish->quiet; i++)
        tool_say("%s", p->metadata.remark[i]);
}

/* Refuses a network of more photographs at a time than are given it. */
static void check_batch(const predictor *p, oc_error *e)
{
    const long long n = p->outline.batch;
    if (e->code == OC_OK && p->apart && n > 1)
        tool_fail(e, OC_UNSUPPORTED,
                  "the network takes %lld photographs at a time; 'ocellus predict' tells and draws "
                  "what it says of each",
                  n);
    else if (e->code == OC_OK && n > PREDICTOR_BATCH)
        tool_fail(e, OC_LIMIT, "the network takes %lld photographs at a time, expected at most %d",
                  n, PREDICTOR_BATCH);
}

void predictor_new(predictor *p, const oc_model *network, const char *path,
                   const predictor_wish *wish, oc_error *e)
{
    *p = (predictor){.second = -1, .input = {-1, -1, -1}, .apart = wish->apart};
    metadata_read(&p->metadata, network, path, wish->config, e);
    if (wish->n_names)
        metadata_use_names(&p->metadata, wish->names, wish->n_names);
    else if (wish->labels)
        read_labels(&p->metadata, wish->labels, e);
    p->outline = outline_of(network, wish->input, e);
    p->photograph = p->outline.picture;
    p->second = p->outline.second;
    p->choice = choose_decoder(&p->outline, &p->metadata, wish->as, e);
    check_batch(p, e);
    if (e->code != OC_OK)
        return;
    if (p->choice.decoder->labels)
        metadata_use_words(&p->metadata, p->choice.decoder->labels);
    char *text = vision_text(p->choice.decoder->function);
    p->signature = signature_of(text ? text : "", p->choice.decoder->function);
    free(text);
    count_classes(p, wish, e);
    const join_attribute attribute[] = {
        {wish->score >= 0 ? "score" : "", false, wish->score},
        {wish->overlap >= 0 ? "overlap" : "", false, wish->overlap},
        {wish->most >= 0 ? "most" : "", true, (double)wish->most},
        {wish->most >= 0 ? "top" : "", true, (double)wish->most},
        {p->metadata.from[METADATA_POINTS] ? "points" : "", true, p->metadata.n_points},
        {p->metadata.from[METADATA_POINTS] ? "dims" : "", true, p->metadata.point_size},
        {0},
    };
    const oc_type type = oc_model_input(network, p->photograph).type;
    p->picture = recipe_of(wish->picture, &p->metadata, p->choice.decoder, &p->outline, type,
                           p->prepared, e);
    if (reads_text(&p->signature) && !characters_of(&p->metadata)->n)
        tool_fail(
            e, OC_ARGUMENT,
            "decoder %s reads characters, and the model does not name them; expected --labels "
            "FILE with a character on each line",
            p->choice.decoder->name);
    read_classes(p, wish, e);
    find_told(p, network);
    if (p->choice.is_inside)
        use_inside(p, network, wish, e);
    else
        join(p, network, wish, attribute, e);
    if (e->code == OC_OK)
        say_choice(p, wish);
}

void predictor_free(predictor *p)
{
    oc_model_free(p->joined);
    outline_free(&p->outline);
    metadata_free(&p->metadata);
    picked_free(&p->picked);
}

/* ---- photographs ---- */

/* Binds rows of n elements at data to the input, if there is one: one row of rank 1, or all of rank
 * 2. */
static void bind(const predictor *p, predictor_values *v, oc_session *s, predictor_bound of,
                 oc_error *e)
{
    if (of.input < 0)
        return;
    const oc_port port = oc_model_input(p->model, of.input);
    if (port.rank != 2) {
        of.rank = 1;
        of.dim[0] = of.dim[1];
    }
    v->bound[v->n_bound++] = of;
    oc_bind(s, port.name, of.type, of.rank, of.dim, of.data, e);
}

/* What the i-th input of the network that says how large the input is has at place k. */
static int64_t told_at(const predictor *p, int i, int k, const int64_t size[2])
{
    return p->told[i].meaning == PREDICTOR_SCALES         ? 1
           : p->told[i].meaning == PREDICTOR_WIDTH_HEIGHT ? size[1 - k]
                                                          : size[k];
}

static void bind_told(const predictor *p, int i, predictor_values *v, oc_session *s, oc_error *e)
{
    const oc_port port = oc_model_input(p->model, p->told[i].input);
    const int64_t rows = p->outline.batch;
    int64_t *whole = v->told[i] = tool_alloc((size_t)rows * 2, sizeof *whole);
    float *real = v->told[i];
    for (int64_t k = 0; k < rows * 2; k++) {
        const int64_t n = told_at(p, i, (int)(k % 2), v->size);
        if (port.type == OC_F32)
            real[k] = (float)n;
        else
            whole[k] = n;
    }
    bind(p, v, s, (predictor_bound){p->told[i].input, port.type, 2, {rows, 2}, whole}, e);
}

void predictor_bind(const predictor *p, const image_fit *fit, int n, predictor_values *v,
                    oc_session *session, oc_error *e)
{
    const int64_t rows = p->outline.batch;
    *v = (predictor_values){.size = {fit->to_height, fit->to_width},
                            .photo = tool_alloc((size_t)rows * 2, sizeof *v->photo),
                            .fit = tool_alloc((size_t)rows * 4, sizeof *v->fit)};
    for (int64_t k = 0; k < rows; k++) {
        const image_fit *f = &fit[k < n ? k : n - 1];
        const int64_t photo[2] = {f->height, f->width};
        const float numbers[4] = {(float)f->scale_x, (float)f->scale_y, (float)f->left,
                                  (float)f->top};
        memcpy(v->photo + 2 * k, photo, sizeof photo);
        memcpy(v->fit + 4 * k, numbers, sizeof numbers);
    }
    const predictor_bound size = {p->input[JOIN_SIZE], OC_I64, 2, {1, 2}, v->size};
    const predictor_bound photo = {p->input[JOIN_PHOTO], OC_I64, 2, {rows, 2}, v->photo};
    const predictor_bound lies = {p->input[JOIN_FIT], OC_F32, 2, {rows, 4}, v->fit};
    bind(p, v, session, size, e);
    bind(p, v, session, photo, e);
    bind(p, v, session, lies, e);
    for (int i = 0; i < p->n_told && !p->apart; i++)
        bind_told(p, i, v, session, e);
}

void predictor_values_free(predictor_values *v)
{
    free(v->photo);
    free(v->fit);
    for (int i = 0; i < PREDICTOR_TOLD; i++)
        free(v->told[i]);
    *v = (predictor_values){0};
}

void predictor_check(const predictor *p, const image_fit *fit, const oc_value *const *value,
                     oc_error *e)
{
    const int64_t size[2] = {fit->to_height, fit->to_width};
    for (int i = 0; i < p->n_told; i++) {
        const oc_value *v = value[p->told[i].input];
        const int64_t n[2] = {told_at(p, i, 0, size), told_at(p, i, 1, size)};
        if (v && (oc_value_count(v) != 2 ||
                  number_get(oc_value_type(v), oc_value_data(v), 0) != (double)n[0] ||
                  number_get(oc_value_type(v), oc_value_data(v), 1) != (double)n[1]))
            tool_fail(e, OC_ARGUMENT,
                      "input '%s' is not [%lld,%lld], which tells the size of the network's "
                      "picture, so its answer is not in pixels of the photograph",
                      p->told[i].name, (long long)n[0], (long long)n[1]);
    }
}

/* Returns the characters that were read, one after the other. The place behind the list is a blank,
 * which PP-OCR leaves out of its lists. */
static char *text_of(const metadata_names *characters, const answer *a)
{
    text_build text = {0};
    for (int i = 0; i < a->n; i++) {
        const int64_t letter = a->label[i];
        const bool listed = letter >= 0 && letter < characters->n;
        text_put(&text, "%s", listed && characters->name[letter] ? characters->name[letter] : " ");
    }
    if (text.failed)
        tool_require(NULL); /* out of memory */
    char *copy = tool_format("%s", text_string(&text));
    text_free(&text);
    return copy;
}

void predictor_answer(const predictor *p, const image_fit *fit, int k, const oc_session *session,
                      answer *a, predictor_held *held, oc_error *e)
{
    *a = (answer){
        .width = fit->width,
        .height = fit->height,
        .input_width = fit->to_width,
        .input_height = fit->to_height,
        .fit = {(float)fit->scale_x, (float)fit->scale_y, (float)fit->left, (float)fit->top}};
    answer_read(a, session, &p->signature, k, e);
    answer_pick(a, &p->picked, &held->picked, e);
    held->text = e->code == OC_OK && reads_text(&p->signature)
                     ? text_of(characters_of(&p->metadata), a)
                     : NULL;
    a->text = held->text;
    if (a->text)
        a->label = NULL;
}

void predictor_held_free(predictor_held *h)
{
    free(h->text);
    data_free(h->picked);
    *h = (predictor_held){0};
}

/* ---- drawing, and names ---- */

void predictor_say_letters(const predictor *p)
{
    const metadata_names *names = characters_of(&p->metadata);
    for (int i = 0; i < names->n; i++) {
        if (!names->name[i] || !font_lacks(names->name[i], strlen(names->name[i])))
            continue;
        tool_say("the font lacks letters of '%s'; --table has them", names->name[i]);
        return;
    }
}

void predictor_draw(const predictor *p, const answer *a, image *photograph, const char *where,
                    oc_error *e)
{
    const draw_options o = {.where = where, .name = predictor_label, .names = p};
    draw_answer(photograph, a, &o, e);
}

const char *predictor_label(const void *from, int64_t label, size_t *size)
{
    const predictor *p = from;
    const char *name = metadata_name(&p->metadata, label);
    *size = name ? strlen(name) : 0;
    return name;
}
