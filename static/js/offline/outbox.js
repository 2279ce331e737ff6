// Unsent entries: answers, the finish of a response, questions to the leads, bookmarks. Each is stored in this browser
// (journal.js) before the network is used, then sent in order, one at a time, and removed when the server has it. So a
// reload, a killed tab or an empty battery loses nothing: the next page of the same rater sends what is left. Key and
// body of a request are the same for all attempts, so that nothing is stored twice. A finish is sent after the answers;
// questions and bookmarks need no lease and block no answer. A receipt stays for a while: a page that the server made
// before an answer arrived, and that was cached in this browser, does not contain that answer.

import { assignmentUrl, call, fetchSignedInUser } from "../shared/api.js";

const MAX_PAUSE = 30_000; // milliseconds between two attempts
const FIRST_PAUSE = 1_000;
const RECEIPT_AGE = 60_000; // longer than a page takes to load
// Until the response is finished: longer than a page is cached (page_cache.js).
const MAX_RECEIPT_AGE = 24 * 3600 * 1000;
const RELOAD_TIME = 5_000; // a tab may be reloaded within this time
const GONE = 410; // another rater has the work now
const LOCKED = 423; // the rater is paused (then there is a `gate`), or the project is archived

/**
 * Callbacks of the page for changes of entries.
 * @typedef {object} OutboxListener
 * @property {() => void} changed the state or the number of waiting entries
 * @property {(entry: JournalEntry, data: ApiData) => void} saved an answer is stored
 * @property {(entry: JournalEntry) => void} finished
 * @property {(entry: JournalEntry, data: ApiData) => void} unfinished the server refused to finish the response
 * @property {(entry: JournalEntry, data: ApiData) => void} conflict another answer was stored first
 * @property {(entry: JournalEntry) => void} lost another rater has the work
 * @property {(entry: JournalEntry) => void} stopped the rater is paused, or the project is archived
 * @property {(entry: JournalEntry, status: number, data: ApiData) => void} refused
 * @property {(entry: JournalEntry) => void} questionSent
 * @property {(entry: JournalEntry, data: ApiData) => void} questionRefused
 * @property {(entry: JournalEntry) => void} bookmarkSent
 * @property {(entries: JournalEntry[]) => void} adopted entries of an earlier page are sent by this one
 * @property {(message: TabMessage) => void} tabMessage of another tab of this rater
 */

export class Outbox {
  /**
   * @param {number | string} rater
   * @param {Journal} journal
   * @param {OutboxListener} listener
   */
  constructor(rater, journal, listener) {
    this.rater = rater;
    this.journal = journal;
    this.listener = listener;
    this.tab = crypto.randomUUID();
    /** @type {JournalEntry[]} */
    this.entries = [];
    /** @type {Map<string, Promise<void>>} Entry key -> resolves when it is on the disk. */
    this.writes = new Map();
    /** @type {Map<string, number>} Item -> the version that this page has seen. */
    this.versions = new Map();
    /** @type {Map<string, number>} Item -> the version that this page has stored. */
    this.ownVersions = new Map();
    /** @type {Set<string>} Keys of answers that wait for the rater's choice. */
    this.conflicts = new Set();
    /** @type {"saved" | "waiting" | "offline" | "signed-out" | "other-account"} */
    this.state = "saved";
    /** @type {string | null} The assignment that the page shows. */
    this.assignment = null;
    this.pause = 0;
    this.lastTime = 0;
    this.isSending = false;
    this.isTokenRenewed = false;
    /** @type {(() => void) | null} Ends the pause between two attempts. */
    this.endPause = null;
    /** @type {(() => void)[]} */
    this.idleResolvers = [];
    /** @type {Set<string>} Other tabs whose entries are adopted when they are closed. */
    this.watchedTabs = new Set();
    this.lockTab();
    this.channel = globalThis.BroadcastChannel ? new BroadcastChannel(`factuary:${rater}`) : null;
    this.channel?.addEventListener("message", ({ data }) => listener.tabMessage(data));
    for (const event of ["online", "focus", "pageshow"]) window.addEventListener(event, () => this.retryNow());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.retryNow());
  }

  get waiting() {
    return this.entries.length;
  }

  /**
   * Sends an answer; null withdraws it. An older answer to the item that was not sent yet is dropped.
   * @param {string} assignment
   * @param {string} item
   * @param {Answers | null} answers
   * @param {number} seconds
   * @param {AnswerDetails} more
   */
  sendAnswer(assignment, item, answers, seconds, more = {}) {
    if (!this.isFinishing(assignment)) this.drop((entry) => entry.item === item && !entry.tried);
    this.push({ assignment, item, answers, seconds, more, base: this.versions.get(item) ?? 0 });
  }

  /**
   * Sends a question or a report about an item to the leads.
   * @param {string} assignment
   * @param {string} about
   * @param {QuestionToLeads} asks
   */
  askLeads(assignment, about, asks) {
    this.push({ assignment, about, asks });
  }

  /**
   * Sets or removes the bookmark of an item; a change that was not sent yet is dropped.
   * @param {string} assignment
   * @param {string} about
   * @param {boolean} marks
   */
  setBookmark(assignment, about, marks) {
    this.drop((entry) => isBookmark(entry) && entry.about === about && !entry.tried);
    this.push({ assignment, about, marks });
  }

  /** @param {string} assignment */
  finish(assignment) {
    this.push({ assignment, finishes: true });
  }

  /** @param {string} assignment */
  isFinishing(assignment) {
    return this.entries.some((entry) => entry.finishes && entry.assignment === assignment);
  }

  /**
   * Drops a finish that was not sent yet; returns whether there was one.
   * @param {string} assignment
   */
  cancelFinish(assignment) {
    const finishes = this.entries.filter((entry) => entry.finishes && entry.assignment === assignment && !entry.tried);
    finishes.forEach((entry) => this.remove(entry));
    return finishes.length > 0;
  }

  /** @param {Omit<JournalEntry, "key" | "at" | "tab">} content */
  push(content) {
    this.lastTime = Math.max(Date.now() * 1000, this.lastTime + 1); // ordered even if the clock is set back
    const entry = { ...content, key: crypto.randomUUID(), at: this.lastTime, tab: this.tab };
    this.entries.push(entry);
    this.write(entry);
    this.sendAll();
  }

  /** @param {JournalEntry} entry */
  write(entry) {
    this.writes.set(entry.key, this.journal.put("waiting", { ...entry }));
  }

  /**
   * Adopts the entries of closed pages of this rater, and returns them.
   * @param {string} assignment what the page shows now
   */
  async adopt(assignment) {
    if (assignment !== this.assignment) this.channel?.postMessage({ kind: "opened", assignment });
    this.assignment = assignment;
    const adopted = await this.withAdoptionLock(() => this.adoptOrphans());
    this.sendAll();
    return adopted;
  }

  async adoptOrphans() {
    const openTabs = await this.openTabs();
    const ownKeys = new Set([...this.conflicts, ...this.entries.map(({ key }) => key)]);
    /** @param {JournalEntry} entry */
    const isFree = ({ tab, lost }) => !openTabs.has(tab) || (lost && tab === this.tab);
    /** @param {JournalEntry} entry */
    const isOrphan = (entry) => isFree(entry) && (!entry.lost || entry.assignment === this.assignment);
    /** @type {JournalEntry[]} */
    const unsent = (await this.journal.readAll("waiting")).filter((entry) => !entry.stored && !ownKeys.has(entry.key));
    for (const { tab } of unsent) if (tab !== this.tab && openTabs.has(tab)) this.watchTab(tab);
    const orphans = unsent.filter(isOrphan);
    for (const entry of orphans) Object.assign(entry, { tab: this.tab, lost: false, adopted: true });
    orphans.forEach((entry) => this.write(entry));
    await Promise.all(orphans.map(({ key }) => this.writes.get(key)));
    this.entries = [...orphans, ...this.entries].sort((a, b) => a.at - b.at);
    return orphans;
  }

  /**
   * Adopts the entries of another tab once it is closed. It may also be reloaded: then its entries, and the choice
   * between two answers, are its own again, as the rater is looking there.
   * @param {string} tab
   */
  watchTab(tab) {
    if (this.watchedTabs.has(tab)) return;
    this.watchedTabs.add(tab);
    const retry = () => setTimeout(() => this.retryNow(), document.hasFocus() ? 0 : RELOAD_TIME);
    navigator.locks.request(lockName(tab), () => {}).then(() => this.watchedTabs.delete(tab) && retry());
  }

  /**
   * The receipts of entries that the server has stored since `time` (milliseconds), in order. Old receipts are removed.
   * @param {number} time
   * @param {string} assignment
   */
  async receiptsSince(time, assignment) {
    const entries = await this.journal.readAll("waiting");
    const receipts = /** @type {Receipt[]} */ (entries.filter(({ stored }) => stored));
    for (const { key } of expiredReceipts(receipts, Date.now())) this.journal.remove("waiting", key);
    return receipts.filter((receipt) => receipt.assignment === assignment && receipt.stored.at >= time);
  }

  /**
   * Resolves when nothing is waiting.
   * @returns {Promise<void>}
   */
  idle() {
    return this.waiting ? new Promise((resolve) => this.idleResolvers.push(resolve)) : Promise.resolve();
  }

  /** Sends without a pause, including entries of tabs that were closed meanwhile. */
  async retryNow() {
    if (!this.assignment) return;
    this.pause = this.isSending && !this.endPause ? -1 : 0; // an attempt that fails now is repeated at once
    this.endPause?.();
    const adopted = await this.adopt(this.assignment);
    if (adopted.length) this.notify(() => this.listener.adopted(adopted));
  }

  /** @param {(entry: JournalEntry) => unknown} isDropped */
  drop(isDropped) {
    for (const entry of this.entries.filter(isDropped)) this.remove(entry);
  }

  /**
   * Removes an entry; with the version that the server stored, a receipt of it stays.
   * @param {JournalEntry} entry
   * @param {number | null} version
   */
  remove(entry, version = null) {
    this.entries = this.entries.filter((other) => other !== entry);
    this.writes.delete(entry.key);
    if (version === null) this.journal.remove("waiting", entry.key);
    else this.journal.put("waiting", { ...entry, stored: { version, at: Date.now() } });
  }

  async sendAll() {
    this.update();
    if (this.isSending) return;
    this.isSending = true;
    while (this.entries.length) {
      this.update();
      if (!(await this.deliver(this.entries[0]))) await this.waitBeforeRetry();
    }
    this.isSending = false;
    this.update("saved");
    this.idleResolvers.splice(0).forEach((resolve) => resolve());
  }

  /**
   * Sends one entry; returns whether the next may be sent now.
   * @param {JournalEntry} entry
   */
  async deliver(entry) {
    await this.writes.get(entry.key);
    if (!this.entries.includes(entry)) return true; // replaced or withdrawn meanwhile
    const { status, data } = await this.send(entry);
    const state = await this.blockingState(status, data);
    if (state) return this.update(state);
    this.pause = 0;
    this.state = "waiting";
    if (entry.asks) this.endQuestion(entry, status, data);
    else if (isBookmark(entry)) this.endBookmark(entry, status);
    else if (entry.finishes) this.endFinish(entry, status, data);
    else this.endAnswer(entry, status, data);
    return true;
  }

  /**
   * @param {JournalEntry} entry
   * @param {number} status
   * @param {ApiData} data
   */
  endQuestion(entry, status, data) {
    // First: puts its text back into the field.
    if (status >= 300) this.notify(() => this.listener.questionRefused(entry, data));
    this.remove(entry);
    if (status < 300) this.notify(() => this.listener.questionSent(entry));
  }

  /**
   * @param {JournalEntry} entry
   * @param {number} status
   */
  endBookmark(entry, status) {
    this.remove(entry, status < 300 ? 0 : null); // refused: the item does not exist any more
    this.notify(() => this.listener.bookmarkSent(entry));
  }

  /**
   * @param {JournalEntry} entry
   * @param {number} status
   * @param {ApiData} data
   */
  endFinish(entry, status, data) {
    if (status < 300) this.remove(entry, data?.version ?? 0);
    else if (status === 400 || status === 409) this.remove(entry);
    else this.suspendAssignment(entry);
    if (status < 300) this.notify(() => this.listener.finished(entry));
    else if (status === 409) this.notify(() => this.listener.unfinished(entry, data));
    else if (status === GONE) this.notify(() => this.listener.lost(entry));
    else if (status === LOCKED) this.notify(() => this.listener.stopped(entry));
    else this.notify(() => this.listener.refused(entry, status, data));
  }

  /**
   * @param {JournalEntry} entry
   * @param {number} status
   * @param {ApiData} data
   */
  endAnswer(entry, status, data) {
    if (status < 300) this.remove(entry, data?.version ?? 0);
    else if (status === 409) this.suspendForConflict(entry);
    else if (status === 400) this.remove(entry);
    else this.suspendAssignment(entry);
    if (status < 300) this.confirm(entry, data);
    else if (status === 409) this.notify(() => this.listener.conflict(entry, data));
    else if (status === GONE) this.notify(() => this.listener.lost(entry));
    else if (status === LOCKED && data.gate) this.notify(() => this.listener.stopped(entry));
    else this.notify(() => this.listener.refused(entry, status, data));
  }

  /**
   * The state that blocks all entries for now, or null. Asking who is signed in also renews the CSRF token.
   * @param {number} status
   * @param {ApiData} data
   */
  async blockingState(status, data) {
    if (status === 0 || status >= 500 || status === 429 || status === 408)
      return navigator.onLine && status ? "waiting" : "offline";
    if (![401, 403, 404].includes(status)) {
      this.isTokenRenewed = false;
      return data && typeof data === "object" ? null : "waiting"; // otherwise a proxy or a hotel's network has answered
    }
    const user = await fetchSignedInUser();
    if (user === undefined) return "offline";
    if (user !== this.rater) return user === null ? "signed-out" : "other-account"; // entries wait for their rater
    return status === 404 ? null : this.renewToken(status);
  }

  /**
   * The rater is signed in, so the token was old. If it was not, a 403 is the server's answer.
   * @param {number} status
   */
  renewToken(status) {
    if (this.isTokenRenewed) return status === 403 ? null : "waiting";
    this.isTokenRenewed = true;
    this.pause = -1; // try again at once
    return "waiting";
  }

  /** @param {JournalEntry} entry */
  send(entry) {
    const { assignment, about, asks, key } = entry;
    if (entry.finishes) return call("POST", assignmentUrl(assignment, "finish/"), { body: "{}" });
    if (asks)
      return call("POST", assignmentUrl(assignment, `items/${about}/questions/`), { body: JSON.stringify(asks), key });
    if (isBookmark(entry)) {
      if (!entry.tried) this.write(Object.assign(entry, { tried: true }));
      return call(entry.marks ? "PUT" : "DELETE", assignmentUrl(assignment, `items/${about}/mark/`));
    }
    return this.putAnswer(entry);
  }

  /**
   * An entry of an earlier page may replace only the version which that page had read: otherwise the server reports a
   * conflict.
   * @param {JournalEntry} entry
   */
  putAnswer(entry) {
    const { answers, more, seconds, item = "" } = entry;
    const versions = entry.adopted ? this.ownVersions : this.versions;
    const base = entry.tried ? entry.base : (versions.get(item) ?? entry.base);
    if (!entry.tried) {
      const body = answers ? JSON.stringify({ answers, base_version: base, seconds, ...more }) : null;
      this.write(Object.assign(entry, { tried: true, base, body }));
    }
    const url = assignmentUrl(entry.assignment, `items/${item}/`);
    if (!answers) return call("DELETE", `${url}?base_version=${base}`);
    return call("PUT", url, { body: entry.body ?? undefined, key: entry.key });
  }

  /**
   * @param {JournalEntry} entry
   * @param {ApiData} data
   */
  confirm(entry, data) {
    const { assignment, item = "", answers, more } = entry;
    const version = data?.version ?? 0;
    this.versions.set(item, version);
    this.ownVersions.set(item, version);
    this.channel?.postMessage({
      kind: "saved",
      assignment,
      item,
      answers,
      version,
      evidence: more?.evidence,
      comment: more?.comment,
    });
    this.notify(() => this.listener.saved(entry, data));
  }

  /**
   * Tells other tabs that this one shows the same response.
   * @param {string} assignment
   */
  announceOpen(assignment) {
    this.channel?.postMessage({ kind: "open", assignment });
  }

  /**
   * The work is not this rater's now: unsaved answers stay in the journal, in case it returns.
   * @param {JournalEntry} lost
   */
  suspendAssignment(lost) {
    for (const entry of this.entries.filter((other) => other.assignment === lost.assignment && !other.about)) {
      if (entry.finishes) this.remove(entry);
      else this.leaveInJournal(entry);
    }
  }

  /** @param {JournalEntry} entry */
  leaveInJournal(entry) {
    this.entries = this.entries.filter((other) => other !== entry);
    this.write({ ...entry, lost: true, tried: false, body: null });
  }

  /**
   * Another answer is stored: this one stays in the journal until the rater has chosen.
   * @param {JournalEntry} entry
   */
  suspendForConflict(entry) {
    this.conflicts.add(entry.key);
    this.leaveInJournal(entry);
  }

  /**
   * Suspends the last answer to the item instead of `entry`, if one was given since, and returns it.
   * @param {JournalEntry} entry
   */
  suspendLastAnswer(entry) {
    const last = this.entries.findLast((other) => other.item === entry.item);
    if (!last) return entry;
    this.suspendForConflict(last);
    this.endConflict(entry);
    this.drop((other) => other.item === entry.item);
    return last;
  }

  /** @param {JournalEntry} entry */
  endConflict(entry) {
    this.conflicts.delete(entry.key);
    this.remove(entry);
  }

  async waitBeforeRetry() {
    const isDue = this.pause < 0;
    this.pause = isDue ? 0 : Math.min(MAX_PAUSE, this.pause ? this.pause * 2 : FIRST_PAUSE);
    if (isDue) return;
    const delay = this.pause * (0.75 + Math.random() / 2);
    await /** @type {Promise<void>} */ (
      new Promise((resolve) => {
        this.endPause = resolve;
        setTimeout(resolve, delay);
      })
    );
    this.endPause = null;
  }

  /**
   * Sets the state and shows it; false, as nothing more can be sent now.
   * @param {Outbox["state"]} [state]
   */
  update(state) {
    if (state) this.state = state;
    else if (this.state === "saved" && this.waiting) this.state = "waiting";
    this.notify(() => this.listener.changed());
    return false;
  }

  /**
   * An error of the page must not keep other entries from being sent.
   * @param {() => void} callListener
   */
  notify(callListener) {
    try {
      callListener();
    } catch (error) {
      reportError(error);
    }
  }

  /**
   * One tab at a time adopts entries; otherwise two would send them.
   * @template T
   * @param {() => Promise<T>} adopt
   * @returns {Promise<T>}
   */
  withAdoptionLock(adopt) {
    return navigator.locks ? navigator.locks.request(`factuary:adopting:${this.rater}`, adopt) : adopt();
  }

  /** A lock lives as long as its tab, also when the tab is killed: other tabs see whose entries are orphans. */
  lockTab() {
    navigator.locks?.request(lockName(this.tab), () => new Promise(() => {}));
  }

  async openTabs() {
    const locks = (await navigator.locks?.query())?.held ?? [];
    return new Set(locks.map(({ name = "" }) => name.replace(lockName(""), "")));
  }
}

/** @param {JournalEntry} entry */
export const isBookmark = ({ marks }) => marks !== undefined;
/** @param {string} tab */
const lockName = (tab) => `factuary:tab:${tab}`;

/**
 * Receipts that no page needs any more: of responses that are finished, or older than any cached page.
 * @param {Receipt[]} receipts
 * @param {number} now
 */
export function expiredReceipts(receipts, now) {
  const old = receipts.filter(({ stored }) => stored.at < now - RECEIPT_AGE);
  const finished = new Set(old.filter(({ finishes }) => finishes).map(({ assignment }) => assignment));
  return old.filter(({ assignment, stored }) => finished.has(assignment) || stored.at < now - MAX_RECEIPT_AGE);
}
