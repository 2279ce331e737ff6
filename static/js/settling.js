// When the server, another tab or another device has other words for an answer: both are shown, and neither overwrites the
// other unasked. Fetched with the first key.

import { isHere } from "./answering.js";
import { askWhichToKeep } from "./dialogs.js";
import { together } from "./passages.js";
import { countAnswered, goTo, inWords, itemOf, mark, place, same, say, sheet } from "./sentences.js";
import { translate } from "./words.js";

export class Settling {
  /** `means` has the page's `answering`, `outbox`, `questions` and `trouble(words)`. */
  constructor(means) {
    this.means = means;
  }

  /** Another tab of this browser has saved an answer. Where one waits here as well, the server says so, and the rater chooses. */
  savedElsewhere({ item: id, answers, version, evidence }) {
    const { outbox } = this.means;
    const item = itemOf(id);
    if (!item || outbox.entries.some((entry) => entry.item === id)) return;
    outbox.versions.set(id, version);
    this.means.answering.takeOver(item, answers, evidence);
    if (isHere(item)) say(translate("%(place)s: %(answer)s, answered in another tab.", { place: place(item), answer: inWords(sheet.work.protocol, answers) }));
  }

  /** Another tab or device was first. */
  async settle(entry, theirs) {
    const { outbox } = this.means;
    const item = itemOf(entry.item);
    outbox.versions.set(entry.item, theirs.version);
    const last = outbox.holdLast(entry); // what was answered here since
    const { answers: mine, more } = last;
    const stored = theirs.version ? theirs.answers : null;
    const isSameAnswer = same(mine, stored);
    const passages = isSameAnswer ? together(more?.evidence ?? [], theirs.evidence ?? []) : theirs.evidence;
    const isLacking = isSameAnswer && mine && passages.length > (theirs.evidence?.length ?? 0); // theirs lacks a passage of mine
    const keep = isSameAnswer ? "theirs" : await askWhichToKeep(sheet.work.protocol, item, mine, stored);
    if (keep === "mine") outbox.add(entry.assignment, entry.item, mine, entry.seconds, more);
    else if (isLacking) outbox.add(entry.assignment, entry.item, mine, entry.seconds, { ...more, evidence: passages });
    outbox.letGo(last);
    if (item && keep === "theirs") this.means.answering.takeOver(item, stored, passages);
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
    return this.means.outbox.add(entry.assignment, entry.item, entry.answers, entry.seconds, { suggestions: entry.more.suggestions });
  }
}
