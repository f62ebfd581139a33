/* SPDX-License-Identifier: Apache-2.0
 * turns.h - lets several threads do something in the order of their numbers. */
#pragma once

#include "base/system.h"

/* Every number from 0 on has its turn, once those before it have ended. */
typedef struct turns {
    oc_lock lock;
    oc_condition moved;
    int next;
} turns;

turns turns_new(void);
/* Returns when it is this number's turn. */
void turns_wait(turns *t, int number);
/* Ends the turn that has been waited for. */
void turns_end(turns *t);
void turns_free(turns *t);
