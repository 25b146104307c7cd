/* A connection always has a nonzero window. */
#include "cases.h"
#include "host/recovery.h"
#include "ns3/tcp-socket-state.h"

using namespace sim;

namespace {

/* Returns the window after the last ACK of the data in flight at an ECN-echo, if more was sent
 * meanwhile than delivered. */
uint32_t window_after_the_last_ack(ns3::TcpPrrRecovery &recovery) {
    auto state = ns3::CreateObject<ns3::TcpSocketState>();
    state->m_segmentSize = 1460;
    state->m_ssThresh = 2 * 1460;
    state->m_bytesInFlight = 4 * 1460;
    recovery.EnterRecovery(state, 0, 4 * 1460, 1460);
    recovery.UpdateBytesSent(20 * 1460);
    state->m_bytesInFlight = 0;
    recovery.DoRecovery(state, 1460, false);
    return state->m_cWnd;
}

void the_window_is_a_segment_at_least(void ** /*state*/) {
    ns3::TcpPrrRecovery plain;
    Recovery ours;
    assert_true(window_after_the_last_ack(plain) < 1460); // the error that our class corrects
    assert_int_equal(window_after_the_last_ack(ours), 1460);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_window_is_a_segment_at_least),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
