/* SPDX-License-Identifier: Apache-2.0
 * control_groups.h - the control groups (cgroups, versions 1 and 2) of Linux that hold this
 * process. */
#ifndef OC_BASE_CONTROL_GROUPS_H
#define OC_BASE_CONTROL_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

/* The least limit that the process's group and the groups around it set; INT64_MAX: none sets one.
 * controller: "cpu" or "memory", as version 1 names it. limit reads a group's limit from the files
 * in its folder, which has a version of 1 or 2, and returns INT64_MAX where it finds none. root
 * stands before all paths: "", or the folder of a test that holds proc/self/cgroup and
 * sys/fs/cgroup.
 */
int64_t oc_group_limit(const char *root, const char *controller,
                       int64_t (*limit)(const char *folder, int version));

/* The two whole numbers at the start of folder/name; INT64_MAX for each that is not there. */
void oc_group_numbers(const char *folder, const char *name, int64_t number[2]);

/* The number of processors whose time the groups allow, rounded up; INT64_MAX: any. */
int64_t oc_group_processors(const char *root);

#endif
