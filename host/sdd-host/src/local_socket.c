#include "local_socket.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Whether a process listens at the socket, even one too busy to accept. */
static bool is_served(const struct sockaddr_un *address) {
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool refused = probe >= 0 &&
                         connect(probe, (const struct sockaddr *)address, sizeof *address) != 0 &&
                         errno == ECONNREFUSED;
    if (probe >= 0)
        close(probe);
    return !refused;
}

/* Removes the socket of a killed process; any other file remains. */
static bool make_room(const struct sockaddr_un *address) {
    struct stat there;
    if (lstat(address->sun_path, &there) != 0)
        return errno == ENOENT;
    if (!S_ISSOCK(there.st_mode)) {
        errno = EEXIST;
        return false;
    }
    if (is_served(address)) {
        errno = EADDRINUSE;
        return false;
    }
    return unlink(address->sun_path) == 0;
}

int local_socket_listen(const char *path, mode_t mode, int backlog) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path) + 1);
    if (!make_room(&address))
        return -1;
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const mode_t mask = umask(~mode & 0777);
    if (listening >= 0 && (bind(listening, (struct sockaddr *)&address, sizeof address) != 0 ||
                           listen(listening, backlog) != 0)) {
        const int reason = errno;
        close(listening);
        listening = -1;
        errno = reason;
    }
    umask(mask);
    return listening;
}

int local_socket_accept(int listening) {
    const int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0 &&
        (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
        const int reason = errno;
        nanosleep(&(struct timespec){.tv_nsec = LOCAL_SOCKET_PAUSE_NS}, NULL);
        errno = reason;
    }
    return connection;
}
