/* SPDX-License-Identifier: Apache-2.0
 * predict.c - ocellus predict: what a network says of photographs. */
#include "commands/commands.h"
#include "files/model_file.h"
#include "map/many.h"
#include "predict/photographs.h"
#include "predict/table.h"

typedef struct predict {
    session_args session;
    input_args input;
    predictor_wish wish;
    const char *model, *folder, *crops, *table, *save;
    bool png, json;
    many_args args;
    many many;
    args_list pictures;
    tensor_options options;
    predictor predictor;
    struct table *shown, *written; /* on standard output, and of --table; NULL: none */
    json_writer out;
} predict;

static const char *const examples[] = {
    "ocellus predict yolov8n.onnx photo.jpg",
    "ocellus predict yolov8n.onnx photos -o drawn --table objects.csv",
    "ocellus predict deeplab.onnx 'photos/*.jpg' -o drawn --as mask --labels voc.txt",
    "ffmpeg -i film.mp4 -f image2pipe -vcodec mjpeg - | ocellus predict net.onnx - -o - | ffplay -",
    NULL,
};

static const args_command command = {
    .name = "predict",
    .usage = "MODEL PICTURE.. [options]",
    .about =
        "Runs MODEL on photographs, and prints what it says of each: objects with labels, scores\n"
        "and boxes, points, classes, text. PICTURE is a file, a folder (and those below it), a\n"
        "pattern, a .txt with a path on each line, or - for a stream of pictures on standard\n"
        "input. What a network's outputs mean is told by its exporter or by their shapes; --as\n"
        "names the decoder otherwise. With -o a stopped job goes on by --resume, as map's does.",
    .examples = examples,
    .min = 0,
    .max = -1,
};

/* ---- the command line ---- */

static bool is_stream(const predict *p)
{
    return p->pictures.n == 1 && strcmp(p->pictures.item[0], "-") == 0;
}

/* Do drawn pictures go to standard output? */
static bool draws_stream(const predict *p)
{
    return p->folder && strcmp(p->folder, "-") == 0;
}

static bool is_wrong(const char *text)
{
    tool_say("predict: %s", text);
    return true;
}

static bool has_wrong_args(const predict *p)
{
    const bool to_stream = draws_stream(p);
    return p->args.resume && p->args.again ? is_wrong("expected one of --resume and --again")
           : (p->args.resume || p->args.shard) && (!p->folder || is_stream(p))
               ? is_wrong("--resume and --shard go with -o DIR, where done.tsv tells what is done")
           : to_stream && !is_stream(p) ? is_wrong("-o - goes with a stream of pictures, -")
           : p->wish.score > 1          ? is_wrong("--least is above 1, the greatest score")
           : p->wish.overlap > 1        ? is_wrong("--overlap is above 1, the greatest overlap")
           : to_stream && p->json       ? is_wrong("-o - and --json both take standard output")
                                        : false;
}

static args_result read_args(int argc, char **argv, predict *p)
{
    args_list all;
    const args_option options[] = {
        ARGS_LETTER('o', "--output", ARGS_TEXT, "DIR", &p->folder,
                    "the folder of the photographs with what was found drawn into them; - of a\n"
                    "stream: standard output, in the order of the stream"),
        ARGS_SWITCH("--png", &p->png, "drawn photographs are .png, not .jpg"),
        ARGS_VALUE("--table", ARGS_TEXT, "FILE", &p->table,
                   "write the answers as .csv, .tsv, .jsonl or .json (COCO's)"),
        ARGS_VALUE("--crops", ARGS_TEXT, "DIR", &p->crops,
                   "the folder of the objects that were found, each cut out"),
        ARGS_VALUE("--save", ARGS_TEXT, "FILE", &p->save,
                   "write the model with its decoder, .onnx or .onnxtxt: other engines run it"),
        ARGS_VALUE("--as", ARGS_TEXT, "NAME", &p->wish.as,
                   "the decoder of the model's outputs, as in --as yolov8; list names them all"),
        ARGS_VALUE("--picture", ARGS_TEXT, "INPUT", &p->wish.input,
                   "the input that takes the photograph; the first that can"),
        ARGS_VALUE("--config", ARGS_TEXT, "PATH", &p->wish.config,
                   "a file or folder with what the exporter tells; beside the model"),
        ARGS_VALUE("--labels", ARGS_TEXT, "FILE", &p->wish.labels,
                   "a text file with the name of each label on a line; the exporter's names"),
        ARGS_VALUE("--least", ARGS_NUMBER, "SCORE", &p->wish.score,
                   "the least score of an object; the decoder's"),
        ARGS_VALUE("--overlap", ARGS_NUMBER, "X", &p->wish.overlap,
                   "of boxes of one label whose intersection over union is above X the one with\n"
                   "the greatest score stays; the decoder's"),
        ARGS_VALUE("--top", ARGS_INT, "N", &p->wish.most,
                   "at most N objects, or the N classes with the greatest scores"),
        MANY_ARGS(&p->args),
        INPUT_ARGS(&p->input),
        FUNCTIONS_ARG(&p->session.functions),
        SESSION_ARGS(&p->session),
        {0},
    };
    const args_result result = args_read(argc, argv, &command, options, &all, &p->json);
    p->model = all.n ? all.item[0] : NULL;
    for (int i = 1; i < all.n; i++)
        args_list_add(&p->pictures, all.item[i]);
    args_list_free(&all);
    if (result != ARGS_GO || (p->wish.as && strcmp(p->wish.as, "list") == 0))
        return result;
    if (!p->model)
        return is_wrong("a model is missing, expected: ocellus predict MODEL PICTURE.. [options]")
                   ? ARGS_WRONG
                   : result;
    if (!p->pictures.n && !p->save)
        return is_wrong("expected a picture, a folder of pictures, a pattern, or - for a stream")
                   ? ARGS_WRONG
                   : result;
    return has_wrong_args(p) ? ARGS_WRONG : result;
}

/* ---- answers ---- */

/* Gives the answer of a file its place in the tables. */
static void take_answer(void *ctx, const job_file *f, const answer *a, oc_error *e)
{
    predict *p = ctx;
    const int64_t place = is_stream(p) ? f->number : many_place(&p->many, f->item);
    struct table *const tables[] = {p->shown, p->written};
    for (int i = 0; i < 2; i++)
        if (tables[i] && a)
            table_add(tables[i], place, f->item->path, a, e);
        else if (tables[i])
            table_skip(tables[i], place, e);
}

/* The files that an earlier job has done are not shown again, and keep their rows. */
static void keep_answers(predict *p, oc_error *e)
{
    for (int i = 0; i < p->many.files.n && e->code == OC_OK; i++) {
        const file_item *item = &p->many.files.item[i];
        const int64_t place = many_place(&p->many, item);
        if (place < 0 || !record_has(&p->many.record, item->path))
            continue;
        if (p->shown)
            table_skip(p->shown, place, e);
        if (p->written && !table_has(p->written, item->path))
            tool_fail(e, OC_ARGUMENT,
                      "--table %s: an earlier job kept no rows of %s; --again runs all files again",
                      p->table, item->path);
        else if (p->written)
            table_keep(p->written, place, item->path, e);
    }
}

static int widest_path(const file_list *files)
{
    int widest = 0;
    for (int i = 0; i < files->n; i++) {
        const int n = (int)strlen(files->item[i].path);
        widest = n > widest ? n : widest;
    }
    return widest;
}

static void open_tables(predict *p, oc_error *e)
{
    char *rows = p->many.folder && p->table
                     ? tool_format("%s/rows%s.tsv", p->many.folder, p->many.part)
                     : NULL;
    const table_options to_file = {.names = &p->predictor.metadata.names,
                                   .point_names = &p->predictor.metadata.point_names,
                                   .rows = rows,
                                   .resume = p->args.resume,
                                   .stream = is_stream(p)};
    table_options to_screen = to_file;
    to_screen.rows = NULL;
    to_screen.format = p->json ? TABLE_JSONL : TABLE_TEXT;
    to_screen.between = p->json ? "," : NULL;
    to_screen.widest = widest_path(&p->many.files);
    if (!draws_stream(p))
        p->shown = table_open("-", &to_screen, e);
    if (p->table)
        p->written = table_open(p->table, &to_file, e);
    free(rows);
}

/* ---- the job ---- */

/* What results depend on besides the files. */
static settings settings_now(const predict *p, const inputs *in, oc_error *e)
{
    settings now = settings_of(p->model, &p->input, in, &p->session, p->png ? "png" : "jpg", 1, e);
    const predictor_wish *w = &p->wish;
    settings_add(&now, tool_format("--as %s", p->predictor.choice.decoder->name));
    settings_add(&now, tool_format("--labels %s", w->labels ? w->labels : "-"));
    settings_add(&now, tool_format("--config %s", w->config ? w->config : "-"));
    settings_add(&now, tool_format("--least %g", w->score));
    settings_add(&now, tool_format("--overlap %g", w->overlap));
    settings_add(&now, tool_format("--top %lld", (long long)w->most));
    return now;
}

static void begin(predict *p, const inputs *in, const results *to, oc_error *e)
{
    args_list others = {0};
    if (e->code != OC_OK)
        return;
    args_list_add(&others, p->model);
    for (int i = 0; i < p->session.functions.n; i++)
        args_list_add(&others, p->session.functions.item[i]);
    settings now = settings_now(p, in, e);
    many_begin(&p->many, to, &now, &others, e);
    settings_free(&now);
    args_list_free(&others);
    if (e->code == OC_OK)
        open_tables(p, e);
    if (e->code == OC_OK)
        keep_answers(p, e);
}

/* The inputs that get their values with each photograph. */
static void leave_open(const predict *p, inputs *in, oc_error *e)
{
    const char *name[1 + JOIN_INPUTS + PREDICTOR_TOLD];
    const predictor *with = &p->predictor;
    int n = 0;
    if (e->code != OC_OK)
        return;
    name[n++] = oc_model_input(with->model, with->photograph).name;
    for (int i = 0; i < JOIN_INPUTS; i++)
        if (with->input[i] >= 0)
            name[n++] = oc_model_input(with->model, with->input[i]).name;
    for (int i = 0; i < with->n_told; i++)
        name[n++] = oc_model_input(with->model, with->told[i].input).name;
    inputs_leave_all_open(in, name, n, &p->input, e);
}

static void begin_json(predict *p)
{
    json_writer *j = &p->out;
    *j = json_begin(stdout);
    json_object(j, NULL);
    json_text(j, "decoder", p->predictor.choice.decoder->name);
    json_text(j, "why", p->predictor.choice.why);
    json_array(j, "answers");
    putchar('\n');
}

/* Ends the tables, and tells how the job ended. */
static int report(predict *p, const job_result *r, oc_error *e)
{
    table_close(p->shown, e);
    table_close(p->written, e);
    const bool begun = p->out.depth > 0; /* the document, with the answers so far */
    if (begun) {
        json_close(&p->out);
        many_json(&p->many, r, &p->out);
        if (e->code != OC_OK)
            json_text(&p->out, "error", e->text);
        json_close(&p->out);
        json_end(&p->out);
    }
    if (e->code != OC_OK)
        return tool_report(e, p->json && !begun);
    if (!p->json && !p->input.quiet) {
        char *text = many_text(&p->many, r);
        tool_say("%s", text);
        free(text);
    }
    many_say_left_out(&p->many);
    return r->failed ? TOOL_INVALID : TOOL_OK;
}

/* The stream of pictures on standard input, and the one of drawn pictures on standard output. */
typedef struct stream {
    frames in;
    io_file out;
    turns turns;
} stream;

static void open_stream(predict *p, stream *s, photographs *way, oc_error *e)
{
    if (!is_stream(p) || e->code != OC_OK)
        return;
    frames_open(&s->in, "-", p->options.cap, e);
    way->frames = &s->in;
    if (draws_stream(p)) {
        io_create(&s->out, "-", e);
        way->out = &s->out;
        way->turns = &s->turns;
    }
}

static void close_stream(stream *s, const photographs *way, oc_error *e)
{
    if (way->out)
        io_commit(&s->out, e);
    if (way->frames)
        frames_close(&s->in);
    turns_free(&s->turns);
}

/* Writes the model with its decoder as plain nodes. */
static void save_model(const predict *p, oc_error *e)
{
    if (!p->save || e->code != OC_OK)
        return;
    oc_model *plain = oc_model_expand(p->predictor.model, OC_BODY_NATIVE, NULL, e);
    if (plain)
        model_write(plain, p->save, e);
    oc_model_free(plain);
}

static int run_job(predict *p, const oc_model *network, oc_error *e)
{
    predictor *with = &p->predictor;
    p->options.image = with->picture;
    const results drawn = {p->folder, p->png ? "png" : "jpg", 1, NULL};
    stream s = {.turns = TURNS_NEW};
    photographs way = {.predictor = with,
                       .options = &p->options,
                       .drawn = p->folder && !draws_stream(p) ? &drawn : NULL,
                       .crops = p->crops,
                       .draw = {.name = predictor_label, .names = with},
                       .reader = {p, take_answer}};
    inputs in = inputs_new(with->model ? with->model : network, &p->options);
    leave_open(p, &in, e);
    inputs_gather(&in, &p->input, (uint64_t)p->session.seed, e);
    open_stream(p, &s, &way, e);
    begin(p, &in, &drawn, e);
    if (p->json && e->code == OC_OK)
        begin_json(p);
    job j = {.model = with->model,
             .options = session_args_options(&p->session),
             .inputs = &in,
             .input = with->photograph,
             .way = photographs_way(&way),
             .batch = 1,
             .progress = !p->input.quiet && !p->json};
    const job_result r = many_run(&p->many, &j, e);
    close_stream(&s, &way, e);
    const int code = report(p, &r, e);
    inputs_free(&in);
    return code;
}

/* Finds the files, and begins the folders of their results. */
static void find_files(predict *p, oc_error *e)
{
    p->options = input_args_options(&p->input, e);
    p->wish.quiet = p->input.quiet;
    p->wish.picture = &p->input.image;
    p->many.args = &p->args;
    p->many.model = p->model;
    p->many.folder = is_stream(p) ? NULL : p->folder;
    if (p->pictures.n && !is_stream(p))
        list_read_all(&p->many.files, &p->pictures, p->many.folder, e);
    many_make_folders(&p->many, e);
    if (is_stream(p) && p->folder && !draws_stream(p))
        io_make_dir(p->folder, e);
    if (p->crops)
        many_make_below(&p->many, p->crops, e);
}

static void enter_sandbox(predict *p, oc_error *e)
{
    sandbox box = sandbox_begin(&p->session);
    sandbox_model(&box, p->model);
    sandbox_inputs(&box, &p->input.input);
    sandbox_read(&box, p->wish.labels);
    sandbox_read(&box, p->wish.config);
    sandbox_write(&box, p->table);
    sandbox_write(&box, p->save);
    sandbox_folder(&box, p->crops, e);
    many_sandbox(&p->many, &box, e);
    sandbox_enter(&box, 0, e);
}

static void list_decoders(void)
{
    for (int i = 0; decoder_at(i); i++)
        tool_line("%-18s %s", decoder_at(i)->name, decoder_at(i)->about);
}

int cmd_predict(int argc, char **argv)
{
    predict p = {.many = MANY_NOTHING, .wish = {.score = -1, .overlap = -1, .most = -1}};
    oc_error e = {0};
    int code = TOOL_OK;
    const args_result result = read_args(argc, argv, &p);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO && !p.pictures.n && !p.save) {
        list_decoders();
    } else if (result == ARGS_GO) {
        find_files(&p, &e);
        enter_sandbox(&p, &e);
        oc_model *network = e.code == OC_OK ? session_open(p.model, &p.session, &e) : NULL;
        predictor_new(&p.predictor, network, p.model, &p.wish, &e);
        save_model(&p, &e);
        code = e.code != OC_OK ? tool_report(&e, p.json)
               : p.pictures.n  ? run_job(&p, network, &e)
                               : TOOL_OK;
        predictor_free(&p.predictor);
        oc_model_free(network);
    }
    many_free(&p.many);
    args_list_free(&p.pictures);
    args_list_free(&p.session.functions);
    input_args_free(&p.input);
    return code;
}
