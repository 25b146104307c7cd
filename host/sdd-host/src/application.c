#include "application.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_PEER_GROUPS = 1024 };

void application_receive(struct application *application) {
    const size_t room = sizeof application->input - application->input_used;
    if (room == 0)
        return;
    const ssize_t size = recv(application->connection, application->input + application->input_used,
                              room, MSG_DONTWAIT);
    if (size > 0)
        application->input_used += (size_t)size;
    else if (size == 0)
        application->input_over = true;
    else if (errno != EAGAIN && errno != EINTR)
        application->broken = true;
}

bool application_line(const struct application *application, size_t *length) {
    const char *end = memchr(application->input, '\n', application->input_used);
    if (!end)
        return false;
    *length = (size_t)(end - application->input);
    return true;
}

void application_drop_line(struct application *application, size_t length) {
    application->input_used -= length + 1;
    memmove(application->input, application->input + length + 1, application->input_used);
}

bool application_put(struct application *application, const char *text, size_t length) {
    if (sizeof application->output - application->output_used < length + 1)
        return false;
    memcpy(application->output + application->output_used, text, length);
    application->output[application->output_used + length] = '\n';
    application->output_used += length + 1;
    return true;
}

void application_send(struct application *application) {
    if (application->output_used == 0)
        return;
    const ssize_t size = send(application->connection, application->output,
                              application->output_used, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (size > 0) {
        application->output_used -= (size_t)size;
        memmove(application->output, application->output + size, application->output_used);
    } else if (errno != EAGAIN && errno != EINTR) {
        application->broken = true;
        application->output_used = 0;
    }
}

void application_hang_up(int connection) {
    char unread[APPLICATION_LINE_BYTES];
    shutdown(connection, SHUT_RD); /* accepts no input after the data received so far */
    while (recv(connection, unread, sizeof unread, MSG_DONTWAIT) > 0)
        ;
    close(connection);
}

static bool among(const gid_t *groups, size_t count, uint32_t wanted) {
    for (size_t i = 0; i < count; i++)
        if (groups[i] == wanted)
            return true;
    return false;
}

const struct access_rule *application_access(int connection,
                                             const struct applications_config *config,
                                             uint32_t *user, int32_t *process) {
    struct ucred peer;
    gid_t groups[MAX_PEER_GROUPS];
    socklen_t size = sizeof peer, groups_size = sizeof groups;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return NULL;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERGROUPS, groups, &groups_size) != 0)
        groups_size = 0; /* more groups than fit; the first group still applies */
    *user = peer.uid;
    *process = peer.pid;
    for (unsigned i = 0; i < config->rules_count; i++) {
        const struct access_rule *rule = &config->rules[i];
        if (rule->of_group
                ? rule->id == peer.gid || among(groups, groups_size / sizeof *groups, rule->id)
                : rule->id == peer.uid)
            return rule;
    }
    return NULL;
}
