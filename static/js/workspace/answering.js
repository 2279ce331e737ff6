// Answering: the questions under the response, what a choice does to the sentence, what goes to the outbox, and undo at any
// depth, over responses too. What the server objects to is in conflict_dialog.js.

import { dropTyped, keepTyped, typedIn } from "../offline/journal.js";
import { isSame, sameEvidence, withPassages } from "./passages.js";
import { addresses, holds, isAddress, isBlank, isComplete, isWritten, problems, prune, visibleQuestions, withAnswer } from "../shared/protocol.js";
import { advance, asked, countAnswered, focusDock, goTo, hear, inWords, isBegun, itemOf, mark, place, same, say, sheet, tell, textOf, unitWord } from "./sheet.js";
import { plural, translate } from "../shared/translate.js";

const LONGEST_LOOK = 600; // seconds: whoever was away longer was not reading
const undoButton = document.querySelector("[data-undo]");

export class Answering {
  /** `means` has the page's `questions`, `journal`, `evidence`, `outbox`, `goBack(step)` and `trouble(words, tone)`. */
  constructor(means) {
    this.means = means;
    this.undone = []; // what U takes back, last last: {item, answers, evidence} as they were before, or
    // {left: assignment, item}, the step to another response
    hear("lit", () => this.ask());
    hear("again", ({ item }) => this.store(itemOf(item)));
  }

  /** Shows the questions as the lit sentence's answers stand. */
  ask() {
    this.means.questions.ask(asked(sheet.now));
    this.means.questions.show(sheet.now.draft);
    undoButton.disabled = !this.undone.length && !isBegun(sheet.now);
  }

  /** Whether that was the whole answer: then the next sentence is lit. */
  choose(question, value) {
    const { questions } = this.means;
    const { now, work } = sheet;
    now.draft = withTyped(now, withAnswer(work.protocol, now.draft, question, value));
    const more = questions.asksMore(now.draft);
    const complete = isComplete(asked(now), now.draft);
    if (complete) this.give(now, now.draft);
    if (complete && !more) return advance() ?? true;
    mark(now, work.protocol);
    this.writeBegun(now);
    this.ask();
    if (more) questions.complainOf(question, now.draft);
    else questions.complain(now.draft);
    questions.focusOpen(now.draft);
    return false;
  }

  /** At every key in a field: what stands there is begun, and is an answer when the field is left. */
  type(question, value) {
    const { now } = sheet;
    keepTyped(now, fieldOf(question), value);
    now.draft = withTyped(now, now.draft);
    this.writeBegun(now);
  }

  /** Takes the answer as given: shown at once, saved by the outbox, undone by U. */
  give(item, answers) {
    if (same(item.answers, answers)) return tell("confirmed", { item: item.id });
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
    if (isWithAnswer) this.send(item);
    this.writeBegun(item);
  }

  send(item) {
    if (item.isSettling) return; // until the rater has chosen (conflict_dialog.js)
    const more = item.answers ? withIt(item) : {};
    tell("giving", { assignment: item.assignment, item: item.id, answers: item.answers, more });
    this.means.outbox.add(item.assignment, item.id, item.answers, secondsLooked(item), more);
  }

  /** What is begun and no answer yet is written down in this browser. */
  writeBegun(item) {
    const { journal, outbox } = this.means;
    const waits = isBegun(item) || (!item.answers && item.evidence.length > 0);
    if (waits) journal?.put("begun", { item: item.id, assignment: sheet.work.id, at: Date.now(), base: outbox.versions.get(item.id), draft: item.draft, evidence: item.answers ? null : item.evidence });
    else if (item.isWritten) journal?.remove("begun", item.id);
    item.isWritten = waits;
  }

  // Evidence

  attach(passages, stance) {
    this.change(sheet.now, withPassages(sheet.now.evidence, passages, stance));
  }

  takeOff(passage) {
    this.change(sheet.now, sheet.now.evidence.filter((other) => !isSame(other, passage)));
    focusDock();
    say(translate("Taken off: %(text)s", { text: passage.text }));
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
      const before = now.draft;
      now.draft = { ...now.answers };
      takeWordsBack(now, before);
      this.writeBegun(now);
      goTo(now);
      return say(translate("Undone. %(place)s: %(answer)s.", { place: place(now), answer: inWords(work.protocol, now.answers) }));
    }
    if (!last) return say(translate("Nothing to undo."));
    if (last.left) return this.means.goBack(this.undone.pop());
    if (!last.answers && last.item.answers && work.finished) return this.stand(this.undone.pop().item);
    this.undone.pop();
    this.goBackTo(last);
    goTo(last.item);
    return say(translate("Undone. %(place)s: %(answer)s, %(passages)s.", { place: place(last.item), answer: inWords(work.protocol, last.item.answers), passages: counted(last.item.evidence) }));
  }

  /** The answer of a finished response can be changed, not taken back. */
  stand(item) {
    goTo(item);
    const words = translate("This response is finished, so “%(answer)s” stands until you give another answer.", { answer: inWords(sheet.work.protocol, item.answers) });
    this.means.trouble(words, "info");
  }

  goBackTo({ item, answers, evidence: passages, draft }) {
    const isAnswered = Boolean(answers || item.answers);
    const before = item.draft;
    item.answers = answers && { ...answers };
    item.draft = { ...(draft ?? answers) };
    takeWordsBack(item, before);
    this.setEvidence(item, passages);
    this.store(item, isAnswered);
  }

  // What the server said

  saved(entry) {
    const { work } = sheet;
    const item = itemOf(entry.item);
    if (item && entry.answers) forgetSaved(item, entry.answers);
    this.sayOf(entry, entry.answers ? translate("%(answer)s, saved", { answer: inWords(work.protocol, entry.answers) }) : translate("taken back, saved"));
  }

  /** The last answer cannot be sent now; `state` is in the words of the page ("Offline, 2 waiting"). */
  held(state) {
    const entry = this.means.outbox.entries.findLast(({ item }) => item);
    if (!entry) return;
    const { work } = sheet;
    const values = { answer: inWords(work.protocol, entry.answers), state };
    this.sayOf(entry, entry.answers ? translate("%(answer)s, kept here. %(state)s", values) : translate("taken back, kept here. %(state)s", values));
  }

  /** "Sentence 4 of 9: Accurate, saved. Now sentence 5: …" */
  sayOf(entry, words) {
    const item = itemOf(entry.item);
    if (!isHere(item)) return;
    const { now } = sheet;
    const isElsewhere = now && now !== item; // nothing is lit while the page is being opened
    say(`${place(item)}: ${words}.${isElsewhere ? ` ${translate("Now %(unit)s %(n)s: %(text)s", { unit: unitWord(), n: now.index + 1, text: textOf(now) })}` : ""}`);
  }

  /** Answers that an earlier page of this rater has left in this browser. */
  bringBack(entries) {
    for (const { item: id, answers, more, stored } of entries) {
      const item = id && itemOf(id);
      if (!item) continue;
      this.takeOver(item, answers, more?.evidence);
      if (answers) item[stored ? "comment" : "sent"] = more?.comment ?? item.comment;
    }
  }

  /** Shows what stands elsewhere; what was begun here stays begun. */
  takeOver(item, answers, evidence) {
    const draft = isBegun(item) && item.isWritten ? item.draft : { ...answers };
    Object.assign(item, { answers, draft, evidence: evidence ?? item.evidence, sent: undefined });
    this.undone = this.undone.filter((step) => step.left || step.item !== item);
    if (!isHere(item)) return;
    mark(item, sheet.work.protocol);
    countAnswered();
    if (item === sheet.now) this.ask();
  }
}

export function isHere(item) {
  return sheet.items.includes(item);
}

/** Where the words of a written answer are kept while they are typed. */
const fieldOf = (question) => `answers.${question}`;

const writtenQuestions = () => sheet.work.protocol.questions.filter(isWritten);

/** `draft` with what was typed and not saved yet, as far as it is asked for. */
export function withTyped(item, draft) {
  const words = writtenQuestions().map(({ key }) => [key, typedIn(item, fieldOf(key))]).filter(([, text]) => text !== undefined);
  return prune(asked(item), { ...draft, ...Object.fromEntries(words) });
}

/** Undo takes words back as well; those of a question that is not asked any more wait until it is. */
export function takeWordsBack(item, before) {
  const shown = new Set(visibleQuestions(asked(item), item.draft).map(({ key }) => key));
  for (const { key } of writtenQuestions()) {
    if (shown.has(key)) dropTyped(item, fieldOf(key));
    else if (before[key] !== undefined) keepTyped(item, fieldOf(key), before[key]);
  }
}

/** What was typed and stands in `answers`, which are stored, need not be kept. */
export function forgetSaved(item, answers) {
  for (const { key } of writtenQuestions()) {
    const text = typedIn(item, fieldOf(key));
    if (text === answers[key] || (isBlank(text ?? "") && !(key in answers))) dropTyped(item, fieldOf(key));
  }
}

/** What is said beside the answers. Without an article there is nothing to say; evidence never touched stays as it is stored. */
function withIt(item) {
  const { work } = sheet;
  if (work.document === "none") return {};
  const suggestions = item.suggestions === "used" ? "used" : work.suggestions ? "on" : item.suggestions || "off";
  const hasBeenTouched = item.evidence.length || item.hadEvidence;
  return hasBeenTouched ? { evidence: item.evidence, suggestions } : { suggestions };
}

/** At the lit sentence until now; at another as long as one was there (side_panel.js). */
function secondsLooked(item) {
  const time = item === sheet.now ? performance.now() - sheet.litAt : (item.spent ?? 0);
  return Math.min(LONGEST_LOOK, Math.round(time / 100) / 10);
}

function counted(passages) {
  return passages.length ? plural("%(n)s passage attached", "%(n)s passages attached", passages.length) : translate("no passages attached");
}

/** The questions under the response: real radio groups, shown as the protocol says for the answers so far. */
export class Questions {
  /** `chose(question, value)` is called for every answer that a person gives, `typed(question, value)` at every key in a field. */
  constructor(form, protocol, chose, typed) {
    this.form = form;
    this.protocol = protocol;
    this.typedInto = null; // the field that has words which are no answer yet
    this.groups = new Map([...form.querySelectorAll("[data-question]")].map((group) => [group.dataset.question, group]));
    form.addEventListener("click", (event) => event.target.matches("input[type=radio]") && chose(event.target.name, event.target.value));
    form.addEventListener("input", (event) => event.target.matches("textarea") && this.type(event.target, typed));
    for (const kind of ["change", "focusout"]) form.addEventListener(kind, (event) => this.leave(event.target, chose));
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  type(field, typed) {
    this.typedInto = field;
    typed(field.name, field.value);
  }

  /** Its words are an answer now. Whoever looks something up in another window has not left the field: it has the focus when
      they are back, though browsers say that it changed, and do not say so again. */
  leave(field, chose) {
    if (field !== this.typedInto || field === document.activeElement) return;
    this.typedInto = null;
    chose(field.name, field.value);
  }

  /** Asks what `protocol` asks: another item may be asked less. */
  ask(protocol) {
    this.protocol = protocol;
    if (this.hasScrolled) this.form.scrollTop = 0;
    this.hasScrolled = false;
    const keys = new Set(protocol.questions.map((question) => question.key));
    for (const [key, group] of this.groups) group.hidden = !keys.has(key);
  }

  /** Shows `answers`, and no problems. */
  show(answers) {
    const visible = new Set(visibleQuestions(this.protocol, answers).map((question) => question.key));
    for (const [key, group] of this.groups) {
      group.inert = !visible.has(key);
      this.fill(group, answers[key]);
      this.say(key, "");
    }
  }

  /** Other words than were typed: of another sentence, or as they were before. To leave the field answers nothing. */
  write(field, words) {
    field.value = words;
    if (field === this.typedInto) this.typedInto = null;
  }

  fill(group, answer) {
    for (const field of group.querySelectorAll("input, textarea")) {
      if (field.type === "radio") field.checked = field.value === answer;
      else if (field.value !== (answer ?? "")) this.write(field, answer ?? "");
    }
    showLinks(group, answer ?? "");
  }

  say(key, words) {
    const place = this.groups.get(key)?.querySelector("[data-problem]");
    if (place && place.textContent !== words) place.textContent = words;
  }

  /** Says what is missing or wrong, as the server would or did. */
  complain(answers, found = problems(this.protocol, answers)) {
    const [first] = this.groups.keys();
    for (const [key, messages] of Object.entries(found)) this.say(this.groups.has(key) ? key : first, messages.join(" "));
  }

  /** Says what is wrong with one answer that was given. */
  complainOf(question, answers) {
    if (question in answers) this.say(question, (problems(this.protocol, answers)[question] ?? []).join(" "));
  }

  /** The choice that a key stands for among the questions that are shown, or null. `isMeant(question, option)` takes their keys. */
  choiceFor(isMeant, answers) {
    for (const question of visibleQuestions(this.protocol, answers)) {
      const option = question.options.find(({ key }) => isMeant(question.key, key));
      if (option) return { question: question.key, value: option.key };
    }
    return null;
  }

  /** The field of a shown question that a key leads to, or null. `isMeant(question)` takes its key. */
  fieldFor(isMeant, answers) {
    const question = visibleQuestions(this.protocol, answers).find(({ key }) => isMeant(key));
    return question ? this.groups.get(question.key).querySelector("textarea") : null;
  }

  /** Whether a question that is shown has no answer yet. */
  asksMore(answers) {
    return visibleQuestions(this.protocol, answers).some((question) => !(question.key in answers));
  }

  /** Moves the focus to the first question that needs an answer, else to options: a later one must not be forgotten. A
      text that may stay open never takes the keys. */
  focusOpen(answers) {
    const open = visibleQuestions(this.protocol, answers).filter((question) => !(question.key in answers));
    const next = open.find((question) => question.required && holds(question.require_when, answers)) ?? open.find(({ kind }) => kind === "choice");
    const field = next && this.groups.get(next.key).querySelector("input, textarea");
    field?.focus({ preventScroll: true, focusVisible: false });
    field?.scrollIntoView({ block: "nearest" });
    this.hasScrolled = Boolean(field);
  }

  /** Arrow keys within a group move the focus only: choosing with them would rate what one passes. */
  moveFocus(radio, step) {
    const radios = [...radio.closest("[data-question]").querySelectorAll("input[type=radio]")];
    radios[(radios.indexOf(radio) + step + radios.length) % radios.length].focus();
  }
}

/** Puts the addresses in `text` as links into the list under the field of `group`. */
function showLinks(group, text) {
  const list = group.querySelector("[data-links]");
  list?.replaceChildren(...addresses(text).filter(isAddress).map(linkTo));
}

function linkTo(address) {
  const line = document.createElement("li");
  line.append(Object.assign(document.createElement("a"), { href: address, target: "_blank", rel: "noopener noreferrer", textContent: address }));
  return line;
}
