#include "show_options.h"

#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "state.h"

static bool read_count(const char *text, unsigned least, unsigned *count) {
    char *end = NULL;
    const unsigned long value = strtoul(text, &end, 10);
    *count = (unsigned)value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && value >= least &&
           value <= EDGE_PEERS;
}

int show_options_read(int argc, char **argv, enum show_form *form, struct show_peers *which,
                      struct edge_address *peer) {
    int at = 2;
    for (; at < argc && argv[at][0] == '-'; at++) {
        const char *value = at + 1 < argc ? argv[at + 1] : "";
        if (strcmp(argv[at], "--json") == 0) {
            *form = SHOW_JSON;
            continue;
        }
        if (strcmp(argv[at], "--prometheus") == 0) {
            *form = SHOW_METRICS;
            continue;
        }
        if (strcmp(argv[at], "--peer") == 0 && address_read(value, peer))
            which->only = peer;
        else if (!(strcmp(argv[at], "--first") == 0 && read_count(value, 0, &which->first)) &&
                 !(strcmp(argv[at], "--limit") == 0 && read_count(value, 1, &which->limit)))
            return 0;
        at++;
    }
    return at;
}
