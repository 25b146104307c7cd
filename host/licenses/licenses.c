#include "licenses.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "texts.h"

bool licenses_wanted(int argc, char **argv) {
    return argc == 2 && strcmp(argv[1], "--licenses") == 0;
}

int licenses_print(void) {
    const size_t size = sizeof license_texts;
    if (fwrite(license_texts, 1, size, stdout) == size && fflush(stdout) == 0)
        return 0;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread starts */
    fprintf(stderr, "the licences cannot be written: %s\n", strerror(errno));
    return 1;
}
