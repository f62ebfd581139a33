/* SPDX-License-Identifier: Apache-2.0
 * sandbox.c - which files does a command line name, and how much may the command use? */
#define _POSIX_C_SOURCE 200809L
#include "session/sandbox.h"

#include "base/int.h"
#include "base/limits.h"
#include "base/system.h"
#include "common/machine.h"
#include "files/tensor_file.h"

#include <unistd.h>

sandbox sandbox_begin(session_args *args)
{
    return (sandbox){args->sandbox ? confine_begin() : (confine){-1}, args};
}

static bool names_file(const sandbox *s, const char *path)
{
    return s->args->sandbox && path && strcmp(path, "-") != 0;
}

void sandbox_read(sandbox *s, const char *path)
{
    if (names_file(s, path))
        confine_allow_read(&s->files, path);
}

void sandbox_model(sandbox *s, const char *path)
{
    if (!names_file(s, path))
        return;
    char *folder = io_folder_of(path);
    confine_allow_read(&s->files, folder);
    confine_allow_read(&s->files, path); /* it may be a link to elsewhere */
    confine_allow_read_beside(&s->files, path);
    free(folder);
}

/* Returns the text behind the next '='; NULL when there is none. Names may contain '=' too, and
 * only the model can tell which text is the path. */
static const char *after_name(const char *text)
{
    const char *equals = strchr(text, '=');
    return equals ? equals + 1 : NULL;
}

void sandbox_inputs(sandbox *s, const args_list *list)
{
    for (int i = 0; i < list->n; i++)
        for (const char *text = list->item[i]; text; text = after_name(text))
            sandbox_read(s, text);
}

void sandbox_write(sandbox *s, const char *path)
{
    if (!names_file(s, path))
        return;
    char *folder = io_folder_of(path);
    confine_allow_write(&s->files, folder);
    if (io_exists(path) && !io_is_dir(path))
        confine_allow_write(&s->files, path); /* it may be a device, or a link to one */
    free(folder);
}

void sandbox_folder(sandbox *s, const char *path, oc_error *e)
{
    if (!names_file(s, path))
        return;
    io_make_dir(path, e);
    confine_allow_write(&s->files, path);
}

void sandbox_outputs(sandbox *s, const args_list *list, oc_error *e)
{
    for (int i = 0; i < list->n; i++) {
        const char *text = list->item[i];
        if (!tensor_is_file(text) && !io_ends_with(text, ".npz"))
            sandbox_folder(s, text, e);
        else
            for (; text; text = after_name(text))
                sandbox_write(s, text);
    }
}

/* Returns twice the cap, for the model and for the files, with room for what is not counted:
 * stacks, tables of the C library, libraries of pictures. */
static size_t most_memory(const session_args *a)
{
    const size_t more = (size_t)1 << 29;
    return a->memory_cap < SIZE_MAX / 4 ? 2 * a->memory_cap + more : SIZE_MAX;
}

/* Returns the deadline of each phase on every thread, and a minute for reading and writing. */
static double most_seconds(const session_args *a, double phases)
{
    return a->deadline * phases > 0 ? a->deadline * phases * (double)a->threads + 60 : 0;
}

void sandbox_enter(sandbox *s, double phases, oc_error *e)
{
    session_args *a = s->args;
    if (!a->sandbox || e->code != OC_OK)
        return;
    for (int i = 0; i < a->functions.n; i++)
        sandbox_model(s, a->functions.item[i]);
    /* for the message that names a file that became shorter */
    confine_allow_read(&s->files, "/proc/self/maps");
    /* within the sandbox the machine cannot be asked */
    if (!a->memory_cap)
        a->memory_cap = machine_memory_share();
    if (!a->threads)
        a->threads = oc_min(oc_processor_count(), OC_MAX_THREADS);
    const confined got = confine_enter(&s->files, most_memory(a), most_seconds(a, phases));
    if (!got.files && !got.calls)
        tool_fail(e, OC_ARGUMENT, "--sandbox: this system has neither Landlock nor seccomp");
    else if (!got.files)
        tool_say("--sandbox: this system has no Landlock: files are not kept out of reach");
    else if (!got.calls)
        tool_say("--sandbox: this system has no seccomp: system calls are not refused");
}
