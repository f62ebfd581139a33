/* SPDX-License-Identifier: Apache-2.0
 * test_yaml_text.c - what stands in YAML, as JSON; and texts that are none, cut and changed. */
#include "base/counter_random.h"
#include "common/json_read.h"
#include "files/yaml_text.h"
#include "suite.h"

static const struct {
    const char *yaml, *json;
} pairs[] = {
    {"a: 1\n", "{\"a\":1}"},
    {"# a comment\n---\na: text # behind\nb: 'c # d'\n\n\"e f\": \"g: h\"\n",
     "{\"a\":\"text\",\"b\":\"c # d\",\"e f\":\"g: h\"}"},
    {"list:\n- x\n- y z\nmore:\n  - 1\n  - -2.5e1\nend: true",
     "{\"list\":[\"x\",\"y z\"],\"more\":[1,-25],\"end\":true}"},
    {"steps:\n- interp: 2\n  size:\n  - 640\n  - 480\n  type: Resize\n- type: Permute\r\n",
     "{\"steps\":[{\"interp\":2,\"size\":[640,480],\"type\":\"Resize\"},{\"type\":\"Permute\"}]}"},
    {"a:\n  b:\n    c: null\n  d:\ne: ~\n", "{\"a\":{\"b\":{\"c\":null},\"d\":null},\"e\":null}"},
    {"a: [1, [two, 'three'], ]\nb: []\n", "{\"a\":[1,[\"two\",\"three\"]],\"b\":[]}"},
    {"- - 1\n  - 2\n-\n  - 3\n-\n- 0x10\n", "[[1,2],[3],null,\"0x10\"]"},
    {"time: 12:30\nurl: http://x/y#z\nquote: it's\n",
     "{\"time\":\"12:30\",\"url\":\"http://x/y#z\",\"quote\":\"it's\"}"},
    {"word", "\"word\""},
};

START_TEST(texts)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        text_build json = {0};
        oc_error e = {0};
        yaml_to_json(&json, pairs[i].yaml, strlen(pairs[i].yaml), "x.yml", &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        ck_assert_str_eq(text_string(&json), pairs[i].json);
        text_free(&json);
    }
}
END_TEST

static void refuses(const char *yaml, size_t size, int code, const char *part)
{
    text_build json = {0};
    oc_error e = {0};
    yaml_to_json(&json, yaml, size, "x.yml", &e);
    ck_assert_int_eq(e.code, code);
    ck_assert_msg(strstr(e.text, part) != NULL, "'%s' lacks '%s'", e.text, part);
    text_free(&json);
}

START_TEST(what_is_none)
{
    refuses("a: 1\nb\n", 7, OC_FORMAT, "x.yml: line 2: expected \"key: value\"");
    refuses("a: 1\n  b: 2\n", 12, OC_FORMAT, "x.yml: line 2: it is indented");
    refuses("a: 1\0", 5, OC_FORMAT, "zero byte");
    char deep[400] = "a: ";
    memset(deep + 3, '[', 150);
    memset(deep + 153, ']', 150);
    refuses(deep, strlen(deep), OC_LIMIT, "more than 60 values");
    char steps[20000] = "";
    for (int i = 0; i < 100; i++)
        sprintf(steps + strlen(steps), "%*sa:\n", i, "");
    refuses(steps, strlen(steps), OC_LIMIT, "more than 60 values");
}
END_TEST

/* Changed and cut texts give an error, or JSON that is read. */
START_TEST(any_bytes)
{
    static const char bytes[] = "-- :#[]'\",\nab\t{\\\xc3\xff";
    uint64_t k = 0;
    for (int i = 0; i < 20000; i++) {
        char text[200];
        const char *from = pairs[(size_t)i % (sizeof pairs / sizeof *pairs)].yaml;
        const size_t n = strlen(from);
        memcpy(text, from, n + 1);
        for (int j = 0; j < 3; j++, k += 2)
            text[oc_random_bits(1, k) % n] = bytes[oc_random_bits(1, k + 1) % (sizeof bytes - 1)];
        text_build json = {0};
        json_tree t = {0};
        oc_error e = {0};
        yaml_to_json(&json, text, n - oc_random_bits(1, k++) % n, "x.yml", &e);
        if (e.code == OC_OK)
            json_read(&t, json.bytes.data, json.bytes.size, JSON_STRICT, "x.yml", &e);
        ck_assert_msg(e.code == OC_OK || json.bytes.size == 0 ||
                          strncmp(e.text, "x.yml: line", 11) == 0,
                      "%s: %s", text, e.text);
        json_tree_free(&t);
        text_free(&json);
    }
}
END_TEST

SUITE("yaml_text", texts, what_is_none, any_bytes)
