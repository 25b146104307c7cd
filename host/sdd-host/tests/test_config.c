/* One fault per configuration: the error names the field. */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "testing.h"

#define HOST(more)                                                                                 \
    "{\"hosts\":[{\"name\":\"a\",\"tap\":\"t\",\"port\":{\"driver\":\"af_packet\",\"device\":"     \
    "\"v\"}" more "}]}"
#define SERVED ",\"applications\":{\"socket\":\"/s\",\"access\":[{\"user\":\"root\"}]}"
#define CONTROL(address)                                                                           \
    ",\"addresses\":[\"10.0.0.1\"],\"control\":{\"address\":\"" address                            \
    "\",\"port\":1,\"datagramPort\":9,"                                                            \
    "\"serverName\":\"s\",\"certificate\":\"c\",\"key\":\"k\",\"authority\":\"a\"}"
#define QUEUE(fields) HOST(",\"queues\":[{" fields "}]")

#define APPLICATIONS(rule) HOST(",\"applications\":{\"socket\":\"/s\",\"access\":[{" rule "}]}")

static struct config *parse(const char *text, char *error) {
    return config_parse(text, strlen(text), error, 600);
}

static void the_least_configuration_has_the_documented_defaults(void **state) {
    (void)state;
    char error[600] = "";
    struct config *config = parse(HOST(""), error);
    assert_string_equal(error, "");
    assert_non_null(config);
    assert_int_equal(config->transmit_cpu, -1);
    assert_int_equal(config->ingest_cpu, -1);
    assert_int_equal(config->realtime_priority, 1);
    assert_int_equal(config->idle_poll_ns, 100000);
    assert_int_equal(config->hosts_count, 1);
    assert_int_equal(config->hosts[0].limits.max_queues, 64);
    assert_int_equal(config->hosts[0].segment_bytes, 32 * 1024);
    assert_int_equal(config->hosts[0].control.controllers.count, 0);
    config_free(config);
}

static void queues_matches_and_conditions_are_read(void **state) {
    (void)state;
    char error[600] = "";
    struct config *config =
        parse(QUEUE("\"number\":3,\"priority\":7,\"drainRateBps\":1000000,\"network\":\"packet\","
                    "\"conditions\":[\"currTime > 5\",\"TRUE\"],"
                    "\"matches\":[{\"destination\":\"10.1.0.0/16\",\"protocol\":6},{}]"),
              error);
    assert_string_equal(error, "");
    const struct host_config *host = &config->hosts[0];
    assert_int_equal(host->queues[0].number, 3);
    assert_int_equal(host->queues[0].sdd.priority, 7);
    assert_int_equal(host->queues[0].sdd.network, SDD_PACKET);
    assert_int_equal(host->conditions_count, 2);
    assert_int_equal(host->mappings_count, 2);
    assert_int_equal(host->mappings[0].match.destination_prefix_bits, 96 + 16);
    assert_int_equal(host->mappings[0].match.wildcards,
                     SDD_ANY_SOURCE_PORT | SDD_ANY_DESTINATION_PORT);
    const struct sdd_match all = sdd_match_all();
    assert_memory_equal(&host->mappings[1].match, &all, sizeof all);
    config_free(config);
}

static void applications_are_admitted_by_rules(void **state) {
    (void)state;
    char error[600] = "";
    struct config *config =
        parse(HOST(",\"applications\":{\"socket\":\"/s\",\"access\":[{\"user\":\"root\"},"
                   "{\"group\":\"12\",\"queues\":2,\"network\":\"circuit\",\"observes\":[0],"
                   "\"matches\":[{\"protocol\":6}]}]}"),
              error);
    assert_string_equal(error, "");
    const struct host_config *host = &config->hosts[0];
    assert_int_equal(config_controlled_queues(host), 48);
    const struct access_rule *root = &host->applications.rules[0];
    const struct access_rule *group = &host->applications.rules[1];
    assert_false(root->of_group);
    assert_int_equal(root->id, 0);
    assert_int_equal(root->network, SDD_PACKET);
    assert_int_equal(root->quota.queues, 4);
    assert_int_equal(root->quota.requests_per_second, 1000);
    assert_true(group->of_group);
    assert_int_equal(group->id, 12);
    assert_int_equal(group->network, SDD_CIRCUIT);
    assert_int_equal(group->matches_count, 1);
    assert_int_equal(group->observes_count, 1);
    config_free(config);
}

static void every_fault_is_one_error_that_names_the_field(void **state) {
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "line 1"},
        {"[]", "the document: must be an object"},
        {"{}", "hosts: must be an array of 1 to 16 items"},
        {"{\"hosts\":[{}],\"hosts\":[{}]}", "duplicate"},
        {HOST(",\"colour\":1"), "hosts[0].colour: unknown field"},
        {"{\"hosts\":[{\"tap\":\"t\"}]}", "hosts[0].name: must be a text of 1 to 63 characters"},
        {"{\"hosts\":[7]}", "hosts[0]: must be an object"},
        {HOST(",\"linkBps\":0"), "hosts[0].linkBps: must be a whole number from 1"},
        {HOST(",\"linkBps\":1.5"), "hosts[0].linkBps: must be a whole number from 1"},
        {HOST(",\"addresses\":[\"10.0.0.1\",\"10.0.0.0/33\"]"), "hosts[0].addresses[1]: must be"},
        {HOST(",\"limits\":{\"queues\":0}"), "hosts[0].limits.queues: must be a whole number"},
        {"{\"hosts\":[{\"name\":\"a\",\"tap\":\"t\",\"port\":{\"driver\":\"dpdk\"}}]}",
         "hosts[0].port.driver: must be one of af_packet, af_xdp, pci"},
        {"{\"hosts\":[{\"name\":\"a\",\"tap\":\"t\",\"port\":{\"driver\":\"af_packet\","
         "\"device\":\"v,qpairs=9\"}}]}",
         "hosts[0].port.device: must be the name of an interface"},
        {QUEUE(""), "hosts[0].queues[0].number: must be a whole number from 0 to 63"},
        {QUEUE("\"number\":64"), "hosts[0].queues[0].number: must be"},
        {QUEUE("\"number\":3},{\"number\":4},{\"number\":3"),
         "hosts[0].queues[2].number: 3 is also another queue's"},
        {HOST("},{\"name\":\"a\",\"tap\":\"u\",\"port\":{\"driver\":\"af_packet\",\"device\":"
              "\"w\"}"),
         "hosts[1].name: a is also the name of hosts[0]"},
        {HOST("},{\"name\":\"b\",\"tap\":\"t\",\"port\":{\"driver\":\"af_packet\",\"device\":"
              "\"w\"}"),
         "hosts[1].tap: t is also the device of hosts[0]"},
        {HOST("},{\"name\":\"b\",\"tap\":\"u\",\"port\":{\"driver\":\"af_packet\",\"device\":"
              "\"v\"}"),
         "hosts[1].port.device: v is also the device of hosts[0]"},
        {HOST("},{\"name\":\"b\",\"applicationPort\":{\"driver\":\"af_xdp\",\"device\":\"v\"},"
              "\"port\":{\"driver\":\"af_xdp\",\"device\":\"w\"}"),
         "hosts[1].applicationPort.device: v is also the device of hosts[0]"},
        {"{\"hosts\":[{\"name\":\"a\",\"applicationPort\":{\"driver\":\"af_xdp\",\"device\":\"v\"},"
         "\"port\":{\"driver\":\"af_xdp\",\"device\":\"v\"}}]}",
         "hosts[0].applicationPort.device: v is also the device of hosts[0]"},
        {"{\"hosts\":[{\"name\":\"a\",\"applicationPort\":{\"driver\":\"af_xdp\",\"device\":\"v\"},"
         "\"port\":{\"driver\":\"af_xdp\",\"device\":\"w\"}},"
         "{\"name\":\"b\",\"tap\":\"t\",\"port\":{\"driver\":\"af_xdp\",\"device\":\"v\"}}]}",
         "hosts[1].port.device: v is also the device of hosts[0]"},
        {HOST(SERVED "},{\"name\":\"b\",\"tap\":\"u\",\"port\":{\"driver\":\"af_packet\","
                     "\"device\":\"w\"}" SERVED),
         "hosts[1].applications.socket: /s is also that of hosts[0]"},
        {"{\"statistics\":\"/s\",\"hosts\":[{\"name\":\"a\",\"tap\":\"t\",\"port\":"
         "{\"driver\":\"af_packet\",\"device\":\"v\"}" SERVED "}]}",
         "hosts[0].applications.socket: /s is also that of statistics"},
        {HOST(CONTROL("1.1.1.1") "},{\"name\":\"b\",\"tap\":\"u\",\"port\":{\"driver\":"
                                 "\"af_packet\",\"device\":\"w\"}" CONTROL("1.1.1.1")),
         "hosts[1].control.datagramPort: 9 is also that of hosts[0]"},
        {HOST(CONTROL("1.1.1.1") "},{\"name\":\"b\",\"tap\":\"u\",\"port\":{\"driver\":"
                                 "\"af_packet\",\"device\":\"w\"}" CONTROL("::1") ",\"x\":1"),
         "hosts[1].x: unknown field"},
        {"{\"hosts\":[{\"name\":\"a\",\"tap\":\"tap%d\"}]}", "hosts[0].tap: must be the name of"},
        {"{\"hosts\":[{\"name\":\"a\",\"tap\":\"..\"}]}", "hosts[0].tap: must be the name of"},
        {QUEUE("\"number\":0,\"priority\":64"), "hosts[0].queues[0].priority: must be"},
        {QUEUE("\"number\":0,\"network\":\"air\""), "queues[0].network: must be one of circuit"},
        {QUEUE("\"number\":0,\"conditions\":[\"TRUE\",\"currTime >\"]"),
         "hosts[0].queues[0].conditions[1]: character 11:"},
        {QUEUE("\"number\":0,\"matches\":[{\"protocol\":256}]"),
         "hosts[0].queues[0].matches[0].protocol: must be"},
        {QUEUE("\"number\":0,\"closedByDefault\":1"), "closedByDefault: must be true or false"},
        {"{\"cores\":{\"ingest\":0},\"hosts\":[{}]}",
         "cores.ingest: must be a different core than evaluate and transmit"},
        {"{\"cores\":{\"transmit\":1,\"ingest\":1},\"hosts\":[{}]}",
         "cores.ingest: must be a different core than evaluate and transmit"},
        {HOST(",\"applicationPort\":{\"driver\":\"af_xdp\",\"device\":\"w\"}"),
         "hosts[0].tap: must be absent if applicationPort is present"},
        {"{\"hosts\":[{\"name\":\"a\",\"tapNamespace\":\"/n\",\"applicationPort\":"
         "{\"driver\":\"af_xdp\",\"device\":\"w\"}}]}",
         "hosts[0].tapNamespace: must be absent if applicationPort is present"},
        {"{\"hosts\":[{\"name\":\"a\",\"segmentKb\":0,\"applicationPort\":"
         "{\"driver\":\"af_xdp\",\"device\":\"w\"}}]}",
         "hosts[0].segmentKb: must be absent if applicationPort is present"},
        {HOST(",\"segmentKb\":65"), "hosts[0].segmentKb: must be a whole number from 0 to 64"},
        {"{\"hosts\":[{\"name\":\"a\",\"applicationPort\":{\"driver\":\"af_xdp\"}}]}",
         "hosts[0].applicationPort.device: must be a text"},
        {HOST(",\"addresses\":[],\"control\":{\"address\":\"10.0.0.1\",\"port\":1,\"serverName\":"
              "\"c\","
              "\"certificate\":\"c\",\"key\":\"k\",\"authority\":\"a\"}"),
         "hosts[0].addresses: must have an item, because control is present"},
        {HOST(CONTROL("10.0.0.1\",\"safePolicy\":\"rate")),
         "hosts[0].control.safeRateBps: must be above 0 with safePolicy rate"},
        {HOST(CONTROL("10.0.0.1\",\"safeRateBps\":1,\"safePolicy\":\"closed")),
         "hosts[0].control.safeRateBps: must be absent without safePolicy rate"},
        {HOST(CONTROL("10.0.0.1\",\"safePolicy\":\"shut")), "hosts[0].control.safePolicy: must be"},
        {HOST(",\"control\":{\"address\":\"example\",\"port\":1}"),
         "hosts[0].control.address: must be a numeric IP address"},
        {HOST(",\"control\":{\"address\":\"10.0.0.1\",\"port\":1,\"standby\":[{\"address\":\"::1\","
              "\"port\":2},{\"address\":\"10.0.0.2\"}]}"),
         "hosts[0].control.standby[1].port: must be"},
        {APPLICATIONS(""), "hosts[0].applications.access[0].user: must be present"},
        {APPLICATIONS("\"user\":\"0\",\"group\":\"0\""), "access[0].user: must be present"},
        {APPLICATIONS("\"user\":\"no-such-user\""), "user: is not known on this machine"},
        {APPLICATIONS("\"user\":\"0\",\"observes\":[48]"), "observes[0]: must be a whole number"},
        {APPLICATIONS("\"user\":\"0\",\"packets\":0"), "access[0].packets: must be"},
        {HOST(",\"applications\":{\"socket\":\"/s\",\"access\":[]}"), "access: must be an array"},
        {HOST(",\"applications\":{\"socket\":\"/s\",\"queues\":64,\"access\":[{}]}"),
         "hosts[0].applications.queues: must be a whole number from 1 to 63"},
        {HOST(",\"limits\":{\"queues\":1},\"applications\":{\"socket\":\"/s\"}"),
         "applications.queues: must leave one of limits.queues"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char error[600] = "";
        struct config *config = parse(cases[i].text, error);
        print_message("# %s\n", error);
        assert_null(config);
        assert_non_null(strstr(error, cases[i].error));
    }
}

static void controllers_are_read_in_order(void **state) {
    (void)state;
    char error[600] = "";
    struct config *config =
        parse(HOST(",\"addresses\":[\"10.0.0.1\"],\"control\":{\"address\":\"10.0.0.1\",\"port\":1,"
                   "\"standby\":[{\"address\":"
                   "\"::1\",\"port\":2}],\"serverName\":\"c\",\"certificate\":\"c\",\"key\":\"k\","
                   "\"authority\":\"a\"}"),
              error);
    assert_string_equal(error, "");
    assert_non_null(config);
    const struct controllers *controllers = &config->hosts[0].control.controllers;
    assert_int_equal(controllers->count, 2);
    assert_string_equal(controllers->list[0].address, "10.0.0.1");
    assert_string_equal(controllers->list[1].address, "::1");
    assert_int_equal(controllers->list[1].port, 2);
    config_free(config);
}

static void
a_thread_that_never_sleeps_is_not_real_time_where_the_kernel_would_stop_it(void **state) {
    (void)state;
    static const struct {
        const char *fields;
        int64_t rt_runtime_us;
        const char *error; /* null: valid */
    } cases[] = {
        {"\"idlePollUs\":0", 950000, "idlePollUs: must not be 0 with realtimePriority 1"},
        {"\"idlePollUs\":0,\"realtimePriority\":50", 0, "sched_rt_runtime_us is 0)"},
        {"\"idlePollUs\":0", -1, NULL},
        {"\"idlePollUs\":0,\"realtimePriority\":0", 950000, NULL},
        {"\"idlePollUs\":1", 950000, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400], error[600] = "";
        snprintf(text, sizeof text,
                 "{%s,\"hosts\":[{\"name\":\"a\",\"applicationPort\":{\"driver\":\"af_xdp\","
                 "\"device\":\"w\"},\"port\":{\"driver\":\"af_packet\",\"device\":\"v\"}}]}",
                 cases[i].fields);
        struct config *config = parse(text, error);
        assert_string_equal(error, "");
        assert_string_equal(config->hosts[0].application_port.device, "w");
        const bool suits = config_suits_kernel(config, cases[i].rt_runtime_us, error, sizeof error);
        assert_true(suits == !cases[i].error);
        if (cases[i].error)
            assert_non_null(strstr(error, cases[i].error));
        config_free(config);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_configuration_has_the_documented_defaults),
        cmocka_unit_test(queues_matches_and_conditions_are_read),
        cmocka_unit_test(controllers_are_read_in_order),
        cmocka_unit_test(
            a_thread_that_never_sleeps_is_not_real_time_where_the_kernel_would_stop_it),
        cmocka_unit_test(applications_are_admitted_by_rules),
        cmocka_unit_test(every_fault_is_one_error_that_names_the_field),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
