/* Opens a connection of the case's transport: TCP or MPTCP. */
#pragma once

#include "workload/connection.h"

namespace sim {

std::unique_ptr<Connection> open_connection(const TcpSettings &settings, Host &client, Host &server,
                                            uint16_t port, Connection::Done done);

} // namespace sim
