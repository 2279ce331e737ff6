// Changing keys in the help dialog: each line of the key list gets a button on demand. It imports nothing of
// keyboard.js, which imports it: file names with hashes allow no circular imports.

import { translate } from "../shared/translate.js";

const RESERVED = [
  "Tab",
  "Escape",
  " ",
  "Shift",
  "Control",
  "Alt",
  "AltGraph",
  "Meta",
  "CapsLock",
  "Dead",
  "Process",
  "Unidentified",
];

/**
 * @typedef {object} KeyFunctions
 * @property {(press: KeyboardEvent) => string[]} keyNames
 * @property {(key: string) => string} keyLabel
 * @property {(button: HTMLElement) => string} actionName
 */

export class KeySettings {
  /**
   * @param {Keyboard} keyboard
   * @param {KeyFunctions} functions of keyboard.js
   */
  constructor(keyboard, functions) {
    this.keyboard = keyboard;
    this.functions = functions;
    this.dialog = document.getElementById("help");
    this.list = this.dialog.querySelector("[data-key-list]");
    this.status = this.dialog.querySelector("[data-key-status]");
    /** @type {HTMLButtonElement | null} The button of the line whose key is awaited. */
    this.listening = null;
    this.dialog.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.press(event), true);
    this.dialog.addEventListener("click", (/** @type {ElementMouseEvent} */ event) => this.click(event));
    this.dialog.addEventListener("close", () => this.stopListening());
    this.dialog
      .querySelector("[data-keys-off]")
      .addEventListener("change", (/** @type {ElementEvent} */ { target }) => keyboard.turnOff(target.checked));
    this.addLines();
  }

  /** Adds lines for buttons with data-hotkey, from their labels. */
  addLines() {
    for (const button of document.querySelectorAll("[data-hotkey]")) {
      const name = this.functions.actionName(button);
      if (this.line(name)) continue;
      const line = document.createElement("div");
      line.dataset.keyLine = name;
      const term = document.createElement("dt");
      const hint = document.createElement("kbd");
      hint.dataset.keyOf = name;
      term.append(hint);
      const textContent = button.getAttribute("aria-label") ?? textWithoutKey(button);
      line.append(term, Object.assign(document.createElement("dd"), { textContent }));
      this.list.append(line);
    }
    this.keyboard.showHints();
  }

  /**
   * The line of an action in the list; undefined without one.
   * @param {string} name
   */
  line(name) {
    return [...this.dialog.querySelectorAll("[data-key-line]")].find((each) => each.dataset.keyLine === name);
  }

  /** Puts a button into every line. */
  offerChanges() {
    this.dialog.querySelector("[data-keys-change]").hidden = true;
    this.dialog.querySelector("[data-keys-choices]").hidden = false;
    this.dialog.querySelector("[data-keys-off]").checked = this.keyboard.areOff;
    for (const line of this.dialog.querySelectorAll("[data-key-line]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button small";
      button.dataset.changes = line.dataset.keyLine;
      button.textContent = translate("Change");
      button.setAttribute("aria-label", translate("Change the key: %(what)s", { what: lineText(line) }));
      line.querySelector("dt").append(" ", button);
    }
    this.dialog.querySelector("[data-changes]")?.focus();
  }

  /** @param {ElementMouseEvent} event */
  click(event) {
    /** @type {HTMLButtonElement | null} */
    const button = event.target.closest("[data-changes]");
    if (button) this.listenFor(button);
    if (!event.target.closest("[data-default-keys]")) return;
    this.keyboard.resetAll();
    this.showStatus(translate("Every key has its default."));
  }

  /** @param {HTMLButtonElement} button */
  listenFor(button) {
    this.stopListening();
    this.listening = button;
    button.textContent = translate("Press a key");
    this.showStatus(
      translate("Press the key for: %(what)s. Escape cancels.", {
        what: lineText(/** @type {HTMLElement} */ (button.closest("[data-key-line]"))),
      }),
    );
  }

  stopListening() {
    if (this.listening) this.listening.textContent = translate("Change");
    this.listening = null;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (!this.listening || event.key === "Tab") return this.stopListening();
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") {
      this.stopListening();
      return this.showStatus("");
    }
    const [key] = this.functions.keyNames(event);
    if (RESERVED.includes(key) || event.ctrlKey || event.altKey || event.metaKey) return;
    this.setKey(this.listening.dataset.changes ?? "", key);
  }

  /**
   * @param {string} name
   * @param {string} key
   */
  setKey(name, key) {
    const owner = this.ownerOf(key, name);
    const label = this.functions.keyLabel(key);
    if (owner)
      return this.showStatus(
        translate("%(key)s is the key for: %(what)s. Press another.", { key: label, what: lineText(owner) }),
      );
    this.keyboard.change(name, key);
    this.stopListening();
    this.showStatus(
      translate("%(key)s is now the key for: %(what)s.", {
        key: label,
        what: lineText(/** @type {HTMLElement} */ (this.line(name))),
      }),
    );
  }

  /**
   * The line of another action that has the key.
   * @param {string} key
   * @param {string} name
   */
  ownerOf(key, name) {
    const owner = [...this.keyboard.keysByName()].find(([other, keys]) => other !== name && keys.includes(key));
    return owner && this.line(owner[0]);
  }

  /** @param {string} message */
  showStatus(message) {
    this.status.textContent = message;
  }
}

/** @param {HTMLElement} button */
function textWithoutKey(button) {
  const nodes = [...button.childNodes].filter((node) => node.nodeName !== "KBD");
  return nodes
    .map((node) => node.textContent)
    .join("")
    .trim();
}

/** @param {HTMLElement} line */
function lineText(line) {
  return (line.querySelector(".tone") ?? line.querySelector("dd")).textContent.trim();
}
