/* SPDX-License-Identifier: Apache-2.0
 * table_program.c - writes answers, which table.py has put into a file, into a table by several
 * threads.
 *
 *   table_program ANSWERS TABLE THREADS NAMES [ROWS [resume] [STOP]]
 *
 * NAMES have semicolons between them, "-" is none. Thread k takes every THREADS-th photograph from
 * number k on, and leaves out those whose rows are kept. STOP ends the process before the
 * photograph of that number. */
#include "files/io.h"
#include "answer/table.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum {
    BOX = 1,
    SCORE = 2,
    LABEL = 4,
    POINT = 8,
    CORNER = 16,
    MASK = 32,
    CLS = 64,
    FLOW = 128,
    DEPTH = 256,
    TEXT = 512
};

typedef struct program {
    const unsigned char *at; /* of the file of answers */
    answer *answer;
    char **file;
    int n, threads, stop;
    table *table;
    void **block; /* what is freed at the end */
    size_t n_blocks;
} program;

typedef struct worker {
    program *p;
    int k;
    oc_error error;
    pthread_t thread;
} worker;

/* Returns a block of zeros, which lasts until the end. */
static void *alloc(program *p, size_t size)
{
    p->block = tool_push(p->block, p->n_blocks, sizeof *p->block);
    return p->block[p->n_blocks++] = tool_alloc(size + 1, 1);
}

/* Returns a copy of the next bytes, aligned for any type. */
static void *take(program *p, size_t size)
{
    void *copy = alloc(p, size);
    memcpy(copy, p->at, size);
    p->at += size;
    return copy;
}

static int take_int(program *p)
{
    return *(int32_t *)take(p, sizeof(int32_t));
}

static void take_answer(program *p, answer *a, char **file)
{
    *file = take(p, (size_t)take_int(p));
    a->width = take_int(p);
    a->height = take_int(p);
    a->input_width = take_int(p);
    a->input_height = take_int(p);
    memcpy(a->fit, take(p, sizeof a->fit), sizeof a->fit);
    a->n = take_int(p);
    a->n_points = take_int(p);
    a->grid_width = take_int(p);
    a->grid_height = take_int(p);
    const int has = take_int(p);
    const size_t n = (size_t)a->n, cells = (size_t)a->grid_width * (size_t)a->grid_height;
    a->box = has & BOX ? take(p, n * 16) : NULL;
    a->score = has & SCORE ? take(p, n * 4) : NULL;
    a->label = has & LABEL ? take(p, n * 8) : NULL;
    a->point = has & POINT ? take(p, n * 12 * (size_t)a->n_points) : NULL;
    a->corner = has & CORNER ? take(p, n * 32) : NULL;
    a->mask = has & MASK ? take(p, n * 4 * cells) : NULL;
    a->cls = has & CLS ? take(p, 8 * cells) : NULL;
    a->flow = has & FLOW ? take(p, 8 * cells) : NULL;
    a->depth = has & DEPTH ? take(p, 4 * cells) : NULL;
    a->text = has & TEXT ? take(p, (size_t)take_int(p)) : NULL;
}

static void *work(void *ctx)
{
    worker *w = ctx;
    program *p = w->p;
    for (int i = w->k; i < p->n; i += p->threads) {
        if (i == p->stop)
            _exit(9);
        if (!p->file[i][0])
            table_skip(p->table, i, &w->error);
        else if (table_has(p->table, p->file[i]))
            table_keep(p->table, i, p->file[i], &w->error);
        else
            table_add(p->table, i, p->file[i], &p->answer[i], &w->error);
    }
    return NULL;
}

/* Returns the names between the semicolons. */
static metadata_names names_of(char *text)
{
    metadata_names names = {0};
    for (char *name = strcmp(text, "-") == 0 ? NULL : strtok(text, ";"); name;
         name = strtok(NULL, ";")) {
        names.name = tool_push(names.name, (size_t)names.n, sizeof *names.name);
        names.name[names.n++] = strcmp(name, "NULL") == 0 ? NULL : name;
    }
    return names;
}

static void read_answers(program *p, const unsigned char *bytes)
{
    p->at = bytes;
    p->n = take_int(p);
    p->answer = alloc(p, (size_t)p->n * sizeof *p->answer);
    p->file = alloc(p, (size_t)p->n * sizeof *p->file);
    for (int i = 0; i < p->n; i++)
        take_answer(p, &p->answer[i], &p->file[i]);
}

static void write_answers(program *p, oc_error *e)
{
    worker *w = alloc(p, (size_t)p->threads * sizeof *w);
    for (int k = 0; k < p->threads; k++) {
        w[k] = (worker){.p = p, .k = k};
        pthread_create(&w[k].thread, NULL, work, &w[k]);
    }
    for (int k = 0; k < p->threads; k++) {
        pthread_join(w[k].thread, NULL);
        if (e->code == OC_OK)
            *e = w[k].error;
    }
}

int main(int argc, char **argv)
{
    program p = {.threads = atoi(argv[3]), .stop = argc > 7 ? atoi(argv[7]) : -1};
    oc_error e = {0};
    io_bytes b;
    const metadata_names names = names_of(argv[4]);
    table_options o = {.names = &names, .widest = 8, .rows = argc > 5 ? argv[5] : NULL};
    o.resume = argc > 6 && strcmp(argv[6], "resume") == 0;
    o.format = strcmp(argv[2], "-") == 0 ? TABLE_TEXT : TABLE_BY_PATH;
    signal(SIGXFSZ, SIG_IGN);
    io_read(argv[1], (size_t)1 << 30, &b, &e);
    read_answers(&p, b.data);
    p.table = table_open(argv[2], &o, &e);
    if (p.table)
        write_answers(&p, &e);
    table_close(p.table, &e);
    for (size_t i = 0; i < p.n_blocks; i++)
        free(p.block[i]);
    free(p.block);
    free(names.name);
    io_bytes_free(&b);
    if (e.code != OC_OK)
        fprintf(stderr, "%s: %s\n", oc_status_name(e.code), e.text);
    return tool_exit_code(e.code);
}
