// What stands beside the answers, and what of it must be there from the start: which guidelines are before the rater, the pile
// to come back to, new answers of the leads, and the time that was really spent on a sentence. The drawer that shows it all is
// fetched when it is first opened (drawer.js). Hooks into the workspace by its events: docs/workspace.md.

import { assignmentUrl, call } from "../shared/api.js";
import { dropTyped, keepTyped, typedIn } from "../offline/journal.js";
import { goTo, hear, itemOf, keepInSight, place, say, sheet, tell } from "./sheet.js";
import { translate } from "../shared/translate.js";

const ASK_AGAIN = 60_000;
const IDLE = 60_000; // milliseconds without key, pointer or scroll: whoever is away longer is not at the sentence
const BEGINS = "factuary:";

/** `guidelines` {number, note} or null; `questions` as the API gives them; `marks` item -> why; `items` as they are on the server. */
export const beside = { guidelines: null, questions: [], marks: new Map(), items: [] };

const wanted = new Map(); // item -> {isMarked, storedAt}: what the rater wants on the pile or off it, in the outbox or sent a while ago
const told = new Map(); // assignment -> what is known: a response that was left and comes back has an old page
const readHere = new Set(); // answers that were shown: what the server says of them may be older than that
const asRead = ({ id, answered_at: at }) => `${id} ${Date.parse(at)}`; // the page and the API write a moment with another number of digits

hear("opened", () => {
  const { id } = sheet.work;
  learnMarks(sheet.marking);
  take(told.get(id) ?? JSON.parse(document.getElementById("beside").textContent));
  for (const item of sheet.items) item.spent ??= 1000 * (item.seconds ?? 0);
  announce();
  if (sheet.askedAt < Date.now() - ASK_AGAIN) ask(); // it was given ahead, and there may be news
  const named = sheet.items.find(({ id }) => location.hash === `#${id}`);
  if (named) setTimeout(() => goTo(named)); // after the workspace has lit what is open
});

/** What the server said when it was asked at `askedAt`; of the guidelines the newest that were told, as a response given ahead
    has those of when it was fetched. */
function take(news, askedAt = sheet.askedAt) {
  const { guidelines, questions, items, marks } = news;
  told.set(sheet.work.id, news);
  for (const question of questions) question.new &&= !readHere.has(asRead(question));
  const newest = (beside.guidelines?.number ?? 0) > (guidelines?.number ?? 0) ? beside.guidelines : guidelines;
  Object.assign(beside, { guidelines: newest, questions, items, marks: new Map(marks.map(({ item, why }) => [item, why])) });
  for (const { id } of sheet.items) {
    const { isMarked, storedAt = Infinity } = wanted.get(id) ?? {};
    if (isMarked === undefined || storedAt < askedAt) continue; // then the server has said it
    if (isMarked) beside.marks.set(id, beside.marks.get(id) ?? "unsure");
    else beside.marks.delete(id);
  }
  show();
}

/** Signs on the sentences and counts on the buttons; nothing moves. */
function show() {
  for (const item of sheet.items) {
    const about = beside.questions.filter((question) => question.item === item.id);
    const sign = beside.marks.has(item.id) ? "pile" : about.some(({ new: isNew }) => isNew) ? "news" : about.length ? "asked" : null;
    for (const span of item.spans) {
      if (sign) span.dataset.beside = sign;
      else delete span.dataset.beside;
    }
  }
  const news = beside.questions.filter(({ new: isNew }) => isNew).length;
  for (const place of document.querySelectorAll("[data-news]")) place.textContent = news || "";
  for (const place of document.querySelectorAll("[data-pile-count]")) place.textContent = beside.marks.size || "";
  notify("news", news > 0);
  showMark();
  tell("beside", beside);
}

/** Shows a notice or hides it; what comes into sight is said as well, in the page's one live region. */
function notify(name, isShown) {
  const notice = document.querySelector(`[data-${name}-notice]`);
  if (isShown && notice.hidden) say(notice.querySelector("div").firstChild.textContent.trim());
  notice.hidden = !isShown;
  if (isShown) keepInSight();
}

function showMark() {
  const isMarked = Boolean(sheet.now && beside.marks.has(sheet.now.id));
  for (const button of document.querySelectorAll("[data-mark-toggle]")) button.setAttribute("aria-pressed", String(isMarked));
}

// The pile

/** Puts a sentence on the pile or takes it off. */
export function toggleMark(item = sheet.now) {
  const isMarked = !beside.marks.has(item.id);
  change(item.id, isMarked);
  say(isMarked ? translate("%(place)s is on the pile to come back to.", { place: place(item) }) : translate("%(place)s is off the pile.", { place: place(item) }));
}

/** At once here; it goes to the server like an answer. */
function change(id, isMarked) {
  if (isMarked) beside.marks.set(id, "unsure");
  else beside.marks.delete(id);
  told.get(sheet.work.id).marks = [...beside.marks].map(([item, why]) => ({ item, why }));
  wanted.set(id, { isMarked });
  tell("marking", { item: id, isMarked });
  show();
  pile().catch(() => {}); // so that it is there when the network is not
}

/** What waits in the outbox, or was sent a while ago: a page that the server made just before does not know of it. */
function learnMarks(entries) {
  for (const { about, marks, stored } of entries) wanted.set(about, { isMarked: marks, storedAt: stored?.at });
}

hear("marked", ({ about, marks }) => wanted.get(about)?.isMarked === marks && learnMarks([{ about, marks, stored: { at: Date.now() } }]));
hear("marks-left", (entries) => {
  learnMarks(entries);
  const news = told.get(sheet.work.id);
  if (news) take(news);
});

export function marked() {
  return sheet.items.filter((item) => beside.marks.has(item.id));
}

/** Goes to the next sentence of the pile after the lit one, and round. */
export function nextMarked() {
  const pile = marked();
  if (!pile.length) return say(translate("The pile to come back to is empty."));
  return goTo(pile.find(({ index }) => index > sheet.now.index) ?? pile[0]);
}

/** Named by the page: it imports this file, and files that import each other cannot have their hashes in their names. */
const pile = () => import(document.getElementById("pile").dataset.script);

hear("finishing", ({ wait }) => {
  if (!beside.marks.size || beside.isSure === sheet.work.id) return;
  wait();
  pile().then(({ askBeforeFinishing }) => askBeforeFinishing(), finishAllTheSame);
});

export function finishAllTheSame() {
  beside.isSure = sheet.work.id;
  document.querySelector("[data-finish]").click();
}

// Answers of the leads

/** The rater has these before them. */
export function readAnswers(questions) {
  for (const question of questions) {
    readHere.add(asRead(question));
    question.new = false;
  }
  const body = JSON.stringify({ questions: questions.map(({ id }) => id) });
  call("POST", assignmentUrl(sheet.work.id, "questions/seen/"), { body, keepalive: true });
  show();
}

// Comments: the one that stands goes with every save of an answer, and waits in the journal until the server has said that it is
// stored. `item.comment` is what is stored, `item.sent` what went with the last save.

export const commentOf = (item) => typedIn(item, "comment") ?? item.sent ?? item.comment ?? "";

/** A sentence that has an answer is saved again with the comment that was written since. */
export function sendComment(item) {
  const words = typedIn(item, "comment")?.trim();
  if (words === undefined || !item.answers || item.isSettling || !sheet.items.includes(item)) return;
  if (words !== (item.sent ?? item.comment)) tell("again", { item: item.id });
}

const sendComments = () => sheet.items.forEach(sendComment);
hear("opened", sendComments);
hear("finishing", sendComments);

hear("giving", ({ item: id, answers, more }) => {
  const item = itemOf(id);
  if (!answers) return takeBack(item);
  if (beside.guidelines) more.guidelines = beside.guidelines.number;
  more.comment = item.sent = commentOf(item).trim();
  if (beside.marks.get(id) === "guidelines") change(id, false);
});

/** The comment goes with the answer, and waits here for another. */
function takeBack(item) {
  const words = commentOf(item);
  Object.assign(item, { sent: undefined, comment: "" }); // nothing is stored any more, so the words are new
  if (words) keepTyped(item, "comment", words);
}

hear("saved", ({ item: id, answers, more }) => {
  const item = itemOf(id);
  if (!item?.answers || !answers || more?.comment === undefined) return; // or it was taken back since
  item.comment = more.comment;
  if (typedIn(item, "comment")?.trim() === more.comment) dropTyped(item, "comment");
});

/** The same answer once more: it stands under the new guidelines too. */
hear("confirmed", ({ item }) => beside.marks.get(item) === "guidelines" && tell("again", { item }));

// Guidelines: announced once for each version, and never in the way

function announce() {
  const { guidelines } = beside;
  const known = read(knownName());
  if (!guidelines || known >= guidelines.number) return notify("guidelines", false);
  const words = known ? translate("The guidelines have changed (version %(number)s)", { number: guidelines.number }) : translate("This project has guidelines of its own");
  document.querySelector("[data-guidelines-words]").textContent = guidelines.note && known ? `${words}: ${guidelines.note}` : `${words}.`;
  notify("guidelines", true);
}

export function knowGuidelines() {
  if (beside.guidelines) write(knownName(), beside.guidelines.number);
  notify("guidelines", false);
}

const knownName = () => `${BEGINS}guidelines:${sheet.work.rater}:${sheet.work.project}`;

// News: asked for now and then, while somebody looks

async function ask() {
  const { work } = sheet;
  if (!work || work.preview || document.visibilityState !== "visible") return;
  const askedAt = Date.now();
  const { status, data } = await call("GET", assignmentUrl(work.id, "beside/"));
  if (status !== 200 || sheet.work !== work) return;
  const before = beside.guidelines?.number ?? 0;
  take(data, askedAt);
  if ((data.guidelines?.number ?? 0) > before) announce();
  const isCut = String(sheet.items.map(({ id }) => id).sort()) !== String([...data.items].sort());
  notify("cut", isCut);
}

export const refresh = ask;
hear("asked", ask);
setInterval(ask, ASK_AGAIN);
window.addEventListener("online", ask);

// Time: pauses are taken out, and what a sentence took earlier is added when one comes back to it

let lastSeen = performance.now();
let lit = null; // {item, at}: `at` is when it would have been lit, had it been looked at without a pause

function seen() {
  const now = performance.now();
  const pause = now - lastSeen;
  lastSeen = now;
  if (pause < IDLE || !lit) return;
  lit.at += pause;
  sheet.litAt = lit.at;
}

for (const kind of ["keydown", "pointerdown", "pointermove", "wheel"]) window.addEventListener(kind, seen, { capture: true, passive: true });

hear("lit", () => {
  const now = performance.now();
  if (lit) lit.item.spent = now - lit.at;
  if (lit) sendComment(lit.item);
  lastSeen = now; // what was lit without a key, as the next response is, has been looked at from then on and not before
  if (lit?.item !== sheet.now) lit = { item: sheet.now, at: now - (sheet.now.spent ?? 0) };
  sheet.litAt = lit.at;
  showMark();
});

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-mark-toggle]")) toggleMark();
  if (target.closest("[data-mark-next]")) nextMarked();
  if (target.closest("[data-guidelines-close]")) knowGuidelines();
  if (target.closest("[data-reload]")) location.reload();
});

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function write(name, value) {
  try {
    if (value && typeof value === "object" && !Object.keys(value).length) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: it is still in the page.
  }
}
