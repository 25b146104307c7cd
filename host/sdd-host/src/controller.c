#include "controller.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock_status.h"
#include "reports.h"
#include "requests.h"
#include "session.h"

#define SECOND_NS INT64_C(1000000000)
#define WELCOME_PATIENCE_NS (5 * SECOND_NS)
/* How long to wait before connecting again; doubles up to the second. */
#define FIRST_RETRY_MS 100
#define LAST_RETRY_MS 5000

static bool stopping(const struct controller *controller) {
    struct pollfd ready = {.fd = controller->stop, .events = POLLIN};
    return poll(&ready, 1, 0) != 0;
}

static void say(const struct controller *controller, const char *what, const char *why) {
    fprintf(stderr, "sdd-host: %s: controller: %s%s%s\n", controller->agent->host->config->name,
            what, why[0] ? ": " : "", why);
}

static size_t hello(const struct agent *agent, uint8_t *buffer) {
    const struct host_config *config = agent->host->config;
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    getsockname(agent->socket, (struct sockaddr *)&address, &size);
    WIRE_ENCODE(hello, codec, buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_hello_set_protocolVersion(&codec, WIRE_PROTOCOL_VERSION);
    sdd_wire_hello_set_role(&codec, sdd_wire_role_HOST);
    sdd_wire_hello_set_linkBps(&codec, config->link_bps);
    /* the port is at the same place in both families */
    sdd_wire_hello_set_datagramPort(&codec, ntohs(((struct sockaddr_in *)&address)->sin_port));
    sdd_wire_hello_set_maxQueues(&codec, config->limits.max_queues);
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

/* What Welcome says; false if it is out of range: *why. */
static bool read_terms(const struct wire_message *message, int clock, struct terms *terms,
                       const char **why) {
    WIRE_DECODE(welcome, codec, message);
    const uint64_t period_ns = sdd_wire_welcome_periodNs(&codec);
    const uint64_t guard_ns = sdd_wire_welcome_guardNs(&codec);
    const uint64_t rate_bps = sdd_wire_welcome_safeRateBps(&codec);
    *terms = (struct terms){.session_id = sdd_wire_welcome_sessionId(&codec),
                            .number = sdd_wire_welcome_number(&codec),
                            .epoch_ns = sdd_wire_welcome_epochNs(&codec),
                            .period_ns = (int64_t)period_ns,
                            .guard_ns = (int64_t)guard_ns,
                            .safe_rate_bps = (int64_t)rate_bps};
    sdd_wire_welcome_get_datagramKey(&codec, (char *)terms->key, sizeof terms->key);
    *why = "Welcome has a field that is out of range";
    if (!sdd_wire_welcome_clock(&codec, &terms->clock) ||
        terms->clock == sdd_wire_clock_NULL_VALUE ||
        !sdd_wire_welcome_safePolicy(&codec, &terms->policy) ||
        terms->policy == sdd_wire_safePolicy_NULL_VALUE || terms->session_id == 0 ||
        terms->epoch_ns < 0 || period_ns < 1000 || period_ns > 3600 * (uint64_t)SECOND_NS ||
        guard_ns > period_ns || rate_bps > (uint64_t)SDD_MAX_DRAIN_RATE_BPS)
        return false;
    if (__builtin_mul_overflow(terms->period_ns, sdd_wire_welcome_lostAfterPeriods(&codec),
                               &terms->lost_after_ns))
        terms->lost_after_ns = INT64_MAX;
    *why = "it goes by another clock; see the configuration's field clock";
    return clock_is(terms->clock, clock);
}

struct welcome_job {
    struct agent *agent;
    const struct terms *terms;
};

static void begin(void *argument) {
    const struct welcome_job *job = argument;
    agent_welcome(job->agent, job->terms, clock_now(job->agent->clock));
}

struct request_job {
    struct agent *agent;
    const struct wire_message *message;
    struct request_progress progress;
    uint8_t *answer;
    size_t size;
};

static void execute(void *argument) {
    struct request_job *job = argument;
    job->size = request_execute(job->agent, job->message, &job->progress,
                                clock_now(job->agent->clock), job->answer);
}

struct report_job {
    struct agent *agent;
    uint64_t period;
    enum { REPORT_DEMAND, REPORT_MISSED, REPORT_POLICY } what;
    uint8_t *answer;
    size_t size;
};

static void report(void *argument) {
    struct report_job *job = argument;
    const int64_t now_ns = clock_now(job->agent->clock);
    job->size =
        job->what == REPORT_DEMAND   ? report_demand(job->agent, job->period, now_ns, job->answer)
        : job->what == REPORT_MISSED ? report_missed(job->agent, job->period, now_ns, job->answer)
                                     : report_policy(job->agent, now_ns, job->answer);
}

static bool send_reports(struct controller *controller, struct session *session, uint64_t period) {
    struct report_job job = {
        .agent = controller->agent, .period = period, .answer = controller->answer};
    for (job.what = REPORT_DEMAND; job.what <= REPORT_POLICY; job.what++) {
        jobs_call(controller->workers->jobs, report, &job);
        if (job.size > 0 && !session_write(session, job.answer, job.size))
            return false;
    }
    return true;
}

static bool send_events(struct controller *controller, struct session *session) {
    struct sdd *sdd = controller->agent->host->sdd;
    struct sdd_event event;
    /* another thread than the owner may take events */
    while (sdd_take_event(sdd, &event)) {
        WIRE_ENCODE(triggerFired, codec, controller->answer, WIRE_MAX_FRAME_BYTES);
        sdd_wire_triggerFired_set_trigger(&codec, event.trigger);
        sdd_wire_triggerFired_set_queue(&codec, event.queue);
        sdd_wire_triggerFired_set_cookie(&codec, event.cookie);
        sdd_wire_triggerFired_set_timeNs(&codec, event.time_ns);
        sdd_wire_triggerFired_set_queuedPackets(&codec, (uint64_t)event.packets);
        sdd_wire_triggerFired_set_queuedBytes(&codec, (uint64_t)event.bytes);
        sdd_wire_triggerFired_set_eventsLost(&codec, sdd_events_lost(sdd));
        if (!session_write(session, controller->answer, WIRE_ENCODED(triggerFired, codec)))
            return false;
    }
    return true;
}

struct clock_job {
    struct agent *agent;
    const struct clock *clock;
    bool off;
    int64_t now_ns;
    int64_t own_error_ns; /* of the counter against the system's clock */
};

static void tell_clock(void *argument) {
    struct clock_job *job = argument;
    job->now_ns = clock_now(job->clock);
    agent_set_clock(job->agent, job->off, job->now_ns);
}

static void read_clock(void *argument) {
    struct clock_job *job = argument;
    job->now_ns = clock_now(job->clock);
    job->own_error_ns = llabs(job->clock->error_ns);
}

static bool send_clock_status(struct controller *controller, struct session *session,
                              const struct terms *terms) {
    const struct config *config = controller->workers->config;
    struct clock_job job = {.agent = controller->agent, .clock = &controller->workers->clock};
    jobs_call(controller->workers->jobs, read_clock, &job);
    struct clock_status status =
        clock_status(config->clock_source, config->ptp4l_socket, &controller->clock_measured);
    const uint64_t bound_ns =
        status.known ? (uint64_t)llabs(status.offset_ns) + (uint64_t)job.own_error_ns : INT64_MAX;
    job.off = bound_ns > (uint64_t)terms->guard_ns;
    if (job.off != controller->agent->clock_off)
        say(controller,
            job.off ? "the clock is off: slots are not used" : "the clock is good again",
            status.why);
    jobs_call(controller->workers->jobs, tell_clock, &job);
    WIRE_ENCODE(clockStatus, codec, controller->answer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_clockStatus_set_timeNs(&codec, job.now_ns);
    sdd_wire_clockStatus_set_offsetNs(&codec, status.offset_ns);
    sdd_wire_clockStatus_set_errorBoundNs(&codec, bound_ns);
    sdd_wire_clockStatus_set_synchronised(&codec, job.off ? sdd_wire_booleanType_NO
                                                          : sdd_wire_booleanType_YES);
    return session_write(session, controller->answer, WIRE_ENCODED(clockStatus, codec));
}

/* Executes a request and answers it. False: the session is over. */
static bool handle(struct controller *controller, struct session *session, const uint8_t *frame,
                   size_t size) {
    struct wire_message message;
    const char *why = "a message is no request";
    enum wire_verdict verdict = wire_check(frame, size, &message, &why);
    if (verdict == WIRE_SKIP)
        return true;
    struct request_job job = {
        .agent = controller->agent, .message = &message, .answer = controller->answer};
    if (verdict == WIRE_GOOD)
        do
            jobs_call(controller->workers->jobs, execute, &job);
        while (job.progress.unfinished);
    if (job.size == 0) {
        say(controller, "session closed", why);
        return false;
    }
    return session_write(session, job.answer, job.size);
}

static int64_t now_by(int clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * SECOND_NS + time.tv_nsec;
}

static void converse(struct controller *controller, struct session *session,
                     const struct terms *terms) {
    const int clock = controller->workers->config->clock;
    int64_t clock_due_ns = now_by(clock) + SECOND_NS;
    if (!send_clock_status(controller, session, terms))
        return;
    int64_t period = (now_by(clock) - terms->epoch_ns) / terms->period_ns;
    while (!stopping(controller)) {
        const int64_t now_ns = now_by(clock);
        const int64_t next_ns = terms->epoch_ns + (period + 1) * terms->period_ns;
        const int64_t until_ns = next_ns < clock_due_ns ? next_ns : clock_due_ns;
        const uint8_t *frame;
        size_t size;
        enum session_read read =
            session_read(session, until_ns > now_ns ? until_ns - now_ns : 0, &frame, &size);
        if (read == SESSION_ENDED ||
            (read == SESSION_FRAME && !handle(controller, session, frame, size)))
            return;
        if (now_by(clock) >= next_ns) {
            period = (now_by(clock) - terms->epoch_ns) / terms->period_ns;
            if (!send_reports(controller, session, (uint64_t)period) ||
                !send_events(controller, session))
                return;
        }
        if (now_by(clock) >= clock_due_ns) {
            clock_due_ns += SECOND_NS;
            if (!send_clock_status(controller, session, terms))
                return;
        }
    }
}

/* One session, from Hello on. Whether there was a Welcome. */
static bool attend(struct controller *controller, struct session *session) {
    struct wire_message message;
    struct terms terms;
    const uint8_t *frame;
    size_t size;
    const char *why = "the first message is no Welcome";
    if (!session_write(session, controller->answer, hello(controller->agent, controller->answer)) ||
        !session_await(session, WELCOME_PATIENCE_NS, &frame, &size)) {
        if (!stopping(controller))
            say(controller, "no Welcome", session->error);
        return false;
    }
    if (wire_check(frame, size, &message, &why) != WIRE_GOOD) {
        say(controller, "session closed", why);
        return false;
    }
    if (message.template_id == WIRE_REFUSED) {
        char text[1025];
        WIRE_DECODE(refused, codec, &message);
        size_t length = sdd_wire_refused_text_length(&codec);
        length = length < sizeof text ? length : sizeof text - 1;
        memcpy(text, sdd_wire_refused_text(&codec), length);
        text[length] = '\0';
        for (char *c = text; *c; c++)
            *c = (unsigned char)*c < ' ' ? '?' : *c;
        say(controller, "refused", text);
        return false;
    }
    if (message.template_id != WIRE_WELCOME ||
        !read_terms(&message, controller->workers->config->clock, &terms, &why)) {
        say(controller, "session closed", why);
        return false;
    }
    struct welcome_job job = {controller->agent, &terms};
    jobs_call(controller->workers->jobs, begin, &job);
    say(controller, "connected", "");
    converse(controller, session, &terms);
    if (!stopping(controller))
        say(controller, "session ended", session->error);
    return true;
}

static void *run(void *argument) {
    struct controller *controller = argument;
    const struct control_config *config = &controller->agent->host->config->control;
    const struct session_config session_config = {.address = config->address,
                                                  .port = config->port,
                                                  .server_name = config->server_name,
                                                  .certificate = config->certificate,
                                                  .key = config->key,
                                                  .authority = config->authority,
                                                  .stop = controller->stop};
    int retry_ms = FIRST_RETRY_MS;
    while (!stopping(controller)) {
        struct session session;
        bool welcome = false;
        if (session_open(&session, &session_config)) {
            welcome = attend(controller, &session);
            session_close(&session);
        } else if (!stopping(controller)) {
            say(controller, "no session", session.error);
        }
        retry_ms = welcome ? FIRST_RETRY_MS : retry_ms;
        struct pollfd stop = {.fd = controller->stop, .events = POLLIN};
        poll(&stop, 1, retry_ms);
        retry_ms = 2 * retry_ms < LAST_RETRY_MS ? 2 * retry_ms : LAST_RETRY_MS;
    }
    return NULL;
}

bool controller_start(struct controller *controller, struct agent *agent, struct workers *workers,
                      int stop) {
    *controller = (struct controller){.agent = agent, .workers = workers, .stop = stop};
    controller->answer = malloc(WIRE_MAX_FRAME_BYTES);
    errno =
        controller->answer ? pthread_create(&controller->thread, NULL, run, controller) : ENOMEM;
    if (errno == 0)
        return true;
    fprintf(stderr, "sdd-host: the controller's thread does not start: %s\n", strerror(errno));
    free(controller->answer);
    return false;
}

void controller_join(struct controller *controller) {
    pthread_join(controller->thread, NULL);
    free(controller->answer);
}
