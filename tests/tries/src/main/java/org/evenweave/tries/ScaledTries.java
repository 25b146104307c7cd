package org.evenweave.tries;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Runs a percentage of the tries that each property asks for, so that one set of properties serves
 * both {@code ./evenweave test} and {@code test all}. The environment variable {@code
 * EVENWEAVE_TRIES_PERCENT}, 1 to 1000, sets the percentage; without it each property runs as it is
 * annotated, with {@link FullTries} if it has these. jqwik finds the hook as a service.
 *
 * <p>The environment variable {@code EVENWEAVE_SEED}, a 64-bit integer, is the seed of each
 * property that has none of its own: {@code ./evenweave test} sets it, so that two runs of the same
 * code have the same result. Without it jqwik draws a seed for each run, as in {@code test all}.
 */
public final class ScaledTries implements AroundPropertyHook {
  private static final String VARIABLE = "EVENWEAVE_TRIES_PERCENT";
  private static final int PERCENT = percent(System.getenv(VARIABLE));
  private static final String SEED = System.getenv("EVENWEAVE_SEED");

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    if (PERCENT == 100 && context.findAnnotation(FullTries.class).isPresent()) {
      context.attributes().setTries(context.findAnnotation(FullTries.class).get().value());
    } else {
      context
          .attributes()
          .tries()
          .ifPresent(tries -> context.attributes().setTries(scaled(tries, PERCENT)));
    }
    if (SEED != null && context.attributes().seed().isEmpty()) {
      context.attributes().setSeed(SEED);
    }
    return property.execute();
  }

  /** At least one try, rounded up. */
  static int scaled(int tries, int percent) {
    return Math.max(1, (int) Math.min(Integer.MAX_VALUE, ((long) tries * percent + 99) / 100));
  }

  private static int percent(String text) {
    if (text == null) {
      return 100;
    }
    int percent = Integer.parseInt(text);
    if (percent < 1 || percent > 1000) {
      throw new IllegalArgumentException(VARIABLE + " is " + text + "; it must be 1 to 1000");
    }
    return percent;
  }
}
