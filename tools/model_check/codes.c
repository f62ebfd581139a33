/* SPDX-License-Identifier: Apache-2.0
 * codes.c - the axis codes: compares products that are computed on 8-bit codes with products in
 * float, as the model writes them.
 *
 * Each is compared on equal inputs, and may give the next code. */
#include "model_check/axis.h"

/* Does a step of this plan compute on codes what the other plan computes in float? */
static bool has_products(axis_check *c, const oc_session_options *floats,
                         const oc_session_options *codes)
{
    oc_session *s[2] = {oc_session_new(c->model, floats, &c->error),
                        oc_session_new(c->model, codes, &c->error)};
    oc_plan_step step[2];
    bool found = false;
    for (int i = 0; c->error.code == OC_OK && !found && oc_session_step_at(s[0], i, &step[0]); i++)
        found =
            oc_session_step_at(s[1], i, &step[1]) && strcmp(step[0].op_type, step[1].op_type) != 0;
    oc_session_free(s[0]);
    oc_session_free(s[1]);
    return found;
}

static void add_codes(axis_check *c, oc_session_options o)
{
    oc_error e = {0};
    value_comparison m = value_comparison_new(&c->trace, &(compare_bound){.atol = 1});
    axis_row row = {.name = "on codes", .comparison = &m, .error = &e};
    m.picture = axis_report_picture(&c->report);
    o.observer.on_node = value_compare_node;
    o.observer.on_node_ctx = &m;
    axis_run(c, oc_session_new(c->model, &o, &e), &e);
    if (axis_is_fatal(&e))
        c->error = e;
    else
        axis_report_row(&c->report, &row);
}

void axis_codes(axis_check *c)
{
    oc_session_options o = axis_base(c), floats = o;
    floats.exact_quant = true;
    o.exact_quant = false;
    axis_refer(c, "codes", "products on 8-bit codes against those in float, within one code",
               floats);
    if (c->error.code != OC_OK)
        return;
    if (has_products(c, &floats, &o))
        add_codes(c, o);
    else if (c->error.code == OC_OK)
        axis_report_row(&c->report,
                        &(axis_row){.name = "on codes",
                                    .note = "no product of this model is computed on codes"});
}
