/* SPDX-License-Identifier: Apache-2.0
 * temp_folder_wasi.c - WASI starts no commands, so that nobody needs a folder for them. */
#include "common/temp_folder.h"

temp_folder *temp_folder_new(oc_error *e)
{
    tool_fail(e, OC_UNSUPPORTED, "WebAssembly starts no commands");
    return NULL;
}

void temp_folder_free(OC_UNUSED temp_folder *k) {}

const char *temp_folder_folder(OC_UNUSED const temp_folder *k)
{
    return "";
}

void temp_folder_empty(OC_UNUSED const char *path, OC_UNUSED oc_error *e) {}

temp_folder_end temp_folder_run(OC_UNUSED temp_folder *k, OC_UNUSED const char *line,
                                OC_UNUSED double seconds, OC_UNUSED oc_error *e)
{
    return (temp_folder_end){0};
}

const char *temp_folder_signal_name(OC_UNUSED int number)
{
    return "";
}
