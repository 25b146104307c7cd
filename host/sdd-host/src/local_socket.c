#include "local_socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

int local_socket_listen(const char *path, mode_t mode, int backlog) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path) + 1);
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const mode_t mask = umask(~mode & 0777);
    unlink(path);
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
