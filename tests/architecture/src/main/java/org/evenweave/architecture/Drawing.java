package org.evenweave.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Draws docs/architecture.svg: the modules, and the packages of the engine, with an arrow wherever
 * a class of one uses a class of the other. An arrow that a longer way implies is left out, so that
 * the layers show.
 */
public final class Drawing {
  /** Below the project's root. */
  static final String FILE = "docs/architecture.svg";

  private static final String ENGINE = "app/engine";
  private static final String TOP_PACKAGE = "org.evenweave.engine";

  /** Up to 28 characters of a description, to the end of a word. */
  private static final Pattern LINE = Pattern.compile("(.{1,28})(?:\\s+|$)");

  private static final String HEADER =
      String.join(
          "\n",
          "digraph \"Evenweave\" {",
          "  graph [compound=true, ranksep=0.4, nodesep=0.25, bgcolor=transparent]",
          "  node [shape=box, style=\"rounded,filled\", fillcolor=white, margin=\"0.16,0.12\"]",
          "  edge [arrowsize=0.7]",
          "  graph [fontname=Helvetica, fontsize=13]",
          "  node [fontname=Helvetica, fontsize=13]",
          "");

  /** For light and dark; what knows no style sheets shows Graphviz's black on white. */
  private static final String STYLE =
      String.join(
          "\n",
          "<style>",
          "  svg { --line: #57606a; --text: #1f2328; --box: #ffffff; --engine: #eef4fb; }",
          "  @media (prefers-color-scheme: dark) {",
          "    svg { --line: #9198a1; --text: #f0f6fc; --box: #151b23; --engine: #1c2a3d; }",
          "  }",
          "  text { fill: var(--text); }",
          "  .node path { fill: var(--box); stroke: var(--line); }",
          "  .cluster path { fill: var(--engine); stroke: var(--line); }",
          "  .edge path { stroke: var(--line); }",
          "  .edge polygon { fill: var(--line); stroke: var(--line); }",
          "</style>",
          "");

  private final Modules compiled;
  private final Graph modules;
  private final Graph packages;

  /** Draws the dependencies of the classes, which are those of the modules. */
  Drawing(Modules compiled, JavaClasses classes) {
    this.compiled = compiled;
    Graph allModules = new Graph();
    Graph allPackages = new Graph();
    compiled.names().forEach(allModules::addNode);
    for (JavaClass origin : classes) {
      String from = compiled.moduleOf(origin);
      for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass();
        String to = compiled.moduleOf(target);
        if (to != null) {
          allModules.addArrow(from, to);
        }
        if (from.equals(ENGINE) && ENGINE.equals(to)) {
          allPackages.addArrow(idOfPackage(origin), idOfPackage(target));
        }
      }
    }
    modules = allModules.reduced();
    packages = allPackages.reduced();
  }

  /** {@code app/engine:nib}. */
  private static String idOfPackage(JavaClass javaClass) {
    String name = javaClass.getBaseComponentType().getPackageName();
    return ENGINE
        + ":"
        + (name.equals(TOP_PACKAGE) ? "engine" : name.substring(TOP_PACKAGE.length() + 1));
  }

  /** What is drawn: the nodes, by their ids, and where the arrows of each lead. */
  SortedMap<String, Set<String>> arrows() {
    SortedMap<String, Set<String>> all = new TreeMap<>(modules.arrows());
    all.putAll(packages.arrows());
    return all;
  }

  /** For Graphviz. */
  private String dot() {
    StringBuilder dot = new StringBuilder(HEADER);
    dot.append("  subgraph cluster_engine {\n");
    dot.append("    id=\"" + ENGINE + "\"; style=\"rounded,filled\"; fillcolor=white; margin=14\n");
    dot.append("    label=<" + label(ENGINE, "<br/>" + compiled.description(ENGINE)) + ">\n");
    for (String id : packages.arrows().keySet()) {
      dot.append(node(id, id.substring(ENGINE.length() + 1)));
    }
    dot.append("  }\n");
    for (String name : modules.arrows().keySet()) {
      if (!name.equals(ENGINE)) {
        dot.append(node(name, moduleLabel(name)));
      }
    }
    arrows().forEach((from, targets) -> targets.forEach(to -> dot.append(arrow(from, to))));
    return dot.append("}\n").toString();
  }

  private static String node(String id, String label) {
    return "  \"" + id + "\" [id=\"" + id + "\", label=<" + label + ">]\n";
  }

  /** The name, and below it what the module's pom says it is. */
  private String moduleLabel(String module) {
    return label(module, LINE.matcher(compiled.description(module)).replaceAll("<br/>$1"));
  }

  private static String label(String module, String lines) {
    return "<b>" + module + "</b><font point-size=\"11\">" + lines + "</font>";
  }

  /** Arrows of the engine's module end at the border around its packages. */
  private String arrow(String from, String to) {
    String id = "id=\"" + from + " -> " + to + "\"";
    if (from.equals(ENGINE)) {
      return line(packages.lowest(), to, id + ", ltail=cluster_engine, minlen=2");
    }
    if (to.equals(ENGINE)) {
      return line(from, packages.highest(), id + ", lhead=cluster_engine, minlen=2");
    }
    return line(from, to, id);
  }

  private static String line(String from, String to, String attributes) {
    return "  \"" + from + "\" -> \"" + to + "\" [" + attributes + "]\n";
  }

  private static String svg(String dot) throws IOException, InterruptedException {
    Process graphviz =
        new ProcessBuilder("dot", "-Tsvg").redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (OutputStream input = graphviz.getOutputStream()) {
      input.write(dot.getBytes(StandardCharsets.UTF_8));
    }
    String svg = new String(graphviz.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (graphviz.waitFor() != 0) {
      throw new IOException("dot ended with status " + graphviz.exitValue());
    }
    return svg;
  }

  /**
   * @param arguments the project's root
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path root = Path.of(arguments[0]);
    Modules modules = Modules.of(root);
    String svg = svg(new Drawing(modules, modules.classes()).dot());
    int inside = svg.indexOf(">\n", svg.indexOf("<svg")) + 2;
    Files.writeString(root.resolve(FILE), svg.substring(0, inside) + STYLE + svg.substring(inside));
  }
}
