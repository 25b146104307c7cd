#include "trial.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"
#include "host_client.h"
#include "local_socket.h"
#include "nic.h"

static bool devices_are_there(const struct config *config, char *error, size_t error_size) {
    for (unsigned number = 0; number < MAX_PORTS; number++)
        if (!nic_is_there(config, number, error, error_size))
            return false;
    return true;
}

static bool namespace_is_there(const struct config *config, unsigned h, char *error,
                               size_t error_size) {
    const char *path = config->hosts[h].tap_namespace;
    if (path[0] == '\0' || access(path, R_OK) == 0)
        return true;
    snprintf(error, error_size, "hosts[%u].tapNamespace: %s: %s", h, path, strerrordesc_np(errno));
    return false;
}

static bool holds_socket(const struct config *config, const char *path) {
    bool holds = strcmp(config->statistics_socket, path) == 0;
    for (unsigned h = 0; h < config->hosts_count; h++)
        holds = holds || strcmp(config->hosts[h].applications.socket, path) == 0;
    return holds;
}

static bool can_listen(const char *path, const struct config *running) {
    if (path[0] == '\0' || holds_socket(running, path))
        return true;
    const int listening = local_socket_listen(path, 0700, 1);
    if (listening < 0)
        return false;
    close(listening);
    unlink(path);
    return true;
}

static bool sockets_can_be_made(const struct config *config, const struct config *running,
                                char *error, size_t error_size) {
    if (!can_listen(config->statistics_socket, running)) {
        snprintf(error, error_size, "statistics: cannot create %s: %s", config->statistics_socket,
                 strerrordesc_np(errno));
        return false;
    }
    for (unsigned h = 0; h < config->hosts_count; h++) {
        const char *path = config->hosts[h].applications.socket;
        if (can_listen(path, running))
            continue;
        snprintf(error, error_size, "hosts[%u].applications.socket: cannot create %s: %s", h, path,
                 strerrordesc_np(errno));
        return false;
    }
    return true;
}

static bool holds_port(const struct config *config, uint16_t port) {
    bool holds = false;
    for (unsigned h = 0; h < config->hosts_count; h++)
        holds = holds || config->hosts[h].control.datagram_port == port;
    return holds;
}

static bool hears_datagrams(const struct config *config, unsigned h, const struct config *running,
                            char *error, size_t error_size) {
    const struct control_config *control = &config->hosts[h].control;
    if (control->controllers.count == 0)
        return true;
    const int bound = agent_datagram_socket(control);
    if (bound >= 0)
        close(bound);
    if (bound >= 0 || (errno == EADDRINUSE && holds_port(running, control->datagram_port)))
        return true;
    snprintf(error, error_size, "hosts[%u].control.datagramPort: cannot open the socket: %s", h,
             strerrordesc_np(errno));
    return false;
}

bool trial_passes(const struct config *config, const struct config *running, char *error,
                  size_t error_size) {
    if (!devices_are_there(config, error, error_size) ||
        !sockets_can_be_made(config, running, error, error_size))
        return false;
    for (unsigned h = 0; h < config->hosts_count; h++)
        if (!namespace_is_there(config, h, error, error_size) ||
            !hears_datagrams(config, h, running, error, error_size) ||
            !host_client_check(&config->hosts[h], error, error_size))
            return false;
    return true;
}
