/* SPDX-License-Identifier: Apache-2.0
 * test_cast_map.c - CastMap by a call of its own: no input of a model may be a map. Expected values
 * are those of ONNX Runtime's tests of the operator, and of its definition. */
#include "ops/kit/call_run.h"
#include "ops/kit/registry.h"
#include "ops/signature/sig.h"
#include "suite.h"

#include <string.h>

typedef struct caller {
    oc_memory memory;
    oc_arena arena;
    oc_pool pool;
    oc_error e;
    oc_value y; /* CastMap's output */
} caller;

/* A map of n keys to strings, or where they are NULL to floats. */
typedef struct entries {
    int64_t n, key[3];
    const char *string[3];
    float number[3];
} entries;

static void begin(caller *t)
{
    *t = (caller){.e = {OC_OK, ""}};
    t->memory = oc_memory_new(NULL, 0);
    t->arena = oc_arena_new(&t->memory);
    t->pool = oc_pool_new(&t->memory);
}

static void end(caller *t)
{
    oc_value_unref(&t->y);
    oc_pool_trim(&t->pool);
    oc_arena_free(&t->arena);
    ck_assert_uint_eq(t->memory.live, 0);
}

static void make_map(caller *t, const entries *from, oc_value *map)
{
    const oc_type type = from->string[0] ? OC_STRING : OC_F32;
    const oc_dims n = oc_dims_1d(from->n);
    ck_assert_int_eq(oc_value_new_map(&t->pool, OC_I64, type, map, &t->e), OC_OK);
    oc_value *keys = &oc_value_items(map)[0], *values = &oc_value_items(map)[1];
    ck_assert_int_eq(oc_value_new_tensor(&t->pool, OC_I64, &n, keys, &t->e), OC_OK);
    ck_assert_int_eq(oc_value_new_tensor(&t->pool, type, &n, values, &t->e), OC_OK);
    for (int64_t i = 0; i < from->n; i++) {
        ((int64_t *)keys->data)[i] = from->key[i];
        if (type == OC_STRING)
            ((oc_string *)values->data)[i] = (oc_string){from->string[i], strlen(from->string[i])};
        else
            ((float *)values->data)[i] = from->number[i];
    }
}

static oc_status cast(caller *t, const entries *from, const char *to, const char *form,
                      int64_t size)
{
    int oldest;
    const oc_sig *sig;
    const oc_op *row = oc_op_find(NULL, "ai.onnx.ml", "CastMap", 1, &oldest);
    ck_assert_int_eq(oc_sig_parse(row->signature, &t->arena, &sig, &t->e), OC_OK);
    const oc_string words[] = {{to, strlen(to)}, {form, strlen(form)}};
    const oc_attr attr[] = {{.name = "cast_to", .kind = OC_ATTR_STRING, .n = 1, .u.s = &words[0]},
                            {.name = "map_form", .kind = OC_ATTR_STRING, .n = 1, .u.s = &words[1]},
                            {.name = "max_map", .kind = OC_ATTR_INT, .n = 1, .u.i = &size}};
    const oc_attr *bound[OC_SIG_ATTRS];
    ck_assert_int_eq(oc_call_bind_attrs(sig, attr, 3, "CastMap", bound, &t->e), OC_OK);
    oc_services services = {.pool = &t->pool, .strings = &t->arena, .error = &t->e, .threads = 1};
    oc_value map;
    make_map(t, from, &map);
    const oc_value *in[] = {&map};
    oc_value *out[] = {&t->y};
    const oc_operator operator= {
        .version = row, .sig = sig, .node = "CastMap", .attr = bound, .n_in = 1, .n_out = 1};
    oc_call c = {.op = &operator, .in = in, .out = out, .services = &services};
    const oc_status status = oc_call_run(&c);
    oc_value_unref(&map);
    return status;
}

START_TEST(a_dense_map_is_a_row_of_its_values)
{
    static const entries floats = {.n = 3, .key = {-2, 1, 9}, .number = {1.5f, -2.75f, 4}};
    caller t;
    begin(&t);
    ck_assert_msg(cast(&t, &floats, "TO_FLOAT", "DENSE", 1) == OC_OK, "%s", t.e.text);
    const float *f = t.y.data;
    ck_assert(t.y.type == OC_F32 && t.y.dims.rank == 2 && t.y.dims.n[0] == 1);
    ck_assert(t.y.dims.n[1] == 3 && f[0] == 1.5f && f[1] == -2.75f && f[2] == 4);
    end(&t);
    begin(&t);
    ck_assert_msg(cast(&t, &floats, "TO_INT64", "DENSE", 1) == OC_OK, "%s", t.e.text);
    const int64_t *i = t.y.data;
    ck_assert(t.y.type == OC_I64 && i[0] == 1 && i[1] == -2 && i[2] == 4);
    end(&t);
    begin(&t);
    ck_assert_msg(cast(&t, &floats, "TO_STRING", "DENSE", 1) == OC_OK, "%s", t.e.text);
    const oc_string *s = t.y.data;
    ck_assert(t.y.type == OC_STRING && s[1].size == 5 && memcmp(s[1].data, "-2.75", 5) == 0);
    end(&t);
}
END_TEST

START_TEST(a_sparse_map_has_zeros_between)
{
    static const entries strings = {.n = 2, .key = {1, 3}, .string = {"-1.5", "7"}};
    caller t;
    begin(&t);
    ck_assert_msg(cast(&t, &strings, "TO_FLOAT", "SPARSE", 3) == OC_OK, "%s", t.e.text);
    const float *f = t.y.data;
    ck_assert(t.y.dims.n[1] == 3 && f[0] == 0 && f[1] == -1.5f && f[2] == 0);
    end(&t);
    begin(&t);
    ck_assert_msg(cast(&t, &strings, "TO_INT64", "SPARSE", 5) == OC_OK, "%s", t.e.text);
    const int64_t *i = t.y.data;
    ck_assert(t.y.dims.n[1] == 5 && i[0] == 0 && i[1] == -1 && i[3] == 7 && i[4] == 0);
    end(&t);
    begin(&t);
    ck_assert_msg(cast(&t, &strings, "TO_STRING", "SPARSE", 2) == OC_OK, "%s", t.e.text);
    const oc_string *s = t.y.data;
    ck_assert(s[0].size == 3 && memcmp(s[0].data, "0.f", 3) == 0);
    ck_assert(s[1].size == 4 && memcmp(s[1].data, "-1.5", 4) == 0);
    end(&t);
}
END_TEST

START_TEST(what_cannot_be_cast_is_refused)
{
    static const entries word = {.n = 1, .key = {4}, .string = {"four"}};
    static const entries below = {.n = 1, .key = {-1}, .number = {1}};
    static const struct {
        const entries *from;
        const char *to, *form, *part;
        int64_t size;
    } wrong[] = {{&word, "TO_FLOAT", "DENSE", "the value of key 4 is 'four', expected a number", 1},
                 {&word, "TO_INT64", "DENSE", "the value of key 4 is 'four', expected a number", 1},
                 {&below, "TO_FLOAT", "SPARSE", "input 0 has the key -1", 1},
                 {&word, "TO_STRING", "SPARSE", "'max_map' is 0, expected > 0", 0},
                 {&word, "TO_BOOL", "DENSE", "'cast_to'", 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        caller t;
        begin(&t);
        ck_assert_int_eq(cast(&t, wrong[i].from, wrong[i].to, wrong[i].form, wrong[i].size),
                         OC_VALUE);
        ck_assert_msg(strstr(t.e.text, wrong[i].part) != NULL, "%s", t.e.text);
        end(&t);
    }
}
END_TEST

SUITE("cast_map", a_dense_map_is_a_row_of_its_values, a_sparse_map_has_zeros_between,
      what_cannot_be_cast_is_refused)
