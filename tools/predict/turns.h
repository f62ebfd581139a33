/* SPDX-License-Identifier: Apache-2.0
 * turns.h - lets several threads do something in the order of their numbers. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/* Every number from 0 on has its turn, once those before it have ended. */
typedef struct turns {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    int next;
} turns;

#define TURNS_NEW                                                                                  \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER                       \
    }

/* Returns when it is this number's turn. */
void turns_wait(turns *t, int number);
/* Ends the turn that has been waited for. */
void turns_end(turns *t);
void turns_free(turns *t);
