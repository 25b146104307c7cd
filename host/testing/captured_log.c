#include "captured_log.h"

#include <unistd.h>

#include "testing.h"

struct captured_log captured_log_begin(void) {
    const struct captured_log log = {.file = tmpfile(), .own = dup(STDERR_FILENO)};
    assert_non_null(log.file);
    dup2(fileno(log.file), STDERR_FILENO);
    return log;
}

void captured_log_end(struct captured_log log, char *text, size_t text_size) {
    dup2(log.own, STDERR_FILENO);
    close(log.own);
    const ssize_t size = pread(fileno(log.file), text, text_size - 1, 0);
    assert_true(size > 0);
    text[size] = '\0';
    (void)fclose(log.file);
}
