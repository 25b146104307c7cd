#include "part.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* MergePatch of RFC 7386, section 2. Returns false if there is no memory. */
/* NOLINTNEXTLINE(misc-no-recursion): JSON that was read nests 2,048 deep at most */
static bool merge(json_t *target, json_t *patch) {
    const char *key;
    json_t *value;
    json_object_foreach(patch, key, value) {
        json_t *before = json_object_get(target, key);
        int failed = 0;
        if (json_is_null(value))
            (void)json_object_del(target, key);
        else if (json_is_object(value) && json_is_object(before))
            failed = !merge(before, value);
        else
            failed = json_object_set_new(target, key, json_deep_copy(value));
        if (failed)
            return false;
    }
    return true;
}

/* Finds this host's name and part; returns null if there is none. */
static json_t *find(json_t *by_host, char *name, size_t size) {
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): no thread changes the environment */
    const char *given = getenv(HOST_VARIABLE);
    if (given && given[0] != '\0')
        snprintf(name, size, "%s", given);
    else if (gethostname(name, size) < 0)
        name[0] = '\0';
    name[size - 1] = '\0';
    json_t *found = json_object_get(by_host, name);
    char *dot = strchr(name, '.');
    if (!found && !given && dot) {
        *dot = '\0';
        found = json_object_get(by_host, name);
    }
    return found;
}

static void leave_out_self(json_t *document) {
    const char *own = json_string_value(json_object_get(document, "address"));
    json_t *peers = json_object_get(document, "peers");
    for (size_t i = json_array_size(peers); own && i-- > 0;) {
        const char *address =
            json_string_value(json_object_get(json_array_get(peers, i), "address"));
        if (address && strcmp(address, own) == 0)
            (void)json_array_remove(peers, i);
    }
}

/* Enters the host's name. Returns false if there is no memory. */
static bool name_host(json_t *document, const char *name) {
    json_t *host = json_object_get(document, "host");
    if (!json_is_object(host) || json_object_get(document, "hosts"))
        return true;
    if (!json_object_get(host, "name") && json_object_set_new(host, "name", json_string(name)) < 0)
        return false;
    return json_object_set_new(document, "hosts", json_pack("[O]", host)) == 0 &&
           json_object_del(document, "host") == 0;
}

json_t *part_of_host(struct fields *fields, json_t *document) {
    static const char *const keys[] = {"everyHost", "byHost", NULL};
    char name[256];
    if (!json_object_get(document, "byHost"))
        return json_incref(document);
    fields_known(fields, document, keys);
    json_t *every = fields_object(fields, document, "everyHost", true);
    json_t *by_host = fields_object(fields, document, "byHost", true);
    if (fields->failed)
        return NULL;
    json_t *own = find(by_host, name, sizeof name);
    if (!json_is_object(own)) {
        fields_fail(fields, "byHost",
                    "must have an object for this host, \"%s\" (or for the host that " HOST_VARIABLE
                    " names)",
                    name);
        return NULL;
    }
    json_t *part = json_deep_copy(every);
    if (part && merge(part, own) && name_host(part, name)) {
        leave_out_self(part);
        return part;
    }
    json_decref(part);
    fields_fail(fields, "byHost", "out of memory");
    return NULL;
}
