#include "access_config.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "queue_fields.h"

enum { MAX_ACCOUNT_NAME = 32, ACCOUNT_BYTES = 16384 };

/* Returns the number in the text, or -1. */
static int64_t number(const char *text) {
    if (strlen(text) > 10 || strspn(text, "0123456789") != strlen(text))
        return -1;
    const unsigned long long value = strtoull(text, NULL, 10);
    return value < UINT32_MAX ? (int64_t)value : -1; /* the largest id means none */
}

static bool find_user(const char *name, uint32_t *id) {
    char buffer[ACCOUNT_BYTES];
    struct passwd entry, *found = NULL;
    if (getpwnam_r(name, &entry, buffer, sizeof buffer, &found) != 0 || !found)
        return false;
    *id = found->pw_uid;
    return true;
}

static bool find_group(const char *name, uint32_t *id) {
    char buffer[ACCOUNT_BYTES];
    struct group entry, *found = NULL;
    if (getgrnam_r(name, &entry, buffer, sizeof buffer, &found) != 0 || !found)
        return false;
    *id = found->gr_gid;
    return true;
}

/* Reads the user or group, by name or number. */
static void read_account(struct fields *fields, json_t *object, struct access_rule *rule) {
    char name[MAX_ACCOUNT_NAME];
    const bool user = json_object_get(object, "user") != NULL;
    rule->of_group = json_object_get(object, "group") != NULL;
    if (user == rule->of_group)
        fields_fail(fields, "user", "must be present if group is absent, and absent otherwise");
    const char *key = rule->of_group ? "group" : "user";
    fields_text(fields, object, key, name, sizeof name, NULL);
    if (fields->failed)
        return;
    const int64_t id = number(name);
    if (id >= 0)
        rule->id = (uint32_t)id;
    else if (!(rule->of_group ? find_group(name, &rule->id) : find_user(name, &rule->id)))
        fields_fail(fields, key, "is not known on this machine: %s", name);
}

/* controlled: number of queues for the configuration and the controller. */
static void read_observed(struct fields *fields, json_t *object, int64_t controlled,
                          struct access_rule *rule) {
    json_t *numbers = fields_array(fields, object, "observes", 0, MAX_OBSERVED), *item;
    size_t i;
    json_array_foreach(numbers, i, item) {
        char name[40];
        snprintf(name, sizeof name, "observes[%zu]", i);
        if (json_is_integer(item) && json_integer_value(item) >= 0 &&
            json_integer_value(item) < controlled)
            rule->observes[rule->observes_count++] = (uint32_t)json_integer_value(item);
        else
            fields_fail(fields, name, "must be a whole number from 0 to %lld",
                        (long long)controlled - 1);
    }
}

static void read_rule(struct fields *fields, json_t *object, int64_t controlled,
                      struct access_rule *rule) {
    static const char *const keys[] = {"user",       "group",    "queues",      "mappings",
                                       "conditions", "triggers", "connections", "requestsPerSecond",
                                       "priority",   "network",  "matches",     "observes",
                                       "packets",    NULL};
    fields_known(fields, object, keys);
    read_account(fields, object, rule);
    const int64_t most = MAX_QUOTA;
    rule->quota = (struct access_quota){
        .queues = (uint32_t)fields_integer(fields, object, "queues", 1, MAX_CONFIG_QUEUES, 4),
        .packets = fields_integer(fields, object, "packets", 1, UINT32_MAX, 4000),
        .mappings = (uint32_t)fields_integer(fields, object, "mappings", 0, most, 64),
        .conditions = (uint32_t)fields_integer(fields, object, "conditions", 0, most, 64),
        .triggers = (uint32_t)fields_integer(fields, object, "triggers", 0, most, 8),
        .connections = (uint32_t)fields_integer(fields, object, "connections", 1, 64, 4),
        .requests_per_second =
            (uint32_t)fields_integer(fields, object, "requestsPerSecond", 1, 100000, 1000)};
    rule->max_priority =
        (uint8_t)fields_integer(fields, object, "priority", 0, SDD_PRIORITIES - 1, 0);
    rule->network = queue_fields_network(fields, object, "packet");
    json_t *matches = fields_array(fields, object, "matches", 0, MAX_ACCESS_MATCHES);
    for (size_t i = 0; i < json_array_size(matches) && !fields->failed; i++) {
        uint8_t flow_priority;
        json_t *match = fields_item(fields, matches, "matches", i);
        const size_t mark = fields_enter(fields, "matches", i);
        queue_fields_match(fields, match, &rule->matches[rule->matches_count++], &flow_priority);
        fields_leave(fields, mark);
    }
    read_observed(fields, object, controlled, rule);
}

void access_config_read(struct fields *fields, json_t *object, uint32_t max_queues,
                        struct applications_config *config) {
    static const char *const keys[] = {"socket", "queues", "access", NULL};
    fields_known(fields, object, keys);
    fields_text(fields, object, "socket", config->socket, sizeof config->socket, NULL);
    if (max_queues < 2)
        fields_fail(fields, "queues", "must leave one of limits.queues to the controller");
    else
        config->queues = (uint32_t)fields_integer(
            fields, object, "queues", 1, (int64_t)max_queues - 1, max_queues > 16 ? 16 : 1);
    json_t *rules = fields_array(fields, object, "access", 1, MAX_ACCESS_RULES);
    const size_t count = json_array_size(rules);
    config->rules = calloc(count + 1, sizeof *config->rules);
    if (!config->rules) {
        fields_fail(fields, "access", "out of memory");
        return;
    }
    for (size_t i = 0; i < count && !fields->failed; i++) {
        json_t *rule = fields_item(fields, rules, "access", i);
        const size_t mark = fields_enter(fields, "access", i);
        read_rule(fields, rule, (int64_t)max_queues - config->queues,
                  &config->rules[config->rules_count++]);
        fields_leave(fields, mark);
    }
}
