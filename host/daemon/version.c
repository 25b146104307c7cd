#include "version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool version_wanted(int argc, char **argv) {
    return argc == 2 && strcmp(argv[1], "--version") == 0;
}

int version_print(const char *program) {
    if (printf("%s %s\n", program, EVENWEAVE_VERSION) > 0 && fflush(stdout) == 0)
        return 0;
    fprintf(stderr, "%s: the version cannot be written: %s\n", program, strerrordesc_np(errno));
    return 1;
}
