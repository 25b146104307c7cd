package org.evenweave.sdd.metrics;

import java.util.List;
import org.evenweave.metrics.Family;

/** The metrics of an SDD controller. {@code docs/reference/metrics.md} has the same list. */
final class SddFamilies {
  static final Family LEADS =
      Family.gauge("evenweave_sdd_leads", "1 if this controller leads, 0 if it stands by");
  static final Family HOSTS = Family.gauge("evenweave_sdd_hosts", "Configured hosts");
  static final Family CONNECTED =
      Family.gauge("evenweave_sdd_hosts_connected", "Hosts with a session");
  static final Family CIRCUIT_SWITCH =
      Family.gauge(
          "evenweave_sdd_circuit_switch_connected", "1 if the circuit switch has a session");
  static final Family CONFIGURATIONS =
      Family.gauge(
          "evenweave_sdd_circuit_switch_configurations",
          "Configurations of circuits in the circuit switch's session");
  static final Family LATE_CONFIGURATIONS =
      Family.gauge(
          "evenweave_sdd_circuit_switch_late_configurations",
          "Configurations in its session that came after their time");
  static final Family CIRCUIT_DROPS =
      Family.gauge(
          "evenweave_sdd_circuit_switch_dropped_packets",
          "Packets that the circuit switch dropped in its session",
          "reason");
  static final Family PERIODS =
      Family.counter("evenweave_sdd_periods_total", "Periods in which the control loop ran");
  static final Family SKIPPED =
      Family.counter(
          "evenweave_sdd_skipped_periods_total",
          "Periods that passed while the control loop was busy with the one before");
  static final Family LATE_SCHEDULES =
      Family.counter(
          "evenweave_sdd_late_schedules_total", "Schedules announced after their period had begun");
  static final Family UNSENT_STARTS =
      Family.counter(
          "evenweave_sdd_unsent_starts_total",
          "Days that were over before their START could be sent");
  static final Family LATE_PAIRS =
      Family.counter(
          "evenweave_sdd_late_pairs_total", "Pairs that lost circuit time in a week, per week");
  static final Family SECOND_CHANCES =
      Family.counter(
          "evenweave_sdd_second_chances_total",
          "Late pairs that got circuit time again in the same week");
  static final Family LOST =
      Family.counter("evenweave_sdd_lost_seconds_total", "Circuit time that late pairs lost");
  static final Family REGAINED =
      Family.counter("evenweave_sdd_regained_seconds_total", "Circuit time that they got again");
  static final Family LAST_PLAN =
      Family.gauge("evenweave_sdd_last_plan_seconds", "Time of the latest estimate and plan");
  static final Family LONGEST_PLAN =
      Family.gauge("evenweave_sdd_longest_plan_seconds", "Longest time of an estimate and plan");
  static final Family DEMAND =
      Family.gauge("evenweave_sdd_demand_bytes", "Demand that was planned for last");
  static final Family OFFSET =
      Family.gauge(
          "evenweave_sdd_host_clock_offset_seconds",
          "Offset of a host's clock, as the host estimates it",
          "host");
  static final Family CLOCK_GOOD =
      Family.gauge(
          "evenweave_sdd_host_clock_good",
          "1 if a host's clock is synchronised within the guard time",
          "host");
  static final Family QUEUED =
      Family.gauge(
          "evenweave_sdd_host_queued_bytes", "Bytes in a host's queues by its last report", "host");
  static final Family LOST_DATAGRAMS =
      Family.gauge(
          "evenweave_sdd_host_lost_datagrams",
          "Control packets of a host's session that never came",
          "host");
  static final Family UNSENT_DATAGRAMS =
      Family.gauge(
          "evenweave_sdd_host_unsent_datagrams",
          "Control packets of a host's session that could not be sent",
          "host");
  static final Family OUT_OF_SLOT =
      Family.gauge(
          "evenweave_sdd_host_out_of_slot_packets",
          "Packets that a host's session reports to have left outside their slot",
          "host");
  static final Family EDGES = Family.gauge("evenweave_sdd_edges", "Configured edges");
  static final Family EDGES_CONNECTED =
      Family.gauge("evenweave_sdd_edges_connected", "Edges with a session");
  static final Family PEERS =
      Family.gauge("evenweave_sdd_controllers_linked", "Other controllers that are linked");
  static final Family POLICY =
      Family.gauge("evenweave_sdd_policy_version", "Version of the operator's policy");

  static final List<Family> ALL =
      List.of(
          LEADS,
          HOSTS,
          CONNECTED,
          CIRCUIT_SWITCH,
          CONFIGURATIONS,
          LATE_CONFIGURATIONS,
          CIRCUIT_DROPS,
          PERIODS,
          SKIPPED,
          LATE_SCHEDULES,
          UNSENT_STARTS,
          LATE_PAIRS,
          SECOND_CHANCES,
          LOST,
          REGAINED,
          LAST_PLAN,
          LONGEST_PLAN,
          DEMAND,
          OFFSET,
          CLOCK_GOOD,
          QUEUED,
          LOST_DATAGRAMS,
          UNSENT_DATAGRAMS,
          OUT_OF_SLOT,
          EDGES,
          EDGES_CONNECTED,
          PEERS,
          POLICY);

  private SddFamilies() {}
}
