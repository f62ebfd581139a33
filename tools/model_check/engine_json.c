/* SPDX-License-Identifier: Apache-2.0
 * engine_json.c - the report on a model's check against another engine as JSON. */
#include "model_check/engine_check.h"

static void put_inputs(const engine_check *c, const graph_node *node, json_writer *j)
{
    json_array(j, "inputs");
    for (int i = 0; i < node->n_in; i++) {
        const int at = node->in[i].value;
        json_object(j, NULL);
        json_text(j, "name", node->in[i].name);
        if (at < 0 || c->value[at].is_compared)
            json_bool(j, "agrees", at < 0 || c->value[at].result.agrees);
        json_close(j);
    }
    json_close(j);
}

static void put_result(const engine_check *c, int i, json_writer *j)
{
    const engine_value *v = &c->value[i];
    json_bool(j, "agrees", v->result.agrees);
    if (v->result.n)
        compare_json(&v->result, j);
    if (v->result.agrees)
        return;
    json_text(j, "text", v->result.text);
    if (*v->greatest)
        json_text(j, "greatest", v->greatest);
    json_bool(j, "origin", v->is_origin);
    if (v->is_node_judged)
        json_bool(j, "agrees_on_engine_inputs", !v->differs_on_them);
    put_inputs(c, &c->graph.node[c->graph.item[i].node], j);
}

static void put_value(const engine_check *c, int i, json_writer *j)
{
    const engine_value *v = &c->value[i];
    const graph_node *node = &c->graph.node[c->graph.item[i].node];
    json_object(j, NULL);
    json_text(j, "name", c->graph.item[i].name);
    json_text(j, "node", node->name);
    json_text(j, "operator", node->op);
    if (v->is_compared)
        put_result(c, i, j);
    else
        json_text(j, "not_compared",
                  v->reason                     ? v->reason
                  : !c->graph.item[i].is_tensor ? "no tensor"
                                                : "no node of this run gives it");
    json_close(j);
}

static void put_alone(const engine_check *c, json_writer *j)
{
    json_array(j, "outputs_alone");
    for (int i = 0; i < c->graph.n; i++) {
        const engine_value *v = &c->value[i];
        if (!v->is_alone_compared)
            continue;
        json_object(j, NULL);
        json_text(j, "name", c->graph.item[i].name);
        json_bool(j, "agrees", v->of_alone.agrees);
        if (v->of_alone.n)
            compare_json(&v->of_alone, j);
        if (!v->of_alone.agrees)
            json_text(j, "text", v->of_alone.text);
        json_close(j);
    }
    json_close(j);
    if (c->alone)
        json_text(j, "alone_fails", c->alone);
}

void engine_report_json(const engine_check *c, const char *path, int n_disagree)
{
    json_writer j = json_begin(stdout);
    json_object(&j, NULL);
    json_text(&j, "model", path);
    json_text(&j, "engine", c->options->engine);
    json_array(&j, "values");
    for (int i = 0; i < c->graph.n; i++)
        put_value(c, i, &j);
    json_close(&j);
    json_int(&j, "inner_graph_values", c->graph.n_inner);
    if (c->fewer)
        json_text(&j, "asked_for_fewer", c->fewer);
    if (c->stop)
        json_text(&j, "engine_fails", c->stop->test.text);
    put_alone(c, &j);
    json_int(&j, "disagreements", n_disagree);
    json_close(&j);
    json_end(&j);
}
