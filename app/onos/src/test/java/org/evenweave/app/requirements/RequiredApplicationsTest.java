package org.evenweave.app.requirements;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.evenweave.app.Logged;
import org.junit.jupiter.api.Test;
import org.onosproject.app.ApplicationAdminService;
import org.onosproject.core.Application;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;

class RequiredApplicationsTest {
  private static final ApplicationId OWN = new DefaultApplicationId(7, "org.evenweave.app");
  private static final ApplicationId OPENFLOW =
      new DefaultApplicationId(8, "org.onosproject.openflow");

  private final List<ApplicationId> activated = new ArrayList<>();
  private final Map<String, ApplicationId> installed = Map.of(OPENFLOW.name(), OPENFLOW);
  private List<String> required = List.of(OPENFLOW.name());

  private ApplicationAdminService applications() {
    Application own =
        fake(
            Application.class,
            (method, argument) -> "requiredApps".equals(method) ? required : null);
    return fake(
        ApplicationAdminService.class,
        (method, argument) -> {
          switch (method) {
            case "getApplication":
              return OWN.equals(argument) ? own : null;
            case "getId":
              return installed.get(argument);
            default:
              activated.add((ApplicationId) argument);
              return null;
          }
        });
  }

  @Test
  void whatIsRequiredIsActivatedAsAnOperatorDoes() {
    new RequiredApplications(applications()).retain(OWN);
    assertEquals(List.of(OPENFLOW), activated);
  }

  @Test
  void anApplicationThatIsBeingUninstalledRetainsNothing() {
    new RequiredApplications(applications()).retain(OPENFLOW);
    assertEquals(List.of(), activated);
  }

  @Test
  void whatIsNotInstalledIsOneWarning() {
    required = List.of("org.example.none", OPENFLOW.name());
    List<String> alarms = Logged.alarms(() -> new RequiredApplications(applications()).retain(OWN));
    assertEquals(
        List.of("WARN org.example.none is not installed, and org.evenweave.app requires it"),
        alarms);
    assertEquals(List.of(OPENFLOW), activated);
  }

  private interface Call {
    Object made(String method, Object argument);
  }

  private static <T> T fake(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                call.made(method.getName(), arguments == null ? null : arguments[0])));
  }
}
