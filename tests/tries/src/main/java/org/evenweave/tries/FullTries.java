package org.evenweave.tries;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The tries of a property where {@link ScaledTries} is set to no percentage, as in {@code test
 * all}: for one that is worth more there than ten times the tries of {@code ./evenweave test}. With
 * a percentage its {@code tries} count.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface FullTries {
  int value();
}
