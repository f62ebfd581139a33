/* SPDX-License-Identifier: Apache-2.0
 * control_groups.h - the control groups (cgroups, versions 1 and 2) of Linux that hold this
 * process. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Returns the least limit that the process's group and the groups around it set; INT64_MAX when
 * none sets one. controller is "cpu" or "memory", as version 1 names it. limit reads one group's
 * limit from the files in its folder; version is 1 or 2. It returns INT64_MAX when it finds no
 * limit. root stands before all paths: it is "", or in tests a folder that holds
 * proc/self/cgroup and sys/fs/cgroup. */
int64_t oc_group_limit(const char *root, const char *controller,
                       int64_t (*limit)(const char *folder, int version));

/* Reads the two whole numbers at the start of folder/name. A number that is not there becomes
 * INT64_MAX. */
void oc_group_numbers(const char *folder, const char *name, int64_t number[2]);

/* Returns the number of processors whose time the groups allow, rounded up; INT64_MAX when they
 * set no limit. */
int64_t oc_group_processors(const char *root);
