// The sheet in the page and its sentences: which one is lit, which are answered and how. Only attributes and classes change.
// Other modules hear of it by events on `document` (docs/workspace.md): `hear("lit", …)` is told of every sentence that is lit.

import { askedAbout, isComplete } from "../shared/protocol.js";
import { plural, translate } from "../shared/translate.js";

const UNITS = {
  sentence: (n) => plural("sentence", "sentences", n),
  claim: (n) => plural("claim", "claims", n),
  fact: (n) => plural("fact", "facts", n),
  response: (n) => plural("response", "responses", n),
  pair: (n) => plural("pair", "pairs", n),
};

/**
 * What the page shows: `work` is what the server said about it when it was asked at `askedAt` (milliseconds), `now` the item
 * that is lit; `isTurning` to another response; `isOpening` is the button whose drawer was asked for and is not there yet;
 * `asking` the questions to the leads that wait to be sent; `marking` what was put on the pile or taken off when the sheet was
 * opened, and the server may not have known when it made the page.
 */
export const sheet = { work: null, askedAt: 0, items: [], now: null, litAt: 0, isTurning: false, isOpening: null, asking: [], marking: [] };
/** Sheets that were left and can be put back as they were, by assignment: `{work, items, …}`. See finish_response.js. */
export const parked = new Map();
export const part = (name) => document.querySelector(`[data-part="${name}"]`);

/** Tells every module that listens to `factuary:name`. */
export function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(`factuary:${name}`, { detail }));
}

export function hear(name, listener) {
  document.addEventListener(`factuary:${name}`, (event) => listener(event.detail));
}

/** For screen readers, politely. */
export function say(words) {
  document.querySelector("[data-live]").textContent = words;
}

/** Takes over the sheet that stands in the page: the page's own, or one that was asked for later. */
export function readSheet(askedAt = Date.now() - performance.now()) {
  sheet.askedAt = askedAt;
  sheet.work = JSON.parse(document.getElementById("work").textContent);
  sheet.items = readItems(part("answer"), sheet.work);
  sheet.now = null;
}

/** The item of that id on this sheet or on one that was left. */
export function itemOf(id) {
  for (const { items } of [sheet, ...parked.values()]) {
    const found = items.find((item) => item.id === id);
    if (found) return found;
  }
  return null;
}

/** What the server said about that assignment, if it is in the page or was. */
export function workOf(assignment) {
  return sheet.work.id === assignment ? sheet.work : parked.get(assignment)?.work;
}

/** Lights a sentence. */
export function goTo(item) {
  const before = sheet.now;
  const { work, items } = sheet;
  sheet.now = item;
  sheet.litAt = performance.now();
  if (before && before !== item) mark(before, work.protocol);
  light(before === item ? null : before, item);
  showSources(item);
  const number = String(item.index + 1).padStart(String(items.length).length, "\u2007"); // as wide as the last will be
  const at = translate("%(unit)s %(n)s of %(all)s", { unit: noun(), n: number, all: items.length });
  for (const place of document.querySelectorAll("[data-at]")) place.textContent = at;
  document.querySelector("[data-sentence-now]").textContent = `${place(item)}: ${textOf(item)}`;
  document.querySelector("[data-strip-text]").textContent = textOf(item);
  tell("lit", { assignment: work.id, item: item.id, position: item.position, index: item.index, text: textOf(item) });
  if (!document.activeElement?.closest("[data-desk], dialog")) focusDock();
}

export function focusDock() {
  document.querySelector("[data-dock]").focus({ preventScroll: true });
}

export function move(step) {
  const next = sheet.items[sheet.now.index + step];
  if (!next) return;
  goTo(next);
  say(`${place(next)}: ${textOf(next)} ${next.answers ? `(${inWords(sheet.work.protocol, next.answers)})` : ""}`.trim());
}

/** Goes to the next sentence without an answer. */
export function advance() {
  const { items, now } = sheet;
  goTo(items.slice(now.index + 1).find(isOpen) ?? items.find(isOpen) ?? now);
  if (document.activeElement?.closest("[inert]") || document.activeElement === document.body) focusDock();
}

export function countAnswered() {
  const { items } = sheet;
  const done = items.filter((item) => !isOpen(item)).length;
  const progress = document.querySelector("[data-progress]");
  progress.max = Math.max(1, items.length);
  progress.value = done;
  document.querySelector("[data-progress-words]").textContent = translate("%(n)s of %(all)s", { n: done, all: items.length });
  document.querySelector("[data-finish]").classList.toggle("ready", done === items.length && !sheet.work.finished);
}

/** What is rated, in words: "sentence", "sentences". */
export function unitWord(count = 1) {
  return UNITS[sheet.work.protocol.unit](count);
}

function noun() {
  const word = unitWord();
  return word[0].toUpperCase() + word.slice(1);
}

/** "Sentence 4 of 9" */
export function place(item) {
  return translate("%(unit)s %(n)s of %(all)s", { unit: noun(), n: item.index + 1, all: sheet.items.length });
}

/** The items of the sheet with their spans, in order. `work` is what the page says about them. */
function readItems(root, work) {
  const prompt = root.querySelector(".prompt")?.textContent.trim() ?? "";
  const spans = new Map();
  for (const span of root.querySelectorAll(".s[data-item]")) {
    const position = Number(span.dataset.item);
    spans.set(position, [...(spans.get(position) ?? []), span]);
  }
  return work.items.map((item, index) => ({
    ...item,
    assignment: work.id,
    index,
    prompt,
    answers: item.answers ?? null,
    draft: { ...(item.answers ?? {}) },
    evidence: (item.evidence ?? []).filter(isPassage),
    suggestions: item.suggestions ?? "",
    spans: spans.get(item.position) ?? [],
  }));
}

/** An import may have brought other kinds of evidence, which the page leaves alone. */
function isPassage({ paragraph, start, end, stance, text }) {
  return [paragraph, stance, text].every((each) => typeof each === "string") && [start, end].every(Number.isInteger);
}

/** Whether two answers say the same; null is no answer. */
export function same(a, b) {
  if (!a || !b) return a === b;
  return Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
}

/** Without an answer, or with one that was begun and not completed; the last also while what is asked once has no answer. */
export function isOpen(item) {
  if (!item.answers || isBegun(item)) return true;
  const { items, work } = sheet;
  return item === items.at(-1) && work.protocol.questions.some(({ once }) => once) && !isComplete(asked(item), item.answers);
}

/** Whether something was chosen that is not an answer yet. */
export function isBegun(item) {
  return !same(item.draft, item.answers ?? {});
}

/** What it says; of a pair, which has no place of its own in the text, the prompt. */
export function textOf(item) {
  if (!item.spans.length) return item.prompt;
  return item.spans.map((span) => span.textContent).join("").replace(/\s+/g, " ").trim();
}

/** The option that says most of an answer, the first that has a colour, and the one to a question that hangs on it. */
export function chosen(protocol, answers) {
  const pairs = protocol.questions.map((question) => [question, question.options.find(({ key }) => key === answers?.[question.key])]);
  const given = pairs.filter(([, option]) => option);
  const [main, first] = given.find(([, { tone }]) => tone !== "neutral") ?? given[0] ?? [];
  const second = main && given.find(([question]) => main.key in question.show_when)?.[1];
  return [first, second];
}

/** "Inaccurate, Severe", or the words of a text answer. */
export function inWords(protocol, answers) {
  const given = protocol.questions.map((question) => {
    const answer = answers?.[question.key];
    return question.options.find((option) => option.key === answer)?.label ?? (typeof answer === "string" ? translate("“%(text)s”", { text: answer }) : null);
  });
  return given.filter(Boolean).join(", ") || translate("no answer");
}

/** Shows sign, colour and underline of an answer. A flagged answer is underlined; a severe one differently again. */
export function mark(item, protocol) {
  const open = isOpen(item);
  const [first, second] = chosen(protocol, item.draft);
  const flag = !second ? null : ["inaccurate", "disputed"].includes(second.tone) ? "heavy" : "light";
  const whole = first && (first.sign || first.label.slice(0, 1)) + (flag === "heavy" ? second.sign : "");
  const sign = first ? (open ? "…" : whole) : null; // begun, but not complete
  for (const span of item.spans) {
    set(span, "state", open ? "open" : "answered");
    set(span, "tone", first?.tone ?? null);
    set(span, "flag", flag);
    set(span, "sign", span.classList.contains("first") ? (sign ?? (item.answers ? "✓" : null)) : null);
  }
}

function set(span, name, value) {
  if (value === null) delete span.dataset[name];
  else span.dataset[name] = value;
}

/** Lights `item` and lets it be seen. */
export function light(before, item) {
  for (const span of before?.spans ?? []) span.classList.remove("now");
  for (const span of item.spans) span.classList.add("now");
  keepInSight(item);
}

/** Scrolls only if it has to: a notice takes its room from the end of the response. */
export function keepInSight(item = sheet.now) {
  item?.spans.at(-1)?.scrollIntoView({ block: "nearest" });
  item?.spans[0]?.scrollIntoView({ block: "nearest" });
}

/** Of the evidence that came with the items, shows that of this one, from its beginning. */
function showSources({ position }) {
  const box = part("article").querySelector("[data-sources]");
  if (!box) return;
  for (const section of box.querySelectorAll("[data-sources-of]")) section.hidden = section.dataset.sourcesOf !== String(position);
  box.scrollTop = 0;
}

/** A line with an item's number and text, to be chosen. */
export function entry(item, chosen) {
  const line = document.createElement("li");
  const button = document.createElement("button");
  const number = document.createElement("span");
  number.className = "num";
  number.textContent = item.index + 1;
  button.type = "button";
  button.append(number, Object.assign(document.createElement("span"), { dir: "auto", textContent: textOf(item) }));
  button.addEventListener("click", chosen);
  line.append(button);
  return line;
}

/** What is asked about an item: some questions come once, with the item that they are answered with or else the last one, some
    with items of a kind. As in annotation/rating/whole_response_questions.py. */
export function asked(item) {
  const { items, work: { protocol } } = sheet;
  const once = protocol.questions.filter((question) => question.once);
  const hasIt = (answers) => once.some(({ key }) => answers?.[key] !== undefined);
  const isElsewhere = () => items.some((other) => other !== item && hasIt(other.answers));
  const isAsked = hasIt(item.answers) || ((item === items.at(-1) || hasIt(item.draft)) && !isElsewhere());
  return askedAbout(protocol, isAsked, item.kind);
}
