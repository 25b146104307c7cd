#include "socket_bio.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/socket.h>

static BIO_METHOD *method;
static pthread_once_t method_once = PTHREAD_ONCE_INIT;

static int socket_of(BIO *bio) {
    return (int)(intptr_t)BIO_get_data(bio);
}

static int write_bytes(BIO *bio, const char *bytes, int size) {
    const int sent = (int)send(socket_of(bio), bytes, (size_t)size, MSG_NOSIGNAL);
    BIO_clear_retry_flags(bio);
    if (sent <= 0 && BIO_sock_should_retry(sent))
        BIO_set_retry_write(bio);
    return sent;
}

static int read_bytes(BIO *bio, char *bytes, int size) {
    const int received = (int)recv(socket_of(bio), bytes, (size_t)size, 0);
    BIO_clear_retry_flags(bio);
    if (received == 0)
        BIO_set_flags(bio, BIO_FLAGS_IN_EOF); /* by this flag TLS detects a truncated stream */
    else if (received < 0 && BIO_sock_should_retry(received))
        BIO_set_retry_read(bio);
    return received;
}

static long control(BIO *bio, int command, long number, void *pointer) {
    (void)number;
    (void)pointer;
    switch (command) {
    case BIO_CTRL_EOF:
        return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0;
    case BIO_CTRL_FLUSH: /* nothing is buffered here */
        return 1;
    default:
        return 0;
    }
}

static void make_method(void) {
    const int index = BIO_get_new_index();
    method = index < 0 ? NULL : BIO_meth_new(index | BIO_TYPE_SOURCE_SINK, "socket, no SIGPIPE");
    if (method &&
        (BIO_meth_set_write(method, write_bytes) != 1 ||
         BIO_meth_set_read(method, read_bytes) != 1 || BIO_meth_set_ctrl(method, control) != 1)) {
        BIO_meth_free(method);
        method = NULL;
    }
}

BIO *socket_bio_new(int socket) {
    pthread_once(&method_once, make_method);
    BIO *bio = method ? BIO_new(method) : NULL;
    if (bio) {
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): a BIO's data is a pointer */
        BIO_set_data(bio, (void *)(intptr_t)socket);
        BIO_set_init(bio, 1);
    }
    return bio;
}
