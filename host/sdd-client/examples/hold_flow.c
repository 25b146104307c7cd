/*
 * Holds a UDP socket's packets until ten are queued. Usage: hold_flow SOCKET ADDRESS PORT. Sends
 * ten packets to the address, receives an event when all are queued, and opens the queue.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sdd_client/sdd_client.h"

enum { PACKETS = 10 };

static int connected(const char *address, const char *port) {
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)strtoul(port, NULL, 10))};
    const int sender = socket(AF_INET, SOCK_DGRAM, 0);
    if (inet_pton(AF_INET, address, &to.sin_addr) != 1 ||
        connect(sender, (struct sockaddr *)&to, sizeof to) != 0)
        perror(address);
    return sender;
}

int main(int argc, char **argv) {
    const struct sdd_client_queue shut = {.closed_by_default = true};
    struct sdd_client_statistics statistics;
    struct sdd_client_event event;
    uint32_t queue, trigger;
    char error[200];
    if (argc != 4)
        return 2;
    struct sdd_client *client = sdd_client_connect(argv[1], "hold_flow", error, sizeof error);
    if (!client) {
        fprintf(stderr, "hold_flow: %s\n", error);
        return 1;
    }
    const int sender = connected(argv[2], argv[3]);
    bool good = sdd_client_open_queue(client, &shut, &queue) &&
                sdd_client_map_socket(client, queue, sender) &&
                sdd_client_add_trigger(client, queue, "packets >= 10", 7, &trigger);
    for (int i = 0; i < PACKETS && good; i++)
        good = send(sender, &i, sizeof i, 0) == (ssize_t)sizeof i;
    good = good && sdd_client_next_event(client, -1, &event) &&
           event.kind == SDD_CLIENT_TRIGGERED && event.trigger == trigger && event.cookie == 7 &&
           sdd_client_add_condition(client, queue, "TRUE");
    do
        good = good && sdd_client_statistics(client, queue, &statistics);
    while (good && statistics.sent_packets < PACKETS);
    if (good)
        printf("%lld %lld\n", (long long)event.packets, (long long)statistics.sent_packets);
    else
        fprintf(stderr, "hold_flow: %s\n", sdd_client_error(client));
    close(sender);
    sdd_client_close(client);
    return good ? 0 : 1;
}
