/* UNIX sockets that local processes connect to. */
#ifndef SDD_HOST_LOCAL_SOCKET_H
#define SDD_HOST_LOCAL_SOCKET_H

#include <sys/types.h>

/* Listens at a path shorter than sun_path, in place of a socket that nobody listens at any more;
 * does not block. -1: errno, EEXIST where there is something else. */
int local_socket_listen(const char *path, mode_t mode, int backlog);

#endif
