package org.evenweave.sdd.loop;

import java.util.List;
import java.util.Random;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.Frame;
import org.evenweave.sdd.protocol.wire.Reason;
import org.evenweave.sdd.protocol.wire.Status;

/** What a client with a key says that is no honest one: any message, with numbers that hurt. */
final class Lies {
  /** Of edges' reports: large in memory, deep, of wrong types, and none. */
  private static final List<String> DOCUMENTS =
      List.of(
          "{\"peers\":[" + "[],".repeat(2_000) + "[]]}",
          "[".repeat(1_000),
          "{\"peers\":{\"peers\":-1}}",
          "{}",
          "");

  private final List<String> names;

  /**
   * @param names of all hosts
   */
  Lies(List<String> names) {
    this.names = names;
  }

  /** The hello of a host whose address and port may be those of another. */
  Frame hostHello(String name, Random random) {
    int hosts = names.size();
    return ClientFrames.hostHello(
        name, 1, 1_000, LiarsBed.PORT + random.nextInt(hosts), 1 + random.nextInt(hosts));
  }

  /** The clock and demand of a host that wants circuits to all others, as an honest one may. */
  List<Frame> pretence(long period, long nowNs, Random random) {
    long bytes = random.nextInt(20_000_000);
    long[][] rows = new long[names.size()][];
    for (int queue = 0; queue < rows.length; queue++) {
      rows[queue] = new long[] {queue, random.nextBoolean() ? bytes : 0, bytes, 0};
    }
    return List.of(
        ClientFrames.clockStatus(nowNs, 0, 100, true),
        ClientFrames.demandReport(period, nowNs, 0, 0, 0, rows));
  }

  /**
   * A message of any kind.
   *
   * @param liar its name
   * @param generation the leader's
   */
  byte[] message(String liar, long nowNs, long generation, Random random) {
    int hosts = names.size();
    String name = random.nextInt(4) == 0 ? names.get(random.nextInt(hosts)) : liar;
    long[] numbers = {
      0,
      1,
      nowNs,
      nowNs + 500_000_000,
      nowNs + 1_500_000_000,
      Long.MAX_VALUE,
      Long.MAX_VALUE - 1,
      generation + 1,
      Long.MIN_VALUE + 1,
      1L << 62
    };
    long number = numbers[random.nextInt(numbers.length)];
    long positive = number & Long.MAX_VALUE - 1;
    int queue = random.nextInt(hosts + 2);
    switch (random.nextInt(16)) {
      case 0:
      case 1:
        return hostHello(name, random).bytes();
      case 2:
      case 3:
      case 4:
        return ClientFrames.following(positive, random.nextBoolean()).bytes();
      case 5:
        return ClientFrames.demandReport(
                positive, number, 0, 0, 0, new long[] {queue, positive, positive, positive})
            .bytes();
      case 6:
        return ClientFrames.clockStatus(number, number, positive, random.nextBoolean()).bytes();
      case 7:
        return ClientFrames.missed(positive, number, new long[] {queue, positive, positive, 9})
            .bytes();
      case 8:
        return ClientFrames.policyChanged(number, random.nextBoolean(), Reason.CLOCK_OFF).bytes();
      case 9:
        return ClientFrames.reply(random.nextInt(50), Status.BUSY, 0, 0, "no").bytes();
      case 10:
        return ClientFrames.switchHello("cs", names.toArray(new String[0])).bytes();
      case 11:
        return ClientFrames.circuitStats(number, 3, 1).bytes();
      case 12:
        return ClientFrames.triggerFired(positive, queue, number, number, positive, positive)
            .bytes();
      case 13:
        return ClientFrames.edgeHello(name).bytes();
      case 14:
        String document = DOCUMENTS.get(random.nextInt(DOCUMENTS.size()));
        return ClientFrames.edgeReport(queue, random.nextInt(hosts + 2), document).bytes();
      default:
        byte[] noise = new byte[8 + random.nextInt(60)];
        random.nextBytes(noise);
        return noise;
    }
  }
}
