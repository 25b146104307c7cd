/*
 * A simple model of the dataplane that sdd/sdd.h documents: it searches arrays linearly and
 * evaluates every condition at every nanosecond. libsdd must behave the same.
 *
 * The model evaluates programs by sdd_program_evaluate, which test_program.c tests.
 */
#ifndef SDD_TEST_MODEL_H
#define SDD_TEST_MODEL_H

#include "sdd/sdd.h"

enum {
    MODEL_QUEUES = 5,
    MODEL_FLOWS = 16,
    MODEL_PACKETS = 4000,
    MODEL_CONDITIONS = 24,
    MODEL_TRIGGERS = 6,
    MODEL_MAPPINGS = 12,
    MODEL_EVENTS = 4000,
    MODEL_HORIZON = 6000 /* ns; later than all times in a test except BASE_FOREVER */
};

enum model_discipline { MODEL_FIFO, MODEL_ROUND_ROBIN, MODEL_PRIORITY };

/* The reason for which a queue may transmit. */
enum model_let { MODEL_SHUT, MODEL_CONDITIONS_LET, MODEL_PACKET_SLOT_LETS };

struct model_slot {
    struct sdd_window window;
    int64_t rate_bps;
};

struct model_packet {
    unsigned flow; /* index */
    uint32_t bytes;
    bool queued;
};

struct model_flow {
    struct base_flow_key key;
    unsigned queue;
    uint8_t priority;
    bool exists, mapped;
    uint64_t turn; /* lower for a flow that arrived or was served longer ago */
};

struct model_queue {
    bool open;
    struct sdd_queue_config config;
    enum model_discipline discipline;
    struct sdd_queue_stats stats;
    int64_t next_send_ns;
    uint64_t remainder;
    bool has_constant, constant, lapsed;
    unsigned windows;
    struct sdd_window window[MODEL_CONDITIONS];
    unsigned programs;
    struct sdd_program program[MODEL_CONDITIONS];
    unsigned packet_slots;
    struct model_slot packet_slot[MODEL_CONDITIONS]; /* ordered by their start */
    int64_t debt;                                    /* bits times 10^9 */
    bool used_packet_switch;
    int64_t last_packet_ns;
};

struct model_trigger {
    bool used, was_true;
    unsigned queue;
    uint64_t cookie;
    struct sdd_program program;
};

struct model {
    int64_t now_ns;
    int64_t packet_delay_ns;
    enum sdd_override override;
    struct model_queue queue[MODEL_QUEUES];
    struct model_flow flow[MODEL_FLOWS]; /* replaces libsdd's record of the flow */
    unsigned free_flow[MODEL_FLOWS], free_flows;
    struct {
        struct sdd_match match;
        unsigned queue;
        uint8_t priority;
        bool old;
    } mapping[MODEL_MAPPINGS];
    unsigned mappings;
    struct model_trigger trigger[MODEL_TRIGGERS];
    struct model_packet packet[MODEL_PACKETS]; /* by arrival */
    unsigned packets;
    unsigned turn[SDD_PRIORITIES];
    uint64_t next_turn;
    struct sdd_event event[MODEL_EVENTS];
    unsigned events;
};

void model_init(struct model *model);
void model_advance(struct model *model, int64_t now_ns);
void model_open(struct model *model, unsigned queue, const struct sdd_queue_config *config,
                enum model_discipline discipline);
void model_configure(struct model *model, unsigned queue, const struct sdd_queue_config *config,
                     enum model_discipline discipline);
enum sdd_status model_close(struct model *model, unsigned queue);

enum sdd_status model_add(struct model *model, unsigned queue, const struct sdd_program *program);
enum sdd_status model_remove(struct model *model, unsigned queue,
                             const struct sdd_program *program);
void model_clear(struct model *model, unsigned queue);
enum sdd_status model_add_packet_slot(struct model *model, unsigned queue, struct model_slot slot);
enum model_let model_may_transmit(const struct model *model, unsigned queue);

void model_map(struct model *model, unsigned queue, const struct sdd_match *match,
               uint8_t priority);
enum sdd_status model_unmap(struct model *model, const struct sdd_match *match);
enum sdd_status model_move(struct model *model, unsigned from, unsigned to,
                           const struct sdd_match *match);
void model_age_mappings(struct model *model);

/* Queues packet number model->packets if SDD_OK. */
enum sdd_status model_enqueue(struct model *model, const struct base_flow_key *key, uint32_t bytes);

/* Returns the packet's number, or -1. *network: receives the network by which it leaves. */
int model_dequeue(struct model *model, enum sdd_network *network);
int model_discard(struct model *model, unsigned queue);

void model_add_trigger(struct model *model, unsigned number, unsigned queue,
                       const struct sdd_program *program, uint64_t cookie);

/* Evaluates triggers that name other queues. */
void model_evaluate_triggers(struct model *model);

/* Returns the mapping with exactly this match; model->mappings: none. */
unsigned model_find_mapping(const struct model *model, const struct sdd_match *match);

/* ---- Between the files of the model ---- */

/* Returns the mapping with the highest precedence for the flow; -1: none. */
int model_classify(const struct model *model, const struct base_flow_key *key);
unsigned model_packets_of(const struct model *model, unsigned flow);
void model_forget_if_unmapped_and_idle(struct model *model, unsigned flow);

/* Evaluates triggers of the queue that do not name other queues. */
void model_look_at_triggers(struct model *model, unsigned queue);

#endif
