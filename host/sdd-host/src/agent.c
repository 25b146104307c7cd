#include "agent.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* A bound, so that a fast sender cannot prevent this thread from forwarding; the next turn reads
 * the rest. */
enum { DATAGRAMS_PER_TURN = 32 };

/* The default of maxPackets in the configuration. */
enum { LAST_QUEUE_PACKETS = 1000 };

static const struct sdd_program always = {.length = 1, .code = {0x01}};
static const struct sdd_program never = {.length = 1, .code = {0x00}};
static const struct sdd_window no_slot = {-1, -1};

int agent_datagram_socket(const struct control_config *config) {
    const struct controller_address *controller = &config->controllers.list[0];
    struct sockaddr_storage address = {0};
    struct sockaddr_in *v4 = (struct sockaddr_in *)&address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&address;
    socklen_t size = sizeof *v4;
    if (inet_pton(AF_INET, controller->address, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(controller->port);
    } else {
        inet_pton(AF_INET6, controller->address, &v6->sin6_addr);
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(controller->port);
        size = sizeof *v6;
    }
    const int family = address.ss_family, type = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
    int probe = socket(family, type, 0), bound = -1;
    if (probe >= 0 && connect(probe, (struct sockaddr *)&address, size) == 0 &&
        getsockname(probe, (struct sockaddr *)&address, &size) == 0) {
        v4->sin_port =
            htons(config->datagram_port); /* the port has the same offset in both families */
        bound = socket(family, type, 0);
        if (bound >= 0 && bind(bound, (struct sockaddr *)&address, size) != 0) {
            const int reason = errno;
            close(bound);
            bound = -1;
            errno = reason;
        }
    }
    if (probe >= 0)
        close(probe);
    return bound;
}

static void apply_policy(struct agent *agent, int64_t now_ns);

static bool maps_everything(const struct host_config *config) {
    const struct sdd_match all = sdd_match_all();
    for (uint32_t i = 0; i < config->mappings_count; i++)
        if (sdd_match_includes(&config->mappings[i].match, &all))
            return true;
    return false;
}

static bool is_configured(const struct host_config *config, uint32_t queue) {
    for (uint32_t i = 0; i < config->queues_count; i++)
        if (config->queues[i].number == queue)
            return true;
    return false;
}

/* Opens the last free queue for flows without a mapping until a controller connects; otherwise the
 * safe policy would have no queue to open for them. */
static void open_last_queue(struct agent *agent, int64_t now_ns) {
    const struct host_config *config = agent->host->config;
    const struct sdd_match all = sdd_match_all();
    struct sdd_queue_config settings = {.network = SDD_PACKET, .max_packets = LAST_QUEUE_PACKETS};
    uint32_t queue = config_controlled_queues(config);
    if (maps_everything(config))
        return;
    while (queue > 0 && is_configured(config, queue - 1))
        queue--;
    if (queue > 0 && agent_set_queue(agent, queue - 1, &settings, now_ns) == SDD_OK &&
        sdd_map_flow(agent->host->sdd, queue - 1, &all, 0, now_ns) == SDD_OK)
        agent->last_queue = (int32_t)queue - 1;
}

/* Closes the last queue. If it has packets, the end of the controller's setup closes it. */
static void close_last_queue(struct agent *agent, int64_t now_ns) {
    const struct sdd_match all = sdd_match_all();
    if (agent->last_queue < 0)
        return;
    sdd_unmap_flow(agent->host->sdd, &all, now_ns);
    sdd_close_queue(agent->host->sdd, (uint32_t)agent->last_queue, now_ns);
    agent->last_queue = -1;
}

/* Begins with the safe policy, until a controller connects. */
static void begin_safe(struct agent *agent) {
    static const enum sdd_wire_safePolicy policies[] = {[SAFE_OPEN] = sdd_wire_safePolicy_OPEN,
                                                        [SAFE_CLOSED] = sdd_wire_safePolicy_CLOSED,
                                                        [SAFE_RATE] = sdd_wire_safePolicy_RATE};
    const struct control_config *control = &agent->host->config->control;
    const int64_t now_ns = clock_now(agent->clock);
    agent->session.policy = policies[control->safe_policy];
    agent->session.safe_rate_bps = control->safe_rate_bps;
    open_last_queue(agent, now_ns);
    agent->controller_lost = true;
    apply_policy(agent, now_ns);
}

bool agent_open(struct agent *agent, struct host *host, const struct clock *clock) {
    const uint32_t queues = host->config->limits.max_queues;
    *agent = (struct agent){.host = host,
                            .clock = clock,
                            .socket = -1,
                            .last_queue = -1,
                            .loss = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    followed_init(&agent->followed);
    agent->queues = calloc(queues, sizeof *agent->queues);
    if (!agent->queues || agent->loss < 0 || !datagram_open(&agent->filter)) {
        fprintf(stderr, "sdd-host: %s: control: out of memory\n", host->config->name);
        agent_close(agent);
        return false;
    }
    for (uint32_t i = 0; i < queues; i++)
        agent->queues[i].slot = no_slot;
    agent->socket = agent_datagram_socket(&host->config->control);
    if (agent->socket >= 0) {
        begin_safe(agent);
        return true;
    }
    fprintf(stderr, "sdd-host: %s: control.datagramPort: cannot open the socket: %s\n",
            host->config->name, strerrordesc_np(errno));
    agent_close(agent);
    return false;
}

void agent_close(struct agent *agent) {
    if (agent->socket >= 0)
        close(agent->socket);
    if (agent->loss >= 0)
        close(agent->loss);
    datagram_close(&agent->filter);
    followed_free(&agent->followed);
    free(agent->queues);
    *agent = (struct agent){.socket = -1, .loss = -1};
}

static void drop_slot(struct agent *agent, uint32_t queue, int64_t now_ns) {
    struct queue_control *control = &agent->queues[queue];
    if (control->slot.open_ns >= 0)
        sdd_remove_slot(agent->host->sdd, queue, control->slot,
                        now_ns); /* fails if the slot is over */
    control->slot = no_slot;
}

/* Each command replaces the previous one. */
static void apply_command(struct agent *agent, uint32_t queue, bool start, int64_t until_ns,
                          int64_t now_ns) {
    struct sdd *sdd = agent->host->sdd;
    const bool for_ever = until_ns == INT64_MAX;
    sdd_add_dequeue_condition(sdd, queue, start && for_ever ? &always : &never, now_ns);
    drop_slot(agent, queue, now_ns);
    if (start && !for_ever && until_ns > now_ns) {
        const struct sdd_window slot = {now_ns, until_ns};
        if (sdd_add_slot(sdd, queue, slot, now_ns) == SDD_OK)
            agent->queues[queue].slot = slot;
    }
}

static void apply_start_stop(struct agent *agent, const struct wire_message *message,
                             int64_t now_ns) {
    WIRE_DECODE(startStop, codec, message);
    struct sdd_wire_startStop_commands commands = {0};
    const uint64_t sequence = sdd_wire_startStop_sequence(&codec);
    if (!sdd_wire_startStop_get_commands(&codec, &commands))
        return;
    while (sdd_wire_startStop_commands_has_next(&commands) &&
           sdd_wire_startStop_commands_next(&commands)) {
        const uint32_t queue = sdd_wire_startStop_commands_queue(&commands);
        enum sdd_wire_action action;
        if (queue >= config_controlled_queues(agent->host->config) ||
            !sdd_stats(agent->host->sdd, queue) ||
            !sdd_wire_startStop_commands_action(&commands, &action) ||
            action == sdd_wire_action_NULL_VALUE)
            continue;
        /* a reordered START must not undo a STOP */
        if (sequence < agent->queues[queue].sequence)
            continue;
        agent->queues[queue].sequence = sequence;
        apply_command(agent, queue, action == sdd_wire_action_START,
                      sdd_wire_startStop_commands_untilNs(&commands), now_ns);
    }
}

static void set_rate(struct agent *agent, uint32_t queue, int64_t rate_bps, int64_t now_ns) {
    struct sdd_queue_config config;
    sdd_queue_config(agent->host->sdd, queue, &config);
    config.drain_rate_bps = rate_bps;
    sdd_configure_queue(agent->host->sdd, queue, &config, now_ns);
}

enum sdd_status agent_set_queue(struct agent *agent, uint32_t queue,
                                const struct sdd_queue_config *wanted, int64_t now_ns) {
    struct host *host = agent->host;
    struct sdd_queue_config config = *wanted;
    if (config.drain_rate_bps == 0 && host->config->pace_to_link)
        config.drain_rate_bps = (int64_t)host->config->link_bps;
    const int64_t own_rate_bps = config.drain_rate_bps;
    if (agent->safe && agent->session.policy == sdd_wire_safePolicy_RATE)
        config.drain_rate_bps = agent->session.safe_rate_bps;
    const enum sdd_status status = sdd_stats(host->sdd, queue)
                                       ? sdd_configure_queue(host->sdd, queue, &config, now_ns)
                                       : sdd_open_queue(host->sdd, queue, &config);
    if (status != SDD_OK)
        return status;
    if (agent->queues)
        agent->queues[queue].drain_rate_bps = own_rate_bps;
    return SDD_OK;
}

static void set_rates(struct agent *agent, bool safe, int64_t now_ns) {
    struct sdd *sdd = agent->host->sdd;
    for (uint32_t queue = 0; queue < agent->host->config->limits.max_queues; queue++) {
        struct sdd_queue_config config;
        if (sdd_queue_config(sdd, queue, &config) != SDD_OK)
            continue;
        if (safe)
            agent->queues[queue].drain_rate_bps = config.drain_rate_bps;
        set_rate(agent, queue,
                 safe ? agent->session.safe_rate_bps : agent->queues[queue].drain_rate_bps, now_ns);
    }
}

/* Enters or leaves the safe policy, depending on controller_lost and clock_off. */
static void apply_policy(struct agent *agent, int64_t now_ns) {
    const bool safe = agent->controller_lost || agent->clock_off;
    if (safe == agent->safe)
        return;
    agent->safe = safe;
    const bool rate = agent->session.policy == sdd_wire_safePolicy_RATE;
    const bool closed = agent->session.policy == sdd_wire_safePolicy_CLOSED;
    if (rate)
        set_rates(agent, safe, now_ns);
    sdd_set_override(agent->host->sdd,
                     !safe    ? SDD_BY_CONDITIONS
                     : closed ? SDD_ALL_CLOSED
                              : SDD_ALL_OPEN,
                     now_ns); /* packets then do not use circuits */
}

/* Only signals the change: logging may block, which this thread must not. */
static void set_lost(struct agent *agent, bool lost) {
    if (agent->controller_lost == lost)
        return;
    agent->controller_lost = lost;
    eventfd_write(agent->loss, 1);
}

void agent_log_loss(struct agent *agent) {
    eventfd_t changes = 0; /* each toggles between lost and heard */
    if (eventfd_read(agent->loss, &changes) != 0)
        return;
    const char *between = "";
    if (changes > 1)
        between = agent->loss_logged ? "heard again, then " : "lost, then ";
    agent->loss_logged = agent->loss_logged != (changes % 2 == 1);
    fprintf(stderr, "sdd-host: %s: controller: %s%s\n", agent->host->config->name, between,
            agent->loss_logged ? "lost: the safe policy is in force" : "heard again");
}

void agent_receive_datagrams(void *argument) {
    struct agent *agent = argument;
    uint8_t bytes[WIRE_MAX_DATAGRAM_BYTES + 1];
    for (unsigned i = 0; i < DATAGRAMS_PER_TURN; i++) {
        const ssize_t size = recv(agent->socket, bytes, sizeof bytes, 0);
        struct wire_message message;
        if (size < 0)
            return;
        if (!datagram_accept(&agent->filter, bytes, (size_t)size, &message))
            continue;
        const int64_t now_ns = clock_now(agent->clock);
        atomic_store(&agent->last_datagram_ns, now_ns);
        set_lost(agent, false);
        apply_start_stop(agent, &message, now_ns);
        apply_policy(agent, now_ns);
    }
}

void agent_turn(struct agent *agent, int64_t now_ns) {
    if (!agent->welcomed || agent->controller_lost ||
        now_ns - agent->last_datagram_ns <= agent->session.lost_after_ns)
        return;
    set_lost(agent, true);
    apply_policy(agent, now_ns);
}

void agent_welcome(struct agent *agent, const struct session_parameters *session, int64_t now_ns) {
    struct host *host = agent->host;
    /* leave the old session's safe policy before the new one replaces it */
    const bool controller_lost = agent->controller_lost && agent->welcomed;
    const bool clock_off = agent->clock_off;
    agent->controller_lost = agent->clock_off = false;
    apply_policy(agent, now_ns);
    close_last_queue(agent, now_ns);
    agent->session = *session;
    atomic_store(&agent->take_over_after_ns, session->take_over_after_ns);
    datagram_begin(&agent->filter, session->session_id, session->key);
    atomic_store(&host->guard_ns, session->guard_ns);
    sdd_set_packet_delay(host->sdd, session->packet_delay_ns, now_ns);
    const uint32_t controlled = config_controlled_queues(host->config);
    for (uint32_t queue = 0; queue < controlled; queue++) {
        if (session->generation > 0) {
            sdd_clear_all_but_slots(host->sdd, queue, now_ns);
        } else {
            sdd_clear_dequeue_conditions(host->sdd, queue, now_ns);
            agent->queues[queue].slot = no_slot;
        }
        agent->queues[queue].set_up = false;
        agent->queues[queue].sequence = 0;
        agent->queues[queue].reported_received_bytes = 0;
        agent->queues[queue].reported_sent_bytes = 0;
        agent->queues[queue].reported_misses = 0;
        host_reset_misses(host, queue);
    }
    for (uint32_t trigger = 0; trigger < host->config->limits.max_triggers; trigger++) {
        uint32_t queue;
        if (sdd_trigger_queue(host->sdd, trigger, &queue) == SDD_OK && queue < controlled)
            sdd_remove_trigger(host->sdd, trigger, now_ns);
    }
    sdd_age_mappings(host->sdd);
    agent->welcomed = true;
    atomic_store(&agent->last_datagram_ns, now_ns);
    agent->controller_lost = controller_lost;
    agent->clock_off = clock_off;
    apply_policy(agent, now_ns);
}

void agent_set_clock(struct agent *agent, bool off, int64_t now_ns) {
    agent->clock_off = off;
    apply_policy(agent, now_ns);
}
