/** What carries no traffic on purpose: drained switches and links, and damped links. */

import { button, fill, h, type Child } from "../dom";
import type { Context, Panel } from "./context";
import { drain, release, takeBack } from "./switch";

export class ExclusionsPanel implements Panel {
  readonly element = h("section", { attrs: { "aria-label": "Exclusions" } });
  private readonly name = h("input", {
    attrs: { placeholder: "s2-1 or s1-0/1", "aria-label": "Switch or link end", size: 16 },
  });
  private readonly lists = h("div");
  private context?: Context;

  constructor() {
    this.element.append(
      h("h2", {}, "Out of service"),
      h(
        "form",
        {
          class: "line",
          on: {
            submit: (event) => {
              event.preventDefault();
              const element = this.name.value.trim();
              if (element && this.context) {
                drain(this.context, element);
              }
            },
          },
        },
        this.name,
        h("button", { attrs: { type: "submit" } }, "Drain"),
      ),
      this.lists,
    );
  }

  show(context: Context): void {
    this.context = context;
    const { switches, links } = context.state.exclusions;
    fill(
      this.lists,
      h("h3", {}, "Drained"),
      list([...switches, ...links], "Nothing is drained.", (element) => [
        h("span", {}, element),
        button("Take back", () => takeBack(context, element), {
          attrs: { "aria-label": `Take ${element} back` },
        }),
      ]),
      h("h3", {}, "Damped"),
      list(context.state.damping.links, "No link is damped.", (damped) => [
        h("span", {}, damped.link),
        h(
          "span",
          { class: "detail" },
          `${damped.failures} failures; released in ${Math.ceil(damped.releaseInSeconds)} s if none follows`,
        ),
        button("Release", () => release(context, /^(.*\/\d+)-/.exec(damped.link)![1]), {
          attrs: { "aria-label": `Release ${damped.link}` },
        }),
      ]),
    );
  }
}

function list<T>(items: T[], none: string, row: (item: T) => Child[]): HTMLElement {
  return items.length === 0
    ? h("p", { class: "hint" }, none)
    : h("ul", { class: "items" }, ...items.map((item) => h("li", {}, ...row(item))));
}
