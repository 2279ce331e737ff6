// A combobox with a list of options from the server, as the ARIA Authoring Practices describe it: the focus stays in
// the field, and aria-activedescendant names the active option.

import { call } from "./api.js";
import { plural, translate } from "./translate.js";

const DEBOUNCE = 150; // milliseconds without typing before a request

/** @typedef {{ label: string, detail: string, url?: string, value?: string }} Entry */
/** @typedef {{ label: string, entries: Entry[] }} Group */
/** @typedef {{ newTab: boolean }} Choice */

export class Combobox {
  /**
   * @param {object} parts
   * @param {HTMLInputElement} parts.input
   * @param {HTMLElement} parts.list
   * @param {HTMLElement} parts.status announces the number of options
   * @param {(query: string) => string} parts.address of the options: JSON with `groups`
   * @param {(entry: Entry, choice: Choice) => void} parts.choose
   * @param {boolean} parts.selectsFirst whether Enter chooses the first option without a movement
   */
  constructor({ input, list, status, address, choose, selectsFirst }) {
    this.input = input;
    this.list = list;
    this.status = status;
    this.address = address;
    this.choose = choose;
    this.selectsFirst = selectsFirst;
    /** @type {{ element: HTMLElement, entry: Entry }[]} */
    this.options = [];
    this.active = -1;
    this.requests = 0;
    this.timer = 0;
    input.addEventListener("input", () => this.loadLater());
    input.addEventListener("keydown", (event) => this.press(event));
    list.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays in the field
    list.addEventListener("pointermove", (event) => this.activate(this.indexOf(event)));
    list.addEventListener("click", (event) => this.chooseAt(this.indexOf(event), event));
  }

  loadLater() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.load(), DEBOUNCE);
  }

  /** Requests the options of the field's text; an answer that a later request has overtaken is dropped. */
  async load() {
    clearTimeout(this.timer);
    const request = ++this.requests;
    const { status, data } = await call("GET", this.address(this.input.value.trim()));
    if (request !== this.requests) return;
    if (status === 200) this.show(data.groups);
    else this.fail();
  }

  /** @param {Group[]} groups */
  show(groups) {
    this.options = [];
    this.list.replaceChildren(...groups.map((group) => this.groupElement(group)));
    this.open(this.options.length > 0);
    this.activate(this.selectsFirst && this.options.length ? 0 : -1);
    const { length } = this.options;
    this.status.textContent = length ? plural("%(n)s result", "%(n)s results", length) : translate("Nothing matches.");
  }

  fail() {
    this.close();
    this.status.textContent = translate("The server did not answer. Type again to retry.");
  }

  /** @param {Group} group */
  groupElement({ label, entries }) {
    const group = element("div", { role: "group" });
    if (label) {
      const id = `${this.list.id}-group-${this.list.childElementCount}-${this.options.length}`;
      group.append(element("div", { id, class: "label", role: "presentation" }, label));
      group.setAttribute("aria-labelledby", id);
    }
    group.append(...entries.map((entry) => this.optionElement(entry)));
    return group;
  }

  /** @param {Entry} entry */
  optionElement(entry) {
    const id = `${this.list.id}-${this.options.length}`;
    const option = element("div", { id, "role": "option", "aria-selected": "false" });
    option.append(element("span", { dir: "auto" }, entry.label));
    if (entry.detail) option.append(" ", element("span", { class: "byline", dir: "auto" }, entry.detail));
    this.options.push({ element: option, entry });
    return option;
  }

  /** @param {boolean} isOpen */
  open(isOpen) {
    this.list.hidden = !isOpen;
    this.input.setAttribute("aria-expanded", String(isOpen));
  }

  close() {
    this.requests += 1; // an answer that is under way opens nothing
    clearTimeout(this.timer);
    this.open(false);
    this.activate(-1);
    this.status.textContent = "";
  }

  get isOpen() {
    return !this.list.hidden;
  }

  /** @param {number} index */
  activate(index) {
    this.options[this.active]?.element.setAttribute("aria-selected", "false");
    this.active = index;
    const option = this.options[index]?.element;
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { key } = event;
    if (event.isComposing) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (!this.isOpen) this.load();
      else this.activate(nextIndex(this.active, key === "ArrowDown" ? 1 : -1, this.options.length));
    } else if (key === "Enter" && this.isOpen && this.active >= 0) {
      event.preventDefault();
      this.chooseAt(this.active, event);
    }
  }

  /** @param {Event} event */
  indexOf({ target }) {
    const option = /** @type {Element} */ (target).closest("[role=option]");
    const index = this.options.findIndex((other) => other.element === option);
    return index < 0 ? this.active : index;
  }

  /**
   * @param {number} index
   * @param {MouseEvent | KeyboardEvent} event
   */
  chooseAt(index, event) {
    const option = this.options[index];
    if (option) this.choose(option.entry, { newTab: event.ctrlKey || event.metaKey });
  }
}

/**
 * The option after a step from `index`; after the last one comes the first. -1 is none.
 * @param {number} index
 * @param {1 | -1} step
 * @param {number} count
 */
export function nextIndex(index, step, count) {
  if (!count) return -1;
  if (index < 0) return step > 0 ? 0 : count - 1;
  return (index + step + count) % count;
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {string} [text]
 */
function element(name, attributes, text = "") {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.textContent = text;
  return created;
}
