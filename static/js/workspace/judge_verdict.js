// The verdict of a judge on the selected item, in projects that show verdicts to raters. It comes with the sheet, so it
// is here without a network too.

import { listen } from "./sheet.js";

export class JudgeVerdict {
  /**
   * @param {HTMLElement} box
   * @param {Sheet} sheet
   */
  constructor(box, sheet) {
    this.box = box;
    this.sheet = sheet;
    listen("item-selected", () => this.show());
    this.show();
  }

  /** Shows the verdict on the selected item. The box stays for items without one, so that nothing moves. */
  show() {
    const { current, items } = this.sheet;
    this.box.hidden = !items.some(({ verdict }) => verdict);
    if (this.box.hidden || !current) return;
    const { verdict } = current;
    this.box.scrollTop = 0;
    this.element("answers").hidden = !verdict;
    this.element("none").hidden = Boolean(verdict);
    this.element("judge").textContent = verdict?.judge ?? "";
    this.element("answer").textContent = verdict ? this.sheet.answerText(verdict.answers) : "";
    this.element("reason").textContent = verdict?.reason ?? "";
    this.element("reason").hidden = !verdict?.reason;
    this.element("quote-text").textContent = verdict?.quote ?? "";
    this.element("quote").hidden = !verdict?.quote;
    this.element("quote-missing").hidden = verdict?.quote_found !== false;
    this.sheet.scrollToItem(current);
  }

  /**
   * @param {string} name
   * @returns {HTMLElement}
   */
  element(name) {
    return this.box.querySelector(`[data-verdict-${name}]`);
  }
}
