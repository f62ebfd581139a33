/* SPDX-License-Identifier: Apache-2.0
 * map.c - ocellus map: runs a model on each file of a folder, a pattern or a list. */
#include "base/int.h"
#include "base/system.h"
#include "commands/commands.h"
#include "files/text_value.h"
#include "map/job.h"
#include "session/progress.h"
#include "session/sandbox.h"

/* each thread writes a file that a signal must be able to remove (signals.h) */
enum { MOST_THREADS = 200 };

typedef struct map {
    session_args session;
    input_args input;   /* without the -i that names many files */
    const char *source; /* what that -i names */
    char *name;         /* the input that it names; NULL: it names none */
    const char *folder, *shard, *path;
    image_target target; /* from `folder`: how pictures are written */
    int format;
    int64_t batch;
    bool resume, again, json;
    tensor_options options;
    file_list files;
    const file_item **item; /* files of this shard that are not done */
    int n, n_shard, n_before;
    record record;
} map;

static const char *const examples[] = {
    "ocellus map model.onnx -i image=photos -o results",
    "ocellus map classifier.onnx -i 'photos/*.jpg' -o results --batch 8 --format npy",
    "ocellus map warp.onnx -i image=files.txt -i theta=theta.npy -o out --format png --resume",
    "ocellus map model.onnx -i image=files.txt -o results --shard 2/8",
    NULL,
};

static const args_command command = {
    .name = "map",
    .usage = "MODEL -i [NAME=]DIR|PATTERN|LIST.txt -o DIR [options]",
    .about =
        "Runs MODEL on each file of a folder (and below it), of a pattern, or of a list with a\n"
        "path on each line; - is a list on standard input. Other -i give values to the other\n"
        "inputs, the same in all runs. Each file's results go into DIR under its name.\n"
        "done.tsv in DIR records the files that are done, errors.tsv those that failed; these\n"
        "do not stop the others, and the exit code is then 3. Files of a folder whose endings\n"
        "are none that is read are left out, and errors.tsv names them too.",
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

static bool has_wrong_args(const map *m)
{
    return (!m->path || !m->folder) ? is_wrong("-o DIR is missing: the folder of the results")
           : m->batch < 1           ? is_wrong("--batch is 0, expected at least 1 file in a run")
           : m->resume && m->again  ? is_wrong("expected one of --resume and --again")
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
        ARGS_VALUE("--shard", ARGS_TEXT, "K/N", &m->shard,
                   "only every N-th file, from the K-th on: one of N parts"),
        ARGS_SWITCH("--resume", &m->resume,
                    "leave out the files that done.tsv has; those that failed run again"),
        ARGS_SWITCH("--again", &m->again, "run all files again, whatever done.tsv has"),
        FUNCTIONS_ARG(&m->session.functions),
        SESSION_ARGS(&m->session),
        {0},
    };
    const args_result result = args_read_model(argc, argv, &command, options, &m->path, &m->json);
    return result == ARGS_GO && has_wrong_args(m) ? ARGS_WRONG : result;
}

/* Returns what "-i [NAME=]FILE" names, before the model is known. *name, which may become NULL,
 * is to be freed. Names and paths may contain '=', so the longest rest that leads to files is
 * taken. */
static const char *file_of(const char *text, char **name)
{
    const char *first = strchr(text, '='), *rest = text;
    while (rest && !list_leads_to_files(rest)) {
        const char *equals = strchr(rest, '=');
        rest = equals ? equals + 1 : NULL;
    }
    rest = rest ? rest : first ? first + 1 : text;
    *name = rest == text ? NULL : tool_format("%.*s", (int)(rest - text - 1), text);
    return rest;
}

/* Takes the -i that names many files out of the list of all -i. */
static void find_source(map *m, oc_error *e)
{
    args_list *all = &m->input.input;
    int n = 0;
    for (int i = 0; i < all->n; i++) {
        char *name;
        const char *text = all->item[i], *rest = file_of(text, &name);
        if (!list_is_many(rest)) {
            all->item[n++] = text;
            if (!io_exists(rest) &&
                !text_value_is_typed(rest)) /* it may be the folder that is looked for */
                tool_fail(e, OC_IO, "-i %s: there is no such folder or file", text);
        } else if (m->source) {
            tool_fail(e, OC_ARGUMENT, "-i %s: only one input can have many files, and -i %s has",
                      text, m->source);
        } else {
            m->source = rest;
            m->name = name;
            name = NULL;
        }
        free(name);
    }
    all->n = n;
    if (!m->source)
        tool_fail(e, OC_ARGUMENT,
                  "-i: expected one that names many files: a folder, a pattern, a .txt file with "
                  "paths, or -");
}

/* Reads "K/N" into k, counted from 0, and n. */
static void read_shard(const map *m, int *k, int *n, oc_error *e)
{
    char end;
    *k = 0;
    *n = 1;
    if (m->shard && (sscanf(m->shard, "%6d/%6d%c", k, n, &end) != 2 || *k < 1 || *k > *n))
        tool_fail(e, OC_ARGUMENT, "--shard %s: expected K/N with K from 1 to N", m->shard);
    *k -= m->shard != NULL;
}

/* ---- the job ---- */

/* Chooses the files of this shard that the record does not have. */
static void choose_files(map *m, int k, int n)
{
    m->item = tool_alloc((size_t)m->files.n, sizeof *m->item);
    for (int i = k; i < m->files.n; i += n) {
        m->n_shard++;
        if (!record_has(&m->record, m->files.item[i].path))
            m->item[m->n++] = &m->files.item[i];
    }
    m->n_before = m->n_shard - m->n;
}

/* Checks results also against the model, its functions and the files of the other inputs, which
 * they must not replace. */
static void check_results(const map *m, const results *to, oc_error *e)
{
    args_list others = {0};
    args_list_add(&others, m->path);
    for (int i = 0; i < m->session.functions.n; i++)
        args_list_add(&others, m->session.functions.item[i]);
    for (int i = 0; i < m->input.input.n; i++) {
        char *name;
        args_list_add(&others, file_of(m->input.input.item[i], &name));
        free(name);
    }
    results_check(to, &m->files, &m->record, &others, e);
    args_list_free(&others);
}

/* Opens the record, finds the files to run, and begins when everything has been checked. */
static void begin(map *m, const inputs *in, const results *to, oc_error *e)
{
    int k, n;
    read_shard(m, &k, &n, e);
    char *part = n > 1 ? tool_format(".%d-of-%d", k + 1, n) : tool_format("%s", "");
    char *format = tool_format("%s%s", result_format_names[m->format], m->target.end);
    settings now = settings_of(m->path, &m->input, in, &m->session, format, m->batch, e);
    free(format);
    record_open(&m->record, m->folder, part, m->path, &now,
                m->again    ? RECORD_REPLACE
                : m->resume ? RECORD_RESUME
                            : RECORD_REFUSE,
                e);
    if (e->code == OC_OK) {
        check_results(m, to, e);
        choose_files(m, k, n);
        results_remove_parts(to, m->item, m->n, e);
    }
    if (e->code == OC_OK)
        record_begin(&m->record, e);
    for (int i = 0; i < m->files.n_left && k == 0 && e->code == OC_OK; i++)
        record_left_out(&m->record, m->files.left[i], e);
    settings_free(&now);
    free(part);
}

/* Names the first few files that are left out. */
static void say_left_out(const map *m)
{
    enum { NAMED = 3 };
    const int n = m->files.n_left;
    char *names = tool_format("%s", "");
    for (int i = 0; i < n && i < NAMED; i++) {
        char *longer = tool_format("%s%s%s", names, i ? ", " : "", m->files.left[i]);
        free(names);
        names = longer;
    }
    if (n)
        tool_say("%d file%s left out because of the ending: %s%s (%s)", n, n == 1 ? " is" : "s are",
                 names, n > NAMED ? ", ..." : "", m->record.errors);
    free(names);
}

static void print_result(const map *m, const job_result *r)
{
    const double rate = r->seconds > 0 ? (r->done + r->failed) / r->seconds : 0;
    if (m->json) {
        json_writer j = json_begin(stdout);
        json_object(&j, NULL);
        json_text(&j, "model", m->path);
        json_int(&j, "files", m->n_shard);
        json_int(&j, "done", r->done);
        json_int(&j, "before", m->n_before);
        json_int(&j, "failed", r->failed);
        json_int(&j, "left_out", m->files.n_left);
        json_text(&j, "errors", r->failed || m->files.n_left ? m->record.errors : NULL);
        json_number(&j, "seconds", r->seconds);
        json_number(&j, "rate", rate);
        json_close(&j);
        json_end(&j);
        return;
    }
    tool_print("%d of %d files done", r->done + m->n_before, m->n_shard);
    if (m->n_before)
        tool_print(", %d of them before", m->n_before);
    if (r->failed)
        tool_print(", %d failed (%s)", r->failed, m->record.errors);
    if (r->done + r->failed)
        tool_print("; %.*f s, %.*f/s", progress_digits(r->seconds), r->seconds,
                   progress_digits(rate), rate);
    tool_line("%s", "");
}

static int run_job(map *m, const oc_model *model, oc_error *e)
{
    const int64_t threads = m->session.threads ? m->session.threads : oc_processor_count();
    const output_args nothing = {0};
    inputs in = inputs_new(model, &m->options);
    outputs names = outputs_new(&nothing, model, &m->options, e);
    inputs_leave_open(&in, m->name, &m->input, e);
    inputs_gather(&in, &m->input, (uint64_t)m->session.seed, e);
    const results to = {m->folder, m->format, &names};
    begin(m, &in, &to, e);
    job j = {.model = model,
             .options = session_args_options(&m->session),
             .inputs = &in,
             .input = in.open,
             .results = to,
             .item = m->item,
             .n = m->n,
             .batch = (int)(m->batch < m->n ? m->batch
                            : m->n > 0      ? m->n
                                            : 1),
             .threads = (int)oc_min(threads, MOST_THREADS),
             .record = &m->record,
             .quiet = m->input.quiet,
             .progress = !m->input.quiet && !m->json};
    j.options.threads = 1;
    const job_result r = e->code == OC_OK ? job_run(&j, e) : (job_result){0};
    if (e->code == OC_OK) {
        print_result(m, &r);
        say_left_out(m);
    } else if (r.done || r.failed)
        tool_say("%d of %d files are done; --resume goes on with the others", r.done + m->n_before,
                 m->n_shard);
    const int code = e->code != OC_OK ? tool_report(e, m->json) : r.failed ? TOOL_INVALID : TOOL_OK;
    outputs_free(&names);
    inputs_free(&in);
    return code;
}

/* Makes the folders of all results. */
static void make_folders(const map *m, oc_error *e)
{
    text_index made = {0};
    io_make_dir(m->folder, e);
    for (int i = 0; i < m->files.n && e->code == OC_OK; i++) {
        char *below = io_folder_of(m->files.item[i].name);
        char *folder = tool_format("%s/%s", m->folder, below);
        if (strchr(m->files.item[i].name, '/') && text_index_find(&made, below) < 0)
            io_make_dir(folder, e);
        text_index_add(&made, below, i);
        free(below);
        free(folder);
    }
    text_index_free(&made);
}

/* Enters the sandbox. The files are known by now; the folders that hold them stay within reach. */
static void enter_sandbox(map *m, oc_error *e)
{
    sandbox box = sandbox_begin(&m->session);
    text_index folders = {0};
    sandbox_model(&box, m->path);
    sandbox_inputs(&box, &m->input.input);
    for (int i = 0; i < m->files.n && m->session.sandbox; i++) {
        char *folder = io_folder_of(m->files.item[i].path);
        if (text_index_find(&folders, folder) < 0)
            sandbox_read(&box, folder);
        text_index_add(&folders, folder, i);
        free(folder);
    }
    sandbox_read(&box, m->folder); /* for earlier records */
    sandbox_folder(&box, m->folder, e);
    sandbox_enter(&box, 0, e);
    text_index_free(&folders);
}

int cmd_map(int argc, char **argv)
{
    map m = {.batch = 1, .record = {.done_file = -1, .errors_file = -1}};
    oc_error e = {0};
    int code = TOOL_OK;
    const args_result result = read_args(argc, argv, &m);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO) {
        m.options = input_args_options(&m.input, &e);
        m.target = image_target_of(m.folder, &e);
        m.folder = m.target.path;
        m.options.scaled = m.target.given ? &m.target.scaled : NULL;
        if (m.target.given && m.format != RESULT_PNG && m.format != RESULT_JPG)
            tool_fail(&e, OC_ARGUMENT, "-o %s%s: only pictures are scaled, expected --format png",
                      m.folder, m.target.end);
        find_source(&m, &e);
        list_read(&m.files, m.source, m.folder, &e);
        make_folders(&m, &e);
        enter_sandbox(&m, &e);
        oc_model *model = e.code == OC_OK ? session_open(m.path, &m.session, &e) : NULL;
        code = model ? run_job(&m, model, &e) : tool_report(&e, m.json);
        oc_model_free(model);
    }
    record_close(&m.record);
    list_free(&m.files);
    free(m.item);
    free(m.name);
    free(m.target.path);
    args_list_free(&m.session.functions);
    input_args_free(&m.input);
    return code;
}
