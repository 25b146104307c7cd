#include "notify.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* NOLINTBEGIN(concurrency-mt-unsafe): no thread changes the environment */
static void send_state(const char *state) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    const char *path = getenv("NOTIFY_SOCKET");
    const size_t length = path ? strlen(path) : 0;
    if (length == 0 || length >= sizeof to.sun_path)
        return;
    memcpy(to.sun_path, path, length);
    if (path[0] == '@') /* an abstract name, not in the file system */
        to.sun_path[0] = '\0';
    const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    const int manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (manager < 0 ||
        sendto(manager, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&to, size) < 0)
        fprintf(stderr, "cannot notify the service manager of \"%s\": %s\n", state,
                strerrordesc_np(errno));
    if (manager >= 0)
        close(manager);
}

void notify_ready(void) {
    send_state("READY=1\nWATCHDOG=1");
}

void notify_reloading(void) {
    char state[64];
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    const uint64_t us = (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
    snprintf(state, sizeof state, "RELOADING=1\nMONOTONIC_USEC=%llu", (unsigned long long)us);
    send_state(state);
}

void notify_alive(void) {
    if (notify_period_ms() >= 0)
        send_state("WATCHDOG=1");
}

int notify_period_ms(void) {
    const char *limit = getenv("WATCHDOG_USEC"), *process = getenv("WATCHDOG_PID");
    if (!limit || (process && strtol(process, NULL, 10) != getpid()))
        return -1;
    const unsigned long long us = strtoull(limit, NULL, 10);
    if (us == 0)
        return -1;
    const unsigned long long ms = us / 2000;
    return ms > INT_MAX ? INT_MAX : ms == 0 ? 1 : (int)ms;
}
/* NOLINTEND(concurrency-mt-unsafe) */
