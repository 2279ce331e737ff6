// When the server, another tab or another device has other words for an answer: both are shown, and neither overwrites the
// other unasked. Fetched with the first key.

import { isHere, takeWordsBack } from "./answering.js";
import { commentOf, sendComment } from "./side_panel.js";
import { askWhichToKeep } from "./dialogs.js";
import { bothComments, dropTyped, settleComment } from "../offline/journal.js";
import { together } from "./passages.js";
import { countAnswered, goTo, inWords, itemOf, mark, place, same, say, sheet, tell } from "./sheet.js";
import { translate } from "../shared/translate.js";

export class Settling {
  /** `means` has the page's `answering`, `outbox`, `questions` and `trouble(words)`. */
  constructor(means) {
    this.means = means;
  }

  /** Another tab of this browser has saved an answer. Where one waits here as well, the server says so, and the rater chooses. */
  savedElsewhere({ item: id, answers, version, evidence, comment }) {
    const { outbox } = this.means;
    const item = itemOf(id);
    if (!item || outbox.entries.some((entry) => entry.item === id)) return;
    outbox.versions.set(id, version);
    this.means.answering.takeOver(item, answers, evidence);
    if (answers) this.takeComment(item, comment ?? item.comment);
    sendComment(item);
    if (isHere(item)) say(translate("%(place)s: %(answer)s, answered in another tab.", { place: place(item), answer: inWords(sheet.work.protocol, answers) }));
  }

  /** Another tab or device was first. */
  async settle(entry, theirs) {
    const { outbox } = this.means;
    const item = itemOf(entry.item);
    outbox.versions.set(entry.item, theirs.version);
    const last = outbox.holdLast(entry); // what was answered here since
    const stored = { ...theirs, answers: theirs.version ? theirs.answers : null };
    if (same(last.answers, stored.answers)) this.keepBoth(last, item, stored);
    else await this.keepOne(last, item, stored);
    outbox.letGo(last);
  }

  /** The same answer: it stands, with the passages and the comments of both. */
  keepBoth(last, item, stored) {
    const evidence = together(last.more?.evidence ?? [], stored.evidence);
    if (item) this.means.answering.takeOver(item, stored.answers, evidence);
    if (!stored.answers) return;
    if (item) this.takeComment(item, stored.comment);
    const comment = item ? commentOf(item).trim() : bothComments(last.more?.comment ?? "", stored.comment);
    if (evidence.length > stored.evidence.length || comment !== stored.comment) this.send(last, item, { evidence, comment });
  }

  async keepOne(last, item, stored) {
    const { answers, more } = last;
    if (item) item.isSettling = true; // what is typed or left meanwhile waits for the choice as well
    const keep = await askWhichToKeep(sheet.work.protocol, item, { answers, comment: item ? commentOf(item) : more?.comment }, stored);
    if (item) item.isSettling = false;
    if (keep === "mine") return this.send(last, item);
    if (!item) return null;
    const before = item.draft;
    this.means.answering.takeOver(item, stored.answers, stored.evidence);
    takeWordsBack(item, before);
    dropTyped(item, "comment");
    return this.takeComment(item, stored.comment);
  }

  /** Mine, as it stands now; of a response that the page does not have, as it was given. */
  send({ assignment, item: id, answers, seconds, more }, item, changed = {}) {
    if (item) return this.means.answering.send(item);
    return this.means.outbox.add(assignment, id, answers, seconds, { ...more, ...changed });
  }

  takeComment(item, stored) {
    settleComment(item, stored);
    tell("typed-elsewhere", { item: item.id });
  }

  refused(entry, status, data) {
    const { questions, trouble } = this.means;
    const item = itemOf(entry.item);
    if (status === 400 && data?.errors?.evidence && entry.more?.evidence) return this.dropEvidence(entry, item, data.errors.evidence);
    const reason = data?.detail ?? translate("the server said %(status)s", { status });
    if (status !== 400 || !item) return trouble(translate("An answer could not be saved: %(reason)s", { reason }));
    item.answers = null;
    if (!isHere(item)) return trouble(translate("An answer in the response before could not be saved: %(reason)s Undo (U) leads back to it.", { reason: data?.detail ?? "" }));
    mark(item, sheet.work.protocol);
    countAnswered();
    goTo(item);
    return questions.complain(item.draft, data.errors ?? {});
  }

  /** The answer must not be lost because a passage of it cannot be stored. */
  dropEvidence(entry, item, problems) {
    this.means.trouble(translate("The passages attached could not be saved, so the answer is saved without them: %(problems)s", { problems: problems.join(" ") }));
    if (item) this.means.answering.setEvidence(item, []);
    return this.means.outbox.add(entry.assignment, entry.item, entry.answers, entry.seconds, { ...entry.more, evidence: undefined });
  }
}
