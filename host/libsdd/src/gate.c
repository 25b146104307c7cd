/*
 * Decides when a queue may transmit.
 *
 * All of a queue's conditions except those about other queues depend on its own statistics and on
 * time. Between two events of the queue they are therefore a set of windows in time, of which only
 * the next one matters: the gate stores that window and arms one timer for its next edge. The ready
 * set is then always exact, and a dequeue evaluates nothing:
 *
 *     invariant after sdd_advance(now): a queue is in the ready set if and only if it has packets,
 * is not held, its drain rate lets it send, and a window is open at now or it has conditions about
 *     other queues (which the dequeue then evaluates).
 *
 * A window is that of a condition, or a packet slot before the next one of a condition. For
 * circuits, a condition's window begins only when all packets that the queue sent by the packet
 * switch have arrived. Thus no packet of a queue ever overtakes an earlier one on the other
 * network.
 *
 * Cost: constant for slots and rates, for each edge of a window and each event that the conditions
 * read, independent of the number of queues.
 */
#include "gate.h"

#include "packet_debt.h"

bool sdd_gate_unconditioned(const struct sdd_queue *queue) {
    return queue->constant == SDD_NO_CONSTANT && queue->schedule.first == SDD_NO_SLOT &&
           base_list_empty(&queue->conditions) && !queue->lapsed;
}

bool sdd_gate_paced(const struct sdd_queue *queue) {
    return queue->config.drain_rate_bps > 0 || !base_list_empty(&queue->conditions);
}

static int64_t earlier(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static bool held(const struct sdd_queue *queue) {
    return queue->held_flows > 0 ||
           (queue->in_flight > 0 && (queue->recalled || sdd_gate_paced(queue)));
}

enum sdd_network sdd_gate_network(const struct sdd *sdd, const struct sdd_queue *queue) {
    return sdd->override == SDD_ALL_OPEN ? SDD_PACKET : queue->config.network;
}

/* The earliest time at which its drain rate, and for circuits its packets on the packet switch,
 * allow it to transmit. */
static int64_t free_ns(const struct sdd *sdd, const struct sdd_queue *queue) {
    int64_t from_ns = queue->next_send_ns > sdd->now_ns ? queue->next_send_ns : sdd->now_ns;
    int64_t arrived_ns;
    if (sdd_gate_network(sdd, queue) == SDD_PACKET)
        return from_ns;
    if (__builtin_add_overflow(queue->last_packet_ns, sdd->packet_delay_ns, &arrived_ns))
        arrived_ns = BASE_FOREVER;
    return arrived_ns > from_ns ? arrived_ns : from_ns;
}

/* Sets best to whichever of the two windows is open at from_ns or opens first after it. */
static void consider(struct sdd_window *best, struct sdd_window window, int64_t from_ns) {
    if (window.open_ns < from_ns)
        window.open_ns = from_ns;
    if (window.open_ns < best->open_ns ||
        (window.open_ns == best->open_ns && window.close_ns > best->close_ns))
        *best = window;
}

static struct sdd_window next_window(const struct sdd *sdd, const struct sdd_queue *queue,
                                     int64_t from_ns) {
    struct sdd_window best = {BASE_FOREVER, BASE_FOREVER}, window;
    if (sdd->override == SDD_ALL_CLOSED)
        return best;
    if (sdd->override == SDD_ALL_OPEN)
        return (struct sdd_window){from_ns, BASE_FOREVER};
    if (queue->constant == SDD_ALWAYS_TRUE ||
        (sdd_gate_unconditioned(queue) && !queue->config.closed_by_default))
        consider(&best, (struct sdd_window){0, BASE_FOREVER}, from_ns);
    if (sdd_schedule_window(&sdd->slots, &queue->schedule, from_ns, &window))
        consider(&best, window, from_ns);
    const struct sdd_environment env = sdd_environment(sdd, queue);
    for (struct base_list_link *link = queue->conditions.next; link != &queue->conditions;
         link = link->next) {
        const struct sdd_condition *condition = BASE_CONTAINER_OF(link, struct sdd_condition, link);
        struct sdd_window windows[SDD_MAX_WINDOWS];
        if (condition->class == SDD_EVALUATED)
            continue;
        unsigned count = sdd_program_windows(&condition->program, &env, windows), i = 0;
        while (i < count && windows[i].close_ns <= from_ns)
            i++;
        if (i < count)
            consider(&best, windows[i], from_ns);
    }
    return best;
}

/*
 * Sets the queue's window: that of its conditions from from_ns on, or a packet slot before it.
 * Returns the time at which it must be computed again even if the window has not changed.
 */
static int64_t choose_window(const struct sdd *sdd, struct sdd_queue *queue, int64_t from_ns) {
    queue->window = next_window(sdd, queue, from_ns);
    queue->window_is_packet_slot = false;
    if (queue->packet_slots.first == SDD_NO_SLOT || queue->config.network != SDD_CIRCUIT ||
        sdd->override != SDD_BY_CONDITIONS)
        return BASE_FOREVER;
    const struct sdd_window circuit = next_window(sdd, queue, sdd->now_ns);
    if (circuit.open_ns <= sdd->now_ns)
        return circuit.close_ns; /* circuits take precedence, even while they wait for arrivals */
    struct sdd_window slot = sdd_packet_window(
        sdd, queue, queue->next_send_ns > sdd->now_ns ? queue->next_send_ns : sdd->now_ns);
    if (slot.open_ns >= circuit.open_ns)
        return circuit.open_ns;
    if (slot.close_ns > circuit.open_ns)
        slot.close_ns = circuit.open_ns;
    queue->window = slot;
    queue->window_is_packet_slot = true;
    return BASE_FOREVER;
}

/* Whether the queue must wait for packets in flight: a packet on the other network could overtake
 * them, and a packet slot needs the previous packet's transmission time. */
static bool awaits_landing(const struct sdd *sdd, const struct sdd_queue *queue) {
    const enum sdd_network network =
        queue->window_is_packet_slot ? SDD_PACKET : sdd_gate_network(sdd, queue);
    return queue->in_flight > 0 && (queue->in_flight_paced || queue->window_is_packet_slot ||
                                    network != queue->in_flight_by);
}

/* Whether conditions about other queues may open the queue. */
static bool evaluates(const struct sdd *sdd, const struct sdd_queue *queue) {
    return queue->evaluated_conditions > 0 && sdd->override != SDD_ALL_CLOSED;
}

static void set_ready(struct sdd *sdd, struct sdd_queue *queue, bool ready) {
    if (ready == queue->ready)
        return;
    queue->ready = ready;
    (ready ? sdd_ready_add : sdd_ready_remove)(&sdd->ready, queue->config.priority, queue->number);
}

void sdd_gate_settle(struct sdd *sdd, struct sdd_queue *queue) {
    int64_t edge_ns = BASE_FOREVER;
    bool ready = false;
    if (sdd_schedule_expire(&sdd->slots, &queue->schedule, sdd->now_ns))
        queue->lapsed = true;
    sdd_packet_slots_settle(sdd, queue);
    if (queue->stats.packets > 0 && !held(queue)) {
        const int64_t from_ns = free_ns(sdd, queue);
        edge_ns = choose_window(sdd, queue, from_ns);
        bool open = queue->window.open_ns <= sdd->now_ns;
        ready = (open || (evaluates(sdd, queue) && from_ns <= sdd->now_ns)) &&
                !awaits_landing(sdd, queue);
        edge_ns = earlier(edge_ns, open ? queue->window.close_ns : queue->window.open_ns);
        if (evaluates(sdd, queue) && from_ns > sdd->now_ns)
            edge_ns = earlier(edge_ns, from_ns);
    }
    /* also to remove slots that are over */
    if (queue->schedule.first != SDD_NO_SLOT)
        edge_ns = earlier(edge_ns, sdd->slots.slots[queue->schedule.first].window.close_ns);
    if (queue->packet_slots.first != SDD_NO_SLOT)
        edge_ns = earlier(edge_ns, sdd->slots.slots[queue->packet_slots.first].window.close_ns);
    set_ready(sdd, queue, ready);
    if (edge_ns == BASE_FOREVER)
        base_wheel_disarm(&sdd->wheel, &queue->timer);
    else if (!queue->timer.armed || queue->timer.deadline_ns != edge_ns)
        base_wheel_arm(&sdd->wheel, &queue->timer, edge_ns);
}

bool sdd_gate_open(const struct sdd *sdd, const struct sdd_queue *queue) {
    if (queue->evaluated_conditions == 0 || queue->window.open_ns <= sdd->now_ns)
        return true;
    const struct sdd_environment env = sdd_environment(sdd, queue);
    for (struct base_list_link *link = queue->conditions.next; link != &queue->conditions;
         link = link->next) {
        const struct sdd_condition *condition = BASE_CONTAINER_OF(link, struct sdd_condition, link);
        if (condition->class == SDD_EVALUATED && sdd_program_evaluate(&condition->program, &env))
            return true;
    }
    return false;
}

/*
 * The interval between successive packets is their size divided by the rate. A packet that leaves
 * late shortens the wait for the next one, at most to 0. The rate thus holds even if the caller is
 * late, and at most one packet catches up at a time (as in Carousel, section 4.2).
 */
void sdd_gate_sent(struct sdd_queue *queue, uint32_t bytes, int64_t time_ns) {
    if (queue->config.drain_rate_bps == 0)
        return;
    const uint64_t rate = (uint64_t)queue->config.drain_rate_bps;
    const uint64_t bits_ns = bytes * UINT64_C(8000000000) + queue->drain_remainder;
    const int64_t gap_ns = (int64_t)(bits_ns / rate);
    queue->drain_remainder = bits_ns % rate;
    if (__builtin_add_overflow(queue->next_send_ns, gap_ns, &queue->next_send_ns))
        queue->next_send_ns = BASE_FOREVER - 1;
    if (queue->next_send_ns < time_ns)
        queue->next_send_ns = time_ns;
}

/* The remaining wait scales with the rate, so that frequent updates cannot exceed it. */
void sdd_gate_change_rate(struct sdd_queue *queue, int64_t new_rate_bps, int64_t now_ns) {
    __extension__ typedef unsigned __int128 wide;
    const int64_t old_rate_bps = queue->config.drain_rate_bps;
    if (new_rate_bps == old_rate_bps)
        return;
    queue->drain_remainder = 0;
    if (old_rate_bps == 0 || new_rate_bps == 0 || queue->next_send_ns <= now_ns) {
        queue->next_send_ns = now_ns;
        return;
    }
    wide wait = (wide)(queue->next_send_ns - now_ns) * (uint64_t)old_rate_bps;
    wide scaled = (wait + (uint64_t)new_rate_bps - 1) / (uint64_t)new_rate_bps;
    queue->next_send_ns =
        scaled < (wide)(BASE_FOREVER - now_ns) ? now_ns + (int64_t)scaled : BASE_FOREVER - 1;
}

void sdd_gate_recall(struct sdd *sdd, struct sdd_queue *queue) {
    if (queue->in_flight == 0 || queue->recalled)
        return;
    queue->recalled = true;
    /* release: the transmitting core then also sees the change that led to the recall; relaxed
     * would suffice, since it uses only the number */
    atomic_fetch_add_explicit(&sdd->versions[queue->number], 1, memory_order_release);
}
