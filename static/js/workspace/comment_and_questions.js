// The selected item in the drawer: a comment that is sent with the answer, questions to the leads, and their answers.

import { typedText } from "../offline/journal.js";
import { translate } from "../shared/translate.js";
import { announce, itemText, listen } from "./sheet.js";
import { commentOf } from "./side_panel.js";

/** @typedef {{ item: Item, body: HTMLElement }} ShownItem */
/** @typedef {HTMLFormControlsCollection & { text: HTMLTextAreaElement }} QuestionFields */
/** @typedef {HTMLFormElement & { elements: QuestionFields }} QuestionFormElement */

export class ItemTab {
  /**
   * @param {SidePanel} sidePanel
   * @param {Sheet} sheet
   */
  constructor(sidePanel, sheet) {
    this.sheet = sheet;
    this.sidePanel = sidePanel;
    /**
     * What the drawer shows, or showed last.
     * @type {ShownItem | null}
     */
    this.shown = null;
    listen("question-sent", ({ asks }) =>
      announce(
        asks?.kind === "split" ? translate("Reported to the leads.") : translate("Sent. The answer will appear here."),
      ),
    );
    listen("side-panel-changed", () => {
      const tab = this.current();
      if (tab) this.showThread(tab);
    });
    listen("answer-saved", ({ item }) => {
      const tab = this.current();
      if (tab?.item.id === item) this.showCommentState(tab);
    });
  }

  /** @param {HTMLElement} body of the drawer */
  show(body) {
    const item = this.sheet.current;
    const isPreview = Boolean(this.sheet.work.preview);
    body.replaceChildren(document.querySelector("[data-item-discussion]").content.cloneNode(true));
    body.querySelector("[data-discussed-item]").textContent = itemText(item);
    this.wireComment(body.querySelector("[data-comment]"), item, isPreview);
    for (const form of questionForms(body)) this.wireForm(form, item, isPreview);
    this.shown = { item, body };
    this.fillFields(this.shown);
    this.showThread(this.shown);
  }

  /**
   * @param {HTMLTextAreaElement} field
   * @param {Item} item
   * @param {boolean} isPreview
   */
  wireComment(field, item, isPreview) {
    field.disabled = isPreview;
    field.addEventListener("input", () => {
      this.sidePanel.storeTyped(item, "comment", field.value);
      if (this.shown) this.showCommentState(this.shown);
    });
    field.addEventListener("change", () => this.sidePanel.sendComment(item));
    field.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
      if (key === "Escape" || (key === "Enter" && (ctrlKey || metaKey))) this.sidePanel.sendComment(item);
    });
  }

  /**
   * @param {QuestionFormElement} form
   * @param {Item} item
   * @param {boolean} isPreview
   */
  wireForm(form, item, isPreview) {
    const kind = form.dataset.ask ?? "";
    const field = form.elements.text;
    for (const control of /** @type {Iterable<HTMLInputElement>} */ (form.elements)) control.disabled = isPreview;
    field.addEventListener("input", () => this.sidePanel.storeTyped(item, kind, field.value));
    field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.stopPropagation();
      form.requestSubmit();
    });
    form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.ask(form, item, kind);
    });
  }

  /**
   * Sends a question like an answer: stored first, sent when possible, and once.
   * @param {QuestionFormElement} form
   * @param {Item} item
   * @param {string} kind
   */
  ask(form, item, kind) {
    const field = form.elements.text;
    const text = field.value.trim();
    if (!text && field.required) return field.focus();
    this.sidePanel.askLeads(item, { kind, text });
    if (this.shown) this.fillFields(this.shown);
    form.closest("details")?.removeAttribute("open");
    return form.querySelector("[type=submit]").focus();
  }

  /** The item that the drawer shows now; null if it shows another tab. */
  current() {
    return this.shown?.body.querySelector("[data-discussed-item]") ? this.shown : null;
  }

  /**
   * Shows typed text in its fields.
   * @param {ShownItem} tab
   */
  fillFields({ item, body }) {
    setValue(body.querySelector("[data-comment]"), commentOf(item));
    for (const form of questionForms(body)) {
      const text = typedText(item, form.dataset.ask ?? "") ?? "";
      setValue(form.elements.text, text);
      if (text) form.closest("details")?.setAttribute("open", "");
    }
    this.showCommentState({ item, body });
  }

  /**
   * Text about an item was changed outside the drawer.
   * @param {string} id
   */
  refillFields(id) {
    const tab = this.current();
    if (tab?.item.id === id) this.fillFields(tab);
  }

  /**
   * Shows the questions about the item, and those that are not sent yet. New answers count as read once they were
   * shown.
   * @param {ShownItem} tab
   */
  showThread({ item, body }) {
    const about = this.sidePanel.questions.filter((question) => question.item === item.id);
    const waiting = this.sidePanel.waitingQuestions
      .filter((entry) => entry.about === item.id)
      .map(({ asks }) => ({ ...asks, isWaiting: true }));
    body.querySelector("[data-thread]").replaceChildren(...[...about, ...waiting].map(threadEntry));
    const unread = about.filter((question) => question.new);
    if (unread.length) this.sidePanel.markAnswersRead(unread);
  }

  /**
   * Shows the state of the comment.
   * @param {ShownItem} tab
   */
  showCommentState({ item, body }) {
    const isWaiting = typedText(item, "comment") !== undefined;
    const state = isWaiting
      ? translate("Stored in this browser until it is saved.")
      : translate("Saved with your answer.");
    const message = this.sheet.work.preview
      ? translate("Nothing is saved in the preview.")
      : item.answers
        ? state
        : translate("Saved with your answer when you choose one.");
    body.querySelector("[data-comment-state]").textContent = message;
  }
}

/**
 * @param {HTMLElement} body
 * @returns {NodeListOf<QuestionFormElement>}
 */
const questionForms = (body) => body.querySelectorAll("[data-ask]");

/**
 * @param {HTMLTextAreaElement} field
 * @param {string} text
 */
function setValue(field, text) {
  if (field.value !== text) field.value = text;
}

/** @typedef {Partial<LeadQuestion> & { isWaiting?: boolean }} ThreadQuestion */

/** @param {ThreadQuestion} question */
function threadEntry(question) {
  const entry = document.createElement("article");
  entry.className = "rater-question";
  entry.append(
    paragraph("question-text", question.text || translate("The sentence boundaries are wrong.")),
    paragraph("byline", byline(question)),
  );
  if (question.answer) entry.append(paragraph("reply", question.answer));
  return entry;
}

/** @param {ThreadQuestion} question */
function byline({ own, answer, kind, isWaiting }) {
  if (isWaiting) return translate("Waiting to be sent to the leads.");
  const isReport = kind === "split";
  const byRater = isReport ? translate("You reported") : translate("You asked");
  const byOther = isReport ? translate("A rater reported") : translate("A rater asked");
  const sentence = own ? byRater : byOther;
  return answer
    ? translate("%(who)s; the leads answered:", { who: sentence })
    : translate("%(who)s; no answer yet.", { who: sentence });
}

/**
 * @param {string} className
 * @param {string} textContent
 */
function paragraph(className, textContent) {
  return Object.assign(document.createElement("p"), { className, textContent, dir: "auto" });
}
