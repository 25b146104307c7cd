/* Connected applications. */
#include "application_set.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "application_execute.h"
#include "application_messages.h"
#include "local_socket.h"

void set_run(const struct applications *applications, void (*run)(void *), void *job) {
    jobs_call(applications->workers->jobs, run, job);
}

void set_count(_Atomic uint64_t *counter, uint64_t more) {
    atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

bool set_put(struct application *application, char *message) {
    const bool good = message && application_put(application, message, strlen(message));
    free(message);
    return good;
}

/* Returns the account of a user; null: all are in use, which implies that all places are. The
 * account of a disconnected user is kept for a while, so that a new connection does not reset its
 * rate limit. */
static struct application_user *account_of(struct applications *applications, uint32_t user) {
    struct application_user *free_one = NULL;
    for (unsigned i = 0; i < MAX_APPLICATIONS; i++) {
        struct application_user *account = &applications->users[i];
        if (account->due_ns > 0 && account->id == user)
            return account;
        if (account->connections == 0 && (!free_one || account->due_ns < free_one->due_ns))
            free_one = account;
    }
    if (free_one)
        *free_one = (struct application_user){.id = user, .due_ns = 1};
    return free_one;
}

/* Initialises a new application for a peer. Returns null, or the reason the peer is not
 * admitted. */
static const char *admit(struct applications *applications, struct application *application) {
    const struct host_config *config = applications->agent->host->config;
    application->rule = application_access(application->connection, &config->applications,
                                           &application->user, &application->process);
    if (!application->rule)
        return "no rule in applications.access applies to this user";
    application->account = account_of(applications, application->user);
    if (!application->account ||
        application->account->connections >= application->rule->quota.connections)
        return "the user has reached its limit of connections";
    return NULL;
}

static void refuse(struct applications *applications, struct application *application,
                   enum application_status status, const char *why) {
    set_put(application, message_error(NULL, status, why));
    application_send(application);
    application_hang_up(application->connection);
    free(application);
    set_count(&applications->agent->host->applications.refused, 1);
}

void set_accept(struct applications *applications) {
    struct host *host = applications->agent->host;
    struct application **place = applications->members;
    const int connection = local_socket_accept(applications->listening);
    if (connection < 0)
        return;
    struct application *application = calloc(1, sizeof *application);
    if (!application) {
        close(connection);
        return;
    }
    application->connection = connection;
    application->lost_before = sdd_events_lost(host->sdd, SDD_APPLICATIONS);
    const char *why = admit(applications, application);
    while (place < applications->members + MAX_APPLICATIONS && *place)
        place++;
    if (why) {
        refuse(applications, application, application->rule ? ANSWER_QUOTA : ANSWER_DENIED, why);
    } else if (place == applications->members + MAX_APPLICATIONS) {
        refuse(applications, application, ANSWER_FULL,
               "the host has reached its limit of applications");
    } else {
        *place = application;
        application->account->connections++;
        set_count(&host->applications.connected, 1);
    }
}

void set_end(struct applications *applications, struct application **place) {
    struct application *application = *place;
    struct application_end_job job = {.agent = applications->agent,
                                      .holdings = &applications->holdings,
                                      .application = application};
    set_run(applications, application_end, &job);
    applications->draining = true;
    application->account->connections--;
    set_count(&applications->agent->host->applications.connected, (uint64_t)-1);
    application_hang_up(application->connection);
    free(application);
    *place = NULL;
}
