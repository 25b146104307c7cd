#include "command.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "instance.h"

/* A message of the process. */
enum reply { REPLY_NOTHING, REPLY_BEGINS, REPLY_ENDED, REPLY_IDLE };

/* A running process handles commands many times in this time, even while it reloads its file. */
enum { BEGINS_WITHIN_MS = 10000 };

static bool name_socket(const char *device, struct sockaddr_un *name) {
    _Static_assert(INSTANCE_PATH_BYTES <= sizeof name->sun_path, "a socket may have the name");
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    return instance_socket(device, name->sun_path);
}

static int open_socket(void) {
    return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

bool commands_listen(struct commands *commands, const char *device) {
    struct sockaddr_un name;
    *commands = (struct commands){.listening = open_socket()};
    if (commands->listening < 0)
        return false;
    if (name_socket(device, &name)) {
        (void)unlink(name.sun_path); /* left by a killed process */
        if (bind(commands->listening, (const struct sockaddr *)&name, sizeof name) == 0 &&
            listen(commands->listening, COMMANDS_WAITING) == 0)
            return true;
    }
    const int error = errno;
    close(commands->listening);
    errno = error;
    return false;
}

void commands_close(struct commands *commands) {
    while (commands->count)
        close(commands->waiting[--commands->count]);
    close(commands->listening);
}

static bool send_reply(int to, enum reply reply) {
    const uint8_t message = (uint8_t)reply;
    return send(to, &message, sizeof message, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof message;
}

static void close_disconnected(struct commands *commands) {
    unsigned kept = 0;
    for (unsigned i = 0; i < commands->count; i++) {
        struct pollfd one = {.fd = commands->waiting[i]};
        if (poll(&one, 1, 0) > 0)
            close(one.fd);
        else
            commands->waiting[kept++] = one.fd;
    }
    commands->count = kept;
}

bool commands_take(struct commands *commands) {
    const int connection = accept4(commands->listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0)
        return false;
    close_disconnected(commands);
    if (commands->count < COMMANDS_WAITING && send_reply(connection, REPLY_BEGINS))
        commands->waiting[commands->count++] = connection;
    else
        close(connection);
    return true;
}

void commands_answer(struct commands *commands, bool discovered) {
    while (commands->count) {
        const int connection = commands->waiting[--commands->count];
        (void)send_reply(connection, discovered ? REPLY_ENDED : REPLY_IDLE);
        close(connection);
    }
}

/* Whether the peer of the connection may manage an edge. */
static bool is_trusted(int connection) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           instance_is_trusted(peer.uid);
}

/* Returns a connection to the device's process, or a negative number with errno. */
static int connect_to(const char *device) {
    struct sockaddr_un name;
    const int connection = name_socket(device, &name) ? open_socket() : -1;
    if (connection >= 0 && connect(connection, (const struct sockaddr *)&name, sizeof name) == 0 &&
        is_trusted(connection))
        return connection;
    if (connection >= 0)
        close(connection);
    return -1;
}

/* Returns the next message, REPLY_NOTHING after a time-out, or REPLY_ENDED after the connection
 * closed. */
static enum reply receive_reply(int connection, int within_ms) {
    struct pollfd one = {.fd = connection, .events = POLLIN};
    uint8_t reply = REPLY_NOTHING;
    if (poll(&one, 1, within_ms) > 0)
        (void)!recv(connection, &reply, sizeof reply, MSG_DONTWAIT);
    return reply <= REPLY_IDLE ? (enum reply)reply : REPLY_NOTHING;
}

enum command_outcome command_discover(const char *device) {
    const int connection = connect_to(device);
    if (connection < 0)
        return instance_is_taken(device) ? COMMAND_STUCK : COMMAND_NOBODY;
    enum command_outcome outcome = COMMAND_STUCK;
    if (receive_reply(connection, BEGINS_WITHIN_MS) == REPLY_BEGINS) {
        const enum reply reply = receive_reply(connection, -1);
        outcome = reply == REPLY_ENDED  ? COMMAND_DONE
                  : reply == REPLY_IDLE ? COMMAND_IDLE
                                        : COMMAND_LEFT;
    }
    close(connection);
    return outcome;
}

void command_begin_discovery(const char *device) {
    const int connection = connect_to(device);
    if (connection >= 0)
        close(connection);
}
