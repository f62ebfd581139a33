/* SPDX-License-Identifier: Apache-2.0
 * turns.c - lets several threads do something in the order of their numbers. */
#include "predict/turns.h"

turns turns_new(void)
{
    turns t = {.next = 0};
    oc_lock_init(&t.lock, false);
    oc_condition_init(&t.moved);
    return t;
}

void turns_wait(turns *t, int number)
{
    oc_lock_take(&t->lock);
    while (t->next != number)
        oc_condition_wait(&t->moved, &t->lock);
    oc_lock_release(&t->lock);
}

void turns_end(turns *t)
{
    oc_lock_take(&t->lock);
    t->next++;
    oc_condition_wake(&t->moved, true);
    oc_lock_release(&t->lock);
}

void turns_free(turns *t)
{
    oc_condition_destroy(&t->moved);
    oc_lock_destroy(&t->lock);
}
