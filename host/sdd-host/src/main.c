/*
 * sdd-host: the Software Defined Dataplane of end hosts as a process (docs/reference/sdd-host.md).
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "config.h"
#include "host.h"
#include "nic.h"
#include "statistics.h"
#include "workers.h"

static const char usage[] =
    "usage: sdd-host [--check] CONFIGURATION\n"
    "\n"
    "Carries the traffic of end hosts: from TAP devices through SDDQueues to NICs, and back.\n"
    "CONFIGURATION is a JSON file. Runs until SIGTERM or SIGINT.\n"
    "\n"
    "  --check  only checks the configuration\n";

/* Waits for the signal to end, and answers for statistics meanwhile. */
static void run(struct workers *workers, int signals, int statistics) {
    struct pollfd ready[] = {{.fd = signals, .events = POLLIN},
                             {.fd = statistics, .events = POLLIN}};
    puts("ready");
    fflush(stdout);
    while (poll(ready, statistics < 0 ? 1 : 2, -1) >= 0 && !(ready[0].revents & POLLIN))
        if (ready[1].revents & POLLIN)
            statistics_answer(statistics, workers);
}

static int serve(const struct config *config, int signals) {
    static struct host hosts[MAX_HOSTS];
    static struct workers workers;
    int status = 1, statistics = -1;
    unsigned opened = 0;
    if (!workers_init(&workers, config, hosts))
        return 1;
    while (opened < config->hosts_count &&
           host_open(&hosts[opened], config, opened, clock_now(&workers.clock)))
        opened++;
    const bool listens = config->statistics_socket[0] != '\0';
    if (opened == config->hosts_count && listens)
        statistics = statistics_listen(config->statistics_socket);
    if (opened == config->hosts_count && (!listens || statistics >= 0) && workers_start(&workers)) {
        run(&workers, signals, statistics);
        workers_stop(&workers);
        status = 0;
    }
    if (statistics >= 0) {
        close(statistics);
        unlink(config->statistics_socket);
    }
    while (opened > 0)
        host_close(&hosts[--opened]);
    workers_free(&workers);
    return status;
}

int main(int argc, char **argv) {
    const bool check = argc == 3 && strcmp(argv[1], "--check") == 0;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc != 2 && !check) {
        fputs(usage, stderr);
        return 2;
    }
    char error[600];
    struct config *config = config_load(argv[argc - 1], error, sizeof error);
    if (!config) {
        fprintf(stderr, "sdd-host: %s: %s\n", argv[argc - 1], error);
        return 2;
    }
    int status = 0;
    if (!check) {
        /* before DPDK starts threads, which inherit this */
        sigset_t ending;
        sigemptyset(&ending);
        sigaddset(&ending, SIGTERM);
        sigaddset(&ending, SIGINT);
        sigprocmask(SIG_BLOCK, &ending, NULL);
        int signals = signalfd(-1, &ending, SFD_CLOEXEC);
        status = 1;
        if (signals >= 0 && nic_start(config)) {
            status = serve(config, signals);
            nic_stop();
        }
    }
    config_free(config);
    return status;
}
