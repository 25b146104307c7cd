#include "command.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char discover[] = "discover";

static socklen_t name_of(const char *device, struct sockaddr_un *name) {
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    const int length =
        snprintf(name->sun_path + 1, sizeof name->sun_path - 1, "evenweave-edge/%s", device);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

int command_listen(const char *device) {
    struct sockaddr_un name;
    const socklen_t size = name_of(device, &name);
    const int listening = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listening < 0 || bind(listening, (const struct sockaddr *)&name, size) == 0)
        return listening;
    close(listening);
    return -1;
}

bool command_take(int listening) {
    char text[sizeof discover];
    const ssize_t size = recv(listening, text, sizeof text, MSG_DONTWAIT);
    return size == (ssize_t)strlen(discover) && memcmp(text, discover, (size_t)size) == 0;
}

bool command_is_heard(const char *device) {
    struct sockaddr_un name;
    const socklen_t size = name_of(device, &name);
    const int asking = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool heard = asking >= 0 && connect(asking, (const struct sockaddr *)&name, size) == 0;
    if (asking >= 0)
        close(asking);
    return heard;
}

bool command_discover(const char *device) {
    struct sockaddr_un name;
    const socklen_t size = name_of(device, &name);
    const int sending = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool sent = sending >= 0 && sendto(sending, discover, strlen(discover), MSG_DONTWAIT,
                                             (const struct sockaddr *)&name, size) >= 0;
    if (sending >= 0)
        close(sending);
    return sent;
}
