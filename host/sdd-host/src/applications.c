#include "applications.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "application_execute.h"
#include "application_messages.h"
#include "application_set.h"
#include "base/system_clock.h"
#include "flow_owner.h"
#include "local_socket.h"

/* The period for checking queues that wait for their last packet, and claims. */
#define DRAIN_NS INT64_C(20000000)
#define CLAIMS_NS BASE_SECOND_NS
/* The burst of an idle user, as time at its request rate. */
#define BURST_NS (BASE_SECOND_NS / 10)

enum { BACKLOG = 16, FIXED_POLLED = 3 };

/* Whether the user's own sockets send the flows to be mapped. */
static bool claimed(const struct applications *applications, const struct application *application,
                    const struct application_request *request) {
    struct flow_claim claim = {.match = &request->match, .user = application->user};
    if (request->method != METHOD_MAP_FLOW || !flow_can_be_claimed(&request->match))
        return false;
    flow_owner_check(applications->agent->host->frames.tap, &claim, 1);
    return claim.good;
}

static void serve_line(struct applications *applications, struct application *application,
                       size_t length) {
    struct application_request request;
    char text[APPLICATION_TEXT_SIZE];
    const enum application_status status =
        application_request_read(application->input, length, &request, text);
    if (status != ANSWER_OK) {
        set_put(application, message_error(request.id, status, text));
    } else {
        static _Thread_local struct application_job job;
        job = (struct application_job){.agent = applications->agent,
                                       .holdings = &applications->holdings,
                                       .application = application,
                                       .request = &request,
                                       .claimed = claimed(applications, application, &request)};
        set_run(applications, application_execute, &job);
        applications->draining = applications->draining || request.method == METHOD_CLOSE_QUEUE;
        set_put(application, message_answer(&job, applications->workers->config));
    }
    application_request_free(&request);
    set_count(&applications->agent->host->applications.requests, 1);
}

/* Serves pending requests as far as the user's rate and room for answers allow. Returns the time at
 * which more may be served; BASE_FOREVER: only after input or output. */
static int64_t serve(struct applications *applications, struct application *application,
                     int64_t now_ns) {
    struct application_user *account = application->account;
    const int64_t interval_ns = BASE_SECOND_NS / application->rule->quota.requests_per_second;
    size_t length;
    while (!application->broken && application_has_room(application) &&
           application_line(application, &length)) {
        if (account->due_ns > now_ns)
            return account->due_ns;
        if (account->due_ns < now_ns - BURST_NS)
            account->due_ns = now_ns - BURST_NS;
        account->due_ns += interval_ns;
        serve_line(applications, application, length);
        application_drop_line(application, length);
        application_send(application);
    }
    if (application->input_used == sizeof application->input && !application->broken &&
        !memchr(application->input, '\n', application->input_used)) {
        set_put(application, message_error(NULL, ANSWER_NOT_A_REQUEST, "a line is too long"));
        application->broken = true;
    }
    return BASE_FOREVER;
}

/* Whether the connection is over: no more input or output is possible. */
static bool over(const struct application *application) {
    size_t length;
    const bool asked = application_line(application, &length);
    return (application->broken || (application->input_over && !asked)) &&
           application->output_used == 0;
}

static void pass_time(struct applications *applications, int64_t now_ns) {
    if (applications->draining) {
        struct application_drain_job job = {.agent = applications->agent,
                                            .holdings = &applications->holdings};
        set_run(applications, application_drain, &job);
        applications->draining = job.draining;
    }
    if (now_ns >= applications->claims_due_ns) {
        applications->claims_due_ns = now_ns + CLAIMS_NS;
        set_check_claims(applications);
    }
}

static int64_t min(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Serves an application or ends it. Returns the events for which it waits, and the latest time to
 * serve it again. */
static struct pollfd serve_member(struct applications *applications, struct application **member,
                                  int64_t now_ns, int64_t *due_ns) {
    const int64_t more_ns = serve(applications, *member, now_ns);
    if (over(*member)) {
        set_end(applications, member);
        return (struct pollfd){.fd = -1};
    }
    *due_ns = min(*due_ns, more_ns);
    const bool reads = more_ns == BASE_FOREVER && !(*member)->input_over && !(*member)->broken &&
                       application_has_room(*member);
    return (struct pollfd){
        .fd = (*member)->connection,
        .events = (short)((reads ? POLLIN : 0) | ((*member)->output_used ? POLLOUT : 0))};
}

static void handle_member(struct application *member, short ready) {
    if (ready & POLLIN)
        application_receive(member);
    if (ready & POLLOUT)
        application_send(member);
    if (ready & (POLLERR | POLLNVAL) || (ready & POLLHUP && !(ready & POLLIN))) {
        member->broken = true;
        member->output_used = 0;
    }
}

/* Runs one turn; returns false if the thread must stop. */
static bool turn(struct applications *applications) {
    struct pollfd polled[FIXED_POLLED + MAX_APPLICATIONS] = {
        {.fd = applications->stop, .events = POLLIN},
        {.fd = applications->listening, .events = POLLIN},
        {.fd = applications->agent->host->events, .events = POLLIN}};
    struct pollfd *of_members = polled + FIXED_POLLED;
    const int64_t begin_ns = base_system_clock_ns(CLOCK_MONOTONIC);
    int64_t due_ns = applications->claims_due_ns;
    if (applications->draining)
        due_ns = min(due_ns, begin_ns + DRAIN_NS);
    for (unsigned i = 0; i < MAX_APPLICATIONS; i++)
        of_members[i] =
            applications->members[i]
                ? serve_member(applications, &applications->members[i], begin_ns, &due_ns)
                : (struct pollfd){.fd = -1};
    const struct timespec timeout = base_timespec(due_ns > begin_ns ? due_ns - begin_ns : 0);
    if (ppoll(polled, FIXED_POLLED + MAX_APPLICATIONS, &timeout, NULL) < 0)
        return errno == EINTR;
    if (polled[0].revents)
        return false;
    for (unsigned i = 0; i < MAX_APPLICATIONS; i++)
        if (of_members[i].fd >= 0)
            handle_member(applications->members[i], of_members[i].revents);
    if (polled[1].revents)
        set_accept(applications);
    if (polled[2].revents)
        set_take_events(applications);
    pass_time(applications, base_system_clock_ns(CLOCK_MONOTONIC));
    return true;
}

static void *run(void *argument) {
    while (turn(argument))
        ;
    return NULL;
}

struct applications *applications_open(struct agent *agent, struct workers *workers) {
    struct host *host = agent->host;
    const struct applications_config *config = &host->config->applications;
    struct applications *applications = calloc(1, sizeof *applications);
    if (applications) {
        *applications = (struct applications){.agent = agent, .workers = workers, .listening = -1};
        host->events = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    }
    if (!applications || host->events < 0 ||
        !holdings_init(&applications->holdings, host->config)) {
        fprintf(stderr, "sdd-host: %s: applications: out of memory\n", host->config->name);
        applications_close(applications);
        return NULL;
    }
    /* anyone may connect; the rules decide who is admitted */
    applications->listening = local_socket_listen(config->socket, 0666, BACKLOG);
    if (applications->listening >= 0)
        return applications;
    fprintf(stderr, "sdd-host: %s: applications.socket: cannot create %s: %s\n", host->config->name,
            config->socket, strerrordesc_np(errno));
    applications_close(applications);
    return NULL;
}

bool applications_start(struct applications *applications, int stop) {
    applications->stop = stop;
    const int error = pthread_create(&applications->thread, NULL, run, applications);
    applications->running = error == 0;
    if (error)
        fprintf(stderr, "sdd-host: cannot start the applications' thread: %s\n",
                strerrordesc_np(error));
    return error == 0;
}

void applications_join(struct applications *applications) {
    if (applications->running)
        pthread_join(applications->thread, NULL);
    applications->running = false;
}

void applications_close(struct applications *applications) {
    if (!applications)
        return;
    struct host *host = applications->agent->host;
    for (unsigned i = 0; i < MAX_APPLICATIONS; i++)
        if (applications->members[i]) {
            close(applications->members[i]->connection);
            free(applications->members[i]);
        }
    if (applications->listening >= 0) {
        close(applications->listening);
        unlink(host->config->applications.socket);
    }
    if (host->events >= 0)
        close(host->events);
    host->events = -1;
    holdings_free(&applications->holdings);
    free(applications);
}
