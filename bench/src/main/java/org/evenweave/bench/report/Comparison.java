package org.evenweave.bench.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The results of several algorithms for the same groups: one case of a benchmark. */
public final class Comparison {
  /** The algorithm that the others are compared with. */
  public static final String OURS = "evenweave";

  private final ObjectNode parameters = JsonNodeFactory.instance.objectNode();
  private final Map<String, Outcome> outcomes = new LinkedHashMap<>();

  /**
   * @param parameters what all algorithms were given, by field name
   */
  public Comparison(Map<String, ?> parameters) {
    parameters.forEach(this.parameters::putPOJO);
  }

  public void add(String algorithm, Outcome outcome) {
    outcomes.put(algorithm, outcome);
  }

  /** The parameters, then an object for each figure with a field for each algorithm. */
  public ObjectNode toJson() {
    ObjectNode json = parameters.deepCopy();
    figures()
        .forEach(
            (figure, of) ->
                outcomes.forEach(
                    (algorithm, outcome) ->
                        json.with(figure).put(algorithm, of.applyAsDouble(outcome))));
    return json;
  }

  private Map<String, ToDoubleFunction<Outcome>> figures() {
    Map<String, ToDoubleFunction<Outcome>> figures = new LinkedHashMap<>();
    figures.put("medianNs", Outcome::medianNs);
    figures.put("timesOurs", this::timesOurs);
    figures.put("meanEntries", Outcome::meanEntries);
    figures.put("maxOversubscription", Outcome::maxOversubscription);
    figures.put("meanOversubscription", Outcome::meanOversubscription);
    if (parameters.has("entries")) {
      figures.put("meanL1", Outcome::meanL1);
      figures.put("meanUtilisation", Outcome::meanUtilisation);
      figures.put("worseTables", outcome -> outcome.worseTables(outcomes.get(OURS)));
      figures.put("worstRatio", outcome -> outcome.worstRatio(outcomes.get(OURS)));
      figures.put("overfullTables", Outcome::overfullTables);
    }
    return figures;
  }

  private double timesOurs(Outcome outcome) {
    return outcome.medianNs() / outcomes.get(OURS).medianNs();
  }

  /** The same as a table for people. */
  public String toText() {
    StringBuilder text = new StringBuilder(parameters.toString()).append('\n');
    text.append(String.format(Locale.ROOT, "%-20s", ""));
    outcomes
        .keySet()
        .forEach(algorithm -> text.append(String.format(Locale.ROOT, "%21s", algorithm)));
    figures()
        .forEach(
            (figure, of) -> {
              text.append(String.format(Locale.ROOT, "%n%-20s", figure));
              outcomes.values().forEach(o -> text.append(number(of.applyAsDouble(o))));
            });
    return text.append('\n').toString();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 && value % 1 != 0 ? "%21.4f" : "%21.1f", value);
  }
}
