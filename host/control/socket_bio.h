/*
 * A BIO over a connected socket, like OpenSSL's own, except that no write raises SIGPIPE.
 *
 * OpenSSL's socket BIO calls write(2), which ends the process by SIGPIPE once the other side has
 * closed or reset the connection, unless the program ignores the signal. Here each write carries
 * MSG_NOSIGNAL, so that a peer cannot end a program that uses this library, whatever its signal
 * dispositions.
 */
#ifndef SDD_CONTROL_SOCKET_BIO_H
#define SDD_CONTROL_SOCKET_BIO_H

#include <openssl/bio.h>

/* Null if there is no memory. The caller closes the socket, after the BIO is freed. */
BIO *socket_bio_new(int socket);

#endif
