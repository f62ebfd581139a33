/* SPDX-License-Identifier: Apache-2.0
 * short_reads.c - a system whose read gives a few bytes and is often interrupted, for LD_PRELOAD.
 */
#define _GNU_SOURCE /* syscall */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Each third call fails with EINTR; the others give 1 to 7 bytes. */
ssize_t read(int file, void *buffer, size_t size)
{
    static unsigned calls;
    const size_t most = 1 + ++calls % 7;
    if (calls % 3 == 0) {
        errno = EINTR;
        return -1;
    }
    return syscall(SYS_read, file, buffer, size < most ? size : most);
}
