/* UNIX sockets for local processes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/system_clock.h"
#include "local_socket.h"
#include "testing.h"

static void without_descriptors_a_connection_waits_and_nobody_spins(void **state) {
    (void)state;
    char folder[] = "/tmp/local-XXXXXX";
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct rlimit limit;
    assert_non_null(mkdtemp(folder));
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
    const int listening = local_socket_listen(address.sun_path, 0700, 1);
    const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(listening >= 0 && client >= 0);
    assert_int_equal(connect(client, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    const int64_t begin_ns = base_system_clock_ns(CLOCK_MONOTONIC);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(local_socket_accept(listening), -1);
        assert_int_equal(errno, EMFILE);
    }
    assert_true(base_system_clock_ns(CLOCK_MONOTONIC) - begin_ns >=
                INT64_C(3) * LOCAL_SOCKET_PAUSE_NS);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    const int connection = local_socket_accept(listening);
    assert_true(connection >= 0);
    close(connection);
    close(client);
    close(listening);
    unlink(address.sun_path);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_descriptors_a_connection_waits_and_nobody_spins),
    };
    return cmocka_run_group_tests_name("local_socket", tests, NULL, NULL);
}
