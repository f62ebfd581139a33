/* SPDX-License-Identifier: Apache-2.0
 * turns.c - lets several threads do something in the order of their numbers. */
#include "predict/turns.h"

void turns_wait(turns *t, int number)
{
    pthread_mutex_lock(&t->lock);
    while (t->next != number)
        pthread_cond_wait(&t->moved, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void turns_end(turns *t)
{
    pthread_mutex_lock(&t->lock);
    t->next++;
    pthread_cond_broadcast(&t->moved);
    pthread_mutex_unlock(&t->lock);
}

void turns_free(turns *t)
{
    pthread_cond_destroy(&t->moved);
    pthread_mutex_destroy(&t->lock);
}
