// Dialogs of the workspace: open items, which of two answers to keep, signing out, lost work.

import { plural, translate } from "../shared/translate.js";
import { itemEntry, itemText } from "./sheet.js";

/** @typedef {{ answers: Answers | null, comment?: string }} CommentedAnswer */

export class Dialogs {
  /** @param {Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    /** @type {Promise<unknown>} Resolves when no question about a conflict is open. */
    this.lastQuestion = Promise.resolve();
  }

  /**
   * Lists the items without an answer; the first has the focus, so that Enter selects it.
   * @param {Item[]} items
   */
  listOpenItems(items) {
    const dialog = document.getElementById("unanswered");
    const list = dialog.querySelector("[data-open-list]");
    const title = items.length
      ? plural("%(n)s %(unit)s has no answer yet", "%(n)s %(unit)s have no answer yet", items.length, {
          unit: this.sheet.unitWord(items.length),
        })
      : translate("Every %(unit)s has an answer", { unit: this.sheet.unitWord() });
    dialog.querySelector("[data-open-title]").textContent = title;
    list.replaceChildren(
      ...items.map((item) =>
        itemEntry(item, () => {
          dialog.close();
          this.sheet.selectItem(item);
        }),
      ),
    );
    dialog.showModal();
    list.querySelector("button")?.focus();
  }

  /**
   * Asks which of two answers to keep: "mine" or "theirs". One question after the other.
   * @param {Item | null} item
   * @param {CommentedAnswer} own
   * @param {CommentedAnswer} other
   * @returns {Promise<string>}
   */
  askWhichToKeep(item, own, other) {
    const choice = this.lastQuestion.then(() => this.showConflict(item, own, other));
    this.lastQuestion = choice;
    return choice;
  }

  noOpenQuestion() {
    return this.lastQuestion;
  }

  /**
   * @param {Item | null} item
   * @param {CommentedAnswer} own
   * @param {CommentedAnswer} other
   * @returns {Promise<string>}
   */
  showConflict(item, own, other) {
    const dialog = document.getElementById("conflict");
    dialog.querySelector("[data-conflict-sentence]").textContent = item
      ? itemText(item)
      : translate("Part of an earlier response.");
    dialog.querySelector("[data-conflict-mine]").textContent = this.describe(own, other);
    dialog.querySelector("[data-conflict-theirs]").textContent = this.describe(other, own);
    dialog.showModal();
    return new Promise((resolve) => {
      /** @param {ElementMouseEvent} event */
      const choose = (event) => {
        const choice = event.target.closest("[data-keep]")?.dataset.keep;
        if (!choice) return;
        dialog.removeEventListener("click", choose);
        dialog.close();
        resolve(choice);
      };
      dialog.addEventListener("click", choose);
      // No answer is dropped by accident.
      dialog.addEventListener("cancel", (/** @type {Event} */ event) => event.preventDefault());
    });
  }

  /**
   * The answer, with its comment if the other has another.
   * @param {CommentedAnswer} answer
   * @param {CommentedAnswer} other
   */
  describe({ answers, comment = "" }, other) {
    const answer = this.sheet.answerText(answers);
    return comment && comment !== other.comment
      ? translate("%(answer)s. Comment: “%(comment)s”", { answer, comment })
      : answer;
  }

  /**
   * Asks whether to sign out while something is not sent yet.
   * @param {() => void} leave called if so
   */
  askToLeave(leave) {
    const dialog = document.getElementById("sign-out");
    dialog.returnValue = "";
    dialog.addEventListener(
      "close",
      () => {
        if (dialog.returnValue === "leave") leave();
      },
      { once: true },
    );
    dialog.showModal();
  }

  showLostWork() {
    const dialog = document.getElementById("lost");
    if (!dialog.open) dialog.showModal();
  }
}
