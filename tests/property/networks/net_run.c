/* SPDX-License-Identifier: Apache-2.0
 * net_run.c - sessions of a network, and the comparison of their outputs. */
#include "net_run.h"

#include <stdlib.h>
#include <string.h>

/* ---- elements ---- */

static const struct {
    oc_type type;
    size_t size;
} types[] = {
    [NET_F32] = {OC_F32, 4},   [NET_F64] = {OC_F64, 8}, [NET_F16] = {OC_F16, 2},
    [NET_BF16] = {OC_BF16, 2}, [NET_I8] = {OC_I8, 1},   [NET_U8] = {OC_U8, 1},
    [NET_I32] = {OC_I32, 4},   [NET_I64] = {OC_I64, 8}, [NET_BOOL] = {OC_BOOL, 1},
};

static double half_at(uint16_t h)
{
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    double x = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
               : exponent     ? ldexp(1024 + fraction, exponent - 25)
                              : ldexp(fraction, -24);
    return h >> 15 ? -x : x;
}

static uint16_t half_of(double x)
{
    for (uint32_t h = 0; h < 0x7c00; h += 1024) { /* the exponent, then the fraction: x is exact */
        const double base = half_at((uint16_t)h),
                     next = h + 1024 < 0x7c00 ? half_at((uint16_t)(h + 1024)) : 65536;
        if (fabs(x) < next)
            return (uint16_t)((x < 0 ? 0x8000 : 0) |
                              (h + (uint32_t)((fabs(x) - base) / (next - base) * 1024)));
    }
    return 0;
}

static double element_at(net_type type, const void *data, int64_t i)
{
    float f;
    uint32_t bits;
    switch (type) {
    case NET_F32:
        return (double)((const float *)data)[i];
    case NET_F64:
        return ((const double *)data)[i];
    case NET_F16:
        return half_at(((const uint16_t *)data)[i]);
    case NET_BF16:
        bits = (uint32_t)((const uint16_t *)data)[i] << 16;
        memcpy(&f, &bits, sizeof f);
        return (double)f;
    case NET_I8:
        return ((const int8_t *)data)[i];
    case NET_U8:
    case NET_BOOL:
        return ((const uint8_t *)data)[i];
    case NET_I32:
        return ((const int32_t *)data)[i];
    default:
        return (double)((const int64_t *)data)[i];
    }
}

/* x is a number of the type. */
static void set_element(net_type type, void *data, int64_t i, double x)
{
    float f = (float)x;
    uint32_t bits;
    switch (type) {
    case NET_F32:
        ((float *)data)[i] = f;
        break;
    case NET_F64:
        ((double *)data)[i] = x;
        break;
    case NET_F16:
        ((uint16_t *)data)[i] = half_of(x);
        break;
    case NET_BF16:
        memcpy(&bits, &f, sizeof f);
        ((uint16_t *)data)[i] = (uint16_t)(bits >> 16);
        break;
    case NET_I8:
        ((int8_t *)data)[i] = (int8_t)x;
        break;
    case NET_U8:
    case NET_BOOL:
        ((uint8_t *)data)[i] = (uint8_t)x;
        break;
    case NET_I32:
        ((int32_t *)data)[i] = (int32_t)x;
        break;
    default:
        ((int64_t *)data)[i] = (int64_t)x;
    }
}

/* ---- options ---- */

typedef struct choice {
    oc_session_options o;
    bool twice; /* run again in what the first run left in memory */
} choice;

static uint32_t below(uint64_t *state, uint32_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 32) * limit >> 32);
}

/* Tasks of a run in another order, on one thread. */
static void scramble(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    (void)ctx;
    for (int i = n - 1; i >= 0; i -= 2)
        task(arg, i);
    for (int i = n - 2; i >= 0; i -= 2)
        task(arg, i);
}

static void ignore(void *ctx, const struct oc_node_event *event)
{
    (void)event;
    ++*(int *)ctx;
}

static void draw(uint64_t seed, const net *n, choice c[NET_RUNS])
{
    static const char *const cpus[] = {NULL, NULL, "scalar", "v128", "avx2"};
    static const char *const unfused[] = {"scalar", "v128"};
    static const int threads[] = {1, 1, 2, 7};
    static int seen;
    uint64_t s = seed * UINT64_C(0x9e3779b97f4a7c15) + 77;
    for (int i = 0; i < NET_RUNS; i++) {
        c[i] = (choice){.o = {.threads = 1}};
        oc_session_options *o = &c[i].o;
        o->exact_conv = n->exact_conv;
        o->exact_quant = n->exact_codes;
        o->unfused = n->unfused;
        if (n->unfused)
            o->cpu = unfused[i ? below(&s, 2) : 0];
        if (i == 0)
            continue;
        if (!n->unfused)
            o->cpu = cpus[below(&s, 5)];
        o->threads = threads[below(&s, 4)];
        if (o->threads > 1 && below(&s, 12))
            o->parallel = (oc_parallel){scramble, NULL};
        o->no_reuse = below(&s, 3) == 0;
        o->no_fusion = below(&s, 3) == 0;
        o->no_nchw16c = below(&s, 3) == 0;
        o->no_folding = below(&s, 4) == 0;
        if (below(&s, 8) == 0)
            o->observer = (oc_observer){ignore, &seen, below(&s, 2) ? OC_VIEW_ALL : OC_VIEW_STORED,
                                        NULL, NULL};
        c[i].twice = below(&s, 2);
    }
}

static void tell(const choice *c, char *text, size_t room)
{
    const oc_session_options *o = &c->o;
    snprintf(text, room, "threads %d%s, cpu %s%s%s%s%s%s%s%s%s%s", o->threads,
             o->parallel.run ? " of the host" : "", o->cpu ? o->cpu : "native",
             o->no_reuse ? ", no_reuse" : "", o->no_fusion ? ", no_fusion" : "",
             o->no_nchw16c ? ", no_nchw16c" : "", o->no_folding ? ", no_folding" : "",
             o->unfused ? ", unfused" : "", o->exact_conv ? ", exact_conv" : "",
             o->exact_quant ? ", exact_quant" : "", o->observer.on_node ? ", observed" : "",
             c->twice ? ", run twice" : "");
}

/* ---- one network ---- */

typedef struct inputs {
    void *data[NET_VALUES];
} inputs;

static void make_inputs(const net *n, inputs *in)
{
    for (int i = 0; i < n->n_values; i++) {
        const net_tensor *t = &n->value[i];
        if (!t->is_input)
            continue;
        in->data[i] = malloc((size_t)t->n * types[t->type].size + 1);
        for (int64_t k = 0; k < t->n; k++)
            set_element(t->type, in->data[i], k, t->v[k]);
    }
}

static void free_inputs(const net *n, inputs *in)
{
    for (int i = 0; i < n->n_values; i++)
        if (n->value[i].is_input)
            free(in->data[i]);
}

static oc_session *run(const net *n, const oc_model *m, const choice *c, const inputs *in,
                       oc_error *e)
{
    oc_session *s = oc_session_new(m, &c->o, e);
    for (int i = 0; i < n->n_values; i++) {
        const net_tensor *t = &n->value[i];
        if (t->is_input)
            oc_bind(s, t->name, types[t->type].type, t->rank, t->dim, in->data[i], e);
    }
    for (int i = 0; i <= c->twice; i++)
        oc_run(s, e);
    return s;
}

static const oc_value *fetch(const net *n, const oc_session *s, const net_tensor *t, oc_error *e)
{
    char name[NET_NAME + 4];
    snprintf(name, sizeof name, "%s%s", n->frame == NET_PLAIN ? "" : "o_", t->name);
    return oc_fetch_value(s, name, e);
}

/* What a build with OC_FRESH_PATTERN fills new memory with. */
static bool is_pattern(const void *element, size_t size)
{
    static const unsigned char pattern[] = {0xfd, 0x7f, 0xfd, 0x7f, 0xfd, 0x7f, 0xfd, 0x7f};
    return size > 1 && memcmp(element, pattern, size) == 0;
}

static bool same_dims(const net *n, const net_tensor *t, const oc_value *v)
{
    const int more = n->frame == NET_LOOP;
    if (oc_value_type(v) != types[t->type].type || oc_value_rank(v) != t->rank + more)
        return false;
    if (more && oc_value_dims(v)[0] != n->times)
        return false;
    for (int a = 0; a < t->rank; a++)
        if (oc_value_dims(v)[a + more] != t->dim[a])
            return false;
    return true;
}

static bool hold_against_bounds(const net *n, const net_tensor *t, const oc_value *v,
                                char report[NET_REPORT])
{
    if (!same_dims(n, t, v)) {
        int at = snprintf(report, NET_REPORT, "%s is of type %s and shape [", t->name,
                          oc_type_name(oc_value_type(v)));
        for (int a = 0; a < oc_value_rank(v); a++)
            at += snprintf(report + at, (size_t)(NET_REPORT - at), "%s%lld", a ? "," : "",
                           (long long)oc_value_dims(v)[a]);
        at += snprintf(report + at, (size_t)(NET_REPORT - at), "], expected %s[",
                       net_type_name(t->type));
        for (int a = 0; a < t->rank; a++)
            at += snprintf(report + at, (size_t)(NET_REPORT - at), "%s%lld", a ? "," : "",
                           (long long)t->dim[a]);
        snprintf(report + at, (size_t)(NET_REPORT - at), "]");
        return false;
    }
    const char *data = oc_value_data(v);
    int64_t wrong = 0;
    for (int64_t i = 0; i < oc_value_count(v); i++) {
        const int64_t k = i % t->n;
        const double y = element_at(t->type, data, i);
        if (!(t->e[k] < INFINITY) || y == t->v[k] || fabs(y - t->v[k]) <= t->e[k] ||
            (isnan(t->v[k]) && isnan(y)))
            continue;
        if (wrong++ == 0)
            snprintf(report, NET_REPORT,
                     "element %lld of %s is %.9g%s, expected %.9g, off by %.3g, bound %.3g",
                     (long long)i, t->name, y,
                     is_pattern(data + (size_t)i * types[t->type].size, types[t->type].size)
                         ? " (memory that nobody wrote)"
                         : "",
                     t->v[k], y - t->v[k], t->e[k]);
    }
    if (wrong) {
        const size_t at = strlen(report);
        snprintf(report + at, NET_REPORT - at, "; %lld of %lld elements are wrong",
                 (long long)wrong, (long long)oc_value_count(v));
    }
    return wrong == 0;
}

static bool hold_together(const net_tensor *t, const oc_value *a, const oc_value *b,
                          char report[NET_REPORT])
{
    const size_t size = types[t->type].size;
    if (oc_value_type(a) != oc_value_type(b) || oc_value_rank(a) != oc_value_rank(b) ||
        oc_value_count(a) != oc_value_count(b)) {
        snprintf(report, NET_REPORT, "%s has another type or shape than with plain options",
                 t->name);
        return false;
    }
    const char *da = oc_value_data(a), *db = oc_value_data(b);
    for (int64_t i = 0; i < oc_value_count(a); i++) {
        const double x = element_at(t->type, da, i), y = element_at(t->type, db, i);
        if (memcmp(da + (size_t)i * size, db + (size_t)i * size, size) == 0 ||
            (isnan(x) && isnan(y)))
            continue;
        snprintf(report, NET_REPORT, "element %lld of %s is %.17g, with plain options %.17g",
                 (long long)i, t->name, y, x);
        return false;
    }
    return true;
}

/* FNV-1a. Which NaN an element is does not count. */
static void digest(uint64_t *to, const net_tensor *t, const oc_value *v)
{
    const size_t size = types[t->type].size;
    const unsigned char *data = oc_value_data(v);
    for (int64_t i = 0; i < oc_value_count(v); i++)
        for (size_t k = 0; k < size; k++) {
            const bool nan = isnan(element_at(t->type, (const char *)data, i));
            *to = (*to ^ (nan ? 0xff : data[(size_t)i * size + k])) * 0x100000001b3;
        }
}

static bool compare(net *n, const oc_session *first, const oc_session *s, char report[NET_REPORT])
{
    oc_error e = {.code = OC_OK};
    for (int i = 0; i < n->n_values; i++) {
        const net_tensor *t = &n->value[i];
        if (!t->is_output)
            continue;
        const oc_value *v = fetch(n, s, t, &e), *want = fetch(n, first, t, &e);
        if (e.code != OC_OK) {
            snprintf(report, NET_REPORT, "error: %s", e.text);
            return false;
        }
        if (s == first ? !hold_against_bounds(n, t, v, report) : !hold_together(t, want, v, report))
            return false;
        if (s == first)
            digest(&n->digest, t, v);
    }
    return true;
}

bool net_check(net *n, uint64_t seed, char report[NET_REPORT])
{
    inputs in;
    oc_error e = {.code = OC_OK};
    choice c[NET_RUNS];
    draw(seed, n, c);
    bool good = true;
    make_inputs(n, &in);
    oc_model *m = oc_model_load_memory(n->all.bytes, (size_t)n->all.size, NULL, &e);
    oc_session *first = NULL;
    for (int i = 0; good && i < NET_RUNS; i++) {
        oc_session *s = run(n, m, &c[i], &in, &e);
        if (e.code != OC_OK)
            snprintf(report, NET_REPORT, "error: %s", e.text);
        first = i ? first : s;
        good = e.code == OC_OK && compare(n, first, s, report);
        if (!good) {
            const size_t at = strlen(report);
            snprintf(report + at, NET_REPORT - at, "\noptions: ");
            tell(&c[i], report + strlen(report), NET_REPORT - strlen(report));
        }
        if (i)
            oc_session_free(s);
    }
    oc_session_free(first);
    oc_model_free(m);
    free_inputs(n, &in);
    return good;
}
