package org.evenweave.app.requirements;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.app.ApplicationAdminService;
import org.onosproject.cluster.ClusterServiceAdapter;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreServiceAdapter;
import org.onosproject.core.DefaultApplicationId;
import org.osgi.framework.BundleContext;

/** With a framework in which no service ever comes. */
class OpenFlowRequirementTest {
  private final List<String> deactivated = new ArrayList<>();
  private int nodes = 1;

  private final OpenFlowRequirement requirement =
      new OpenFlowRequirement(
          new CoreServiceAdapter() {
            @Override
            public ApplicationId getAppId(String name) {
              return new DefaultApplicationId(7, name);
            }
          },
          fake(
              ApplicationAdminService.class,
              (method, argument) -> deactivated.add(method + " " + argument)),
          new ClusterServiceAdapter() {
            @Override
            public Set<ControllerNode> getNodes() {
              return IntStream.range(0, nodes)
                  .mapToObj(i -> new DefaultControllerNode(NodeId.nodeId("n" + i), "10.0.0." + i))
                  .collect(Collectors.toSet());
            }
          });

  @AfterEach
  void end() {
    requirement.deactivate();
  }

  @Test
  void aLoneOnosWithoutOpenFlowDeactivatesTheApplication() {
    requirement.activate(fake(BundleContext.class, (method, argument) -> null));
    assertEquals(List.of(), deactivated);
    requirement.deactivateUnlessMet();
    assertEquals(
        List.of("deactivate " + new DefaultApplicationId(7, "org.evenweave.app")), deactivated);
  }

  @Test
  void oneOfAClusterLeavesItToTheOthers() {
    nodes = 3;
    requirement.activate(fake(BundleContext.class, (method, argument) -> null));
    requirement.deactivateUnlessMet();
    assertEquals(List.of(), deactivated);
  }

  private interface Call {
    Object made(String method, Object argument);
  }

  private static <T> T fake(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object made = call.made(method.getName(), arguments == null ? null : arguments[0]);
              return method.getReturnType().isInstance(made) ? made : null;
            }));
  }
}
