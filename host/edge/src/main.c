/*
 * evenweave-edge: chooses paths for flowlets in the kernel (docs/reference/edge.md).
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "act.h"
#include "command.h"
#include "config.h"
#include "discovery.h"
#include "edge_client.h"
#include "filter.h"
#include "find.h"
#include "instance.h"
#include "kernel.h"
#include "keys.h"
#include "licenses.h"
#include "netlink.h"
#include "notify.h"
#include "own.h"
#include "path_mtu.h"
#include "routes.h"
#include "segmenter.h"
#include "show.h"
#include "show_options.h"
#include "version.h"

static const char usage[] =
    "usage: evenweave-edge --config FILE | --check FILE | show [OPTIONS] [DEVICE] |\n"
    "                      discover [DEVICE] | stop [DEVICE] | release | --licenses |\n"
    "                      --version\n"
    "\n"
    "Sends packets to other hosts in an overlay and chooses a path for each flowlet.\n"
    "\n"
    "  --config FILE  attaches the edge of this JSON file to its device or takes over\n"
    "                 an existing one, maintains its routes and discovers paths.\n"
    "                 SIGHUP reloads the file. SIGTERM ends the process; the edge\n"
    "                 continues in the kernel\n"
    "  --check FILE   checks the configuration and exits\n"
    "  show           prints paths, weights, marks, delays, bytes and the last\n"
    "                 decisions. --json: for programs; --prometheus: totals as\n"
    "                 metrics in Prometheus' text format; --peer ADDRESS: only this\n"
    "                 peer; --first N: from peer N on, of peerCount; --limit N: at\n"
    "                 most N peers\n"
    "  discover       requests discovery of paths from the device's process, for\n"
    "                 example after a change of the fabric\n"
    "  stop           removes programs, maps and routes from the device after its\n"
    "                 process ended\n"
    "  release        removes the congestion control mdctcp from the kernel if no\n"
    "                 edge is configured for it\n"
    "  --licenses     prints the licences of this program and of its libraries\n"
    "  --version      prints the version\n"
    "\n"
    "DEVICE may be omitted if only one device has an edge.\n";

static int quiet(enum libbpf_print_level level, const char *format, va_list arguments) {
    (void)level, (void)format, (void)arguments;
    return 0;
}

/* A process that manages an edge. */
struct manager {
    const char *path; /* of the configuration file */
    struct config *config;
    struct kernel_edge edge;
    struct discovery discovery;
    struct edge_client client;
    struct instance instance;
    struct commands commands;
    int signals;
    int changes;            /* notifications of links and routes */
    int errors;             /* ICMP errors */
    bool is_off;            /* attaching the edge again, or starting discovery, failed */
    uint64_t reattached_ns; /* when the edge was last attached again */
    char said[600];
};

/* The interval of retries, since the cause may disappear without a notification. Also the minimum
 * time between two re-attachments. */
enum { AGAIN_MS = 1000 };

/* Logs an error once for all retries; without an error, clears it. */
static void log_once(struct manager *manager, const char *error) {
    if (error[0] && strcmp(error, manager->said) != 0)
        fprintf(stderr, "evenweave-edge: %s\n", error);
    snprintf(manager->said, sizeof manager->said, "%s", error);
}

static uint64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Attaches parts that another program removed, and starts discovery. */
static bool reattach(struct manager *manager, char *error, size_t error_size) {
    if (!kernel_is_intact(manager->config, &manager->edge)) {
        const unsigned before = manager->edge.device;
        const uint64_t now = now_ns();
        /* Limits the rate if another program removes it repeatedly. */
        if (manager->reattached_ns && now - manager->reattached_ns < UINT64_C(1000000) * AGAIN_MS)
            return false;
        if (!kernel_restore(manager->config, &manager->edge, error, error_size))
            return false;
        manager->reattached_ns = now;
        fprintf(stderr, "evenweave-edge: %s has changed: the edge is attached again\n",
                manager->config->device);
        if (manager->edge.device != before) /* probes use the device's index */
            discovery_stop(&manager->discovery);
    }
    return manager->discovery.prober ||
           discovery_start(&manager->discovery, manager->config, &manager->edge,
                           &manager->client.weights, error, error_size);
}

/* Handles changes of links, filters, routes or the route to a peer. */
static void refresh(struct manager *manager) {
    char error[600] = "", remark[600] = "";
    manager->is_off = !reattach(manager, error, sizeof error);
    const uint32_t mtu = kernel_mtu(&manager->edge);
    if (mtu && own_addresses(manager->config, remark, sizeof remark))
        (void)routes_apply(manager->config, manager->edge.device, mtu, remark, sizeof remark);
    log_once(manager, error[0] ? error : remark);
}

static void reload(struct manager *manager) {
    char error[600];
    struct kernel_edge taken;
    error[0] = '\0';
    struct config *read = config_load(manager->path, error, sizeof error);
    bool good = read && keys_load(read, error, sizeof error);
    if (good && strcmp(read->device, manager->config->device) != 0) {
        good = false;
        snprintf(error, sizeof error, "device: cannot change while the process runs");
    }
    if (good && read->address.family != manager->config->address.family) {
        good = false;
        snprintf(error, sizeof error, "address: must stay of its family while the process runs");
    }
    if (good && !edge_client_same(&read->controller, &manager->config->controller)) {
        good = false;
        snprintf(error, sizeof error, "controller: cannot change while the process runs");
    }
    good = good && edge_client_carry_over(&manager->client, read, error, sizeof error);
    if (good && kernel_install(read, &taken, error, sizeof error)) {
        discovery_stop(&manager->discovery);
        kernel_forget(&manager->edge);
        manager->edge = taken;
        config_free(manager->config);
        manager->config = read;
        manager->client.config = read;
        if (discovery_start(&manager->discovery, read, &manager->edge, &manager->client.weights,
                            error, sizeof error)) {
            puts("configuration read");
            fflush(stdout);
            log_once(manager, error); /* a warning */
        } else {
            fprintf(stderr, "evenweave-edge: %s: %s; paths stay\n", manager->path, error);
            manager->is_off = true;
        }
        return;
    }
    fprintf(stderr, "evenweave-edge: %s: %s; the previous configuration stays in use\n",
            manager->path, error);
    config_free(read);
    /* The reload may have failed half-way. */
    manager->is_off = !kernel_restore(manager->config, &manager->edge, error, sizeof error);
    if (manager->is_off)
        log_once(manager, error);
    else
        refresh(manager);
}

/* Reads and discards data. */
static void drain(int readable) {
    char buffer[8192];
    while (recv(readable, buffer, sizeof buffer, MSG_DONTWAIT) > 0) {
    }
}

enum { SIGNALS, CHANGES, ERRORS, COMMANDS, PROBE_ERRORS, PROBE_ANSWERS, SOURCES };

/* Handles one iteration of the loop. Returns false after SIGTERM or SIGINT. */
static bool turn(struct manager *manager, const struct pollfd *ready) {
    struct signalfd_siginfo signal = {0};
    while (ready[COMMANDS].revents && commands_take(&manager->commands))
        discovery_start_rounds(&manager->discovery);
    discovery_serve(&manager->discovery);
    bool changed = ready[CHANGES].revents || manager->is_off;
    if (ready[CHANGES].revents)
        drain(manager->changes);
    if (ready[ERRORS].revents)
        changed |=
            path_mtu_learn(manager->errors, kernel_mtu(&manager->edge), now_ns(), manager->config);
    changed |= path_mtu_forget(now_ns(), manager->config);
    if (changed)
        refresh(manager);
    if (!discovery_is_pending(&manager->discovery))
        commands_answer(&manager->commands, !manager->is_off);
    if (!(ready[SIGNALS].revents & POLLIN) || read(manager->signals, &signal, sizeof signal) < 0)
        return true;
    if (signal.ssi_signo == SIGHUP) {
        notify_reloading();
        reload(manager);
        notify_ready();
    }
    return signal.ssi_signo == SIGHUP;
}

static int wait_ms(const struct manager *manager) {
    const int forget = path_mtu_wait_ms(now_ns(), manager->config);
    const int alive = notify_period_ms();
    int wait = discovery_wait_ms(&manager->discovery);
    if (alive >= 0 && (wait < 0 || wait > alive))
        wait = alive;
    if (forget >= 0 && (wait < 0 || wait > forget))
        wait = forget;
    return manager->is_off && (wait < 0 || wait > AGAIN_MS) ? AGAIN_MS : wait;
}

/* Runs until SIGTERM or SIGINT. */
static void serve(struct manager *manager) {
    for (bool going = true; going;) {
        struct pollfd ready[SOURCES] = {
            [SIGNALS] = {.fd = manager->signals, .events = POLLIN},
            [CHANGES] = {.fd = manager->changes, .events = POLLIN},
            [ERRORS] = {.fd = manager->errors, .events = POLLIN},
            [COMMANDS] = {.fd = manager->commands.listening, .events = POLLIN},
            [PROBE_ERRORS] = {.fd = manager->discovery.errors, .events = POLLIN},
            [PROBE_ANSWERS] = {.fd = manager->discovery.answers, .events = POLLIN}};
        if (poll(ready, SOURCES, wait_ms(manager)) < 0 && errno != EINTR)
            return;
        notify_alive();
        pthread_mutex_lock(&manager->client.lock);
        going = turn(manager, ready);
        pthread_mutex_unlock(&manager->client.lock);
    }
}

/* Removes everything that a failed start added. */
static void undo_start(struct manager *manager, bool there) {
    if (there)
        kernel_forget(&manager->edge);
    else
        (void)kernel_remove(&manager->edge);
}

/* Attaches the edge and manages it. */
static int manage(struct manager *manager) {
    char error[600] = "";
    struct kernel_edge before;
    const bool there = kernel_find(if_nametoindex(manager->config->device), &before);
    if (there)
        kernel_forget(&before);
    if (!kernel_install(manager->config, &manager->edge, error, sizeof error)) {
        fprintf(stderr, "evenweave-edge: %s: %s\n", manager->path, error);
        return 1;
    }
    log_once(manager, error); /* a warning */
    if (!discovery_start(&manager->discovery, manager->config, &manager->edge,
                         &manager->client.weights, error, sizeof error)) {
        fprintf(stderr, "evenweave-edge: %s: %s\n", manager->path, error);
        undo_start(manager, there);
        return 1;
    }
    const bool started = edge_client_start(&manager->client, manager->config, &manager->edge);
    if (started) {
        puts("ready");
        fflush(stdout);
        notify_ready();
        serve(manager);
        edge_client_stop(&manager->client);
    } else {
        fputs("evenweave-edge: cannot start the controller's thread\n", stderr);
    }
    discovery_stop(&manager->discovery);
    if (started)
        kernel_forget(&manager->edge);
    else
        undo_start(manager, there);
    return started ? 0 : 1;
}

static int run(struct manager *manager) {
    const char *device = manager->config->device;
    sigset_t handled;
    /* Sessions write with MSG_NOSIGNAL, but a write to a closed log pipe would raise SIGPIPE. */
    (void)signal(SIGPIPE, SIG_IGN);
    sigemptyset(&handled);
    sigaddset(&handled, SIGTERM);
    sigaddset(&handled, SIGINT);
    sigaddset(&handled, SIGHUP);
    sigprocmask(SIG_BLOCK, &handled, NULL);
    manager->signals = signalfd(-1, &handled, SFD_CLOEXEC);
    manager->changes = netlink_watch();
    manager->errors = path_mtu_watch(manager->config);
    if (manager->signals < 0 || manager->changes < 0 || manager->errors < 0 ||
        !filter_may_inspect()) {
        fputs("evenweave-edge: cannot receive the kernel's notifications: it needs root\n", stderr);
        return 1;
    }
    const int taken = instance_take(&manager->instance, device);
    if (taken) {
        act_print_reason(device, taken);
        return 1;
    }
    int status = 1;
    if (commands_listen(&manager->commands, device)) {
        status = manage(manager);
        commands_close(&manager->commands);
    } else {
        act_print_reason(device, -errno);
    }
    instance_leave(&manager->instance);
    return status;
}

static int configured(const char *path, bool check) {
    char error[600];
    struct manager manager = {.path = path, .config = config_load(path, error, sizeof error)};
    if (!manager.config) {
        fprintf(stderr, "evenweave-edge: %s: %s\n", path, error);
        return 2;
    }
    const bool keyed = keys_load(manager.config, error, sizeof error);
    if (!keyed)
        fprintf(stderr, "evenweave-edge: %s: %s%s\n", path, check ? "warning: " : "", error);
    if (check)
        edge_client_warn(&manager.config->controller, path);
    const int status = check ? 0 : keyed ? run(&manager) : 2;
    config_free(manager.config);
    return status;
}

/* Whether the arguments ask for help. */
static bool wants_help(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* Returns the exit status of a command, or 1 if its output could not be written. */
static int end(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "evenweave-edge: the answer cannot be written: %s\n", strerrordesc_np(errno));
    return 1;
}

/* Shows the edge even if it has no path to a peer, which is an error. */
static bool show_all(const struct kernel_edge *edge, const struct show_peers *which,
                     enum show_form form) {
    return show(edge, which, form) && act_check_paths(edge);
}

/* Shows, discovers or stops the edge of a device; null: of the only edge. */
static int on_edge(const char *command, const char *device, const struct show_peers *which,
                   enum show_form form) {
    const bool stops = strcmp(command, "stop") == 0;
    const bool removed = stops && !device && segmenter_remove_orphans();
    struct kernel_edge edge;
    if (removed)
        puts("removed the remains of an edge whose device no longer exists");
    if (!find_edge(device, stops, &edge))
        return end(removed ? 0 : 1);
    if (stops)
        return act_stop(&edge) ? 0 : 1;
    const bool good =
        strcmp(command, "discover") == 0 ? act_discover(&edge) : show_all(&edge, which, form);
    kernel_forget(&edge);
    return end(good ? 0 : 1);
}

int main(int argc, char **argv) {
    libbpf_set_print(quiet); /* errors are reported with their field */
    const char *command = argc > 1 ? argv[1] : "";
    if (argc == 3 && (strcmp(command, "--config") == 0 || strcmp(command, "--check") == 0))
        return configured(argv[2], strcmp(command, "--check") == 0);
    if (wants_help(argc, argv)) {
        fputs(usage, stdout);
        return end(0);
    }
    if (licenses_wanted(argc, argv))
        return licenses_print();
    if (version_wanted(argc, argv))
        return version_print("evenweave-edge");
    if (argc == 2 && strcmp(command, "release") == 0)
        return act_release() ? 0 : 1;
    struct edge_address peer;
    struct show_peers which = {.limit = EDGE_PEERS};
    enum show_form form = SHOW_TEXT;
    const bool shows = strcmp(command, "show") == 0;
    const int options = shows ? show_options_read(argc, argv, &form, &which, &peer) : 2;
    const char *device = argc > options ? argv[options] : NULL;
    if (options == 0 || argc > options + 1 || (device && device[0] == '-') ||
        (!shows && strcmp(command, "discover") != 0 && strcmp(command, "stop") != 0)) {
        fputs(usage, stderr);
        return 2;
    }
    return on_edge(command, device, &which, form);
}
