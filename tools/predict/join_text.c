/* SPDX-License-Identifier: Apache-2.0
 * join_text.c - writes the text of a model that is one call of a decoder. */
#include "predict/join_text.h"

#include "common/number.h"
#include "files/text_build.h"
#include "predict/answer_read.h"
#include "predict/vision_texts.h"
#include "session/port_text.h"

const char *const join_input_names[] = {"size", "photo", "fit"};
static const char *const input_types[] = {"int64", "int64", "float"};
static const int input_sizes[] = {2, 2, 4};

enum { END = 24 };

/* What the names of the k-th photograph end with: "_0"; "" of the only one. */
static const char *end_of(const outline *o, int64_t k, char end[END])
{
    *end = 0;
    if (o->batch > 1)
        snprintf(end, END, "_%lld", (long long)k);
    return end;
}

static bool is_fixed(const outline *o)
{
    return o->height > 0 && o->width > 0;
}

bool join_takes(const outline *o, const signature *s, join_input k)
{
    return signature_find(s->input, s->n_input, join_input_names[k]) >= 0 &&
           !(k == JOIN_SIZE && is_fixed(o));
}

int join_find(const oc_model *model, join_input k)
{
    char *ours = tool_format("%s/%s", JOIN_PREFIX, join_input_names[k]);
    int found = -1;
    for (int i = 0; i < oc_model_n_inputs(model); i++) {
        const char *name = oc_model_input(model, i).name;
        if (strcmp(name, ours) == 0 || (found < 0 && strcmp(name, join_input_names[k]) == 0))
            found = i;
    }
    free(ours);
    return found;
}

static void put_inputs(text_build *b, const choice *c, const outline *o, const signature *s,
                       const char *properties)
{
    char type[PORT_TEXT];
    const int n = decoder_n_parts(c->decoder);
    text_put(b, "<ir_version: 8, opset_import: [\"\": 18, \"ocellus.vision\": 1]%s%s>\ndecoder (",
             properties ? ", " : "", properties ? properties : "");
    for (int k = 0; k < n; k++) {
        /* names of dims belong to the network */
        oc_port p = o->out[c->out[k]];
        for (int i = 0; i < p.rank; i++)
            p.dim_name[i] = NULL;
        text_put(b, "%s%s in%d", k ? ", " : "", session_port_text(&p, type), k);
    }
    for (int k = 0; k < JOIN_INPUTS; k++)
        if (join_takes(o, s, (join_input)k)) {
            text_put(b, ", %s[", input_types[k]);
            if (o->batch > 1 && k != JOIN_SIZE)
                text_put(b, "%lld,", (long long)o->batch);
            text_put(b, "%d] %s", input_sizes[k], join_input_names[k]);
        }
}

static void put_header(text_build *b, const choice *c, const outline *o, const signature *s,
                       const char *properties)
{
    char end[END];
    put_inputs(b, c, o, s, properties);
    text_put(b, ") => (");
    for (int64_t i = 0; i < o->batch; i++)
        for (int k = 0; k < s->n_output; k++) {
            text_put(b, i + k ? ", " : "");
            answer_declare(s->output[k], end_of(o, i, end), b);
        }
    text_put(b, ")\n");
    if (is_fixed(o) && signature_find(s->input, s->n_input, join_input_names[JOIN_SIZE]) >= 0)
        text_put(b, "<int64[2] size = {%lld, %lld}>\n", (long long)o->height, (long long)o->width);
}

/* Decoders compute in float: is the k-th output that the decoder takes of another type of floats?
 */
static bool is_cast(const outline *o, const choice *c, int k)
{
    const oc_type type = o->out[c->out[k]].type;
    return type != OC_F32 && number_is_float(type);
}

/* The decoder's own attributes, and those that have a value and that its function has. */
static void put_attributes(text_build *b, const decoder *d, const signature *s,
                           const join_attribute *a)
{
    int n = d->attributes != NULL;
    text_put(b, "%s%s", n ? " <" : "", n ? d->attributes : "");
    for (; a->name; a++) {
        if (signature_find(s->attribute, s->n_attribute, a->name) < 0)
            continue;
        text_put(b, n++ ? ", " : " <");
        text_put(b, a->is_int ? "%s: int = %.0f" : "%s: float = %.9g", a->name, a->value);
    }
    if (n)
        text_put(b, ">");
}

/* Parts an input, whose first axis is that of the photographs, into one for each: NAME_0, NAME_1
 * ... */
static void put_split(text_build *b, const outline *o, const char *name)
{
    for (int64_t i = 0; i < o->batch; i++)
        text_put(b, "%s%s_%lld", i ? ", " : "  ", name, (long long)i);
    text_put(b, " = Split <axis: int = 0, num_outputs: int = %lld> (%s)\n", (long long)o->batch,
             name);
}

/* Gives each decoder what belongs to its photograph: row i of photo and of fit, and element i of
 * each output. */
static void put_parts(text_build *b, const choice *c, const outline *o, const signature *s)
{
    char name[END];
    for (int k = 0; k < decoder_n_parts(c->decoder); k++) {
        snprintf(name, sizeof name, "%s%d", is_cast(o, c, k) ? "x" : "in", k);
        put_split(b, o, name);
    }
    for (int64_t i = 0; i < o->batch; i++) {
        text_put(b, "  i_%lld = Constant <value_int: int = %lld> ()\n", (long long)i, (long long)i);
        for (int k = JOIN_PHOTO; k < JOIN_INPUTS; k++)
            if (join_takes(o, s, (join_input)k))
                text_put(b, "  %s_%lld = Gather (%s, i_%lld)\n", join_input_names[k], (long long)i,
                         join_input_names[k], (long long)i);
    }
}

/* The call of the decoder for one photograph; end is what names of its values end with. */
static void put_call(text_build *b, const choice *c, const outline *o, const signature *s,
                     const join_attribute *a, const char *end)
{
    const int n = decoder_n_parts(c->decoder);
    text_put(b, "  ");
    for (int k = 0; k < s->n_output; k++)
        text_put(b, "%s%s%s", k ? ", " : "", s->output[k], end);
    text_put(b, " = ocellus.vision.%s", c->decoder->function);
    put_attributes(b, c->decoder, s, a);
    for (int k = 0; k < s->n_input; k++)
        if (k < n)
            text_put(b, "%s%s%d%s", k ? ", " : " (", is_cast(o, c, k) ? "x" : "in", k, end);
        else
            text_put(b, "%s%s%s", k ? ", " : " (", s->input[k],
                     strcmp(s->input[k], join_input_names[JOIN_SIZE]) == 0 ? "" : end);
    text_put(b, ")\n");
}

char *join_text(const choice *c, const outline *o, const signature *s, const join_attribute *a,
                const char *properties)
{
    text_build b = {0};
    char end[END];
    put_header(&b, c, o, s, properties);
    text_put(&b, "{\n");
    for (int k = 0; k < decoder_n_parts(c->decoder); k++)
        if (is_cast(o, c, k))
            text_put(&b, "  x%d = Cast <to: int = 1> (in%d)\n", k, k);
    if (o->batch > 1)
        put_parts(&b, c, o, s);
    for (int64_t i = 0; i < o->batch; i++)
        put_call(&b, c, o, s, a, end_of(o, i, end));
    text_put(&b, "}\n");
    if (b.failed)
        tool_require(NULL); /* out of memory */
    char *functions = vision_text(c->decoder->function);
    char *text = tool_format("%s%s", text_string(&b), functions ? functions : "");
    free(functions);
    text_free(&b);
    return text;
}
