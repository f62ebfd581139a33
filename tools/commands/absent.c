/* SPDX-License-Identifier: Apache-2.0
 * absent.c - stands in for what a page (web) is built without, because its script never asks for
 * it.
 *
 * These are all reports of check but text, engines, check of a model, views that print, and
 * tests that run saves. A page's file takes the place of those that have them; options that need
 * them are refused. */
#include "check/engine.h"
#include "check/found.h"
#include "check/where.h"
#include "check/report.h"
#include "inspect/build_line.h"
#include "inspect/view.h"
#include "session/save_test.h"
#include "model_check/model.h"

static void refuse(const char *what, oc_error *e)
{
    tool_fail(e, OC_UNSUPPORTED, "%s: it is not built into a page", what);
}

/* ---- check ---- */

check_report *check_json_new(const check_options *options)
{
    return check_text_new(options);
}

check_report *check_markdown_new(const check_options *options)
{
    return check_text_new(options);
}

check_report *check_html_new(const char *path, const check_options *options, oc_error *e)
{
    (void)path, (void)options;
    refuse("--html", e);
    return NULL;
}

check_report *check_export_new(const char *folder, bool only_bad, oc_error *e)
{
    (void)folder, (void)only_bad;
    refuse("--export", e);
    return NULL;
}

check_engine *check_engine_new(OC_UNUSED const check_options *options, oc_error *e)
{
    refuse("--engine", e);
    return NULL;
}

void check_engine_free(OC_UNUSED check_engine *g) {}

void check_engine_ask(check_engine *g, check_run *run, int n, oc_error *e)
{
    (void)g, (void)run, (void)n, (void)e;
}

bool check_engine_is_broken(OC_UNUSED const check_engine *g)
{
    return false;
}

void check_search_run(const check_plan *plan, const search_seeds *seeds, check_search *out,
                      oc_error *e)
{
    (void)plan, (void)seeds, (void)out;
    refuse("--search", e);
}

void check_search_one(const check_plan *plan, check_case *c, check_search *out)
{
    (void)plan, (void)c, (void)out;
}

void check_search_free(OC_UNUSED check_search *s) {}

void check_search_write(const check_search *s, const char *path, oc_error *e)
{
    (void)s, (void)path;
    refuse("-o", e);
}

void search_seeds_add(search_seeds *seeds, int i, double share)
{
    (void)seeds, (void)i, (void)share;
}

void check_found_read(const char *path, const compare_bound *otherwise, check_case *out,
                      oc_error *e)
{
    (void)path, (void)otherwise;
    *out = (check_case){0};
    refuse("--case of a file", e);
}

bool check_is_file(OC_UNUSED const char *name)
{
    return false;
}

const char *judge_pair_text(const check_plan *plan, enum judge_pair pair, char text[JUDGE_TEXT])
{
    (void)plan, (void)pair;
    *text = 0;
    return text;
}

check_inner check_find_inner(const check_run *run, int way)
{
    (void)run, (void)way;
    return (check_inner){.asked = true, .text = "a page does not compare inner values"};
}

check_nearer check_find_nearer(const check_run *run, int way)
{
    (void)run, (void)way;
    return (check_nearer){.asked = true, .text = "a page does not compute in double"};
}

int check_run_model(const char *path, const input_args *input, const compare_bound *bound,
                    const check_options *options)
{
    oc_error e = {0};
    (void)path, (void)input, (void)bound;
    refuse("check of a model", &e);
    return tool_report(&e, options->json);
}

/* ---- inspect ---- */

#define ABSENT_VIEW(name)                                                                          \
    void view_##name(const view *v, oc_error *e)                                                   \
    {                                                                                              \
        (void)v;                                                                                   \
        refuse("--" #name, e);                                                                     \
    }
ABSENT_VIEW(nodes)
ABSENT_VIEW(plan)
ABSENT_VIEW(shapes)
ABSENT_VIEW(weights)
ABSENT_VIEW(macs)
ABSENT_VIEW(metadata)
ABSENT_VIEW(dot)

void build_line_add(build_line *b, const oc_model *model, const char *path, oc_error *e)
{
    (void)b, (void)model, (void)path;
    refuse("--build", e);
}

void build_line_print(const build_line *b, json_writer *j)
{
    (void)b, (void)j;
}

void build_line_free(OC_UNUSED build_line *b) {}

/* ---- run ---- */

void save_test_check(const char *option, const char *dir, oc_error *e)
{
    if (dir)
        refuse(option, e);
}

char *save_test_data_dir(const char *dir)
{
    return tool_format("%s", dir);
}

void save_test_write(const char *dir, const oc_model *model, const inputs *in,
                     const oc_session *session, oc_error *e)
{
    (void)dir, (void)model, (void)in, (void)session, (void)e;
}
