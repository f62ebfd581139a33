/* SPDX-License-Identifier: Apache-2.0
 * decoder_fits.c - which outputs of a network fit the parts of a decoder? */
#include "predict/decoders.h"

#include "common/number.h"
#include "predict/words.h"

/* ---- dims ---- */

/* Is n the number of places of a detector that has these at each cell of its grids? */
static bool counts_places(const outline *o, int64_t n, int per_cell)
{
    static const int strides[] = {4, 8, 16, 32, 64};
    const int64_t usual = outline_cells(o, strides + 1, 3);
    if (usual < 0)
        return n >= 64;
    return n == per_cell * usual || n == per_cell * outline_cells(o, strides, 4) ||
           n == per_cell * outline_cells(o, strides + 1, 4);
}

static bool covers(int64_t n, int64_t side)
{
    return side < 0 ? n > 1 : n * 16 >= side;
}

/* Is n the number of cells of one grid, whose stride follows the letter, times that of anchors? */
static bool counts_cells(const outline *o, const char *word, int64_t n, int anchors)
{
    const int stride = atoi(word + 1);
    return n == anchors * outline_cells(o, &stride, 1);
}

/* Does one word of a pattern fit a declared size? */
static bool fits_word(const outline *o, const char *word, int64_t n)
{
    static const int strides[] = {8, 16, 32, 64};
    switch (*word) {
    case '?':
        return true;
    case 'M':
        return n > atoi(word + 1) && n % atoi(word + 1) == 0;
    case 'R':
        return n <= 1000;
    case 'N':
        return n != 1;
    case 'A':
        return counts_places(o, n, word[1] == '3' ? 3 : 1);
    case 'C':
        return counts_cells(o, word, n, 1);
    case 'S':
        return counts_cells(o, word, n, 2);
    case 'X':
        return n == outline_cells(o, strides, 3);
    case 'P':
        return n == outline_cells(o, strides, 4);
    case 'H':
        return covers(n, o->height);
    case 'W':
        return covers(n, o->width);
    default: {
        char *end;
        const int64_t size = strtoll(word, &end, 10);
        return *end == '+' ? n >= size : n == size;
    }
    }
}

/* Do the axes H and W of the pattern have the proportions of the input, as far as they are known?
 */
static bool keeps_proportions(const outline *o, const oc_port *p, const char *dims)
{
    const size_t size = strcspn(dims, "|");
    const char *h = memchr(dims, 'H', size), *w = memchr(dims, 'W', size);
    int at_h = 0, at_w = 0;
    if (!h || !w || o->height < 0 || o->width < 0)
        return true;
    for (const char *c = dims; c < w; c++) {
        at_h += c < h && *c == ',';
        at_w += *c == ',';
    }
    const int64_t height = p->dim[at_h], width = p->dim[at_w];
    const int64_t apart = height * o->width - width * o->height;
    return height < 0 || width < 0 || llabs(apart) <= (o->width > o->height ? o->width : o->height);
}

/* One of the patterns of a part, which ends before '|'. A network that takes several photographs at
 * a time gives as many elements along the first axis, where the pattern has 1. */
static bool fits_pattern(const outline *o, const oc_port *p, const char *dims)
{
    int k = 0;
    const bool has_batch = *dims == '1' && strcspn(dims, ",|") == 1;
    if (o->batch > 1 && (!has_batch || p->rank < 1 || (p->dim[0] >= 0 && p->dim[0] != o->batch)))
        return false;
    for (const char *word = dims; word; k++) {
        const size_t size = strcspn(word, ",|");
        const bool known = k < p->rank && p->dim[k] >= 0 && (k > 0 || o->batch == 1);
        const bool is_open = strchr("?RNACSXPHW", *word) || size == strspn(word, "1");
        if (k >= p->rank || (known ? !fits_word(o, word, p->dim[k]) : !is_open))
            return false;
        word = word[size] == ',' ? word + size + 1 : NULL;
    }
    return p->kind == OC_TENSOR && k == p->rank && keeps_proportions(o, p, dims);
}

static bool fits_dims(const outline *o, const oc_port *p, const char *dims)
{
    for (const char *at = dims; at; at = words_next(at, '|'))
        if (fits_pattern(o, p, at))
            return true;
    return false;
}

/* ---- names ---- */

/* Is the name one of those with '|' between? What TensorFlow writes behind ':' and before the last
 * '/' does not count. */
static bool is_named(const char *name, const char *names)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    const size_t size = strcspn(base, ":");
    return words_have(names, '|', base, size);
}

/* ---- a decoder ---- */

static bool fits_type(const decoder_part *part, const oc_port *p)
{
    return !part->type ||
           (number_is_float_or_integer(p->type) && number_is_float(p->type) == (part->type == 'f'));
}

/* Returns the only output that fits the part, or, with last, the last one; -1: none does, or
 * several. */
static int only_fit(const decoder_part *part, bool last, const outline *o, const bool *taken)
{
    int found = -1, n = 0;
    for (int i = 0; i < o->n_out; i++)
        if (!taken[i] && fits_type(part, &o->out[i]) &&
            (!part->names || is_named(o->out[i].name, part->names)) &&
            fits_dims(o, &o->out[i], part->dims)) {
            found = i;
            n++;
        }
    return n == 1 || last ? found : -1;
}

bool decoder_is_sure(const decoder *d, const outline *o, const int out[DECODER_PARTS])
{
    return (!d->sure || fits_dims(o, &o->out[out[0]], d->sure)) && (!d->two || o->second >= 0) &&
           (!d->op || outline_has_operator(o, d->op)) &&
           (!d->no_op || !outline_has_operator(o, d->no_op)) && !d->only_named;
}

bool decoder_fits(const decoder *d, const outline *o, int out[DECODER_PARTS])
{
    bool *taken = tool_alloc((size_t)o->n_out + 1, sizeof *taken);
    const int n = decoder_n_parts(d);
    bool fits = true;
    for (int i = 0; i < o->n_out && d->unless; i++)
        fits = fits && !fits_dims(o, &o->out[i], d->unless);
    for (int k = 0; k < n && fits; k++) {
        out[k] = only_fit(&d->part[k], d->last, o, taken);
        fits = out[k] >= 0;
        if (fits)
            taken[out[k]] = true;
    }
    free(taken);
    return fits;
}
