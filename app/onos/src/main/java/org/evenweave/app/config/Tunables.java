package org.evenweave.app.config;

import java.util.Dictionary;
import java.util.concurrent.TimeUnit;
import org.onlab.util.Tools;
import org.onosproject.cfg.ComponentConfigService;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings that an operator may change while the application runs, by {@code cfg set}. A value out
 * of its range is refused: it is logged as an error, and the previous one stays in force and is
 * restored, so that {@code cfg get} shows it.
 */
@Component(
    immediate = true,
    service = Tunables.class,
    property = {
      Tunables.AUDIT_INTERVAL + ":Integer=" + Tunables.AUDIT_INTERVAL_DEFAULT,
      Tunables.CONFIRMATION_TIMEOUT + ":Integer=" + Tunables.CONFIRMATION_TIMEOUT_DEFAULT,
      Tunables.LINK_PROBE + ":Integer=" + Tunables.LINK_PROBE_DEFAULT,
      Tunables.PLACE_DEVICES + ":Boolean=" + Tunables.PLACE_DEVICES_DEFAULT
    })
public final class Tunables {
  static final String AUDIT_INTERVAL = "auditIntervalSeconds";
  static final int AUDIT_INTERVAL_DEFAULT = 30;

  /** Drift that nobody looks for during an hour or more is not audited. */
  static final int AUDIT_INTERVAL_MAX = 3600;

  static final String CONFIRMATION_TIMEOUT = "confirmationTimeoutMillis";
  static final int CONFIRMATION_TIMEOUT_DEFAULT = 5000;

  /** Longer than a second, after which a group change is retried. */
  static final int CONFIRMATION_TIMEOUT_MIN = 1500;

  static final int CONFIRMATION_TIMEOUT_MAX = 60_000;

  static final String LINK_PROBE = "linkProbeMillis";
  static final int LINK_PROBE_DEFAULT = 1000;
  static final int LINK_PROBE_MIN = 200;
  static final int LINK_PROBE_MAX = 60_000;

  static final String PLACE_DEVICES = "placeDevices";
  static final boolean PLACE_DEVICES_DEFAULT = true;

  private static final Logger LOG = LoggerFactory.getLogger(Tunables.class);

  private final ComponentConfigService configs;

  private volatile int auditIntervalSeconds = AUDIT_INTERVAL_DEFAULT;
  private volatile int confirmationTimeoutMillis = CONFIRMATION_TIMEOUT_DEFAULT;
  private volatile int linkProbeMillis = LINK_PROBE_DEFAULT;
  private volatile boolean placesDevices = PLACE_DEVICES_DEFAULT;

  @Activate
  public Tunables(@Reference ComponentConfigService configs) {
    this.configs = configs;
  }

  @Activate
  void activate(ComponentContext context) {
    configs.registerProperties(Tunables.class);
    read(context.getProperties());
  }

  @Deactivate
  void deactivate() {
    configs.unregisterProperties(Tunables.class, false);
  }

  @Modified
  void modified(ComponentContext context) {
    read(context.getProperties());
  }

  /** The pause between two audits of all switches. */
  public long auditIntervalNanos() {
    return TimeUnit.SECONDS.toNanos(auditIntervalSeconds);
  }

  /** The timeout of a change. */
  public long confirmationTimeoutNanos() {
    return TimeUnit.MILLISECONDS.toNanos(confirmationTimeoutMillis);
  }

  /** The pause between two probes of a port. */
  public long linkProbeNanos() {
    return TimeUnit.MILLISECONDS.toNanos(linkProbeMillis);
  }

  /** Whether devices without a place in the topology view get one. */
  public boolean placesDevices() {
    return placesDevices;
  }

  void read(Dictionary<?, ?> properties) {
    Boolean places = Tools.isPropertyEnabled(properties, PLACE_DEVICES);
    placesDevices = places == null ? PLACE_DEVICES_DEFAULT : places;
    auditIntervalSeconds =
        integer(properties, AUDIT_INTERVAL, auditIntervalSeconds, 1, AUDIT_INTERVAL_MAX);
    confirmationTimeoutMillis =
        integer(
            properties,
            CONFIRMATION_TIMEOUT,
            confirmationTimeoutMillis,
            CONFIRMATION_TIMEOUT_MIN,
            CONFIRMATION_TIMEOUT_MAX);
    linkProbeMillis =
        integer(properties, LINK_PROBE, linkProbeMillis, LINK_PROBE_MIN, LINK_PROBE_MAX);
  }

  private int integer(Dictionary<?, ?> properties, String name, int present, int least, int most) {
    if (properties.get(name) == null) {
      return present;
    }
    Integer value = Tools.getIntegerProperty(properties, name);
    if (value == null || value < least || value > most) {
      LOG.error(
          "{} must be a whole number from {} to {}, not {}; {} stays",
          name,
          least,
          most,
          properties.get(name),
          present);
      configs.setProperty(Tunables.class.getName(), name, Integer.toString(present));
      return present;
    }
    if (value != present) {
      LOG.info("{} is {}", name, value);
    }
    return value;
  }
}
