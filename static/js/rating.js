// The workspace: keys and clicks in, one answer at a time out. What is where: sentences.js lights and marks, questions.js
// asks, outbox.js saves, dialogs.js talks. This file holds the state of the sheet and the rules of moving through it.

import { Find, scrollArticle, wireArticle } from "./article.js";
import { Drafts, sameEvidence, together, withPassages, isSame } from "./attached.js";
import { assignmentUrl, call } from "./calls.js";
import { askWhichToKeep, listOpen, noTrouble, nothingAsked, showLost, showSaving, trouble } from "./dialogs.js";
import { Evidence } from "./evidence.js";
import { Outbox, Trial } from "./outbox.js";
import { isComplete, prune } from "./protocol.js";
import { Questions, withAnswer } from "./questions.js";
import { inWords, isOpen, light, mark, readItems, same, textOf } from "./sentences.js";

const NOUNS = { sentence: "Sentence", claim: "Claim", fact: "Fact", response: "Response", pair: "Pair" };
const WITHOUT_DEFINITIONS = "factuary:without-definitions";
const LONGEST_LOOK = 600; // seconds: whoever was away longer was not reading

const desk = document.querySelector("[data-desk]");
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const dock = desk.querySelector("[data-dock]");
const live = document.querySelector("[data-live]");
const progress = document.querySelector("[data-progress]");
const finishButton = dock.querySelector("[data-finish]");
const undoButton = dock.querySelector("[data-undo]");

let work = readWork();
const { protocol } = work;
const noun = NOUNS[protocol.unit];
let items = [];
let now = null;
let lookedSince = performance.now();
let undone = []; // what U takes back, last last: {item, answers, evidence} as they were before
let finishing = false;

const questions = new Questions(dock, protocol, choose);
const drafts = new Drafts(work.rater);
const evidence = new Evidence(dock, { attach, remove: takeOff, used: (item) => { item.suggestions = "used"; }, say });
const find = new Find({ say, landed: (range) => evidence.choose(range), closed: () => dock.focus({ preventScroll: true }) });
const outbox = new (work.preview ? Trial : Outbox)(work.rater, {
  changed: () => { showSaving(outbox); nameFinish(); },
  saved: (entry) => sayThatSaved(entry),
  conflict: (entry, data) => settle(entry, data),
  lost: () => showLost(),
  refused: (entry, status, data) => refuse(entry, status, data),
});

function readWork() {
  return JSON.parse(document.getElementById("work").textContent);
}

async function openSheet() {
  items = readItems(part("answer"), work);
  for (const item of items) outbox.versions.set(item.id, item.version);
  for (const item of items) if (!item.answers) item.evidence = drafts.of(work.id, item.id) ?? item.evidence;
  for (const entry of await outbox.adopt(work.id)) bringBack(entry);
  evidence.open(part("article"), work);
  for (const item of items) mark(item, protocol);
  undone = [];
  now = null;
  countAnswered();
  linkTo(work.before);
  if (items.length) goTo(items.find(isOpen) ?? items[0]);
  document.body.dataset.ready = work.id;
}

/** The way back to the response finished before this one. */
function linkTo(before) {
  const link = document.querySelector("[data-before]");
  link.hidden = !before;
  if (before) link.href = before;
}

/** An answer that an earlier page could not send any more. */
function bringBack(entry) {
  const item = items.find(({ id }) => id === entry.item);
  if (item) Object.assign(item, { answers: entry.answers, draft: { ...entry.answers }, evidence: entry.more?.evidence ?? item.evidence });
}

// Moving

function goTo(item) {
  const before = now;
  now = item;
  lookedSince = performance.now();
  if (before && before !== item) mark(before, protocol);
  light(before === item ? null : before, item);
  ask();
  evidence.show(item);
  const number = String(item.index + 1).padStart(String(items.length).length, "\u2007"); // as wide as the last will be
  dock.querySelector("[data-at]").textContent = `${noun} ${number} of ${items.length}`;
  dock.querySelector("[data-sentence-now]").textContent = `${place(item)}: ${textOf(item)}`;
  desk.querySelector("[data-strip-text]").textContent = textOf(item);
  if (!desk.contains(document.activeElement)) dock.focus({ preventScroll: true });
}

/** Shows the questions as the sentence's answers stand. */
function ask() {
  questions.show(now.draft);
  undoButton.disabled = !undone.length && !isBegun(now);
}

/** Whether something was chosen that is not an answer yet. */
function isBegun(item) {
  return !same(item.draft, item.answers ?? {});
}

function move(step) {
  const next = items[now.index + step];
  if (next) goTo(next);
}

function advance() {
  goTo(items.slice(now.index + 1).find(isOpen) ?? items.find(isOpen) ?? now);
  if (document.activeElement?.closest("[inert]") || document.activeElement === document.body) dock.focus({ preventScroll: true });
}

// Answering

function choose(question, value) {
  find.close(); // n is an answer again
  now.draft = prune(protocol, withAnswer(protocol, now.draft, question, value));
  const more = questions.asksMore(now.draft);
  const complete = isComplete(protocol, now.draft);
  if (complete) give(now, now.draft);
  if (complete && !more) return advance();
  mark(now, protocol);
  ask();
  if (!more) questions.complain(now.draft);
  return questions.focusOpen(now.draft);
}

/** Takes the answer as given: shown at once, saved by the outbox, undone by U. */
function give(item, answers) {
  if (same(item.answers, answers)) return;
  remember(item);
  item.answers = { ...answers };
  item.draft = { ...answers };
  store(item);
}

/** How the sentence stood; `draft` is what was begun and stays begun when a passage is taken back. */
function remember(item, draft = null) {
  undone.push({ item, answers: item.answers, evidence: item.evidence, draft });
}

/** Marks the sentence and takes it to the server; passages without an answer wait in this browser for one. */
function store(item, isWithAnswer = true) {
  mark(item, protocol);
  countAnswered();
  if (!work.preview) drafts.keep(work.id, item.id, item.answers ? [] : item.evidence);
  if (isWithAnswer) outbox.add(work.id, item.id, item.answers, secondsLooked(), item.answers ? withIt(item) : {});
}

/** What is said beside the answers. Without an article there is nothing to say; evidence never touched stays as it is stored. */
function withIt(item) {
  if (work.document === "none") return {};
  const suggestions = item.suggestions === "used" ? "used" : work.suggestions ? "on" : item.suggestions || "off";
  const hasBeenTouched = item.evidence.length || item.hadEvidence;
  return hasBeenTouched ? { evidence: item.evidence, suggestions } : { suggestions };
}

// Evidence

function attach(passages, stance) {
  change(now, withPassages(now.evidence, passages, stance));
}

function takeOff(passage) {
  change(now, now.evidence.filter((other) => !isSame(other, passage)));
  dock.focus({ preventScroll: true });
  say(`Taken off: ${passage.text}`);
}

function change(item, passages) {
  if (sameEvidence(item.evidence, passages)) return;
  remember(item, isBegun(item) ? item.draft : null);
  setEvidence(item, passages);
  store(item, Boolean(item.answers));
  undoButton.disabled = false;
}

function setEvidence(item, passages) {
  item.hadEvidence ||= item.evidence.length > 0;
  item.evidence = passages;
  if (item === now) evidence.changed();
}

function secondsLooked() {
  return Math.min(LONGEST_LOOK, Math.round((performance.now() - lookedSince) / 100) / 10);
}

function undo() {
  const last = undone.at(-1);
  const wasBegunBefore = last?.item === now && last.draft && same(last.draft, now.draft); // the passage came after
  if (isBegun(now) && !wasBegunBefore) {
    now.draft = { ...now.answers };
    return goTo(now);
  }
  if (!last) return say("Nothing to undo.");
  if (!last.answers && last.item.answers && work.finished) return trouble("This response is finished, so an answer can be changed but not taken back.");
  undone.pop();
  goBackTo(last);
  goTo(last.item);
  return say(`Undone. ${place(last.item)}: ${inWords(protocol, last.item.answers)}, ${counted(last.item.evidence)}.`);
}

function goBackTo({ item, answers, evidence: passages, draft }) {
  const isAnswered = Boolean(answers || item.answers);
  item.answers = answers && { ...answers };
  item.draft = { ...(draft ?? answers) };
  setEvidence(item, passages);
  store(item, isAnswered);
}

function counted(passages) {
  return passages.length === 1 ? "1 passage attached" : `${passages.length || "no"} passages attached`;
}

function countAnswered() {
  const done = items.filter((item) => !isOpen(item)).length;
  progress.max = Math.max(1, items.length);
  progress.value = done;
  document.querySelector("[data-progress-words]").textContent = `${done} of ${items.length}`;
  finishButton.classList.toggle("ready", done === items.length && !work.finished);
  nameFinish();
}

/** What the button does; while it cannot, what it waits for. */
function nameFinish() {
  const isHeldUp = finishing && outbox.waiting > 0 && outbox.state !== "waiting";
  finishButton.firstChild.textContent = isHeldUp ? "Finishes once all is saved " : work.finished ? "Next response " : "Finish ";
}

// What the server said

function sayThatSaved(entry) {
  const item = items.find(({ id }) => id === entry.item);
  if (!item) return;
  const words = entry.answers ? `${inWords(protocol, entry.answers)}, saved` : "taken back, saved";
  say(`${place(item)}: ${words}.${now === item ? "" : ` Now ${protocol.unit} ${now.index + 1}: ${textOf(now)}`}`);
}

async function settle(entry, theirs) {
  const item = items.find(({ id }) => id === entry.item);
  outbox.versions.set(entry.item, theirs.version);
  const later = outbox.entries.filter((other) => other.item === entry.item).at(-1);
  outbox.forget((other) => other.item === entry.item);
  const { answers: mine, more } = later ?? entry;
  const stored = theirs.version ? theirs.answers : null;
  const isSameAnswer = same(mine, stored);
  const passages = isSameAnswer ? together(more?.evidence ?? [], theirs.evidence ?? []) : theirs.evidence;
  const isLacking = isSameAnswer && mine && passages.length > (theirs.evidence?.length ?? 0); // theirs lacks a passage of mine
  const keep = isSameAnswer ? "theirs" : await askWhichToKeep(protocol, item, mine, stored);
  if (keep === "mine") return outbox.add(entry.assignment, entry.item, mine, entry.seconds, more);
  if (isLacking) outbox.add(entry.assignment, entry.item, mine, entry.seconds, { ...more, evidence: passages });
  if (!item) return null;
  Object.assign(item, { answers: stored, draft: { ...stored }, evidence: passages ?? item.evidence });
  undone = undone.filter((step) => step.item !== item);
  mark(item, protocol);
  countAnswered();
  return goTo(item);
}

function refuse(entry, status, data) {
  const item = items.find(({ id }) => id === entry.item);
  if (status === 400 && data?.errors?.evidence && entry.more?.evidence) return dropEvidence(entry, item, data.errors.evidence);
  if (status !== 400 || !item) return trouble(`An answer could not be saved: ${data?.detail ?? `the server said ${status}`}`);
  item.answers = null;
  mark(item, protocol);
  countAnswered();
  goTo(item);
  return questions.complain(item.draft, data.errors ?? {});
}

/** The answer must not be lost because a passage of it cannot be stored. */
function dropEvidence(entry, item, problems) {
  trouble(`The passages attached could not be saved, so the answer is saved without them: ${problems.join(" ")}`);
  if (item) setEvidence(item, []);
  return outbox.add(entry.assignment, entry.item, entry.answers, entry.seconds, { suggestions: entry.more.suggestions });
}

/** "Sentence 4 of 9" */
function place(item) {
  return `${noun} ${item.index + 1} of ${items.length}`;
}

function say(words) {
  live.textContent = words;
}

// Finishing

async function finish() {
  if (finishing) return;
  noTrouble();
  if (work.preview) return someOpen() || sayThatAllIsTried();
  holdFinish(true);
  if (!someOpen()) await everythingSaved();
  if (!someOpen()) await finishAndGoOn();
  holdFinish(false);
}

function holdFinish(isHeld) {
  finishing = isHeld;
  finishButton.disabled = isHeld;
  nameFinish();
}

function sayThatAllIsTried() {
  document.querySelector("[data-trouble]").dataset.tone = "info";
  trouble("A rater would have finished here and get the next response. In the preview nothing is saved.");
}

/** Lists what is open, if anything is. */
function someOpen() {
  const open = items.filter(isOpen);
  if (open.length) listOpen(protocol.unit, open, goTo);
  return open.length > 0;
}

/** Which of two answers to keep may have been asked meanwhile, and the choice must be saved as well. */
async function everythingSaved() {
  await outbox.idle();
  await nothingAsked();
  await outbox.idle();
}

async function finishAndGoOn() {
  const { status, data } = work.finished ? { status: 200 } : await call("POST", assignmentUrl(work.id, "finish/"), { body: "{}" });
  if (status === 200) return takeNext();
  if (status === 409) return listOpen(protocol.unit, items.filter(({ id }) => data.open.includes(id)), goTo);
  if (status === 410) return showLost();
  return excuse(status, "It is not finished yet.");
}

async function takeNext() {
  work.finished = true;
  const { status, data } = await call("POST", `/api/v1/projects/${work.project}/assignments/`, { body: "{}" });
  if (status === 204) return leave(`/projects/${work.project}/rate/`);
  if (status !== 200) return excuse(status, "This response is finished; the next one could not be fetched.");
  return swap(data.id);
}

/** Puts the next response into the page: no load, no lost focus, and the same article stays where it was read. */
async function swap(id) {
  const page = `/assignments/${id}/`;
  const { status, data, redirected } = await call("GET", `${page}sheet/?document=${work.document}`, { accept: "text/html" });
  if (status !== 200 || redirected) return leave(page);
  const fresh = document.createElement("template");
  fresh.innerHTML = data;
  const parts = fresh.content.querySelectorAll("[data-part]");
  for (const piece of parts) part(piece.dataset.part).replaceChildren(...piece.childNodes);
  if ([...parts].some((piece) => piece.dataset.part === "article")) wireAll();
  work = readWork();
  history.replaceState(null, "", page);
  part("answer").scrollTop = 0;
  await openSheet();
  dock.focus({ preventScroll: true });
  return say(`Next response. ${place(now)}: ${textOf(now)}`);
}

async function giveBack() {
  document.getElementById("give-back").close();
  await everythingSaved();
  const { status } = await call("POST", assignmentUrl(work.id, "release/"), { body: "{}" });
  if (status === 200) return leave(`/projects/${work.project}/given-back/`);
  return excuse(status, "It was not given back.");
}

function excuse(status, words) {
  if (status === 401 || status === 403) return trouble(`You have been signed out. ${words} Sign in again in a new tab, come back and press Enter.`);
  if (status === 404) return trouble(`This response is not open to whoever is signed in here now. ${words}`);
  return trouble(`The server could not be reached (${status || "no answer"}). ${words} Please try again.`);
}

function leave(url) {
  location.assign(url);
}

// Keys, clicks and touch

/** The article, and finding in it. */
function wireAll() {
  wireArticle(part("article"));
  find.wire(part("article"));
}

function press(event) {
  if (event.key === "Escape" && find.isOpen && !document.querySelector("dialog[open], details[open]")) return find.close();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches?.("textarea")) return dock.focus();
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const { target } = event;
  if (!(target instanceof Element)) return;
  if (target.closest("textarea, input:not([type=radio]), select, [contenteditable]")) return;
  if (event.key === "Enter" && target.closest("a, button, summary")) return;
  if (!now) return;
  if (found(event) || act(event, target)) event.preventDefault();
}

/** While the find bar is open, n and N walk through what was found. */
function found(event) {
  const step = find.isOpen && { n: 1, N: -1 }[event.key];
  if (step) find.step(step);
  return Boolean(step);
}

function act(event, target) {
  const choice = event.shiftKey && !/^(Digit|Numpad)/.test(event.code) ? null : questions.choiceFor(event, now.draft);
  if (choice) return choose(choice.question, choice.value) || true;
  const radio = target.closest("input[type=radio]");
  if (radio && (event.key === "ArrowLeft" || event.key === "ArrowRight")) return questions.moveFocus(radio, event.key === "ArrowRight" ? 1 : -1) || true;
  const inScroller = target.closest("[data-article], [data-part=answer]");
  const doing = {
    ArrowDown: () => move(1), j: () => move(1), ArrowUp: () => move(-1), k: () => move(-1), u: undo, Enter: finish,
    e: () => evidence.walk(event.shiftKey ? -1 : 1),
    "+": () => evidence.attach("supports"), "=": () => evidence.attach("supports"), "-": () => evidence.attach("contradicts"),
    "?": () => document.getElementById("help").showModal(),
    PageDown: () => scrollArticle(1), PageUp: () => scrollArticle(-1),
  }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (event.key === "/") return find.open();
  if (!doing || (inScroller && /^(Page|Arrow)/.test(event.key))) return false;
  doing();
  return true;
}

function click(event) {
  const { target } = event;
  const span = target.closest(".s[data-item]");
  const item = span && !target.closest("a") && items.find(({ position }) => position === Number(span.dataset.item));
  if (item) return goTo(item);
  const sheet = target.closest("[data-show]")?.dataset.show;
  if (sheet) return show(sheet);
  if (target.closest("[data-strip]")) return show("answer");
  if (target.closest("[data-definitions]")) return showDefinitions(target.closest("details"));
  const step = target.closest("[data-move]")?.dataset.move;
  if (event.detail && target.closest("[data-move], [data-undo]")) dock.focus({ preventScroll: true }); // so that Enter finishes
  if (step) return move(Number(step));
  if (target.closest("[data-undo]")) return undo();
  if (target.closest("[data-finish]")) return finish();
  if (target.closest("[data-release]")) return giveBack();
  if (target.closest("[data-list-open]")) return listOpen(protocol.unit, items.filter(isOpen), goTo);
  return null;
}

/** On a phone: the response or the article. */
function show(sheet) {
  desk.dataset.shows = sheet;
  for (const button of document.querySelectorAll("[data-show]")) button.setAttribute("aria-pressed", String(button.dataset.show === sheet));
}

// Whoever knows the definitions by heart has more room for the response without them.

function showDefinitions(menu) {
  const areHidden = localStorage.getItem(WITHOUT_DEFINITIONS) === "yes";
  localStorage.setItem(WITHOUT_DEFINITIONS, areHidden ? "no" : "yes");
  menu.open = false;
  layOutDefinitions();
}

function layOutDefinitions() {
  const areHidden = localStorage.getItem(WITHOUT_DEFINITIONS) === "yes";
  desk.toggleAttribute("data-brief", areHidden);
  document.querySelector("[data-definitions-words]").textContent = areHidden ? "Show the definitions" : "Hide the definitions";
}

document.addEventListener("keydown", press);
document.addEventListener("click", click);
window.addEventListener("beforeunload", (event) => { if (outbox.waiting) event.preventDefault(); });
layOutDefinitions();
wireAll();
openSheet();
