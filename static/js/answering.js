// Answering: what a choice does to the sentence, what goes to the outbox, and undo at any depth, over responses too.

import { sameEvidence, together, withPassages, isSame } from "./attached.js";
import { isComplete, prune } from "./protocol.js";
import { withAnswer } from "./questions.js";
import { advance, countAnswered, focusDock, goTo, hear, inWords, isOpen, mark, place, same, say, sheet, tell, textOf } from "./sentences.js";

const LONGEST_LOOK = 600; // seconds: whoever was away longer was not reading
const undoButton = document.querySelector("[data-undo]");

export class Answering {
  /** `means` has the page's `questions`, `drafts`, `evidence`, `outbox`, `dialogs()` and `trouble(words)`. */
  constructor(means) {
    this.means = means;
    this.undone = []; // what U takes back, last last: {item, answers, evidence} as they were before
    hear("lit", () => this.ask());
  }

  /** Shows the questions as the lit sentence's answers stand. */
  ask() {
    this.means.questions.show(sheet.now.draft);
    undoButton.disabled = !this.undone.length && !isBegun(sheet.now);
  }

  choose(question, value) {
    const { questions } = this.means;
    const { now, work } = sheet;
    now.draft = prune(work.protocol, withAnswer(work.protocol, now.draft, question, value));
    const more = questions.asksMore(now.draft);
    const complete = isComplete(work.protocol, now.draft);
    if (complete) this.give(now, now.draft);
    if (complete && !more) return advance();
    mark(now, work.protocol);
    this.ask();
    if (!more) questions.complain(now.draft);
    return questions.focusOpen(now.draft);
  }

  /** Takes the answer as given: shown at once, saved by the outbox, undone by U. */
  give(item, answers) {
    if (same(item.answers, answers)) return;
    this.remember(item);
    item.answers = { ...answers };
    item.draft = { ...answers };
    this.store(item);
  }

  /** How the sentence stood; `draft` is what was begun and stays begun when a passage is taken back. */
  remember(item, draft = null) {
    this.undone.push({ item, answers: item.answers, evidence: item.evidence, draft });
  }

  /** Marks the sentence and takes it to the server; passages without an answer wait in this browser for one. */
  store(item, isWithAnswer = true) {
    const { work } = sheet;
    mark(item, work.protocol);
    countAnswered();
    if (!work.preview) this.means.drafts.keep(work.id, item.id, item.answers ? [] : item.evidence);
    if (!isWithAnswer) return;
    const more = item.answers ? withIt(item) : {};
    tell("giving", { assignment: work.id, item: item.id, answers: item.answers, more });
    this.means.outbox.add(work.id, item.id, item.answers, secondsLooked(), more);
  }

  // Evidence

  attach(passages, stance) {
    this.change(sheet.now, withPassages(sheet.now.evidence, passages, stance));
  }

  takeOff(passage) {
    this.change(sheet.now, sheet.now.evidence.filter((other) => !isSame(other, passage)));
    focusDock();
    say(`Taken off: ${passage.text}`);
  }

  change(item, passages) {
    if (sameEvidence(item.evidence, passages)) return;
    this.remember(item, isBegun(item) ? item.draft : null);
    this.setEvidence(item, passages);
    this.store(item, Boolean(item.answers));
    undoButton.disabled = false;
  }

  setEvidence(item, passages) {
    item.hadEvidence ||= item.evidence.length > 0;
    item.evidence = passages;
    if (item === sheet.now) this.means.evidence.changed();
  }

  // Undo

  undo() {
    const last = this.undone.at(-1);
    const { now, work } = sheet;
    const wasBegunBefore = last?.item === now && last.draft && same(last.draft, now.draft); // the passage came after
    if (isBegun(now) && !wasBegunBefore) {
      now.draft = { ...now.answers };
      return goTo(now);
    }
    if (!last) return say("Nothing to undo.");
    if (!last.answers && last.item.answers && work.finished) return this.means.trouble("This response is finished, so an answer can be changed but not taken back.");
    this.undone.pop();
    this.goBackTo(last);
    goTo(last.item);
    return say(`Undone. ${place(last.item)}: ${inWords(work.protocol, last.item.answers)}, ${counted(last.item.evidence)}.`);
  }

  goBackTo({ item, answers, evidence: passages, draft }) {
    const isAnswered = Boolean(answers || item.answers);
    item.answers = answers && { ...answers };
    item.draft = { ...(draft ?? answers) };
    this.setEvidence(item, passages);
    this.store(item, isAnswered);
  }

  // What the server said

  saved(entry) {
    const item = find(entry);
    if (!item) return;
    const { now, work } = sheet;
    const words = entry.answers ? `${inWords(work.protocol, entry.answers)}, saved` : "taken back, saved";
    say(`${place(item)}: ${words}.${now === item ? "" : ` Now ${work.protocol.unit} ${now.index + 1}: ${textOf(now)}`}`);
  }

  /** Another tab or device was first. */
  async settle(entry, theirs) {
    const { outbox, dialogs } = this.means;
    const item = find(entry);
    outbox.versions.set(entry.item, theirs.version);
    const later = outbox.entries.filter((other) => other.item === entry.item).at(-1);
    outbox.forget((other) => other.item === entry.item);
    const { answers: mine, more } = later ?? entry;
    const stored = theirs.version ? theirs.answers : null;
    const isSameAnswer = same(mine, stored);
    const passages = isSameAnswer ? together(more?.evidence ?? [], theirs.evidence ?? []) : theirs.evidence;
    const isLacking = isSameAnswer && mine && passages.length > (theirs.evidence?.length ?? 0); // theirs lacks a passage of mine
    const keep = isSameAnswer ? "theirs" : await (await dialogs()).askWhichToKeep(sheet.work.protocol, item, mine, stored);
    if (keep === "mine") return outbox.add(entry.assignment, entry.item, mine, entry.seconds, more);
    if (isLacking) outbox.add(entry.assignment, entry.item, mine, entry.seconds, { ...more, evidence: passages });
    if (!item) return null;
    Object.assign(item, { answers: stored, draft: { ...stored }, evidence: passages ?? item.evidence });
    this.undone = this.undone.filter((step) => step.item !== item);
    mark(item, sheet.work.protocol);
    countAnswered();
    return goTo(item);
  }

  refused(entry, status, data) {
    const { questions, trouble } = this.means;
    const item = find(entry);
    if (status === 400 && data?.errors?.evidence && entry.more?.evidence) return this.dropEvidence(entry, item, data.errors.evidence);
    if (status !== 400 || !item) return trouble(`An answer could not be saved: ${data?.detail ?? `the server said ${status}`}`);
    item.answers = null;
    mark(item, sheet.work.protocol);
    countAnswered();
    goTo(item);
    return questions.complain(item.draft, data.errors ?? {});
  }

  /** The answer must not be lost because a passage of it cannot be stored. */
  dropEvidence(entry, item, problems) {
    this.means.trouble(`The passages attached could not be saved, so the answer is saved without them: ${problems.join(" ")}`);
    if (item) this.setEvidence(item, []);
    return this.means.outbox.add(entry.assignment, entry.item, entry.answers, entry.seconds, { suggestions: entry.more.suggestions });
  }
}

function find(entry) {
  return sheet.items.find(({ id }) => id === entry.item);
}

/** Whether something was chosen that is not an answer yet. */
function isBegun(item) {
  return !same(item.draft, item.answers ?? {});
}

/** What is said beside the answers. Without an article there is nothing to say; evidence never touched stays as it is stored. */
function withIt(item) {
  const { work } = sheet;
  if (work.document === "none") return {};
  const suggestions = item.suggestions === "used" ? "used" : work.suggestions ? "on" : item.suggestions || "off";
  const hasBeenTouched = item.evidence.length || item.hadEvidence;
  return hasBeenTouched ? { evidence: item.evidence, suggestions } : { suggestions };
}

function secondsLooked() {
  return Math.min(LONGEST_LOOK, Math.round((performance.now() - sheet.litAt) / 100) / 10);
}

function counted(passages) {
  return passages.length === 1 ? "1 passage attached" : `${passages.length || "no"} passages attached`;
}
