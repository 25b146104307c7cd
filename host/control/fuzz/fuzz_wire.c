/*
 * Any bytes as a message from the controller. What must hold: a message that passes the check can
 * be read to its end within its bytes (AddressSanitizer watches), and bytes without the key are
 * never taken as a datagram.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datagram.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink; /* what was read, so that reading is not optimised away */

static void read_all(const struct wire_message *message) {
    struct sdd_wire_setSchedule_slots slots = {0};
    struct sdd_wire_circuitConfigure_circuits circuits = {0};
    struct sdd_wire_startStop_commands commands = {0};
    if (message->template_id == WIRE_SET_SCHEDULE) {
        WIRE_DECODE(setSchedule, codec, message);
        if (sdd_wire_setSchedule_get_slots(&codec, &slots))
            while (sdd_wire_setSchedule_slots_has_next(&slots) &&
                   sdd_wire_setSchedule_slots_next(&slots))
                sink += (uint64_t)sdd_wire_setSchedule_slots_endNs(&slots);
    } else if (message->template_id == WIRE_CIRCUIT_CONFIGURE) {
        WIRE_DECODE(circuitConfigure, codec, message);
        if (sdd_wire_circuitConfigure_get_circuits(&codec, &circuits))
            while (sdd_wire_circuitConfigure_circuits_has_next(&circuits) &&
                   sdd_wire_circuitConfigure_circuits_next(&circuits))
                sink += sdd_wire_circuitConfigure_circuits_outputPort(&circuits);
    } else if (message->template_id == WIRE_START_STOP) {
        WIRE_DECODE(startStop, codec, message);
        if (sdd_wire_startStop_get_commands(&codec, &commands))
            while (sdd_wire_startStop_commands_has_next(&commands) &&
                   sdd_wire_startStop_commands_next(&commands))
                sink += (uint64_t)sdd_wire_startStop_commands_untilNs(&commands);
    } else if (message->template_id == WIRE_ADD_DEQUEUE_CONDITION) {
        WIRE_DECODE(addDequeueCondition, codec, message);
        const size_t length = sdd_wire_addDequeueCondition_condition_length(&codec);
        const char *text = sdd_wire_addDequeueCondition_condition(&codec);
        for (size_t i = 0; i < length; i++)
            sink += (uint8_t)text[i];
    } else if (message->template_id == WIRE_WELCOME) {
        WIRE_DECODE(welcome, codec, message);
        sink += sdd_wire_welcome_safeRateBps(&codec);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t key[WIRE_KEY_BYTES] = {1};
    static struct datagram_guard guard;
    struct wire_message message;
    const char *why = NULL;
    uint8_t *copy = malloc(size + 1); /* of its very size, for AddressSanitizer */
    if (!copy || (!guard.mac && !datagram_open(&guard)))
        abort();
    memcpy(copy, data, size);
    const enum wire_verdict verdict = wire_check(copy, size, &message, &why);
    if (verdict == WIRE_GOOD)
        read_all(&message);
    else if (!why)
        abort();
    datagram_begin(&guard, 1, key);
    if (datagram_take(&guard, copy, size, &message))
        abort();
    free(copy);
    return 0;
}
