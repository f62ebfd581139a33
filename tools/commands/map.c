/* SPDX-License-Identifier: Apache-2.0
 * map.c - ocellus map: runs a model on each file of a folder, a pattern or a list. */
#include "commands/commands.h"
#include "map/many.h"
#include "map/source.h"
#include "map/value_files.h"
#include "predict/decoder_run.h"

typedef struct map {
    session_args session;
    input_args input; /* without the -i that name many files */
    sources sources;  /* those */
    const char *folder, *path;
    image_target target; /* from `folder`: how pictures are written */
    int format;
    int64_t batch;
    many_args args;
    many many;
    answer_args answer;
    decoder_run decoder;
    bool json;
    tensor_options options;
} map;

static const char *const examples[] = {
    "ocellus map model.onnx -i image=photos -o results",
    "ocellus map classifier.onnx -i 'photos/*.jpg' -o results --batch 8 --format npy",
    "ocellus map warp.onnx -i image=files.txt -i theta=theta.npy -o out --format png --resume",
    "ocellus map stereo.onnx -i left=left -i right=right -o depth --format npy",
    "ocellus map model.onnx -i image=files.txt -o results --shard 2/8",
    "ocellus map yolov8n.onnx -i photos -o outputs --preset yolo --draw drawn --table found.csv",
    NULL,
};

static const args_command command = {
    .name = "map",
    .usage = "MODEL -i [NAME=]DIR|PATTERN|LIST.txt -o DIR [options]",
    .about =
        "Runs MODEL on each file of a folder (and below it), of a pattern, or of a list with a\n"
        "path on each line; - is a list on standard input. Several such -i give a run a file\n"
        "each: of folders and patterns those of one name, of lists those of one line. Other -i\n"
        "give values to the other inputs, the same in all runs. Each file's results go into DIR\n"
        "under its name, or that of the first of several.\n"
        "done.tsv in DIR records the files that are done, errors.tsv those that failed; these\n"
        "do not stop the others, and the exit code is then 3. Files of a folder whose endings\n"
        "are none that is read, and files without a partner, are left out, and errors.tsv names\n"
        "them too.",
    .examples = examples,
    .min = 1,
    .max = 1,
};

/* ---- the command line ---- */

static bool is_wrong(const char *text)
{
    tool_say("map: %s", text);
    return true;
}

static bool wants_answers(const map *m)
{
    return answer_args_wanted(&m->answer, false);
}

static bool has_wrong_args(const map *m)
{
    const char *wrong = answer_args_idle(&m->answer, false);
    return wrong                      ? is_wrong(wrong)
           : (!m->path || !m->folder) ? is_wrong("-o DIR is missing: the folder of the results")
           : m->batch < 1             ? is_wrong("--batch is 0, expected at least 1 file in a run")
           : m->args.resume && m->args.again ? is_wrong("expected one of --resume and --again")
                                             : false;
}

static args_result read_args(int argc, char **argv, map *m)
{
    const args_option options[] = {
        INPUT_ARGS(&m->input),
        ARGS_LETTER('o', "--output", ARGS_TEXT, "DIR", &m->folder,
                    "the folder of the results, which is made; :scale=X, :mean=X and :std=X\n"
                    "may follow, for pictures"),
        {.name = "--format",
         .kind = ARGS_CHOICE,
         .value = "npz|npy|pb|png|jpg",
         .choices = result_format_names,
         .out = &m->format,
         .help = "of the results; npz, the default, has all outputs in one file"},
        ARGS_VALUE("--batch", ARGS_INT, "N", &m->batch,
                   "run up to N files as one, where their shapes are equal; 1"),
        ANSWER_DRAW_ARG(
            &m->answer, "DIR",
            "the folder of the photographs with what predict says of the outputs drawn\n"
            "into them"),
        ANSWER_PNG_ARG(&m->answer),
        ANSWER_ARGS(&m->answer, ""),
        MANY_ARGS(&m->args),
        FUNCTIONS_ARG(&m->session.functions),
        SESSION_ARGS(&m->session),
        {0},
    };
    const args_result result = args_read_model(argc, argv, &command, options, &m->path, &m->json);
    return result == ARGS_GO && !answer_args_list(&m->answer) && has_wrong_args(m) ? ARGS_WRONG
                                                                                   : result;
}

/* ---- the job ---- */

/* The model, its functions and the files of the other inputs, which no result may replace. */
static args_list other_files(const map *m)
{
    args_list others = {0};
    args_list_add(&others, m->path);
    for (int i = 0; i < m->session.functions.n; i++)
        args_list_add(&others, m->session.functions.item[i]);
    for (int i = 0; i < m->input.input.n; i++) {
        char *name;
        args_list_add(&others, source_file_of(m->input.input.item[i], &name));
        free(name);
    }
    return others;
}

/* ---- answers ---- */

/* Is it one of the inputs that files give? */
static bool is_given_by_files(const inputs *in, int input)
{
    bool is = input == in->open;
    for (int i = 0; i < in->n_beside; i++)
        is = is || input == in->beside[i];
    return is;
}

/* Chooses the decoder, for photographs that the first of the -i with many files names. */
static void prepare_answers(map *m, const inputs *in, oc_error *e)
{
    if (!wants_answers(m) || e->code != OC_OK)
        return;
    decoder_run_new(&m->decoder, in, m->path, oc_model_input(in->model, in->open).name, &m->answer,
                    &m->input, &m->session, e);
    m->decoder.options.threads = 1; /* as the sessions of a job */
    if (e->code == OC_OK && !is_given_by_files(in, m->decoder.predictor.photograph))
        tool_fail(e, OC_ARGUMENT, "--picture %s: expected an input that -i gives many files",
                  m->answer.wish.input);
}

static results drawn_results(const map *m)
{
    return (results){m->answer.draw, answer_args_ending(&m->answer), 1, .option = "--draw"};
}

static void take_values(void *ctx, const file_item *item, value_photograph *photograph,
                        const oc_value *const *value, oc_error *e)
{
    map *m = ctx;
    const int64_t place = many_place(&m->many, item);
    if (!value) {
        answer_tables_add(&m->decoder.tables, place, item->path, NULL, e);
        return;
    }
    const results drawn = drawn_results(m);
    char *path = m->answer.draw ? results_path(&drawn, item->name, 0) : NULL;
    const photograph_run run = {.place = place,
                                .file = item->path,
                                .fit = &photograph->fit,
                                .seen = &photograph->seen,
                                .drawn = path,
                                .output = value};
    decoder_run_take(&m->decoder, &run, e);
    free(path);
}

/* ---- beginning and end ---- */

/* Opens the record, finds the files to run, and begins when everything has been checked. */
static void begin(map *m, const inputs *in, const results *to, oc_error *e)
{
    args_list others = other_files(m);
    char *format = tool_format("%s%s", result_format_names[m->format], m->target.end);
    settings now = settings_of(m->path, &m->input, in, &m->session, format, m->batch, e);
    for (int i = 1; i < m->sources.n && e->code == OC_OK; i++)
        settings_add(&now, tool_format("input-beside %s=%s",
                                       oc_model_input(in->model, in->beside[i - 1]).name,
                                       m->sources.item[i].text));
    if (wants_answers(m) && e->code == OC_OK) {
        answer_args_settings(&m->answer, m->decoder.predictor.choice.decoder, &now);
        settings_add(&now, tool_format("--draw %s", m->answer.draw ? to->also->ending : "-"));
    }
    many_begin(&m->many, to, &now, &others, e);
    if (wants_answers(m))
        answer_tables_open(&m->decoder.tables, &m->answer, &m->decoder.predictor, ANSWER_HIDDEN,
                           &m->many, NULL, e);
    free(format);
    settings_free(&now);
    args_list_free(&others);
}

/* Tells how the job ended. */
static int report(const map *m, const job_result *r)
{
    if (m->json) {
        json_writer j = json_begin(stdout);
        json_object(&j, NULL);
        many_json(&m->many, r, &j);
        json_close(&j);
        json_end(&j);
    } else {
        char *text = many_text(&m->many, r);
        tool_line("%s", text);
        free(text);
    }
    many_say_left_out(&m->many);
    return r->failed ? TOOL_INVALID : TOOL_OK;
}

static int run_job(map *m, const oc_model *model, oc_error *e)
{
    const output_args nothing = {0};
    inputs in = inputs_new(model, &m->options);
    outputs names = outputs_new(&nothing, model, &m->options, e);
    sources_leave_open(&m->sources, &in, &m->input, e);
    inputs_gather(&in, &m->input, (uint64_t)m->session.seed, e);
    prepare_answers(m, &in, e);
    const results drawn = drawn_results(m);
    const results to = {m->folder, result_format_names[m->format],
                        value_files_count(&names, m->format), names.file,
                        .also = m->answer.draw ? &drawn : NULL};
    const value_reader reader = {m, m->decoder.predictor.photograph, m->answer.draw != NULL,
                                 take_values};
    value_files files = {&in,       &names,         &to,
                         m->format, m->input.quiet, wants_answers(m) ? &reader : NULL};
    begin(m, &in, &to, e);
    job j = {.model = model,
             .options = session_args_options(&m->session),
             .inputs = &in,
             .input = in.open,
             .way = value_files_way(&files),
             .batch = (int)(m->batch < MANY_BATCH ? m->batch : MANY_BATCH),
             .progress = !m->input.quiet && !m->json};
    job_result r = many_run(&m->many, &j, e);
    answer_tables_close(&m->decoder.tables, e);
    const int code = e->code == OC_OK ? report(m, &r) : tool_report(e, m->json);
    if (e->code != OC_OK)
        many_say_stopped(&m->many, &r);
    job_result_free(&r);
    decoder_run_free(&m->decoder);
    outputs_free(&names);
    inputs_free(&in);
    return code;
}

/* Enters the sandbox. The files are known by now; the folders that hold them stay within reach. */
static void enter_sandbox(map *m, oc_error *e)
{
    sandbox box = sandbox_begin(&m->session);
    sandbox_model(&box, m->path);
    sandbox_inputs(&box, &m->input.input);
    answer_args_sandbox(&m->answer, &box);
    sandbox_read(&box, m->answer.draw); /* for what a killed job has left */
    sandbox_folder(&box, m->answer.draw, e);
    many_sandbox(&m->many, &box, e);
    sandbox_enter(&box, 0, e);
}

/* Finds the files, and begins the folders of their results. */
static void find_files(map *m, oc_error *e)
{
    m->options = input_args_options(&m->input, e);
    m->target = image_target_of(m->folder, e);
    m->folder = m->target.path;
    m->options.scaled = m->target.given ? &m->target.scaled : NULL;
    if (m->target.given && m->format != RESULT_PNG && m->format != RESULT_JPG)
        tool_fail(e, OC_ARGUMENT, "-o %s%s: only pictures are scaled, expected --format png",
                  m->folder, m->target.end);
    sources_take(&m->sources, &m->input.input, e);
    m->many.args = &m->args;
    m->many.model = m->path;
    m->many.folder = m->folder;
    args_list folders = {0};
    args_list_add(&folders, m->folder);
    if (m->answer.draw)
        args_list_add(&folders, m->answer.draw);
    sources_read(&m->sources, &m->many.files, &folders, e);
    args_list_free(&folders);
    many_make_folders(&m->many, e);
    if (m->answer.draw)
        many_make_below(&m->many, m->answer.draw, e);
}

int cmd_map(int argc, char **argv)
{
    map m = {.batch = 1, .many = MANY_NOTHING, .answer = ANSWER_ARGS_NOTHING};
    oc_error e = {0};
    int code = TOOL_OK;
    const args_result result = read_args(argc, argv, &m);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO && answer_args_list(&m.answer)) {
        answer_args_print_list(m.json);
    } else if (result == ARGS_GO) {
        find_files(&m, &e);
        enter_sandbox(&m, &e);
        oc_model *model = e.code == OC_OK ? session_open(m.path, &m.session, &e) : NULL;
        code = model ? run_job(&m, model, &e) : tool_report(&e, m.json);
        oc_model_free(model);
    }
    many_free(&m.many);
    sources_free(&m.sources);
    free(m.target.path);
    args_list_free(&m.session.functions);
    input_args_free(&m.input);
    return code;
}
