// The workspace: keys and clicks in. What is where: sheet.js has the sheet, lights and marks; answering.js
// asks, takes answers and undoes them; outbox.js saves; finish_response.js brings the next response; dialogs.js talks.
// What is not needed for the first sentence is fetched with the first key. Parts of other making hook in by data- attributes
// and events: docs/workspace.md.

import { Answering, forgetSaved, Questions, withTyped } from "./answering.js";
import { Find, scrollArticle, wireArticle } from "./article.js";
import { Evidence } from "./evidence.js";
import { keepTyped, openJournal, settleComment, typedIn } from "../offline/journal.js";
import { Keys } from "./keyboard.js";
import { isMark, Outbox, Trial } from "../offline/outbox.js";
import { countAnswered, focusDock, goTo, hear, isBegun, isOpen, itemOf, keepInSight, mark, move, parked, part, readSheet, say, sheet, tell, workOf } from "./sheet.js";
import { translate } from "../shared/translate.js";

const WITHOUT_DEFINITIONS = "factuary:without-definitions";
const BY_ITSELF = "factuary:finishes-by-itself";
const READING_AFTER = 3_000; // milliseconds: what is fetched then is no part of the first load
const LONGEST_OPENING = 10_000; // milliseconds that keys wait for the drawer
const AWAY = translate("The network is away, and a part of this page is not here yet. Please try again.");
const WORDS = {
  saved: ["✓", () => translate("Saved")],
  waiting: ["…", (n) => translate("%(n)s waiting", { n })],
  offline: ["!", (n) => translate("Offline, %(n)s waiting", { n })],
  "signed-out": ["!", (n) => translate("Signed out, %(n)s waiting", { n })],
  elsewhere: ["!", (n) => translate("%(n)s not saved", { n })],
};

const desk = document.querySelector("[data-desk]");
const dock = desk.querySelector("[data-dock]");
const bar = document.querySelector("[data-saved]");

const later = {};
readSheet();
const { preview, rater } = sheet.work;
const means = { journal: preview ? null : openJournal(rater), trouble, noTrouble, nameFinish, openSheet };
const answering = means.answering = new Answering(means);
means.goBack = (step) => withLater("finishing", (it) => it.goBack(step));
means.questions = new Questions(dock, sheet.work.protocol, choose, (question, value) => answering.type(question, value));
const evidence = means.evidence = new Evidence(dock, {
  attach: (passages, stance) => answering.attach(passages, stance),
  remove: (passage) => answering.takeOff(passage),
  used: (item) => { item.suggestions = "used"; },
  say,
});
const find = new Find({ say, landed: (range) => evidence.choose(range), closed: focusDock });
const outbox = means.outbox = preview ? new Trial() : new Outbox(rater, means.journal, {
  changed: () => { showSaving(); nameFinish(); showAsked(); },
  saved: (entry, data) => {
    answering.saved(entry);
    tell("saved", { assignment: entry.assignment, item: entry.item, answers: entry.answers, more: entry.more, version: data?.version ?? 0, data });
  },
  asked: (entry) => tell("asked", entry),
  notAsked: (entry, data) => giveWordsBack(entry, data),
  marked: (entry) => tell("marked", entry),
  finished: ({ assignment }) => { const work = workOf(assignment); if (work) work.finished = true; nameFinish(); tell("let-go", { assignment }); },
  unfinished: (entry, data) => withLater("finishing", (it) => it.unfinished(entry, data)),
  conflict: (entry, data) => withLater("settling", (it) => it.settle(entry, data)),
  lost: (entry) => { tell("let-go", { assignment: entry.assignment }); withLater("finishing", (it) => it.lost(entry)); },
  stopped: () => withLater("finishing", (it) => it.leaveWork()),
  refused: (entry, status, data) => withLater("settling", (it) => it.refused(entry, status, data)),
  adopted: (entries) => { answering.bringBack(entries); tell("marks-left", entries.filter(isMark)); },
  elsewhere: hearTab,
});

/** Opens the sheet that was put into the page; `from` is one that was parked and comes back as it was. */
async function openSheet({ hasOtherArticle = true, from = null, askedAt } = {}) {
  if (from) Object.assign(sheet, from, { now: null, marking: [] });
  else readSheet(askedAt);
  const { work, items } = sheet;
  if (hasOtherArticle) wireAll();
  if (!from) await recall(work, items);
  evidence.open(part("article"), work);
  for (const item of items) mark(item, work.protocol);
  countAnswered();
  linkTo(lastLeft() ?? work.before);
  nameFinish();
  if (means.journal && means.journal.keeps !== "all") sayWhatIsKept(means.journal.keeps);
  tell("opened", { assignment: work.id, work });
  if (items.length) goTo(items.find(isOpen) ?? items[0]);
  document.body.dataset.ready = work.id;
}

/** What this browser has written down about the sheet and the server does not know yet. */
async function recall(work, items) {
  for (const item of items) outbox.versions.set(item.id, item.version);
  await outbox.adopt(work.id);
  const waiting = outbox.entries.filter((entry) => entry.assignment === work.id);
  const receipts = await outbox.storedSince(sheet.askedAt, work.id);
  receipts.filter((receipt) => !isMark(receipt)).forEach(catchUp);
  sheet.marking = [...receipts, ...waiting].filter(isMark);
  answering.bringBack(waiting);
  for (const line of (await means.journal?.on(work.id, "typed")) ?? []) recallWords(items.find(({ id }) => id === line.item), line);
  for (const { item: id, base, draft, evidence: passages } of (await means.journal?.on(work.id, "begun")) ?? []) {
    const item = items.find((each) => each.id === id);
    const isAnsweredSince = outbox.versions.get(id) !== base || waiting.some((entry) => entry.item === id);
    if (!item || isAnsweredSince) means.journal.remove("begun", id);
    else Object.assign(item, { draft, isWritten: true, evidence: (item.answers ? null : passages) ?? item.evidence });
  }
  for (const item of items) {
    item.draft = withTyped(item, item.draft);
    item.isWritten ||= isBegun(item);
  }
  if (waiting.some(({ finishes }) => finishes)) work.finished = true;
}

/** What was typed stands in its field again. Where another comment was stored since, both are kept. */
function recallWords(item, { field, text, was }) {
  if (!item) return;
  item.typed = { ...item.typed, [field]: text };
  if (field !== "comment") return forgetSaved(item, item.answers ?? {});
  return settleComment(item, item.comment ?? "", was);
}

/** What arrived while the server made this page: it may not know of that. */
function catchUp(receipt) {
  const { item: id, finishes, stored } = receipt;
  if (finishes) return Object.assign(sheet.work, { finished: true });
  if (stored.version && stored.version < itemOf(id)?.version) return null;
  outbox.versions.set(id, stored.version);
  return answering.bringBack([receipt]);
}

hear("stored-elsewhere", (answer) => withLater("settling", (it) => it.savedElsewhere(answer)));

/** Another tab of this rater: it has opened a response, or saved an answer. */
function hearTab({ kind, assignment, ...answer }) {
  if (kind === "saved") return withLater("settling", (it) => it.savedElsewhere(answer));
  if (assignment !== sheet.work.id) return null;
  if (kind === "opened") outbox.channel.postMessage({ kind: "open", assignment });
  return trouble(translate("This response is open in another tab as well. An answer that one of them saves is shown in the other; where two differ, you are asked which to keep."), "info");
}

/** A response fetched ahead does not know which was finished before it. */
function lastLeft() {
  const last = [...parked.values()].findLast(({ work }) => work.finished);
  return last && `/assignments/${last.work.id}/`;
}

/** The way back to the response finished before this one. */
function linkTo(before) {
  const link = document.querySelector("[data-before]");
  link.hidden = !before;
  if (before) link.href = before;
}

/** The article, and finding in it. */
function wireAll() {
  wireArticle(part("article"));
  find.wire(part("article"));
}

// What is fetched with the first key or while the article is read, so that it is there when the network is not

const LATER = {
  finishing: async () => new (await import("./finish_response.js")).Finishing(means),
  settling: async () => new (await import("./conflict_dialog.js")).Settling(means),
  signIn: async () => new (await import("./sign_in_dialog.js")).SignIn(means),
  dialogs: () => import("./dialogs.js"),
  kept: () => import("../offline/page_cache.js"),
};
for (const { dataset } of document.querySelectorAll("[data-module]")) LATER[dataset.module] = () => import(dataset.module);

function fetchLater(name) {
  later[name] ??= LATER[name]().catch(() => { later[name] = null; });
  return later[name];
}

function fetchAll() {
  Object.keys(LATER).forEach(fetchLater);
}

async function withLater(name, act) {
  const it = await fetchLater(name);
  return it ? act(it) : trouble(AWAY);
}

/** What is opened may take words: keys wait until it has the focus (keyboard.js), as else they would be answers. */
async function open(opener) {
  if (sheet.isOpening) return;
  sheet.isOpening = opener;
  try {
    const isOpen = await Promise.race([openWhenHere(opener), new Promise((resolve) => setTimeout(resolve, LONGEST_OPENING))]);
    if (!isOpen) await failToOpen();
  } finally {
    sheet.isOpening = null;
    tell("turned");
  }
}

async function failToOpen() {
  trouble(AWAY);
  if (await keys.dropEarly()) trouble(`${AWAY} ${translate("The keys that you pressed meanwhile did nothing.")}`);
}

/** Whether it is open; not if the file of it did not come. */
async function openWhenHere(opener) {
  const module = await fetchLater(opener.dataset.module);
  if (sheet.isOpening === opener) await module?.open(opener);
  return Boolean(module);
}

// Questions to the leads, and the pile

hear("asking", ({ item, ...asks }) => outbox.ask(sheet.work.id, item.id, asks));

hear("marking", ({ item, isMarked }) => outbox.mark(sheet.work.id, item, isMarked));

/** Those that wait to be sent, as side_panel.js shows them. */
function showAsked() {
  const asking = outbox.entries.filter(({ asks }) => asks);
  if (asking.length === sheet.asking.length && asking.every((entry, n) => entry === sheet.asking[n])) return;
  sheet.asking = asking;
  tell("asking-changed");
}

/** The leads do not get it: its words are in their field again. */
function giveWordsBack({ about, assignment, asks: { kind, text } }, data) {
  const item = itemOf(about) ?? { id: about, assignment };
  keepTyped(item, kind, [text, typedIn(item, kind)].filter(Boolean).join("\n"));
  const reason = data?.errors?.text?.join(" ") ?? data?.detail ?? "";
  trouble(translate("The leads could not be asked: %(reason)s Your words are in their field again.", { reason }));
  tell("typed-elsewhere", { item: about });
}

// Notices

function showSaving() {
  const { state, waiting } = outbox;
  const [sign, words] = WORDS[waiting ? state : "saved"];
  const held = waiting && state !== "waiting" ? words(waiting) : "";
  if (held && held !== bar.dataset.held) answering.held(held);
  bar.dataset.held = held;
  bar.dataset.state = waiting ? state : "saved";
  bar.querySelector("[data-saved-sign]").textContent = sign;
  bar.querySelector("[data-saved-words]").textContent = words(waiting);
  for (const reason of ["signed-out", "elsewhere"]) document.querySelector(`[data-${reason}]`).hidden = !(waiting && state === reason);
  if (state === "elsewhere" && waiting) later.kept?.then((it) => it?.forgetAll());
  if (state === "signed-out" && waiting) withLater("signIn", (it) => it.ask());
  else later.signIn?.then((it) => it?.forget());
}

/** What the button does; while it cannot, what it waits for. */
function nameFinish() {
  const isHeldUp = dock.querySelector("[data-finish]").disabled && outbox.waiting > 0 && outbox.state !== "waiting";
  const words = isHeldUp ? translate("Finishes once all is saved") : sheet.work.finished ? translate("Next response") : translate("Finish");
  dock.querySelector("[data-finish]").firstChild.textContent = `${words} `;
  dock.querySelector("[data-finish]").toggleAttribute("data-held-up", isHeldUp);
}

function trouble(words, tone = "danger") {
  document.querySelector("[data-trouble]").dataset.tone = tone;
  document.querySelector("[data-trouble-words]").textContent = words;
  document.querySelector("[data-trouble]").hidden = false;
  keepInSight();
  return words;
}

function sayWhatIsKept(keeps) {
  const words = keeps === "some"
    ? translate("This browser writes answers down less safely than usual (a private window?). They outlast a closed tab, and perhaps not a crash. Look for “Saved” at the top before you leave.")
    : translate("This browser lets this page keep nothing (a private window?). Answers that are not saved yet are lost when the tab is closed. Look for “Saved” at the top before you leave.");
  trouble(words, "warning");
}

/** Takes the note away; only while it says `words`, if they are given. */
function noTrouble(words) {
  const isOther = words !== undefined && words !== document.querySelector("[data-trouble-words]").textContent;
  if (!isOther) document.querySelector("[data-trouble]").hidden = true;
}

const ACTIONS = {
  next: () => move(1),
  before: () => move(-1),
  undo: () => answering.undo(),
  finish: () => withLater("finishing", (it) => it.finish()),
  "passage-next": () => evidence.walk(1),
  "passage-before": () => evidence.walk(-1),
  supports: () => evidence.attach("supports"),
  contradicts: () => evidence.attach("contradicts"),
  find: () => find.open(),
  help: () => keys.fillHelp() && document.getElementById("help").showModal(),
  "scroll-down": () => scrollArticle(1),
  "scroll-up": () => scrollArticle(-1),
};

function choose(question, value) {
  find.close(); // n is an answer again
  const isWhole = answering.choose(question, value);
  const canFinish = isWhole && !sheet.work.then && !sheet.work.finished; // in training the last feedback is to be read first
  if (canFinish && isSet(BY_ITSELF) && !sheet.items.some(isOpen)) ACTIONS.finish();
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
  if (target.closest("[data-definitions]")) return turn(WITHOUT_DEFINITIONS, target.closest("details"));
  if (target.closest("[data-by-itself]")) return turn(BY_ITSELF, target.closest("details"));
  const opener = target.closest("[data-module]");
  if (opener) return open(opener);
  const step = target.closest("[data-move]")?.dataset.move;
  if (event.detail && target.closest("[data-move], [data-undo]")) focusDock(); // so that Enter finishes
  if (step) return move(Number(step));
  if (target.closest("[data-undo]")) return answering.undo();
  if (target.closest("[data-finish]")) return withLater("finishing", (it) => it.finish());
  if (target.closest("[data-release]")) return withLater("finishing", (it) => it.giveBack());
  if (target.closest("[data-list-open]")) return withLater("dialogs", (it) => it.listOpen(sheet.items.filter(isOpen)));
  if (target.closest("[data-sign-in]")) return withLater("signIn", (it) => it.open());
  const before = target.closest("[data-before]");
  if (before) return event.preventDefault() || withLater("finishing", (it) => it.revisit(before.href));
  if (target.closest("[data-trouble-close]")) return noTrouble();
  return null;
}

/** On a phone: the response or the article. */
function show(which) {
  desk.dataset.shows = which;
  for (const button of document.querySelectorAll("[data-show]")) button.setAttribute("aria-pressed", String(button.dataset.show === which));
}

// What a person has chosen in the menu, in this browser. Whoever knows the definitions by heart has more room for the response
// without them; whoever trusts the undo need not press a key to finish.

function isSet(choice) {
  return localStorage.getItem(choice) === "yes";
}

function turn(choice, menu) {
  localStorage.setItem(choice, isSet(choice) ? "no" : "yes");
  menu.open = false;
  showChoices();
}

function showChoices() {
  desk.toggleAttribute("data-brief", isSet(WITHOUT_DEFINITIONS));
  document.querySelector("[data-definitions-words]").textContent = isSet(WITHOUT_DEFINITIONS) ? translate("Show the definitions") : translate("Hide the definitions");
  document.querySelector("[data-by-itself]").setAttribute("aria-pressed", String(isSet(BY_ITSELF)));
}

let isLeaving = false;

/** Who signs out while something waits is told where it stays. */
function askBeforeSigningOut(event) {
  const form = event.target;
  if (!outbox.waiting || isLeaving || !form.action?.endsWith?.("/logout/")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  withLater("dialogs", (it) => it.askToLeave(() => { isLeaving = true; form.requestSubmit(); }));
}

const keys = new Keys(rater, { questions: means.questions, find, choose, attach: () => evidence.attach("contradicts"), actions: ACTIONS });
document.addEventListener("click", click);
for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, fetchAll, { once: true });
hear("lit", () => evidence.show(sheet.now));
window.addEventListener("beforeunload", (event) => { if (outbox.waiting && !isLeaving) event.preventDefault(); });
window.addEventListener("submit", askBeforeSigningOut, true);
showChoices();
sheet.isTurning = true; // keys wait for the first response as for any other
const keptAt = Number(document.documentElement.dataset.kept); // by page_cache.js, and given as there was no network
const opened = openSheet(keptAt ? { askedAt: keptAt } : {}).finally(() => { sheet.isTurning = false; tell("turned"); });
if (keptAt) opened.then(() => withLater("finishing", async ({ ahead }) => (await import("../offline/offline_start.js")).goOnAsKept(means, ahead, keptAt)));
else setTimeout(() => { fetchAll(); later.kept?.then((it) => it?.keepHandOnce()); }, READING_AFTER);
