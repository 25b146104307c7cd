#include "workload/transport.h"

#include "workload/mptcp.h"

namespace sim {

std::unique_ptr<Connection> open_connection(const TcpSettings &settings, Host &client, Host &server,
                                            uint16_t port, Connection::Done done) {
    if (settings.subflows > 0)
        return std::make_unique<MptcpConnection>(client, server, port, settings.subflows,
                                                 std::move(done));
    return std::make_unique<TcpConnection>(client, server, port, std::move(done));
}

} // namespace sim
