/* SPDX-License-Identifier: Apache-2.0
 * test_control_groups.c - how many processors, and how much memory, files of control groups allow.
 */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include "base/control_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char top[] = "/tmp/ocellus-groups-XXXXXX";
enum { MOST_PATH = 600 };

/* Makes the folders of path below top, and the file. */
static void write_file(const char *path, const char *text)
{
    char full[MOST_PATH];
    snprintf(full, sizeof full, "%s/%s", top, path);
    for (char *slash = full + strlen(top); (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *f = fopen(full, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static void begin(const char *groups)
{
    memcpy(top + sizeof top - 7, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(top));
    write_file("proc/self/cgroup", groups);
}

static void end(void)
{
    char command[MOST_PATH];
    snprintf(command, sizeof command, "rm -r %s", top);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(the_least_quota_on_the_way_to_the_root)
{
    begin("0::/pod/box\n");
    ck_assert_int_eq(oc_group_processors(top), INT64_MAX);
    write_file("sys/fs/cgroup/pod/box/cpu.max", "max 100000\n");
    ck_assert_int_eq(oc_group_processors(top), INT64_MAX);
    write_file("sys/fs/cgroup/pod/box/cpu.max", "400000 100000\n");
    ck_assert_int_eq(oc_group_processors(top), 4);
    write_file("sys/fs/cgroup/pod/cpu.max", "150000 50000\n");
    ck_assert_int_eq(oc_group_processors(top), 3);
    write_file("sys/fs/cgroup/cpu.max", "150000 100000\n"); /* one and a half */
    ck_assert_int_eq(oc_group_processors(top), 2);
    write_file("sys/fs/cgroup/pod/box/cpu.max", "1000 100000\n"); /* a hundredth */
    ck_assert_int_eq(oc_group_processors(top), 1);
    end();
}
END_TEST

START_TEST(quotas_of_version_1)
{
    begin("12:memory:/box\n5:cpuset:/none\n4:cpu,cpuacct:/box/inner\n0::/none\n");
    write_file("sys/fs/cgroup/cpu/box/inner/cpu.cfs_quota_us", "-1\n");
    write_file("sys/fs/cgroup/cpu/box/inner/cpu.cfs_period_us", "100000\n");
    ck_assert_int_eq(oc_group_processors(top), INT64_MAX);
    write_file("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "250000\n");
    ck_assert_int_eq(oc_group_processors(top), INT64_MAX); /* without a period */
    write_file("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
    ck_assert_int_eq(oc_group_processors(top), 3);
    end();
    /* A container may be told a path that is there outside alone; its own group is at the top. */
    begin("4:cpuacct,cpu:/docker/0123\n");
    write_file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "700000\n");
    write_file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    ck_assert_int_eq(oc_group_processors(top), 7);
    end();
}
END_TEST

static int64_t memory_of(const char *folder, int version)
{
    int64_t number[2];
    oc_group_numbers(folder, version == 2 ? "memory.max" : "memory.limit_in_bytes", number);
    return number[0];
}

START_TEST(limits_of_memory)
{
    begin("3:memory:/box\n0::/\n");
    write_file("sys/fs/cgroup/memory.max", "max\n");
    ck_assert_int_eq(oc_group_limit(top, "memory", memory_of), INT64_MAX);
    write_file("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "99999999999999999999\n");
    ck_assert_int_eq(oc_group_limit(top, "memory", memory_of), INT64_MAX);
    write_file("sys/fs/cgroup/memory/memory.limit_in_bytes", "5368709120\n");
    ck_assert_int_eq(oc_group_limit(top, "memory", memory_of), INT64_C(5368709120));
    end();
}
END_TEST

START_TEST(strange_files)
{
    static const char *const quotas[] = {
        "",         "max",    "-5 100000", "0 100000",
        "100000 0", "100000", "100000 -1", "99999999999999999999 1",
        "x y"};
    begin("nonsense\n:\n::\n0:/none\n0::/a\n");
    for (size_t i = 0; i < sizeof quotas / sizeof *quotas; i++) {
        write_file("sys/fs/cgroup/a/cpu.max", quotas[i]);
        ck_assert_int_eq(oc_group_processors(top), INT64_MAX);
    }
    write_file("sys/fs/cgroup/a/cpu.max", "9223372036854775806 1\n");
    ck_assert_int_eq(oc_group_processors(top), INT64_MAX - 1);
    end();
    ck_assert_int_eq(oc_group_processors(top), INT64_MAX); /* no such folder */
    static char line[10000];
    memset(line, 'g', sizeof line - 1);
    memcpy(line, "0::/", 4);
    begin(line);
    write_file("sys/fs/cgroup/cpu.max", "100000 100000\n");
    oc_group_processors(top); /* a path that is too long */
    end();
}
END_TEST

SUITE("control_groups", the_least_quota_on_the_way_to_the_root, quotas_of_version_1,
      limits_of_memory, strange_files)
