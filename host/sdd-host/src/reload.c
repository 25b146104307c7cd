#include "reload.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char **arguments;
static cpu_set_t cores;

void reload_prepare(char **argv) {
    arguments = argv;
    sched_getaffinity(0, sizeof cores, &cores);
}

/* Whether the process may use the core once it has started anew. */
static bool may_use(int cpu, const char *field, char *error, size_t error_size) {
    if (cpu < 0 || CPU_ISSET((size_t)cpu, &cores))
        return true;
    snprintf(error, error_size, "cores.%s: this process may not run on core %d", field, cpu);
    return false;
}

struct config *reload_config(const char *path) {
    char error[600];
    struct config *config = config_load(path, error, sizeof error);
    if (config && config_suits_kernel(config, config_rt_runtime_us(), error, sizeof error) &&
        may_use(config->evaluate_cpu, "evaluate", error, sizeof error) &&
        may_use(config->transmit_cpu, "transmit", error, sizeof error) &&
        may_use(config->ingest_cpu, "ingest", error, sizeof error))
        return config;
    fprintf(stderr, "sdd-host: %s: %s: the configuration before stays\n", path, error);
    config_free(config);
    return NULL;
}

bool reload_keeps(const struct config *config, const struct host_config *host) {
    for (unsigned h = 0; h < config->hosts_count; h++) {
        const struct host_config *other = &config->hosts[h];
        if (strcmp(other->name, host->name) == 0 && strcmp(other->tap, host->tap) == 0 &&
            strcmp(other->tap_namespace, host->tap_namespace) == 0)
            return true;
    }
    return false;
}

void reload_now(void) {
    sched_setaffinity(0, sizeof cores, &cores);
    execvp(arguments[0], arguments);
    fprintf(stderr, "sdd-host: cannot start %s anew: %s\n", arguments[0], strerrordesc_np(errno));
}
