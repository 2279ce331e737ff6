// The contents of the side panel that the page needs from the start: the guidelines' version, bookmarks, answers of the
// leads, comments, and the time that was really spent on an item. The drawer that shows all of it is loaded when it is
// first opened (drawer.js).

import { typedText } from "../offline/journal.js";
import { assignmentUrl, call } from "../shared/api.js";
import { translate } from "../shared/translate.js";
import { announce, emit, listen } from "./sheet.js";

const REFRESH_INTERVAL = 60_000; // milliseconds
const IDLE_TIME = 60_000; // milliseconds without key, pointer or scroll after which the rater is considered absent

/**
 * Names an answer of the leads. The page and the API write a time with different numbers of digits.
 * @param {LeadQuestion} question
 */
const answerId = ({ id, answered_at: time }) => `${id} ${Date.parse(time ?? "")}`;

/** @param {Item} item */
export const commentOf = (item) => typedText(item, "comment") ?? item.sentComment ?? item.comment ?? "";

export class SidePanel {
  /**
   * @param {object} dependencies
   * @param {Sheet} dependencies.sheet
   * @param {AnyOutbox} dependencies.outbox
   * @param {TypedTexts} dependencies.texts
   * @param {LateModule<BookmarkList>} dependencies.bookmarkList
   * @param {(item: Item) => void} dependencies.saveAnswer saves the answer of an item again
   */
  constructor({ sheet, outbox, texts, bookmarkList, saveAnswer }) {
    this.sheet = sheet;
    this.outbox = outbox;
    this.texts = texts;
    this.saveAnswer = saveAnswer;
    /** @type {SidePanelData["guidelines"]} */
    this.guidelines = null;
    /** @type {LeadQuestion[]} */
    this.questions = [];
    /**
     * Item -> "unsure" or "guidelines".
     * @type {Map<string, string>}
     */
    this.bookmarks = new Map();
    /**
     * Entries that are not sent yet.
     * @type {JournalEntry[]}
     */
    this.waitingQuestions = [];
    this.bookmarkList = bookmarkList;
    /**
     * Item -> the rater's last change of its bookmark.
     * @type {Map<string, { isSet: boolean, storedAt: number }>}
     */
    this.bookmarkChanges = new Map();
    /**
     * Assignment -> newest data: a response that was left and is shown again has an old page.
     * @type {Map<string, SidePanelData>}
     */
    this.dataByAssignment = new Map();
    /**
     * Answers of the leads that were shown: the server may not know yet.
     * @type {Set<string>}
     */
    this.readAnswers = new Set();
    /**
     * The assignment that the rater finishes in spite of its bookmarks.
     * @type {string | null}
     */
    this.finishConfirmedFor = null;
    this.lastActivity = performance.now();
    /**
     * The selected item; `startedAt`: when it was selected, later by pauses, earlier by time before.
     * @type {{ item: Item, startedAt: number } | null}
     */
    this.timed = null;
    this.addListeners();
  }

  addListeners() {
    listen("sheet-opened", () => this.openSheet());
    listen("item-selected", (item) => this.startTime(item));
    listen("question-sent", () => this.refresh());
    setInterval(() => this.refresh(), REFRESH_INTERVAL);
    window.addEventListener("online", () => this.refresh());
    for (const kind of ["keydown", "pointerdown", "pointermove", "wheel"])
      window.addEventListener(kind, () => this.noteActivity(), { capture: true, passive: true });
    document.addEventListener("click", (/** @type {ElementMouseEvent} */ event) => this.click(event));
  }

  /** Shows what belongs to the sheet that was opened. */
  openSheet() {
    const { id } = this.sheet.work;
    this.sheet.bookmarkEntries.forEach((entry) => this.recordBookmarkChange(entry));
    this.applyData(this.dataByAssignment.get(id) ?? JSON.parse(document.getElementById("beside").textContent));
    for (const item of this.sheet.items) item.timeSpent ??= 1000 * (item.seconds ?? 0);
    this.announceGuidelines();
    // It was prefetched, and there may be new replies.
    if (this.sheet.askedAt < Date.now() - REFRESH_INTERVAL) this.refresh();
    const linked = this.sheet.items.find((item) => location.hash === `#${item.id}`);
    if (linked) setTimeout(() => this.sheet.selectItem(linked)); // after the workspace has selected the first open item
    this.sendComments();
  }

  /**
   * Shows data of the server from `askedAt`. A prefetched response may have older guidelines than are known already.
   * @param {SidePanelData} data
   * @param {number} askedAt
   */
  applyData(data, askedAt = this.sheet.askedAt) {
    const { guidelines, questions, marks } = data;
    this.dataByAssignment.set(this.sheet.work.id, data);
    for (const question of questions) question.new &&= !this.readAnswers.has(answerId(question));
    const isOlder = (this.guidelines?.number ?? 0) > (guidelines?.number ?? 0);
    this.guidelines = isOlder ? this.guidelines : guidelines;
    this.questions = questions;
    this.bookmarks = new Map(marks.map(({ item, why }) => [item, why]));
    for (const { id } of this.sheet.items) {
      const change = this.bookmarkChanges.get(id);
      if (!change || change.storedAt < askedAt) continue; // the server's data has it
      if (change.isSet) this.bookmarks.set(id, this.bookmarks.get(id) ?? "unsure");
      else this.bookmarks.delete(id);
    }
    this.show();
  }

  /** Shows signs on the items and counts on the buttons; nothing moves. */
  show() {
    const { bookmarks, questions } = this;
    for (const item of this.sheet.items) {
      const about = questions.filter((question) => question.item === item.id);
      const question = about.some(({ new: isNew }) => isNew) ? "reply" : about.length ? "question" : "";
      const signs = [bookmarks.has(item.id) ? "bookmark" : "", question].filter(Boolean).join(" ");
      for (const span of item.spans) {
        if (signs) span.dataset.itemNote = signs;
        else delete span.dataset.itemNote;
      }
    }
    const newReplies = questions.filter(({ new: isNew }) => isNew).length;
    for (const count of document.querySelectorAll("[data-new-replies]")) count.textContent = String(newReplies || "");
    for (const count of document.querySelectorAll("[data-bookmark-count]"))
      count.textContent = String(bookmarks.size || "");
    this.toggleNotice("replies", newReplies > 0);
    this.showBookmarkState();
    emit("side-panel-changed", null);
  }

  showBookmarkState() {
    const isSet = Boolean(this.sheet.current && this.bookmarks.has(this.sheet.current.id));
    const label = isSet ? translate("Remove flag") : translate("Flag for later");
    for (const button of document.querySelectorAll("[data-bookmark-toggle]")) {
      button.toggleAttribute("data-flagged", isSet);
      button.setAttribute("aria-label", label);
      button.title = label;
    }
  }

  // Bookmarks ("to come back to")

  toggleBookmark(item = this.sheet.current) {
    const isSet = !this.bookmarks.has(item.id);
    this.setBookmark(item, isSet);
    announce(
      isSet
        ? translate("%(place)s: flagged for later.", { place: this.sheet.itemLabel(item) })
        : translate("%(place)s: flag removed.", { place: this.sheet.itemLabel(item) }),
    );
  }

  /**
   * Shown at once; sent to the server like an answer.
   * @param {Item} item
   * @param {boolean} isSet
   */
  setBookmark({ id }, isSet) {
    if (isSet) this.bookmarks.set(id, "unsure");
    else this.bookmarks.delete(id);
    const data = this.dataByAssignment.get(this.sheet.work.id);
    if (data) data.marks = [...this.bookmarks].map(([item, why]) => ({ item, why }));
    this.bookmarkChanges.set(id, { isSet, storedAt: Infinity });
    this.outbox.setBookmark(this.sheet.work.id, id, isSet);
    this.show();
    this.bookmarkList.fetch(); // so that it is here without a network
  }

  /**
   * An entry that waits in the outbox, or was sent a moment ago: a page that the server made before does not have it.
   * @param {JournalEntry} entry
   */
  recordBookmarkChange({ about = "", marks = false, stored }) {
    this.bookmarkChanges.set(about, { isSet: marks, storedAt: stored?.at ?? Infinity });
  }

  /**
   * The server has a bookmark.
   * @param {JournalEntry} entry
   */
  confirmBookmark(entry) {
    const isLatest = this.bookmarkChanges.get(entry.about ?? "")?.isSet === entry.marks;
    if (isLatest) this.recordBookmarkChange({ ...entry, stored: { version: 0, at: Date.now() } });
  }

  /**
   * Adopts bookmarks of an earlier page.
   * @param {JournalEntry[]} entries
   */
  adoptBookmarks(entries) {
    entries.forEach((entry) => this.recordBookmarkChange(entry));
    const data = this.dataByAssignment.get(this.sheet.work.id);
    if (data) this.applyData(data);
  }

  bookmarkedItems() {
    return this.sheet.items.filter((item) => this.bookmarks.has(item.id));
  }

  /** Selects the next bookmarked item; after the last, the first. */
  selectNextBookmark() {
    const items = this.bookmarkedItems();
    if (!items.length) return announce(translate("Nothing is flagged for later."));
    return this.sheet.goTo(items.find(({ index }) => index > this.sheet.current.index) ?? items[0]);
  }

  /** Before a response is finished: sends comments. Returns whether the rater is asked about bookmarks first. */
  mustAskBeforeFinishing() {
    this.sendComments();
    if (!this.bookmarks.size || this.finishConfirmedFor === this.sheet.work.id) return false;
    this.bookmarkList.fetch().then((list) => (list ? list.askBeforeFinishing() : this.finishAnyway()));
    return true;
  }

  /** Finishes despite the bookmarks. */
  finishAnyway() {
    this.finishConfirmedFor = this.sheet.work.id;
    document.querySelector("[data-finish]").click();
  }

  // Questions to the leads

  /**
   * @param {Item} item
   * @param {QuestionToLeads} question
   */
  askLeads(item, question) {
    this.texts.remove(item, question.kind);
    this.outbox.askLeads(this.sheet.work.id, item.id, question);
  }

  /**
   * Shows the questions that are not sent yet.
   * @param {JournalEntry[]} entries
   */
  showWaitingQuestions(entries) {
    const { waitingQuestions } = this;
    if (entries.length === waitingQuestions.length && entries.every((entry, n) => entry === waitingQuestions[n]))
      return;
    this.waitingQuestions = entries;
    emit("side-panel-changed", null);
  }

  /**
   * The rater has read these answers.
   * @param {LeadQuestion[]} questions
   */
  markAnswersRead(questions) {
    for (const question of questions) {
      this.readAnswers.add(answerId(question));
      question.new = false;
    }
    const body = JSON.stringify({ questions: questions.map(({ id }) => id) });
    call("POST", assignmentUrl(this.sheet.work.id, "questions/seen/"), { body, keepalive: true });
    this.show();
  }

  // Comments: the current text is sent with every save of an answer, and stays in the journal until the server has
  // stored it. `item.comment` is what is stored, `item.sentComment` what was sent with the last save.

  /**
   * @param {Item} item
   * @param {string} field
   * @param {string} text
   */
  storeTyped(item, field, text) {
    this.texts.put(item, field, text);
  }

  /**
   * Saves an answered item again with a comment that was written since.
   * @param {Item} item
   */
  sendComment(item) {
    const comment = typedText(item, "comment")?.trim();
    if (comment === undefined || !item.answers || item.isInConflict || !this.sheet.isOnSheet(item)) return;
    if (comment !== (item.sentComment ?? item.comment)) this.saveAnswer(item);
  }

  sendComments() {
    this.sheet.items.forEach((item) => this.sendComment(item));
  }

  /**
   * Adds guidelines version and comment to an answer that is sent.
   * @param {Item} item
   * @param {AnswerDetails} more
   */
  addAnswerDetails(item, more) {
    if (!item.answers) return this.storeUnsavedComment(item);
    if (this.guidelines) more.guidelines = this.guidelines.number;
    more.comment = item.sentComment = commentOf(item).trim();
    if (this.bookmarks.get(item.id) === "guidelines") this.setBookmark(item, false);
  }

  /**
   * The answer is withdrawn: its comment waits for another answer.
   * @param {Item} item
   */
  storeUnsavedComment(item) {
    const comment = commentOf(item);
    Object.assign(item, { sentComment: undefined, comment: "" }); // nothing is stored any more, so the text is new
    if (comment) this.texts.put(item, "comment", comment);
  }

  /**
   * The server has the comment that was sent.
   * @param {Item | null} item
   * @param {JournalEntry} entry
   */
  confirmComment(item, { answers, more }) {
    if (!item?.answers || !answers || more?.comment === undefined) return; // or it was withdrawn since
    item.comment = more.comment;
    if (typedText(item, "comment")?.trim() === more.comment) this.texts.remove(item, "comment");
  }

  /**
   * The same answer was given once more: it is saved for new guidelines.
   * @param {Item} item
   */
  confirmAnswer(item) {
    if (this.bookmarks.get(item.id) === "guidelines") this.saveAnswer(item);
  }

  // Guidelines: each version is announced once

  guidelinesKey() {
    const { rater, project } = this.sheet.work;
    return `factuary:guidelines:${rater}:${project}`;
  }

  announceGuidelines() {
    const { guidelines } = this;
    const readVersion = storedNumber(this.guidelinesKey());
    if (!guidelines || readVersion >= guidelines.number) return this.toggleNotice("guidelines", false);
    const message = readVersion
      ? translate("The guidelines have changed (version %(number)s)", { number: guidelines.number })
      : translate("This project has its own guidelines");
    document.querySelector("[data-guidelines-text]").textContent =
      guidelines.note && readVersion ? `${message}: ${guidelines.note}` : `${message}.`;
    return this.toggleNotice("guidelines", true);
  }

  markGuidelinesRead() {
    if (this.guidelines) {
      try {
        localStorage.setItem(this.guidelinesKey(), JSON.stringify(this.guidelines.number));
      } catch {
        // Storage is full or forbidden: the notice comes again.
      }
    }
    this.toggleNotice("guidelines", false);
  }

  // Replies and guidelines: asked for regularly while the page is visible

  async refresh() {
    const { work } = this.sheet;
    if (!work || work.preview || document.visibilityState !== "visible") return;
    const askedAt = Date.now();
    const { status, data } = await call("GET", assignmentUrl(work.id, "beside/"));
    if (status !== 200 || this.sheet.work !== work) return;
    const previous = this.guidelines?.number ?? 0;
    this.applyData(data, askedAt);
    if ((data.guidelines?.number ?? 0) > previous) this.announceGuidelines();
    const isSplitChanged = String(this.sheet.items.map(({ id }) => id).sort()) !== String([...data.items].sort());
    this.toggleNotice("split", isSplitChanged);
  }

  // Time spent on an item: without pauses, and with the time that was spent on it before

  noteActivity() {
    const now = performance.now();
    const pause = now - this.lastActivity;
    this.lastActivity = now;
    if (pause < IDLE_TIME || !this.timed) return;
    this.timed.startedAt += pause;
    this.sheet.selectedAt = this.timed.startedAt;
  }

  /**
   * Measures the time that is spent on the selected item.
   * @param {Item} item
   */
  startTime(item) {
    const now = performance.now();
    if (this.timed) this.timed.item.timeSpent = now - this.timed.startedAt;
    if (this.timed) this.sendComment(this.timed.item);
    this.lastActivity = now; // an item that is selected without a key, as on the next response, is read from now on
    if (this.timed?.item !== item) this.timed = { item, startedAt: now - (item.timeSpent ?? 0) };
    this.sheet.selectedAt = this.timed.startedAt;
    this.showBookmarkState();
  }

  /**
   * Shows or hides a notice; one that appears is announced.
   * @param {string} name
   * @param {boolean} isShown
   */
  toggleNotice(name, isShown) {
    const notice = document.querySelector(`[data-${name}-notice]`);
    if (isShown && notice.hidden) announce(notice.querySelector("span").textContent.trim());
    notice.hidden = !isShown;
    if (isShown) this.sheet.scrollToItem();
  }

  /** @param {ElementMouseEvent} event */
  click({ target }) {
    if (target.closest("[data-bookmark-toggle]")) this.toggleBookmark();
    if (target.closest("[data-bookmark-next]")) this.selectNextBookmark();
    if (target.closest("[data-guidelines-close]")) this.markGuidelinesRead();
    if (target.closest("[data-reload]")) location.reload();
  }
}

/** @param {string} key */
function storedNumber(key) {
  try {
    return Number(JSON.parse(localStorage.getItem(key) ?? "0"));
  } catch {
    return 0;
  }
}
