// The contents of the side panel that the page needs from the start: the guidelines' version, bookmarks, answers of the
// leads, comments, and the time that was really spent on an item. The drawer that shows all of it is loaded when it is
// first opened (drawer.js).

import { typedText } from "../offline/journal.js";
import { assignmentUrl, call } from "../shared/api.js";
import { translate } from "../shared/translate.js";
import { announce, emit, isOnSheet, itemLabel, listen, scrollToItem, selectItem, sheet } from "./sheet.js";

const REFRESH_INTERVAL = 60_000; // milliseconds
const IDLE_TIME = 60_000; // milliseconds without key, pointer or scroll after which the rater is considered absent

/**
 * @typedef {object} SidePanelDependencies
 * @property {AnyOutbox} outbox
 * @property {TypedTexts} texts
 * @property {(item: Item) => void} saveAnswer saves the answer of an item again
 */
/** @type {SidePanelDependencies} */
let dependencies;

/**
 * The panel's data; `bookmarks`: item -> "unsure" or "guidelines", `waitingQuestions`: entries that are not sent yet.
 */
export const sidePanel = {
  /** @type {SidePanelData["guidelines"]} */
  guidelines: null,
  /** @type {LeadQuestion[]} */
  questions: [],
  /** @type {Map<string, string>} */
  bookmarks: new Map(),
  /** @type {JournalEntry[]} */
  waitingQuestions: [],
};

/** @type {Map<string, { isSet: boolean, storedAt: number }>} Item -> the rater's last change of its bookmark. */
const bookmarkChanges = new Map();
/**
 * Assignment -> newest data: a response that was left and is shown again has an old page.
 * @type {Map<string, SidePanelData>}
 */
const dataByAssignment = new Map();
/** @type {Set<string>} Answers of the leads that were shown: the server may not know yet. */
const readAnswers = new Set();
/** @type {string | null} The assignment that the rater finishes in spite of its bookmarks. */
let finishConfirmedFor = null;

/** @param {SidePanelDependencies} sidePanelDependencies */
export function connectSidePanel(sidePanelDependencies) {
  dependencies = sidePanelDependencies;
}

/**
 * Names an answer of the leads. The page and the API write a time with different numbers of digits.
 * @param {LeadQuestion} question
 */
const answerId = ({ id, answered_at: time }) => `${id} ${Date.parse(time ?? "")}`;

listen("sheet-opened", () => {
  const { id } = sheet.work;
  sheet.bookmarkEntries.forEach(recordBookmarkChange);
  applyData(dataByAssignment.get(id) ?? JSON.parse(document.getElementById("beside").textContent));
  for (const item of sheet.items) item.timeSpent ??= 1000 * (item.seconds ?? 0);
  announceGuidelines();
  if (sheet.askedAt < Date.now() - REFRESH_INTERVAL) refresh(); // it was prefetched, and there may be new replies
  const linked = sheet.items.find((item) => location.hash === `#${item.id}`);
  if (linked) setTimeout(() => selectItem(linked)); // after the workspace has selected the first open item
  sendComments();
});

/**
 * Shows data of the server from `askedAt`. A prefetched response may have older guidelines than are known already.
 * @param {SidePanelData} data
 * @param {number} askedAt
 */
function applyData(data, askedAt = sheet.askedAt) {
  const { guidelines, questions, marks } = data;
  dataByAssignment.set(sheet.work.id, data);
  for (const question of questions) question.new &&= !readAnswers.has(answerId(question));
  const isOlder = (sidePanel.guidelines?.number ?? 0) > (guidelines?.number ?? 0);
  sidePanel.guidelines = isOlder ? sidePanel.guidelines : guidelines;
  sidePanel.questions = questions;
  sidePanel.bookmarks = new Map(marks.map(({ item, why }) => [item, why]));
  for (const { id } of sheet.items) {
    const change = bookmarkChanges.get(id);
    if (!change || change.storedAt < askedAt) continue; // the server's data has it
    if (change.isSet) sidePanel.bookmarks.set(id, sidePanel.bookmarks.get(id) ?? "unsure");
    else sidePanel.bookmarks.delete(id);
  }
  show();
}

/** Shows signs on the items and counts on the buttons; nothing moves. */
function show() {
  const { bookmarks, questions } = sidePanel;
  for (const item of sheet.items) {
    const about = questions.filter((question) => question.item === item.id);
    const sign = bookmarks.has(item.id)
      ? "bookmark"
      : about.some(({ new: isNew }) => isNew)
        ? "reply"
        : about.length
          ? "question"
          : null;
    for (const span of item.spans) {
      if (sign) span.dataset.itemNote = sign;
      else delete span.dataset.itemNote;
    }
  }
  const newReplies = questions.filter(({ new: isNew }) => isNew).length;
  for (const count of document.querySelectorAll("[data-new-replies]")) count.textContent = newReplies || "";
  for (const count of document.querySelectorAll("[data-bookmark-count]")) count.textContent = bookmarks.size || "";
  toggleNotice("replies", newReplies > 0);
  showBookmarkState();
  emit("side-panel-changed", null);
}

/**
 * Shows or hides a notice; one that appears is announced.
 * @param {string} name
 * @param {boolean} isShown
 */
function toggleNotice(name, isShown) {
  const notice = document.querySelector(`[data-${name}-notice]`);
  if (isShown && notice.hidden) announce(notice.querySelector("span").textContent.trim());
  notice.hidden = !isShown;
  if (isShown) scrollToItem();
}

function showBookmarkState() {
  const isSet = Boolean(sheet.current && sidePanel.bookmarks.has(sheet.current.id));
  for (const button of document.querySelectorAll("[data-bookmark-toggle]"))
    button.setAttribute("aria-pressed", String(isSet));
}

// Bookmarks ("to come back to")

export function toggleBookmark(item = sheet.current) {
  const isSet = !sidePanel.bookmarks.has(item.id);
  setBookmark(item, isSet);
  announce(
    isSet
      ? translate("%(place)s is on the pile to come back to.", { place: itemLabel(item) })
      : translate("%(place)s is off the pile.", { place: itemLabel(item) }),
  );
}

/**
 * Shown at once; sent to the server like an answer.
 * @param {Item} item
 * @param {boolean} isSet
 */
function setBookmark({ id }, isSet) {
  if (isSet) sidePanel.bookmarks.set(id, "unsure");
  else sidePanel.bookmarks.delete(id);
  const data = dataByAssignment.get(sheet.work.id);
  if (data) data.marks = [...sidePanel.bookmarks].map(([item, why]) => ({ item, why }));
  bookmarkChanges.set(id, { isSet, storedAt: Infinity });
  dependencies.outbox.setBookmark(sheet.work.id, id, isSet);
  show();
  loadBookmarks().catch(() => {}); // so that it is here without a network
}

/**
 * An entry that waits in the outbox, or was sent a moment ago: a page that the server made before does not have it.
 * @param {JournalEntry} entry
 */
function recordBookmarkChange({ about = "", marks = false, stored }) {
  bookmarkChanges.set(about, { isSet: marks, storedAt: stored?.at ?? Infinity });
}

/**
 * The server has a bookmark.
 * @param {JournalEntry} entry
 */
export function confirmBookmark(entry) {
  const isLatest = bookmarkChanges.get(entry.about ?? "")?.isSet === entry.marks;
  if (isLatest) recordBookmarkChange({ ...entry, stored: { version: 0, at: Date.now() } });
}

/**
 * Adopts bookmarks of an earlier page.
 * @param {JournalEntry[]} entries
 */
export function adoptBookmarks(entries) {
  entries.forEach(recordBookmarkChange);
  const data = dataByAssignment.get(sheet.work.id);
  if (data) applyData(data);
}

export function bookmarkedItems() {
  return sheet.items.filter((item) => sidePanel.bookmarks.has(item.id));
}

/** Selects the next bookmarked item; after the last, the first. */
export function selectNextBookmark() {
  const items = bookmarkedItems();
  if (!items.length) return announce(translate("The pile to come back to is empty."));
  return selectItem(items.find(({ index }) => index > sheet.current.index) ?? items[0]);
}

/** The page has its address: bookmarks.js imports this file, and names with hashes allow no circular imports. */
const loadBookmarks = () => import(document.getElementById("bookmarks").dataset.script);

/** Before a response is finished: sends comments. Returns whether the rater is asked about bookmarks first. */
export function mustAskBeforeFinishing() {
  sendComments();
  if (!sidePanel.bookmarks.size || finishConfirmedFor === sheet.work.id) return false;
  loadBookmarks().then(({ askBeforeFinishing }) => askBeforeFinishing(), finishAnyway);
  return true;
}

/** Finishes despite the bookmarks. */
export function finishAnyway() {
  finishConfirmedFor = sheet.work.id;
  document.querySelector("[data-finish]").click();
}

// Questions to the leads

/**
 * @param {Item} item
 * @param {QuestionToLeads} question
 */
export function askLeads(item, question) {
  dependencies.texts.remove(item, question.kind);
  dependencies.outbox.askLeads(sheet.work.id, item.id, question);
}

/**
 * Shows the questions that are not sent yet.
 * @param {JournalEntry[]} entries
 */
export function showWaitingQuestions(entries) {
  const { waitingQuestions } = sidePanel;
  if (entries.length === waitingQuestions.length && entries.every((entry, n) => entry === waitingQuestions[n])) return;
  sidePanel.waitingQuestions = entries;
  emit("side-panel-changed", null);
}

/**
 * The rater has read these answers.
 * @param {LeadQuestion[]} questions
 */
export function markAnswersRead(questions) {
  for (const question of questions) {
    readAnswers.add(answerId(question));
    question.new = false;
  }
  const body = JSON.stringify({ questions: questions.map(({ id }) => id) });
  call("POST", assignmentUrl(sheet.work.id, "questions/seen/"), { body, keepalive: true });
  show();
}

// Comments: the current text is sent with every save of an answer, and stays in the journal until the server has stored
// it. `item.comment` is what is stored, `item.sentComment` what was sent with the last save.

/** @param {Item} item */
export const commentOf = (item) => typedText(item, "comment") ?? item.sentComment ?? item.comment ?? "";

/**
 * @param {Item} item
 * @param {string} field
 * @param {string} text
 */
export const storeTyped = (item, field, text) => dependencies.texts.put(item, field, text);

/**
 * Saves an answered item again with a comment that was written since.
 * @param {Item} item
 */
export function sendComment(item) {
  const comment = typedText(item, "comment")?.trim();
  if (comment === undefined || !item.answers || item.isInConflict || !isOnSheet(item)) return;
  if (comment !== (item.sentComment ?? item.comment)) dependencies.saveAnswer(item);
}

const sendComments = () => sheet.items.forEach(sendComment);

/**
 * Adds guidelines version and comment to an answer that is sent.
 * @param {Item} item
 * @param {AnswerDetails} more
 */
export function addAnswerDetails(item, more) {
  if (!item.answers) return storeUnsavedComment(item);
  if (sidePanel.guidelines) more.guidelines = sidePanel.guidelines.number;
  more.comment = item.sentComment = commentOf(item).trim();
  if (sidePanel.bookmarks.get(item.id) === "guidelines") setBookmark(item, false);
}

/**
 * The answer is withdrawn: its comment waits for another answer.
 * @param {Item} item
 */
function storeUnsavedComment(item) {
  const comment = commentOf(item);
  Object.assign(item, { sentComment: undefined, comment: "" }); // nothing is stored any more, so the text is new
  if (comment) dependencies.texts.put(item, "comment", comment);
}

/**
 * The server has the comment that was sent.
 * @param {Item | null} item
 * @param {JournalEntry} entry
 */
export function confirmComment(item, { answers, more }) {
  if (!item?.answers || !answers || more?.comment === undefined) return; // or it was withdrawn since
  item.comment = more.comment;
  if (typedText(item, "comment")?.trim() === more.comment) dependencies.texts.remove(item, "comment");
}

/**
 * The same answer was given once more: it is saved for new guidelines.
 * @param {Item} item
 */
export function confirmAnswer(item) {
  if (sidePanel.bookmarks.get(item.id) === "guidelines") dependencies.saveAnswer(item);
}

// Guidelines: each version is announced once

function announceGuidelines() {
  const { guidelines } = sidePanel;
  const readVersion = storedNumber(guidelinesKey());
  if (!guidelines || readVersion >= guidelines.number) return toggleNotice("guidelines", false);
  const message = readVersion
    ? translate("The guidelines have changed (version %(number)s)", { number: guidelines.number })
    : translate("This project has guidelines of its own");
  document.querySelector("[data-guidelines-words]").textContent =
    guidelines.note && readVersion ? `${message}: ${guidelines.note}` : `${message}.`;
  return toggleNotice("guidelines", true);
}

export function markGuidelinesRead() {
  if (sidePanel.guidelines) {
    try {
      localStorage.setItem(guidelinesKey(), JSON.stringify(sidePanel.guidelines.number));
    } catch {
      // Storage is full or forbidden: the notice comes again.
    }
  }
  toggleNotice("guidelines", false);
}

const guidelinesKey = () => `factuary:guidelines:${sheet.work.rater}:${sheet.work.project}`;

/** @param {string} key */
function storedNumber(key) {
  try {
    return Number(JSON.parse(localStorage.getItem(key) ?? "0"));
  } catch {
    return 0;
  }
}

// Replies and guidelines: asked for regularly while the page is visible

export async function refresh() {
  const { work } = sheet;
  if (!work || work.preview || document.visibilityState !== "visible") return;
  const askedAt = Date.now();
  const { status, data } = await call("GET", assignmentUrl(work.id, "beside/"));
  if (status !== 200 || sheet.work !== work) return;
  const previous = sidePanel.guidelines?.number ?? 0;
  applyData(data, askedAt);
  if ((data.guidelines?.number ?? 0) > previous) announceGuidelines();
  const isSplitChanged = String(sheet.items.map(({ id }) => id).sort()) !== String([...data.items].sort());
  toggleNotice("split", isSplitChanged);
}

listen("question-sent", refresh);
setInterval(refresh, REFRESH_INTERVAL);
window.addEventListener("online", refresh);

// Time spent on an item: without pauses, and with the time that was spent on it before

let lastActivity = performance.now();
/**
 * The selected item; `startedAt`: when it was selected, later by pauses, earlier by time before.
 * @type {{ item: Item, startedAt: number } | null}
 */
let timed = null;

function noteActivity() {
  const now = performance.now();
  const pause = now - lastActivity;
  lastActivity = now;
  if (pause < IDLE_TIME || !timed) return;
  timed.startedAt += pause;
  sheet.selectedAt = timed.startedAt;
}

for (const kind of ["keydown", "pointerdown", "pointermove", "wheel"])
  window.addEventListener(kind, noteActivity, { capture: true, passive: true });

listen("item-selected", (item) => {
  const now = performance.now();
  if (timed) timed.item.timeSpent = now - timed.startedAt;
  if (timed) sendComment(timed.item);
  lastActivity = now; // an item that is selected without a key, as on the next response, is read from now on
  if (timed?.item !== item) timed = { item, startedAt: now - (item.timeSpent ?? 0) };
  sheet.selectedAt = timed.startedAt;
  showBookmarkState();
});

document.addEventListener("click", (/** @type {ElementMouseEvent} */ { target }) => {
  if (target.closest("[data-bookmark-toggle]")) toggleBookmark();
  if (target.closest("[data-bookmark-next]")) selectNextBookmark();
  if (target.closest("[data-guidelines-close]")) markGuidelinesRead();
  if (target.closest("[data-reload]")) location.reload();
});
