/*
 * Uses any bytes as a message from the controller. Invariants: a message that passes the check can
 * be read to its end within its bytes (AddressSanitizer checks this), and bytes that lack a valid
 * tag are never accepted as a datagram.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datagram.h"
#include "exact_copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink; /* receives the values, so that the compiler keeps the reads */

static void read_text(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        sink += (uint8_t)text[i];
}

static void read_all(const struct wire_message *message) {
    struct sdd_wire_setSchedule_slots slots = {0};
    struct sdd_wire_setPacketSlots_slots packet_slots = {0};
    struct sdd_wire_circuitConfigure_circuits circuits = {0};
    struct sdd_wire_startStop_commands commands = {0};
    if (message->template_id == WIRE_SET_SCHEDULE) {
        WIRE_DECODE(setSchedule, codec, message);
        if (sdd_wire_setSchedule_get_slots(&codec, &slots))
            while (sdd_wire_setSchedule_slots_has_next(&slots) &&
                   sdd_wire_setSchedule_slots_next(&slots))
                sink += (uint64_t)sdd_wire_setSchedule_slots_endNs(&slots);
    } else if (message->template_id == WIRE_SET_PACKET_SLOTS) {
        WIRE_DECODE(setPacketSlots, codec, message);
        if (sdd_wire_setPacketSlots_get_slots(&codec, &packet_slots))
            while (sdd_wire_setPacketSlots_slots_has_next(&packet_slots) &&
                   sdd_wire_setPacketSlots_slots_next(&packet_slots))
                sink += sdd_wire_setPacketSlots_slots_rateBps(&packet_slots);
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
        const size_t length =
            sdd_wire_addDequeueCondition_condition_length(&codec); /* before it is read */
        read_text(sdd_wire_addDequeueCondition_condition(&codec), length);
    } else if (message->template_id == WIRE_REMOVE_DEQUEUE_CONDITION) {
        WIRE_DECODE(removeDequeueCondition, codec, message);
        const size_t length =
            sdd_wire_removeDequeueCondition_condition_length(&codec); /* before it is read */
        read_text(sdd_wire_removeDequeueCondition_condition(&codec), length);
    } else if (message->template_id == WIRE_ADD_TRIGGER) {
        WIRE_DECODE(addTrigger, codec, message);
        const size_t length = sdd_wire_addTrigger_condition_length(&codec); /* before it is read */
        read_text(sdd_wire_addTrigger_condition(&codec), length);
    } else if (message->template_id == WIRE_REFUSED) {
        WIRE_DECODE(refused, codec, message);
        const size_t length = sdd_wire_refused_text_length(&codec); /* before it is read */
        read_text(sdd_wire_refused_text(&codec), length);
    } else if (message->template_id == WIRE_WELCOME) {
        WIRE_DECODE(welcome, codec, message);
        char session_key[WIRE_KEY_BYTES];
        sink += sdd_wire_welcome_safeRateBps(&codec);
        sink += sdd_wire_welcome_packetDelayNs(&codec); /* older senders omit this field */
        sdd_wire_welcome_get_datagramKey(&codec, session_key, sizeof session_key);
        read_text(session_key, sizeof session_key);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t key[WIRE_KEY_BYTES] = {1};
    static struct datagram_filter filter;
    struct wire_message message;
    const char *why = NULL;
    if (!filter.mac && !datagram_open(&filter))
        abort();
    const struct exact_copy copy = exact_copy_make(data, size);
    const enum wire_verdict verdict = wire_check(copy.bytes, size, &message, &why);
    if (verdict == WIRE_GOOD)
        read_all(&message);
    else if (!why)
        abort();
    datagram_begin(&filter, 1, key);
    if (datagram_accept(&filter, copy.bytes, size, &message))
        abort();
    exact_copy_free(copy);
    return 0;
}
