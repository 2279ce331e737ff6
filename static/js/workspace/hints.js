// Hints at first use: marks in the article, signs of sentences, keys for evidence. Each is shown once for each rater of
// this browser, one at a time, and never together with another notice. They are in the place of notices, where they
// cover nothing. Escape or their button closes them; the help shows them again.

import { focusQuestions, listen } from "./sheet.js";

/** @type {[string, (sheet: Sheet) => boolean][]} Name -> whether the page has what the hint is about. */
const HINTS = [
  ["marks", ({ work }) => hasArticle() && work.suggestions],
  ["signs", ({ items }) => items.length > 1 && items.some(({ answers }) => answers)],
  ["evidence", hasArticle],
];

function hasArticle() {
  return Boolean(document.querySelector("[data-article]"));
}

export class Hints {
  /** @param {Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    this.storageKey = `factuary:hints:${sheet.work.rater}`;
    this.note = document.querySelector("[data-hint]");
    /** @type {string[]} Names of the hints that were shown. */
    this.seen = this.read();
    this.note.querySelector("[data-hint-close]").addEventListener("click", () => this.close());
    document.querySelector("[data-hints-again]")?.addEventListener("click", () => this.showAgain());
    document.addEventListener("keydown", (/** @type {ElementKeyEvent} */ event) => this.press(event));
    listen("item-selected", () => this.showNext());
    listen("sheet-opened", () => {
      this.note.hidden = true;
    });
    this.showNext();
  }

  /** Shows the next hint that was not shown; none in training and preview, and none while anything else is shown. */
  showNext() {
    const { work, current } = this.sheet;
    const isBusy = document.querySelector(".notices > :not([hidden]), dialog[open]");
    if (isBusy || !current || work.preview || work.then) return;
    const next = HINTS.find(([name, isThere]) => !this.seen.includes(name) && isThere(this.sheet));
    if (!next) return;
    const [name] = next;
    this.store([...this.seen, name]);
    for (const text of this.note.querySelectorAll("[data-hint-text]")) text.hidden = text.dataset.hintText !== name;
    this.note.hidden = false;
    this.sheet.scrollToItem();
  }

  close() {
    const hadFocus = this.note.contains(document.activeElement);
    this.note.hidden = true;
    if (hadFocus) focusQuestions();
  }

  /** @param {ElementKeyEvent} event */
  press({ key, defaultPrevented, isComposing, target }) {
    const isAbove = document.querySelector(
      "dialog[open], details[data-menu][open], [data-find]:not([hidden]), [data-drawer]:not([hidden])",
    );
    const isTyping = target instanceof Element && target.closest("textarea, input:not([type=radio])");
    if (key === "Escape" && !defaultPrevented && !isComposing && !isAbove && !isTyping) this.close();
  }

  showAgain() {
    this.store([]);
    /** @type {HTMLDialogElement} */ (document.querySelector("dialog#help")).close();
    this.note.hidden = true;
    this.showNext();
  }

  /** @returns {string[]} */
  read() {
    try {
      return JSON.parse(localStorage.getItem(this.storageKey) ?? "[]");
    } catch {
      return []; // a private window
    }
  }

  /** @param {string[]} names */
  store(names) {
    this.seen = names;
    try {
      localStorage.setItem(this.storageKey, JSON.stringify(names));
    } catch {
      // A private window: it holds for this page.
    }
  }
}
