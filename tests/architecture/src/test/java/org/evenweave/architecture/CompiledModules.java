package org.evenweave.architecture;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.LocationProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/** Where ArchUnit finds the classes of every module. Tests run in their module's folder. */
public final class CompiledModules implements LocationProvider {
  static final Path ROOT = Path.of("../..");

  static Modules read() {
    try {
      return Modules.of(ROOT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Set<Location> get(Class<?> testClass) {
    return read().folders().stream().map(Location::of).collect(Collectors.toSet());
  }
}
