#include "controllers.h"

#include <arpa/inet.h>
#include <stddef.h>

static void read_address(struct fields *fields, json_t *object, struct controllers *controllers) {
    struct controller_address *read = &controllers->list[controllers->count++];
    uint8_t octets[16];
    fields_text(fields, object, "address", read->address, sizeof read->address, NULL);
    if (!fields->failed && inet_pton(AF_INET, read->address, octets) != 1 &&
        inet_pton(AF_INET6, read->address, octets) != 1)
        fields_fail(fields, "address", "must be a numeric IP address");
    read->port = (uint16_t)fields_integer(fields, object, "port", 1, UINT16_MAX, FIELD_REQUIRED);
}

void controllers_read(struct fields *fields, json_t *object, struct controllers *controllers) {
    static const char *const keys[] = {"address", "port", NULL};
    read_address(fields, object, controllers);
    json_t *standby = fields_array(fields, object, "standby", 0, MAX_CONTROLLERS - 1);
    for (size_t i = 0; i < json_array_size(standby) && !fields->failed; i++) {
        json_t *other = fields_item(fields, standby, "standby", i);
        const size_t mark = fields_enter(fields, "standby", i);
        fields_known(fields, other, keys);
        read_address(fields, other, controllers);
        fields_leave(fields, mark);
    }
}
