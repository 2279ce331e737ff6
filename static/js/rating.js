// The workspace: keys and clicks in. What is where: sentences.js has the sheet, lights and marks; questions.js asks;
// answering.js takes answers and undoes them; outbox.js saves; finishing.js brings the next response; dialogs.js talks.
// What is not needed for the first sentence is fetched with the first key. Parts of other making hook in by data- attributes
// and events: docs/workspace.md.

import { Answering } from "./answering.js";
import { Find, scrollArticle, wireArticle } from "./article.js";
import { Drafts } from "./attached.js";
import { Evidence } from "./evidence.js";
import { Outbox, Trial } from "./outbox.js";
import { Questions } from "./questions.js";
import { countAnswered, focusDock, goTo, hear, isOpen, mark, move, part, readSheet, say, sheet, tell } from "./sentences.js";

const WITHOUT_DEFINITIONS = "factuary:without-definitions";
const WORDS = {
  saved: ["✓", () => "Saved"],
  waiting: ["…", (n) => `${n} waiting`],
  offline: ["!", (n) => `Offline, ${n} waiting`],
  "signed-out": ["!", (n) => `Signed out, ${n} waiting`],
  elsewhere: ["!", (n) => `${n} not saved`],
};

const desk = document.querySelector("[data-desk]");
const dock = desk.querySelector("[data-dock]");
const bar = document.querySelector("[data-saved]");

readSheet();
const means = { dialogs: () => import("./dialogs.js"), trouble, noTrouble, nameFinish, openSheet };
const answering = new Answering(means);
means.drafts = new Drafts(sheet.work.rater);
means.questions = new Questions(dock, sheet.work.protocol, choose);
const evidence = means.evidence = new Evidence(dock, {
  attach: (passages, stance) => answering.attach(passages, stance),
  remove: (passage) => answering.takeOff(passage),
  used: (item) => { item.suggestions = "used"; },
  say,
});
const find = new Find({ say, landed: (range) => evidence.choose(range), closed: focusDock });
const outbox = means.outbox = new (sheet.work.preview ? Trial : Outbox)(sheet.work.rater, {
  changed: () => { showSaving(); nameFinish(); },
  saved: (entry, data) => {
    answering.saved(entry);
    tell("saved", { assignment: entry.assignment, item: entry.item, answers: entry.answers, version: data?.version ?? 0, data });
  },
  conflict: (entry, data) => answering.settle(entry, data),
  lost: async () => (await means.dialogs()).showLost(),
  refused: (entry, status, data) => answering.refused(entry, status, data),
});
let finishing = null;

async function openSheet({ hasOtherArticle = true } = {}) {
  readSheet();
  const { work, items } = sheet;
  if (hasOtherArticle) wireAll();
  for (const item of items) outbox.versions.set(item.id, item.version);
  for (const item of items) if (!item.answers) item.evidence = means.drafts.of(work.id, item.id) ?? item.evidence;
  for (const entry of await outbox.adopt(work.id)) bringBack(entry);
  evidence.open(part("article"), work);
  for (const item of items) mark(item, work.protocol);
  answering.undone = [];
  countAnswered();
  linkTo(work.before);
  nameFinish();
  tell("opened", { assignment: work.id, work });
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
  const item = sheet.items.find(({ id }) => id === entry.item);
  if (item) Object.assign(item, { answers: entry.answers, draft: { ...entry.answers }, evidence: entry.more?.evidence ?? item.evidence });
}

/** The article, and finding in it. */
function wireAll() {
  wireArticle(part("article"));
  find.wire(part("article"));
}

// What is fetched with the first key, so that it is there when the network is not

async function toFinish() {
  const { Finishing } = await import("./finishing.js");
  finishing ??= new Finishing(means);
  return finishing;
}

function fetchTheRest() {
  means.dialogs().catch(() => {});
  toFinish().catch(() => {});
}

async function withFinishing(act) {
  try {
    await toFinish();
  } catch {
    return trouble("The network is away, and a part of this page is not here yet. Please try again.");
  }
  return act(finishing);
}

// Notices

function showSaving() {
  const { state, waiting } = outbox;
  const [sign, words] = WORDS[waiting ? state : "saved"];
  bar.dataset.state = waiting ? state : "saved";
  bar.querySelector("[data-saved-sign]").textContent = sign;
  bar.querySelector("[data-saved-words]").textContent = words(waiting);
  for (const reason of ["signed-out", "elsewhere"]) document.querySelector(`[data-${reason}]`).hidden = !(waiting && state === reason);
}

/** What the button does; while it cannot, what it waits for. */
function nameFinish() {
  const isHeldUp = finishing?.isHeld && outbox.waiting > 0 && outbox.state !== "waiting";
  const words = isHeldUp ? "Finishes once all is saved " : sheet.work.finished ? "Next response " : "Finish ";
  dock.querySelector("[data-finish]").firstChild.textContent = words;
}

function trouble(words) {
  document.querySelector("[data-trouble-words]").textContent = words;
  document.querySelector("[data-trouble]").hidden = false;
}

function noTrouble() {
  document.querySelector("[data-trouble]").hidden = true;
}

// Keys

const ACTIONS = {
  next: { keys: ["ArrowDown", "j"], does: () => move(1) },
  before: { keys: ["ArrowUp", "k"], does: () => move(-1) },
  undo: { keys: ["u"], does: () => answering.undo() },
  finish: { keys: ["Enter"], does: () => withFinishing((it) => it.finish()) },
  "passage-next": { keys: ["e"], does: () => evidence.walk(1) },
  "passage-before": { keys: ["Shift+e"], does: () => evidence.walk(-1) },
  supports: { keys: ["+", "="], does: () => evidence.attach("supports") },
  contradicts: { keys: ["-"], does: () => evidence.attach("contradicts") },
  find: { keys: ["/"], does: () => find.open() },
  help: { keys: ["?"], does: () => document.getElementById("help").showModal() },
  "scroll-down": { keys: ["PageDown"], does: () => scrollArticle(1) },
  "scroll-up": { keys: ["PageUp"], does: () => scrollArticle(-1) },
};

function press(event) {
  if (event.key === "Escape" && find.isOpen && !document.querySelector("dialog[open], details[open]")) return find.close();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches?.("textarea")) return focusDock();
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const { target } = event;
  if (!(target instanceof Element)) return;
  if (target.closest("textarea, input:not([type=radio]), select, [contenteditable]")) return;
  if (event.key === "Enter" && target.closest("a, button, summary")) return;
  if (sheet.now && (found(event) || act(event, target))) event.preventDefault();
}

/** While the find bar is open, n and N walk through what was found. */
function found(event) {
  const step = find.isOpen && { n: 1, N: -1 }[event.key];
  if (step) find.step(step);
  return Boolean(step);
}

function act(event, target) {
  const choice = event.shiftKey && !/^(Digit|Numpad)/.test(event.code) ? null : means.questions.choiceFor(event, sheet.now.draft);
  if (choice) return choose(choice.question, choice.value) || true;
  const radio = target.closest("input[type=radio]");
  if (radio && (event.key === "ArrowLeft" || event.key === "ArrowRight")) return means.questions.moveFocus(radio, event.key === "ArrowRight" ? 1 : -1) || true;
  const pressed = nameOf(event);
  const does = (key) => Object.values(ACTIONS).find(({ keys }) => keys.includes(key));
  const action = does(pressed) ?? does(pressed.replace("Shift+", ""));
  const button = !action && [...document.querySelectorAll("[data-hotkey]")].find((each) => each.dataset.hotkey === pressed);
  if (button) return button.click() || true;
  if (!action || (target.closest("[data-article], [data-part=answer]") && /^(Page|Arrow)/.test(event.key))) return false;
  return action.does() !== false;
}

function choose(question, value) {
  find.close(); // n is an answer again
  answering.choose(question, value);
}

/** "j", "Shift+e", "?", "ArrowDown" */
function nameOf({ key, shiftKey }) {
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  return isLetter ? `${shiftKey ? "Shift+" : ""}${key.toLowerCase()}` : key;
}

// Clicks and touch

function click(event) {
  const { target } = event;
  const span = target.closest(".s[data-item]");
  const item = span && !target.closest("a") && sheet.items.find(({ position }) => position === Number(span.dataset.item));
  if (item) return goTo(item);
  const shows = target.closest("[data-show]")?.dataset.show;
  if (shows) return show(shows);
  if (target.closest("[data-strip]")) return show("answer");
  if (target.closest("[data-definitions]")) return showDefinitions(target.closest("details"));
  const opener = target.closest("[data-module]");
  if (opener) return import(opener.dataset.module).then((module) => module.open(opener));
  const step = target.closest("[data-move]")?.dataset.move;
  if (event.detail && target.closest("[data-move], [data-undo]")) focusDock(); // so that Enter finishes
  if (step) return move(Number(step));
  if (target.closest("[data-undo]")) return answering.undo();
  if (target.closest("[data-finish]")) return withFinishing((it) => it.finish());
  if (target.closest("[data-release]")) return withFinishing((it) => it.giveBack());
  if (target.closest("[data-list-open]")) return means.dialogs().then(({ listOpen }) => listOpen(sheet.items.filter(isOpen)));
  if (target.closest("[data-trouble-close]")) return noTrouble();
  return null;
}

/** On a phone: the response or the article. */
function show(which) {
  desk.dataset.shows = which;
  for (const button of document.querySelectorAll("[data-show]")) button.setAttribute("aria-pressed", String(button.dataset.show === which));
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
for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, fetchTheRest, { once: true });
hear("lit", () => evidence.show(sheet.now));
window.addEventListener("beforeunload", (event) => { if (outbox.waiting) event.preventDefault(); });
layOutDefinitions();
openSheet();
