#include "support.h"

#include <stdio.h>

struct sdd_program condition(const char *format, ...) {
    char text[512];
    struct sdd_program program;
    struct sdd_parse_error error;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!sdd_program_parse(text, (size_t)length, &program, &error))
        fail_msg("\"%s\" at %zu: %s", text, error.position, error.message);
    return program;
}

struct base_flow_key flow_key(unsigned host, uint16_t source_port) {
    return (struct base_flow_key){.source = base_ipv4(0x0a000001),
                                  .destination = base_ipv4(0x0a000100 + host),
                                  .source_port = source_port,
                                  .destination_port = 80,
                                  .protocol = 6};
}
