// The key map in the help: parts of other making get their lines, and on demand every line a button that changes its key.
// It imports nothing of keyboard.js, which imports it: names of files with their hashes in them allow no circle.

import { translate } from "../shared/translate.js";

const TAKEN = ["Tab", "Escape", " ", "Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Dead", "Process", "Unidentified"];

export class KeyMap {
  constructor(keys) {
    this.keys = keys;
    this.dialog = document.getElementById("help");
    this.list = this.dialog.querySelector("[data-key-list]");
    this.status = this.dialog.querySelector("[data-key-status]");
    this.dialog.addEventListener("keydown", (event) => this.press(event), true);
    this.dialog.addEventListener("click", (event) => this.click(event));
    this.dialog.addEventListener("close", () => this.stop());
    this.dialog.querySelector("[data-keys-off]").addEventListener("change", (event) => keys.turn(event.target.checked));
    this.addLines();
  }

  /** Buttons with data-hotkey stand in the page; their lines come from what they say. */
  addLines() {
    for (const button of document.querySelectorAll("[data-hotkey]")) {
      const name = button.dataset.action ?? button.dataset.module;
      if (this.line(name)) continue;
      const line = document.createElement("div");
      line.dataset.keyLine = name;
      const [term, words] = [document.createElement("dt"), document.createElement("dd")];
      const hint = document.createElement("kbd");
      hint.dataset.keyOf = name;
      term.append(hint);
      words.textContent = button.getAttribute("aria-label") ?? [...button.childNodes].filter((each) => each.localName !== "kbd").map((each) => each.textContent).join("").trim();
      line.append(term, words);
      this.list.append(line);
    }
    this.keys.show();
  }

  line(name) {
    return [...this.dialog.querySelectorAll("[data-key-line]")].find((each) => each.dataset.keyLine === name);
  }

  /** Puts a button into every line. */
  offer() {
    this.dialog.querySelector("[data-keys-change]").hidden = true;
    this.dialog.querySelector("[data-keys-choices]").hidden = false;
    this.dialog.querySelector("[data-keys-off]").checked = this.keys.areOff;
    for (const line of this.dialog.querySelectorAll("[data-key-line]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button small";
      button.dataset.changes = line.dataset.keyLine;
      button.textContent = translate("Change");
      button.setAttribute("aria-label", translate("Change the key: %(what)s", { what: wordsOf(line) }));
      line.querySelector("dt").append(" ", button);
    }
    this.dialog.querySelector("[data-changes]")?.focus();
  }

  click(event) {
    const button = event.target.closest("[data-changes]");
    if (button) this.listen(button);
    if (!event.target.closest("[data-keys-given]")) return;
    this.keys.forgetAll();
    this.say(translate("Every key is as it was given."));
  }

  listen(button) {
    this.stop();
    this.asked = button;
    button.textContent = translate("Press a key");
    this.say(translate("Press the key for: %(what)s. Escape leaves it as it is.", { what: wordsOf(button.closest("[data-key-line]")) }));
  }

  stop() {
    if (this.asked) this.asked.textContent = translate("Change");
    this.asked = null;
  }

  press(event) {
    if (!this.asked || event.key === "Tab") return this.stop();
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return this.stop() ?? this.say("");
    const [key] = this.keys.namesOf(event);
    if (TAKEN.includes(key) || event.ctrlKey || event.altKey || event.metaKey) return null;
    const name = this.asked.dataset.changes;
    const other = this.owner(key, name);
    if (other) return this.say(translate("%(key)s is the key for: %(what)s. Press another.", { key: this.keys.shown(key), what: wordsOf(other) }));
    this.keys.change(name, key);
    this.stop();
    return this.say(translate("%(key)s is now the key for: %(what)s.", { key: this.keys.shown(key), what: wordsOf(this.line(name)) }));
  }

  /** The line of what has the key already. */
  owner(key, name) {
    const found = [...this.keys.all()].find(([other, keys]) => other !== name && keys.includes(key));
    return found && (this.line(found[0]) ?? null);
  }

  say(words) {
    this.status.textContent = words;
  }
}

function wordsOf(line) {
  return (line.querySelector(".tone") ?? line.querySelector("dd")).textContent.trim();
}
