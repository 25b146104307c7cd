/*
 * Uses any bytes as the start of a packet. The first byte selects which fields are made valid, so
 * that the others are reached: none, or those that identify either form of the hidden overlay.
 * Invariants: only unfragmented packets to this host and the overlay's port are accepted, numbers
 * are within tables, and a packet that is read and written again is unchanged.
 */
#include "fuzz_hidden.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "hidden_form.h"

enum { OWN = 0x010200c0, PORT = 6081 };

static void require(bool holds) {
    if (!holds)
        abort();
}

static void make_right(struct edge_hidden_packet *packet, bool in_front) {
    packet->ip.version = 4;
    packet->ip.ihl = 5;
    packet->ip.protocol = IPPROTO_TCP;
    packet->ip.frag_off = htons(0x4000);
    packet->ip.daddr = OWN;
    packet->tcp.dest = htons(PORT);
    if (in_front) {
        packet->front.magic = htons(EDGE_HIDDEN_MAGIC);
        packet->front.offset = EDGE_TCP_OFFSET;
        packet->front.flags = EDGE_TCP_FLAGS;
        packet->ip.tot_len =
            htons((uint16_t)(ntohs(packet->front.bytes) + sizeof packet->ip + EDGE_HIDDEN_BYTES));
    } else {
        packet->tcp.doff |= 12;
        packet->option.kind = EDGE_HIDDEN_KIND;
        packet->option.length = EDGE_HIDDEN_BYTES;
        packet->option.magic = htons(EDGE_HIDDEN_MAGIC);
    }
}

/* Checks that writing the read values gives the original packet. */
static void write_again(const struct edge_hidden_packet *packet, enum edge_hidden_kind kind,
                        const struct edge_hidden *hidden) {
    const uint16_t source_port = ntohs(packet->front.source_port);
    const uint32_t bytes = ntohs(packet->front.bytes);
    const struct edge_hidden_front front = edge_hidden_front(hidden, source_port, PORT, bytes);
    const struct edge_hidden_option option = edge_hidden_option(hidden);
    if (kind == EDGE_IN_FRONT)
        require(memcmp(&front, &packet->front, sizeof front) == 0);
    else
        require(memcmp(&option, &packet->option, sizeof option) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct edge_hidden_packet packet;
    struct edge_hidden hidden;
    if (size < 1 + sizeof packet)
        return 0;
    memcpy(&packet, data + 1, sizeof packet);
    if (data[0] & 1)
        make_right(&packet, data[0] & 2);
    const enum edge_hidden_kind kind = edge_hidden_kind(&packet, OWN, PORT);
    if (kind == EDGE_NOT_HIDDEN)
        return 0;
    require(packet.ip.daddr == OWN && packet.ip.protocol == IPPROTO_TCP &&
            packet.tcp.dest == htons(PORT) && !(packet.ip.frag_off & htons(0x3fff)));
    require(kind == EDGE_IN_FRONT || packet.tcp.doff >= 12);
    if (!edge_hidden_read(&packet, kind, &hidden))
        return 0;
    require(hidden.scheme < EDGE_SCHEMES && hidden.ecn <= EDGE_CE &&
            hidden.option.path < EDGE_MAX_PATHS && hidden.option.feedback_path < EDGE_MAX_PATHS);
    require(kind == EDGE_IN_OPTION ||
            ntohs(packet.ip.tot_len) >= sizeof packet.ip + EDGE_HIDDEN_BYTES + sizeof packet.guest);
    write_again(&packet, kind, &hidden);
    return 0;
}
