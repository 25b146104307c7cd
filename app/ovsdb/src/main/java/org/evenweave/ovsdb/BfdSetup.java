package org.evenweave.ovsdb;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configures BFD on both ends of every configured link, and removes it from ports where a
 * controller had configured it. BFD configured by others stays unchanged.
 *
 * <p>A thread of its own compares and changes, since databases may not answer; forwarding never
 * waits for it. A port is dead until its session is up, so links are started one after another,
 * each when the one before is in use again.
 *
 * <p>All that the next controller needs is in the databases: what it finds as configured it leaves
 * as it is, so no session ends when another instance of a cluster takes over.
 */
public final class BfdSetup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BfdSetup.class);
  private static final long PAUSE_MILLIS = 2000;
  private static final long POLL_MILLIS = 100;

  /** Sessions begin at a packet a second, and take two or three of them. */
  private static final int MOST_POLLS = 100;

  /** How long a link whose session is up may take to carry traffic, unless it has another fault. */
  private static final int MOST_POLLS_TO_TRAFFIC = 20;

  private final Supplier<EngineConfig> config;
  private final BiPredicate<SwitchPort, SwitchPort> carriesTraffic;
  private static final String NOT_SECURE =
      "fail_mode is not secure: without a controller it forwards as a bridge, in loops";

  private final Consumer<List<String>> report;
  private final BooleanSupplier mayChange;
  private final Set<String> used;
  private final OvsdbTls tls;
  private final Thread thread = new Thread(this::run, "bfd-setup");
  private List<String> reported = List.of();

  /**
   * @param config the configuration now
   * @param carriesTraffic whether the link between two ports does
   * @param report gets why BFD is not as configured, a sentence for each reason, whenever that
   *     changes
   * @param mayChange asked before each change: whether no other controller has taken over
   * @param used the servers where something is set up, though the configuration may name them no
   *     more; empty, or that of the setup before, which must be closed
   * @param tls opens the connections to servers
   */
  BfdSetup(
      Supplier<EngineConfig> config,
      BiPredicate<SwitchPort, SwitchPort> carriesTraffic,
      Consumer<List<String>> report,
      BooleanSupplier mayChange,
      Set<String> used,
      OvsdbTls tls) {
    this.tls = tls;
    this.config = config;
    this.carriesTraffic = carriesTraffic;
    this.report = report;
    this.mayChange = mayChange;
    this.used = used;
    thread.setDaemon(true);
  }

  /**
   * Sets up what an engine's configuration asks for, and has the engine say what is missing.
   *
   * @param mayChange asked before each change: whether no other controller has taken over
   * @param used the servers where something is set up, though the configuration may name them no
   *     more; empty, or that of the setup before, which must be closed
   * @param tls opens the connections to servers
   */
  public static BfdSetup of(
      Engine engine, BooleanSupplier mayChange, Set<String> used, OvsdbTls tls) {
    return new BfdSetup(
        engine::configuration,
        (a, b) -> isUp(engine.view().snapshot().physical(), a, b),
        reasons -> engine.report("bfd", reasons),
        mayChange,
        used,
        tls);
  }

  /** Whether a link between two ports is there and up. */
  private static boolean isUp(Fabric fabric, SwitchPort a, SwitchPort b) {
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      if (fabric.end(arc).equals(a) && fabric.end(arc ^ 1).equals(b) && fabric.isUp(arc >> 1)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Ends BFD, all at once, wherever a controller has set it up.
   *
   * @param tls opens the connections to servers
   * @return why that failed, by server
   */
  public static Map<String, String> remove(Collection<String> servers, OvsdbTls tls) {
    Map<String, String> problems = new TreeMap<>();
    for (String server : servers) {
      try (BfdDatabase database = new BfdDatabase(server, tls)) {
        List<String> ours = new ArrayList<>();
        database.read().stream().filter(is -> is.ours).forEach(is -> ours.add(is.uuid));
        database.stop(ours);
      } catch (IOException | RuntimeException e) {
        problems.put(server, reason(e));
      }
    }
    return problems;
  }

  public void start() {
    thread.start();
  }

  /** Ends the thread; BFD stays as it is, and is not changed from here on. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      // It may be waiting for one answer.
      thread.join(2L * tls.timeoutMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        passOrTell();
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As {@link #pass}; a fault of its own is a reason too, and the next pass is a new try. */
  void passOrTell() throws InterruptedException {
    try {
      pass();
    } catch (RuntimeException e) {
      LOG.error("BFD cannot be compared with the configuration", e);
      tell(List.of("BFD cannot be compared with the configuration: " + reason(e)));
    }
  }

  /** Compares once with what is configured, and changes what is not. */
  void pass() throws InterruptedException {
    EngineConfig now = config.get();
    Set<String> servers = new LinkedHashSet<>(now.bfd().ovsdb());
    servers.addAll(used);
    List<String> reasons = new ArrayList<>();
    try (Databases databases = new Databases(servers, reasons, tls)) {
      Map<SwitchPort, Found> found = databases.read(now);
      noteUsed(databases, found);
      databases.standalone.forEach(id -> reasons.add(id + ": " + NOT_SECURE));
      List<SwitchPort[]> links = now.bfd().enabled() ? linksOf(now.intended()) : List.of();
      stopOthers(databases, found, now.intended(), links);
      for (SwitchPort[] ends : links) {
        if (!config.get().bfd().equals(now.bfd())) {
          return;
        }
        startLink(databases, found, ends, now, reasons);
      }
    }
    tell(reasons);
  }

  private void noteUsed(Databases databases, Map<SwitchPort, Found> found) {
    used.removeIf(databases::answers);
    found.values().stream().filter(port -> port.is.ours).forEach(port -> used.add(port.server));
  }

  private void tell(List<String> reasons) {
    if (!reasons.equals(reported)) {
      reasons.forEach(LOG::warn);
      reported = reasons;
      report.accept(reasons);
    }
  }

  private static List<SwitchPort[]> linksOf(Fabric fabric) {
    List<SwitchPort[]> links = new ArrayList<>();
    for (int link = 0; link < fabric.linkCount(); link++) {
      links.add(new SwitchPort[] {fabric.end(2 * link), fabric.end(2 * link + 1)});
    }
    return links;
  }

  /**
   * Ends BFD on ports that are not to run it: where they are the ends of a link that stays, one
   * link after another, since the end that loses it last takes the link for dead for a moment.
   */
  private void stopOthers(
      Databases databases, Map<SwitchPort, Found> found, Fabric intended, List<SwitchPort[]> wanted)
      throws InterruptedException {
    Map<SwitchPort, Found> others = new LinkedHashMap<>(found);
    others.values().removeIf(port -> !port.is.ours);
    for (SwitchPort[] ends : wanted) {
      others.remove(ends[0]);
      others.remove(ends[1]);
    }
    for (SwitchPort[] ends : linksOf(intended)) {
      boolean stopped = false;
      for (SwitchPort end : ends) {
        stopped |= others.containsKey(end) && stop(databases, others.remove(end));
      }
      if (stopped) {
        awaitTraffic(ends);
      }
    }
    for (Found port : others.values()) {
      stop(databases, port);
    }
  }

  private boolean stop(Databases databases, Found port) throws InterruptedException {
    return change(databases, port, database -> database.stop(List.of(port.is.uuid)));
  }

  /** Returns whether it is done: not if another controller has taken over or the server fails. */
  private boolean change(Databases databases, Found port, Change change)
      throws InterruptedException {
    boolean may = mayChange.getAsBoolean();
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return may && databases.change(port.server, change);
  }

  private void startLink(
      Databases databases,
      Map<SwitchPort, Found> found,
      SwitchPort[] ends,
      EngineConfig now,
      List<String> reasons)
      throws InterruptedException {
    int intervalMs = now.bfd().intervalMs();
    boolean changed = false;
    for (SwitchPort end : ends) {
      Found is = found.get(end);
      if (is == null) {
        if (databases.allAnswer()) {
          reasons.add(end + ": no BFD, no server of bfd.ovsdb has this port");
        }
        return;
      }
    }
    for (SwitchPort end : ends) {
      Found is = found.get(end);
      if (!is.is.runsAt(intervalMs)) {
        changed = true;
        used.add(is.server);
        if (!change(databases, is, d -> d.start(List.of(is.is.uuid), intervalMs))) {
          return;
        }
      }
    }
    if (changed && !awaitSession(databases, ends, now)) {
      reasons.add("link " + ends[0] + "-" + ends[1] + ": its BFD session does not come up");
    }
  }

  /** Waits for the session, and then until the link is back in use: one is missing at a time. */
  private boolean awaitSession(Databases databases, SwitchPort[] ends, EngineConfig now)
      throws InterruptedException {
    for (int poll = 0; poll < MOST_POLLS; poll++) {
      Thread.sleep(POLL_MILLIS);
      Map<SwitchPort, Found> found = databases.read(now);
      if (isUp(found.get(ends[0])) && isUp(found.get(ends[1]))) {
        awaitTraffic(ends);
        return true;
      }
    }
    return false;
  }

  private void awaitTraffic(SwitchPort[] ends) throws InterruptedException {
    int left = MOST_POLLS_TO_TRAFFIC;
    do {
      Thread.sleep(POLL_MILLIS);
    } while (!carriesTraffic.test(ends[0], ends[1]) && --left > 0);
  }

  private static boolean isUp(Found found) {
    return found != null && found.is.up;
  }

  private static String reason(Exception e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  /** An interface and the server that has it. */
  private static final class Found {
    final String server;
    final BfdInterface is;

    Found(String server, BfdInterface is) {
      this.server = server;
      this.is = is;
    }
  }

  /** What is done to a database. */
  private interface Change {
    void make(BfdDatabase database) throws IOException;
  }

  /** The servers that answer. One that fails is not asked again in this pass. */
  private static final class Databases implements AutoCloseable {
    private final Map<String, BfdDatabase> open = new LinkedHashMap<>();
    private final Set<String> standalone = new TreeSet<>();
    private final List<String> reasons;
    private final int all;

    Databases(Set<String> servers, List<String> reasons, OvsdbTls tls) {
      this.reasons = reasons;
      all = servers.size();
      for (String server : servers) {
        try {
          open.put(server, new BfdDatabase(server, tls));
        } catch (IOException | RuntimeException e) {
          failed(server, e);
        }
      }
    }

    boolean answers(String server) {
      return open.containsKey(server);
    }

    boolean allAnswer() {
      return open.size() == all;
    }

    Map<SwitchPort, Found> read(EngineConfig names) {
      Map<SwitchPort, Found> found = new HashMap<>();
      for (String server : List.copyOf(open.keySet())) {
        change(
            server,
            database -> {
              for (BfdInterface is : database.read()) {
                SwitchPort port = new SwitchPort(names.switchIdOf(is.datapathId), is.port);
                found.put(port, new Found(server, is));
              }
              for (long datapathId : database.standalone()) {
                if (names.switchIdOfDatapath().containsKey(datapathId)) {
                  standalone.add(names.switchIdOf(datapathId));
                }
              }
            });
      }
      return found;
    }

    /** Returns whether it is done; else the server has failed. */
    boolean change(String server, Change change) {
      BfdDatabase database = open.get(server);
      if (database == null) {
        return false;
      }
      try {
        change.make(database);
        return true;
      } catch (IOException | RuntimeException e) {
        open.remove(server);
        close(database);
        failed(server, e);
        return false;
      }
    }

    private void failed(String server, Exception e) {
      reasons.add("BFD cannot be set up in " + server + ": " + reason(e));
    }

    private static void close(BfdDatabase database) {
      try {
        database.close();
      } catch (IOException e) {
        LOG.debug("close", e);
      }
    }

    @Override
    public void close() {
      open.values().forEach(Databases::close);
    }
  }
}
