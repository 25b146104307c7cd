/* Key files, and the keys of a pair of hosts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keys.h"
#include "testing.h"

#define ONE "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF"
#define OTHER "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"

static char path[] = "/tmp/evenweave-keys-XXXXXX";

static void write_file(const char *text, mode_t mode) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static int make_file(void **state) {
    (void)state;
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state) {
    (void)state;
    return unlink(path);
}

static void a_file_has_one_secret_or_two(void **state) {
    (void)state;
    struct secrets secrets;
    char error[300];
    write_file(ONE, 0600);
    assert_true(secrets_read(path, &secrets, error, sizeof error));
    assert_int_equal(secrets.count, 1);
    assert_int_equal(secrets.bytes[0][1], 0x11);
    assert_int_equal(secrets.bytes[0][31], 0xff);
    write_file(ONE "\n" OTHER "\n", 0400);
    assert_true(secrets_read(path, &secrets, error, sizeof error));
    assert_int_equal(secrets.count, 2);
    assert_int_equal(secrets.bytes[1][1], 0xee);
}

static void errors_name_the_file_and_nothing_of_its_content(void **state) {
    (void)state;
    static const struct {
        const char *text;
        mode_t mode;
        const char *why;
    } bad[] = {
        {"", 0600, "is empty"},
        {"\n", 0600, "must have one or two lines"},
        {ONE "0", 0600, "must have one or two lines"},
        {"x" ONE, 0600, "must have one or two lines"},
        {ONE " ", 0600, "must have one or two lines"},
        {ONE "\n" OTHER "\n" ONE "\n", 0600, "has more than two lines"},
        {ONE, 0640, "can be read or written by others"},
        {ONE, 0602, "can be read or written by others"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct secrets secrets;
        char error[300];
        write_file(bad[i].text, bad[i].mode);
        assert_false(secrets_read(path, &secrets, error, sizeof error));
        assert_non_null(strstr(error, path));
        assert_non_null(strstr(error, bad[i].why));
        assert_null(strstr(error, "001122"));
    }
    struct secrets secrets;
    char error[300];
    assert_false(secrets_read("/nowhere", &secrets, error, sizeof error));
    assert_string_equal(error, "/nowhere: No such file or directory");
    assert_false(secrets_read("/tmp", &secrets, error, sizeof error));
}

static struct edge_address address(const char *text) {
    struct edge_address read;
    assert_true(address_read(text, &read));
    return read;
}

/* By Python: hmac.new(bytes.fromhex(ONE), b"evenweave edge " + ::ffff:192.0.2.1 +
 * ::ffff:192.0.2.2, "sha256").digest()[:16]; the controller's test has the same. */
static void both_ends_derive_the_same_keys(void **state) {
    (void)state;
    static const uint8_t expected[16] = {0xdf, 0xb0, 0x3f, 0x64, 0x1c, 0xf4, 0xca, 0x9f,
                                         0xae, 0xf2, 0x2b, 0xfe, 0x6c, 0xcf, 0xfa, 0xac};
    const struct edge_address one = address("192.0.2.1"), other = address("192.0.2.2");
    struct secrets secrets;
    struct edge_keys here = {0}, there = {0};
    char error[300];
    write_file(ONE "\n" OTHER "\n", 0600);
    assert_true(secrets_read(path, &secrets, error, sizeof error));
    assert_true(secrets_derive(&secrets, &one, &other, &here));
    assert_true(secrets_derive(&secrets, &other, &one, &there));
    assert_memory_equal(&here.out, expected, sizeof expected);
    assert_memory_equal(&here.out, &there.in[0], sizeof here.out);
    assert_memory_equal(&there.out, &here.in[0], sizeof here.out);
    assert_memory_not_equal(&here.out, &there.out, sizeof here.out);
    assert_memory_not_equal(&here.in[0], &here.in[1], sizeof here.out);
    assert_int_equal(here.count, 2);
    const struct edge_address ipv6 = address("2001:db8::2");
    assert_true(secrets_derive(&secrets, &one, &ipv6, &there));
    assert_memory_not_equal(&here.out, &there.out, sizeof here.out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_has_one_secret_or_two),
        cmocka_unit_test(errors_name_the_file_and_nothing_of_its_content),
        cmocka_unit_test(both_ends_derive_the_same_keys),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
