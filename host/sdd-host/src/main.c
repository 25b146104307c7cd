/*
 * sdd-host: the Software Defined Dataplane of end hosts as a process (docs/reference/sdd-host.md).
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "applications.h"
#include "config.h"
#include "host.h"
#include "host_client.h"
#include "licenses.h"
#include "nic.h"
#include "notify.h"
#include "reload.h"
#include "statistics.h"
#include "version.h"
#include "workers.h"

static const char usage[] =
    "usage: sdd-host [--check] CONFIGURATION | --licenses | --version\n"
    "\n"
    "Forwards the traffic of end hosts from TAP devices through SDDQueues to NICs,\n"
    "and back. CONFIGURATION is a JSON file. Runs until SIGTERM or SIGINT. At SIGHUP\n"
    "it restarts with the current content of the file, and keeps the TAP devices.\n"
    "\n"
    "  --check     check the configuration and exit\n"
    "  --licenses  print the licences of this program and of its libraries\n"
    "  --version   print the version\n";

/* The configuration for a restart after SIGHUP; null: the process must end. */
static struct config *next_config;
/* Whether the hosts have been started. */
static bool ran;

/* Whether a signal ends this run. */
static bool ends(int signals, const struct config *config, const char *path) {
    struct signalfd_siginfo signal;
    if (read(signals, &signal, sizeof signal) != (ssize_t)sizeof signal)
        return true;
    if (signal.ssi_signo != SIGHUP)
        return true;
    notify_reloading();
    next_config = reload_config(path, config);
    if (!next_config)
        notify_ready();
    return next_config != NULL;
}

/* A job that does nothing. */
static void nothing(void *argument) {
    (void)argument;
}

/* Sends a keep-alive to the service manager after the thread that owns the queues has answered. */
static void show_life(struct workers *workers) {
    jobs_call(workers->jobs, nothing, NULL);
    notify_alive();
}

/* Serves statistics and logs hosts' loss of their controllers until a signal ends the run. */
static void run(struct workers *workers, int signals, int statistics, const char *path) {
    enum { FIXED = 2 };
    struct pollfd ready[FIXED + MAX_HOSTS] = {{.fd = signals, .events = POLLIN},
                                              {.fd = statistics, .events = POLLIN}};
    const unsigned hosts = workers->config->hosts_count;
    for (unsigned h = 0; h < hosts; h++)
        ready[FIXED + h] = (struct pollfd){.fd = workers->agents[h].loss, .events = POLLIN};
    ran = true;
    reload_succeeded(workers->config);
    puts("ready");
    fflush(stdout);
    notify_ready();
    while (poll(ready, FIXED + hosts, notify_period_ms()) >= 0 &&
           !(ready[0].revents & POLLIN && ends(signals, workers->config, path))) {
        if (notify_period_ms() >= 0)
            show_life(workers);
        if (ready[1].revents & POLLIN)
            statistics_answer(statistics, workers);
        for (unsigned h = 0; h < hosts; h++)
            if (ready[FIXED + h].revents & POLLIN)
                agent_log_loss(&workers->agents[h]);
    }
}

static bool start_applications(struct applications **applications, unsigned count, int stop) {
    bool good = true;
    for (unsigned h = 0; h < count && good; h++)
        good = !applications[h] || applications_start(applications[h], stop);
    return good;
}

/* Runs the opened hosts with the threads of their controllers and applications. */
static int serve(struct workers *workers, struct applications **applications, int signals,
                 int statistics, const char *path) {
    static struct host_client host_clients[MAX_HOSTS * MAX_CONTROLLERS];
    unsigned started = 0;
    int stop = eventfd(0, EFD_CLOEXEC);
    if (!workers_start(workers))
        return 1;
    bool good = start_applications(applications, workers->config->hosts_count, stop);
    for (unsigned h = 0; good && h < workers->config->hosts_count; h++)
        for (unsigned c = 0; good && c < workers->config->hosts[h].control.controllers.count; c++) {
            good = host_client_start(&host_clients[started], &workers->agents[h], c, workers, stop);
            started += good;
        }
    if (good)
        run(workers, signals, statistics, path);
    eventfd_write(stop, 1);
    while (started > 0)
        host_client_join(&host_clients[--started]);
    for (unsigned h = 0; h < workers->config->hosts_count; h++)
        if (applications[h])
            applications_join(applications[h]);
    workers_stop(workers);
    close(stop);
    return good ? 0 : 1;
}

/* Whether the next process may need the TAP device: after a reload, or, if this process did not
 * start, any process that finds the device. */
static bool keeps_tap(const struct host *host) {
    if (next_config)
        return reload_keeps(next_config, host->config);
    return !ran && host->tap_found;
}

static int prepare(const struct config *config, int signals, const char *path) {
    static struct host hosts[MAX_HOSTS];
    static struct agent agents[MAX_HOSTS];
    static struct applications *applications[MAX_HOSTS];
    static struct workers workers;
    int status = 1, statistics = -1;
    unsigned opened = 0;
    bool good = workers_init(&workers, config, hosts, agents);
    for (unsigned h = 0; h < MAX_HOSTS; h++)
        agents[h] =
            (struct agent){.host = &hosts[h], .clock = &workers.clock, .socket = -1, .loss = -1};
    while (good && opened < config->hosts_count) {
        good = host_open(&hosts[opened], config, opened, clock_now(&workers.clock));
        opened += good;
        if (good && config->hosts[opened - 1].control.controllers.count > 0)
            good = agent_open(&agents[opened - 1], &hosts[opened - 1], &workers.clock);
        if (good && config->hosts[opened - 1].applications.queues > 0) {
            applications[opened - 1] = applications_open(&agents[opened - 1], &workers);
            good = applications[opened - 1] != NULL;
        }
    }
    if (good && config->statistics_socket[0] != '\0') {
        statistics = statistics_listen(config->statistics_socket);
        good = statistics >= 0;
    }
    if (good)
        status = serve(&workers, applications, signals, statistics, path);
    if (statistics >= 0) {
        close(statistics);
        unlink(config->statistics_socket);
    }
    while (opened > 0) {
        applications_close(applications[opened - 1]);
        if (agents[--opened].socket >= 0)
            agent_close(&agents[opened]);
        host_close(&hosts[opened], keeps_tap(&hosts[opened]));
    }
    workers_free(&workers);
    return status;
}

static void warn_of_files(const struct config *config, const char *path) {
    char error[600];
    for (unsigned h = 0; h < config->hosts_count; h++)
        if (!host_client_check(&config->hosts[h], error, sizeof error))
            fprintf(stderr, "sdd-host: %s: warning: %s\n", path, error);
}

/* Runs the configuration until a signal ends it. */
static int forward(const struct config *config, const char *path) {
    int status = 1;
    /* Sessions write with MSG_NOSIGNAL, but a write to a closed log pipe would raise SIGPIPE. */
    (void)signal(SIGPIPE, SIG_IGN);
    /* before DPDK starts threads, which inherit this */
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGHUP);
    sigprocmask(SIG_BLOCK, &ending, NULL);
    int signals = signalfd(-1, &ending, SFD_CLOEXEC);
    if (signals >= 0 && nic_start(config)) {
        status = prepare(config, signals, path);
        nic_stop();
    }
    if (!next_config)
        return status;
    reload_now();
    config_free(next_config);
    return 1;
}

int main(int argc, char **argv) {
    const bool check = argc == 3 && strcmp(argv[1], "--check") == 0;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (licenses_wanted(argc, argv))
        return licenses_print();
    if (version_wanted(argc, argv))
        return version_print("sdd-host");
    if (argc != 2 && !check) {
        fputs(usage, stderr);
        return 2;
    }
    const char *path = argv[argc - 1];
    char error[600];
    int status = 0;
    reload_prepare(argv);
    struct config *config = reload_first(path, error, sizeof error);
    if (!config || !config_suits_kernel(config, config_rt_runtime_us(), error, sizeof error)) {
        fprintf(stderr, "sdd-host: %s: %s\n", path, error);
        status = 2;
    } else if (check) {
        warn_of_files(config, path);
    } else {
        status = forward(config, path);
    }
    config_free(config);
    if (!ran)
        reload_failed(path);
    return status;
}
