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

struct config *reload_config(const char *path) {
    char error[600];
    struct config *config = config_load(path, error, sizeof error);
    if (!config)
        fprintf(stderr, "sdd-host: %s: %s: the configuration before stays\n", path, error);
    return config;
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
