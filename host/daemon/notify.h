/*
 * Notifies the service manager of this process's state by datagrams to the socket in NOTIFY_SOCKET,
 * as sd_notify(3) describes. Without that variable nothing is sent.
 */
#ifndef DAEMON_NOTIFY_H
#define DAEMON_NOTIFY_H

/* Reports that the process is ready, after its start or a reload. Also the first keep-alive. */
void notify_ready(void);

/* Reports that the process reloads its configuration. notify_ready ends this. */
void notify_reloading(void);

/* Sends a keep-alive. Must be called at least every notify_period_ms(). */
void notify_alive(void);

/* Returns half of the service manager's watchdog period in milliseconds, usable as a time-out of
 * poll(); -1: no watchdog. */
int notify_period_ms(void);

#endif
