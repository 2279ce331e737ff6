// A browser for tests in Node: tabs that run the site's scripts in happy-dom, on what a browser shares between its tabs
// (storage, IndexedDB, caches, locks, messages, the service worker) and a network that can be off. Time is the test's:
// a timer of more than a moment fires when `browser.advance` reaches it. There is no layout, and no style.

import { IDBFactory } from "fake-indexeddb";
import { Window } from "happy-dom";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { FakeCaches } from "./fake_caches.js";
import { FakeServer } from "./fake_server.js";

const CODE = join(import.meta.dirname, "../..");
export const ORIGIN = "http://site.example";
const MAX_REDIRECTS = 5;
const MOMENT = 30; // milliseconds: such timers fire by themselves
const PATIENCE = Number(process.env.FACTUARY_PATIENCE ?? 60_000); // milliseconds of real time until a wait fails
const BUTTONS = new Set(["radio", "checkbox", "button", "submit", "hidden"]);

/** Names that scripts use as globals: each tab has its own. */
const GLOBALS = `document window self navigator location history localStorage sessionStorage indexedDB caches fetch
  BroadcastChannel setTimeout clearTimeout setInterval clearInterval Date performance requestIdleCallback
  requestAnimationFrame globalThis reportError addEventListener CSS Highlight StaticRange ResizeObserver DOMParser
  DocumentFragment CustomEvent Event KeyboardEvent InputEvent Element Node NodeFilter Text Range HTMLElement
  HTMLTextAreaElement HTMLInputElement HTMLDialogElement FormData`.split(/\s+/);

/** @type {Map<string, Tab | Worker>} Those whose scripts are loaded, by the query of their modules' addresses. */
const realms = new Map();
globalThis.factuaryRealms = realms;

registerHooks({
  resolve(specifier, context, next) {
    const realm = /\?realm=\w+$/.exec(context.parentURL ?? "")?.[0];
    const found = next(specifier, context);
    return realm && found.url.startsWith("file:") ? { ...found, url: found.url + realm } : found;
  },
  load(url, context, next) {
    const [file, realm] = url.split("?realm=");
    if (!realm) return next(url, context);
    const owner = realms.get(realm);
    const late = `factuaryRealms.get("${realm}").importLate(import.meta.url, `;
    const lines = readFileSync(fileURLToPath(file), "utf8").replace(/(?<![\w.])import\(/g, late);
    const names = GLOBALS.filter((name) => name in owner.globals);
    const source = `const { ${names.join(", ")} } = factuaryRealms.get("${realm}").globals; ${lines}`;
    return { format: "module", source, shortCircuit: true };
  },
});

let realmCount = 0;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Lets everything run that needs no time: for checks that nothing happens. */
export async function settle(turns = 60) {
  for (let n = 0; n < turns; n++) await turn();
}

/** Waits until `condition()` holds. */
export async function until(condition, name = String(condition)) {
  const end = performance.now() + PATIENCE;
  for (let found = await condition(); !found; found = await condition()) {
    assert.ok(performance.now() < end, `was never so: ${name}`);
    await settle(10); // a look at the page costs more than a turn
  }
}

/** Opens the workspace with the next work in a new browser, which ends with the test `t`. */
export async function rate(t, options = {}) {
  const server = new FakeServer(options);
  const browser = new FakeBrowser(server, options);
  t.after(() => browser.end());
  return { server, browser, tab: await browser.open() };
}

export class FakeBrowser {
  /** @param {FakeServer} server */
  constructor(server, { hasIndexedDb = true, hasStorage = true, hasHighlights = true, seesHints = false } = {}) {
    this.server = server;
    this.hasHighlights = hasHighlights;
    this.hasStorage = hasStorage;
    this.now = Date.now();
    this.isOnline = true;
    this.storage = new Map();
    this.indexedDb = hasIndexedDb ? new IDBFactory() : null;
    this.caches = new FakeCaches((url) => this.load({ url, method: "GET" }));
    this.cookie = `factuary_csrf=${server.token}`;
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {Tab[]} */
    this.tabs = [];
    /** @type {unknown[]} Errors in scripts. */
    this.ended = [];
    /** @type {{ name: string, page: Page, run: () => void, isHeld: boolean }[]} */
    this.locks = [];
    /** @type {{ at: number, run: () => void }[]} */
    this.timers = [];
    if (!seesHints) this.storage.set(`factuary:hints:${server.rater}`, '["marks", "signs", "evidence"]');
  }

  /** Opens a tab with the page at `path`. */
  async open(path = `/projects/${this.server.studies[0]}/rate/`, options = {}) {
    const tab = new Tab(this, options);
    this.tabs.push(tab);
    await tab.goTo(path);
    return tab;
  }

  /** Goes offline or online. */
  setOffline(isOffline) {
    this.isOnline = !isOffline;
    for (const tab of this.tabs) tab.window.dispatchEvent(new tab.window.Event(isOffline ? "offline" : "online"));
  }

  /** Lets time pass: timers fire in their order. */
  async advance(milliseconds) {
    const end = this.now + milliseconds;
    for (;;) {
      await settle(20);
      const [next] = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.now = Math.max(this.now, next.at);
      this.timers.splice(this.timers.indexOf(next), 1);
      next.run();
    }
    this.now = end;
  }

  /** The answer of the network to a request, with redirects followed. */
  async load({ url, ...request }) {
    for (let n = 0; n < MAX_REDIRECTS; n++) {
      await turn();
      if (!this.isOnline) throw new TypeError("no network");
      const answer = await this.server.answer({ ...request, url });
      await turn();
      if (!this.isOnline) throw new TypeError("no network");
      if (answer.token) this.cookie = `factuary_csrf=${answer.token}`;
      if (!answer.location) return makeResponse(answer, url, n > 0);
      url = new URL(answer.location, url).href;
    }
    throw new TypeError("too many redirects");
  }

  /** The records of the rater's journal, without receipts. */
  async unsent() {
    return (await this.records("waiting")).filter(({ stored }) => !stored);
  }

  /** Waits until the journal has a text that is typed and not saved. */
  hasTyped(text) {
    return until(async () => (await this.records("typed")).some((record) => record.text === text), `typed: ${text}`);
  }

  /** The records of a store of the rater's journal. */
  records(store) {
    const { promise, resolve } = Promise.withResolvers();
    const opening = this.indexedDb.open(`factuary:${this.server.rater}`);
    opening.onsuccess = () => {
      const asking = opening.result.transaction(store).objectStore(store).getAll();
      asking.onsuccess = () => {
        opening.result.close();
        resolve(asking.result);
      };
    };
    return promise;
  }

  /** Removes locks, and gives others what waited for them. */
  unlock(ended) {
    this.locks = this.locks.filter((lock) => !ended.includes(lock));
    for (const lock of this.locks)
      if (this.locks.find(({ name }) => name === lock.name) === lock && !lock.isHeld) lock.run();
  }

  /** Ends everything; fails if a script had an error. */
  end() {
    for (const tab of [...this.tabs]) tab.kill();
    assert.deepEqual(this.ended, []);
  }
}

function makeResponse({ status, body, type, headers = {} }, url, redirected = false) {
  const isEmpty = status === 204 || status === 304;
  const response = new Response(isEmpty ? null : body, {
    status,
    headers: type ? { "Content-Type": type, ...headers } : headers,
  });
  Object.defineProperties(response, { url: { value: url }, redirected: { value: redirected } });
  return response;
}

/** The parts that tabs and the service worker share. */
class Realm {
  constructor(browser, askedAt = browser.now) {
    this.browser = browser;
    this.askedAt = askedAt;
    this.id = `r${(realmCount += 1)}`;
    this.isClosed = false;
    realms.set(this.id, this);
  }

  import(path) {
    return import(`${pathToFileURL(join(CODE, path))}?realm=${this.id}`);
  }

  /** An `import()` of a script: the file comes over the network, or from the service worker. */
  async importLate(parent, specifier) {
    const path = new URL(specifier, parent).pathname;
    const url = ORIGIN + path.slice(path.indexOf("/static/"));
    const { worker } = this.browser;
    const response = await (worker ?? this.browser).load({ url, method: "GET", mode: "cors" });
    if (this.isClosed) return new Promise(() => {});
    if (!response.ok) throw new TypeError(`not loaded: ${url}`);
    return this.import(new URL(url).pathname.slice(1));
  }

  /** A timer of the test's time; a moment passes by itself. */
  startTimer(run, delay = 0) {
    const safe = () => {
      if (!this.isClosed) run();
    };
    const timer = { at: this.browser.now + delay, run: safe, realm: this };
    if (delay <= MOMENT) timer.immediate = setImmediate(safe);
    else this.browser.timers.push(timer);
    return timer;
  }

  stopTimer(timer) {
    if (timer?.immediate) clearImmediate(timer.immediate);
    const index = this.browser.timers.indexOf(timer);
    if (index >= 0) this.browser.timers.splice(index, 1);
  }

  repeat(run, delay) {
    const timer = {};
    const again = () => Object.assign(timer, { inner: this.startTimer(() => (again(), run()), delay) });
    again();
    return timer;
  }

  timeGlobals() {
    const { browser, askedAt } = this;
    class TestDate extends Date {
      constructor(...values) {
        if (values.length) super(...values);
        else super(browser.now);
      }
      static now() {
        return browser.now;
      }
    }
    return {
      Date: TestDate,
      performance: { now: () => browser.now - askedAt, getEntriesByType: () => [] },
      setTimeout: (run, delay) => this.startTimer(run, delay),
      clearTimeout: (timer) => this.stopTimer(timer),
      setInterval: (run, delay) => this.repeat(run, delay),
      clearInterval: (timer) => this.stopTimer(timer?.inner),
    };
  }
}

/** The site's real service worker, between the tabs and the network. */
class Worker extends Realm {
  async start() {
    const listeners = {};
    this.globals = {
      ...this.timeGlobals(),
      self: { addEventListener: (kind, listener) => (listeners[kind] = listener), skipWaiting() {} },
      caches: this.browser.caches,
      fetch: ({ url }) => this.browser.load({ url, method: "GET" }),
      location: new URL(ORIGIN),
    };
    await this.import("static/js/offline/service_worker.js");
    this.handle = listeners.fetch;
    return this;
  }

  /** The worker's answer; without one that of the network. */
  async load(request) {
    let answer;
    this.handle({ request, respondWith: (response) => (answer = response) });
    const response = await (answer ?? this.browser.load(request));
    if (response.type === "error") throw new TypeError("nothing answers");
    return response;
  }
}

/** A page that a tab shows, until it loads another one. */
class Page extends Realm {
  constructor(tab, url, html, askedAt) {
    super(tab.browser, askedAt);
    this.tab = tab;
    this.url = url;
    this.channels = new Set();
    this.databases = [];
    this.dirty = new Set();
    this.window = new Window({
      url: url.href,
      settings: {
        disableCSSFileLoading: true,
        disableComputedStyleRendering: true,
        handleDisabledFileLoadingAsSuccess: true,
        disableErrorCapturing: true,
        navigation: {
          disableMainFrameNavigation: true,
          disableChildPageNavigation: true,
          disableFallbackToSetURL: true,
        },
      },
    });
    this.document = this.window.document;
    this.patchDocument();
    this.globals = this.makeGlobals();
    this.document.write(html);
  }

  patchDocument() {
    const { browser, tab, document, window } = this;
    Object.defineProperties(document, {
      cookie: { get: () => browser.cookie },
      visibilityState: { get: () => (tab.isFocused ? "visible" : "hidden") },
      hasFocus: { value: () => tab.isFocused },
    });
    const { prototype } = window.HTMLDialogElement;
    const { showModal, close } = prototype;
    let focusedBefore = null;
    prototype.showModal = function showFocused() {
      focusedBefore = document.activeElement;
      showModal.call(this);
      (this.querySelector("[autofocus]") ?? this.querySelector("button, input, a[href]") ?? this).focus();
    };
    prototype.close = function closeFocused(value) {
      const wasOpen = this.open;
      close.call(this, value);
      if (wasOpen && this.contains(document.activeElement)) focusedBefore?.focus();
    };
    const { querySelector } = window.Element.prototype;
    window.Element.prototype.querySelector = function find(selector) {
      return querySelector.call(this, selector.replaceAll(":enabled", ":not([disabled])")); // which happy-dom lacks
    };
    window.HTMLFormElement.prototype.submit = function submit() {
      tab.submitted(this);
    };
    document.addEventListener("input", ({ target }) => this.dirty.add(target), true);
    document.addEventListener("focusout", ({ target }) => this.changed(target), true);
  }

  /** A field that was edited and is left reports a change. */
  changed(field) {
    if (this.dirty.delete(field) && field.matches("textarea, input:not([type=radio], [type=checkbox])"))
      field.dispatchEvent(new this.window.Event("change", { bubbles: true }));
  }

  makeGlobals() {
    const { window, browser, tab, document } = this;
    const globals = {};
    for (const name of GLOBALS) if (window[name]) globals[name] = window[name];
    const onlyWith = browser.hasHighlights ? { CSS: { highlights: new Map() }, Highlight: class extends Set {} } : {};
    Object.assign(globals, this.timeGlobals(), {
      window,
      document,
      self: window,
      navigator: this.makeNavigator(),
      location: this.makeLocation(),
      history: { pushState: (_, __, path) => tab.push(path) },
      localStorage: this.makeStorage(browser.storage, () => browser.hasStorage),
      sessionStorage: this.makeStorage(tab.session),
      indexedDB: { open: (...names) => this.openDatabase(...names) },
      caches: browser.caches,
      fetch: (path, options) => this.fetch(path, options),
      BroadcastChannel: this.makeChannels(),
      requestIdleCallback: (run) => this.startTimer(run),
      requestAnimationFrame: (run) => this.startTimer(run),
      addEventListener: (...listener) => window.addEventListener(...listener),
      reportError: (error) => tab.errors.push(error),
      CSS: undefined,
      Highlight: undefined,
      StaticRange: class {
        constructor(range) {
          Object.assign(this, range);
        }
      },
      ResizeObserver: class {
        observe() {}
      },
      ...onlyWith,
    });
    return Object.assign(globals, { globalThis: globals });
  }

  makeNavigator() {
    const { browser } = this;
    return {
      get onLine() {
        return browser.isOnline;
      },
      platform: "Linux",
      locks: {
        request: (name, act) => this.lock(name, act),
        query: async () => ({ held: browser.locks.filter(({ isHeld }) => isHeld).map(({ name }) => ({ name })) }),
      },
      serviceWorker: {
        register: async () => {
          browser.worker ??= await new Worker(browser).start();
        },
      },
    };
  }

  makeLocation() {
    const { tab } = this;
    const parts = ["href", "pathname", "search", "hash", "origin", "protocol"];
    const location = { assign: (path) => tab.leaveFor(path), reload: () => tab.leaveFor(this.url.href, false) };
    for (const part of parts) Object.defineProperty(location, part, { get: () => this.url[part] });
    return location;
  }

  makeStorage(map, isAllowed = () => true) {
    const check = () => {
      if (this.isClosed || !isAllowed()) throw new DOMException("no", "SecurityError");
    };
    const methods = {
      getItem: (name) => (check(), map.get(name) ?? null),
      setItem: (name, value) => (check(), void map.set(name, String(value))),
      removeItem: (name) => (check(), void map.delete(name)),
    };
    return new Proxy(methods, {
      ownKeys: () => (check(), [...map.keys()]),
      getOwnPropertyDescriptor: (_, name) => map.has(name) && { enumerable: true, configurable: true, value: "" },
    });
  }

  openDatabase(...names) {
    if (this.isClosed || !this.browser.indexedDb) throw new DOMException("no", "SecurityError");
    const opening = this.browser.indexedDb.open(...names);
    opening.addEventListener("success", () => this.databases.push(opening.result));
    return opening;
  }

  async fetch(path, { method = "GET", headers = {}, body = null } = {}) {
    await turn();
    if (this.isClosed) return new Promise(() => {});
    const url = new URL(path, this.url).href;
    const response = await this.browser.load({ method, url, headers, body: body && String(body) });
    return this.isClosed ? new Promise(() => {}) : response;
  }

  makeChannels() {
    const page = this;
    return class extends EventTarget {
      constructor(name) {
        super();
        this.name = name;
        page.channels.add(this);
      }

      postMessage(data) {
        const others = page.browser.tabs.flatMap((tab) => [...(tab.page?.channels ?? [])]);
        for (const other of others.filter((each) => each !== this && each.name === this.name))
          setImmediate(() => other.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) })));
      }
    };
  }

  lock(name, act) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const lock = { name, page: this, isHeld: false };
    lock.run = () => {
      lock.isHeld = true;
      Promise.resolve(act())
        .then(resolve, reject)
        .finally(() => this.browser.unlock([lock]));
    };
    this.browser.locks.push(lock);
    setImmediate(() => this.browser.unlock([]));
    return promise;
  }

  /** Loads the scripts of the page. */
  async run() {
    for (const { src } of this.document.querySelectorAll("script[type=module][src]"))
      await this.import(new URL(src).pathname.slice(1));
  }

  close() {
    this.isClosed = true;
    this.databases.forEach((database) => database.close());
    this.channels.clear();
    this.browser.timers = this.browser.timers.filter(({ realm }) => realm !== this);
    this.browser.unlock(this.browser.locks.filter(({ page }) => page === this));
    this.window.happyDOM.abort();
  }
}

class Tab {
  constructor(browser, { isFocused = true } = {}) {
    this.browser = browser;
    this.isFocused = isFocused;
    this.session = new Map();
    this.errors = [];
    /** @type {Page | null} */
    this.page = null;
    /** @type {{ url: URL, page: Page | null }[]} */
    this.entries = [];
    this.index = -1;
    /** The requests of forms that were submitted: the last page that the rater left. */
    this.forms = [];
    this.leaving = Promise.resolve();
  }

  get window() {
    return this.page.window;
  }

  get document() {
    return this.page.document;
  }

  get path() {
    return this.page.url.pathname;
  }

  /** Loads the page at `path`, as the address bar does; a workspace is ready when this resolves. */
  async goTo(path, isNew = true) {
    const askedAt = this.browser.now;
    this.browser.now += 100;
    const url = new URL(path, this.page?.url ?? ORIGIN);
    this.leave();
    const response = await this.loadPage(url.href);
    const page = new Page(this, new URL(response.url || url.href), await response.text(), askedAt);
    page.url.hash = url.hash;
    this.status = response.status;
    this.page = page;
    if (isNew) this.entries.splice((this.index += 1), Infinity, {});
    this.entries[this.index] = { url: page.url, page };
    await page.run();
    const isWorkspace = this.find("[data-workspace]");
    if (isWorkspace) await until(() => page.isClosed || page.document.body.dataset.ready, `${url} is ready`);
  }

  async loadPage(url) {
    for (let n = 0; n < MAX_REDIRECTS; n++) {
      const request = { url, method: "GET", mode: "navigate" };
      const { worker } = this.browser;
      const response = await (worker ? worker.load(request) : this.browser.load(request));
      const location = response.status >= 300 && response.status < 400 && response.headers.get("Location");
      if (!location) return response;
      url = location;
    }
    throw new TypeError("too many redirects");
  }

  /** A script, a link or a form leads to another page. */
  leaveFor(path, isNew = true) {
    this.leaving = this.goTo(path, isNew);
    this.leaving.catch((error) => this.errors.push(error));
  }

  /** Waits until the tab shows another page, at a path that `pattern` matches. */
  async arrive(pattern) {
    await until(() => pattern.test(this.path), `at ${pattern}`);
    await this.leaving;
  }

  reload() {
    return this.goTo(this.page.url.href, false);
  }

  leave() {
    if (!this.page) return;
    this.window.dispatchEvent(new this.window.Event("pagehide"));
    this.page.close();
  }

  /** Ends the tab without its unload events. */
  kill() {
    if (!this.page.isClosed) this.page.close();
    this.browser.tabs.splice(0, Infinity, ...this.browser.tabs.filter((tab) => tab !== this));
    this.browser.ended.push(...this.errors);
  }

  /** Ends the tab, and opens its address in another one. */
  killAndReopen() {
    const { href } = this.page.url;
    this.kill();
    return this.browser.open(href);
  }

  /** The scripts changed the address. */
  push(path) {
    this.page.url = new URL(path, this.page.url);
    this.entries.splice((this.index += 1), Infinity, { url: this.page.url, page: this.page });
  }

  /** Goes back (-1) or forward (1) in the history. */
  async travel(step) {
    const { url, page } = this.entries[(this.index += step)];
    if (page !== this.page) return this.goTo(url.href, false);
    page.url = url;
    return void this.window.dispatchEvent(new this.window.Event("popstate"));
  }

  submitted(form) {
    this.forms.push(form);
    const { pathname } = new URL(form.action);
    if (pathname.endsWith("/logout/")) this.browser.server.user = null;
    this.leaveFor(pathname.endsWith("/logout/") ? "/accounts/login/" : pathname);
  }

  // What the rater sees and does

  find(selector) {
    return this.document.querySelector(selector);
  }

  all(selector) {
    return [...this.document.querySelectorAll(selector)];
  }

  text(selector) {
    return this.find(selector).textContent.replace(/\s+/g, " ").trim();
  }

  isHidden(selector) {
    const element = this.find(selector);
    return element.matches("dialog") ? !element.open : Boolean(element.closest("[hidden]"));
  }

  get saved() {
    return this.text("[data-saved-text]");
  }

  get itemNumber() {
    return this.text("[data-item-number]");
  }

  get progress() {
    return this.text("[data-progress-text]");
  }

  get notice() {
    return this.isHidden("[data-notice]") ? "" : this.text("[data-notice-text]");
  }

  /** Waits until an element has this text, or matches it. */
  shows(selector, text) {
    const has = (found) => (text instanceof RegExp ? text.test(found) : found === text);
    const isShown = () => this.find(selector) && !this.isHidden(selector) && has(this.text(selector));
    return until(isShown, `${selector} shows ${text}; it has ${this.find(selector)?.textContent}`);
  }

  savedIs(text) {
    return this.shows("[data-saved-text]", text);
  }

  allSaved() {
    return this.savedIs("Saved");
  }

  /** Presses keys as fast as a page can get them: one after the other, with nothing but what each of them started. */
  async pressAtOnce(keys) {
    for (const name of keys.split(" ")) {
      this.pressOnce(name);
      await turn();
    }
  }

  /** Presses keys, one after the other: "1 Shift+N Control+Enter". */
  async press(keys, more = {}) {
    for (const name of keys.split(" ")) {
      this.pressOnce(name, more);
      await settle(3);
    }
  }

  /** Presses a key of which the page is told nothing but the event's own fields. */
  pressOnce(name, more = {}) {
    const parts = name === "+" ? ["+"] : name.split("+").map((part) => part || "+");
    const key = parts.pop();
    const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key;
    const modifiers = { shiftKey: parts.includes("Shift"), ctrlKey: parts.includes("Control") };
    const event = new this.window.KeyboardEvent("keydown", {
      key: key === "Space" ? " " : key,
      code,
      bubbles: true,
      cancelable: true,
      ...modifiers,
      ...more,
    });
    Object.defineProperty(event, "isTrusted", { value: true });
    const target = this.document.activeElement ?? this.document.body;
    this.browser.now += 1;
    if (target.dispatchEvent(event) && !event.ctrlKey) this.actAsBrowser(target, event);
  }

  /** What a browser does with a key that the page has not used. */
  actAsBrowser(target, { key, repeat }) {
    const isField = target.matches("textarea, input") && !BUTTONS.has(target.type);
    const dialog = this.all("dialog[open]").at(-1);
    if (key === "Escape" && dialog) {
      if (dialog.dispatchEvent(new this.window.Event("cancel", { cancelable: true }))) dialog.close();
    } else if (isField && ([...key].length === 1 || (key === "Enter" && target.matches("textarea")))) {
      this.write(target, key === "Enter" ? "\n" : key);
    } else if (key === "Enter" && isField) {
      target.form?.requestSubmit();
    } else if (!repeat && (key === "Enter" || key === " ") && target.matches("button, summary, a[href]")) {
      this.click(target);
    } else if (key === " " && target.matches("[type=radio], [type=checkbox]")) {
      target.click();
    }
  }

  write(field, text) {
    field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new this.window.InputEvent("input", { bubbles: true }));
  }

  /** Writes into the field that has the focus. */
  async type(text) {
    for (const sign of text) this.pressOnce(sign === "\n" ? "Enter" : sign);
    await settle(3);
  }

  /** Replaces the text of a field. */
  async fill(selector, text) {
    const field = this.find(selector);
    field.focus();
    field.value = text;
    field.dispatchEvent(new this.window.InputEvent("input", { bubbles: true }));
    await settle(3);
  }

  /** Clicks on an element, or on the first that `selector` finds, if it is not hidden. */
  async click(selector) {
    const element = typeof selector === "string" ? this.find(selector) : selector;
    assert.ok(element && !element.closest("[hidden], dialog:not([open])"), `cannot be clicked: ${selector}`);
    const focusable = element.closest("button, a[href], input, textarea, summary, [tabindex]");
    if (focusable) focusable.focus();
    else this.document.activeElement?.blur();
    const event = new this.window.MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 });
    const isUnused = element.dispatchEvent(event);
    const link = element.closest("a[href]");
    if (isUnused && link) this.leaveFor(link.getAttribute("href"));
    await settle(3);
  }

  /** The option of a question with this label. */
  option(label) {
    return this.all("label.option").find((each) => each.querySelector("b, .name, span")?.textContent.trim() === label);
  }

  /** The rater looks at another tab: the field reports that it lost the focus, and is the active element as before. */
  lookAway() {
    this.document.activeElement.dispatchEvent(new this.window.Event("focusout", { bubbles: true }));
  }

  /** The tab gets the focus, and so looks for what it may send. */
  focus() {
    this.window.dispatchEvent(new this.window.Event("focus"));
  }

  /** The texts that a highlight covers. */
  marked(name) {
    const ranges = [...(this.page.globals.CSS.highlights.get(name) ?? [])];
    return ranges.map((range) => {
      const live = this.document.createRange();
      live.setStart(range.startContainer, range.startOffset);
      live.setEnd(range.endContainer, range.endOffset);
      return live.toString();
    });
  }

  /** Selects text of the article. */
  select(words) {
    for (const paragraph of this.all("[data-paragraph]")) {
      for (const node of paragraph.childNodes) {
        const at = node.data?.indexOf(words) ?? -1;
        if (at >= 0) return this.document.getSelection().setBaseAndExtent(node, at, node, at + words.length);
      }
    }
    throw new Error(words);
  }
}
