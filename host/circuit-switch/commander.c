#include "commander.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "session.h"

#define WELCOME_PATIENCE_NS INT64_C(5000000000)
#define RETRY_MS 200

enum { BUFFER = 65536 };

static bool stopping(const struct commander *commander) {
    struct pollfd ready = {.fd = commander->stop, .events = POLLIN};
    return poll(&ready, 1, 0) != 0;
}

static void say(const char *what, const char *why) {
    fprintf(stderr, "circuit-switch: controller: %s%s%s\n", what, why[0] ? ": " : "", why);
}

static size_t hello(const struct switch_config *config, uint8_t *buffer) {
    struct sdd_wire_hello_addresses addresses = {0};
    struct sdd_wire_hello_ports ports = {0};
    WIRE_ENCODE(hello, codec, buffer, BUFFER);
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
    WIRE_ENCODE(circuitStats, codec, buffer, BUFFER);
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

/* The matching that a request asks for; null, or what is wrong with it. */
static const char *read_matching(const struct wire_message *message, unsigned ports_count,
                                 struct matching *matching, uint64_t *request_id) {
    struct sdd_wire_circuitConfigure_circuits circuits = {0};
    bool taken[MAX_SWITCH_PORTS] = {false};
    WIRE_DECODE(circuitConfigure, codec, message);
    *request_id = sdd_wire_circuitConfigure_requestId(&codec);
    matching->at_ns = sdd_wire_circuitConfigure_atNs(&codec);
    const uint64_t night_ns = sdd_wire_circuitConfigure_nightNs(&codec);
    if (matching->at_ns < 0 || night_ns > INT64_MAX ||
        __builtin_add_overflow(matching->at_ns, (int64_t)night_ns, &matching->day_ns))
        return "atNs or nightNs is out of range";
    for (unsigned i = 0; i < MAX_SWITCH_PORTS; i++)
        matching->output_of[i] = NO_CIRCUIT;
    if (!sdd_wire_circuitConfigure_get_circuits(&codec, &circuits))
        return "its circuits cannot be read";
    while (sdd_wire_circuitConfigure_circuits_has_next(&circuits)) {
        sdd_wire_circuitConfigure_circuits_next(&circuits);
        const uint16_t input = sdd_wire_circuitConfigure_circuits_inputPort(&circuits);
        const uint16_t output = sdd_wire_circuitConfigure_circuits_outputPort(&circuits);
        if (input >= ports_count || output >= ports_count)
            return "there is no such port";
        if (matching->output_of[input] != NO_CIRCUIT || taken[output])
            return "a port is there twice";
        matching->output_of[input] = output;
        taken[output] = true;
    }
    return NULL;
}

static size_t configure(struct crossbar *crossbar, const struct wire_message *message,
                        uint8_t *buffer) {
    struct sdd_wire_reply_queues none = {0};
    struct matching matching;
    uint64_t request_id = 0;
    enum sdd_wire_status status = sdd_wire_status_OK;
    const char *why = read_matching(message, crossbar->config->ports_count, &matching, &request_id);
    if (why) {
        status = sdd_wire_status_ARGUMENT;
    } else {
        pthread_mutex_lock(&crossbar->lock);
        if (matchings_add(&crossbar->matchings, &matching, crossbar_now(crossbar)) ==
            MATCHINGS_FULL) {
            status = sdd_wire_status_FULL;
            why = "1024 configurations wait";
        }
        pthread_mutex_unlock(&crossbar->lock);
    }
    WIRE_ENCODE(reply, codec, buffer, BUFFER);
    sdd_wire_reply_set_requestId(&codec, request_id);
    sdd_wire_reply_set_status(&codec, status);
    sdd_wire_reply_set_position(&codec, 0);
    sdd_wire_reply_set_value(&codec, 0);
    sdd_wire_reply_queues_set_count(&codec, &none, 0);
    sdd_wire_reply_put_text(&codec, why ? why : "", why ? (uint16_t)strlen(why) : 0);
    return WIRE_ENCODED(reply, codec);
}

/* A new session: dark, and counting from 0. */
static void begin(struct crossbar *crossbar) {
    pthread_mutex_lock(&crossbar->lock);
    memset(&crossbar->matchings, 0, sizeof crossbar->matchings);
    memset(crossbar->counters, 0, sizeof crossbar->counters);
    pthread_mutex_unlock(&crossbar->lock);
}

static void converse(struct commander *commander, struct session *session, int64_t epoch_ns,
                     int64_t period_ns) {
    struct crossbar *crossbar = commander->crossbar;
    static uint8_t buffer[BUFFER];
    while (!stopping(commander)) {
        struct wire_message message;
        const uint8_t *frame;
        size_t size;
        const char *why = "a message is no CircuitConfigure";
        const int64_t now_ns = crossbar_now(crossbar);
        const int64_t next_ns =
            epoch_ns + ((now_ns - epoch_ns) / period_ns + (now_ns >= epoch_ns)) * period_ns;
        const enum session_read read = session_read(session, next_ns - now_ns, &frame, &size);
        if (read == SESSION_ENDED)
            return;
        if (read == SESSION_FRAME) {
            const enum wire_verdict verdict = wire_check(frame, size, &message, &why);
            if (verdict == WIRE_BAD ||
                (verdict == WIRE_GOOD && message.template_id != WIRE_CIRCUIT_CONFIGURE)) {
                say("session closed", why);
                return;
            }
            if (verdict == WIRE_GOOD &&
                !session_write(session, buffer, configure(crossbar, &message, buffer)))
                return;
        }
        if (crossbar_now(crossbar) >= next_ns &&
            !session_write(session, buffer, stats(crossbar, buffer)))
            return;
    }
}

static bool attend(struct commander *commander, struct session *session) {
    static uint8_t buffer[BUFFER];
    struct wire_message message;
    const uint8_t *frame;
    size_t size;
    const char *why = "it is no Welcome";
    if (!session_write(session, buffer, hello(commander->crossbar->config, buffer)) ||
        !session_await(session, WELCOME_PATIENCE_NS, &frame, &size)) {
        if (!stopping(commander))
            say("no Welcome", session->error);
        return false;
    }
    if (wire_check(frame, size, &message, &why) != WIRE_GOOD ||
        message.template_id != WIRE_WELCOME) {
        say("not welcome", message.template_id == WIRE_REFUSED ? "refused" : why);
        return false;
    }
    WIRE_DECODE(welcome, codec, &message);
    const int64_t epoch_ns = sdd_wire_welcome_epochNs(&codec);
    const uint64_t period_ns = sdd_wire_welcome_periodNs(&codec);
    if (epoch_ns < 0 || period_ns < 1000 || period_ns > INT64_C(3600000000000)) {
        say("session closed", "Welcome has a field that is out of range");
        return false;
    }
    begin(commander->crossbar);
    say("connected", "");
    converse(commander, session, epoch_ns, (int64_t)period_ns);
    return true;
}

static void *run(void *argument) {
    struct commander *commander = argument;
    const struct switch_config *config = commander->crossbar->config;
    const struct session_config session_config = {.address = config->address,
                                                  .port = config->port,
                                                  .server_name = config->server_name,
                                                  .certificate = config->certificate,
                                                  .key = config->key,
                                                  .authority = config->authority,
                                                  .stop = commander->stop};
    while (!stopping(commander)) {
        struct session session;
        if (session_open(&session, &session_config)) {
            if (attend(commander, &session) && !stopping(commander))
                say("session ended", session.error);
            session_close(&session);
        } else if (!stopping(commander)) {
            say("no session", session.error);
        }
        struct pollfd stop = {.fd = commander->stop, .events = POLLIN};
        poll(&stop, 1, RETRY_MS);
    }
    return NULL;
}

bool commander_start(struct commander *commander, struct crossbar *crossbar, int stop) {
    *commander = (struct commander){.crossbar = crossbar, .stop = stop};
    return pthread_create(&commander->thread, NULL, run, commander) == 0;
}

void commander_join(struct commander *commander) {
    pthread_join(commander->thread, NULL);
}
