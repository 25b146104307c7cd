/* UNIX sockets for local processes. */
#ifndef SDD_HOST_LOCAL_SOCKET_H
#define SDD_HOST_LOCAL_SOCKET_H

#include <sys/types.h>

/* The pause of local_socket_accept before an error that would repeat at once. */
enum { LOCAL_SOCKET_PAUSE_NS = 10000000 };

/* Listens at a path shorter than sun_path; replaces a socket at which no process listens. Does not
 * block. Returns -1 with errno; EEXIST: another file exists. */
int local_socket_listen(const char *path, mode_t mode, int backlog);

/* Accepts a pending connection. Returns -1 with errno. Without free descriptors or memory the
 * connection stays pending and the socket readable, so the function pauses first to prevent the
 * caller's poll loop from spinning. */
int local_socket_accept(int listening);

#endif
