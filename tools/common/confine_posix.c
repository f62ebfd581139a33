/* SPDX-License-Identifier: Apache-2.0
 * confine_posix.c - confines a process on Linux: which files may it open from now on? */
#define _GNU_SOURCE /* declares O_PATH and syscall */
#include "common/confine.h"

#include "common/resources.h"
#include "common/system_calls.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef TOOLS_LANDLOCK
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* Rights by their numbers, which headers older than the kernel may not know. */
enum {
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_FILE = 1 << 5,
    MAKE_REG = 1 << 8,
    FIRST_RIGHTS = (1 << 13) - 1, /* all rights of the first version */
    TRUNCATE = 1 << 14,           /* a right since the third version */
};

static unsigned rights_of_version(long version)
{
    return (unsigned)FIRST_RIGHTS | (version >= 3 ? (unsigned)TRUNCATE : 0);
}

static long landlock_version(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

confine confine_begin(void)
{
    const long version = landlock_version();
    const struct landlock_ruleset_attr all = {.handled_access_fs = rights_of_version(version)};
    return (confine){version < 1 ? -1
                                 : (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0)};
}

static void allow(const confine *c, const char *path, unsigned of_folder, unsigned of_file)
{
    struct stat st;
    const int file = c->rules < 0 ? -1 : open(path, O_PATH | O_CLOEXEC);
    if (file < 0)
        return;
    if (fstat(file, &st) == 0) {
        const unsigned rights = S_ISDIR(st.st_mode) ? of_folder : of_file;
        const struct landlock_path_beneath_attr rule = {
            .allowed_access = rights & rights_of_version(landlock_version()), .parent_fd = file};
        (void)syscall(SYS_landlock_add_rule, c->rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(file);
}

void confine_allow_read(const confine *c, const char *path)
{
    allow(c, path, READ_FILE | READ_DIR, READ_FILE);
}

void confine_allow_write(const confine *c, const char *path)
{
    allow(c, path, WRITE_FILE | MAKE_REG | REMOVE_FILE | TRUNCATE, WRITE_FILE);
}

static bool confine_files(confine *c)
{
    if (c->rules < 0)
        return false;
    const bool done = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                      syscall(SYS_landlock_restrict_self, c->rules, 0) == 0;
    close(c->rules);
    c->rules = -1;
    return done;
}

#else

confine confine_begin(void)
{
    return (confine){-1};
}

void confine_allow_read(OC_UNUSED const confine *c, OC_UNUSED const char *path) {}

void confine_allow_write(OC_UNUSED const confine *c, OC_UNUSED const char *path) {}

static bool confine_files(OC_UNUSED confine *c)
{
    return false;
}

#endif

void confine_allow_read_beside(const confine *c, const char *path)
{
    char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
    if (slash) {
        slash[slash == real] = 0;
        confine_allow_read(c, real);
    }
    free(real);
}

confined confine_enter(confine *c, size_t memory, double seconds)
{
    resources_limit(memory, seconds);
    const bool files = confine_files(c);
    return (confined){files, system_calls_filter()};
}
