/* SPDX-License-Identifier: Apache-2.0
 * signs.c - looks for what says that an output of a network has scores of classes. */
#include "predict/signs.h"

#include "predict/words.h"

/* ---- the operator ---- */

/* The values that are a Softmax, as far as the graph has been visited. */
typedef struct shares {
    const char **name; /* borrowed from the model */
    size_t n;
} shares;

static bool is_share(const shares *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->name[i], name) == 0)
            return true;
    return false;
}

/* Elements stay what they are in a value that is only shaped or cast. */
static void visit(void *ctx, const oc_node_info *node)
{
    static const char soft[] = "Softmax LogSoftmax",
                      same[] = "Identity Cast Reshape Flatten Squeeze Unsqueeze Transpose";
    shares *s = ctx;
    const size_t size = strlen(node->op_type);
    if (node->depth == 0 && node->n_out > 0 && node->n_in > 0 &&
        (words_have(soft, ' ', node->op_type, size) ||
         (words_have(same, ' ', node->op_type, size) && is_share(s, node->in[0].name)))) {
        s->name = tool_push(s->name, s->n, sizeof *s->name);
        s->name[s->n++] = node->out[0].name;
    }
}

static bool is_softmax(const outline *o, const char *output)
{
    shares s = {0};
    oc_error e = {0}; /* a graph that cannot be visited to its end shows no sign */
    oc_model_visit(o->network, NULL, visit, &s, &e);
    const bool found = is_share(&s, output);
    free(s.name);
    return found;
}

/* ---- the number ---- */

static const struct {
    int64_t n;
    bool grid; /* its networks give a class to each pixel; else to a picture */
    const char *whose;
} sets[] = {
    {1000, false, "ImageNet has"},      {1001, false, "ImageNet has with a background"},
    {21841, false, "ImageNet-21k has"}, {21843, false, "ImageNet-21k has"},
    {19, true, "Cityscapes has"},       {21, true, "PASCAL VOC has"},
    {150, true, "ADE20K has"},
};

static const char *set_of(int64_t n, bool grid)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (sets[i].n == n && sets[i].grid == grid)
            return sets[i].whose;
    return NULL;
}

/* ---- the name ---- */

/* Does the name have a word of classes in it? */
static bool is_told(const char *name)
{
    static const char *const words[] = {"logit", "prob", "softmax", "class"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = name; *at; at++) {
            size_t k = 0;
            while (words[i][k] && (at[k] | 0x20) == words[i][k])
                k++;
            if (!words[i][k])
                return true;
        }
    return false;
}

/* ---- the sides ---- */

static bool is_side(const oc_port *output, int axis, int64_t size, const char *name)
{
    const char *symbol = output->dim_name[axis];
    return output->dim[axis] >= 0 ? output->dim[axis] == size
                                  : symbol && name && strcmp(symbol, name) == 0;
}

/* ---- all ---- */

bool sign_of_classes(const outline *o, const metadata *m, const oc_port *output, int axis,
                     char text[SIGN_TEXT])
{
    const bool grid = output->rank == 4;
    const int side = axis == 1 ? 2 : 1;
    const int64_t n = output->dim[axis];
    const char *whose = set_of(n, grid);
    if (m->from[METADATA_NAMES] && m->names.n == n)
        snprintf(text, SIGN_TEXT, ", as many as there are names (%.60s)", m->from[METADATA_NAMES]);
    else if (whose)
        snprintf(text, SIGN_TEXT, ", as many as %s classes", whose);
    else if (is_told(output->name))
        snprintf(text, SIGN_TEXT, ", by its name");
    else if (grid && is_side(output, side, o->height, o->height_name) &&
             is_side(output, side + 1, o->width, o->width_name))
        snprintf(text, SIGN_TEXT, ", whose sides are the input's");
    else if (is_softmax(o, output->name))
        snprintf(text, SIGN_TEXT, ", which a Softmax gives");
    else
        return false;
    return true;
}
