// The workspace: connects its modules, and handles clicks and messages. sheet.js has the selected item and its state;
// answering.js gives and undoes answers; outbox.js sends them; finish_response.js opens the next response; keyboard.js
// has the keys. Modules that the first item does not need are loaded with the first key. docs/workspace.md.

import { Journal, TypedTexts, typedText } from "../offline/journal.js";
import { isBookmark, Outbox } from "../offline/outbox.js";
import { translate } from "../shared/translate.js";
import { Answering, QuestionForm } from "./answering.js";
import { Evidence } from "./evidence.js";
import { Keyboard } from "./keyboard.js";
import { scrollArticle } from "./passages.js";
import { announce, emit, focusQuestions, isBegun, listen, part, Sheet } from "./sheet.js";
import { SidePanel } from "./side_panel.js";

const HIDE_DEFINITIONS = "factuary:without-definitions"; // keys of localStorage
const AUTO_FINISH = "factuary:finishes-by-itself";
const LOAD_LATE_AFTER = 3_000; // milliseconds: later loads are not part of the first load
const MAX_OPENING = 10_000; // milliseconds that keys wait for the drawer
const NOT_LOADED = translate("You are offline, and a part of this page is not loaded yet. Please try again.");
/** @type {Record<string, [string, (n: number) => string]>} Sign and text of each state of the outbox. */
const STATUS = {
  "saved": ["✓", () => translate("Saved")],
  "waiting": ["…", (n) => translate("%(n)s waiting", { n })],
  "offline": ["!", (n) => translate("Offline, %(n)s waiting", { n })],
  "signed-out": ["!", (n) => translate("Signed out, %(n)s waiting", { n })],
  "other-account": ["!", (n) => translate("%(n)s not saved", { n })],
};

/**
 * A module that is loaded with the first key or while the article is read, so that it is here without a network.
 * @template T
 */
export class LateModule {
  /**
   * @param {() => Promise<T>} load
   * @param {() => void} [showFailure] shows that the module could not be loaded
   */
  constructor(load, showFailure = () => {}) {
    this.load = load;
    this.showFailure = showFailure;
    /** @type {Promise<T | null> | null} */
    this.loading = null;
    /** @type {T | null} The module, once it is loaded. */
    this.module = null;
  }

  /** Returns the module, null if it cannot be loaded now. */
  fetch() {
    this.loading ??= this.load().then(
      (module) => (this.module = module),
      () => (this.loading = null),
    );
    return this.loading;
  }

  /** Returns the module for one that needs it, which cannot be loaded either without it. */
  async required() {
    const module = await this.fetch();
    if (!module) throw new Error("a module that another one needs was not loaded");
    return module;
  }

  /**
   * Calls `act` with the module.
   * @param {(module: T) => unknown} act
   */
  async use(act) {
    const module = await this.fetch();
    return module ? act(module) : this.showFailure();
  }

  /** @param {(module: T) => unknown} act */
  ifLoaded(act) {
    this.loading?.then((module) => module && act(module));
  }
}

/** Ends the time in which keys wait for the next response (`finish`). */
let endFinishing = () => {};
const workspace = document.querySelector("[data-workspace]");
const answerForm = workspace.querySelector("[data-answer-form]");
const statusBar = document.querySelector("[data-saved]");
const finishButton = answerForm.querySelector("[data-finish]");
const notice = document.querySelector("[data-notice]");
const noticeText = document.querySelector("[data-notice-text]");
/** @type {HTMLElement | null} In training. */
const feedbackBox = document.querySelector("[data-feedback]");

/** @type {HTMLElement | null} In projects that show verdicts. */
const verdictBox = document.querySelector("[data-judge-verdict]");

const sheet = new Sheet();
sheet.readSheet();
const { preview, rater, protocol } = sheet.work;
const journal = preview ? null : new Journal(rater);
const texts = new TypedTexts(journal);
/** @type {OutboxListener} */
const listener = {
  changed: showOutbox,
  saved: endAnswer,
  finished: ({ assignment }) => {
    const work = sheet.findWork(assignment);
    if (work) work.finished = true;
    nameFinishButton();
    pageCache.ifLoaded((cache) => cache.dropPage(assignment));
  },
  unfinished: (entry, data) => finishing.use((module) => module.reopen(entry, data)),
  conflict: (entry, data) => conflicts.use((module) => module.resolve(entry, /** @type {StoredAnswer} */ (data))),
  lost: (entry) => {
    pageCache.ifLoaded((cache) => cache.dropPage(entry.assignment));
    finishing.use((module) => module.showLost(entry));
  },
  stopped: () => finishing.use((module) => module.leaveWork()),
  refused: (entry, status, data) => conflicts.use((module) => module.showRefused(entry, status, data)),
  questionSent: (entry) => emit("question-sent", entry),
  questionRefused: restoreQuestion,
  bookmarkSent: (entry) => sidePanel.confirmBookmark(entry),
  adopted: (entries) => {
    answering.applyEntries(entries);
    sidePanel.adoptBookmarks(entries.filter(isBookmark));
  },
  tabMessage: readTabMessage,
};
const outbox = journal
  ? new Outbox(rater, journal, listener)
  : new (await import("../offline/preview_outbox.js")).PreviewOutbox();
const questions = new QuestionForm(answerForm, protocol, {
  choose,
  type: (question, value) => answering.type(question, value),
});
const evidence = new Evidence(answerForm, {
  attach: (passages, stance) => answering.attach(passages, stance),
  remove: (passage) => answering.detach(passage),
  announce,
});
const answering = new Answering({
  sheet,
  questions,
  journal,
  texts,
  outbox,
  evidence,
  showNotice,
  addDetails: (item, more) => sidePanel.addAnswerDetails(item, more),
  confirmed: (item) => sidePanel.confirmAnswer(item),
  goBack: (change) => finishing.use((module) => module.goBack(change)),
  storeChanges: () => journal && storedChanges.use((module) => module.storeChanges(sheet.work, answering.changes)),
});
const sidePanel = new SidePanel({
  sheet,
  outbox,
  texts,
  bookmarkList: new LateModule(async () => new (await import("./bookmarks.js")).BookmarkList(sidePanel, sheet)),
  saveAnswer: (item) => answering.store(item),
});

/**
 * @template T
 * @param {() => Promise<T>} load
 */
const lateModule = (load) => new LateModule(load, () => showNotice(NOT_LOADED));
const dialogs = lateModule(async () => new (await import("./dialogs.js")).Dialogs(sheet));
const storedChanges = new LateModule(() => import("./stored_changes.js"));
const pageCache = lateModule(async () => new (await import("../offline/page_cache.js")).PageCache(sheet));
const finishing = lateModule(async () => {
  const [{ Finishing }, dialogModule, cache] = await Promise.all([
    import("./finish_response.js"),
    dialogs.required(),
    pageCache.required(),
  ]);
  return new Finishing({
    sheet,
    dialogs: dialogModule,
    pageCache: cache,
    outbox,
    answering,
    sidePanel,
    showNotice,
    hideNotice,
    nameFinishButton,
    openSheet,
    changeSheet,
  });
});
const conflicts = lateModule(async () => {
  const [{ ConflictDialog }, dialogModule] = await Promise.all([import("./conflict_dialog.js"), dialogs.required()]);
  return new ConflictDialog({
    sheet,
    dialogs: dialogModule,
    answering,
    outbox,
    questions,
    texts,
    sidePanel,
    showNotice,
    refillFields,
  });
});
const article = lateModule(async () => {
  const { FindBar, wireArticle } = await import("./article.js");
  const findBar = new FindBar({
    announce,
    selectMatch: (range) => evidence.selectSentenceAt(range),
    closed: focusQuestions,
  });
  const wire = () => wireArticle(part("article"), findBar);
  wire();
  return { findBar, wire };
});
const feedback = lateModule(() => import("./training_feedback.js"));
const hints = new LateModule(async () => new (await import("./hints.js")).Hints(sheet));
const signIn = lateModule(async () => new (await import("./sign_in_dialog.js")).SignInDialog(outbox));
const drawer = lateModule(async () => {
  const [{ Drawer }, bookmarkList] = await Promise.all([import("./drawer.js"), sidePanel.bookmarkList.required()]);
  return new Drawer(sidePanel, bookmarkList, sheet);
});

function loadLateModules() {
  for (const module of [article, finishing, conflicts, signIn, dialogs, pageCache, drawer, storedChanges, hints])
    module.fetch();
  if (feedbackBox) feedback.fetch();
}

// Opening a sheet

/**
 * Opens the sheet that was put into the page.
 * @param {object} [options]
 * @param {boolean} [options.hasOtherArticle]
 * @param {LeftSheet | null} [options.from] a sheet that was left and is shown again as it was
 * @param {number} [options.askedAt] when the server was asked for it
 */
async function openSheet({ hasOtherArticle = true, from = null, askedAt } = {}) {
  if (from) Object.assign(sheet, from, { current: null, bookmarkEntries: [] });
  else sheet.readSheet(askedAt);
  const { work, items } = sheet;
  if (hasOtherArticle) article.ifLoaded(({ wire }) => wire());
  if (!from) await restoreStored(work, items);
  if (!from && hasStoredChanges())
    await storedChanges.use((module) => answering.changes.push(...module.restoreChanges(work, items)));
  evidence.open(part("article"), work);
  items.forEach((item) => sheet.showState(item));
  sheet.showProgress();
  // The response finished last on this page: a prefetched response does not know it.
  const last = [...sheet.leftSheets.values()].findLast((left) => left.work.finished);
  const before = last ? `/assignments/${last.work.id}/` : work.before;
  const link = document.querySelector("[data-previous-response]");
  link.hidden = !before;
  if (before) link.href = before;
  nameFinishButton();
  if (journal && journal.durability !== "disk") showDurability(journal.durability);
  emit("sheet-opened", { assignment: work.id, work });
  if (items.length) sheet.selectItem(sheet.openItems()[0] ?? items[0]);
  if (work.reopening && !work.finished && !from) showNotice(work.reopening, "info");
  document.body.dataset.ready = work.id;
}

/** Whether an earlier page of this tab has stored what undo takes back. */
function hasStoredChanges() {
  try {
    return sessionStorage.getItem(`factuary:undo:${rater}`) !== null;
  } catch {
    return false; // storage is forbidden
  }
}

/**
 * Applies records of this browser about the sheet that are not on the server yet.
 * @param {Work} work
 * @param {Item[]} items
 */
async function restoreStored(work, items) {
  for (const item of items) outbox.versions.set(item.id, item.version);
  await outbox.adopt(work.id);
  const waiting = outbox.entries.filter((entry) => entry.assignment === work.id);
  const receipts = await outbox.receiptsSince(sheet.askedAt, work.id);
  receipts.filter((receipt) => !isBookmark(receipt)).forEach(applyReceipt);
  sheet.bookmarkEntries = [...receipts, ...waiting].filter(isBookmark);
  answering.applyEntries(waiting);
  for (const { item: id, field, text, was } of (await journal?.recordsOf(work.id, "typed")) ?? []) {
    const item = items.find((each) => each.id === id);
    if (!item) continue;
    item.typed = { ...item.typed, [field]: text };
    // Where another comment was stored since, both are merged.
    if (field === "comment") texts.mergeComment(item, item.comment ?? "", was);
    else answering.removeSavedTexts(item, item.answers ?? {});
  }
  for (const record of (await journal?.recordsOf(work.id, "begun")) ?? [])
    restoreDraft(
      items.find(({ id }) => id === record.item),
      record,
    );
  for (const item of items) {
    item.draft = answering.withTyped(item, item.draft);
    item.isDraftStored ||= isBegun(item);
  }
  if (waiting.some(({ finishes }) => finishes)) work.finished = true;
}

/**
 * Restores a draft, unless the item was answered since.
 * @param {Item | undefined} item
 * @param {DraftRecord} record
 */
function restoreDraft(item, { item: id, base, draft, evidence: passages }) {
  const isAnswered = outbox.versions.get(id) !== base || outbox.entries.some((entry) => entry.item === id);
  if (!item || isAnswered) journal?.remove("begun", id);
  else Object.assign(item, { draft, isDraftStored: true, evidence: (item.answers ? null : passages) ?? item.evidence });
}

/**
 * Applies answers that arrived while the server rendered this page.
 * @param {Receipt} receipt
 */
function applyReceipt(receipt) {
  const { item: id = "", finishes, stored } = receipt;
  if (finishes) {
    sheet.work.finished = true;
    return;
  }
  const item = sheet.findItem(id);
  if (item && stored.version && stored.version < item.version) return;
  outbox.versions.set(id, stored.version);
  answering.applyEntries([receipt]);
}

/**
 * A message of another tab of this rater: it has opened a response, or saved an answer.
 * @param {TabMessage} message
 */
function readTabMessage(message) {
  const { kind, assignment } = message;
  if (kind === "saved") return conflicts.use((module) => module.applyStoredAnswer(message));
  if (assignment !== sheet.work.id) return null;
  if (kind === "opened") outbox.announceOpen(assignment);
  return showNotice(
    translate(
      "This response is also open in another tab. Answers saved in one tab are shown in the other; if two answers differ, you choose which to keep.",
    ),
    "info",
  );
}

/**
 * Puts another response into the page; keys that are pressed meanwhile wait for it.
 * @param {() => unknown} change
 */
async function changeSheet(change) {
  sheet.isChanging = true;
  try {
    await change();
  } finally {
    sheet.isChanging = false;
    keyboard.replay();
  }
}

// The drawer and the find bar

/**
 * Opens what takes text: keys wait until it has the focus (keyboard.js), as otherwise they would be answers.
 * @template T
 * @param {HTMLElement} button
 * @param {LateModule<T>} late
 * @param {(module: T) => unknown} open
 */
async function openWithKeysWaiting(button, late, open) {
  if (sheet.openingButton) return;
  sheet.openingButton = button;
  try {
    const hasOpened = await Promise.race([
      openWhenLoaded(button, late, open),
      new Promise((resolve) => setTimeout(resolve, MAX_OPENING)),
    ]);
    if (!hasOpened) {
      showNotice(NOT_LOADED);
      if (await keyboard.dropQueue())
        showNotice(`${NOT_LOADED} ${translate("Keys pressed in the meantime had no effect.")}`);
    }
  } finally {
    sheet.openingButton = null;
    keyboard.replay();
  }
}

/**
 * Finishes the response. Keys that are pressed before the next one is here are for that one: they wait for it, unless
 * nothing can be saved now.
 */
async function finish() {
  const finished = finishing.use((module) => module.finish());
  if (isBlocked() || sheet.isFinishing) return finished;
  sheet.isFinishing = true;
  const hasEnded = await Promise.race([
    finished.then(() => true),
    new Promise((resolve) => {
      endFinishing = () => resolve(false);
      setTimeout(endFinishing, MAX_OPENING);
    }),
  ]);
  if (!hasEnded && keyboard.queue.length && (await keyboard.dropQueue()))
    showNotice(translate("Keys pressed in the meantime had no effect."));
  sheet.isFinishing = false;
  return keyboard.replay();
}

/**
 * Returns whether the module has loaded.
 * @template T
 * @param {HTMLElement} button
 * @param {LateModule<T>} late
 * @param {(module: T) => unknown} open
 */
async function openWhenLoaded(button, late, open) {
  const module = await late.fetch();
  if (module && sheet.openingButton === button) await open(module);
  return Boolean(module);
}

/** Returns false without an article. */
function openFindBar() {
  const button = part("article").querySelector("[data-find-open]");
  if (!button) return false;
  if (article.module) return article.module.findBar.open();
  return openWithKeysWaiting(button, article, ({ findBar }) => findBar.open());
}

/**
 * Shows text that was changed outside the drawer in the drawer's fields.
 * @param {string} item
 */
function refillFields(item) {
  drawer.ifLoaded(({ itemTab }) => itemTab.refillFields(item));
}

// Callbacks of the outbox

/** @param {JournalEntry} entry */
function endAnswer(entry) {
  const { assignment, item = "", answers = null, more } = entry;
  answering.showSaved(entry);
  sidePanel.confirmComment(sheet.findItem(item), entry);
  if (feedbackBox) feedback.use((module) => module.showFeedback(feedbackBox, entry));
  emit("answer-saved", { assignment, item, answers, more });
}

/**
 * The leads did not get a question: its text is in its field again.
 * @param {JournalEntry} entry
 * @param {ApiData} data
 */
function restoreQuestion({ about = "", assignment, asks }, data) {
  if (!asks) return;
  const item = sheet.findItem(about) ?? /** @type {Item} */ ({ id: about, assignment });
  texts.put(item, asks.kind, [asks.text, typedText(item, asks.kind)].filter(Boolean).join("\n"));
  const reason = data?.errors?.text?.join(" ") ?? data?.detail ?? "";
  showNotice(translate("Your question was not sent: %(reason)s Its text is in the field again.", { reason }));
  refillFields(about);
}

function showOutbox() {
  showStatus();
  nameFinishButton();
  sidePanel.showWaitingQuestions(outbox.entries.filter(({ asks }) => asks));
}

function showStatus() {
  const { waiting } = outbox;
  const state = waiting ? outbox.state : "saved";
  const [sign, label] = STATUS[state];
  const blocked = waiting && state !== "waiting" ? label(waiting) : "";
  if (blocked && blocked !== statusBar.dataset.announced) answering.announceWaiting(blocked);
  statusBar.dataset.announced = blocked;
  statusBar.dataset.state = state;
  statusBar.querySelector("[data-saved-sign]").textContent = sign;
  statusBar.querySelector("[data-saved-text]").textContent = label(waiting);
  for (const reason of ["signed-out", "other-account"])
    document.querySelector(`[data-${reason}]`).hidden = state !== reason;
  if (state === "other-account") pageCache.ifLoaded((cache) => cache.dropAllPages());
  if (state === "signed-out") signIn.use((dialog) => dialog.askWhenIdle());
  else signIn.ifLoaded((dialog) => dialog.reset());
}

/** Whether what waits cannot be sent now. */
function isBlocked() {
  return outbox.waiting > 0 && outbox.state !== "waiting";
}

/** Sets the button's label: its action, or the reason why it waits. */
function nameFinishButton() {
  const isWaiting = finishButton.disabled && isBlocked();
  if (isWaiting) endFinishing();
  const label = isWaiting
    ? translate("Finishes when everything is saved")
    : sheet.work.finished
      ? translate("Next response")
      : translate("Finish");
  /** @type {ChildNode} */ (finishButton.firstChild).textContent = `${label} `;
  finishButton.toggleAttribute("data-blocked", isWaiting);
}

// Notices

/** @type {ShowNotice} */
function showNotice(message, tone = "danger") {
  notice.dataset.tone = tone;
  noticeText.textContent = message;
  notice.hidden = false;
  sheet.scrollToItem();
  return message;
}

/** @param {string} durability */
function showDurability(durability) {
  const message =
    durability === "localStorage"
      ? translate(
          "This browser stores answers less safely than usual (a private window?). They are kept when the tab is closed, but may be lost if the browser crashes. Check that “Saved” is shown at the top before you leave.",
        )
      : translate(
          "This browser does not let the page store anything (a private window?). Answers that are not saved yet are lost when the tab is closed. Check that “Saved” is shown at the top before you leave.",
        );
  showNotice(message, "warning");
}

/**
 * Hides the notice; if a message is given, only that one.
 * @param {string} [message]
 */
function hideNotice(message) {
  if (message === undefined || message === noticeText.textContent) notice.hidden = true;
}

// Keys and clicks

/** @type {Record<string, () => unknown>} By the names that keys and hints use. */
const ACTIONS = {
  "next": () => sheet.move(1),
  "before": () => sheet.move(-1),
  "undo": () => answering.undo(),
  finish,
  "passage-next": () => evidence.walk(1),
  "passage-before": () => evidence.walk(-1),
  "supports": () => evidence.attach("supports"),
  "contradicts": () => evidence.attach("contradicts"),
  "find": openFindBar,
  "help": () => {
    keyboard.fillHelp();
    document.getElementById("help").showModal();
  },
  "scroll-down": () => scrollArticle(1),
  "scroll-up": () => scrollArticle(-1),
};

/**
 * @param {string} question
 * @param {string} value
 */
function choose(question, value) {
  article.module?.findBar.close(); // n is an answer again
  const isAnswered = answering.choose(question, value);
  // In training the last feedback is read first.
  const canFinish = isAnswered && !sheet.work.then && !sheet.work.finished;
  if (canFinish && isEnabled(AUTO_FINISH) && !sheet.openItems().length) ACTIONS.finish();
}

/**
 * The first that matches is called.
 * @type {[string, (element: HTMLElement & { href: string }, event: MouseEvent) => unknown][]}
 */
const CLICKS = [
  ["[data-show-view]", ({ dataset }) => showOnPhone(dataset.showView ?? "")],
  ["[data-back-to-response]", () => showOnPhone("answer")],
  ["[data-definitions]", () => toggleSetting(HIDE_DEFINITIONS)],
  ["[data-auto-finish]", () => toggleSetting(AUTO_FINISH)],
  ["[data-opens-drawer]", (button) => openWithKeysWaiting(button, drawer, (module) => module.open(button))],
  ["[data-find-open]", openFindBar],
  [
    "[data-move]",
    ({ dataset }, { detail }) => {
      if (detail) focusQuestions(); // so that Enter finishes
      sheet.move(Number(dataset.move));
    },
  ],
  [
    "[data-undo]",
    (_, { detail }) => {
      if (detail) focusQuestions();
      answering.undo();
    },
  ],
  ["[data-finish]", () => ACTIONS.finish()],
  ["[data-release]", () => finishing.use((module) => module.release())],
  ["[data-list-open]", () => dialogs.use((module) => module.listOpenItems(sheet.openItems()))],
  ["[data-sign-in]", () => signIn.use((dialog) => dialog.open())],
  [
    "[data-previous-response]",
    ({ href }, event) => {
      event.preventDefault();
      finishing.use((module) => module.revisit(href));
    },
  ],
  ["[data-notice-close]", () => hideNotice()],
];

/** @param {ElementMouseEvent} event */
function click(event) {
  const { target } = event;
  if (target.closest("[data-menu] > .panel > :is(a, button)")) {
    focusQuestions(); // a closed menu keeps no focus
    target.closest("details")?.removeAttribute("open"); // its entries move, and the pointer must not rest on another one
  }
  const span = target.closest(".s[data-item]");
  const item =
    span && !target.closest("a") && sheet.items.find(({ position }) => position === Number(span.dataset.item));
  if (item) return sheet.selectItem(item);
  for (const [selector, act] of CLICKS) {
    const element = target.closest(selector);
    if (element) return act(element, event);
  }
  return null;
}

/**
 * On a phone: shows the response or the article.
 * @param {string} name
 */
function showOnPhone(name) {
  workspace.dataset.view = name;
  for (const button of document.querySelectorAll("[data-show-view]"))
    button.setAttribute("aria-pressed", String(button.dataset.showView === name));
}

// Settings of the menu, stored in this browser: hiding the definitions leaves more space for the response.

/** @type {Set<string>} Those that are on, where the browser forbids storage: they hold for this page. */
const settingsOfPage = new Set();

/** @param {string} setting */
function isEnabled(setting) {
  try {
    return localStorage.getItem(setting) === "yes";
  } catch {
    return settingsOfPage.has(setting);
  }
}

/** @param {string} setting */
function toggleSetting(setting) {
  const isNowEnabled = !isEnabled(setting);
  try {
    localStorage.setItem(setting, isNowEnabled ? "yes" : "no");
  } catch {
    if (isNowEnabled) settingsOfPage.add(setting);
    else settingsOfPage.delete(setting);
  }
  showSettings();
}

function showSettings() {
  const areHidden = isEnabled(HIDE_DEFINITIONS);
  workspace.toggleAttribute("data-hides-definitions", areHidden);
  document.querySelector("[data-definitions-text]").textContent = areHidden
    ? translate("Show definitions")
    : translate("Hide definitions");
  document.querySelector("[data-auto-finish]").setAttribute("aria-pressed", String(isEnabled(AUTO_FINISH)));
}

let isLeaving = false;

/**
 * A rater who signs out with unsent answers gets a message that they stay in this browser.
 * @param {ElementEvent} event
 */
function askBeforeSigningOut(event) {
  const form = event.target;
  if (!outbox.waiting || isLeaving || !form.action?.endsWith?.("/logout/")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  dialogs.use((module) =>
    module.askToLeave(() => {
      isLeaving = true;
      form.requestSubmit();
    }),
  );
}

const keyboard = new Keyboard({
  sheet,
  questions,
  findBar: () => article.module?.findBar,
  choose,
  attach: () => evidence.attach("contradicts"),
  actions: ACTIONS,
});
document.addEventListener("click", click);
for (const kind of ["keydown", "pointerdown", "wheel"])
  document.addEventListener(kind, loadLateModules, { once: true, passive: true });
listen("item-selected", (item) => evidence.show(item));
if (verdictBox) import("./judge_verdict.js").then((module) => new module.JudgeVerdict(verdictBox, sheet));
window.addEventListener("beforeunload", (event) => {
  if (outbox.waiting && !isLeaving) event.preventDefault();
});
window.addEventListener("submit", askBeforeSigningOut, true);
window.addEventListener("popstate", () => finishing.use((module) => module.followHistory()));
showSettings();

// Set by page_cache.js: the page was opened without a network.
const cachedAt = Number(document.documentElement.dataset.cachedAt);
const opening = changeSheet(async () => {
  await openSheet(cachedAt ? { askedAt: cachedAt } : {});
  if (cachedAt) await finishing.use(({ prefetch }) => prefetch.restore()); // keys may be for the responses that follow
});
if (cachedAt) opening.then(startOffline);
else
  setTimeout(() => {
    loadLateModules();
    pageCache.ifLoaded((cache) => cache.cacheCurrentOnce());
  }, LOAD_LATE_AFTER);

function startOffline() {
  return finishing.use(async ({ prefetch, pageCache: cache }) => {
    const { continueOffline } = await import("../offline/offline_start.js");
    /** @param {StoredAnswer & { item: string }} answer */
    const applyStoredAnswer = (answer) => conflicts.use((module) => module.applyStoredAnswer(answer));
    return continueOffline({
      sheet,
      outbox,
      prefetch,
      pageCache: cache,
      cachedAt,
      showNotice,
      hideNotice,
      applyStoredAnswer,
    });
  });
}
