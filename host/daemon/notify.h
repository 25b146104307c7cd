/*
 * Tells the service manager how this process is: a datagram to the socket in NOTIFY_SOCKET, as
 * sd_notify(3) describes. Without that variable nothing is sent.
 */
#ifndef DAEMON_NOTIFY_H
#define DAEMON_NOTIFY_H

/* The process serves, from its start or again after a reload. Also its first sign of life. */
void notify_ready(void);

/* The process reads its configuration again. notify_ready ends this. */
void notify_reloading(void);

/* A sign of life. To be sent at least every notify_period_ms(). */
void notify_alive(void);

/* How often the service manager expects a sign of life, halved, in milliseconds, as poll() takes
   it; -1: never. */
int notify_period_ms(void);

#endif
