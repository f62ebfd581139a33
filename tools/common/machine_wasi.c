/* SPDX-License-Identifier: Apache-2.0
 * machine_wasi.c - a module addresses 4 GiB. */
#include "common/machine.h"

size_t machine_memory_share(void)
{
    return (size_t)3 << 30;
}
