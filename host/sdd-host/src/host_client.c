#include "host_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/system_clock.h"
#include "clock_status.h"
#include "reports.h"
#include "requests.h"

static size_t hello(void *context, uint8_t *buffer) {
    const struct host_client *host_client = context;
    const struct agent *agent = host_client->agent;
    const struct host_config *config = agent->host->config;
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    getsockname(agent->socket, (struct sockaddr *)&address, &size);
    WIRE_ENCODE(hello, codec, buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_hello_set_protocolVersion(&codec, WIRE_PROTOCOL_VERSION);
    sdd_wire_hello_set_role(&codec, sdd_wire_role_HOST);
    sdd_wire_hello_set_linkBps(&codec, config->link_bps);
    /* the port has the same offset in both families */
    sdd_wire_hello_set_datagramPort(&codec, ntohs(((struct sockaddr_in *)&address)->sin_port));
    sdd_wire_hello_set_maxQueues(&codec, config_controlled_queues(config));
    struct sdd_wire_hello_addresses addresses = {0};
    sdd_wire_hello_addresses_set_count(&codec, &addresses, (uint16_t)config->addresses_count);
    for (unsigned i = 0; i < config->addresses_count; i++) {
        const struct sdd_match *match = &config->addresses[i];
        sdd_wire_hello_addresses_next(&addresses);
        sdd_wire_hello_addresses_put_address(&addresses, (const char *)match->destination.octets);
        sdd_wire_hello_addresses_set_prefixBits(&addresses, match->destination_prefix_bits);
        sdd_wire_hello_addresses_put_interfaceName(&addresses, config->tap,
                                                   (uint16_t)strlen(config->tap));
    }
    struct sdd_wire_hello_ports ports = {0};
    sdd_wire_hello_ports_set_count(&codec, &ports, 0);
    sdd_wire_hello_put_name(&codec, config->name, (uint16_t)strlen(config->name));
    return WIRE_ENCODED(hello, codec);
}

static bool clock_is(enum sdd_wire_clock clock, int id) {
    return id == (clock == sdd_wire_clock_MONOTONIC  ? CLOCK_MONOTONIC
                  : clock == sdd_wire_clock_REALTIME ? CLOCK_REALTIME
                                                     : CLOCK_TAI);
}

/* Reads Welcome. Returns false with the invalid field in *why. */
static bool read_welcome(const struct wire_message *message, int clock,
                         struct session_parameters *session, const char **why) {
    WIRE_DECODE(welcome, codec, message);
    const uint64_t period_ns = sdd_wire_welcome_periodNs(&codec);
    const uint64_t guard_ns = sdd_wire_welcome_guardNs(&codec);
    const uint64_t rate_bps = sdd_wire_welcome_safeRateBps(&codec);
    const uint64_t delay_ns = sdd_wire_welcome_packetDelayNs(&codec);
    const bool knows_delay = delay_ns != sdd_wire_welcome_packetDelayNs_null_value();
    *session = (struct session_parameters){.session_id = sdd_wire_welcome_sessionId(&codec),
                                           .epoch_ns = sdd_wire_welcome_epochNs(&codec),
                                           .period_ns = (int64_t)period_ns,
                                           .guard_ns = (int64_t)guard_ns,
                                           .safe_rate_bps = (int64_t)rate_bps,
                                           .packet_delay_ns = knows_delay ? (int64_t)delay_ns : 0};
    sdd_wire_welcome_get_datagramKey(&codec, (char *)session->key, sizeof session->key);
    *why = "a field of Welcome is out of range";
    if (!sdd_wire_welcome_clock(&codec, &session->clock) ||
        session->clock == sdd_wire_clock_NULL_VALUE ||
        !sdd_wire_welcome_safePolicy(&codec, &session->policy) ||
        session->policy == sdd_wire_safePolicy_NULL_VALUE || session->session_id == 0 ||
        session->epoch_ns < 0 || period_ns < 1000 || period_ns > 3600 * (uint64_t)BASE_SECOND_NS ||
        guard_ns > period_ns || rate_bps > (uint64_t)SDD_MAX_DRAIN_RATE_BPS ||
        (knows_delay && delay_ns > period_ns))
        return false;
    session->lost_after_ns = wire_lost_after_ns(&codec);
    session->take_over_after_ns = wire_take_over_after_ns(&codec);
    *why = "the controller uses another clock than the configuration's field clock";
    return clock_is(session->clock, clock);
}

struct welcome_job {
    struct agent *agent;
    const struct session_parameters *session;
};

static void run_welcome(void *argument) {
    const struct welcome_job *job = argument;
    agent_welcome(job->agent, job->session, clock_now(job->agent->clock));
}

static bool accepts(void *context, const struct wire_message *message, const char **why) {
    struct host_client *host_client = context;
    return read_welcome(message, host_client->workers->config->clock, &host_client->session, why);
}

/* Begins a session with the fields that read_welcome read last. */
static void welcome(void *context, const struct wire_message *message) {
    (void)message;
    struct host_client *host_client = context;
    host_client->session.generation = host_client->client.generation;
    struct welcome_job job = {host_client->agent, &host_client->session};
    jobs_call(host_client->workers->jobs, run_welcome, &job);
}

struct request_job {
    struct agent *agent;
    uint64_t session_id;
    const struct wire_message *message;
    struct request_progress progress;
    uint8_t *reply;
    size_t size;
};

static void run_request(void *argument) {
    struct request_job *job = argument;
    /* drops an unfinished request of a controller that another has replaced */
    job->progress.unfinished = false;
    if (job->session_id != job->agent->session.session_id)
        return;
    job->size = request_execute(job->agent, job->message, &job->progress,
                                clock_now(job->agent->clock), job->reply);
}

static size_t execute(void *context, const struct wire_message *message, uint8_t *buffer) {
    struct host_client *host_client = context;
    struct request_job job = {.agent = host_client->agent,
                              .session_id = host_client->session.session_id,
                              .message = message};
    job.reply = buffer;
    do
        jobs_call(host_client->workers->jobs, run_request, &job);
    while (job.progress.unfinished);
    return job.size;
}

struct report_job {
    struct agent *agent;
    uint64_t period;
    enum { REPORT_DEMAND, REPORT_MISSED, REPORT_POLICY } what;
    uint8_t *frame;
    size_t size;
};

static void run_report(void *argument) {
    struct report_job *job = argument;
    const int64_t now_ns = clock_now(job->agent->clock);
    job->size =
        job->what == REPORT_DEMAND   ? report_demand(job->agent, job->period, now_ns, job->frame)
        : job->what == REPORT_MISSED ? report_missed(job->agent, job->period, now_ns, job->frame)
                                     : report_policy(job->agent, now_ns, job->frame);
}

static bool send_reports(struct host_client *host_client, struct session *session) {
    struct report_job job = {.agent = host_client->agent,
                             .period = (uint64_t)host_client->period,
                             .frame = host_client->client.buffer};
    for (job.what = REPORT_DEMAND; job.what <= REPORT_POLICY; job.what++) {
        jobs_call(host_client->workers->jobs, run_report, &job);
        if (job.size > 0 && !session_write(session, job.frame, job.size))
            return false;
    }
    return true;
}

static bool send_events(struct host_client *host_client, struct session *session) {
    struct sdd *sdd = host_client->agent->host->sdd;
    struct sdd_event event;
    /* any single thread may take events, not only the owner */
    while (sdd_take_event(sdd, SDD_CONTROLLER, &event)) {
        WIRE_ENCODE(triggerFired, codec, host_client->client.buffer, WIRE_MAX_FRAME_BYTES);
        sdd_wire_triggerFired_set_trigger(&codec, event.trigger);
        sdd_wire_triggerFired_set_queue(&codec, event.queue);
        sdd_wire_triggerFired_set_cookie(&codec, event.cookie);
        sdd_wire_triggerFired_set_timeNs(&codec, event.time_ns);
        sdd_wire_triggerFired_set_queuedPackets(&codec, (uint64_t)event.packets);
        sdd_wire_triggerFired_set_queuedBytes(&codec, (uint64_t)event.bytes);
        sdd_wire_triggerFired_set_eventsLost(&codec, sdd_events_lost(sdd, SDD_CONTROLLER));
        if (!session_write(session, host_client->client.buffer, WIRE_ENCODED(triggerFired, codec)))
            return false;
    }
    return true;
}

struct clock_job {
    struct agent *agent;
    const struct clock *clock;
    bool off;
    int64_t now_ns;
    int64_t own_error_ns; /* error of the counter against the system's clock */
};

static void run_set_clock(void *argument) {
    struct clock_job *job = argument;
    job->now_ns = clock_now(job->clock);
    agent_set_clock(job->agent, job->off, job->now_ns);
}

static void run_read_clock(void *argument) {
    struct clock_job *job = argument;
    job->now_ns = clock_now(job->clock);
    job->own_error_ns = llabs(job->clock->error_ns);
}

static bool send_clock_status(struct host_client *host_client, struct session *session) {
    const struct config *config = host_client->workers->config;
    struct clock_job job = {.agent = host_client->agent, .clock = &host_client->workers->clock};
    jobs_call(host_client->workers->jobs, run_read_clock, &job);
    struct clock_status status =
        clock_status(config->clock_source, config->ptp4l_socket, &host_client->clock_measured);
    const uint64_t bound_ns =
        status.known ? (uint64_t)llabs(status.offset_ns) + (uint64_t)job.own_error_ns : INT64_MAX;
    job.off = bound_ns > (uint64_t)host_client->session.guard_ns;
    if (job.off != host_client->agent->clock_off)
        client_log(&host_client->client.config,
                   job.off ? "the clock is off: slots are not used"
                           : "the clock is synchronised again",
                   status.why);
    jobs_call(host_client->workers->jobs, run_set_clock, &job);
    WIRE_ENCODE(clockStatus, codec, host_client->client.buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_clockStatus_set_timeNs(&codec, job.now_ns);
    sdd_wire_clockStatus_set_offsetNs(&codec, status.offset_ns);
    sdd_wire_clockStatus_set_errorBoundNs(&codec, bound_ns);
    sdd_wire_clockStatus_set_synchronised(&codec, job.off ? sdd_wire_booleanType_NO
                                                          : sdd_wire_booleanType_YES);
    return session_write(session, host_client->client.buffer, WIRE_ENCODED(clockStatus, codec));
}

static int64_t own_time_ns(const struct host_client *host_client) {
    return base_system_clock_ns(host_client->workers->config->clock);
}

static int64_t period_now(const struct host_client *host_client) {
    const struct session_parameters *session = &host_client->session;
    return (own_time_ns(host_client) - session->epoch_ns) / session->period_ns;
}

static int64_t next_period_ns(const struct host_client *host_client) {
    const struct session_parameters *session = &host_client->session;
    return session->epoch_ns + (host_client->period + 1) * session->period_ns;
}

static bool start(void *context, struct session *session) {
    struct host_client *host_client = context;
    host_client->clock_due_ns = own_time_ns(host_client) + BASE_SECOND_NS;
    if (!send_clock_status(host_client, session))
        return false;
    host_client->period = period_now(host_client);
    return true;
}

static int64_t report_due(void *context) {
    const struct host_client *host_client = context;
    const int64_t period_ns = next_period_ns(host_client), clock_ns = host_client->clock_due_ns;
    return (period_ns < clock_ns ? period_ns : clock_ns) - own_time_ns(host_client);
}

static bool report(void *context, struct session *session) {
    struct host_client *host_client = context;
    if (own_time_ns(host_client) >= next_period_ns(host_client)) {
        host_client->period = period_now(host_client);
        if (!send_reports(host_client, session) || !send_events(host_client, session))
            return false;
    }
    if (own_time_ns(host_client) < host_client->clock_due_ns)
        return true;
    host_client->clock_due_ns += BASE_SECOND_NS;
    return send_clock_status(host_client, session);
}

/* Returns false before the host falls back to its safe policy. */
static bool is_heard(void *context) {
    const struct host_client *host_client = context;
    struct agent *agent = host_client->agent;
    const int64_t silent_ns = own_time_ns(host_client) - atomic_load(&agent->last_datagram_ns);
    return silent_ns <= atomic_load(&agent->take_over_after_ns);
}

static const struct client_role role = {.hello = hello,
                                        .accepts = accepts,
                                        .welcome = welcome,
                                        .start = start,
                                        .execute = execute,
                                        .report_due = report_due,
                                        .report = report,
                                        .is_heard = is_heard};

static struct session_config session_of(const struct control_config *control, unsigned controller,
                                        int stop) {
    return (struct session_config){.address = control->controllers.list[controller].address,
                                   .port = control->controllers.list[controller].port,
                                   .server_name = control->server_name,
                                   .certificate = control->certificate,
                                   .key = control->key,
                                   .authority = control->authority,
                                   .stop = stop};
}

bool host_client_check(const struct host_config *host, char *error, size_t error_size) {
    if (host->control.controllers.count == 0)
        return true;
    const struct session_config session = session_of(&host->control, 0, -1);
    char why[512];
    if (session_check(&session, why, sizeof why))
        return true;
    snprintf(error, error_size, "the control of %s: %s", host->name, why);
    return false;
}

bool host_client_start(struct host_client *host_client, struct agent *agent, unsigned controller,
                       struct workers *workers, int stop) {
    const struct host_config *host = agent->host->config;
    const struct control_config *control = &host->control;
    const struct controller_address *at = &control->controllers.list[controller];
    *host_client = (struct host_client){.agent = agent, .workers = workers};
    const struct client_config config = {.log_prefix = host_client->log_prefix,
                                         .session = session_of(control, controller, stop),
                                         .followed = &agent->followed,
                                         .first_retry_ms = 100,
                                         /* a controller that is unreachable now may lead the next
                                          * moment */
                                         .last_retry_ms =
                                             control->controllers.count > 1 ? 500 : 5000};
    if (control->controllers.count > 1)
        snprintf(host_client->log_prefix, sizeof host_client->log_prefix, "sdd-host: %s: %s:%u",
                 host->name, at->address, at->port);
    else
        snprintf(host_client->log_prefix, sizeof host_client->log_prefix, "sdd-host: %s",
                 host->name);
    if (client_start(&host_client->client, &config, &role, host_client))
        return true;
    fprintf(stderr, "sdd-host: cannot start the controller's thread: %s\n", strerrordesc_np(errno));
    return false;
}

void host_client_join(struct host_client *host_client) {
    client_join(&host_client->client);
}
