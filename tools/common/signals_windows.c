/* SPDX-License-Identifier: Apache-2.0
 * signals_windows.c - catches Ctrl-C, Ctrl-Break, and the end of the console or the session. */
#define WIN32_LEAN_AND_MEAN
#include "common/signals.h"

#include <windows.h>

/* Runs in a thread of its own. An event that it does not handle ends the process. */
static BOOL WINAPI on_control(DWORD event)
{
    if (event == CTRL_C_EVENT && signals_interrupt())
        return TRUE;
    signals_remove_files();
    return FALSE;
}

void signals_wait(int file)
{
    (void)file;
}

void signals_end(void)
{
    if (signals_cancelled(NULL)) {
        signals_remove_files();
        ExitProcess((UINT)STATUS_CONTROL_C_EXIT);
    }
}

void signals_catch(void)
{
    SetConsoleCtrlHandler(on_control, TRUE);
}
