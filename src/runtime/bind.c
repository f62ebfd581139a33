/* SPDX-License-Identifier: Apache-2.0
 * bind.c - checks the inputs that the host gives against the model's declarations. */
#include "graph/declared.h"
#include "runtime/session.h"

static const oc_value_info *input_info(const oc_session *s, int input)
{
    return &oc_session_graph(s)->graph->input[input];
}

/* Does a value have the form that operators rely on? All items of a sequence must be tensors of
 * its type. An optional holds nothing, one tensor, or one such sequence. */
static bool is_sound(const oc_value *v)
{
    for (int64_t i = 0; v->kind != OC_TENSOR && i < oc_value_n(v); i++) {
        const oc_value *item = &oc_value_items(v)[i];
        if (item->type != v->type || !is_sound(item) ||
            (item->kind != OC_TENSOR && (v->kind != OC_OPTIONAL || item->kind != OC_SEQUENCE)))
            return false;
    }
    return v->kind != OC_OPTIONAL || oc_value_n(v) <= 1;
}

/* Does an optional hold nothing, or a value of the declared kind? */
static bool fits_element(const oc_type_info *t, const oc_value *v)
{
    return v->kind != OC_OPTIONAL || oc_value_n(v) == 0 || !t->item ||
           oc_declared_kind(t->item) == oc_value_items(v)->kind;
}

static oc_status check_declared(const oc_value_info *info, const oc_value *v, oc_error *e)
{
    const oc_type_info *t = &info->type;
    char actual[OC_VALUE_TEXT], expected[OC_DECLARED_TEXT];
    if (v->key)
        return oc_error_set(e, OC_UNSUPPORTED, "input '%s' is %s, and no input may be a map",
                            info->name, oc_value_text(v, actual));
    if (!is_sound(v))
        return oc_error_set(e, OC_TYPE,
                            "input '%s' is %s with an item of another kind or type, expected "
                            "tensors of that type",
                            info->name, oc_value_text(v, actual));
    if (t->kind == OC_TYPE_NONE)
        return OC_OK;
    const oc_type type = oc_declared_type(t);
    const bool same_type = !type || type == v->type || (v->kind != OC_TENSOR && !v->type);
    if (oc_declared_kind(t) != v->kind || !same_type || !fits_element(t, v))
        return oc_error_set(e, OC_TYPE, "input '%s' is %s, expected %s", info->name,
                            oc_value_text(v, actual), oc_declared_text(t, expected));
    if (oc_declared_fits(t, v))
        return OC_OK;
    return oc_error_set(e, OC_SHAPE, "input '%s' is %s, expected %s", info->name,
                        oc_value_text(v, actual), oc_declared_text(t, expected));
}

static bool lies_in(const oc_value *v, const oc_buffer *b)
{
    const size_t at = (size_t)((const char *)v->data - (const char *)b->data);
    return oc_value_bytes(v) <= b->size - at;
}

/* The host may bind an output of this session, or its elements, as an input. */
static oc_status adopt_tensor(oc_session *s, const oc_value *v, oc_value *own, oc_error *e)
{
    oc_value kept = *v;
    kept.owned = false;
    if (!v->buffer || v->buffer->pool != &s->pool)
        OC_TRY(oc_outputs_find(s, v->data, &kept.buffer, e));
    if (kept.buffer && v->type == OC_STRING)
        return oc_error_set(e, OC_ARGUMENT,
                            "oc_bind: strings that the session has computed end with its next run, "
                            "expected a copy of them");
    if (kept.buffer && !lies_in(v, kept.buffer))
        return oc_error_set(e, OC_ARGUMENT,
                            "oc_bind: %zu bytes are bound, but the output in which they begin has "
                            "fewer from there on",
                            oc_value_bytes(v));
    kept.bound = true;
    *own = oc_value_ref(&kept);
    return OC_OK;
}

oc_status oc_session_adopt(oc_session *s, const oc_value *v, oc_value *own, oc_error *e)
{
    if (v->kind == OC_TENSOR)
        return adopt_tensor(s, v, own, e);
    const int64_t n = oc_value_n(v);
    OC_TRY(oc_value_new_list(&s->pool, v->kind, v->type, n, own, e));
    for (int64_t i = 0; i < n; i++)
        OC_TRY(oc_session_adopt(s, &oc_value_items(v)[i], &oc_value_items(own)[i], e));
    return OC_OK;
}

oc_status oc_session_bind(oc_session *s, int input, const oc_value *v, oc_error *e)
{
    if (s->plan->fallback[input] != OC_NOWHERE && oc_model_names_weights(s->plan->model))
        return oc_error_set(e, OC_ARGUMENT,
                            "input '%s' is a weight, which models before IR version 4 name as an "
                            "input, expected no other value for it",
                            input_info(s, input)->name);
    if (!oc_value_has_data(v))
        return oc_error_set(e, OC_ARGUMENT,
                            "oc_bind: a value without elements cannot be bound to input '%s'",
                            input_info(s, input)->name);
    OC_TRY(check_declared(input_info(s, input), v, e));
    oc_value own = {0};
    const oc_status status = oc_session_adopt(s, v, &own, e);
    if (status == OC_OK) {
        const oc_value before = s->bound[input];
        s->bound[input] = own;
        own = before;
    }
    oc_value_unref(&own); /* after an error, releases what was adopted */
    return status;
}

/* *own becomes a copy of *v with its own characters: operators read strings more than once, and
 * the host may change its own meanwhile. */
static oc_status copy_strings(oc_session *s, const oc_value *v, oc_value *own)
{
    const int64_t n = oc_value_n(v);
    if (v->kind != OC_TENSOR) {
        OC_TRY(oc_value_new_list(&s->pool, v->kind, v->type, n, own, s->services.error));
        for (int64_t i = 0; i < n; i++)
            OC_TRY(copy_strings(s, &oc_value_items(v)[i], &oc_value_items(own)[i]));
        return OC_OK;
    }
    OC_TRY(oc_value_new_tensor(&s->pool, OC_STRING, &v->dims, own, s->services.error));
    for (int64_t i = 0; i < n; i++) {
        const oc_string from = ((const oc_string *)v->data)[i];
        if (!from.data && from.size)
            return oc_error_set(s->services.error, OC_ARGUMENT,
                                "an input has a string at %lld of %zu bytes and without data",
                                (long long)i, from.size);
        ((oc_string *)own->data)[i] =
            (oc_string){oc_arena_text(&s->strings, from.data, from.size), from.size};
        OC_TRY(oc_arena_check(&s->strings, s->services.error));
    }
    return OC_OK;
}

oc_status oc_session_load_inputs(oc_session *s)
{
    const oc_graph_plan *g = oc_session_graph(s);
    for (int i = 0; i < g->n_input; i++) {
        const oc_value_info *info = input_info(s, i);
        char expected[OC_DECLARED_TEXT];
        const oc_value *given = s->bound[i].dims.rank >= 0
                                    ? &s->bound[i]
                                    : oc_frame_at(s->plan, s->frame, s->plan->fallback[i]);
        if (!given)
            return oc_error_set(s->services.error, OC_ARGUMENT,
                                "input '%s' is not bound, expected %s", info->name,
                                oc_declared_text(&info->type, expected));
        oc_value *slot = &s->frame->slot[g->input[i]];
        if (given == &s->bound[i] && given->type == OC_STRING)
            OC_TRY(copy_strings(s, given, slot));
        else
            *slot = oc_value_ref(given);
    }
    return OC_OK;
}
