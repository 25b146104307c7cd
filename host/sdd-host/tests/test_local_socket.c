/* UNIX sockets for local processes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
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

static void only_the_socket_of_a_process_that_is_gone_is_replaced(void **state) {
    (void)state;
    char folder[] = "/tmp/local-XXXXXX", path[sizeof folder + 10];
    struct stat there;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/socket", folder);
    const int first = local_socket_listen(path, 0750, 1);
    assert_true(first >= 0);
    assert_int_equal(stat(path, &there), 0);
    assert_int_equal(there.st_mode & 0777, 0750);
    assert_int_equal(local_socket_listen(path, 0750, 1), -1);
    assert_int_equal(errno, EADDRINUSE);
    close(first);
    const int second = local_socket_listen(path, 0700, 1);
    assert_true(second >= 0);
    assert_int_equal(stat(path, &there), 0);
    assert_int_equal(there.st_mode & 0777, 0700);
    close(second);
    unlink(path);
    rmdir(folder);
}

static void a_file_that_is_no_socket_stays(void **state) {
    (void)state;
    char path[] = "/tmp/local-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(local_socket_listen(path, 0700, 1), -1);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(access(path, F_OK), 0);
    close(file);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_socket_of_a_process_that_is_gone_is_replaced),
        cmocka_unit_test(a_file_that_is_no_socket_stays),
        cmocka_unit_test(without_descriptors_a_connection_waits_and_nobody_spins),
    };
    return cmocka_run_group_tests_name("local_socket", tests, NULL, NULL);
}
