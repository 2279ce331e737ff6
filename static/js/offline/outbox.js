// Answers on their way to the server. Each is written down in this browser (journal.js) before the network is asked, sent in
// the order given, one at a time, and struck out when the server has it. A reload, a killed tab or a flat battery therefore
// loses nothing: the next page of the same rater takes up what is left. The key of a request and its exact body stay the same
// over all tries, so that nothing is stored twice. That a response is finished goes the same way, after its answers, and so do
// questions to the leads and the pile, which need no lease and stand in no answer's way. A receipt stays for a while: a page that
// the server made before an answer arrived, and that was kept in this browser, does not know of it.

import { assignmentUrl, call, whoIsSignedIn } from "../shared/api.js";

const LONGEST_PAUSE = 30_000;
const FIRST_PAUSE = 1_000;
/** For how long it is kept that something is stored, in milliseconds: longer than any page takes to come, and until the response
    is finished longer than a page is kept to be opened without a network (page_cache.js). */
const RECEIPT_KEPT = 60_000;
const LONGEST_KEPT = 24 * 3600 * 1000;
const RELOADED_WITHIN = 5_000;
const GONE = 410; // somebody else has the work now
const LOCKED = 423; // the rater is paused (then there is a `gate`), or the project is archived

export class Outbox {
  /**
   * `tell` has `changed()`, `saved(entry, data)`, `finished(entry)`, `unfinished(entry, data)`, `conflict(entry, data)`,
   * `lost(entry)`, `stopped(entry)`, `refused(entry, status, data)`, `asked(entry)`, `notAsked(entry, data)`, `marked(entry)`, `adopted(entries)`
   * and `elsewhere(message)`: another tab has spoken.
   */
  constructor(rater, journal, tell) {
    this.rater = rater;
    this.journal = journal;
    this.tab = crypto.randomUUID();
    this.tell = tell;
    this.entries = [];
    this.written = new Map(); // key -> when it is on the disk
    this.versions = new Map(); // item -> the version that this page has seen
    this.own = new Map(); // item -> the version that this page has made
    this.held = new Set(); // keys of answers that wait for their rater's choice, not for the network
    this.state = "saved"; // saved | waiting | offline | signed-out | elsewhere
    this.current = null; // the assignment that the page shows
    this.pause = 0;
    this.last = 0;
    this.idlers = [];
    this.watched = new Set(); // other tabs whose answers are taken over when they are closed
    this.holdLock();
    this.channel = globalThis.BroadcastChannel ? new BroadcastChannel(`factuary:${rater}`) : null;
    this.channel?.addEventListener("message", ({ data }) => tell.elsewhere(data));
    for (const event of ["online", "focus", "pageshow"]) window.addEventListener(event, () => this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
  }

  get waiting() {
    return this.entries.length;
  }

  /** Take `answers` (null: take the answer back) to the server; `more` goes with them (evidence, suggestions). */
  add(assignment, item, answers, seconds, more = {}) {
    if (!this.isFinishing(assignment)) this.forget((entry) => entry.item === item && !entry.tried);
    return this.push({ assignment, item, answers, seconds, more, base: this.versions.get(item) ?? 0 });
  }

  /** Takes a question or a report about the item `about` to the leads: `asks` is `{kind, text}`. */
  ask(assignment, about, asks) {
    return this.push({ assignment, about, asks });
  }

  /** Puts the item `about` on the pile to come back to, or takes it off; what was wanted before and not sent yet is not. */
  mark(assignment, about, marks) {
    this.forget((entry) => isMark(entry) && entry.about === about && !entry.tried);
    return this.push({ assignment, about, marks });
  }

  finish(assignment) {
    return this.push({ assignment, finishes: true });
  }

  isFinishing(assignment) {
    return this.entries.some((entry) => entry.finishes && entry.assignment === assignment);
  }

  /** Whether the response could be kept from being finished: it had not been sent yet. */
  unfinish(assignment) {
    const found = this.entries.filter((entry) => entry.finishes && entry.assignment === assignment && !entry.tried);
    found.forEach((entry) => this.strike(entry));
    return found.length > 0;
  }

  push(entry) {
    this.last = Math.max(Date.now() * 1000, this.last + 1); // in order, also when the clock is set back
    Object.assign(entry, { key: crypto.randomUUID(), at: this.last, tab: this.tab });
    this.entries.push(entry);
    this.write(entry);
    this.drain();
    return entry;
  }

  write(entry) {
    this.written.set(entry.key, this.journal.put("waiting", { ...entry }));
  }

  /** What earlier pages of this rater left behind; pages that are still open keep theirs. Returns the entries. */
  async adopt(assignment) {
    if (assignment !== this.current) this.channel?.postMessage({ kind: "opened", assignment });
    this.current = assignment;
    const left = await this.alone(() => this.takeOrphans());
    this.drain();
    return left;
  }

  async takeOrphans() {
    const alive = await this.tabsAlive();
    const known = new Set([...this.held, ...this.entries.map(({ key }) => key)]);
    const isFree = ({ tab, lost }) => !alive.has(tab) || (lost && tab === this.tab);
    const isOrphan = (entry) => isFree(entry) && (!entry.lost || entry.assignment === this.current);
    const unsaved = (await this.journal.all("waiting")).filter((entry) => !entry.stored && !known.has(entry.key));
    for (const { tab } of unsaved) if (tab !== this.tab && alive.has(tab)) this.watch(tab);
    const left = unsaved.filter(isOrphan);
    for (const entry of left) Object.assign(entry, { tab: this.tab, lost: false, adopted: true });
    left.forEach((entry) => this.write(entry));
    await Promise.all(left.map(({ key }) => this.written.get(key)));
    this.entries = [...left, ...this.entries].sort((a, b) => a.at - b.at);
    return left;
  }

  /** A tab that has answers on their way may be closed, or be the page before this one, which is just going. It may also be
      reloaded: then what it left, and the choice between two answers, is its own again, as its rater is looking there. */
  watch(tab) {
    if (this.watched.has(tab)) return;
    this.watched.add(tab);
    const takeOver = () => setTimeout(() => this.hurry(), document.hasFocus() ? 0 : RELOADED_WITHIN);
    navigator.locks.request(lockOf(tab), () => {}).then(() => this.watched.delete(tab) && takeOver());
  }

  /** What the server has stored since `time` (milliseconds), in order: each as it was sent, with `stored: {version, at}`. */
  async storedSince(time, assignment) {
    const receipts = (await this.journal.all("waiting")).filter(({ stored }) => stored);
    const old = receipts.filter(({ stored }) => stored.at < Date.now() - RECEIPT_KEPT);
    const finished = new Set(old.filter(({ finishes }) => finishes).map((receipt) => receipt.assignment));
    const isUseless = (receipt) => finished.has(receipt.assignment) || receipt.stored.at < Date.now() - LONGEST_KEPT;
    for (const { key } of old.filter(isUseless)) this.journal.remove("waiting", key);
    return receipts.filter((entry) => entry.assignment === assignment && entry.stored.at >= time);
  }

  /** Resolves when nothing waits any more. */
  idle() {
    return this.waiting ? new Promise((resolve) => this.idlers.push(resolve)) : Promise.resolve();
  }

  /** Tries again now, also what a tab left that has been closed meanwhile. */
  async hurry() {
    if (!this.current) return;
    this.pause = 0;
    this.wake?.();
    const left = await this.adopt(this.current);
    if (left.length) this.told("adopted", left);
  }

  /** Drops what `which` chooses. */
  forget(which) {
    for (const entry of this.entries.filter(which)) this.strike(entry);
  }

  strike(entry, version = null) {
    this.entries = this.entries.filter((other) => other !== entry);
    this.written.delete(entry.key);
    if (version === null) this.journal.remove("waiting", entry.key);
    else this.journal.put("waiting", { ...entry, stored: { version, at: Date.now() } });
  }

  async drain() {
    this.report();
    if (this.draining) return;
    this.draining = true;
    while (this.entries.length) {
      this.report();
      if (!(await this.deliver(this.entries[0]))) await this.rest();
    }
    this.draining = false;
    this.report("saved");
    this.idlers.splice(0).forEach((resolve) => resolve());
  }

  /** Whether the next may be sent now. */
  async deliver(entry) {
    await this.written.get(entry.key);
    if (!this.entries.includes(entry)) return true; // replaced or taken back meanwhile
    const { status, data } = await this.send(entry);
    const hindrance = await this.hindrance(status, data);
    if (hindrance) return this.report(hindrance);
    this.pause = 0;
    this.state = "waiting";
    if (entry.asks) return this.wasAsked(entry, status, data);
    if (isMark(entry)) return this.wasMarked(entry, status);
    if (status === 409 && !entry.finishes) this.hold(entry);
    else if (status < 300) this.strike(entry, data?.version ?? 0);
    else if (status === 400 || status === 409) this.strike(entry);
    else this.putAside(entry);
    if (status < 300) this.arrived(entry, data);
    else if (status === 409 && entry.finishes) this.told("unfinished", entry, data);
    else if (status === 409) this.told("conflict", entry, data);
    else if (status === GONE) this.told("lost", entry);
    else if (status === LOCKED && (data.gate || entry.finishes)) this.told("stopped", entry);
    else this.told("refused", entry, status, data);
    return true;
  }

  wasAsked(entry, status, data) {
    if (status >= 300) this.told("notAsked", entry, data); // first: its words go back where they were typed
    this.strike(entry);
    if (status < 300) this.told("asked", entry);
    return true;
  }

  wasMarked(entry, status) {
    this.strike(entry, status < 300 ? 0 : null); // else the sentence is there no more
    this.told("marked", entry);
    return true;
  }

  /** What keeps everything from being sent for now, or null. Asking who is signed in also brings a fresh CSRF token. */
  async hindrance(status, data) {
    if (status === 0 || status >= 500 || status === 429 || status === 408) return navigator.onLine && status ? "waiting" : "offline";
    if (![401, 403, 404].includes(status)) {
      this.hasRenewed = false;
      return data && typeof data === "object" ? null : "waiting"; // else a proxy or a hotel's network has answered
    }
    const who = await whoIsSignedIn();
    if (who === undefined) return "offline";
    if (who !== this.rater) return who === null ? "signed-out" : "elsewhere"; // the answer waits until its owner is back
    return status === 404 ? null : this.renewed(status);
  }

  /** It is the rater who is signed in: what was old was the token. If it was not, a 403 is an answer. */
  renewed(status) {
    if (this.hasRenewed) return status === 403 ? null : "waiting";
    this.hasRenewed = true;
    this.pause = -1; // at once
    return "waiting";
  }

  send(entry) {
    if (entry.finishes) return call("POST", assignmentUrl(entry.assignment, "finish/"), { body: "{}" });
    if (entry.asks) return call("POST", assignmentUrl(entry.assignment, `items/${entry.about}/questions/`), { body: JSON.stringify(entry.asks), key: entry.key });
    if (isMark(entry)) {
      if (!entry.tried) this.write(Object.assign(entry, { tried: true }));
      return call(entry.marks ? "PUT" : "DELETE", assignmentUrl(entry.assignment, `items/${entry.about}/mark/`));
    }
    // What an earlier page left may overwrite only what that page had seen: the server says whether it still stands.
    const seen = entry.adopted ? this.own : this.versions;
    const base = entry.tried ? entry.base : (seen.get(entry.item) ?? entry.base);
    if (!entry.tried) {
      Object.assign(entry, { tried: true, base, body: entry.answers ? JSON.stringify({ answers: entry.answers, base_version: base, seconds: entry.seconds, ...entry.more }) : null });
      this.write(entry);
    }
    const url = assignmentUrl(entry.assignment, `items/${entry.item}/`);
    if (!entry.answers) return call("DELETE", `${url}?base_version=${base}`);
    return call("PUT", url, { body: entry.body, key: entry.key });
  }

  arrived(entry, data) {
    if (entry.finishes) return this.told("finished", entry);
    const version = data?.version ?? 0;
    this.versions.set(entry.item, version);
    this.own.set(entry.item, version);
    const { assignment, item, answers, more } = entry;
    this.channel?.postMessage({ kind: "saved", assignment, item, answers, version, evidence: more?.evidence, comment: more?.comment });
    return this.told("saved", entry, data);
  }

  /** The work is not with this rater now: what could not be saved stays written down, should it come back. */
  putAside(lost) {
    for (const entry of this.entries.filter((other) => other.assignment === lost.assignment && !other.about)) {
      if (entry.finishes) this.strike(entry);
      else this.keep(entry);
    }
  }

  keep(entry) {
    this.entries = this.entries.filter((other) => other !== entry);
    this.write({ ...entry, lost: true, tried: false, body: null });
  }

  /** Another answer is stored: this one stays written down until the rater has chosen. */
  hold(entry) {
    this.held.add(entry.key);
    this.keep(entry);
  }

  /** Holds the last answer to the sentence instead of `entry`, if one was given since, and returns it. */
  holdLast(entry) {
    const last = this.entries.findLast((other) => other.item === entry.item);
    if (!last) return entry;
    this.hold(last);
    this.letGo(entry);
    this.forget((other) => other.item === entry.item);
    return last;
  }

  letGo(entry) {
    this.held.delete(entry.key);
    this.strike(entry);
  }

  async rest() {
    this.pause = this.pause < 0 ? 0 : Math.min(LONGEST_PAUSE, this.pause ? this.pause * 2 : FIRST_PAUSE);
    const wait = this.pause * (0.75 + Math.random() / 2);
    await new Promise((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, wait);
    });
    this.wake = null;
  }

  report(state) {
    if (state) this.state = state;
    else if (this.state === "saved" && this.waiting) this.state = "waiting";
    this.told("changed");
    return false;
  }

  /** What the page makes of it must not keep the rest from being sent. */
  told(news, ...about) {
    try {
      return this.tell[news](...about);
    } catch (error) {
      return reportError(error);
    }
  }

  /** One tab at a time takes over what is left, else two would. */
  alone(act) {
    return navigator.locks ? navigator.locks.request(`factuary:adopting:${this.rater}`, act) : act();
  }

  // A lock lives as long as its tab, also when the tab is killed, so others can tell whose answers are orphans.
  holdLock() {
    navigator.locks?.request(lockOf(this.tab), () => new Promise(() => {}));
  }

  async tabsAlive() {
    const held = (await navigator.locks?.query())?.held ?? [];
    return new Set(held.map((lock) => lock.name.replace(lockOf(""), "")));
  }
}

/** Whether it is about the pile, and no answer, question or end. */
export const isMark = ({ marks }) => marks !== undefined;
const lockOf = (tab) => `factuary:tab:${tab}`;

/** An outbox from which nothing goes anywhere: a lead tries the workspace in a preview. */
export class Trial {
  versions = new Map();
  entries = [];
  waiting = 0;
  state = "saved";

  add() {}

  ask() {}

  mark() {}

  forget() {}

  unfinish() {
    return true;
  }

  async adopt() {
    return [];
  }

  async storedSince() {
    return [];
  }

  async idle() {}
}
