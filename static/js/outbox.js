// Answers on their way to the server. Each is written down in this browser before the network is asked, sent in the order
// given, one at a time, and struck out when the server has it. A reload or a killed tab therefore loses nothing: the next
// page of the same rater takes up what is left. The key of a request and its exact body stay the same over all tries.

import { assignmentUrl, call } from "./calls.js";

const LONGEST_PAUSE = 30_000;
const FIRST_PAUSE = 1_000;
const ARCHIVED = 423; // nothing is saved in the project, until a lead takes it up again

export class Outbox {
  /**
   * `rater` keeps apart people who share a browser. `tell` has `changed()`, `saved(entry, data)`, `conflict(entry, data)`,
   * `lost(entry)` and `refused(entry, status, data)`.
   */
  constructor(rater, tell) {
    this.prefix = `factuary:answer:${rater}:`;
    this.tab = crypto.randomUUID();
    this.tell = tell;
    this.entries = [];
    this.versions = new Map(); // item -> the version that this page has seen
    this.state = "saved"; // saved | waiting | offline | signed-out | elsewhere
    this.current = null; // the assignment that the page shows
    this.pause = 0;
    this.count = 0;
    this.idlers = [];
    this.holdLock();
    for (const event of ["online", "focus", "pageshow"]) window.addEventListener(event, () => this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
  }

  get waiting() {
    return this.entries.length;
  }

  /** Take `answers` (null: take the answer back) to the server; `more` goes with them (evidence, suggestions). */
  add(assignment, item, answers, seconds, more = {}) {
    this.forget((entry) => entry.item === item && !entry.body && !entry.tried);
    const entry = { key: crypto.randomUUID(), at: Date.now() * 1000 + (this.count++ % 1000), tab: this.tab, assignment, item, answers, seconds, more };
    entry.base = this.versions.get(item) ?? 0;
    this.entries.push(entry);
    this.write(entry);
    this.drain();
    return entry;
  }

  /** What earlier pages of this rater left behind; pages that are still open keep theirs. Returns the entries. */
  async adopt(assignment) {
    this.current = assignment;
    const alive = await this.tabsAlive();
    const left = [];
    for (const name of Object.keys(localStorage)) {
      const entry = name.startsWith(this.prefix) ? read(name) : null;
      if (!entry || alive.has(entry.tab) || (entry.lost && entry.assignment !== assignment)) continue;
      left.push({ ...entry, tab: this.tab, lost: false });
    }
    left.sort((a, b) => a.at - b.at).forEach((entry) => this.write(entry));
    this.entries = [...left, ...this.entries];
    this.drain();
    return left;
  }

  /** Resolves when nothing waits any more. */
  idle() {
    return this.waiting ? new Promise((resolve) => this.idlers.push(resolve)) : Promise.resolve();
  }

  hurry() {
    this.pause = 0;
    this.wake?.();
  }

  /** Drops what `which` chooses. */
  forget(which) {
    for (const entry of this.entries.filter(which)) this.strike(entry);
  }

  strike(entry) {
    localStorage.removeItem(this.prefix + entry.key);
    this.entries = this.entries.filter((other) => other !== entry);
  }

  async drain() {
    this.report();
    if (this.draining) return;
    this.draining = true;
    while (this.entries.length) {
      const entry = this.entries[0];
      this.report();
      if (!(await this.deliver(entry))) await this.rest();
    }
    this.draining = false;
    this.report("saved");
    this.idlers.splice(0).forEach((resolve) => resolve());
  }

  /** Whether the next may be sent now. */
  async deliver(entry) {
    const { status, data } = await this.send(entry);
    if (status === 0 || status >= 500 || status === 429 || status === 408) return this.report(navigator.onLine && status ? "waiting" : "offline");
    if (status === 401 || status === 403) return this.report("signed-out");
    // Somebody else has signed in in this browser: the answer waits until its owner is back.
    if (status === 404 && entry.assignment === this.current) return this.report("elsewhere");
    this.pause = 0;
    this.state = "waiting";
    if (status === 410 || status === 404 || status === ARCHIVED) this.putAside(entry);
    else this.strike(entry);
    if (status < 300) this.arrived(entry, data);
    else if (status === 409) this.tell.conflict(entry, data);
    else if (status === 410) this.tell.lost(entry);
    else this.tell.refused(entry, status, data);
    return true;
  }

  send(entry) {
    const base = entry.tried ? entry.base : (this.versions.get(entry.item) ?? entry.base);
    if (!entry.tried) {
      Object.assign(entry, { tried: true, base, body: entry.answers ? JSON.stringify({ answers: entry.answers, base_version: base, seconds: entry.seconds, ...entry.more }) : null });
      this.write(entry);
    }
    const url = assignmentUrl(entry.assignment, `items/${entry.item}/`);
    if (!entry.answers) return call("DELETE", `${url}?base_version=${base}`);
    return call("PUT", url, { body: entry.body, key: entry.key });
  }

  arrived(entry, data) {
    this.versions.set(entry.item, data?.version ?? 0);
    this.tell.saved(entry, data);
  }

  /** The work is not with this rater now: what could not be saved stays written down, should it come back. */
  putAside(lost) {
    for (const entry of this.entries.filter((other) => other.assignment === lost.assignment)) {
      this.strike(entry);
      this.write({ ...entry, lost: true, tried: false, body: null });
    }
  }

  async rest() {
    this.pause = Math.min(LONGEST_PAUSE, this.pause ? this.pause * 2 : FIRST_PAUSE);
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
    this.tell.changed();
    return false;
  }

  write(entry) {
    try {
      localStorage.setItem(this.prefix + entry.key, JSON.stringify(entry));
    } catch {
      // Storage is full or forbidden: the answer is still in memory, and leaving the page is warned about.
    }
  }

  // A lock lives as long as its tab, also when the tab is killed, so others can tell whose answers are orphans.
  holdLock() {
    navigator.locks?.request(`factuary:tab:${this.tab}`, () => new Promise(() => {}));
  }

  async tabsAlive() {
    const held = (await navigator.locks?.query())?.held ?? [];
    return new Set(held.map((lock) => lock.name.replace("factuary:tab:", "")));
  }
}

/** An outbox from which nothing goes anywhere: a lead tries the workspace in a preview. */
export class Trial {
  versions = new Map();
  entries = [];
  waiting = 0;
  state = "saved";

  add() {}

  forget() {}

  async adopt() {
    return [];
  }

  async idle() {}
}

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}
