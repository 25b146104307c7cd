#include "switch_config.h"

#include <string.h>
#include <time.h>

#include "document.h"

static void read_control(struct fields *fields, json_t *object, struct switch_config *config) {
    static const char *const keys[] = {"address",     "port", "standby",   "serverName",
                                       "certificate", "key",  "authority", NULL};
    fields_known(fields, object, keys);
    controllers_read(fields, object, &config->controllers);
    fields_text(fields, object, "serverName", config->server_name, sizeof config->server_name,
                NULL);
    fields_text(fields, object, "certificate", config->certificate, sizeof config->certificate,
                NULL);
    fields_text(fields, object, "key", config->key, sizeof config->key, NULL);
    fields_text(fields, object, "authority", config->authority, sizeof config->authority, NULL);
}

/* Each device and each host must be at one port only. */
static void check_port_differs(struct fields *fields, const struct switch_config *config,
                               unsigned number) {
    const struct switch_port *port = &config->ports[number];
    for (unsigned other = 0; other < number; other++) {
        const struct switch_port *before = &config->ports[other];
        if (strcmp(port->device, before->device) == 0)
            fields_fail(fields, "device", "%s is also that of ports[%u]", port->device, other);
        if (strcmp(port->host, before->host) == 0)
            fields_fail(fields, "host", "%s is also at ports[%u]", port->host, other);
    }
}

static void read_config(struct fields *fields, json_t *document, void *into) {
    struct switch_config *config = into;
    static const char *const keys[] = {"name",  "linkBps", "packetSwitchBps", "packetSwitchQueueUs",
                                       "clock", "ports",   "control",         NULL};
    static const char *const port_keys[] = {"device", "host", NULL};
    static const char *const clock_names[] = {"monotonic", "realtime", "tai", NULL};
    static const int clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_TAI};
    const int64_t most_bps = INT64_C(10000000000000);
    fields_known(fields, document, keys);
    fields_text(fields, document, "name", config->name, sizeof config->name, NULL);
    config->link_bps =
        (uint64_t)fields_integer(fields, document, "linkBps", 1, most_bps, FIELD_REQUIRED);
    config->packet_switch_bps =
        (uint64_t)fields_integer(fields, document, "packetSwitchBps", 1, most_bps, FIELD_REQUIRED);
    config->packet_switch_queue_ns =
        fields_integer(fields, document, "packetSwitchQueueUs", 1, 10000000, 10000) * 1000;
    config->clock = clocks[fields_choice(fields, document, "clock", clock_names, "monotonic")];
    json_t *ports = fields_array(fields, document, "ports", 2, MAX_SWITCH_PORTS);
    for (unsigned i = 0; i < json_array_size(ports); i++) {
        json_t *port = fields_item(fields, ports, "ports", i);
        const size_t mark = fields_enter(fields, "ports", i);
        struct switch_port *read = &config->ports[config->ports_count++];
        fields_known(fields, port, port_keys);
        fields_text(fields, port, "device", read->device, sizeof read->device, NULL);
        fields_text(fields, port, "host", read->host, sizeof read->host, NULL);
        check_port_differs(fields, config, i);
        fields_leave(fields, mark);
    }
    json_t *control = fields_object(fields, document, "control", true);
    const size_t mark = fields_enter(fields, "control", SIZE_MAX);
    read_control(fields, control, config);
    fields_leave(fields, mark);
}

bool switch_config_load(const char *path, struct switch_config *config, char *error, size_t size) {
    memset(config, 0, sizeof *config);
    return document_load(path, read_config, config, error, size);
}
