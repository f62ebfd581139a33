/* SPDX-License-Identifier: Apache-2.0
 * check_networks.c - random networks against an oracle, and under different options against each
 * other. README.md says what is drawn and how bounds come about.
 *
 *     check_networks [--from SEED] [--count N] [--seconds S] [--print] [--go-on]
 *
 * Ends with status 1 at the first network that is wrong, which it makes smaller and prints, or with
 * --go-on after all. */
#include "net_run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t seed_at_work;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A network that ends the process is told by its seed. */
static void tell_seed(void)
{
    char text[40];
    const int size =
        snprintf(text, sizeof text, "\nat work: --from %llu\n", (unsigned long long)seed_at_work);
    if (write(2, text, (size_t)size) < 0)
        return;
}

static void on_signal(int number)
{
    tell_seed();
    signal(number, SIG_DFL);
    raise(number);
}

void __sanitizer_set_death_callback(void (*call)(void)) __attribute__((weak));

static void watch_for_crashes(void)
{
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(tell_seed);
        return;
    }
    signal(SIGSEGV, on_signal);
    signal(SIGABRT, on_signal);
    signal(SIGFPE, on_signal);
    signal(SIGBUS, on_signal);
}

/* A quarter of all seeds is held against tighter bounds, with exact products. */
static void choose_exact(net *n, uint64_t seed)
{
    n->exact_codes = seed % 4 == 1;
    n->exact_conv = seed % 4 == 2;
    n->unfused = seed % 8 == 3;
}

static bool is_wrong(net *n, uint64_t seed, char report[NET_REPORT])
{
    net_make(n, seed);
    bool any = false;
    for (int i = 0; i < n->n_values; i++)
        any |= n->value[i].is_output;
    return any && !net_check(n, seed, report);
}

/* Leaves out nodes while the rest is still wrong. */
static void shrink(net *n, uint64_t seed, char report[NET_REPORT])
{
    char other[NET_REPORT];
    n->plain_frame = true;
    n->plain_frame = is_wrong(n, seed, other);
    for (int round = 0; round < 2; round++)
        for (int i = NET_NODES; i-- > 0;) {
            const uint32_t without = n->without;
            n->without |= 1u << i;
            if (n->without == without || !is_wrong(n, seed, other))
                n->without = without;
        }
    is_wrong(n, seed, report);
}

static void tell(net *n, uint64_t seed, const char *program)
{
    char report[NET_REPORT] = "";
    shrink(n, seed, report);
    printf("seed %llu is wrong: %s\n%s\nreplay: %s --from %llu --count 1\n",
           (unsigned long long)seed, report, n->all.bytes, program, (unsigned long long)seed);
    fflush(stdout);
    n->without = 0;
    n->plain_frame = false;
}

int main(int argc, char **argv)
{
    uint64_t from = 1, count = UINT64_MAX;
    double seconds = 0;
    bool print = false, go_on = false;
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--from") == 0)
            from = strtoull(next, NULL, 10), i++;
        else if (strcmp(argv[i], "--count") == 0)
            count = strtoull(next, NULL, 10), i++;
        else if (strcmp(argv[i], "--seconds") == 0)
            seconds = strtod(next, NULL), i++;
        else if (strcmp(argv[i], "--print") == 0)
            print = true;
        else if (strcmp(argv[i], "--go-on") == 0)
            go_on = true;
        else {
            fprintf(stderr, "unknown argument %s\n", argv[i]);
            return 2;
        }
    }
    static net n;
    char report[NET_REPORT];
    const double began = now();
    uint64_t made = 0, wrong = 0, nodes = 0;
    watch_for_crashes();
    for (; made < count && (seconds == 0 || now() - began < seconds); made++) {
        const uint64_t seed = from + made;
        seed_at_work = seed;
        choose_exact(&n, seed);
        const bool bad = is_wrong(&n, seed, report);
        nodes += (uint64_t)n.n_steps;
        if (print)
            printf("%s\n", n.all.bytes);
        if (!bad)
            continue;
        wrong++;
        printf("after %.2f s: %s\n", now() - began, report);
        tell(&n, seed, argv[0]);
        if (!go_on)
            break;
    }
    printf("%llu networks of %llu nodes, %llu wrong, %.1f s, digest %016llx\n",
           (unsigned long long)made + (wrong && !go_on), (unsigned long long)nodes,
           (unsigned long long)wrong, now() - began, (unsigned long long)n.digest);
    net_free(&n);
    return wrong != 0;
}
