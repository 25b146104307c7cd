#include "switch_client.h"

#include <string.h>

static size_t hello(void *context, uint8_t *buffer) {
    const struct switch_client *switch_client = context;
    const struct switch_config *config = switch_client->crossbar->config;
    struct sdd_wire_hello_addresses addresses = {0};
    struct sdd_wire_hello_ports ports = {0};
    WIRE_ENCODE(hello, codec, buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_hello_set_protocolVersion(&codec, WIRE_PROTOCOL_VERSION);
    sdd_wire_hello_set_role(&codec, sdd_wire_role_CIRCUIT_SWITCH);
    sdd_wire_hello_set_linkBps(&codec, config->link_bps);
    sdd_wire_hello_set_datagramPort(&codec, 0);
    sdd_wire_hello_set_maxQueues(&codec, 1);
    sdd_wire_hello_addresses_set_count(&codec, &addresses, 0);
    sdd_wire_hello_ports_set_count(&codec, &ports, (uint16_t)config->ports_count);
    for (uint16_t i = 0; i < config->ports_count; i++) {
        const char *host = config->ports[i].host;
        sdd_wire_hello_ports_next(&ports);
        sdd_wire_hello_ports_set_port(&ports, i);
        sdd_wire_hello_ports_put_hostName(&ports, host, (uint16_t)strlen(host));
    }
    sdd_wire_hello_put_name(&codec, config->name, (uint16_t)strlen(config->name));
    return WIRE_ENCODED(hello, codec);
}

static size_t stats(struct crossbar *crossbar, uint8_t *buffer) {
    struct sdd_wire_circuitStats_ports ports = {0};
    WIRE_ENCODE(circuitStats, codec, buffer, WIRE_MAX_FRAME_BYTES);
    pthread_mutex_lock(&crossbar->lock);
    const int64_t now_ns = crossbar_now(crossbar);
    const unsigned count = crossbar->config->ports_count;
    sdd_wire_circuitStats_set_timeNs(&codec, now_ns);
    sdd_wire_circuitStats_set_configurations(&codec, matchings_begun(&crossbar->matchings, now_ns));
    sdd_wire_circuitStats_set_lateConfigurations(&codec, crossbar->matchings.late);
    sdd_wire_circuitStats_set_latestConfigurationNs(&codec, crossbar->matchings.latest_ns);
    sdd_wire_circuitStats_ports_set_count(&codec, &ports, (uint16_t)count);
    for (uint16_t i = 0; i < count; i++) {
        const struct port_counters *counters = &crossbar->counters[i];
        sdd_wire_circuitStats_ports_next(&ports);
        sdd_wire_circuitStats_ports_set_port(&ports, i);
        sdd_wire_circuitStats_ports_set_circuitPackets(&ports, counters->circuit_packets);
        sdd_wire_circuitStats_ports_set_circuitBytes(&ports, counters->circuit_bytes);
        sdd_wire_circuitStats_ports_set_packetPackets(&ports, counters->packet_packets);
        sdd_wire_circuitStats_ports_set_packetBytes(&ports, counters->packet_bytes);
        sdd_wire_circuitStats_ports_set_droppedInNight(&ports, counters->dropped_in_night);
        sdd_wire_circuitStats_ports_set_droppedOutOfSlot(&ports, counters->dropped_out_of_slot);
        sdd_wire_circuitStats_ports_set_droppedOther(&ports, counters->dropped_other);
    }
    pthread_mutex_unlock(&crossbar->lock);
    return WIRE_ENCODED(circuitStats, codec);
}

/* Reads the matching of a CircuitConfigure. Null, or the reason it is invalid. */
static const char *read_matching(const struct wire_message *message, unsigned ports_count,
                                 struct matching *matching, uint64_t *request_id) {
    struct sdd_wire_circuitConfigure_circuits circuits = {0};
    bool taken[MAX_SWITCH_PORTS] = {false};
    WIRE_DECODE(circuitConfigure, codec, message);
    *request_id = sdd_wire_circuitConfigure_requestId(&codec);
    matching->at_ns = sdd_wire_circuitConfigure_atNs(&codec);
    const uint64_t night_ns = sdd_wire_circuitConfigure_nightNs(&codec);
    if (matching->at_ns < 0 || night_ns > INT64_MAX ||
        __builtin_add_overflow(matching->at_ns, (int64_t)night_ns, &matching->night_end_ns))
        return "atNs or nightNs is out of range";
    for (unsigned i = 0; i < MAX_SWITCH_PORTS; i++)
        matching->output_of[i] = NO_CIRCUIT;
    if (!sdd_wire_circuitConfigure_get_circuits(&codec, &circuits))
        return "malformed message: circuits";
    while (sdd_wire_circuitConfigure_circuits_has_next(&circuits)) {
        sdd_wire_circuitConfigure_circuits_next(&circuits);
        const uint16_t input = sdd_wire_circuitConfigure_circuits_inputPort(&circuits);
        const uint16_t output = sdd_wire_circuitConfigure_circuits_outputPort(&circuits);
        if (input >= ports_count || output >= ports_count)
            return "a port does not exist";
        if (matching->output_of[input] != NO_CIRCUIT || taken[output])
            return "a port is in two circuits";
        matching->output_of[input] = output;
        taken[output] = true;
    }
    return NULL;
}

static size_t execute(void *context, const struct wire_message *message, uint8_t *buffer) {
    struct switch_client *switch_client = context;
    struct crossbar *crossbar = switch_client->crossbar;
    struct sdd_wire_reply_queues none = {0};
    struct matching matching;
    uint64_t request_id = 0;
    enum sdd_wire_status status = sdd_wire_status_OK;
    if (message->template_id != WIRE_CIRCUIT_CONFIGURE)
        return 0;
    atomic_store(&crossbar->last_request_ns, crossbar_now(crossbar));
    const char *why = read_matching(message, crossbar->config->ports_count, &matching, &request_id);
    if (why) {
        status = sdd_wire_status_ARGUMENT;
    } else {
        pthread_mutex_lock(&crossbar->lock);
        if (!followed_is(&crossbar->followed, &switch_client->client)) {
            pthread_mutex_unlock(&crossbar->lock);
            return 0;
        }
        if (matchings_add(&crossbar->matchings, &matching, crossbar_now(crossbar)) ==
            MATCHINGS_FULL) {
            status = sdd_wire_status_FULL;
            why = "1024 configurations are pending";
        }
        pthread_mutex_unlock(&crossbar->lock);
    }
    WIRE_ENCODE(reply, codec, buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_reply_set_requestId(&codec, request_id);
    sdd_wire_reply_set_status(&codec, status);
    sdd_wire_reply_set_position(&codec, 0);
    sdd_wire_reply_set_value(&codec, 0);
    sdd_wire_reply_queues_set_count(&codec, &none, 0);
    sdd_wire_reply_put_text(&codec, why ? why : "", why ? (uint16_t)strlen(why) : 0);
    return WIRE_ENCODED(reply, codec);
}

/* Resets the switch for a new session: counters become 0, and circuits are removed unless
 * keeps_circuits. */
static void reset(struct crossbar *crossbar, bool keeps_circuits) {
    pthread_mutex_lock(&crossbar->lock);
    if (keeps_circuits) {
        matchings_restart_counts(&crossbar->matchings, crossbar_now(crossbar));
    } else {
        memset(&crossbar->matchings, 0, sizeof crossbar->matchings);
    }
    memset(crossbar->counters, 0, sizeof crossbar->counters);
    pthread_mutex_unlock(&crossbar->lock);
}

static bool accepts(void *context, const struct wire_message *message, const char **why) {
    (void)context;
    WIRE_DECODE(welcome, codec, message);
    const uint64_t period_ns = sdd_wire_welcome_periodNs(&codec);
    *why = "a field of Welcome is out of range";
    return sdd_wire_welcome_epochNs(&codec) >= 0 && period_ns >= 1000 &&
           period_ns <= UINT64_C(3600000000000);
}

static void welcome(void *context, const struct wire_message *message) {
    struct switch_client *switch_client = context;
    WIRE_DECODE(welcome, codec, message);
    switch_client->epoch_ns = sdd_wire_welcome_epochNs(&codec);
    switch_client->period_ns = (int64_t)sdd_wire_welcome_periodNs(&codec);
    struct crossbar *crossbar = switch_client->crossbar;
    atomic_store(&crossbar->take_over_after_ns, wire_take_over_after_ns(&codec));
    atomic_store(&crossbar->last_request_ns, crossbar_now(crossbar));
    reset(crossbar, switch_client->client.generation > 0);
}

/* A report is due at the start of the next period. */
static int64_t report_due(void *context) {
    struct switch_client *switch_client = context;
    const int64_t now_ns = crossbar_now(switch_client->crossbar);
    const int64_t since_ns = now_ns - switch_client->epoch_ns;
    const int64_t periods = since_ns / switch_client->period_ns + (since_ns >= 0);
    switch_client->report_due_ns = switch_client->epoch_ns + periods * switch_client->period_ns;
    return switch_client->report_due_ns - now_ns;
}

static bool report(void *context, struct session *session) {
    struct switch_client *switch_client = context;
    struct crossbar *crossbar = switch_client->crossbar;
    uint8_t *buffer = switch_client->client.buffer;
    return crossbar_now(crossbar) < switch_client->report_due_ns ||
           session_write(session, buffer, stats(crossbar, buffer));
}

/* The controller sends a request in each week, even without circuits. */
static bool is_heard(void *context) {
    const struct switch_client *switch_client = context;
    struct crossbar *crossbar = switch_client->crossbar;
    const int64_t since_ns = crossbar_now(crossbar) - atomic_load(&crossbar->last_request_ns);
    return since_ns <= atomic_load(&crossbar->take_over_after_ns);
}

static const struct client_role role = {.hello = hello,
                                        .accepts = accepts,
                                        .welcome = welcome,
                                        .execute = execute,
                                        .report_due = report_due,
                                        .report = report,
                                        .is_heard = is_heard};

bool switch_client_start(struct switch_client *switch_client, struct crossbar *crossbar,
                         unsigned controller, int stop) {
    const struct switch_config *switch_config = crossbar->config;
    const struct controller_address *at = &switch_config->controllers.list[controller];
    *switch_client = (struct switch_client){.crossbar = crossbar};
    const struct client_config config = {.log_prefix = "circuit-switch",
                                         .session = {.address = at->address,
                                                     .port = at->port,
                                                     .server_name = switch_config->server_name,
                                                     .certificate = switch_config->certificate,
                                                     .key = switch_config->key,
                                                     .authority = switch_config->authority,
                                                     .stop = stop},
                                         .followed = &crossbar->followed,
                                         .first_retry_ms = 200,
                                         .last_retry_ms = 200};
    return client_start(&switch_client->client, &config, &role, switch_client);
}

void switch_client_join(struct switch_client *switch_client) {
    client_join(&switch_client->client);
}
