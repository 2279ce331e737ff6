// Prefetches responses one by one in idle moments while the rater works, so that the next one needs neither time nor a
// network. The server decides how many (docs/workspace.md). An article that several responses are about is fetched
// once.

import { call } from "../shared/api.js";
import { part } from "../workspace/sheet.js";

const MAX_IDLE_WAIT = 2_000; // milliseconds for which an idle moment is awaited

export class Prefetch {
  /**
   * @param {object} dependencies
   * @param {Sheet} dependencies.sheet
   * @param {AnyOutbox} dependencies.outbox
   * @param {PageCache} dependencies.pageCache
   */
  constructor({ sheet, outbox, pageCache }) {
    this.sheet = sheet;
    this.pageCache = pageCache;
    this.outbox = outbox;
    /** @type {string[]} Ids of the responses that the server has leased ahead, in their order. */
    this.order = [];
    /** @type {Map<string, FetchedSheet>} Those that are here. */
    this.sheets = new Map();
    /** @type {Map<string, DocumentFragment>} Name -> an article, or the evidence of one response. */
    this.articles = new Map();
    /** @type {string | null} The assignment for which the server was asked last. */
    this.askedFor = null;
    /** @type {Promise<boolean> | null} Resolves when what was asked for is here. */
    this.filling = null;
    /** @type {Promise<unknown>} Resolves when all that is here is cached. */
    this.caching = Promise.resolve();
    window.addEventListener("online", () => this.refill());
  }

  /** The network is back: other raters may have taken responses. */
  async refill() {
    await this.outbox.idle();
    this.askedFor = null;
    return this.fill();
  }

  /** Asks once per response, when all answers are saved: a response without an answer may be given to other raters. */
  async fill() {
    const { work } = this.sheet;
    if (this.outbox.waiting || this.filling || this.askedFor === work.id || work.then || work.preview) return;
    this.filling = this.fetchAfter(work);
    if (await this.filling) this.askedFor = work.id;
    this.filling = null;
  }

  /**
   * Fetches the responses after one; returns whether all are here.
   * @param {Work} work
   */
  async fetchAfter({ id, project }) {
    const { status, data } = await call("POST", prefetchUrl(project, `?after=${id}`), { body: "{}" });
    if (status !== 200 || !data?.assignments) return status === 403; // paused: nothing is prefetched
    this.order = data.assignments;
    for (const other of this.sheets.keys()) if (!this.order.includes(other)) this.sheets.delete(other);
    this.showCount();
    await this.pageCache.dropOtherPages([id, ...this.order]);
    for (const next of this.order.filter((each) => this.isMissing(each))) {
      await idleMoment();
      const fetched = await this.fetch(next);
      if (!fetched) return false;
      if (this.isMissing(next)) this.sheets.set(next, fetched);
      this.showCount();
      this.cache(fetched);
    }
    return true;
  }

  /**
   * Caches a response for when the page is opened without a network. Nothing waits for it.
   * @param {FetchedSheet} fetched
   */
  cache({ id, article, parts, askedAt }) {
    if (!this.articles.has(article)) this.storeArticle(part("article"));
    const allParts = { ...parts, article: this.articles.get(article) };
    this.caching = this.caching
      .then(idleMoment)
      .then(() => (this.sheets.has(id) ? this.pageCache.cacheSheet(allParts, askedAt) : null));
  }

  /** Without a network: reads what an earlier page has cached, except responses that are finished. */
  async restore() {
    for (const { id, html, askedAt } of await this.pageCache.cachedPages()) {
      const cached = this.isMissing(id) && this.read(id, html, askedAt);
      if (!cached || cached.finished || this.outbox.isFinishing(id)) continue;
      if ((await this.outbox.receiptsSince(askedAt, id)).some(({ finishes }) => finishes)) continue;
      this.order.push(id);
      this.sheets.set(id, cached);
    }
    this.showCount();
  }

  /** @param {string} id */
  isMissing(id) {
    return !this.sheets.has(id) && !this.sheet.leftSheets.has(id) && this.sheet.work.id !== id;
  }

  /** Takes the next response that is here; undefined without one. */
  takeNextSheet() {
    const id = this.order.find((each) => this.sheets.has(each));
    if (id === undefined) return undefined;
    const next = this.sheets.get(id);
    this.drop(id);
    return next;
  }

  /**
   * The response is in the page: from here, or because it was asked for while it was fetched.
   * @param {string} id
   */
  drop(id) {
    this.sheets.delete(id);
    this.showCount();
  }

  /** Shows in the help how many responses are here. */
  showCount() {
    document.querySelector("[data-prefetched-count]").textContent = String(this.sheets.size);
  }

  /**
   * Fetches what the page shows of a response; its article only if it is not here. Null if that fails.
   * @param {string} id
   */
  async fetch(id) {
    const askedAt = Date.now();
    const known = new Set([this.sheet.work.article, ...this.articles.keys()]);
    const articles = [...known].map((article) => `article=${article}`);
    const { status, data, redirected } = await call("GET", `/assignments/${id}/sheet/?${articles.join("&")}`, {
      accept: "text/html",
    });
    return status === 200 && !redirected ? this.read(id, data, askedAt) : null;
  }

  /**
   * @param {string} id
   * @param {string} html
   * @param {number} askedAt
   * @returns {FetchedSheet | null}
   */
  read(id, html, askedAt) {
    const page = document.createElement("template");
    page.innerHTML = html;
    const work = page.content.getElementById("work");
    if (!work) return null; // a proxy or a hotel's network has answered
    const { article, finished } = JSON.parse(work.textContent);
    /** @type {Record<string, DocumentFragment>} */
    const parts = {};
    for (const element of page.content.querySelectorAll("[data-part]"))
      parts[element.dataset.part] = fragmentOf(element);
    if (parts.article) this.articles.set(article, parts.article);
    const isWhole = this.articles.has(article) || article === this.sheet.work.article;
    return isWhole ? { id, article, finished, parts, askedAt } : null;
  }

  /**
   * Keeps the article of the page for other responses.
   * @param {HTMLElement} element
   */
  storeArticle(element) {
    if (!this.articles.has(this.sheet.work.article))
      this.articles.set(this.sheet.work.article, fragmentOf(element.cloneNode(true)));
  }

  /**
   * A copy of an article, so that it has no listeners.
   * @param {string} name
   */
  articleNodes(name) {
    return this.articles.get(name)?.cloneNode(true).childNodes ?? [];
  }

  /**
   * Drops an article that no response needs any more.
   * @param {string} name
   */
  dropArticle(name) {
    const needed = [
      ...[...this.sheet.leftSheets.values()].map(({ work }) => work.article),
      ...[...this.sheets.values()].map(({ article }) => article),
    ];
    if (!needed.includes(name)) this.articles.delete(name);
  }

  /** Releases the responses to other raters; before the current one, as the next would become current. */
  async releasePrefetched() {
    await this.filling;
    return call("DELETE", prefetchUrl(this.sheet.work.project));
  }
}

/** @param {string} project */
const prefetchUrl = (project, query = "") => `/api/v1/projects/${project}/assignments/ahead/${query}`;

/**
 * Moves the children of `element` into a fragment.
 * @param {Node} element
 */
export function fragmentOf(element) {
  const fragment = new DocumentFragment();
  fragment.append(...element.childNodes);
  return fragment;
}

/** Resolves when the page has nothing to do. */
function idleMoment() {
  return new Promise((resolve) =>
    "requestIdleCallback" in globalThis
      ? requestIdleCallback(resolve, { timeout: MAX_IDLE_WAIT })
      : setTimeout(resolve),
  );
}
