/* SPDX-License-Identifier: Apache-2.0
 * command.c - the command in a module, whose script calls it once for each instance. */
#include <stdlib.h>

int main(int argc, char **argv);

/* Runs the command, and ends the instance by its exit code. */
__attribute__((export_name("ocellus_command"), noreturn)) void ocellus_command(int argc,
                                                                               char **argv);
void ocellus_command(int argc, char **argv)
{
    exit(main(argc, argv));
}
