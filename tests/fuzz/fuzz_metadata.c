/* SPDX-License-Identifier: Apache-2.0
 * fuzz_metadata.c - any bytes as what an exporter leaves: as metadata properties, a line "KEY
 * VALUE" for each, or as a document of each kind, in JSON or YAML. Names and sizes that are taken
 * are sound. */
#include "common/limits.h"
#include "files/yaml_text.h"
#include "harness.h"
#include "metadata/metadata.h"

#include <math.h>

static void check_names(const metadata_names *names)
{
    if (names->n < 0 || names->n > LIMIT_NAMES)
        abort();
    for (int i = 0; i < names->n; i++)
        if (names->name[i] && strlen(names->name[i]) > 1 << 20)
            abort();
}

static void check_picture(const image_options *o)
{
    const image_sizing *s = &o->sizing;
    if (s->width < 0 || s->height < 0 || s->shorter < 0 || s->multiple < 0 || s->fill < 0 ||
        s->fill > 255 || !(s->kept >= 0) || !isfinite(o->scale))
        abort();
    if (s->how == IMAGE_SHORT && !s->shorter && !(s->kept > 0.01 && s->kept <= 1))
        abort();
    for (int c = 0; c < o->n_std; c++)
        if (!isfinite(o->mean[c]) || !isfinite(o->std[c]) || o->std[c] == 0)
            abort();
}

static void check_facts(const metadata *m)
{
    check_names(&m->names);
    check_names(&m->point_names);
    check_names(&m->characters);
    if (m->height < 0 || m->width < 0 || m->short_side < 0 || m->long_side < 0 ||
        m->crop_height < 0 || m->crop_width < 0 || m->pad_height < 0 || m->pad_width < 0 ||
        m->pad_multiple < 0 || m->stride < 0 || !(m->fill >= 0 && m->fill <= 255))
        abort();
    for (int c = 0; c < 3 && m->from[METADATA_NORMALIZE]; c++)
        if (!isfinite(m->mean[c]) || !isfinite(m->std[c]) || m->std[c] == 0)
            abort();
    if (m->from[METADATA_SCALE] && !(m->scale > 0 && isfinite(m->scale)))
        abort();
    if (m->from[METADATA_PICTURE])
        check_picture(&m->picture);
    if ((m->from[METADATA_TASK] != NULL) != (m->task != NULL))
        abort();
}

static void take_properties(char *text)
{
    metadata m = {0};
    oc_error e = {0};
    for (char *end, *line = text; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end ? (*end = 0, 1) : 0;
        char *blank = strchr(line, ' ');
        if (blank) {
            *blank = 0;
            metadata_take_saved(&m, line, blank + 1, &e);
            metadata_take_property(&m, line, blank + 1, &e);
        }
    }
    metadata_end_properties(&m);
    check_facts(&m);
    metadata_free(&m);
}

static void take_document(const json_value *root, int kind)
{
    metadata m = {0};
    oc_error e = {0};
    if (kind == 0)
        metadata_take_config(&m, root, "fuzz", &e);
    else if (kind == 1)
        metadata_take_preprocessor(&m, root, "fuzz");
    else if (kind == 2)
        metadata_take_deploy(&m, root, "fuzz");
    else if (kind == 3)
        metadata_take_detail(&m, root, "fuzz");
    else if (kind == 4)
        metadata_take_pipeline(&m, root, "fuzz");
    else
        metadata_take_paddle(&m, root, "fuzz", &e);
    check_facts(&m);
    metadata_free(&m);
}

static void take_documents(const void *bytes, size_t size)
{
    oc_error e = {0};
    json_tree t;
    json_read(&t, bytes, size, JSON_STRICT, "fuzz", &e);
    for (int kind = 0; kind < 6 && t.root; kind++)
        take_document(t.root, kind);
    json_tree_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    text_build json = {0};
    take_documents(bytes, size);
    yaml_to_json(&json, bytes, size, "fuzz", &e);
    if (e.code == OC_OK)
        take_documents(json.bytes.data, json.bytes.size);
    text_free(&json);
    char *text = tool_alloc(size + 1, 1);
    if (size)
        memcpy(text, bytes, size);
    take_properties(text);
    free(text);
    return 0;
}
