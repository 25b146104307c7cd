/* The client with a scripted peer. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "sdd_client/sdd_client.h"
#include "testing.h"

#define GREETING "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"

struct peer {
    char path[64];
    const char *says; /* sent at once */
    bool stays;       /* stays connected in silence until the client closes */
    char heard[4096]; /* all received bytes */
    int listening;
    pthread_t thread;
};

static char error[200]; /* of the last failed connection */

static void *talk(void *argument) {
    struct peer *peer = argument;
    const int connection = accept(peer->listening, NULL, NULL);
    size_t used = 0;
    assert_int_equal(send(connection, peer->says, strlen(peer->says), MSG_NOSIGNAL),
                     strlen(peer->says));
    if (!peer->stays)
        shutdown(connection, SHUT_WR);
    for (ssize_t size = 1; size > 0; used += size > 0 ? (size_t)size : 0)
        size = recv(connection, peer->heard + used, sizeof peer->heard - 1 - used, 0);
    close(connection);
    return NULL;
}

static struct sdd_client *meet(struct peer *peer, const char *says, bool stays) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *peer = (struct peer){.says = says, .stays = stays};
    snprintf(peer->path, sizeof peer->path, "/tmp/test_sdd_client.%d", getpid());
    memcpy(address.sun_path, peer->path, sizeof peer->path);
    unlink(peer->path);
    peer->listening = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(peer->listening, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(peer->listening, 1), 0);
    assert_int_equal(pthread_create(&peer->thread, NULL, talk, peer), 0);
    return sdd_client_connect(peer->path, "test", error, sizeof error);
}

static void part(struct peer *peer, struct sdd_client *client) {
    sdd_client_close(client);
    pthread_join(peer->thread, NULL);
    close(peer->listening);
    unlink(peer->path);
}

static void answers_are_told_from_events(void **state) {
    (void)state;
    struct peer peer;
    struct sdd_client_event event;
    uint32_t queue = 0;
    struct sdd_client *client = meet(
        &peer,
        GREETING
        "{\"jsonrpc\":\"2.0\",\"method\":\"triggered\",\"params\":{\"trigger\":3,\"queue\":48,"
        "\"cookie\":9,\"timeNs\":5,\"packets\":2,\"bytes\":300,\"dropped\":1}}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"queue\":48}}\n"
        "{\"jsonrpc\":\"2.0\",\"method\":\"unmapped\",\"params\":{\"queue\":48,\"match\":{}}}\n",
        false);
    assert_non_null(client);
    const struct sdd_client_queue settings = {.priority = 5, .closed_by_default = true};
    assert_true(sdd_client_open_queue(client, &settings, &queue));
    assert_int_equal(queue, 48);
    assert_true(sdd_client_next_event(client, 0, &event));
    assert_int_equal(event.kind, SDD_CLIENT_TRIGGERED);
    assert_int_equal(event.trigger, 3);
    assert_int_equal(event.cookie, 9);
    assert_int_equal(event.bytes, 300);
    assert_int_equal(event.dropped, 1);
    assert_true(sdd_client_next_event(client, -1, &event));
    assert_int_equal(event.kind, SDD_CLIENT_UNMAPPED);
    assert_false(sdd_client_next_event(client, -1, &event));
    assert_string_equal(sdd_client_error(client), "sdd-host has ended the connection");
    part(&peer, client);
    assert_non_null(strstr(peer.heard, "\"method\":\"hello\",\"params\":{\"name\":\"test\"}}\n"));
    assert_non_null(strstr(peer.heard, "\"closedByDefault\":true"));
    assert_non_null(strstr(peer.heard, "\"maxPackets\":1000"));
}

static void a_refusal_is_one_sentence(void **state) {
    (void)state;
    struct peer peer;
    struct sdd_client *client = meet(&peer,
                                     GREETING
                                     "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32002,"
                                     "\"message\":\"enough\",\"data\":{\"status\":\"QUOTA\"}}}\n",
                                     false);
    assert_false(sdd_client_add_condition(client, 1, "TRUE"));
    assert_string_equal(sdd_client_error(client), "QUOTA: enough");
    assert_false(sdd_client_map_socket(client, 1, peer.listening));
    assert_string_equal(sdd_client_error(client), "the socket is not connected");
    assert_false(sdd_client_request(client, "openQueue", "{", NULL));
    part(&peer, client);
}

static void who_may_not_come_in_is_told_so(void **state) {
    (void)state;
    struct peer peer;
    struct sdd_client *client = meet(&peer,
                                     "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32001,"
                                     "\"message\":\"no\",\"data\":{\"status\":\"DENIED\"}}}\n",
                                     false);
    assert_null(client);
    assert_string_equal(error, "DENIED: no");
    part(&peer, client);
}

static void what_is_no_message_ends_the_wait(void **state) {
    (void)state;
    struct peer peer;
    struct sdd_client_event event;
    struct sdd_client *client = meet(&peer, GREETING "[]\n", false);
    assert_false(sdd_client_next_event(client, -1, &event));
    part(&peer, client);
    assert_null(sdd_client_connect("/nowhere", "test", error, sizeof error));
    assert_string_equal(error, "/nowhere: No such file or directory");
}

static void nothing(int signal) {
    (void)signal;
}

/* Signals interrupt a wait, but must not extend it. */
static void signals_do_not_put_off_the_end_of_a_wait(void **state) {
    (void)state;
    struct peer peer;
    struct sdd_client_event event;
    const struct sigaction on_alarm = {.sa_handler = nothing, .sa_flags = SA_RESTART};
    const struct itimerval often = {{.tv_usec = 1000}, {.tv_usec = 1000}}, never = {0};
    struct sdd_client *client = meet(&peer, GREETING, true);
    assert_non_null(client);
    sigaction(SIGALRM, &on_alarm, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    assert_false(sdd_client_next_event(client, 20, &event));
    setitimer(ITIMER_REAL, &never, NULL);
    assert_string_equal(sdd_client_error(client), "");
    part(&peer, client);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_told_from_events),
        cmocka_unit_test(a_refusal_is_one_sentence),
        cmocka_unit_test(who_may_not_come_in_is_told_so),
        cmocka_unit_test(what_is_no_message_ends_the_wait),
        cmocka_unit_test(signals_do_not_put_off_the_end_of_a_wait),
    };
    return cmocka_run_group_tests_name("sdd_client", tests, NULL, NULL);
}
