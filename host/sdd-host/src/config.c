#include "config.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "document.h"
#include "queue_fields.h"

static const char *const driver_names[] = {"af_packet", "af_xdp", "pci", NULL};
/* DPDK's limit; with more it crashes at its start. */
enum { MAX_MEMORY_MB = 524288 };

static const char *const clock_names[] = {"monotonic", "realtime", "tai", NULL};
static const int clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_TAI};
static const char *const clock_source_names[] = {"system", "ptp4l", NULL};
static const char *const safe_policy_names[] = {"open", "closed", "rate", NULL};

/* Grows an array by zeroed items; sets an error for the key if there is no memory. */
static void *grow(struct fields *fields, const char *key, void *items, size_t count, size_t more,
                  size_t size) {
    char *grown = fields->failed ? NULL : realloc(items, (count + more) * size + 1);
    if (!grown) {
        fields_fail(fields, key, "out of memory for %zu", count + more);
        return items;
    }
    memset(grown + count * size, 0, more * size);
    return grown;
}

static void read_conditions(struct fields *fields, json_t *object, struct host_config *host,
                            uint32_t queue) {
    json_t *texts = fields_array(fields, object, "conditions", 0, 64), *text;
    const size_t count = json_array_size(texts);
    host->conditions = grow(fields, "conditions", host->conditions, host->conditions_count, count,
                            sizeof *host->conditions);
    size_t i;
    json_array_foreach(texts, i, text) {
        struct sdd_program program;
        char name[40];
        snprintf(name, sizeof name, "conditions[%zu]", i);
        queue_fields_condition(fields, text, name, &program);
        if (fields->failed)
            return;
        host->conditions[host->conditions_count++] = (struct condition_config){queue, program};
    }
}

static void read_queue(struct fields *fields, json_t *object, struct host_config *host) {
    static const char *const keys[] = {"number",       "network",  "priority",   "closedByDefault",
                                       "drainRateBps", "maxBytes", "maxPackets", "discipline",
                                       "conditions",   "matches",  NULL};
    fields_known(fields, object, keys);
    struct queue_config *queue = &host->queues[host->queues_count++];
    queue->number = (uint32_t)fields_integer(
        fields, object, "number", 0, (int64_t)config_controlled_queues(host) - 1, FIELD_REQUIRED);
    queue->sdd = queue_fields_settings(fields, object);
    queue->sdd.network = queue_fields_network(fields, object, "circuit");
    read_conditions(fields, object, host, queue->number);
    json_t *matches = fields_array(fields, object, "matches", 0, host->limits.max_mappings);
    const size_t count = json_array_size(matches);
    host->mappings = grow(fields, "matches", host->mappings, host->mappings_count, count,
                          sizeof *host->mappings);
    for (size_t i = 0; i < count && !fields->failed; i++) {
        json_t *match = fields_item(fields, matches, "matches", i);
        const size_t mark = fields_enter(fields, "matches", i);
        struct mapping_config *mapping = &host->mappings[host->mappings_count++];
        mapping->queue = queue->number;
        queue_fields_match(fields, match, &mapping->match, &mapping->flow_priority);
        fields_leave(fields, mark);
    }
}

static void read_limits(struct fields *fields, json_t *object, struct sdd_limits *limits) {
    static const char *const keys[] = {"queues",     "flows",    "mappings", "slots",
                                       "conditions", "triggers", "events",   NULL};
    fields_known(fields, object, keys);
    limits->max_queues =
        (uint32_t)fields_integer(fields, object, "queues", 1, MAX_CONFIG_QUEUES, 64);
    limits->max_flows = (uint32_t)fields_integer(fields, object, "flows", 1, 1 << 24, 4096);
    limits->max_mappings = (uint32_t)fields_integer(fields, object, "mappings", 1, 1 << 20, 1024);
    limits->max_slots = (uint32_t)fields_integer(fields, object, "slots", 1, 1 << 24, 4096);
    limits->max_conditions =
        (uint32_t)fields_integer(fields, object, "conditions", 1, 1 << 20, 1024);
    limits->max_triggers = (uint32_t)fields_integer(fields, object, "triggers", 1, 1 << 20, 64);
    limits->max_events = (uint32_t)fields_integer(fields, object, "events", 1, 1 << 20, 1024);
}

static void read_control(struct fields *fields, json_t *object, struct control_config *control) {
    static const char *const keys[] = {"address",    "port",        "standby", "datagramPort",
                                       "serverName", "certificate", "key",     "authority",
                                       "safePolicy", "safeRateBps", NULL};
    fields_known(fields, object, keys);
    controllers_read(fields, object, &control->controllers);
    control->datagram_port =
        (uint16_t)fields_integer(fields, object, "datagramPort", 0, UINT16_MAX, 0);
    fields_text(fields, object, "serverName", control->server_name, sizeof control->server_name,
                NULL);
    fields_text(fields, object, "certificate", control->certificate, sizeof control->certificate,
                NULL);
    fields_text(fields, object, "key", control->key, sizeof control->key, NULL);
    fields_text(fields, object, "authority", control->authority, sizeof control->authority, NULL);
    control->safe_policy = fields_choice(fields, object, "safePolicy", safe_policy_names, "open");
    control->safe_rate_bps =
        fields_integer(fields, object, "safeRateBps", 0, SDD_MAX_DRAIN_RATE_BPS, 0);
    const bool is_rate = control->safe_policy == SAFE_RATE;
    if (is_rate && control->safe_rate_bps == 0)
        fields_fail(fields, "safeRateBps", "must be above 0 with safePolicy rate");
    if (!is_rate && json_object_get(object, "safeRateBps"))
        fields_fail(fields, "safeRateBps", "must be absent without safePolicy rate");
}

static void read_port(struct fields *fields, json_t *object, struct port_config *port) {
    static const char *const keys[] = {"driver", "device", NULL};
    fields_known(fields, object, keys);
    port->driver = fields_choice(fields, object, "driver", driver_names, NULL);
    fields_text(fields, object, "device", port->device, sizeof port->device, NULL);
    /* it becomes part of a DPDK argument, whose parts commas separate */
    if (!fields->failed && strpbrk(port->device, ", =/\"'\\"))
        fields_fail(fields, "device", "must be the name of an interface or a PCI address");
}

static void read_addresses(struct fields *fields, json_t *object, struct host_config *host) {
    json_t *addresses = fields_array(fields, object, "addresses", 0, MAX_ADDRESSES), *address;
    size_t i;
    json_array_foreach(addresses, i, address) {
        struct sdd_match *match = &host->addresses[host->addresses_count++];
        char name[40];
        snprintf(name, sizeof name, "addresses[%zu]", i);
        *match = sdd_match_all();
        json_t *wrapped = json_pack("{sO}", name, address);
        queue_fields_prefix(fields, wrapped, name, &match->destination,
                            &match->destination_prefix_bits);
        json_decref(wrapped);
    }
}

/* Checks an interface's name by the kernel's rules; % is a format specifier there. */
static void check_interface(struct fields *fields, const char *key, const char *name) {
    if (!fields->failed &&
        (strpbrk(name, "/:% \t\n\v\f\r") || strcmp(name, ".") == 0 || strcmp(name, "..") == 0))
        fields_fail(fields, key, "must be the name of an interface");
}

/* Reads the device to which applications send: a TAP device of sdd-host, or a port. */
static void read_application_device(struct fields *fields, json_t *object,
                                    struct host_config *host) {
    json_t *port = fields_object(fields, object, "applicationPort", false);
    fields_text(fields, object, "tap", host->tap, sizeof host->tap, port ? "" : NULL);
    check_interface(fields, "tap", host->tap);
    fields_text(fields, object, "tapNamespace", host->tap_namespace, sizeof host->tap_namespace,
                "");
    host->segment_bytes =
        1024 * (uint32_t)fields_integer(fields, object, "segmentKb", 0, 64, port ? 0 : 32);
    if (!port)
        return;
    if (json_object_get(object, "segmentKb"))
        fields_fail(fields, "segmentKb", "must be absent if applicationPort is present");
    if (host->tap_namespace[0] != '\0')
        fields_fail(fields, "tapNamespace", "must be absent if applicationPort is present");
    if (host->tap[0] != '\0')
        fields_fail(fields, "tap", "must be absent if applicationPort is present");
    const size_t mark = fields_enter(fields, "applicationPort", SIZE_MAX);
    read_port(fields, port, &host->application_port);
    fields_leave(fields, mark);
}

static void check_queues_differ(struct fields *fields, const struct host_config *host) {
    bool there[MAX_CONFIG_QUEUES] = {false};
    for (size_t i = 0; i < host->queues_count && !fields->failed; i++) {
        const uint32_t number = host->queues[i].number;
        char key[40];
        snprintf(key, sizeof key, "queues[%zu].number", i);
        if (there[number])
            fields_fail(fields, key, "%" PRIu32 " is also another queue's", number);
        there[number] = true;
    }
}

static void check_port_differs(struct fields *fields, const char *key,
                               const struct port_config *port, const struct port_config *before,
                               unsigned other) {
    if (port->device[0] != '\0' && strcmp(port->device, before->device) == 0)
        fields_fail(fields, key, "%s is also the device of hosts[%u]", port->device, other);
}

/* Checks that a host does not open an object that another host opens. */
static void check_opens_its_own(struct fields *fields, const struct host_config *host,
                                const struct host_config *before, unsigned other) {
    const char *socket = host->applications.socket;
    const uint16_t port = host->control.datagram_port;
    check_port_differs(fields, "port.device", &host->port, &before->port, other);
    check_port_differs(fields, "port.device", &host->port, &before->application_port, other);
    check_port_differs(fields, "applicationPort.device", &host->application_port,
                       &before->application_port, other);
    if (socket[0] != '\0' && strcmp(socket, before->applications.socket) == 0)
        fields_fail(fields, "applications.socket", "%s is also that of hosts[%u]", socket, other);
    /* they have the same address if they reach the same first controller */
    if (port != 0 && port == before->control.datagram_port &&
        strcmp(host->control.controllers.list[0].address,
               before->control.controllers.list[0].address) == 0)
        fields_fail(fields, "control.datagramPort", "%u is also that of hosts[%u]", port, other);
}

/* Checks that hosts have distinct names, which identify them to the controller and in their
 * devices' aliases. */
static void check_hosts_differ(struct fields *fields, const struct config *config, unsigned h) {
    const struct host_config *host = &config->hosts[h];
    for (unsigned other = 0; other < h && !fields->failed; other++) {
        const struct host_config *before = &config->hosts[other];
        if (strcmp(host->name, before->name) == 0)
            fields_fail(fields, "name", "%s is also the name of hosts[%u]", host->name, other);
        else if (host->tap[0] != '\0' && strcmp(host->tap, before->tap) == 0 &&
                 strcmp(host->tap_namespace, before->tap_namespace) == 0)
            fields_fail(fields, "tap", "%s is also the device of hosts[%u]", host->tap, other);
        check_opens_its_own(fields, host, before, other);
    }
    for (unsigned other = 0; other <= h; other++)
        check_port_differs(fields, "applicationPort.device", &host->application_port,
                           &config->hosts[other].port, other);
    if (host->applications.socket[0] != '\0' &&
        strcmp(host->applications.socket, config->statistics_socket) == 0)
        fields_fail(fields, "applications.socket", "%s is also that of statistics",
                    host->applications.socket);
}

static void read_host(struct fields *fields, json_t *object, struct host_config *host) {
    static const char *const keys[] = {
        "name",    "tap",        "tapNamespace", "segmentKb", "applicationPort",
        "linkBps", "paceToLink", "addresses",    "port",      "limits",
        "queues",  "control",    "applications", NULL};
    fields_known(fields, object, keys);
    fields_text(fields, object, "name", host->name, sizeof host->name, NULL);
    read_application_device(fields, object, host);
    host->link_bps = (uint64_t)fields_integer(fields, object, "linkBps", 1, SDD_MAX_DRAIN_RATE_BPS,
                                              INT64_C(10000000000));
    host->pace_to_link = fields_boolean(fields, object, "paceToLink", false);
    read_addresses(fields, object, host);
    json_t *port = fields_object(fields, object, "port", true);
    size_t mark = fields_enter(fields, "port", SIZE_MAX);
    read_port(fields, port, &host->port);
    fields_leave(fields, mark);
    json_t *limits = fields_object(fields, object, "limits", false);
    mark = fields_enter(fields, "limits", SIZE_MAX);
    read_limits(fields, limits, &host->limits);
    fields_leave(fields, mark);
    json_t *applications = fields_object(fields, object, "applications", false);
    if (applications) {
        mark = fields_enter(fields, "applications", SIZE_MAX);
        access_config_read(fields, applications, host->limits.max_queues, &host->applications);
        fields_leave(fields, mark);
    }
    json_t *queues = fields_array(fields, object, "queues", 0, host->limits.max_queues);
    const size_t count = json_array_size(queues);
    host->queues = grow(fields, "queues", NULL, 0, count, sizeof *host->queues);
    for (size_t i = 0; i < count && !fields->failed; i++) {
        json_t *queue = fields_item(fields, queues, "queues", i);
        mark = fields_enter(fields, "queues", i);
        read_queue(fields, queue, host);
        fields_leave(fields, mark);
    }
    check_queues_differ(fields, host);
    json_t *control = fields_object(fields, object, "control", false);
    if (control) {
        mark = fields_enter(fields, "control", SIZE_MAX);
        read_control(fields, control, &host->control);
        fields_leave(fields, mark);
        if (host->addresses_count == 0)
            fields_fail(fields, "addresses", "must have an item, because control is present");
    }
}

static void read_config(struct fields *fields, json_t *document, void *into) {
    struct config *config = into;
    static const char *const keys[] = {"cores",     "realtimePriority", "idlePollUs",  "memoryMb",
                                       "hugePages", "packetBuffers",    "statistics",  "hosts",
                                       "clock",     "clockSource",      "ptp4lSocket", NULL};
    static const char *const core_keys[] = {"evaluate", "transmit", "ingest", NULL};
    fields_known(fields, document, keys);
    json_t *cores = fields_object(fields, document, "cores", false);
    size_t mark = fields_enter(fields, "cores", SIZE_MAX);
    fields_known(fields, cores, core_keys);
    config->evaluate_cpu = (int)fields_integer(fields, cores, "evaluate", 0, 1023, 0);
    config->transmit_cpu = (int)fields_integer(fields, cores, "transmit", 0, 1023, -1);
    config->ingest_cpu = (int)fields_integer(fields, cores, "ingest", 0, 1023, -1);
    if (config->transmit_cpu == config->evaluate_cpu)
        fields_fail(fields, "transmit", "must be a different core than evaluate, or absent");
    if (config->ingest_cpu >= 0 &&
        (config->ingest_cpu == config->evaluate_cpu || config->ingest_cpu == config->transmit_cpu))
        fields_fail(fields, "ingest",
                    "must be a different core than evaluate and transmit, or absent");
    fields_leave(fields, mark);
    config->realtime_priority = (int)fields_integer(fields, document, "realtimePriority", 0, 99, 1);
    config->idle_poll_ns = fields_integer(fields, document, "idlePollUs", 0, 1000000, 100) * 1000;
    config->clock = clocks[fields_choice(fields, document, "clock", clock_names, "monotonic")];
    config->clock_source =
        fields_choice(fields, document, "clockSource", clock_source_names, "system");
    fields_text(fields, document, "ptp4lSocket", config->ptp4l_socket, sizeof config->ptp4l_socket,
                "/var/run/ptp4l");
    config->memory_mb =
        (uint32_t)fields_integer(fields, document, "memoryMb", 32, MAX_MEMORY_MB, 256);
    config->huge_pages = fields_boolean(fields, document, "hugePages", false);
    config->packet_buffers =
        (uint32_t)fields_integer(fields, document, "packetBuffers", 1024, 1 << 24, 32767);
    fields_text(fields, document, "statistics", config->statistics_socket,
                sizeof config->statistics_socket, "");
    json_t *hosts = fields_array(fields, document, "hosts", 1, MAX_HOSTS);
    for (size_t i = 0; i < json_array_size(hosts) && !fields->failed; i++) {
        json_t *host = fields_item(fields, hosts, "hosts", i);
        mark = fields_enter(fields, "hosts", i);
        read_host(fields, host, &config->hosts[config->hosts_count++]);
        check_hosts_differ(fields, config, (unsigned)i);
        fields_leave(fields, mark);
    }
}

static void release(void *config) {
    config_free(config);
}

static const struct document_type type = {sizeof(struct config), read_config, release};

struct config *config_parse(const char *text, size_t length, char *error, size_t error_size) {
    return document_parse_new(text, length, &type, error, error_size);
}

struct config *config_load(const char *path, char *error, size_t error_size) {
    return document_load_new(path, &type, error, error_size);
}

bool config_suits_kernel(const struct config *config, int64_t rt_runtime_us, char *error,
                         size_t error_size) {
    if (config->idle_poll_ns > 0 || config->realtime_priority == 0 || rt_runtime_us < 0)
        return true;
    snprintf(
        error, error_size,
        "idlePollUs: must not be 0 with realtimePriority %d: from a real-time thread that never "
        "sleeps the kernel takes the core away for a part of every second "
        "(kernel.sched_rt_runtime_us is %" PRId64
        "); it must be 1 or more, or "
        "realtimePriority 0",
        config->realtime_priority, rt_runtime_us);
    return false;
}

int64_t config_rt_runtime_us(void) {
    int64_t us = -1;
    FILE *file = fopen("/proc/sys/kernel/sched_rt_runtime_us", "r");
    if (!file)
        return us;
    char text[32];
    if (fgets(text, sizeof text, file))
        us = strtoll(text, NULL, 10);
    (void)fclose(file); /* the file was only read */
    return us;
}

void config_free(struct config *config) {
    for (unsigned i = 0; config && i < config->hosts_count; i++) {
        free(config->hosts[i].queues);
        free(config->hosts[i].mappings);
        free(config->hosts[i].conditions);
        free(config->hosts[i].applications.rules);
    }
    free(config);
}
