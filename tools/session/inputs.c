/* SPDX-License-Identifier: Apache-2.0
 * inputs.c - gives every input of a model a value: from a file, or made up. */
#include "session/inputs.h"

#include "common/limits.h"
#include "common/data.h"
#include "common/number.h"
#include "files/text_value.h"
#include "session/session_args.h"

#include <errno.h>

/* ---- options ---- */

tensor_options input_args_options_but_pictures(const input_args *a)
{
    return (tensor_options){
        .cap = a->cap ? a->cap : LIMIT_FILE, .cast = a->cast, .quiet = a->quiet};
}

tensor_options input_args_options(const input_args *a, oc_error *e)
{
    tensor_options o = input_args_options_but_pictures(a);
    o.image = image_args_options(&a->image, e);
    return o;
}

void input_args_free(input_args *a)
{
    args_list_free(&a->input);
    args_list_free(&a->dim);
}

/* ---- the set ---- */

inputs inputs_new(const oc_model *model, const tensor_options *options)
{
    inputs in = {.model = model, .options = *options, .n = oc_model_n_inputs(model), .open = -1};
    in.value = tool_alloc((size_t)in.n, sizeof *in.value);
    in.picture = tool_alloc((size_t)in.n, sizeof *in.picture);
    for (int i = 0; i < in.n; i++)
        text_index_add(&in.names, oc_model_input(model, i).name, i);
    return in;
}

void inputs_free(inputs *in)
{
    for (int i = 0; i < in->n; i++) {
        oc_value_free(in->value[i]);
        free(in->picture[i].path);
        image_free(&in->picture[i].seen);
    }
    free(in->value);
    free(in->picture);
    free(in->beside);
    text_index_free(&in->names);
    text_index_free(&in->members);
    *in = (inputs){0};
}

static int find_input(const void *ctx, const char *name)
{
    const inputs *in = ctx;
    return text_index_find(&in->names, name);
}

static bool is_open(const inputs *in, int i)
{
    bool found = i == in->open;
    for (int k = 0; k < in->n_beside; k++)
        found = found || i == in->beside[k];
    return found;
}

/* Returns the first input that has neither a value nor a default; if there is none, the first
 * without a value; -1 when all have values. */
static int next_input(inputs *in)
{
    for (int pass = 0; pass < 2; pass++)
        for (int *i = &in->next[pass]; *i < in->n; ++*i)
            if (!in->value[*i] && !is_open(in, *i) &&
                (pass == 1 || !oc_model_input(in->model, *i).has_default))
                return *i;
    return -1;
}

/* Takes ownership of value, which may be NULL after an error. */
static void set_input(inputs *in, int i, oc_value *value, const char *where, oc_error *e)
{
    if (value && in->value[i]) {
        tool_fail(e, OC_ARGUMENT, "%s: input '%s' has a value already", where,
                  oc_model_input(in->model, i).name);
        oc_value_free(value);
        return;
    }
    if (value)
        in->value[i] = value;
}

static int next_or_fail(inputs *in, const char *where, oc_error *e)
{
    const int i = next_input(in);
    if (i < 0)
        tool_fail(e, OC_ARGUMENT, "%s: the model has no input left for it; it has %d", where,
                  in->n);
    return i;
}

/* ---- files ---- */

/* Returns the input that a member of an archive names, by its own name or by its safe one. */
static int find_member(inputs *in, const char *name)
{
    const int found = find_input(in, name);
    const bool known = found >= 0 || in->members.tree;
    for (int i = 0; i < in->n && !known; i++) {
        char *safe = npz_safe_name(oc_model_input(in->model, i).name);
        text_index_add(&in->members, safe, i);
        free(safe);
    }
    return found < 0 ? text_index_find(&in->members, name) : found;
}

/* Gives each array of an archive to the input of its name. */
static void read_npz(inputs *in, const io_bytes *b, const char *path, oc_error *e)
{
    npz_file z;
    npz_read(&z, b->data, b->size, in->options.cap, path, e);
    for (int k = 0; k < z.n && e->code == OC_OK; k++) {
        const char *name = z.item[k].name;
        int i = find_member(in, name);
        if (i < 0 && strncmp(name, "arr_", 4) == 0) /* NumPy names unnamed arrays like this */
            i = next_or_fail(in, path, e);
        if (i < 0) {
            tool_fail(e, OC_ARGUMENT, "%s: the model has no input '%s'", path, name);
            break;
        }
        const oc_port port = oc_model_input(in->model, i);
        oc_value *v = tensor_as(z.item[k].value, &port, &in->options, path, e);
        z.item[k].value = NULL;
        set_input(in, i, v, path, e);
    }
    npz_free(&z);
}

static bool is_typed(const char *text)
{
    return text_value_is_typed(text) && !io_exists(text);
}

static void read_typed(inputs *in, int i, const char *text, oc_error *e)
{
    if (e->code != OC_OK)
        return;
    const oc_port port = oc_model_input(in->model, i);
    char *where = tool_format("-i %s=%s", port.name, text);
    set_input(in, i, text_value_read(text, strlen(text), &port, where, e), where, e);
    free(where);
}

/* How files are read that may be pictures: what is noted of one goes to *p. */
static tensor_options noting(const inputs *in, input_picture *p)
{
    tensor_options o = in->options;
    o.fit = &p->fit;
    o.seen = in->keeps_seen ? &p->seen : NULL;
    return o;
}

/* Gives the value to input i, with what was noted of a picture. */
static void set_read(inputs *in, int i, oc_value *value, input_picture *noted, const char *where,
                     oc_error *e)
{
    set_input(in, i, value, where, e);
    if (e->code == OC_OK && noted->fit.width) {
        noted->path = tool_format("%s", where);
        in->picture[i] = *noted;
    } else {
        image_free(&noted->seen);
    }
}

static void read_named(inputs *in, int i, const char *path, oc_error *e)
{
    const oc_port port = oc_model_input(in->model, i);
    input_picture noted = {0};
    const tensor_options options = noting(in, &noted);
    oc_value *v = tensor_read(path, &port, &options, NULL, e);
    set_read(in, i, v, &noted, path, e);
}

/* Gives the value in a .pb to the input whose name is stored in the file, if that input has no
 * value and is of that kind; any other value to the next input. */
static void read_next(inputs *in, tensor_form form, const io_bytes *b, const char *path,
                      oc_error *e)
{
    const int next = next_or_fail(in, path, e);
    char *name = NULL;
    if (e->code != OC_OK)
        return;
    const oc_port port = oc_model_input(in->model, next);
    input_picture noted = {0};
    const tensor_options options = noting(in, &noted);
    oc_value *v = tensor_decode(form, b, path, &port, &options, &name, e);
    const int named = name ? find_input(in, name) : -1;
    const bool same_kind = named >= 0 && oc_model_input(in->model, named).kind == port.kind;
    set_read(in, same_kind && !in->value[named] ? named : next, v, &noted, path, e);
    free(name);
}

static void read_unnamed(inputs *in, const char *path, oc_error *e)
{
    io_bytes b;
    const tensor_form form = tensor_read_bytes(path, &in->options, &b, e);
    const char *where = io_shown(path);
    if (form == TENSOR_NPZ)
        read_npz(in, &b, where, e);
    else
        read_next(in, form, &b, where, e);
    io_bytes_free(&b);
}

void inputs_read_dir(inputs *in, const char *dir, oc_error *e)
{
    for (int k = 0; e->code == OC_OK; k++) {
        char *path = tool_format("%s/input_%d.pb", dir, k);
        const bool found = io_exists(path);
        if (found)
            read_unnamed(in, path, e);
        free(path);
        if (!found)
            break;
    }
}

static void refuse_name(const inputs *in, const char *text, const char *name, oc_error *e)
{
    char hint[NEAREST_TEXT];
    nearest near = {.text = name};
    for (int i = 0; i < in->n; i++)
        nearest_try(&near, oc_model_input(in->model, i).name);
    tool_fail(e, OC_ARGUMENT, "-i %s: the model has no input '%s'%s", text, name,
              nearest_hint(&near, hint));
}

/* Returns the only input without a default that neither an -i nor a name gives; -1 after an error.
 */
static int find_left(const inputs *in, const int *given, int n_given, const input_args *a,
                     oc_error *e)
{
    bool *named = tool_alloc((size_t)in->n, sizeof *named);
    int n = 0, found = -1;
    for (int k = 0; k < n_given; k++)
        if (given[k] >= 0)
            named[given[k]] = true;
    for (int k = 0; k < a->input.n; k++) {
        const char *path;
        const int i = args_split(a->input.item[k], find_input, in, &path);
        if (i >= 0)
            named[i] = true;
    }
    for (int i = 0; i < in->n; i++)
        if (!named[i] && !oc_model_input(in->model, i).has_default) {
            found = i;
            n++;
        }
    free(named);
    if (n != 1)
        tool_fail(e, OC_ARGUMENT,
                  "-i: which of the model's %d inputs do the files give? Name it, as in -i %s=DIR",
                  in->n, in->n ? oc_model_input(in->model, 0).name : "NAME");
    return n == 1 ? found : -1;
}

void inputs_leave_all_open(inputs *in, const char *const *name, int n, const input_args *a,
                           oc_error *e)
{
    int *found = tool_alloc((size_t)n, sizeof *found);
    for (int k = 0; k < n; k++) {
        found[k] = name[k] ? find_input(in, name[k]) : -1;
        if (name[k] && found[k] < 0)
            refuse_name(in, name[k], name[k], e);
        for (int i = 0; i < k; i++)
            if (found[k] >= 0 && found[i] == found[k])
                tool_fail(e, OC_ARGUMENT, "-i %s: there are two of it", name[k]);
    }
    for (int k = 0; k < n && e->code == OC_OK; k++)
        if (!name[k])
            found[k] = find_left(in, found, n, a, e);
    in->open = found[0];
    in->n_beside = n - 1;
    in->beside = tool_alloc((size_t)n, sizeof *in->beside);
    memcpy(in->beside, found + 1, (size_t)in->n_beside * sizeof *found);
    free(found);
}

void inputs_leave_open(inputs *in, const char *name, const input_args *a, oc_error *e)
{
    if (e->code == OC_OK)
        inputs_leave_all_open(in, &name, 1, a, e);
}

static void read_argument(inputs *in, const char *text, oc_error *e)
{
    const char *path;
    const int named = args_split(text, find_input, in, &path);
    if (named < 0 && strchr(text, '=') && !io_exists(text)) {
        char *name = tool_format("%.*s", (int)strcspn(text, "="), text);
        refuse_name(in, text, name, e);
        free(name);
    }
    if (e->code != OC_OK)
        return;
    if (is_typed(path))
        read_typed(in, named >= 0 ? named : next_or_fail(in, path, e), path, e);
    else if (named >= 0)
        read_named(in, named, path, e);
    else if (io_is_dir(path))
        inputs_read_dir(in, path, e);
    else
        read_unnamed(in, path, e);
}

/* ---- sizes of dimensions ---- */

/* Returns the size that a --dim gives to axis k of port; -1 when none does. */
static int64_t given_dim(const input_args *a, const oc_port *port, int k)
{
    for (int i = 0; i < a->dim.n; i++) {
        const char *text = a->dim.item[i], *equals = strrchr(text, '=');
        const size_t size = equals ? (size_t)(equals - text) : 0;
        const char *name = port->dim_name[k];
        char *place = tool_format("%s:%d", port->name, k);
        const bool by_name = name && strlen(name) == size && memcmp(name, text, size) == 0;
        const bool by_place = strlen(place) == size && memcmp(place, text, size) == 0;
        free(place);
        if (by_name || by_place)
            return strtoll(equals + 1, NULL, 10);
    }
    return -1;
}

/* Does a --dim name axis k of port? It fails if the model fixes that axis at another size. */
static bool is_given(const input_args *one, const oc_port *port, int k, oc_error *e)
{
    const int64_t n = given_dim(one, port, k);
    if (n >= 0 && port->dim[k] >= 0 && port->dim[k] != n)
        tool_fail(e, OC_ARGUMENT, "--dim %s: the model has %lld on axis %d of input '%s'",
                  one->dim.item[0], (long long)port->dim[k], k, port->name);
    return n >= 0;
}

const char *inputs_same_dim(const args_list *dims, int d)
{
    const size_t size = (size_t)(strrchr(dims->item[d], '=') + 1 - dims->item[d]);
    for (int i = 0; i < d; i++)
        if (strncmp(dims->item[i], dims->item[d], size) == 0)
            return dims->item[i];
    return NULL;
}

/* Fails unless every --dim is NAME=N, and NAME is a dimension of some input, named once. */
static void check_dims(const inputs *in, const input_args *a, oc_error *e)
{
    for (int d = 0; d < a->dim.n && e->code == OC_OK; d++) {
        const char *text = a->dim.item[d], *equals = strrchr(text, '=');
        char *end = NULL;
        errno = 0;
        if (!equals || strtoll(equals + 1, &end, 10) < 0 || end == equals + 1 || *end || errno) {
            tool_fail(e, OC_ARGUMENT, "--dim is '%s', expected NAME=N", text);
            return;
        }
        const char *before = inputs_same_dim(&a->dim, d);
        if (before) {
            tool_fail(e, OC_ARGUMENT, "--dim %s: there is --dim %s too", text, before);
            return;
        }
        const input_args one = {.dim = {.item = &a->dim.item[d], .n = 1}};
        bool found = false;
        for (int i = 0; i < in->n && !found; i++) {
            const oc_port port = oc_model_input(in->model, i);
            for (int k = 0; k < port.rank && !found; k++)
                found = is_given(&one, &port, k, e);
        }
        if (!found)
            tool_fail(e, OC_ARGUMENT, "--dim %s: no input has such a dimension", text);
    }
}

static void make_up(inputs *in, int i, const input_args *a, uint64_t seed, oc_error *e)
{
    oc_port port = oc_model_input(in->model, i);
    char text[PORT_TEXT];
    bool known = port.rank >= 0 && port.type != OC_UNDEFINED;
    for (int k = 0; k < port.rank && known; k++) {
        if (port.dim[k] < 0)
            port.dim[k] = given_dim(a, &port, k);
        known = port.dim[k] >= 0;
    }
    if (port.kind != OC_TENSOR) {
        tool_fail(e, OC_ARGUMENT,
                  "--fill: input '%s' is %s, and only tensors are made up; give a .pb file",
                  port.name, session_port_text(&port, text));
        return;
    }
    if (!known) {
        tool_fail(e, OC_ARGUMENT,
                  "--fill: the size of input '%s', %s, is not known; give a file, --dim NAME=N or "
                  "--dim %s:AXIS=N",
                  port.name, session_port_text(&port, text), port.name);
        return;
    }
    char *where = tool_format("input '%s'", port.name);
    in->value[i] = data_tensor(port.type, port.rank, port.dim, where, e);
    free(where);
    if (in->value[i] && a->fill == FILL_RANDOM)
        fill_tensor(in->value[i], seed, port.name, e);
}

/* ---- pictures ---- */

static void json_pair(json_writer *j, const char *key, double x, double y)
{
    json_array(j, key);
    j->flat++;
    json_number(j, NULL, x);
    json_number(j, NULL, y);
    json_close(j);
    j->flat--;
}

static void json_fit(json_writer *j, const image_fit *f)
{
    json_int(j, "width", f->width);
    json_int(j, "height", f->height);
    json_pair(j, "scale", f->scale_x, f->scale_y);
    json_pair(j, "offset", f->left, f->top);
}

/* ---- all together ---- */

void inputs_check_type(const oc_port *port, const oc_value *v, oc_error *e)
{
    char text[PORT_TEXT];
    if (oc_value_kind(v) != OC_TENSOR || port->kind != OC_TENSOR || !number_is_real(port->type) ||
        !number_is_real(oc_value_type(v)) || oc_value_type(v) == port->type)
        return;
    tool_fail(e, OC_TYPE, "input '%s' is of type %s, expected %s; --cast converts numbers",
              port->name, oc_type_name(oc_value_type(v)), session_port_text(port, text));
}

static void report_missing(const inputs *in, oc_error *e)
{
    char list[sizeof e->text] = "", text[PORT_TEXT];
    size_t at = 0;
    int n = 0;
    for (int i = 0; i < in->n && at < sizeof list; i++) {
        const oc_port port = oc_model_input(in->model, i);
        if (in->value[i] || is_open(in, i) || port.has_default)
            continue;
        at += (size_t)snprintf(list + at, sizeof list - at, "%s '%s' %s", n++ ? "," : "", port.name,
                               session_port_text(&port, text));
    }
    if (n)
        tool_fail(e, OC_ARGUMENT, "no value for %s%.800s; give -i NAME=FILE or --fill random",
                  n == 1 ? "input" : "inputs", list);
}

void inputs_gather(inputs *in, const input_args *a, uint64_t seed, oc_error *e)
{
    if (e->code == OC_OK)
        check_dims(in, a, e);
    for (int i = 0; i < a->input.n && e->code == OC_OK; i++)
        read_argument(in, a->input.item[i], e);
    for (int i = 0; i < in->n && a->fill != FILL_NONE && e->code == OC_OK; i++)
        if (!in->value[i] && !is_open(in, i) && !oc_model_input(in->model, i).has_default)
            make_up(in, i, a, seed, e);
    for (int i = 0; i < in->n && e->code == OC_OK; i++) {
        const oc_port port = oc_model_input(in->model, i);
        if (in->value[i])
            inputs_check_type(&port, in->value[i], e);
    }
    if (e->code == OC_OK)
        report_missing(in, e);
}

void inputs_ports(const inputs *in, const input_args *a, oc_port *port, oc_error *e)
{
    if (e->code == OC_OK)
        check_dims(in, a, e);
    for (int i = 0; i < in->n; i++) {
        const oc_value *v = in->value[i];
        port[i] = oc_model_input(in->model, i);
        for (int k = 0; k < port[i].rank && e->code == OC_OK; k++)
            if (port[i].dim[k] < 0)
                port[i].dim[k] = given_dim(a, &port[i], k);
        if (!v || oc_value_kind(v) != OC_TENSOR)
            continue;
        port[i].rank = oc_value_rank(v);
        for (int k = 0; k < port[i].rank; k++)
            port[i].dim[k] = oc_value_dims(v)[k];
    }
}

void inputs_json_pictures(const inputs *in, json_writer *j)
{
    bool any = false;
    for (int i = 0; i < in->n; i++) {
        const input_picture *p = &in->picture[i];
        if (!p->path)
            continue;
        if (!any)
            json_array(j, "pictures");
        any = true;
        json_object(j, NULL);
        json_text(j, "input", oc_model_input(in->model, i).name);
        json_text(j, "file", p->path);
        json_fit(j, &p->fit);
        json_close(j);
    }
    if (any)
        json_close(j);
}

void inputs_bind(const inputs *in, oc_session *session, oc_error *e)
{
    for (int i = 0; i < in->n; i++)
        if (in->value[i])
            oc_bind_value_at(session, i, in->value[i], e);
}
