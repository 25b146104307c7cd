/** Panels one of which is seen (WAI-ARIA: tabs). */

import { h } from "./dom";
import type { Panel } from "./panels/context";

export class Tabs {
  readonly element: HTMLElement;
  readonly panels: Panel[];
  private readonly buttons: HTMLButtonElement[];
  private readonly bodies: HTMLElement[];

  /**
   * @param named the panels by name, the first of which is seen
   * @param chosen called when another is seen
   */
  constructor(
    private readonly named: [string, Panel][],
    private readonly chosen: () => void,
  ) {
    this.panels = named.map(([, panel]) => panel);
    this.buttons = named.map(([name], i) =>
      h(
        "button",
        {
          attrs: { type: "button", role: "tab", id: `tab-${i}`, "aria-controls": `panel-${i}` },
          on: { click: () => this.choose(i) },
        },
        name,
      ),
    );
    this.bodies = this.panels.map((panel, i) =>
      h(
        "div",
        {
          class: "panel",
          attrs: { role: "tabpanel", id: `panel-${i}`, "aria-labelledby": `tab-${i}`, tabindex: 0 },
        },
        panel.element,
      ),
    );
    this.element = h(
      "aside",
      { attrs: { "aria-label": "Panels" } },
      h(
        "div",
        {
          class: "tabs",
          attrs: { role: "tablist", "aria-label": "Panels" },
          on: { keydown: (event) => this.key(event) },
        },
        ...this.buttons,
      ),
      ...this.bodies,
    );
    this.choose(0);
  }

  /** Shows the panel of this name. */
  open(name: string): void {
    this.choose(this.named.findIndex(([each]) => each === name));
  }

  private choose(index: number): void {
    const isOther = this.bodies[index].hidden;
    this.buttons.forEach((each, i) => {
      each.setAttribute("aria-selected", String(i === index));
      each.tabIndex = i === index ? 0 : -1;
      this.bodies[i].hidden = i !== index;
    });
    if (isOther) {
      this.chosen();
    }
  }

  private key(event: KeyboardEvent): void {
    const at = this.buttons.findIndex((each) => each.getAttribute("aria-selected") === "true");
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) {
      const next = (at + step + this.buttons.length) % this.buttons.length;
      this.choose(next);
      this.buttons[next].focus();
    }
  }
}
