#include "lines.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

bool lines_connect(struct lines *lines, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    lines->used = 0;
    lines->socket = -1;
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    lines->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return lines->socket >= 0 &&
           connect(lines->socket, (struct sockaddr *)&address, sizeof address) == 0;
}

void lines_close(struct lines *lines) {
    if (lines->socket >= 0)
        close(lines->socket);
    lines->socket = -1;
}

bool lines_put(struct lines *lines, const json_t *message) {
    char *text = json_dumps(message, JSON_COMPACT);
    if (!text) {
        errno = ENOMEM;
        return false;
    }
    size_t length = strlen(text), sent = 0;
    text[length++] = '\n'; /* replaces the final zero */
    while (sent < length) {
        const ssize_t size = send(lines->socket, text + sent, length - sent, MSG_NOSIGNAL);
        if (size < 0 && errno != EINTR)
            break;
        sent += size > 0 ? (size_t)size : 0;
    }
    free(text);
    return sent == length;
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

/* Receives bytes. Returns false with errno. */
static bool receive(struct lines *lines, int timeout_ms) {
    struct pollfd polled = {.fd = lines->socket, .events = POLLIN};
    const int ready = poll(&polled, 1, timeout_ms);
    if (ready == 0)
        errno = ETIMEDOUT;
    if (ready <= 0)
        return ready < 0 && errno == EINTR;
    const ssize_t size =
        recv(lines->socket, lines->received + lines->used, sizeof lines->received - lines->used, 0);
    if (size == 0)
        errno = EPIPE;
    lines->used += size > 0 ? (size_t)size : 0;
    return size > 0 || (size < 0 && errno == EINTR);
}

json_t *lines_next(struct lines *lines, int timeout_ms) {
    const int64_t until_ms = now_ms() + timeout_ms;
    int left_ms = timeout_ms;
    const char *end;
    while (!(end = memchr(lines->received, '\n', lines->used))) {
        if (lines->used == sizeof lines->received) {
            errno = EPROTO;
            return NULL;
        }
        if (!receive(lines, left_ms))
            return NULL;
        if (timeout_ms >= 0) {
            const int64_t left = until_ms - now_ms();
            left_ms = left > 0 ? (int)left : 0;
        }
    }
    const size_t length = (size_t)(end - lines->received);
    json_t *message = json_loadb(lines->received, length, 0, NULL);
    lines->used -= length + 1;
    memmove(lines->received, end + 1, lines->used);
    if (!json_is_object(message)) {
        json_decref(message);
        errno = EPROTO;
        return NULL;
    }
    return message;
}
