/* SPDX-License-Identifier: Apache-2.0
 * metadata_coco.c - COCO's 80 classes, their names, and the numbers that COCO and networks give
 * them. */
#include "metadata/metadata.h"

static const char coco[] =
    "person|bicycle|car|motorcycle|airplane|bus|train|truck|boat|traffic light|"
    "fire hydrant|stop sign|parking meter|bench|bird|cat|dog|horse|sheep|cow|elephant|"
    "bear|zebra|giraffe|backpack|umbrella|handbag|tie|suitcase|frisbee|skis|snowboard|"
    "sports ball|kite|baseball bat|baseball glove|skateboard|surfboard|tennis racket|"
    "bottle|wine glass|cup|fork|knife|spoon|bowl|banana|apple|sandwich|orange|broccoli|"
    "carrot|hot dog|pizza|donut|cake|chair|couch|potted plant|bed|dining table|toilet|tv|"
    "laptop|mouse|remote|keyboard|cell phone|microwave|oven|toaster|sink|refrigerator|"
    "book|clock|vase|scissors|teddy bear|hair drier|toothbrush";

/* COCO's ids go from 1 to 90; these are of no class. */
static const unsigned char gaps[] = {12, 26, 29, 30, 45, 66, 68, 69, 71, 83};

/* What the words of --labels have behind "coco". */
static const char ends[][4] = {"", "-90", "-91"};

/* Returns the label that a network with this numbering gives the class of that id. */
static int label_of(metadata_coco numbering, int id)
{
    int label = numbering == METADATA_COCO_91 ? id : id - 1;
    for (size_t i = 0; numbering == METADATA_COCO_80 && i < sizeof gaps; i++)
        label -= gaps[i] < id;
    return label;
}

/* Moves to the next of the 80 names; *id is that of the one before, 0 at first. Returns where the
 * name begins, with its size; NULL behind the last. */
static const char *next_name(const char *at, size_t *size, int *id)
{
    at = at ? at + *size + 1 : coco;
    if (at > coco + sizeof coco - 1)
        return NULL;
    *size = strcspn(at, "|");
    ++*id;
    for (size_t i = 0; i < sizeof gaps; i++)
        *id += gaps[i] == *id;
    return at;
}

static bool is_numbered(const metadata_names *names, metadata_coco numbering)
{
    size_t size = 0;
    int id = 0;
    for (const char *at = NULL; (at = next_name(at, &size, &id)) != NULL;) {
        const int label = label_of(numbering, id);
        const char *name = label < names->n ? names->name[label] : NULL;
        if (!name || strlen(name) != size || memcmp(name, at, size) != 0)
            return false;
    }
    return true;
}

metadata_coco metadata_coco_of(const metadata_names *names)
{
    for (int k = METADATA_COCO_80; k <= METADATA_COCO_91; k++)
        if (is_numbered(names, (metadata_coco)k))
            return (metadata_coco)k;
    return METADATA_NO_COCO;
}

metadata_coco metadata_coco_word(const char *text)
{
    for (int k = 0; strncmp(text, "coco", 4) == 0 && k < 3; k++)
        if (strcmp(text + 4, ends[k]) == 0)
            return (metadata_coco)(METADATA_COCO_80 + k);
    return METADATA_NO_COCO;
}

metadata_coco metadata_coco_size(int64_t n)
{
    return n == 80   ? METADATA_COCO_80
           : n == 90 ? METADATA_COCO_90
           : n == 91 ? METADATA_COCO_91
                     : METADATA_NO_COCO;
}

int64_t metadata_coco_id(metadata_coco numbering, int64_t label)
{
    int64_t id = numbering == METADATA_COCO_91 || label == INT64_MAX ? label : label + 1;
    for (size_t i = 0; numbering == METADATA_COCO_80 && i < sizeof gaps; i++)
        id += gaps[i] <= id && id < INT64_MAX;
    return id;
}

void metadata_use_coco(metadata *m, metadata_coco numbering)
{
    size_t size = 0;
    int id = 0;
    metadata_replace_names(m, tool_format("--labels coco%s", ends[numbering - METADATA_COCO_80]));
    for (const char *at = NULL; (at = next_name(at, &size, &id)) != NULL;) {
        while (m->names.n < label_of(numbering, id)) {
            m->names.name = tool_push(m->names.name, (size_t)m->names.n, sizeof *m->names.name);
            m->names.name[m->names.n++] = NULL;
        }
        metadata_add_name(&m->names, at, size);
    }
}
