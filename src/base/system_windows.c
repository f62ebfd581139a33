/* SPDX-License-Identifier: Apache-2.0
 * system_windows.c - threads and time of Windows. */
#define WIN32_LEAN_AND_MEAN
#include "base/system.h"

#include <process.h>
#include <windows.h>

_Static_assert(sizeof(CRITICAL_SECTION) <= sizeof(oc_lock), "a lock has no room");
_Static_assert(sizeof(CONDITION_VARIABLE) <= sizeof(oc_condition), "a condition has no room");

/* Windows waits for milliseconds. The result is rounded up, so that a wait is never shorter than
 * asked for. */
static DWORD to_milliseconds(int64_t nanoseconds)
{
    return (DWORD)((nanoseconds + 999999) / 1000000);
}

/* ---- locks ---- */

/* A critical section can always be taken again by the thread that holds it. */
bool oc_lock_init(oc_lock *lock, OC_UNUSED bool recursive)
{
    return InitializeCriticalSectionEx((CRITICAL_SECTION *)lock, 0, CRITICAL_SECTION_NO_DEBUG_INFO);
}

void oc_lock_destroy(oc_lock *lock)
{
    DeleteCriticalSection((CRITICAL_SECTION *)lock);
}

void oc_lock_take(oc_lock *lock)
{
    EnterCriticalSection((CRITICAL_SECTION *)lock);
}

bool oc_lock_try(oc_lock *lock)
{
    return TryEnterCriticalSection((CRITICAL_SECTION *)lock);
}

void oc_lock_release(oc_lock *lock)
{
    LeaveCriticalSection((CRITICAL_SECTION *)lock);
}

/* ---- conditions ---- */

void oc_condition_init(oc_condition *condition)
{
    InitializeConditionVariable((CONDITION_VARIABLE *)condition);
}

void oc_condition_destroy(OC_UNUSED oc_condition *condition) {}

void oc_condition_wait(oc_condition *condition, oc_lock *lock)
{
    SleepConditionVariableCS((CONDITION_VARIABLE *)condition, (CRITICAL_SECTION *)lock, INFINITE);
}

bool oc_condition_wait_briefly(oc_condition *condition, oc_lock *lock, int64_t nanoseconds)
{
    return SleepConditionVariableCS((CONDITION_VARIABLE *)condition, (CRITICAL_SECTION *)lock,
                                    to_milliseconds(nanoseconds));
}

void oc_condition_wake(oc_condition *condition, bool all)
{
    (all ? WakeAllConditionVariable : WakeConditionVariable)((CONDITION_VARIABLE *)condition);
}

/* ---- threads ---- */

static unsigned __stdcall run_thread(void *arg)
{
    const oc_thread *thread = arg;
    thread->run(thread->arg);
    return 0;
}

bool oc_thread_start(oc_thread *thread, size_t stack, void *(*run)(void *arg), void *arg)
{
    thread->run = run;
    thread->arg = arg;
    thread->handle = (HANDLE)_beginthreadex(NULL, (unsigned)stack, run_thread, thread,
                                            STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    return thread->handle != NULL;
}

void oc_thread_join(oc_thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
}

uintptr_t oc_thread_self(void)
{
    return GetCurrentThreadId();
}

int64_t oc_process_self(void)
{
    return GetCurrentProcessId();
}

/* ---- processors ---- */

/* The mask is empty when the process has processors of several groups, which have 64 each. */
int oc_processor_count(void)
{
    DWORD_PTR ours = 0, all = 0;
    GetProcessAffinityMask(GetCurrentProcess(), &ours, &all);
    const int n = __builtin_popcountll(ours);
    return n ? n : (int)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

int oc_processor_self(void)
{
    return (int)GetCurrentProcessorNumber();
}

/* ---- time ---- */

uint64_t oc_clock(void)
{
    const uint64_t second = UINT64_C(1000000000);
    LARGE_INTEGER ticks, per_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&per_second);
    const uint64_t n = (uint64_t)ticks.QuadPart, rate = (uint64_t)per_second.QuadPart;
    return n / rate * second + n % rate * second / rate;
}

void oc_sleep(int64_t nanoseconds)
{
    Sleep(to_milliseconds(nanoseconds));
}
