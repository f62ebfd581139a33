/* SPDX-License-Identifier: Apache-2.0
 * ocr.c - what lies between the networks of ocr.sh, which finds text on a page and reads it.
 *
 *     ocr boxes MAP.npy FOLDER
 *
 * MAP, float[1,1,H,W], tells how likely each pixel belongs to a line of text. Writes the box of
 * each line, from top to bottom, into FOLDER/box0.npy, FOLDER/box1.npy ...: left, top, right,
 * bottom.
 *
 *     ocr text ANSWER.npy LETTERS
 *
 * ANSWER, float[1,N,letters], is how likely each letter is at N places along a line. Prints the
 * line. LETTERS has one on each line of a file; letter 0 is "none", the last one a blank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct array {
    long n[4]; /* the dims, behind ones where there are fewer */
    float *data;
} array;

/* Reads floats as `ocellus run` writes them; ends the program where it cannot. */
static array read_npy(const char *path)
{
    array a = {{1, 1, 1, 1}, NULL};
    unsigned char start[10];
    char header[4096], *at;
    FILE *file = fopen(path, "rb");
    if (!file || fread(start, 1, 10, file) != 10)
        exit((fprintf(stderr, "ocr: cannot read %s\n", path), 1));
    const size_t size = start[8] + 256u * start[9];
    if (size >= sizeof header || fread(header, 1, size, file) != size)
        exit((fprintf(stderr, "ocr: %s is no .npy file\n", path), 1));
    header[size] = 0;
    at = strstr(header, "'shape': (");
    if (!at || !strstr(header, "'<f4'"))
        exit((fprintf(stderr, "ocr: %s does not hold floats\n", path), 1));
    for (at += 10; *at && *at != ')'; at += strspn(at, ", ")) {
        memmove(a.n, a.n + 1, 3 * sizeof *a.n);
        a.n[3] = strtol(at, &at, 10);
    }
    const size_t count = (size_t)(a.n[0] * a.n[1] * a.n[2] * a.n[3]);
    a.data = malloc(count * sizeof *a.data);
    if (!a.data || fread(a.data, sizeof *a.data, count, file) != count)
        exit((fprintf(stderr, "ocr: %s ends early\n", path), 1));
    fclose(file);
    return a;
}

static void write_box(const char *folder, int number, const long long box[4])
{
    char path[4096];
    snprintf(path, sizeof path, "%s/box%d.npy", folder, number);
    FILE *file = fopen(path, "wb");
    if (!file)
        exit((fprintf(stderr, "ocr: cannot write %s\n", path), 1));
    fprintf(file, "\x93NUMPY%c%c%c%c%-69s\n", 1, 0, 70, 0,
            "{'descr': '<i8', 'fortran_order': False, 'shape': (4,), }");
    if (fwrite(box, sizeof *box, 4, file) != 4 || fclose(file))
        exit((fprintf(stderr, "ocr: cannot write %s\n", path), 1));
}

/* Is the pixel part of a line? */
static int inked(const array *map, long x, long y)
{
    return map->data[y * map->n[3] + x] > 0.3f;
}

/* Lines are told apart by rows without ink, as on a page that lies straight. The network marks the
 * middle of a line; the box is larger by half the height on every side. */
static int find_boxes(const char *path, const char *folder)
{
    const array map = read_npy(path);
    const long height = map.n[2], width = map.n[3];
    int lines = 0;
    for (long y = 0, top = -1, left = width, right = 0; y <= height; y++) {
        int any = 0;
        for (long x = 0; x < width && y < height; x++)
            if (inked(&map, x, y)) {
                any = 1;
                left = x < left ? x : left;
                right = x > right ? x : right;
            }
        if (any && top < 0)
            top = y;
        if (any || top < 0)
            continue;
        const long more = (y - top) / 2;
        const long long box[4] = {left > more ? left - more : 0, top > more ? top - more : 0,
                                  right + more + 1 < width ? right + more + 1 : width,
                                  y + more < height ? y + more : height};
        write_box(folder, lines++, box);
        top = -1, left = width, right = 0;
    }
    free(map.data);
    return printf("%d lines\n", lines) < 0;
}

/* Prints letter i of the file, or a blank for what follows the last one. */
static void put_letter(FILE *letters, long i)
{
    char line[64] = " \n";
    rewind(letters);
    while (i-- > 0)
        if (!fgets(line, sizeof line, letters))
            strcpy(line, " \n");
    printf("%.*s", (int)strcspn(line, "\r\n"), line);
}

/* The likeliest letter of each place; one that goes on over several places counts once. */
static int read_line(const char *path, const char *list)
{
    const array answer = read_npy(path);
    FILE *letters = fopen(list, "r");
    if (!letters)
        exit((fprintf(stderr, "ocr: cannot read %s\n", list), 1));
    for (long place = 0, before = 0; place < answer.n[2]; place++) {
        const float *p = answer.data + place * answer.n[3];
        long best = 0;
        for (long i = 1; i < answer.n[3]; i++)
            if (p[i] > p[best])
                best = i;
        if (best && best != before)
            put_letter(letters, best);
        before = best;
    }
    fclose(letters);
    free(answer.data);
    return puts("") < 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "boxes") == 0)
        return find_boxes(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "text") == 0)
        return read_line(argv[2], argv[3]);
    fputs("usage: ocr boxes MAP.npy FOLDER | ocr text ANSWER.npy LETTERS\n", stderr);
    return 2;
}
