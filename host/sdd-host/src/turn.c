#include "turn.h"

#include "base/time.h"

static int64_t min(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Processes frames of the hosts in turn until there are none or due_ns is too close, but at least
 * at_least frames. Returns when the next packet is due, which may be one of those frames. */
static int64_t take_in(struct turn *turn, int64_t due_ns, int64_t now_ns, unsigned at_least) {
    const struct turn_work *work = turn->work;
    unsigned without = 0; /* successive hosts without frames */
    for (unsigned frames = 0; frames < TURN_FRAMES;) {
        const unsigned host = turn->host;
        if (due_ns - now_ns < work->take_in_ns(work->context, host) && turn->sent < TURN_STARVED &&
            frames >= at_least)
            return due_ns;
        turn->host = host + 1 < work->hosts ? host + 1 : 0;
        if (work->take_in(work->context, host, due_ns - now_ns)) {
            frames++;
            turn->moved++;
            without = 0;
            turn->sent = 0;
            due_ns = min(due_ns, work->due_ns(work->context, host));
        } else if (++without == work->hosts) {
            turn->sent = 0;
            return due_ns;
        }
        now_ns = work->now_ns(work->context);
    }
    return now_ns; /* there may be more frames */
}

int64_t turn_run(struct turn *turn) {
    const struct turn_work *work = turn->work;
    int64_t due_ns = BASE_FOREVER;
    unsigned sent = 0;
    for (unsigned host = 0; host < work->hosts; host++)
        sent += work->send_due(work->context, host);
    turn->sent += sent;
    turn->moved += sent;
    /* after all hosts have sent, which takes a while */
    for (unsigned host = 0; host < work->hosts; host++)
        due_ns = min(due_ns, work->due_ns(work->context, host));
    const int64_t now_ns = work->now_ns(work->context);
    /* A due packet that was not sent waits for a condition, which a new frame may make true. */
    return take_in(turn, due_ns, now_ns, sent == 0 && due_ns <= now_ns);
}
