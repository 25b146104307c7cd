/** Where the controller wants to know who asks. */

import { h } from "./dom";

/**
 * Asks the user for a token, until one is given.
 *
 * @param reason why, in the controller's words
 */
export function askForToken(reason: string): Promise<string> {
  const input = h("input", { attrs: { type: "password", autocomplete: "off", required: true } });
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { class: "login", on: { cancel: (event) => event.preventDefault() } },
      h(
        "form",
        {
          on: {
            submit: (event) => {
              event.preventDefault();
              dialog.remove();
              resolve(input.value.trim());
            },
          },
        },
        h("h2", {}, "Log in"),
        h("p", {}, reason),
        h("label", {}, "Token ", input),
        h("button", { attrs: { type: "submit" } }, "Log in"),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
