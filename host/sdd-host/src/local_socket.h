/* UNIX sockets that local processes connect to. */
#ifndef SDD_HOST_LOCAL_SOCKET_H
#define SDD_HOST_LOCAL_SOCKET_H

#include <sys/types.h>

/* How long local_socket_accept waits where it would fail again at once. */
enum { LOCAL_SOCKET_PAUSE_NS = 10000000 };

/* Listens at a path shorter than sun_path, in place of a socket that nobody listens at any more;
 * does not block. -1: errno, EEXIST where there is something else. */
int local_socket_listen(const char *path, mode_t mode, int backlog);

/* A connection that waits. -1: errno. Where descriptors or memory are short the connection goes on
   waiting, and the socket readable: so this pauses, lest a loop that polls it spins. */
int local_socket_accept(int listening);

#endif
