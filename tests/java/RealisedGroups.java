import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.evenweave.wcmp.realisation.Realisation;
import org.evenweave.wcmp.realisation.SwitchTarget;

/**
 * Says what the model of Open vSwitch makes of groups, for tests that ask a live switch the same.
 *
 * <p>Run as {@code java -cp evenweave.jar RealisedGroups.java}. Each line in has the bucket weights
 * of a group, such as {@code 1 1 2 2}; each line out {@code slots} and the bucket of each slot, or
 * {@code shares} and the share of each bucket as a fraction.
 */
final class RealisedGroups {
  private RealisedGroups() {}

  public static void main(String[] arguments) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      int[] weights = Arrays.stream(line.split(" ")).mapToInt(Integer::parseInt).toArray();
      int[] buckets = IntStream.range(0, weights.length).toArray();
      Realisation realised = SwitchTarget.OVS_WEIGHTED_BUCKETS.realise(buckets, weights);
      StringJoiner answer = new StringJoiner(" ");
      if (realised.slots() != null) {
        answer.add("slots");
        Arrays.stream(realised.slots().owners()).forEach(owner -> answer.add("" + owner));
      } else {
        answer.add("shares");
        Arrays.stream(buckets).forEach(bucket -> answer.add(realised.share(bucket).toString()));
      }
      System.out.println(answer);
    }
  }
}
