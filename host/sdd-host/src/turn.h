/*
 * Schedules the work of the thread that owns the queues: due packets come first, and frames are
 * taken in only while there is time before the next packet is due.
 *
 * A due packet thus waits for at most one frame that is being taken in, or for one TCP segment that
 * is being read, but not for the segment's frames. Under overload, one frame is taken in per
 * TURN_STARVED packets sent: neither direction starves, and the kernel drops excess frames before
 * they cost any work. If packets are always due but none may be sent, because conditions on other
 * queues are false, one frame is taken in per turn.
 *
 * It accesses neither devices nor the clock, so that tests can use virtual time.
 */
#ifndef SDD_HOST_TURN_H
#define SDD_HOST_TURN_H

#include <stdbool.h>
#include <stdint.h>

/* The minimum time to take in one frame, with a margin: a read or a write of the TAP device (0.5 to
 * 0.8 us, measured) and the queueing. */
#define TURN_TAKE_IN_NS INT64_C(1500)

/* The maximum number of frames per turn, because the thread has other work. */
enum { TURN_FRAMES = 32 };

/* After this many packets a frame is taken in even if more packets are due. */
enum { TURN_STARVED = 32 };

/* The work of a turn; all functions receive the context. */
struct turn_work {
    void *context;
    unsigned hosts;
    int64_t (*now_ns)(void *context);
    /* Sends due packets, at most a burst, and returns their number. */
    unsigned (*send_due)(void *context, unsigned host);
    /* Returns when the host's next packet is due; a past time means now. */
    int64_t (*due_ns)(void *context, unsigned host);
    /* Returns the time to take in the host's next frame. */
    int64_t (*take_in_ns)(void *context, unsigned host);
    /* Takes in one frame of applications or from the port, and merges more if that takes no longer
     * than spare_ns, the time until the next packet is due. Returns false if there is none. */
    bool (*take_in)(void *context, unsigned host, int64_t spare_ns);
};

struct turn {
    const struct turn_work *work;
    unsigned host;  /* the host whose frame is taken in next */
    unsigned sent;  /* packets sent since the last frame */
    uint64_t moved; /* packets and frames since the start */
};

/* Runs one turn. Returns when the next packet is due; a past time means that more packets or frames
 * are ready. */
int64_t turn_run(struct turn *turn);

#endif
