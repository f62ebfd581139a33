/* SPDX-License-Identifier: Apache-2.0
 * foreign.c - recognises bytes that are not an ONNX model, for error messages. */
#include "loader/loader.h"

#include <ctype.h>

typedef struct span {
    const uint8_t *at;
    size_t size;
} span;

static bool has_at(span s, size_t place, const char *bytes, size_t size)
{
    return s.size >= place && s.size - place >= size && memcmp(s.at + place, bytes, size) == 0;
}

static bool holds(span s, const char *text)
{
    const size_t size = strlen(text);
    for (size_t i = 0; i + size <= s.size; i++)
        if (memcmp(s.at + i, text, size) == 0)
            return true;
    return false;
}

/* Does the text, in any case, follow blanks at the start? text is in lower case. */
static bool begins_text(span s, const char *text)
{
    size_t i = 0;
    while (i < s.size && isspace(s.at[i]))
        i++;
    for (; *text; text++, i++)
        if (i >= s.size || tolower(s.at[i]) != *text)
            return false;
    return true;
}

/* The name of an archive's first member tells which program wrote it. */
static const char *archive(span s)
{
    const size_t size = s.size < 30 ? 0 : (size_t)(s.at[26] | s.at[27] << 8);
    const span name = size && s.size - 30 >= size ? (span){s.at + 30, size} : (span){s.at, 0};
    if (name.size > 4 && has_at(name, name.size - 4, ".npy", 4))
        return "NumPy .npz";
    if (holds(name, "data.pkl") || holds(name, ".format_version") || holds(name, "byteorder"))
        return "PyTorch";
    return "ZIP";
}

/* The format begins with a length of eight bytes, low byte first, and JSON. */
static bool is_safetensors(span s)
{
    return s.size >= 10 && !(s.at[4] | s.at[5] | s.at[6] | s.at[7]) && s.at[8] == '{' &&
           (s.at[9] == '"' || s.at[9] == '}' || s.at[9] == ' ');
}

const char *oc_foreign_format(const void *bytes, size_t size)
{
    static const struct {
        uint8_t place, size;
        const char *bytes, *name;
    } formats[] = {
        {0, 8, "\x89PNG\r\n\x1a\n", "PNG"},
        {0, 3, "\xff\xd8\xff", "JPEG"},
        {0, 6, "GIF87a", "GIF"},
        {0, 6, "GIF89a", "GIF"},
        {8, 4, "WEBP", "WebP"},
        {0, 5, "%PDF-", "PDF"},
        {0, 6, "\x93NUMPY", "NumPy .npy"},
        {0, 8, "\x89HDF\r\n\x1a\n", "HDF5, as Keras writes"},
        {0, 4, "\177ELF", "a program"},
        {0, 4, "GGUF", "GGUF"},
        {4, 4, "TFL3", "TensorFlow Lite"},
        {4, 4, "ORTM", "the format of ONNX Runtime"},
        {0, 4, "\x28\xb5\x2f\xfd", "Zstandard"},
        {0, 6, "\3757zXZ", "XZ"},
        {0, 4, "7z\xbc\xaf", "7-Zip"},
    };
    static const struct {
        const char *text, *name;
    } texts[] = {
        {"<!doctype html", "HTML"},
        {"<html", "HTML"},
        {"<?xml", "XML"},
        {"version https://git-lfs", "a Git LFS pointer; 'git lfs pull' gets the file"},
    };
    const span s = {bytes, size};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (has_at(s, formats[i].place, formats[i].bytes, formats[i].size))
            return formats[i].name;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (begins_text(s, texts[i].text))
            return texts[i].name;
    if (has_at(s, 0, "PK\3\4", 4))
        return archive(s);
    if (size >= 3 && s.at[0] == 0x80 && s.at[1] >= 2 && s.at[1] <= 5)
        return "a Python pickle, as PyTorch writes";
    return is_safetensors(s) ? "safetensors" : NULL;
}
