/** Elements without a framework: what is given as text is text, never markup. */

export type Child = Node | string | number | null | undefined | false;

type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

interface Options {
  /** Classes, as in HTML. */
  class?: string;
  /** Attributes; one that is undefined or false is left out, true is an empty one. */
  attrs?: Record<string, string | number | boolean | undefined>;
  on?: Handlers;
}

/** An HTML element with children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: Options = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (options.class) {
    element.className = options.class;
  }
  for (const [name, value] of Object.entries(options.attrs ?? {})) {
    if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const [name, handler] of Object.entries(options.on ?? {})) {
    element.addEventListener(name, handler as EventListener);
  }
  append(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children. */
export function svg(
  tag: string,
  attrs: Record<string, string | number> = {},
  ...children: (Node | string)[]
): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attrs)) {
    element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(typeof child === "number" ? String(child) : child);
    }
  }
}

/** Replaces what an element holds. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** A button that runs an action. */
export function button(text: string, action: () => void, options: Options = {}): HTMLButtonElement {
  return h(
    "button",
    { ...options, attrs: { type: "button", ...options.attrs }, on: { click: action } },
    text,
  );
}

/** A table; long texts are wrapped, names are not. */
export function table(
  caption: string,
  head: string[],
  rows: Child[][],
  options: { onRow?: (index: number) => void } = {},
): HTMLElement {
  const body = h("tbody");
  rows.forEach((row, index) => {
    const act = options.onRow;
    const cells = row.map((cell) =>
      h("td", { class: typeof cell === "string" && cell.length > 28 ? "text" : "" }, cell),
    );
    body.append(
      h(
        "tr",
        act
          ? {
              class: "clickable",
              attrs: { tabindex: 0 },
              on: {
                click: () => act(index),
                keydown: (event) => event.key === "Enter" && act(index),
              },
            }
          : {},
        ...cells,
      ),
    );
  });
  return h(
    "div",
    { class: "table", attrs: { tabindex: 0, role: "region", "aria-label": caption } },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h(
        "thead",
        {},
        h("tr", {}, ...head.map((text) => h("th", { attrs: { scope: "col" } }, text))),
      ),
      body,
    ),
  );
}
