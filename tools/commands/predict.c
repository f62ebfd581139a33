/* SPDX-License-Identifier: Apache-2.0
 * predict.c - ocellus predict: what a network says of photographs. */
#include "commands/commands.h"
#include "files/model_file.h"
#include "map/many.h"
#include "predict/answer_tables.h"
#include "predict/draw_targets.h"
#include "predict/pairs.h"
#include "predict/photographs.h"

typedef struct predict {
    session_args session;
    input_args input;
    answer_args answer;
    const char *model, *folder, *file, *crops, *save; /* file: -o is one, and no folder */
    const char *record;                               /* NULL: not given */
    recorded_words words;
    io_names external;
    bool json;
    many_args args;
    many many;
    args_list pictures;
    sources beside; /* the -i that name the photographs beside the pictures, one at most */
    tensor_options options;
    predictor predictor;
    answer_tables tables;
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
        "names the decoder otherwise. With -o a stopped job goes on by --resume, as map's does.\n"
        "-q prints no answers that go to files.",
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
           : (p->args.resume || p->args.shard) &&
                   (!p->folder || is_stream(p) || draw_is_file(p->folder))
               ? is_wrong("--resume and --shard go with -o DIR, where done.tsv tells what is done")
           : to_stream && !is_stream(p)    ? is_wrong("-o - goes with a stream of pictures, -")
           : answer_args_wrong(&p->answer) ? is_wrong(answer_args_wrong(&p->answer))
           : p->record && (is_stream(p) || p->args.resume)
               ? is_wrong(
                     "--record records the run of one photograph, expected a file, and no --resume")
           : to_stream && p->json ? is_wrong("-o - and --json both take standard output")
                                  : false;
}

static args_result read_args(int argc, char **argv, predict *p)
{
    args_list all;
    const args_option options[] = {
        ARGS_LETTER('o', "--output", ARGS_TEXT, "DIR", &p->folder,
                    "the folder of the photographs with what was found drawn into them, or a\n"
                    "file .jpg or .png of one; - of a stream: standard output"),
        ANSWER_PNG_ARG(&p->answer),
        ARGS_VALUE("--crops", ARGS_TEXT, "DIR", &p->crops,
                   "the folder of the objects that were found, each cut out"),
        ARGS_VALUE("--save", ARGS_TEXT, "FILE", &p->save,
                   "write the model with its decoder, .onnx or .onnxtxt: other engines run it"),
        RECORD_ARG(&p->record),
        ANSWER_ARGS(&p->answer, ""),
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
    if (result != ARGS_GO || answer_args_list(&p->answer))
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
    answer_tables_add(&p->tables, place, f->item->path, a, e);
}

/* ---- the job ---- */

/* What results depend on besides the files. */
static settings settings_now(const predict *p, const inputs *in, oc_error *e)
{
    settings now =
        settings_of(p->model, &p->input, in, &p->session, answer_args_ending(&p->answer), 1, e);
    answer_args_settings(&p->answer, p->predictor.choice.decoder, &now);
    if (p->beside.n)
        settings_add(&now, tool_format("input-beside %s", p->beside.item[0].text));
    return now;
}

/* Are answers not to be printed? */
static bool is_hidden(const predict *p)
{
    const bool to_files = p->folder || p->crops || p->answer.table;
    return draws_stream(p) || (p->input.quiet && to_files && !p->json);
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
    draw_settle(&p->many, &now, &p->args);
    many_begin(&p->many, to, &now, &others, e);
    settings_free(&now);
    args_list_free(&others);
    answer_tables_open(&p->tables, &p->answer, &p->predictor,
                       is_hidden(p) ? ANSWER_HIDDEN
                       : p->json    ? ANSWER_JSON
                                    : ANSWER_TEXT,
                       &p->many, NULL, e);
}

/* The inputs that get their values with each photograph; second: another one, or -1. */
static void leave_open(const predict *p, int second, inputs *in, oc_error *e)
{
    const char *name[2 + JOIN_INPUTS + PREDICTOR_TOLD];
    const predictor *with = &p->predictor;
    int n = 0;
    if (e->code != OC_OK)
        return;
    name[n++] = oc_model_input(with->model, with->photograph).name;
    if (second >= 0)
        name[n++] = oc_model_input(with->model, second).name;
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
    answer_tables_json(&p->predictor, j);
}

/* Ends the tables, and tells how the job ended. */
static int report(predict *p, const job_result *r, oc_error *e)
{
    answer_tables_close(&p->tables, e);
    const bool begun = p->out.depth > 0; /* the document, with the answers so far */
    if (begun) {
        json_close(&p->out);
        many_json(&p->many, r, &p->out);
        if (e->code != OC_OK)
            json_text(&p->out, "error", e->text);
        json_close(&p->out);
        json_end(&p->out);
    }
    if (e->code != OC_OK) {
        const int code = tool_report(e, p->json && !begun);
        many_say_stopped(&p->many, r);
        return code;
    }
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
    const int second = pairs_input(with, &p->beside, &p->input.input, e);
    if (second >= 0 && !is_stream(p) && !p->beside.n)
        pairs_of_frames(&p->many.files, e);
    if (p->file)
        draw_check_file(p->file, &p->many.files, p->model, e);
    if (second >= 0 && !p->input.quiet && e->code == OC_OK)
        pairs_say(with, &p->beside, second);
    const results crops = {.folder = p->crops, .ending = answer_args_ending(&p->answer)};
    const results drawn = {.folder = p->folder,
                           .ending = answer_args_ending(&p->answer),
                           .n = 1,
                           .also = p->crops ? &crops : NULL};
    photograph_record kept = photograph_record_new(network, &p->options);
    stream s = {.turns = turns_new()};
    photographs way = {.predictor = with,
                       .options = &p->options,
                       .drawn = p->folder && !draws_stream(p) ? &drawn : NULL,
                       .crops = p->crops ? &crops : NULL,
                       .file = p->file,
                       .second = second,
                       .record = p->record ? &kept : NULL,
                       .reader = {p, take_answer}};
    inputs in = inputs_new(with->model ? with->model : network, &p->options);
    leave_open(p, second, &in, e);
    inputs_gather(&in, &p->input, (uint64_t)p->session.seed, e);
    if (p->folder && !p->input.quiet)
        predictor_say_letters(with);
    open_stream(p, &s, &way, e);
    begin(p, &in, &drawn, e);
    if (p->json && e->code == OC_OK)
        begin_json(p);
    job j = {.model = with->model,
             .options = session_args_options(&p->session),
             .inputs = &in,
             .input = with->photograph,
             .way = photographs_way(&way),
             .batch = (int)with->outline.batch,
             .fills = with->outline.batch > 1,
             .progress = !p->input.quiet && !p->json};
    job_result r = many_run(&p->many, &j, e);
    close_stream(&s, &way, e);
    photographs_free(&way);
    if (p->record && e->code == OC_OK && r.done)
        photograph_record_write(
            &kept, p->record, &in,
            &(recorded_run){.words = p->words, .model_path = p->model, .session = &p->session}, e);
    photograph_record_free(&kept);
    const int code = report(p, &r, e);
    job_result_free(&r);
    inputs_free(&in);
    return code;
}

/* Finds the files, and begins the folders of their results. */
static void find_files(predict *p, oc_error *e)
{
    p->options = input_args_options_but_pictures(&p->input);
    p->answer.wish.quiet = p->input.quiet;
    p->answer.wish.crops = p->crops != NULL;
    p->answer.wish.saves = p->save != NULL;
    p->answer.wish.picture = &p->input.image;
    p->many.args = &p->args;
    p->many.model = p->model;
    p->many.folder = is_stream(p) ? NULL : p->folder;
    if (p->many.folder && draw_is_file(p->many.folder)) {
        p->file = p->many.folder;
        p->many.folder = NULL;
    }
    args_list folders = {0};
    if (p->many.folder)
        args_list_add(&folders, p->many.folder);
    if (p->crops)
        args_list_add(&folders, p->crops);
    if (p->pictures.n && !is_stream(p))
        list_read_all(&p->many.files, &p->pictures, &folders, e);
    pairs_find(&p->beside, &p->input.input, &p->pictures, &folders, &p->many, e);
    args_list_free(&folders);
    recorded_check(p->record, p->model, e);
    if (p->record && p->many.files.n != 1)
        tool_fail(e, OC_ARGUMENT, "--record records the run of one photograph, and there are %d",
                  p->many.files.n);
    many_make_folders(&p->many, e);
    if (is_stream(p) && p->folder && !draws_stream(p))
        io_make_dir(p->folder, e);
    if (p->crops) {
        many_make_below(&p->many, p->crops, e);
        draw_check_crops(p->crops, &p->many.files, e);
    }
}

static void enter_sandbox(predict *p, oc_error *e)
{
    sandbox box = sandbox_begin(&p->session);
    sandbox_model(&box, p->model);
    sandbox_inputs(&box, &p->input.input);
    answer_args_sandbox(&p->answer, &box);
    sandbox_write(&box, p->file);
    sandbox_write(&box, p->save);
    sandbox_write(&box, p->record);
    sandbox_folder(&box, p->crops, e);
    many_sandbox(&p->many, &box, e);
    sandbox_enter(&box, 0, e);
}

int cmd_predict(int argc, char **argv)
{
    predict p = {.many = MANY_NOTHING,
                 .answer = ANSWER_ARGS_NOTHING,
                 .words = {argc, (const char *const *)argv}};
    oc_error e = {0};
    int code = TOOL_OK;
    const args_result result = read_args(argc, argv, &p);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO && !p.pictures.n && !p.save) {
        answer_args_print_list(p.json);
    } else if (result == ARGS_GO) {
        find_files(&p, &e);
        enter_sandbox(&p, &e);
        p.session.external = p.record ? &p.external : NULL;
        oc_model *network = e.code == OC_OK ? session_open(p.model, &p.session, &e) : NULL;
        predictor_new(&p.predictor, network, p.model, &p.answer.wish, &e);
        save_model(&p, &e);
        code = e.code != OC_OK ? tool_report(&e, p.json)
               : p.pictures.n  ? run_job(&p, network, &e)
                               : TOOL_OK;
        predictor_free(&p.predictor);
        oc_model_free(network);
    }
    many_free(&p.many);
    io_names_free(&p.external);
    args_list_free(&p.pictures);
    sources_free(&p.beside);
    args_list_free(&p.session.functions);
    input_args_free(&p.input);
    return code;
}
