/*
 * A BIO over a connected socket, like OpenSSL's, except that no write raises SIGPIPE.
 *
 * OpenSSL's socket BIO calls write(2), which terminates the process by SIGPIPE after the peer has
 * closed or reset the connection, unless the program ignores the signal. This BIO writes with
 * MSG_NOSIGNAL, so that a peer cannot terminate a program that uses this library.
 */
#ifndef SDD_CONTROL_SOCKET_BIO_H
#define SDD_CONTROL_SOCKET_BIO_H

#include <openssl/bio.h>

/* Returns null if there is no memory. The caller closes the socket after it has freed the BIO. */
BIO *socket_bio_new(int socket);

#endif
