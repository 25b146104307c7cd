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
    "  --config FILE  attaches the edge of this JSON file to its device or takes over an existing\n"
    "                 one, maintains its routes and discovers paths. SIGHUP reloads the file.\n"
    "                 SIGTERM ends the process; the edge continues in the kernel\n"
    "  --check FILE   checks the configuration and exits\n"
    "  show           prints paths, weights, marks, delays, bytes and the last decisions. --json:\n"
    "                 for programs; --prometheus: totals as metrics in Prometheus' text format;\n"
    "                 --peer ADDRESS: only this peer; --first N: from peer N on, of peerCount;\n"
    "                 --limit N: at most N peers\n"
    "  discover       requests discovery of paths from the device's process, for example after a\n"
    "                 change of the fabric\n"
    "  stop           removes programs, maps and routes from the device after its process ended\n"
    "  release        removes the congestion control mdctcp from the kernel if no edge is\n"
    "                 configured for it\n"
    "  --licenses     prints the licences of this program and of the code compiled into it\n"
    "  --version      prints the version\n"
    "\n"
    "DEVICE may be omitted if only one device has an edge.\n";

static int quiet(enum libbpf_print_level level, const char *format, va_list arguments) {
    (void)level, (void)format, (void)arguments;
    return 0;
}

/* A process that manages an edge. */
struct keeper {
    const char *path; /* of the configuration file */
    struct config *config;
    struct kernel_edge edge;
    struct discovery discovery;
    struct edge_client client;
    struct instance instance;
    struct commands commands;
    int signals;
    int changes;     /* notifications of links and routes */
    int errors;      /* ICMP errors */
    bool is_off;     /* attaching the edge again, or starting discovery, failed */
    uint64_t put_ns; /* when the edge was last attached again */
    char said[600];
};

/* The interval of retries, since the cause may disappear without a notification. Also the minimum
 * time between two re-attachments. */
enum { AGAIN_MS = 1000 };

/* Logs an error once for all retries; without an error, clears it. */
static void say(struct keeper *keeper, const char *error) {
    if (error[0] && strcmp(error, keeper->said) != 0)
        fprintf(stderr, "evenweave-edge: %s\n", error);
    snprintf(keeper->said, sizeof keeper->said, "%s", error);
}

static uint64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Attaches parts that another program removed, and starts discovery. */
static bool put_back(struct keeper *keeper, char *error, size_t error_size) {
    if (!kernel_stands(keeper->config, &keeper->edge)) {
        const unsigned before = keeper->edge.device;
        const uint64_t now = now_ns();
        /* Limits the rate if another program removes it repeatedly. */
        if (keeper->put_ns && now - keeper->put_ns < UINT64_C(1000000) * AGAIN_MS)
            return false;
        if (!kernel_restore(keeper->config, &keeper->edge, error, error_size))
            return false;
        keeper->put_ns = now;
        fprintf(stderr, "evenweave-edge: %s has changed: the edge is attached again\n",
                keeper->config->device);
        if (keeper->edge.device != before) /* probes use the device's index */
            discovery_stop(&keeper->discovery);
    }
    return keeper->discovery.prober ||
           discovery_start(&keeper->discovery, keeper->config, &keeper->edge,
                           &keeper->client.weights, error, error_size);
}

/* Handles changes of links, filters, routes or the route to a peer. */
static void refresh(struct keeper *keeper) {
    char error[600] = "", remark[600] = "";
    keeper->is_off = !put_back(keeper, error, sizeof error);
    const uint32_t mtu = kernel_mtu(&keeper->edge);
    if (mtu && own_addresses(keeper->config, remark, sizeof remark))
        (void)routes_apply(keeper->config, keeper->edge.device, mtu, remark, sizeof remark);
    say(keeper, error[0] ? error : remark);
}

static void read_again(struct keeper *keeper) {
    char error[600];
    struct kernel_edge taken;
    error[0] = '\0';
    struct config *read = config_load(keeper->path, error, sizeof error);
    bool good = read;
    if (good && strcmp(read->device, keeper->config->device) != 0) {
        good = false;
        snprintf(error, sizeof error, "device: cannot change while the process runs");
    }
    if (good && read->address.family != keeper->config->address.family) {
        good = false;
        snprintf(error, sizeof error, "address: must stay of its family while the process runs");
    }
    if (good && !edge_client_same(&read->controller, &keeper->config->controller)) {
        good = false;
        snprintf(error, sizeof error, "controller: cannot change while the process runs");
    }
    good = good && edge_client_carry_over(&keeper->client, read, error, sizeof error);
    if (good && kernel_install(read, &taken, error, sizeof error)) {
        discovery_stop(&keeper->discovery);
        kernel_forget(&keeper->edge);
        keeper->edge = taken;
        config_free(keeper->config);
        keeper->config = read;
        keeper->client.config = read;
        if (discovery_start(&keeper->discovery, read, &keeper->edge, &keeper->client.weights, error,
                            sizeof error)) {
            puts("configuration read");
            fflush(stdout);
            say(keeper, error); /* a warning */
        } else {
            fprintf(stderr, "evenweave-edge: %s: %s; paths stay\n", keeper->path, error);
            keeper->is_off = true;
        }
        return;
    }
    fprintf(stderr, "evenweave-edge: %s: %s; the previous configuration stays in use\n",
            keeper->path, error);
    config_free(read);
    /* The reload may have failed half-way. */
    keeper->is_off = !kernel_restore(keeper->config, &keeper->edge, error, sizeof error);
    if (keeper->is_off)
        say(keeper, error);
    else
        refresh(keeper);
}

/* Reads and discards data. */
static void drain(int readable) {
    char buffer[8192];
    while (recv(readable, buffer, sizeof buffer, MSG_DONTWAIT) > 0) {
    }
}

enum { SIGNALS, CHANGES, ERRORS, COMMANDS, PROBE_ERRORS, PROBE_ANSWERS, SOURCES };

/* Handles one iteration of the loop. Returns false after SIGTERM or SIGINT. */
static bool turn(struct keeper *keeper, const struct pollfd *ready) {
    struct signalfd_siginfo signal = {0};
    while (ready[COMMANDS].revents && commands_take(&keeper->commands))
        discovery_hurry(&keeper->discovery);
    discovery_serve(&keeper->discovery);
    bool changed = ready[CHANGES].revents || keeper->is_off;
    if (ready[CHANGES].revents)
        drain(keeper->changes);
    if (ready[ERRORS].revents)
        changed |=
            path_mtu_learn(keeper->errors, kernel_mtu(&keeper->edge), now_ns(), keeper->config);
    changed |= path_mtu_forget(now_ns(), keeper->config);
    if (changed)
        refresh(keeper);
    if (!discovery_is_asked(&keeper->discovery))
        commands_answer(&keeper->commands, !keeper->is_off);
    if (!(ready[SIGNALS].revents & POLLIN) || read(keeper->signals, &signal, sizeof signal) < 0)
        return true;
    if (signal.ssi_signo == SIGHUP) {
        notify_reloading();
        read_again(keeper);
        notify_ready();
    }
    return signal.ssi_signo == SIGHUP;
}

static int wait_ms(const struct keeper *keeper) {
    const int forget = path_mtu_wait_ms(now_ns(), keeper->config);
    const int alive = notify_period_ms();
    int wait = discovery_wait_ms(&keeper->discovery);
    if (alive >= 0 && (wait < 0 || wait > alive))
        wait = alive;
    if (forget >= 0 && (wait < 0 || wait > forget))
        wait = forget;
    return keeper->is_off && (wait < 0 || wait > AGAIN_MS) ? AGAIN_MS : wait;
}

/* Runs until SIGTERM or SIGINT. */
static void serve(struct keeper *keeper) {
    for (bool going = true; going;) {
        struct pollfd ready[SOURCES] = {
            [SIGNALS] = {.fd = keeper->signals, .events = POLLIN},
            [CHANGES] = {.fd = keeper->changes, .events = POLLIN},
            [ERRORS] = {.fd = keeper->errors, .events = POLLIN},
            [COMMANDS] = {.fd = keeper->commands.listening, .events = POLLIN},
            [PROBE_ERRORS] = {.fd = keeper->discovery.errors, .events = POLLIN},
            [PROBE_ANSWERS] = {.fd = keeper->discovery.answers, .events = POLLIN}};
        if (poll(ready, SOURCES, wait_ms(keeper)) < 0 && errno != EINTR)
            return;
        notify_alive();
        pthread_mutex_lock(&keeper->client.lock);
        going = turn(keeper, ready);
        pthread_mutex_unlock(&keeper->client.lock);
    }
}

/* Removes everything that a failed start added. */
static void give_up(struct keeper *keeper, bool there) {
    if (there)
        kernel_forget(&keeper->edge);
    else
        (void)kernel_remove(&keeper->edge);
}

/* Attaches the edge and manages it. */
static int keep(struct keeper *keeper) {
    char error[600] = "";
    struct kernel_edge before;
    const bool there = kernel_find(if_nametoindex(keeper->config->device), &before);
    if (there)
        kernel_forget(&before);
    if (!kernel_install(keeper->config, &keeper->edge, error, sizeof error)) {
        fprintf(stderr, "evenweave-edge: %s: %s\n", keeper->path, error);
        return 1;
    }
    say(keeper, error); /* a warning */
    if (!discovery_start(&keeper->discovery, keeper->config, &keeper->edge, &keeper->client.weights,
                         error, sizeof error)) {
        fprintf(stderr, "evenweave-edge: %s: %s\n", keeper->path, error);
        give_up(keeper, there);
        return 1;
    }
    const bool started = edge_client_start(&keeper->client, keeper->config, &keeper->edge);
    if (started) {
        puts("ready");
        fflush(stdout);
        notify_ready();
        serve(keeper);
        edge_client_stop(&keeper->client);
    } else {
        fputs("evenweave-edge: cannot start the controller's thread\n", stderr);
    }
    discovery_stop(&keeper->discovery);
    if (started)
        kernel_forget(&keeper->edge);
    else
        give_up(keeper, there);
    return started ? 0 : 1;
}

static int run(struct keeper *keeper) {
    const char *device = keeper->config->device;
    sigset_t handled;
    /* Sessions write with MSG_NOSIGNAL, but a write to a closed log pipe would raise SIGPIPE. */
    (void)signal(SIGPIPE, SIG_IGN);
    sigemptyset(&handled);
    sigaddset(&handled, SIGTERM);
    sigaddset(&handled, SIGINT);
    sigaddset(&handled, SIGHUP);
    sigprocmask(SIG_BLOCK, &handled, NULL);
    keeper->signals = signalfd(-1, &handled, SFD_CLOEXEC);
    keeper->changes = netlink_watch();
    keeper->errors = path_mtu_watch(keeper->config);
    if (keeper->signals < 0 || keeper->changes < 0 || keeper->errors < 0 || !filter_may_look()) {
        fputs("evenweave-edge: cannot receive the kernel's notifications: it needs root\n", stderr);
        return 1;
    }
    const int taken = instance_take(&keeper->instance, device);
    if (taken) {
        act_explain(device, taken);
        return 1;
    }
    int status = 1;
    if (commands_listen(&keeper->commands, device)) {
        status = keep(keeper);
        commands_close(&keeper->commands);
    } else {
        act_explain(device, -errno);
    }
    instance_leave(&keeper->instance);
    return status;
}

static int configured(const char *path, bool check) {
    char error[600];
    struct keeper keeper = {.path = path, .config = config_load(path, error, sizeof error)};
    if (!keeper.config) {
        fprintf(stderr, "evenweave-edge: %s: %s\n", path, error);
        return 2;
    }
    if (check)
        edge_client_warn(&keeper.config->controller, path);
    const int status = check ? 0 : run(&keeper);
    config_free(keeper.config);
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
    return show(edge, which, form) && act_look_for_paths(edge);
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
