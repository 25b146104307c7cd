/* The socket's two corrections of ns-3's: without them the calls below abort this program, the
 * first by a segmentation fault, the second by an assertion. */
#include "cases.h"
#include "host/socket.h"
#include "ns3/packet.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-linux-reno.h"
#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-prr-recovery.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/tcp-tx-buffer.h"

using namespace sim;

namespace {

using ns3::SequenceNumber32, ns3::TcpSocketState;

/* A socket without a network. */
class Bare final : public TcpSocket {
  public:
    Bare() {
        SetRtt(ns3::CreateObject<ns3::RttMeanDeviation>());
        SetCongestionControlAlgorithm(ns3::CreateObject<ns3::TcpLinuxReno>());
        SetRecoveryAlgorithm(ns3::CreateObject<ns3::TcpPrrRecovery>());
        m_tcb->m_segmentSize = 1000;
        m_txBuffer->SetSegmentSize(1000);
        m_sackEnabled = true;
    }

    void start_at(uint32_t head) {
        m_txBuffer->SetHeadSequence(SequenceNumber32(head));
    }

    uint32_t head() const {
        return m_txBuffer->HeadSequence().GetValue();
    }

    /* Delivers an acknowledgement, with a SACK block if it is not empty. */
    void acknowledge(uint32_t number, uint32_t sacked_from = 0, uint32_t sacked_to = 0) {
        ns3::TcpHeader header;
        header.SetFlags(ns3::TcpHeader::ACK);
        header.SetAckNumber(SequenceNumber32(number));
        if (sacked_from < sacked_to) {
            auto sack = ns3::CreateObject<ns3::TcpOptionSack>();
            sack->AddSackBlock({SequenceNumber32(sacked_from), SequenceNumber32(sacked_to)});
            assert_true(header.AppendOption(sack));
        }
        ReceivedAck(ns3::Create<ns3::Packet>(), header);
    }

    /* Sets the state after marks have reduced the window up to a number and some duplicate ACKs
     * have arrived. */
    void reduce_until(uint32_t number, uint32_t duplicates) {
        m_tcb->m_congState = TcpSocketState::CA_CWR;
        m_recover = SequenceNumber32(number);
        m_dupAckCount = duplicates;
    }

    uint32_t duplicates() const {
        return m_dupAckCount;
    }

    bool is_open() const {
        return m_tcb->m_congState == TcpSocketState::CA_OPEN;
    }
};

void an_old_acknowledgement_with_sack_blocks_is_of_no_use_where_nothing_is_on_its_way(
    void ** /*state*/) {
    auto socket = ns3::CreateObject<Bare>();
    socket->start_at(10'000);
    socket->acknowledge(5000, 6000, 7000);
    assert_int_equal(socket->head(), 10'000);
    ns3::Simulator::Destroy();
}

void duplicates_of_a_reduced_window_do_not_count_after_it(void ** /*state*/) {
    auto socket = ns3::CreateObject<Bare>();
    socket->start_at(10'000);
    socket->reduce_until(10'500, 2);
    socket->acknowledge(11'000);
    assert_true(socket->is_open());
    assert_int_equal(socket->duplicates(), 0);
    ns3::Simulator::Destroy();
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(
            an_old_acknowledgement_with_sack_blocks_is_of_no_use_where_nothing_is_on_its_way),
        cmocka_unit_test(duplicates_of_a_reduced_window_do_not_count_after_it),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
