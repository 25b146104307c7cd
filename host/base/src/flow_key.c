#include "base/flow_key.h"

struct base_ip_address base_ipv4(uint32_t host_order) {
    return (struct base_ip_address){{[10] = 0xff,
                                     [11] = 0xff,
                                     [12] = (uint8_t)(host_order >> 24),
                                     [13] = (uint8_t)(host_order >> 16),
                                     [14] = (uint8_t)(host_order >> 8),
                                     [15] = (uint8_t)host_order}};
}
