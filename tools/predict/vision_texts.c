/* SPDX-License-Identifier: Apache-2.0
 * vision_texts.c - the functions of functions/vision, domain ocellus.vision, as texts. */
#include "predict/vision_texts.h"

#include "common/tool.h"

#include <ctype.h>
#include <zlib.h>

#include "vision_texts.def"

static const char prefix[] = "ocellus.vision.";

typedef struct library {
    char *texts; /* of each function its name and its text, each followed by a zero */
    const char *name[N_VISION_TEXTS], *text[N_VISION_TEXTS];
    bool taken[N_VISION_TEXTS];
    size_t size; /* of the texts that are taken */
} library;

static void open_library(library *l)
{
    uLongf size = VISION_TEXTS_SIZE;
    l->texts = tool_alloc(VISION_TEXTS_SIZE, 1);
    if (uncompress((Bytef *)l->texts, &size, vision_texts_z, sizeof vision_texts_z) != Z_OK)
        tool_require(NULL); /* out of memory */
    const char *p = l->texts;
    for (int i = 0; i < N_VISION_TEXTS; i++) {
        l->name[i] = p;
        l->text[i] = p += strlen(p) + 1;
        p += strlen(p) + 1;
    }
}

static int find(const library *l, const char *name, size_t size)
{
    int i = 0;
    while (i < N_VISION_TEXTS &&
           (strlen(l->name[i]) != size || memcmp(l->name[i], name, size) != 0))
        i++;
    return i;
}

/* Takes the i-th function, and those that it calls: their names stand behind their domain. */
static void take(library *l, int i)
{
    if (i == N_VISION_TEXTS || l->taken[i])
        return;
    l->taken[i] = true;
    l->size += strlen(l->text[i]);
    for (const char *at = l->text[i]; (at = strstr(at, prefix));) {
        at += strlen(prefix);
        size_t size = 0;
        while (isalnum((unsigned char)at[size]))
            size++;
        take(l, find(l, at, size));
    }
}

char *vision_text(const char *name)
{
    library l = {0};
    open_library(&l);
    take(&l, find(&l, name, strlen(name)));
    char *text = l.size ? tool_alloc(l.size + 1, 1) : NULL, *end = text;
    for (int i = 0; i < N_VISION_TEXTS; i++)
        if (l.taken[i]) {
            const size_t size = strlen(l.text[i]);
            memcpy(end, l.text[i], size + 1);
            end += size;
        }
    free(l.texts);
    return text;
}
