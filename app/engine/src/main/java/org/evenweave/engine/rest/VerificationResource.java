package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.ServiceUnavailableException;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.audit.ReadBack;
import org.evenweave.engine.audit.Verification;
import org.evenweave.engine.interference.ForeignFinding;
import org.evenweave.engine.links.CarriageFault;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.status.EngineView;
import org.evenweave.wcmp.verification.Violation;

/** Reads all switches back and verifies their tables. */
@Path("verification")
@Produces(MediaType.APPLICATION_JSON)
public final class VerificationResource {
  private static final long TIMEOUT_SECONDS = 60;

  private final Engine engine;

  public VerificationResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code {"ok":true,"state":"converged","reasons":[],"converged":true,"confirmed":true,
   * "switches":6,"violations":[],"differences":[], "unread":[],
   * "foreign":{"rules":[],"groups":[]}}}. Changes that are in progress are waited for, and a switch
   * that is changed while it is read is read again. Violations are loops, black holes, unreachable
   * pairs, shares off by more than wanted, full tables ({@code kind}, {@code switch}, {@code
   * destination}, {@code detail}); differences are groups and flows that are not as wanted ({@code
   * switch}, {@code wanted}, {@code found}, one of them missing where there is none). A rule of
   * others that harms traffic is a violation {@code foreign-rule}, and all of others' rules and
   * groups are in {@code foreign}. A link that loses or delays the packets it carries is a
   * violation {@code lossy-link}, {@code slow-link} or {@code mtu-too-small}, and a port with hosts
   * that may not forward or receive is {@code port-blocked}. 503 if the switches take too long.
   */
  @GET
  public String verify() {
    return result(engine.verify());
  }

  /**
   * Answers as {@link #verify} does, and has switches with differences repaired, as if an audit had
   * found them.
   */
  @POST
  public String repair() {
    return result(engine.verifyAndRepair());
  }

  private static String result(CompletableFuture<Verification> done) {
    try {
      return answer(done.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServiceUnavailableException("interrupted");
    } catch (ExecutionException | TimeoutException e) {
      done.cancel(false);
      throw new ServiceUnavailableException("the switches could not be read in time");
    }
  }

  private static String answer(Verification verification) {
    EngineView view = verification.view();
    ReadBack read = verification.read();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode violations = JsonNodeFactory.instance.arrayNode();
    ArrayNode differences = JsonNodeFactory.instance.arrayNode();
    ArrayNode unread = JsonNodeFactory.instance.arrayNode();
    if (view.desired() != null) {
      for (Violation violation : read.violations(view.desired(), view.installed())) {
        violations
            .addObject()
            .put("kind", violation.kind().text())
            .put("switch", violation.switchId())
            .put("destination", violation.destination())
            .put("detail", violation.detail());
      }
      view.desired()
          .tables()
          .forEach(
              (id, wanted) -> {
                SwitchTables found = read.tables().get(id);
                if (found != null) {
                  addDifferences(differences, id, wanted.groups(), found.groups());
                  addDifferences(differences, id, wanted.flows(), found.flows());
                }
              });
    }
    for (ForeignFinding finding : verification.foreign().harmful()) {
      violations
          .addObject()
          .put("kind", "foreign-rule")
          .put("switch", finding.switchId())
          .put("destination", String.join("; ", finding.traffic()))
          .put("detail", finding.toString());
    }
    for (CarriageFault fault : verification.carriage()) {
      violations
          .addObject()
          .put("kind", fault.kind().text())
          .put("switch", fault.port().switchId())
          .put("destination", fault.subject())
          .put("detail", fault.toString());
    }
    read.failures().forEach((id, why) -> unread.addObject().put("switch", id).put("problem", why));
    boolean ok =
        view.desired() != null && violations.isEmpty() && differences.isEmpty() && unread.isEmpty();
    root.put("ok", ok);
    StatusResource.addState(root, view.status());
    root.put("switches", read.tables().size());
    root.set("violations", violations);
    root.set("differences", differences);
    root.set("unread", unread);
    root.set("foreign", ForeignJson.of(verification.foreign()));
    return root.toString();
  }

  private static <K extends Comparable<K>, V> void addDifferences(
      ArrayNode differences, String switchId, Map<K, V> wanted, Map<K, V> found) {
    Set<K> keys = new TreeSet<>(wanted.keySet());
    keys.addAll(found.keySet());
    for (K key : keys) {
      V want = wanted.get(key);
      V have = found.get(key);
      if (want == null || !want.equals(have)) {
        ObjectNode node = differences.addObject().put("switch", switchId);
        if (want != null) {
          node.put("wanted", want.toString());
        }
        if (have != null) {
          node.put("found", have.toString());
        }
      }
    }
  }
}
