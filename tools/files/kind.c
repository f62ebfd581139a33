/* SPDX-License-Identifier: Apache-2.0
 * kind.c - knows the formats of files by their first bytes. */
#include "files/kind.h"

#include "base/utf8.h"

#include <string.h>

/* How files of a format begin; '.' stands for any byte. A format may have several rows. Rows of
 * KIND_UNKNOWN are formats that are not read, which messages name. */
static const struct {
    file_kind kind;
    unsigned char size;
    const char *bytes, *told;
} beginnings[] = {
    {KIND_PNG, 8, "\x89PNG\r\n\x1a\n", "a PNG picture"},
    {KIND_JPEG, 3, "\xff\xd8\xff", "a JPEG picture"},
    {KIND_WEBP, 12, "RIFF....WEBP", "a WebP picture"},
    {KIND_GIF, 6, "GIF87a", "a GIF picture"},
    {KIND_GIF, 6, "GIF89a", "a GIF picture"},
    /* the size of its second header, below 256, tells a BMP from a text that begins with BM */
    {KIND_BMP, 18, "BM.............\0\0\0", "a BMP picture"},
    {KIND_NPY, 6, "\x93NUMPY", "a NumPy array"},
    {KIND_ZIP, 4, "PK\3\4", "a zip archive"},
    {KIND_ZIP, 4, "PK\5\6", "an empty zip archive"},
    {KIND_UNKNOWN, 2, "\x1f\x8b", "compressed by gzip"},
    {KIND_UNKNOWN, 4, "%PDF", "a PDF document"},
    {KIND_UNKNOWN, 4, "II*\0", "a TIFF picture"},
    {KIND_UNKNOWN, 4, "MM\0*", "a TIFF picture"},
    {KIND_UNKNOWN, 8, "....ftyp", "a HEIF or AVIF picture, or a video"},
    {KIND_UNKNOWN, 4, "\x1a\x45\xdf\xa3", "a video"},
    {KIND_UNKNOWN, 12, "RIFF....AVI ", "a video"},
    {KIND_UNKNOWN, 3, "P7\n", "a PAM picture"},
    {KIND_UNKNOWN, 23, "version https://git-lfs", "text that stands for a file in Git LFS"},
    {KIND_UNKNOWN, 9, "<!DOCTYPE", "text of a web page"},
    {KIND_UNKNOWN, 5, "<html", "text of a web page"},
};

enum { N_BEGINNINGS = sizeof beginnings / sizeof *beginnings };

static bool begins(const unsigned char *bytes, size_t size, int row)
{
    const char *wanted = beginnings[row].bytes;
    if (size < beginnings[row].size)
        return false;
    for (int i = 0; i < beginnings[row].size; i++)
        if (wanted[i] != '.' && bytes[i] != (unsigned char)wanted[i])
            return false;
    return true;
}

/* Does the file end within a beginning? It must have at least four bytes, which tell a format. */
static bool is_cut_off(const unsigned char *bytes, size_t size)
{
    for (int i = 0; i < N_BEGINNINGS && size >= 4; i++)
        if (size < beginnings[i].size && memcmp(bytes, beginnings[i].bytes, 4) == 0)
            return true;
    return false;
}

static bool is_pnm(const unsigned char *bytes, size_t size)
{
    return size >= 3 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
           memchr("# \t\n\v\f\r", bytes[2], 7);
}

file_kind kind_of(const void *bytes, size_t size)
{
    for (int i = 0; i < N_BEGINNINGS; i++)
        if (begins(bytes, size, i))
            return beginnings[i].kind;
    return is_pnm(bytes, size) ? KIND_PNM : KIND_UNKNOWN;
}

bool kind_is_picture(file_kind kind)
{
    return kind >= KIND_PNG && kind <= KIND_PNM;
}

/* Does it consist of characters that can be shown, blanks and ends of lines? The last character
 * may be cut off. */
static bool is_text(const unsigned char *bytes, size_t size)
{
    enum { LONGEST = 4 };
    const bool whole = size < KIND_HEAD;
    size_t left = whole ? size : KIND_HEAD;
    for (size_t n; left; bytes += n, left -= n) {
        n = strchr("\t\n\v\f\r", *bytes) && *bytes ? 1 : oc_utf8_shown(bytes, left);
        if (n == 0)
            return !whole && left < LONGEST;
    }
    return true;
}

const char *kind_told(const void *bytes, size_t size)
{
    if (size == 0)
        return "empty";
    for (int i = 0; i < N_BEGINNINGS; i++)
        if (begins(bytes, size, i))
            return beginnings[i].told;
    return is_cut_off(bytes, size) ? "cut off"
           : is_pnm(bytes, size)   ? "a PNM picture"
           : is_text(bytes, size)  ? "text"
                                   : "of no known format";
}
