/* What requests of two users' applications do to the queues of a host. */
#include <string.h>

#include "application_execute.h"
#include "testing.h"

enum { QUEUES = 8, FIRST = 4, OBSERVED = 1, ALICE = 1000, BOB = 1001, NOW_NS = 1000000 };

#define CALL(method, params)                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\",\"params\":{" params "}}"
#define WEB "\"match\":{\"protocol\":6,\"sourcePort\":80}"
#define MAIL "\"match\":{\"protocol\":6,\"sourcePort\":25}"

/* What requests need of the agent and the host, without a controller and devices. */
enum sdd_status agent_set_queue(struct agent *agent, uint32_t queue,
                                const struct sdd_queue_config *config, int64_t now_ns) {
    struct sdd *sdd = agent->host->sdd;
    return sdd_stats(sdd, queue) ? sdd_configure_queue(sdd, queue, config, now_ns)
                                 : sdd_open_queue(sdd, queue, config);
}

void host_reset_misses(struct host *host, uint32_t queue) {
    host->misses[queue] = (struct queue_misses){0};
}

struct bed {
    struct host_config config;
    struct host host;
    struct agent agent;
    struct clock clock; /* without a rate: it stands at its anchor */
    struct holdings holdings;
    struct queue_misses misses[QUEUES];
    struct queue_owner owners[QUEUES - FIRST];
    struct access_rule rules[2];
    struct application alice, bob;
    struct application_job job; /* the last request */
};

static int up(void **state) {
    static struct bed bed;
    const struct access_quota quota = {
        .queues = 2, .packets = 100, .mappings = 2, .conditions = 2, .triggers = 1};
    memset(&bed, 0, sizeof bed);
    bed.config = (struct host_config){.limits = {.max_queues = QUEUES,
                                                 .max_flows = 16,
                                                 .max_mappings = 16,
                                                 .max_slots = 16,
                                                 .max_conditions = 16,
                                                 .max_triggers = 4,
                                                 .max_events = 4},
                                      .applications = {.queues = QUEUES - FIRST}};
    bed.host = (struct host){.config = &bed.config, .misses = bed.misses, .owners = bed.owners};
    bed.clock.anchor_ns = NOW_NS;
    bed.agent = (struct agent){.host = &bed.host, .clock = &bed.clock};
    bed.rules[0] = (struct access_rule){.max_priority = 3,
                                        .network = SDD_PACKET,
                                        .quota = quota,
                                        .observes = {OBSERVED},
                                        .observes_count = 1};
    bed.rules[1] = (struct access_rule){.max_priority = 3, .quota = quota, .matches_count = 1};
    bed.rules[1].matches[0] = sdd_match_all();
    bed.rules[1].matches[0].protocol = 6;
    bed.rules[1].matches[0].wildcards &= (uint8_t)~SDD_ANY_PROTOCOL;
    bed.alice = (struct application){.user = ALICE, .process = 7, .rule = &bed.rules[0]};
    bed.bob = (struct application){.user = BOB, .process = 8, .rule = &bed.rules[1]};
    assert_int_equal(sdd_create(&bed.config.limits, &bed.host.sdd), SDD_OK);
    const struct sdd_queue_config open = {.max_packets = 10};
    assert_int_equal(sdd_open_queue(bed.host.sdd, OBSERVED, &open), SDD_OK);
    assert_int_equal(sdd_open_queue(bed.host.sdd, 0, &open), SDD_OK);
    assert_true(holdings_init(&bed.holdings, &bed.config));
    *state = &bed;
    return 0;
}

static int down(void **state) {
    struct bed *bed = *state;
    holdings_free(&bed->holdings);
    sdd_destroy(bed->host.sdd);
    return 0;
}

/* Executes a request; the result is in bed->job. */
static enum application_status ask(struct bed *bed, struct application *application, bool claimed,
                                   const char *line) {
    struct application_request request;
    char text[APPLICATION_TEXT_SIZE];
    assert_int_equal(application_request_read(line, strlen(line), &request, text), ANSWER_OK);
    bed->job = (struct application_job){.agent = &bed->agent,
                                        .holdings = &bed->holdings,
                                        .application = application,
                                        .request = &request,
                                        .claimed = claimed};
    application_execute(&bed->job);
    bed->job.request = NULL;
    application_request_free(&request);
    return bed->job.status;
}

static void assert_open(struct bed *bed, struct application *application, uint32_t number) {
    assert_int_equal(ask(bed, application, false, CALL("openQueue", "\"maxPackets\":40")),
                     ANSWER_OK);
    assert_int_equal(bed->job.number, number);
}

static void a_user_opens_queues_within_its_quota(void **state) {
    struct bed *bed = *state;
    struct sdd_queue_config config;
    bed->misses[FIRST].late_starts = 5; /* of the queue's last owner */
    assert_int_equal(ask(bed, &bed->alice, false, CALL("openQueue", "\"priority\":4")),
                     ANSWER_DENIED);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("openQueue", "\"maxPackets\":0")),
                     ANSWER_PARAMETER);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("openQueue", "\"maxPackets\":101")),
                     ANSWER_QUOTA);
    assert_open(bed, &bed->alice, FIRST);
    assert_int_equal(bed->misses[FIRST].late_starts, 0);
    assert_int_equal(sdd_queue_config(bed->host.sdd, FIRST, &config), SDD_OK);
    assert_int_equal(config.network, SDD_PACKET); /* that of the rule */
    assert_true(bed->owners[0].used);
    assert_int_equal(bed->owners[0].user, ALICE);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("openQueue", "\"maxPackets\":61")),
                     ANSWER_QUOTA);
    assert_open(bed, &bed->alice, FIRST + 1);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("openQueue", "\"maxPackets\":1")),
                     ANSWER_QUOTA); /* of queues */
    assert_int_equal(
        ask(bed, &bed->alice, false, CALL("configureQueue", "\"queue\":5,\"maxPackets\":61")),
        ANSWER_QUOTA);
    assert_int_equal(
        ask(bed, &bed->alice, false, CALL("configureQueue", "\"queue\":5,\"maxPackets\":60")),
        ANSWER_OK);
    assert_int_equal(holdings_packets(&bed->holdings, ALICE), 100);
    assert_open(bed, &bed->bob, FIRST + 2); /* others have their own */
}

static void all_queues_of_applications_may_be_in_use(void **state) {
    struct bed *bed = *state;
    struct application carol = {.user = 1002, .rule = &bed->rules[0]};
    assert_open(bed, &bed->alice, FIRST);
    assert_open(bed, &bed->bob, FIRST + 1);
    assert_open(bed, &bed->alice, FIRST + 2);
    assert_open(bed, &bed->bob, FIRST + 3);
    assert_int_equal(ask(bed, &carol, false, CALL("openQueue", "\"maxPackets\":40")), ANSWER_FULL);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("closeQueue", "\"queue\":4")), ANSWER_OK);
    assert_open(bed, &carol, FIRST);
}

static void a_queue_is_its_applications_alone(void **state) {
    static const char *const requests[] = {
        CALL("configureQueue", "\"queue\":4"),
        CALL("closeQueue", "\"queue\":4"),
        CALL("mapFlow", "\"queue\":4," WEB),
        CALL("addDequeueCondition", "\"queue\":4,\"condition\":\"FALSE\""),
        CALL("clearDequeueConditions", "\"queue\":4"),
        CALL("addTrigger", "\"queue\":4,\"condition\":\"TRUE\""),
    };
    struct bed *bed = *state;
    struct application another = bed->alice; /* of the same user */
    assert_open(bed, &bed->alice, FIRST);
    for (unsigned i = 0; i < sizeof requests / sizeof *requests; i++) {
        assert_int_equal(ask(bed, &bed->bob, true, requests[i]), ANSWER_QUEUE);
        assert_int_equal(ask(bed, &another, true, requests[i]), ANSWER_QUEUE);
    }
    assert_int_equal(ask(bed, &bed->bob, false, CALL("queueStatistics", "\"queue\":4")),
                     ANSWER_DENIED);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("queueStatistics", "\"queue\":4")),
                     ANSWER_OK);
}

static void flows_are_mapped_by_a_socket_or_a_rule_and_to_one_queue(void **state) {
    struct bed *bed = *state;
    assert_open(bed, &bed->alice, FIRST);
    assert_open(bed, &bed->bob, FIRST + 1);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("mapFlow", "\"queue\":4," WEB)),
                     ANSWER_DENIED);
    assert_int_equal(ask(bed, &bed->alice, true, CALL("mapFlow", "\"queue\":4," WEB)), ANSWER_OK);
    assert_int_equal(ask(bed, &bed->bob, false, CALL("mapFlow", "\"queue\":5," WEB)),
                     ANSWER_EXISTS);
    assert_int_equal(ask(bed, &bed->bob, false, CALL("mapFlow", "\"queue\":5," MAIL)), ANSWER_OK);
    assert_int_equal(
        ask(bed, &bed->bob, false,
            CALL("mapFlow", "\"queue\":5,\"match\":{\"protocol\":17,\"sourcePort\":80}")),
        ANSWER_DENIED);
    assert_int_equal(ask(bed, &bed->bob, false, CALL("unmapFlow", WEB)), ANSWER_NOT_FOUND);
    assert_int_equal(
        ask(bed, &bed->alice, false, CALL("getQueuesForFlows", "\"match\":{\"protocol\":6}")),
        ANSWER_OK);
    assert_int_equal(bed->job.queues_count, 1); /* not that of the other */
    assert_int_equal(bed->job.queues[0], FIRST);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("unmapFlow", WEB)), ANSWER_OK);
    assert_int_equal(holdings_mappings(&bed->holdings, ALICE), 0);
    assert_int_equal(ask(bed, &bed->bob, false, CALL("mapFlow", "\"queue\":5," WEB)), ANSWER_OK);
    assert_int_equal(
        ask(bed, &bed->bob, false,
            CALL("mapFlow", "\"queue\":5,\"match\":{\"protocol\":6,\"sourcePort\":443}")),
        ANSWER_QUOTA);
}

static void flows_move_between_the_queues_of_an_application(void **state) {
    struct bed *bed = *state;
    uint32_t queue;
    struct sdd_match web = sdd_match_all();
    web.protocol = 6;
    web.source_port = 80;
    web.wildcards = SDD_ANY_DESTINATION_PORT;
    assert_open(bed, &bed->alice, FIRST);
    assert_open(bed, &bed->alice, FIRST + 1);
    assert_int_equal(ask(bed, &bed->alice, true, CALL("mapFlow", "\"queue\":4," WEB)), ANSWER_OK);
    assert_int_equal(
        ask(bed, &bed->alice, true, CALL("moveFlows", "\"fromQueue\":4,\"toQueue\":0," WEB)),
        ANSWER_QUEUE);
    assert_int_equal(
        ask(bed, &bed->alice, true, CALL("moveFlows", "\"fromQueue\":4,\"toQueue\":5," WEB)),
        ANSWER_OK);
    assert_int_equal(sdd_mapped_queue(bed->host.sdd, &web, &queue), SDD_OK);
    assert_int_equal(queue, FIRST + 1);
    /* the controller takes the flows: the application has no mapping of them any more */
    assert_int_equal(sdd_unmap_flow(bed->host.sdd, &web, NOW_NS), SDD_OK);
    assert_int_equal(sdd_map_flow(bed->host.sdd, 0, &web, 0, NOW_NS), SDD_OK);
    assert_int_equal(ask(bed, &bed->alice, true, CALL("unmapFlow", WEB)), ANSWER_NOT_FOUND);
    assert_int_equal(ask(bed, &bed->alice, true, CALL("closeQueue", "\"queue\":5")), ANSWER_OK);
    assert_int_equal(sdd_mapped_queue(bed->host.sdd, &web, &queue), SDD_OK);
    assert_int_equal(queue, 0);
}

static void conditions_and_triggers_read_only_what_the_user_may_observe(void **state) {
    struct bed *bed = *state;
    assert_open(bed, &bed->alice, FIRST);
    assert_int_equal(
        ask(bed, &bed->alice, false,
            CALL("addDequeueCondition", "\"queue\":4,\"condition\":\"Q[0].bytes > 1\"")),
        ANSWER_DENIED);
    assert_int_equal(ask(bed, &bed->alice, false,
                         CALL("addTrigger", "\"queue\":4,\"condition\":\"Q[0].bytes > 1\"")),
                     ANSWER_DENIED);
    assert_int_equal(
        ask(bed, &bed->alice, false,
            CALL("addDequeueCondition", "\"queue\":4,\"condition\":\"Q[1].bytes > 1\"")),
        ANSWER_OK);
    assert_int_equal(ask(bed, &bed->alice, false,
                         CALL("addDequeueCondition", "\"queue\":4,\"condition\":\"bytes > 1\"")),
                     ANSWER_OK);
    assert_int_equal(ask(bed, &bed->alice, false,
                         CALL("addDequeueCondition", "\"queue\":4,\"condition\":\"bytes > 2\"")),
                     ANSWER_QUOTA);
    assert_int_equal(ask(bed, &bed->alice, false,
                         CALL("removeDequeueCondition", "\"queue\":4,\"condition\":\"bytes > 2\"")),
                     ANSWER_NOT_FOUND);
    assert_int_equal(ask(bed, &bed->alice, false,
                         CALL("removeDequeueCondition", "\"queue\":4,\"condition\":\"bytes > 1\"")),
                     ANSWER_OK);
    assert_int_equal(holdings_conditions(&bed->holdings, ALICE), 1);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("clearDequeueConditions", "\"queue\":4")),
                     ANSWER_OK);
    assert_int_equal(holdings_conditions(&bed->holdings, ALICE), 0);
}

static void a_trigger_is_removed_by_its_application_alone(void **state) {
    struct bed *bed = *state;
    assert_open(bed, &bed->alice, FIRST);
    assert_open(bed, &bed->bob, FIRST + 1);
    assert_int_equal(
        ask(bed, &bed->alice, false,
            CALL("addTrigger", "\"queue\":4,\"condition\":\"bytes > 1\",\"cookie\":9")),
        ANSWER_OK);
    assert_int_equal(bed->job.number, 0);
    assert_int_equal(bed->holdings.triggers[0].cookie, 9);
    assert_int_equal(
        ask(bed, &bed->alice, false, CALL("addTrigger", "\"queue\":4,\"condition\":\"bytes > 2\"")),
        ANSWER_QUOTA);
    assert_int_equal(ask(bed, &bed->bob, false, CALL("removeTrigger", "\"trigger\":0")),
                     ANSWER_NOT_FOUND);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("removeTrigger", "\"trigger\":4")),
                     ANSWER_NOT_FOUND);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("removeTrigger", "\"trigger\":0")),
                     ANSWER_OK);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("removeTrigger", "\"trigger\":0")),
                     ANSWER_NOT_FOUND);
}

static void a_user_listens_to_what_its_rule_names(void **state) {
    struct bed *bed = *state;
    assert_int_equal(ask(bed, &bed->alice, false, CALL("listen", "\"queue\":1")), ANSWER_OK);
    assert_int_equal(bed->alice.listens, 1);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("listen", "\"queue\":0")), ANSWER_DENIED);
    assert_int_equal(ask(bed, &bed->bob, false, CALL("listen", "\"queue\":1")), ANSWER_DENIED);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("ignore", "\"queue\":1")), ANSWER_OK);
    assert_int_equal(bed->alice.listens, 0);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("queueStatistics", "\"queue\":1")),
                     ANSWER_OK);
}

static void the_name_of_an_application_is_that_of_its_queues(void **state) {
    struct bed *bed = *state;
    assert_open(bed, &bed->alice, FIRST);
    assert_open(bed, &bed->bob, FIRST + 1);
    assert_int_equal(ask(bed, &bed->alice, false, CALL("hello", "\"name\":\"backup\"")), ANSWER_OK);
    assert_string_equal(bed->owners[0].name, "backup");
    assert_string_equal(bed->owners[1].name, "");
}

/* All that an application has goes; packets that wait leave by the queue, which closes then. */
static void with_its_application_a_queue_ends_once_it_is_empty(void **state) {
    struct bed *bed = *state;
    struct sdd *sdd = bed->host.sdd;
    struct sdd_packet packet = {.key = {.source_port = 80, .protocol = 6}, .bytes = 100};
    struct application_end_job end = {
        .agent = &bed->agent, .holdings = &bed->holdings, .application = &bed->alice};
    struct application_drain_job drain = {.agent = &bed->agent, .holdings = &bed->holdings};
    uint32_t queue;
    assert_open(bed, &bed->alice, FIRST);
    assert_open(bed, &bed->bob, FIRST + 1);
    assert_int_equal(ask(bed, &bed->alice, true, CALL("mapFlow", "\"queue\":4," WEB)), ANSWER_OK);
    assert_int_equal(ask(bed, &bed->alice, false,
                         CALL("addDequeueCondition", "\"queue\":4,\"condition\":\"FALSE\"")),
                     ANSWER_OK);
    assert_int_equal(ask(bed, &bed->alice, false,
                         CALL("addTrigger", "\"queue\":4,\"condition\":\"bytes > 1000\"")),
                     ANSWER_OK);
    assert_int_equal(sdd_enqueue(sdd, &packet, NOW_NS), SDD_OK);
    assert_null(sdd_dequeue(sdd, NOW_NS));
    application_end(&end);
    assert_int_equal(holdings_mappings(&bed->holdings, ALICE), 0);
    assert_int_equal(holdings_triggers(&bed->holdings, ALICE), 0);
    assert_int_equal(holdings_conditions(&bed->holdings, ALICE), 0);
    assert_int_equal(holdings_queues(&bed->holdings, ALICE), 1); /* it counts while it drains */
    assert_int_equal(sdd_trigger_queue(sdd, 0, &queue), SDD_ERR_NOT_FOUND);
    application_drain(&drain);
    assert_true(drain.draining);
    assert_ptr_equal(sdd_dequeue(sdd, NOW_NS), &packet);
    application_drain(&drain);
    assert_false(drain.draining);
    assert_int_equal(holdings_queues(&bed->holdings, ALICE), 0);
    assert_null(sdd_stats(sdd, FIRST));
    assert_false(bed->owners[0].used);
    assert_non_null(sdd_stats(sdd, FIRST + 1)); /* others stay */
}

static void a_mapping_ends_with_its_socket(void **state) {
    struct bed *bed = *state;
    uint32_t queue;
    assert_open(bed, &bed->alice, FIRST);
    assert_int_equal(ask(bed, &bed->alice, true, CALL("mapFlow", "\"queue\":4," WEB)), ANSWER_OK);
    const struct sdd_match web = bed->holdings.mappings[0].match;
    assert_true(bed->holdings.mappings[0].claimed);
    struct application_unmap_job unmap = {
        .agent = &bed->agent, .holdings = &bed->holdings, .mapping = &bed->holdings.mappings[0]};
    application_unmap(&unmap);
    assert_int_equal(holdings_mappings(&bed->holdings, ALICE), 0);
    assert_int_equal(sdd_mapped_queue(bed->host.sdd, &web, &queue), SDD_ERR_NOT_FOUND);
}

#define ON_A_HOST(test) cmocka_unit_test_setup_teardown(test, up, down)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_A_HOST(a_user_opens_queues_within_its_quota),
        ON_A_HOST(all_queues_of_applications_may_be_in_use),
        ON_A_HOST(a_queue_is_its_applications_alone),
        ON_A_HOST(flows_are_mapped_by_a_socket_or_a_rule_and_to_one_queue),
        ON_A_HOST(flows_move_between_the_queues_of_an_application),
        ON_A_HOST(conditions_and_triggers_read_only_what_the_user_may_observe),
        ON_A_HOST(a_trigger_is_removed_by_its_application_alone),
        ON_A_HOST(a_user_listens_to_what_its_rule_names),
        ON_A_HOST(the_name_of_an_application_is_that_of_its_queues),
        ON_A_HOST(with_its_application_a_queue_ends_once_it_is_empty),
        ON_A_HOST(a_mapping_ends_with_its_socket),
    };
    return cmocka_run_group_tests_name("application_execute", tests, NULL, NULL);
}
