// Answering: the questions below the response, the effect of a choice on the item, saving, and undo at any depth,
// across responses too. Refused answers are handled in conflict_dialog.js. Form and answers are one file because the
// first load of the page has a budget of 20 requests.

import { typedText } from "../offline/journal.js";
import {
  addresses,
  holds,
  isAddress,
  isBlank,
  isComplete,
  isWritten,
  problems,
  prune,
  visibleQuestions,
  withAnswer,
} from "../shared/protocol.js";
import { plural, translate } from "../shared/translate.js";
import { isSamePlace, sameEvidence, withPassages } from "./passages.js";
import { announce, focusQuestions, isBegun, itemText, listen, sameAnswers } from "./sheet.js";

const MAX_SECONDS = 600; // a longer time includes a break
const undoButton = document.querySelector("[data-undo]");

/**
 * A change that undo takes back: an item as it was before (`draft` is the draft, which stays when a passage is
 * removed), or the step from another response.
 * @typedef {{ item: Item, answers: Answers | null, evidence: Passage[], draft: Answers | null }} AnswerChange
 * @typedef {{ item: Item, leftAssignment: string }} SheetChange
 */

export class Answering {
  /**
   * @param {object} dependencies
   * @param {Sheet} dependencies.sheet
   * @param {QuestionForm} dependencies.questions
   * @param {Journal | null} dependencies.journal null in the preview
   * @param {TypedTexts} dependencies.texts
   * @param {AnyOutbox} dependencies.outbox
   * @param {Evidence} dependencies.evidence
   * @param {(item: Item, more: AnswerDetails) => void} dependencies.addDetails adds the comment to an answer that is
   *   sent
   * @param {(item: Item) => void} dependencies.confirmed the answer that an item has was given again
   * @param {(change: SheetChange) => void} dependencies.goBack returns to the response before
   * @param {() => void} dependencies.storeChanges stores the changes, so that a reload does not end undo
   * @param {ShowNotice} dependencies.showNotice
   */
  constructor({
    sheet,
    questions,
    journal,
    texts,
    outbox,
    evidence,
    addDetails,
    confirmed,
    goBack,
    storeChanges,
    showNotice,
  }) {
    this.sheet = sheet;
    this.questions = questions;
    this.journal = journal;
    this.texts = texts;
    this.outbox = outbox;
    this.evidence = evidence;
    this.addDetails = addDetails;
    this.confirmed = confirmed;
    this.goBack = goBack;
    this.storeChanges = storeChanges;
    this.showNotice = showNotice;
    /** @type {(AnswerChange | SheetChange)[]} The last change is last. */
    this.changes = [];
    listen("item-selected", () => this.showQuestions());
  }

  /** Shows the questions with the draft of the selected item. */
  showQuestions() {
    const { current } = this.sheet;
    this.questions.setProtocol(this.sheet.protocolFor(current));
    this.questions.show(current.draft);
    undoButton.disabled = !this.changes.length && !isBegun(current);
  }

  /**
   * Takes one answer; returns whether the item is complete: then the next item is selected.
   * @param {string} question
   * @param {string} value
   */
  choose(question, value) {
    const { current, work } = this.sheet;
    current.draft = this.withTyped(current, withAnswer(work.protocol, current.draft, question, value));
    const isUnanswered = this.questions.hasUnanswered(current.draft);
    const isWhole = isComplete(this.sheet.protocolFor(current), current.draft);
    if (isWhole) this.give(current, current.draft);
    if (isWhole && !isUnanswered) {
      this.sheet.selectNextOpen();
      return true;
    }
    this.sheet.showState(current);
    this.storeDraft(current);
    this.showQuestions();
    if (isUnanswered) this.questions.showProblemsOf(question, current.draft);
    else this.questions.showProblems(current.draft);
    this.questions.focusUnanswered(current.draft);
    return false;
  }

  /**
   * At every key in a field: its text is a draft, and an answer when the field is left.
   * @param {string} question
   * @param {string} value
   */
  type(question, value) {
    const { current } = this.sheet;
    this.texts.put(current, fieldOf(question), value);
    current.draft = this.withTyped(current, current.draft);
    this.storeDraft(current);
  }

  /**
   * Gives the item these answers: shown at once, sent by the outbox, taken back by undo.
   * @param {Item} item
   * @param {Answers} answers
   */
  give(item, answers) {
    if (sameAnswers(item.answers, answers)) return this.confirmed(item);
    this.remember(item);
    item.answers = { ...answers };
    item.draft = { ...answers };
    return this.store(item);
  }

  /**
   * @param {Item} item
   * @param {Answers | null} draft
   */
  remember(item, draft = null) {
    this.changes.push({ item, answers: item.answers, evidence: item.evidence, draft });
  }

  /**
   * Shows the item's state and sends its answer; passages without an answer wait in this browser for one.
   * @param {Item} item
   */
  store(item, isSent = true) {
    this.sheet.showState(item);
    this.sheet.showProgress();
    if (isSent) this.send(item);
    this.storeDraft(item);
    this.storeChanges();
  }

  /** @param {Item} item */
  send(item) {
    if (item.isInConflict) return; // until the rater has chosen (conflict_dialog.js)
    const more = item.answers ? evidenceDetails(item, this.sheet.work) : {};
    this.addDetails(item, more);
    this.outbox.sendAnswer(item.assignment, item.id, item.answers, secondsSpent(item, this.sheet), more);
  }

  /**
   * Stores in this browser drafts that are not complete answers.
   * @param {Item} item
   */
  storeDraft(item) {
    const isDraft = isBegun(item) || (!item.answers && item.evidence.length > 0);
    /** @type {DraftRecord} */
    const record = {
      item: item.id,
      assignment: this.sheet.work.id,
      at: Date.now(),
      base: this.outbox.versions.get(item.id),
      draft: item.draft,
      evidence: item.answers ? null : item.evidence,
    };
    if (isDraft) this.journal?.put("begun", record);
    else if (item.isDraftStored) this.journal?.remove("begun", item.id);
    item.isDraftStored = isDraft;
  }

  // Evidence

  /**
   * @param {Passage[]} passages
   * @param {string} stance
   */
  attach(passages, stance) {
    this.changeEvidence(this.sheet.current, withPassages(this.sheet.current.evidence, passages, stance));
  }

  /** @param {Passage} passage */
  detach(passage) {
    this.changeEvidence(
      this.sheet.current,
      this.sheet.current.evidence.filter((other) => !isSamePlace(other, passage)),
    );
    focusQuestions();
    announce(translate("Removed: %(text)s", { text: passage.text }));
  }

  /**
   * @param {Item} item
   * @param {Passage[]} passages
   */
  changeEvidence(item, passages) {
    if (sameEvidence(item.evidence, passages)) return;
    this.remember(item, isBegun(item) ? item.draft : null);
    this.setEvidence(item, passages);
    this.store(item, Boolean(item.answers));
    undoButton.disabled = false;
  }

  /**
   * @param {Item} item
   * @param {Passage[]} passages
   */
  setEvidence(item, passages) {
    item.hadEvidence ||= item.evidence.length > 0;
    item.evidence = passages;
    if (item === this.sheet.current) this.evidence.update();
  }

  // Undo

  undo() {
    const last = this.changes.at(-1);
    if (this.canUndoDraft(last)) return this.undoDraft();
    if (!last) return announce(translate("Nothing to undo."));
    if ("leftAssignment" in last) {
      this.changes.pop();
      return this.goBack(last);
    }
    const { item } = last;
    const isWithdrawn = !last.answers && item.answers;
    this.changes.pop();
    if (isWithdrawn && this.sheet.work.finished) return this.refuseUndo(item);
    this.restore(last);
    this.sheet.selectItem(item);
    const passages = item.evidence.length
      ? plural("%(n)s passage attached", "%(n)s passages attached", item.evidence.length)
      : translate("no passages attached");
    return announce(
      translate("Undone. %(place)s: %(answer)s, %(passages)s.", {
        place: this.sheet.itemLabel(item),
        answer: this.sheet.answerText(item.answers),
        passages,
      }),
    );
  }

  /**
   * Whether the selected item's draft is newer than the last change: a passage may have been attached after it.
   * @param {AnswerChange | SheetChange | undefined} last
   */
  canUndoDraft(last) {
    const { current } = this.sheet;
    const isOlder =
      last && "draft" in last && last.item === current && last.draft && sameAnswers(last.draft, current.draft);
    return isBegun(current) && !isOlder;
  }

  undoDraft() {
    const { current } = this.sheet;
    const { draft } = current;
    current.draft = { ...current.answers };
    this.undoTyped(current, draft);
    this.storeDraft(current);
    this.sheet.selectItem(current);
    announce(
      translate("Undone. %(place)s: %(answer)s.", {
        place: this.sheet.itemLabel(current),
        answer: this.sheet.answerText(current.answers),
      }),
    );
  }

  /**
   * The answer of a finished response can be changed, not withdrawn.
   * @param {Item} item
   */
  refuseUndo(item) {
    this.sheet.selectItem(item);
    this.showNotice(
      translate("This response is finished, so “%(answer)s” remains until you choose another answer.", {
        answer: this.sheet.answerText(item.answers),
      }),
      "info",
    );
  }

  /** @param {AnswerChange} change */
  restore({ item, answers, evidence, draft }) {
    const isSent = Boolean(answers || item.answers);
    const draftBefore = item.draft;
    item.answers = answers && { ...answers };
    item.draft = { ...(draft ?? answers) };
    this.undoTyped(item, draftBefore);
    this.setEvidence(item, evidence);
    this.store(item, isSent);
  }

  /**
   * Undo takes typed text back as well; that of a question that is not asked any more waits until it is.
   * @param {Item} item
   * @param {Answers} draftBefore
   */
  undoTyped(item, draftBefore) {
    const visible = new Set(visibleQuestions(this.sheet.protocolFor(item), item.draft).map(({ key }) => key));
    for (const { key } of this.writtenQuestions()) {
      if (visible.has(key)) this.texts.remove(item, fieldOf(key));
      else if (draftBefore[key] !== undefined) this.texts.put(item, fieldOf(key), draftBefore[key]);
    }
  }

  writtenQuestions() {
    return this.sheet.work.protocol.questions.filter(isWritten);
  }

  /**
   * `draft` with typed text that is not saved yet, of visible questions.
   * @param {Item} item
   * @param {Answers} draft
   */
  withTyped(item, draft) {
    const texts = this.writtenQuestions()
      .map(({ key }) => [key, typedText(item, fieldOf(key))])
      .filter(([, text]) => text !== undefined);
    return prune(this.sheet.protocolFor(item), { ...draft, ...Object.fromEntries(texts) });
  }

  /**
   * Text that is in `answers`, which are stored, is no draft any more.
   * @param {Item} item
   * @param {Answers} answers
   */
  removeSavedTexts(item, answers) {
    for (const { key } of this.writtenQuestions()) {
      const text = typedText(item, fieldOf(key));
      if (text === answers[key] || (isBlank(text ?? "") && !(key in answers))) this.texts.remove(item, fieldOf(key));
    }
  }

  // Results from the server

  /** @param {JournalEntry} entry */
  showSaved({ item: id, answers = null }) {
    const item = this.sheet.findItem(id);
    if (item && answers) this.removeSavedTexts(item, answers);
    this.announceItem(
      item,
      answers
        ? translate("%(answer)s, saved", { answer: this.sheet.answerText(answers) })
        : translate("cleared, saved"),
    );
  }

  /**
   * Announces that the last answer cannot be sent now.
   * @param {string} state as the page shows it ("Offline, 2 waiting")
   */
  announceWaiting(state) {
    const entry = this.outbox.entries.findLast(({ item }) => item);
    if (!entry) return;
    const { answers = null } = entry;
    const values = { answer: this.sheet.answerText(answers), state };
    this.announceItem(
      this.sheet.findItem(entry.item),
      answers
        ? translate("%(answer)s, stored in this browser. %(state)s", values)
        : translate("cleared, stored in this browser. %(state)s", values),
    );
  }

  /**
   * "Sentence 4 of 9: Accurate, saved. Now sentence 5: …"
   * @param {Item | null} item
   * @param {string} message
   */
  announceItem(item, message) {
    if (!item || !this.sheet.isOnSheet(item)) return;
    const { current } = this.sheet;
    const isElsewhere = current && current !== item; // no item is selected while the page opens
    const position = isElsewhere && { unit: this.sheet.unitWord(), n: current.index + 1, text: itemText(current) };
    const next = position ? ` ${translate("Now %(unit)s %(n)s: %(text)s", position)}` : "";
    announce(`${this.sheet.itemLabel(item)}: ${message}.${next}`);
  }

  /**
   * Adopts answers that an earlier page of this rater stored in this browser.
   * @param {JournalEntry[]} entries
   */
  applyEntries(entries) {
    for (const { item: id, answers = null, more, stored } of entries) {
      const item = this.sheet.findItem(id);
      if (!id || !item) continue;
      this.applyStoredAnswer(item, answers, more?.evidence);
      if (answers) item[stored ? "comment" : "sentComment"] = more?.comment ?? item.comment;
    }
  }

  /**
   * Shows an answer that was given elsewhere; a draft of this page stays a draft.
   * @param {Item} item
   * @param {Answers | null} answers
   * @param {Passage[]} [evidence]
   */
  applyStoredAnswer(item, answers, evidence) {
    const draft = isBegun(item) && item.isDraftStored ? item.draft : { ...answers };
    Object.assign(item, { answers, draft, evidence: evidence ?? item.evidence, sentComment: undefined });
    this.changes = this.changes.filter((change) => "leftAssignment" in change || change.item !== item);
    if (!this.sheet.isOnSheet(item)) return;
    this.sheet.showState(item);
    this.sheet.showProgress();
    if (item === this.sheet.current) this.showQuestions();
  }
}

/**
 * The field of the journal's records for a written answer.
 * @param {string} question
 */
const fieldOf = (question) => `answers.${question}`;

/**
 * The evidence sent with an answer. Without an article there is none; evidence that was never changed stays as it is
 * stored.
 * @param {Item} item
 * @param {Work} work
 * @returns {AnswerDetails}
 */
function evidenceDetails(item, work) {
  if (work.document === "none") return {};
  const suggestions = item.suggestions === "used" ? "used" : work.suggestions ? "on" : item.suggestions || "off";
  const isChanged = item.evidence.length || item.hadEvidence;
  return isChanged ? { evidence: item.evidence, suggestions } : { suggestions };
}

/**
 * The time for which the item was selected.
 * @param {Item} item
 * @param {Sheet} sheet
 */
function secondsSpent(item, sheet) {
  const time = item === sheet.current ? performance.now() - sheet.selectedAt : (item.timeSpent ?? 0);
  return Math.min(MAX_SECONDS, Math.round(time / 100) / 10);
}

/** The questions below the response: radio groups and fields, shown as the protocol defines for the answers so far. */
export class QuestionForm {
  /**
   * @param {HTMLElement} form
   * @param {Protocol} protocol
   * @param {object} callbacks
   * @param {(question: string, value: string) => void} callbacks.choose called for every answer that a rater gives
   * @param {(question: string, value: string) => void} callbacks.type called at every key in a field
   */
  constructor(form, protocol, { choose, type }) {
    this.form = form;
    this.protocol = protocol;
    this.choose = choose;
    this.type = type;
    /** @type {HTMLTextAreaElement | null} The field with text that is no answer yet. */
    this.typedField = null;
    this.hasScrolled = false;
    /** @type {Map<string, HTMLElement>} */
    this.groups = new Map(
      [...form.querySelectorAll("[data-question]")].map((group) => [group.dataset.question, group]),
    );
    form.addEventListener(
      "click",
      (/** @type {ElementMouseEvent} */ { target }) =>
        target.matches("input[type=radio]") && choose(target.name, target.value),
    );
    form.addEventListener(
      "input",
      (/** @type {ElementEvent} */ { target }) => target.matches("textarea") && this.readField(target),
    );
    for (const kind of ["change", "focusout"])
      form.addEventListener(kind, (/** @type {ElementEvent} */ { target }) => this.leaveField(target));
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** @param {HTMLTextAreaElement} field */
  readField(field) {
    this.typedField = field;
    this.type(field.name, field.value);
  }

  /**
   * The text of a field becomes an answer when it loses the focus. Looking something up in another window does not
   * count: the field has the focus again afterwards, though browsers report a change, and do not report it again.
   * @param {HTMLTextAreaElement} field
   */
  leaveField(field) {
    if (field !== this.typedField || field === document.activeElement) return;
    this.typedField = null;
    this.choose(field.name, field.value);
  }

  /**
   * Shows the questions of `protocol`: of another item there may be fewer.
   * @param {Protocol} protocol
   */
  setProtocol(protocol) {
    this.protocol = protocol;
    if (this.hasScrolled) this.form.scrollTop = 0;
    this.hasScrolled = false;
    const keys = new Set(protocol.questions.map((question) => question.key));
    for (const [key, group] of this.groups) group.hidden = !keys.has(key);
  }

  /**
   * Shows `answers` without problems.
   * @param {Answers} answers
   */
  show(answers) {
    const visible = new Set(this.visible(answers).map((question) => question.key));
    for (const [key, group] of this.groups) {
      group.inert = !visible.has(key);
      this.fill(group, answers[key] ?? "");
      this.showProblem(key, "");
    }
  }

  /** @param {Answers} answers */
  visible(answers) {
    return visibleQuestions(this.protocol, answers);
  }

  /**
   * @param {HTMLElement} group
   * @param {string} answer
   */
  fill(group, answer) {
    for (const field of group.querySelectorAll("input, textarea")) {
      if (field.type === "radio") field.checked = field.value === answer;
      else if (field.value !== answer) this.setText(field, answer);
    }
    group.querySelector("[data-links]")?.replaceChildren(...addresses(answer).filter(isAddress).map(linkEntry));
  }

  /**
   * Sets a text that was not typed: of another item, or before an undo. Leaving the field then answers nothing.
   * @param {HTMLTextAreaElement} field
   * @param {string} text
   */
  setText(field, text) {
    field.value = text;
    if (field === this.typedField) this.typedField = null;
  }

  /**
   * @param {string} key
   * @param {string} message
   */
  showProblem(key, message) {
    const element = this.groups.get(key)?.querySelector("[data-problem]");
    if (element && element.textContent !== message) element.textContent = message;
  }

  /**
   * Shows the problems that this page or the server found.
   * @param {Answers} answers
   * @param {Record<string, string[]>} messages
   */
  showProblems(answers, messages = problems(this.protocol, answers)) {
    const [first] = this.groups.keys();
    for (const [key, texts] of Object.entries(messages))
      this.showProblem(this.groups.has(key) ? key : first, texts.join(" "));
  }

  /**
   * Shows the problem of one answer.
   * @param {string} question
   * @param {Answers} answers
   */
  showProblemsOf(question, answers) {
    if (question in answers) this.showProblem(question, (problems(this.protocol, answers)[question] ?? []).join(" "));
  }

  /**
   * The option of a visible question that a key means; null without one.
   * @param {(question: string, option: string) => boolean | undefined} isMeant
   * @param {Answers} answers
   */
  findOption(isMeant, answers) {
    for (const question of this.visible(answers)) {
      const option = question.options.find(({ key }) => isMeant(question.key, key));
      if (option) return { question: question.key, value: option.key };
    }
    return null;
  }

  /**
   * The field of a visible question that a key means; null without one.
   * @param {(question: string) => boolean | undefined} isMeant
   * @param {Answers} answers
   */
  findField(isMeant, answers) {
    const question = this.visible(answers).find(({ key }) => isMeant(key));
    return question ? (this.groups.get(question.key)?.querySelector("textarea") ?? null) : null;
  }

  /**
   * Whether a visible question has no answer yet.
   * @param {Answers} answers
   */
  hasUnanswered(answers) {
    return this.visible(answers).some((question) => !(question.key in answers));
  }

  /**
   * Moves the focus to the first question that needs an answer, otherwise to options without one. A text that may stay
   * empty never takes the focus.
   * @param {Answers} answers
   */
  focusUnanswered(answers) {
    const unanswered = this.visible(answers).filter((question) => !(question.key in answers));
    const question =
      unanswered.find(({ required, require_when: condition }) => required && holds(condition, answers)) ??
      unanswered.find(({ kind }) => kind === "choice");
    const field = question && this.groups.get(question.key)?.querySelector("input, textarea");
    field?.focus({ preventScroll: true, focusVisible: false });
    field?.scrollIntoView({ block: "nearest" });
    this.hasScrolled = Boolean(field);
  }

  /**
   * Arrow keys in a group only move the focus: choosing with them would rate each option on the way.
   * @param {PageElement} radio
   * @param {number} step
   */
  moveFocus(radio, step) {
    const radios = [...(radio.closest("[data-question]")?.querySelectorAll("input[type=radio]") ?? [])];
    radios[(radios.indexOf(radio) + step + radios.length) % radios.length].focus();
  }
}

/** @param {string} address */
function linkEntry(address) {
  const entry = document.createElement("li");
  entry.append(
    Object.assign(document.createElement("a"), {
      href: address,
      target: "_blank",
      rel: "noopener noreferrer",
      textContent: address,
    }),
  );
  return entry;
}
