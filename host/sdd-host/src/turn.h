/*
 * The order of work of the thread that owns the queues: packets that are due come first, and frames
 * are taken in only while there is time before the next one is.
 *
 * So a due packet waits for at most one frame that is being taken in, however many there are, or
 * for one TCP segment that is being read, but not for the frames that are then cut from it. Under
 * more load than the thread can carry, one frame is taken in per TURN_STARVED packets sent: nothing
 * starves, and what cannot be carried is dropped by the kernel before it has cost anything. Where
 * packets count as due all the time and none may be sent, for their queues' conditions depend on
 * other queues and are false, one frame is taken in per turn.
 *
 * It knows neither devices nor the clock, so that its promise can be tested on a clock that stands
 * still.
 */
#ifndef SDD_HOST_TURN_H
#define SDD_HOST_TURN_H

#include <stdbool.h>
#include <stdint.h>

/* What taking in one frame takes at least, with a margin: a read or a write of the TAP device of
   0.5 to 0.8 us, measured, and the queueing. */
#define TURN_TAKE_IN_NS INT64_C(1500)

/* Frames taken in per turn at most: the thread has other things to look at. */
enum { TURN_FRAMES = 32 };

/* A frame is taken in after so many packets even if more are due. */
enum { TURN_STARVED = 32 };

/* What a turn works on; all functions get the context. */
struct turn_work {
    void *context;
    unsigned hosts;
    int64_t (*now_ns)(void *context);
    /* Sends what is due, a burst at most, and returns how many packets. */
    unsigned (*send_due)(void *context, unsigned host);
    /* When a packet of the host is due next; not later than now: at once. */
    int64_t (*due_ns)(void *context, unsigned host);
    /* What taking in the host's next frame takes. */
    int64_t (*take_in_ns)(void *context, unsigned host);
    /* Takes in one frame of applications, or from the port, and more at once if that takes no
       longer than spare_ns, which is before the next packet is due; false: there is none. */
    bool (*take_in)(void *context, unsigned host, int64_t spare_ns);
};

struct turn {
    const struct turn_work *work;
    unsigned host;  /* whose frame is taken in next */
    unsigned sent;  /* packets since the last frame was taken in */
    uint64_t moved; /* packets and frames, since the start */
};

/* One turn. Returns when the next packet is due; not later than now: there is more to do at once,
   packets or frames. */
int64_t turn_run(struct turn *turn);

#endif
