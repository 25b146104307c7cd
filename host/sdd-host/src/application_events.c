/* Notifications to applications. */
#include <stdlib.h>
#include <sys/eventfd.h>

#include "application_execute.h"
#include "application_messages.h"
#include "application_set.h"
#include "flow_owner.h"

static void tell(struct applications *applications, struct application *application,
                 const struct sdd_event *event, uint64_t cookie) {
    struct host *host = applications->agent->host;
    const uint64_t lost = sdd_events_lost(host->sdd, SDD_APPLICATIONS) - application->lost_before;
    /* leaves room for an answer */
    if (application_has_room(application) &&
        set_put(application, message_event(event, cookie, application->dropped + lost)))
        return;
    application->dropped++;
    set_count(&host->applications.events_dropped, 1);
}

static bool listens(const struct application *application, uint32_t queue) {
    const struct access_rule *rule = application->rule;
    for (unsigned i = 0; i < rule->observes_count; i++)
        if (rule->observes[i] == queue)
            return application->listens >> i & 1;
    return false;
}

static void deliver(struct applications *applications, const struct sdd_event *event) {
    const struct holdings *holdings = &applications->holdings;
    const struct held_trigger *trigger = &holdings->triggers[event->trigger];
    const bool own = event->target == SDD_TO_APPLICATION;
    if (own && (!trigger->used || trigger->serial != event->cookie))
        return; /* the trigger was removed meanwhile */
    for (unsigned i = 0; i < MAX_APPLICATIONS; i++) {
        struct application *application = applications->members[i];
        if (application && (own ? holdings_queue(holdings, trigger->queue, application) != NULL
                                : listens(application, event->queue)))
            tell(applications, application, event, own ? trigger->cookie : event->cookie);
    }
}

void set_take_events(struct applications *applications) {
    struct host *host = applications->agent->host;
    struct sdd_event event;
    eventfd_t ignored;
    eventfd_read(host->events, &ignored);
    while (sdd_take_event(host->sdd, SDD_APPLICATIONS, &event))
        deliver(applications, &event);
    for (unsigned i = 0; i < MAX_APPLICATIONS; i++)
        if (applications->members[i])
            application_send(applications->members[i]);
}

static void tell_owner(struct applications *applications, const struct held_mapping *mapping) {
    for (unsigned i = 0; i < MAX_APPLICATIONS; i++)
        if (applications->members[i] &&
            holdings_queue(&applications->holdings, mapping->queue, applications->members[i])) {
            set_put(applications->members[i], message_unmapped(mapping));
            application_send(applications->members[i]);
        }
}

void set_check_claims(struct applications *applications) {
    struct holdings *holdings = &applications->holdings;
    struct flow_claim *claims = calloc(holdings->mappings_count + 1, sizeof *claims);
    uint32_t *of = calloc(holdings->mappings_count + 1, sizeof *of);
    unsigned claims_count = 0;
    for (uint32_t i = 0; claims && of && i < holdings->mappings_count; i++) {
        const struct held_mapping *mapping = &holdings->mappings[i];
        if (!mapping->claimed)
            continue;
        of[claims_count] = i;
        claims[claims_count++] = (struct flow_claim){
            .match = &mapping->match,
            .user = holdings->queues[mapping->queue - holdings->first_queue].user};
    }
    if (claims_count > 0 &&
        flow_owner_check(applications->agent->host->frames.tap, claims, claims_count))
        /* backwards, because the last mapping replaces one that ends */
        for (unsigned i = claims_count; i-- > 0;)
            if (!claims[i].good) {
                struct application_unmap_job job = {.agent = applications->agent,
                                                    .holdings = holdings,
                                                    .mapping = &holdings->mappings[of[i]]};
                tell_owner(applications, job.mapping);
                set_run(applications, application_unmap, &job);
            }
    free(claims);
    free(of);
}
