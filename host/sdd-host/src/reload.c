#include "reload.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "trial.h"

/* The environment variable that a process passes to its successor: two descriptors, "PROGRAM
 * CONFIGURATION", to which to return on failure. With -1 as program the successor itself must run
 * that configuration. It is not an argument, because earlier versions would reject it. */
#define HANDED_OVER "SDD_HOST_BEFORE"

/* A program and a configuration; -1: none. */
struct version {
    int program;
    int configuration;
};

static char **arguments;
static cpu_set_t cores;
static struct version running = {-1, -1}; /* as they were at the start */
static struct version before = {-1, -1};  /* to which this start returns if it fails */

static void set_inherited(int descriptor, bool inherited) {
    if (descriptor >= 0)
        fcntl(descriptor, F_SETFD, inherited ? 0 : FD_CLOEXEC);
}

void reload_prepare(char **argv) {
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread exists yet */
    const char *handed_over = getenv(HANDED_OVER);
    char text[32];
    char *rest = text;
    if (handed_over) {
        snprintf(text, sizeof text, "%s", handed_over);
        before.program = (int)strtol(text, &rest, 10);
        before.configuration = (int)strtol(rest, NULL, 10);
        set_inherited(before.program, false);
        set_inherited(before.configuration, false);
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): as above */
        unsetenv(HANDED_OVER);
    }
    arguments = argv;
    sched_getaffinity(0, sizeof cores, &cores);
    /* the kernel still has this file if it has been replaced meanwhile */
    running.program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    /* the kernel names a program started from a descriptor by its number */
    prctl(PR_SET_NAME, program_invocation_short_name);
}

static bool write_all(int to, const char *bytes, ssize_t size) {
    while (size > 0) {
        const ssize_t written = write(to, bytes, (size_t)size);
        if (written < 0)
            return false;
        bytes += written;
        size -= written;
    }
    return true;
}

/* Copies the file to memory and returns the copy's descriptor; returns -1 with errno. */
static int copy_of(const char *path) {
    char bytes[4096];
    ssize_t size = -1;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    int copy = file < 0 ? -1 : memfd_create("configuration", MFD_CLOEXEC);
    while (copy >= 0 && (size = read(file, bytes, sizeof bytes)) > 0)
        if (!write_all(copy, bytes, size)) {
            size = -1;
            break;
        }
    const int reason = errno;
    if (copy >= 0 && size < 0) {
        close(copy);
        copy = -1;
    }
    if (file >= 0)
        close(file);
    errno = reason;
    return copy;
}

static struct config *load(int configuration, char *error, size_t error_size) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", configuration);
    return config_load(path, error, error_size);
}

struct config *reload_first(const char *path, char *error, size_t error_size) {
    const bool went_back = before.program < 0 && before.configuration >= 0;
    running.configuration = went_back ? before.configuration : copy_of(path);
    if (went_back)
        before.configuration = -1;
    if (running.configuration >= 0)
        return load(running.configuration, error, error_size);
    snprintf(error, error_size, "cannot be read: %s", strerrordesc_np(errno));
    return NULL;
}

/* Whether the process may use the core after a restart. */
static bool may_use(int cpu, const char *field, char *error, size_t error_size) {
    if (cpu < 0 || CPU_ISSET((size_t)cpu, &cores))
        return true;
    snprintf(error, error_size, "cores.%s: this process may not run on core %d", field, cpu);
    return false;
}

/* Closes DPDK's descriptors on exec, which DPDK itself does not. */
static void inherit_no_descriptors(void) {
    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

/* Whether the program, as it is now, runs and accepts the configuration. */
static bool program_passes(const char *path, char *error, size_t error_size) {
    char *const check[] = {arguments[0], "--check", (char *)path, NULL};
    pid_t process;
    int status = 0;
    inherit_no_descriptors();
    const int reason = posix_spawnp(&process, arguments[0], NULL, NULL, check, environ);
    if (reason != 0) {
        snprintf(error, error_size, "cannot start %s: %s", arguments[0], strerrordesc_np(reason));
        return false;
    }
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    snprintf(error, error_size, "%s --check fails", arguments[0]);
    return false;
}

struct config *reload_config(const char *path, const struct config *old) {
    char error[600];
    struct config *config = config_load(path, error, sizeof error);
    if (config && config_suits_kernel(config, config_rt_runtime_us(), error, sizeof error) &&
        may_use(config->evaluate_cpu, "evaluate", error, sizeof error) &&
        may_use(config->transmit_cpu, "transmit", error, sizeof error) &&
        may_use(config->ingest_cpu, "ingest", error, sizeof error) &&
        trial_passes(config, old, error, sizeof error) && program_passes(path, error, sizeof error))
        return config;
    fprintf(stderr, "sdd-host: %s: %s: the previous configuration stays in use\n", path, error);
    config_free(config);
    return NULL;
}

/* Returns the host that has the same TAP device as a host of another configuration; null: none. */
static const struct host_config *taken_over_by(const struct config *config,
                                               const struct host_config *host) {
    for (unsigned h = 0; h < config->hosts_count; h++) {
        const struct host_config *other = &config->hosts[h];
        if (strcmp(other->tap, host->tap) == 0 &&
            strcmp(other->tap_namespace, host->tap_namespace) == 0)
            return other;
    }
    return NULL;
}

bool reload_keeps(const struct config *config, const struct host_config *host) {
    const struct host_config *by = taken_over_by(config, host);
    return !by || strcmp(by->name, host->name) == 0;
}

/* Passes a version to the next program, which may run on all cores on which this one was
 * started. */
static void hand_over(struct version version) {
    char text[32];
    snprintf(text, sizeof text, "%d %d", version.program, version.configuration);
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread reads the environment */
    setenv(HANDED_OVER, text, 1);
    inherit_no_descriptors();
    set_inherited(version.program, true);
    set_inherited(version.configuration, true);
    sched_setaffinity(0, sizeof cores, &cores);
}

static void go_back(struct version version) {
    hand_over((struct version){.program = -1, .configuration = version.configuration});
    fexecve(version.program, arguments, environ);
    fprintf(stderr, "sdd-host: cannot return to the previous configuration: %s\n",
            strerrordesc_np(errno));
}

void reload_now(void) {
    hand_over(running);
    execvp(arguments[0], arguments);
    fprintf(stderr, "sdd-host: cannot restart %s: %s: the previous configuration stays in use\n",
            arguments[0], strerrordesc_np(errno));
    go_back(running);
}

void reload_succeeded(const struct config *config) {
    char error[600];
    if (before.program < 0)
        return;
    struct config *old = load(before.configuration, error, sizeof error);
    for (unsigned h = 0; old && h < old->hosts_count; h++) {
        const struct host_config *host = &old->hosts[h];
        if (host->tap[0] != '\0' && !taken_over_by(config, host))
            tap_discard(host->tap, host->tap_namespace, host->name);
    }
    config_free(old);
    close(before.program);
    close(before.configuration);
    before = (struct version){-1, -1};
}

void reload_failed(const char *path) {
    if (before.program < 0)
        return;
    fprintf(stderr, "sdd-host: %s: does not start: the previous configuration stays in use\n",
            path);
    go_back(before);
}
