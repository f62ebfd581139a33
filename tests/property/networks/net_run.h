/* SPDX-License-Identifier: Apache-2.0
 * net_run.h - runs a network under several sets of session options, and compares what each gives.
 */
#pragma once

#include "net.h"

#include <ocellus.h>

enum { NET_RUNS = 3, NET_REPORT = 2000 };

/* Draws the options of all runs from the seed, runs the network, and compares. The first run is
 * held against the bounds of each element, the others must give its bits. false: report says what
 * was wrong, and under which options. */
bool net_check(net *n, uint64_t seed, char report[NET_REPORT]);

/* Says in text the options of the runs of a seed. */
void net_tell_options(uint64_t seed, FILE *to);
