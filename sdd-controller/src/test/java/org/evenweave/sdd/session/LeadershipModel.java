package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Controllers and clients as the protocol has them, in virtual time and in any order of events: a
 * client has a connection to each controller, follows the highest generation that welcomes it, and
 * tells the others.
 */
final class LeadershipModel {
  private static final long STEP_NS = 50_000_000;

  private final Random random;
  private final int clientCount;
  private final List<Controller> controllers = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();
  private final Set<Long> generations = new HashSet<>();
  private long nowNs = 1_000_000;

  LeadershipModel(Random random, int controllerCount, int clientCount) {
    this.random = random;
    this.clientCount = clientCount;
    for (int c = 0; c < controllerCount; c++) {
      controllers.add(new Controller());
    }
    for (int c = 0; c < clientCount; c++) {
      clients.add(new Client());
    }
    controllers.get(0).leadership.lead();
  }

  private final class Controller implements Leadership.Listener {
    final Leadership leadership = new Leadership(() -> ++nowNs, clientCount, this);

    /** It hears and says nothing; the others do not know. */
    boolean isAway;

    @Override
    public void leads(long generation) {
      assertTrue(generations.add(generation), "a generation leads twice");
    }

    @Override
    public void standsBy() {
      clients.forEach(client -> client.ended(this));
    }
  }

  private final class Client {
    final String name = "h" + clients.size();
    final List<Connection> connections = new ArrayList<>();
    Connection followed;
    long highest;

    Client() {
      controllers.forEach(controller -> connections.add(new Connection(this, controller)));
    }

    boolean hears() {
      return followed != null && !followed.controller.isAway;
    }

    void ended(Controller controller) {
      for (Connection connection : connections) {
        if (connection.controller == controller) {
          connection.end();
        }
      }
    }
  }

  private static final class Connection implements Leadership.Member {
    final Client client;
    final Controller controller;
    boolean isUp;
    boolean waits;
    long offered;

    Connection(Client client, Controller controller) {
      this.client = client;
      this.controller = controller;
    }

    void end() {
      isUp = false;
      waits = false;
      offered = 0;
      if (client.followed == this) {
        client.followed = null;
      }
      controller.leadership.left(this);
    }

    @Override
    public String name() {
      return client.name;
    }

    @Override
    public boolean isCircuitSwitch() {
      return false;
    }

    @Override
    public void replaced() {
      end();
    }

    @Override
    public void leads() {
      waits = false;
      offered = controller.leadership.generation();
    }

    /** The next thing that happens on it. */
    void advance() {
      if (controller.isAway) {
        return;
      }
      if (!isUp) {
        isUp = true;
        waits = !controller.leadership.enter(this);
        offered = waits ? 0 : controller.leadership.generation();
      } else if (waits) {
        controller.leadership.reported(this, 0, client.highest, client.hears());
      } else if (offered >= client.highest && offered > 0) {
        assertTrue(offered >= client.highest);
        client.highest = offered;
        if (client.followed != null && client.followed != this) {
          client.followed.end();
        }
        client.followed = this;
        offered = 0;
      } else if (client.followed != this) {
        // It declines its welcome, and waits.
        long declined = offered;
        offered = 0;
        waits = true;
        controller.leadership.reported(this, declined, client.highest, client.hears());
      }
    }
  }

  /** What is so now, for whoever looks for a fault. */
  private String text() {
    StringBuilder text = new StringBuilder("now " + nowNs);
    controllers.forEach(each -> text.append("\ngeneration ").append(each.leadership.generation()));
    for (Client client : clients) {
      text.append("\n").append(client.name).append(" at ").append(client.highest);
      for (Connection each : client.connections) {
        text.append(each == client.followed ? " followed" : "")
            .append(each.isUp ? " up" : " down")
            .append(each.waits ? " waits" : "")
            .append(" offered ")
            .append(each.offered);
      }
    }
    return text.toString();
  }

  /** Something happens somewhere. */
  void step() {
    nowNs += random.nextInt(10) == 0 ? Leadership.PATIENCE_NS : STEP_NS;
    Client client = clients.get(random.nextInt(clients.size()));
    Connection connection = client.connections.get(random.nextInt(client.connections.size()));
    switch (random.nextInt(12)) {
      case 0:
        connection.controller.isAway = !connection.controller.isAway;
        break;
      case 1:
        if (connection.isUp) {
          connection.end();
        }
        break;
      default:
        connection.advance();
    }
  }

  /** Everybody is there, and everything that is due happens. */
  void settle() {
    controllers.forEach(controller -> controller.isAway = false);
    // Clients connect anew after half a second at most.
    for (int round = 0; round < 80; round++) {
      nowNs += Leadership.PATIENCE_NS / 4;
      for (Client client : clients) {
        client.connections.forEach(Connection::advance);
      }
    }
    assertEquals(1, controllers.stream().filter(c -> c.leadership.leads()).count(), "leaders");
    for (Client client : clients) {
      assertTrue(
          client.followed != null && client.followed.controller.leadership.leads(), this::text);
      // It may lead as a later one by now for the sake of others.
      assertTrue(client.followed.controller.leadership.generation() >= client.highest);
    }
  }
}
