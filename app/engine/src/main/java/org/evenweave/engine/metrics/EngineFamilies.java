package org.evenweave.engine.metrics;

import java.util.List;
import org.evenweave.metrics.Family;

/** The metrics of an engine. {@code docs/reference/metrics.md} has the same list. */
final class EngineFamilies {
  static final Family EVENTS =
      Family.counter("evenweave_events_total", "Events that were detected", "kind");
  static final Family CONFIRMED =
      Family.counter(
          "evenweave_events_confirmed_total",
          "Events whose changes all switches have confirmed",
          "kind");
  static final Family CONFIRMATION =
      Family.histogram(
          "evenweave_event_confirmation_seconds",
          "Time from the detection of an event to the confirmation of its changes",
          "kind");
  static final Family PLANS =
      Family.counter("evenweave_plans_confirmed_total", "Plans that all switches have confirmed");
  static final Family STAGE =
      Family.histogram(
          "evenweave_plan_stage_seconds", "Time that a confirmed plan spent in a stage", "stage");
  static final Family GROUPS_CHANGED =
      Family.counter("evenweave_groups_changed_total", "Groups that confirmed plans changed");
  static final Family RULES_CHANGED =
      Family.counter("evenweave_rules_changed_total", "Rules that confirmed plans changed");
  static final Family RETRIES =
      Family.counter(
          "evenweave_plan_retries_total", "Plans that were computed again after a refusal");
  static final Family STATE =
      Family.gauge("evenweave_fabric_state", "1 for the state of the fabric, else 0", "state");
  static final Family CONFIRMED_NOW =
      Family.gauge(
          "evenweave_fabric_confirmed", "1 if all connected switches have confirmed their changes");
  static final Family REASONS =
      Family.gauge(
          "evenweave_fabric_reasons", "Reasons for which the fabric is not in state converged");
  static final Family STALLED =
      Family.gauge("evenweave_stalled_threads", "Threads that have not run for 3 s");
  static final Family SWITCHES = Family.gauge("evenweave_switches", "Connected switches");
  static final Family MISSING_SWITCHES =
      Family.gauge("evenweave_switches_missing", "Configured switches that are not connected");
  static final Family LINKS = Family.gauge("evenweave_links", "Links that carry traffic");
  static final Family MISSING_LINKS =
      Family.gauge(
          "evenweave_links_missing",
          "Configured links between connected switches that carry no traffic");
  static final Family IMPAIRED_LINKS =
      Family.gauge("evenweave_links_impaired", "Links with a problem", "problem");
  static final Family HOSTS = Family.gauge("evenweave_hosts", "Hosts that are known");
  static final Family GROUPS = Family.gauge("evenweave_groups", "Desired groups");
  static final Family CONNECTED =
      Family.gauge("evenweave_switch_connected", "1 if the switch is connected", "switch");
  static final Family TABLE_USED =
      Family.gauge(
          "evenweave_switch_table_used",
          "Entries that a switch holds, by kind of table",
          "switch",
          "kind");
  static final Family TABLE_LIMIT =
      Family.gauge(
          "evenweave_switch_table_limit",
          "Limit of a switch's table, configured, reported or learned, by kind of table",
          "switch",
          "kind");
  static final Family OVERSUBSCRIPTION =
      Family.gauge(
          "evenweave_switch_oversubscription_ratio",
          "Largest oversubscription of a switch's groups",
          "switch");
  static final Family OVERSUBSCRIPTION_LIMIT =
      Family.gauge(
          "evenweave_oversubscription_limit_ratio", "Configured limit on the oversubscription");
  static final Family FOREIGN_RULES =
      Family.gauge(
          "evenweave_foreign_rules",
          "Foreign rules in switches, by their effect on the fabric's traffic",
          "effect");
  static final Family PACKET_INS =
      Family.counter(
          "evenweave_packet_ins_total", "Packets that switches sent to the controller", "result");
  static final Family EXPIRED =
      Family.counter(
          "evenweave_expired_packets_total", "Packets whose TTL expired at a switch", "result");
  static final Family SOURCES_REFUSED =
      Family.gauge(
          "evenweave_source_guard_dropped_packets",
          "Packets that switches dropped for their source address, as of the last audit");
  static final Family MEASURED =
      Family.gauge(
          "evenweave_traffic_measured_bytes_per_second",
          "Sum of the measured traffic matrix, if it is measured");

  static final List<Family> ALL =
      List.of(
          EVENTS,
          CONFIRMED,
          CONFIRMATION,
          PLANS,
          STAGE,
          GROUPS_CHANGED,
          RULES_CHANGED,
          RETRIES,
          STATE,
          CONFIRMED_NOW,
          REASONS,
          STALLED,
          SWITCHES,
          MISSING_SWITCHES,
          LINKS,
          MISSING_LINKS,
          IMPAIRED_LINKS,
          HOSTS,
          GROUPS,
          CONNECTED,
          TABLE_USED,
          TABLE_LIMIT,
          OVERSUBSCRIPTION,
          OVERSUBSCRIPTION_LIMIT,
          FOREIGN_RULES,
          PACKET_INS,
          EXPIRED,
          SOURCES_REFUSED,
          MEASURED);

  private EngineFamilies() {}
}
