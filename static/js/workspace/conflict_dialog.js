// When the server, another tab or another device has another answer than this page: both are shown, and neither
// replaces the other without a question. Also answers that the server refused. Loaded with the first key.

import { mergeComments } from "../offline/journal.js";
import { translate } from "../shared/translate.js";
import { mergeEvidence } from "./passages.js";
import { announce, sameAnswers } from "./sheet.js";
import { commentOf } from "./side_panel.js";

export class ConflictDialog {
  /**
   * @param {object} dependencies
   * @param {Sheet} dependencies.sheet
   * @param {Dialogs} dependencies.dialogs
   * @param {Answering} dependencies.answering
   * @param {AnyOutbox} dependencies.outbox
   * @param {QuestionForm} dependencies.questions
   * @param {TypedTexts} dependencies.texts
   * @param {SidePanel} dependencies.sidePanel
   * @param {ShowNotice} dependencies.showNotice
   * @param {(item: string) => void} dependencies.refillFields shows changed text in the drawer
   */
  constructor({ sheet, dialogs, answering, outbox, questions, texts, sidePanel, showNotice, refillFields }) {
    this.sheet = sheet;
    this.dialogs = dialogs;
    this.answering = answering;
    this.outbox = outbox;
    this.questions = questions;
    this.texts = texts;
    this.sidePanel = sidePanel;
    this.showNotice = showNotice;
    this.refillFields = refillFields;
  }

  /**
   * Adopts an answer that another tab or device has saved. If one waits here too, the server reports a conflict.
   * @param {StoredAnswer & { item: string }} stored
   */
  applyStoredAnswer({ item: id, answers, version, evidence, comment }) {
    const item = this.sheet.findItem(id);
    if (!item || this.outbox.entries.some((entry) => entry.item === id)) return;
    this.outbox.versions.set(id, version);
    this.answering.applyStoredAnswer(item, answers, evidence);
    if (answers) this.applyStoredComment(item, comment ?? item.comment);
    this.sidePanel.sendComment(item);
    if (this.sheet.isOnSheet(item))
      announce(
        translate("%(place)s: %(answer)s, answered in another tab.", {
          place: this.sheet.itemLabel(item),
          answer: this.sheet.answerText(answers),
        }),
      );
  }

  /**
   * Another tab or device has saved an answer first.
   * @param {JournalEntry} entry
   * @param {StoredAnswer} data
   */
  async resolve(entry, data) {
    const { item: id = "" } = entry;
    const item = this.sheet.findItem(id);
    this.outbox.versions.set(id, data.version);
    const last = this.outbox.suspendLastAnswer(entry); // the answer given here since
    const stored = { ...data, answers: data.version ? data.answers : null };
    if (sameAnswers(last.answers ?? null, stored.answers)) this.mergeDetails(last, item, stored);
    else await this.askForChoice(last, item, stored);
    this.outbox.endConflict(last);
  }

  /**
   * Two equal answers: passages and comments of both are merged.
   * @param {JournalEntry} last
   * @param {Item | null} item
   * @param {StoredAnswer} stored
   */
  mergeDetails(last, item, stored) {
    const evidence = mergeEvidence(last.more?.evidence ?? [], stored.evidence);
    if (item) this.answering.applyStoredAnswer(item, stored.answers, evidence);
    if (!stored.answers) return;
    if (item) this.applyStoredComment(item, stored.comment);
    const comment = item ? commentOf(item).trim() : mergeComments(last.more?.comment ?? "", stored.comment);
    if (evidence.length > stored.evidence.length || comment !== stored.comment)
      this.send(last, item, { evidence, comment });
  }

  /**
   * @param {JournalEntry} last
   * @param {Item | null} item
   * @param {StoredAnswer} stored
   */
  async askForChoice(last, item, stored) {
    const { answers = null, more } = last;
    if (item) item.isInConflict = true; // changes meanwhile wait for the choice too
    const own = { answers, comment: item ? commentOf(item) : more?.comment };
    const choice = await this.dialogs.askWhichToKeep(item, own, stored);
    if (item) item.isInConflict = false;
    if (choice === "mine") return this.send(last, item);
    if (!item) return;
    const { draft } = item;
    this.answering.applyStoredAnswer(item, stored.answers, stored.evidence);
    this.answering.undoTyped(item, draft);
    this.texts.remove(item, "comment");
    this.applyStoredComment(item, stored.comment);
  }

  /**
   * Sends the own answer as it is now; of a response that the page does not have, as it was given.
   * @param {JournalEntry} entry
   * @param {Item | null} item
   * @param {AnswerDetails} changes
   */
  send({ assignment, item: id = "", answers = null, seconds = 0, more }, item, changes = {}) {
    if (item) this.answering.send(item);
    else this.outbox.sendAnswer(assignment, id, answers, seconds, { ...more, ...changes });
  }

  /**
   * @param {Item} item
   * @param {string} stored
   */
  applyStoredComment(item, stored) {
    this.texts.mergeComment(item, stored);
    this.refillFields(item.id);
  }

  /**
   * The server refused an answer.
   * @param {JournalEntry} entry
   * @param {number} status
   * @param {ApiData} data
   */
  showRefused(entry, status, data) {
    const item = this.sheet.findItem(entry.item);
    if (status === 400 && data?.errors?.evidence && entry.more?.evidence)
      return this.dropEvidence(entry, item, data.errors.evidence);
    const reason = data?.detail ?? translate("the server answered %(status)s", { status });
    if (status !== 400 || !item)
      return this.showNotice(translate("An answer could not be saved: %(reason)s", { reason }));
    item.answers = null;
    if (!this.sheet.isOnSheet(item))
      return this.showNotice(
        translate("An answer in the previous response could not be saved: %(reason)s Undo (U) returns to it.", {
          reason: data?.detail ?? "",
        }),
      );
    this.sheet.showState(item);
    this.sheet.showProgress();
    this.sheet.selectItem(item);
    return this.questions.showProblems(item.draft, data.errors ?? {});
  }

  /**
   * Saves the answer without passages that cannot be stored.
   * @param {JournalEntry} entry
   * @param {Item | null} item
   * @param {string[]} problems
   */
  dropEvidence({ assignment, item: id = "", answers = null, seconds = 0, more }, item, problems) {
    this.showNotice(
      translate("The passages attached could not be saved, so the answer is saved without them: %(problems)s", {
        problems: problems.join(" "),
      }),
    );
    if (item) this.answering.setEvidence(item, []);
    this.outbox.sendAnswer(assignment, id, answers, seconds, { ...more, evidence: undefined });
  }
}
