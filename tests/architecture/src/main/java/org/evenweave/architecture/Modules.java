package org.evenweave.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The Java modules of the project, as the root pom lists them; without those of {@code tests/},
 * which no other uses in its code.
 */
final class Modules {
  /** The module of this class, which looks at the others. */
  private static final String OWN = "tests/architecture";

  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
  private static final Pattern DESCRIPTION = Pattern.compile("<description>(.*?)</description>");

  private final Path root;
  private final List<String> names = new ArrayList<>();
  private final Map<String, String> descriptions = new HashMap<>();
  private final Map<String, String> moduleOfFolder = new HashMap<>();

  private Modules(Path root) throws IOException {
    this.root = root;
    Matcher listed = MODULE.matcher(Files.readString(root.resolve("pom.xml")));
    while (listed.find()) {
      if (!listed.group(1).startsWith("tests/") && hasSources(root.resolve(listed.group(1)))) {
        names.add(listed.group(1));
      }
    }
    for (String name : names) {
      Matcher described =
          DESCRIPTION.matcher(Files.readString(root.resolve(name).resolve("pom.xml")));
      descriptions.put(name, described.find() ? described.group(1) : "");
      moduleOfFolder.put(uri(classesOf(name)), name);
    }
  }

  /**
   * Reads the poms of all modules, which must be compiled.
   *
   * @param root the folder of the root pom
   */
  static Modules of(Path root) throws IOException {
    return new Modules(root);
  }

  /** One without only packs what others have. */
  private static boolean hasSources(Path module) {
    return Files.isDirectory(module.resolve("src/main"));
  }

  private Path classesOf(String module) {
    Path folder = root.resolve(module).resolve("target/classes");
    if (!Files.isDirectory(folder)) {
      throw new IllegalStateException(
          folder + " is missing: the pom of " + OWN + " must depend on every module");
    }
    return folder;
  }

  /** The folder of each module, in the order of the root pom: {@code app/engine}. */
  List<String> names() {
    return List.copyOf(names);
  }

  /** What a module's pom says it is, in XML. */
  String description(String module) {
    return descriptions.get(module);
  }

  /** Where the compiled classes of each module are, without tests; in the same order. */
  List<Path> folders() {
    return names.stream().map(this::classesOf).collect(Collectors.toList());
  }

  /** Reads the class files of all modules, without tests; takes seconds. */
  JavaClasses classes() {
    return new ClassFileImporter().importPaths(folders());
  }

  /** The module whose class it is; null for one of a library, or of tests. */
  String moduleOf(JavaClass javaClass) {
    JavaClass whole = javaClass.getBaseComponentType();
    return whole
        .getSource()
        .map(source -> moduleOfFolder.get(folderOf(source, whole)))
        .orElse(null);
  }

  /** The folder that holds the top package of a class. */
  private static String folderOf(Source source, JavaClass javaClass) {
    String file = source.getUri().toString();
    String path = javaClass.getName().replace('.', '/') + ".class";
    return file.endsWith(path) ? file.substring(0, file.length() - path.length()) : "";
  }

  private static String uri(Path folder) {
    return folder.toAbsolutePath().normalize().toUri().toString();
  }
}
