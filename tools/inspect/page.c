/* SPDX-License-Identifier: Apache-2.0
 * page.c - inspect --html: the model as data in one page, and the frame around it. */
#include "inspect/page.h"

#include "inspect/graph.h"
#include "inspect/layout.h"
#include "inspect/macs.h"
#include "page_parts.def"
#include "session/session_args.h"

/* Most characters of an attribute, most values listed for a node, most characters of a box. */
enum { MOST_ATTRIBUTE = 300, MOST_VALUES = 64, MOST_TITLE = 30 };

typedef struct maker {
    graph graph;
    io_bytes nodes;
    int64_t macs;
    bool counted; /* true: the MACs of all nodes of the main graph are known */
} maker;

/* ---- nodes ---- */

static void put_values(io_bytes *to, const char *key, const oc_port *port, int n,
                       const weight_list *weights)
{
    char text[PORT_TEXT];
    html_put(to, ",\"%s\":[", key);
    for (int i = 0; i < n && i < MOST_VALUES; i++) {
        const bool typed = port[i].type != OC_UNDEFINED || port[i].rank >= 0;
        html_put(to, "%s[", i ? "," : "");
        html_script_text(to, port[i].name);
        html_put(to, ",");
        html_script_text(to, typed ? session_port_text(&port[i], text) : "");
        html_put(to, ",%d]", weight_list_has(weights, &port[i]));
    }
    if (n > MOST_VALUES)
        html_put(to, ",[\"and %d more\",\"\",0]", n - MOST_VALUES);
    html_put(to, "]");
}

static void take_node(void *ctx, const oc_node_info *node)
{
    maker *m = ctx;
    const node_macs macs = macs_of(node);
    graph_add(&m->graph, node);
    html_put(&m->nodes, "%s{\"opset\":%" PRId64 ",\"since\":%d,\"attributes\":[",
             m->nodes.size ? ",\n" : "", node->opset, node->since);
    for (int i = 0; i < node->n_attr; i++) {
        char *text = view_attribute(node, i, MOST_ATTRIBUTE);
        html_put(&m->nodes, "%s", i ? "," : "");
        html_script_text(&m->nodes, text);
        free(text);
    }
    html_put(&m->nodes, "]");
    if (macs.kind == MACS_KNOWN)
        html_put(&m->nodes, ",\"macs\":%" PRId64, macs.n);
    put_values(&m->nodes, "inputs", node->in, node->n_in, m->graph.weights);
    put_values(&m->nodes, "outputs", node->out, node->n_out, m->graph.weights);
    html_put(&m->nodes, "}");
    const bool fits = node->depth == 0 && macs.n <= INT64_MAX - m->macs;
    m->counted &= macs.kind != MACS_UNKNOWN && (fits || macs.kind == MACS_NONE);
    m->macs += fits ? macs.n : 0;
}

/* ---- the picture ---- */

/* Returns a width in pixels, as letters are about that wide. */
static double box_width(const graph_box *box)
{
    const double title = 8.0 * (double)strlen(box->title), note = 6.3 * (double)strlen(box->note);
    const double width = 34 + (title > note ? title : note);
    return width < 92 ? 92 : width > 236 ? 236 : width;
}

static layout place_part(const graph *g, int part, const int *first_line, const int *next_line,
                         int *at)
{
    layout l = {.n = g->part[part].n_box};
    l.width = tool_alloc((size_t)l.n, sizeof *l.width);
    int n = 0;
    for (int b = g->part[part].first; b >= 0; b = g->box[b].next) {
        at[b] = n;
        l.width[n++] = box_width(&g->box[b]);
    }
    for (int i = first_line[part]; i >= 0; i = next_line[i]) {
        l.line = tool_push(l.line, (size_t)l.n_line, sizeof *l.line);
        l.line[l.n_line++] = (layout_line){.from = at[g->line[i].from], .to = at[g->line[i].to]};
    }
    layout_make(&l);
    return l;
}

static void put_box(io_bytes *to, const graph *g, int b, const layout *l, int at)
{
    const graph_box *box = &g->box[b];
    html_put(to, "%s[%d,%d,%.1f,%d,%.0f,", to->size ? ",\n" : "", (int)box->kind, box->part,
             l->x[at], l->layer[at], l->width[at]);
    html_script_text(to, box->title);
    html_put(to, ",");
    html_script_text(to, box->note);
    html_put(to, ",");
    html_script_text(to, box->name);
    html_put(to, ",%d,%d,%d]", (int)box->support, box->node, box->origin);
}

static void put_line(io_bytes *to, const graph_line *line, const layout *l, const layout_line *way)
{
    html_put(to, "%s[%d,%d,", to->size ? ",\n" : "", line->from, line->to);
    html_script_text(to, line->name);
    html_put(to, ",%d,[", line->within);
    for (int k = 0; k < way->n_bend; k++)
        html_put(to, "%s%.1f", k ? "," : "", l->x[way->bend + k]);
    html_put(to, "]]");
}

/* What the page holds of the picture, in the order of the graph's boxes. */
typedef struct picture {
    io_bytes boxes, lines, parts;
} picture;

static void put_part(picture *p, const graph *g, int part, const layout *l)
{
    html_put(&p->parts, "%s[", part ? ",\n" : "");
    html_script_text(&p->parts, g->part[part].name);
    html_put(&p->parts, ",%d,%.1f,%d]", g->part[part].holder, l->right, l->n_layer);
}

static picture draw(const graph *g)
{
    picture p = {.boxes = {0}};
    int *first = tool_alloc((size_t)g->n_part, sizeof *first),
        *at = tool_alloc((size_t)g->n_box, sizeof *at);
    int *next = tool_alloc((size_t)g->n_line, sizeof *next);
    layout *l = tool_alloc((size_t)g->n_part, sizeof *l);
    memset(first, -1, (size_t)g->n_part * sizeof *first);
    for (int i = g->n_line - 1; i >= 0; i--) {
        const int part = g->box[g->line[i].from].part;
        next[i] = first[part];
        first[part] = i;
    }
    for (int part = 0; part < g->n_part; part++) {
        l[part] = place_part(g, part, first, next, at);
        put_part(&p, g, part, &l[part]);
        int k = 0;
        for (int i = first[part]; i >= 0; i = next[i])
            put_line(&p.lines, &g->line[i], &l[part], &l[part].line[k++]);
    }
    for (int b = 0; b < g->n_box; b++)
        put_box(&p.boxes, g, b, &l[g->box[b].part], at[b]);
    for (int part = 0; part < g->n_part; part++)
        layout_free(&l[part]);
    free(first);
    free(at);
    free(next);
    free(l);
    return p;
}

/* ---- the model ---- */

static void put_fact(io_bytes *to, const char *key, const char *text)
{
    html_put(to, "%s[\"%s\",", to->data[to->size - 1] == '[' ? "" : ",", key);
    html_script_text(to, text);
    html_put(to, "]");
}

static void put_count(io_bytes *to, const char *key, int64_t n)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, n);
    put_fact(to, key, text);
}

static void put_facts(io_bytes *to, const page *p, const maker *m)
{
    const oc_model_info d = oc_model_describe(p->view.model);
    html_put(to, "\"facts\":[");
    put_count(to, "nodes", d.n_nodes);
    put_count(to, "initializers", d.n_initializers + p->weights->n_lost);
    if (p->weights->n_constant)
        put_count(to, "weights in Constants", p->weights->n_constant);
    put_count(to, "parameters", p->weights->n_parameters);
    if (m->counted)
        put_count(to, "MACs", m->macs);
    else
        put_fact(to, "MACs", "not known; see inspect --macs");
    put_count(to, "IR version", d.ir_version);
    for (int i = 0; i < d.n_opsets; i++) {
        int64_t version;
        const char *domain = oc_model_opset(p->view.model, i, &version);
        char *text = tool_format("%s %" PRId64, *domain ? domain : "ai.onnx", version);
        put_fact(to, "opset", text);
        free(text);
    }
    if (*d.producer_name)
        put_fact(to, "producer", d.producer_name);
    if (p->decoder && *p->decoder)
        put_fact(to, "decoder", p->decoder);
    html_put(to, "],\n\"metadata\":[");
    const char *key, *value;
    for (int i = 0; (key = oc_model_metadata(p->view.model, i, &value)) != NULL; i++) {
        html_put(to, "%s[", i ? "," : "");
        html_script_text(to, key);
        html_put(to, ",");
        html_script_text(to, value);
        html_put(to, "]");
    }
    html_put(to, "],\n");
}

static void put_texts(io_bytes *to, const char *key, const char *const *text, int n)
{
    html_put(to, "\"%s\":[", key);
    for (int i = 0; i < n; i++) {
        html_put(to, "%s", i ? "," : "");
        html_script_text(to, text[i]);
    }
    html_put(to, "],\n");
}

/* What the model says of itself and, as pairs of name and text, of its inputs and outputs. */
static void put_descriptions(io_bytes *to, const oc_model *m)
{
    const oc_model_info d = oc_model_describe(m);
    const int n_in = oc_model_n_inputs(m), n = n_in + oc_model_n_outputs(m);
    const char *const own[] = {d.description, d.graph_description};
    put_texts(to, "description", own, 2);
    html_put(to, "\"descriptions\":[");
    for (int i = 0, k = 0; i < n; i++) {
        const oc_port port = i < n_in ? oc_model_input(m, i) : oc_model_output(m, i - n_in);
        if (!port.description)
            continue;
        html_put(to, "%s[", k++ ? "," : "");
        html_script_text(to, port.name);
        html_put(to, ",");
        html_script_text(to, port.description);
        html_put(to, "]");
    }
    html_put(to, "],\n");
}

static void put_list(io_bytes *to, const char *key, const io_bytes *items, const char *end)
{
    html_put(to, "\"%s\":[", key);
    html_join(to, items);
    html_put(to, "]%s\n", end);
}

static void put_model(io_bytes *to, const page *p, const maker *m)
{
    picture drawn = draw(&m->graph);
    html_put(to, "{\"path\":");
    html_script_text(to, p->path);
    html_put(to, ",\"graph\":");
    html_script_text(to, oc_model_describe(p->view.model).graph_name);
    html_put(to, ",\n");
    put_facts(to, p, m);
    put_texts(to, "problems", p->problem, p->n_problem);
    put_texts(to, "remarks", p->problem + p->n_problem, p->n_remark);
    put_descriptions(to, p->view.model);
    put_list(to, "parts", &drawn.parts, ",");
    put_list(to, "boxes", &drawn.boxes, ",");
    put_list(to, "lines", &drawn.lines, ",");
    put_list(to, "nodes", &m->nodes, ",");
    put_list(to, "values", &p->values, "}");
    io_bytes_free(&drawn.parts);
    io_bytes_free(&drawn.boxes);
    io_bytes_free(&drawn.lines);
}

/* ---- the frame ---- */

static void put_page(io_bytes *to, const page *p, const maker *m)
{
    const oc_model_info d = oc_model_describe(p->view.model);
    html_head(to, p->path);
    html_unpacked(to, page_css, sizeof page_css, PAGE_CSS_SIZE);
    html_put(to,
             "</style>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "style-src 'unsafe-inline'; script-src 'unsafe-inline'\" "
             "/>\n</head>\n<body>\n<header><h1>");
    html_text(to, p->path);
    html_put(to, "</h1><span class=\"facts\">%d nodes, %" PRId64 " parameters", d.n_nodes,
             p->weights->n_parameters);
    if (m->counted && m->macs)
        html_put(to, ", %.4g GMACs", 1e-9 * (double)m->macs);
    html_put(to,
             "%s</span><span id=\"found\" class=\"soft\"></span>"
             "<input id=\"search\" type=\"search\" placeholder=\"Find a node or value\" "
             "aria-label=\"Find a node or value\" /></header>\n"
             "<main><svg id=\"picture\" role=\"img\" aria-label=\"the graph\"><defs><marker "
             "id=\"arrow\" "
             "viewBox=\"0 0 8 8\" refX=\"6.5\" refY=\"4\" markerUnits=\"userSpaceOnUse\" "
             "markerWidth=\"9\" markerHeight=\"9\" "
             "orient=\"auto\">"
             "<path d=\"M0 0.8L7 4L0 7.2z\" /></marker></defs><g id=\"world\"></g></svg>"
             "<p class=\"legend\" id=\"legend\"></p><div class=\"tools\">"
             "<button id=\"out\" title=\"smaller\">&#8722;</button><button id=\"in\" "
             "title=\"larger\">+</button>"
             "<button id=\"fit\" title=\"show all\">fit</button><select id=\"parts\" "
             "aria-label=\"graph\">"
             "</select></div></main>\n<aside id=\"side\" aria-live=\"polite\"></aside>\n"
             "<script type=\"application/json\" id=\"model\">",
             p->values.size ? ", with the values of a run" : "");
    put_model(to, p, m);
    html_put(to, "</script>\n<script>\n");
    html_unpacked(to, page_js, sizeof page_js, PAGE_JS_SIZE);
    html_put(to, "</script>\n</body>\n</html>\n");
}

void page_write(const page *p, const char *to, oc_error *e)
{
    maker m = {.graph = graph_new(p->view.model, p->view.inputs, p->weights), .counted = true};
    io_bytes html = {0};
    io_file file = {0};
    oc_model_visit(p->view.model, p->view.inputs, take_node, &m, e);
    graph_end(&m.graph);
    if (e->code == OC_OK)
        put_page(&html, p, &m);
    io_create(&file, to, e);
    io_put(&file, html.data, html.size);
    io_commit(&file, e);
    io_bytes_free(&html);
    io_bytes_free(&m.nodes);
    graph_free(&m.graph);
}
