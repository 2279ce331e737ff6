// The cache of rating pages, so that they open again without a network (service_worker.js serves them): the page of the
// current response, one for each prefetched response, and their files. A cache belongs to one rater, language and
// version; a page from the server drops all others. A rater may have two projects open: each handles its own responses.
// Answers given since are in the journal. docs/decisions/offline-rating-pages.md
//
// Names of caches and headers (Kept-…) are stored in browsers: they stay as they are.

import { call } from "../shared/api.js";
import { listen } from "../workspace/sheet.js";

const MAX_AGE = 12 * 3600 * 1000; // milliseconds
/** Headers that a page needs to be as safe as when it came from the server. */
const HEADERS = [
  "Cache-Control",
  "Content-Security-Policy",
  "Content-Type",
  "Cross-Origin-Opener-Policy",
  "Referrer-Policy",
  "X-Content-Type-Options",
  "X-Frame-Options",
];
const {
  worker,
  cacheVersion: version,
  cacheFiles: files = "",
  cacheMathFont: mathFont = "",
} = document.querySelector("[data-workspace]").dataset;
const { lang: language } = document.documentElement;

/**
 * @typedef {{ html: string, headers: Record<string, string> }} Frame
 *   A page from the server, into which prefetched parts are put.
 */

export class PageCache {
  /** @param {Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    this.raterPrefix = `factuary:${sheet.work.rater}:`;
    this.cacheName = `${this.raterPrefix}${language}:${version}`;
    // Training and qualification have pages between their responses, so they do not work without a network.
    this.canCache = Boolean(worker && !sheet.work.then && "serviceWorker" in navigator && "caches" in globalThis);
    /** @type {Promise<Frame | null> | null} */
    this.frame = null;
    this.isDropped = false;
    // Another user was signed in meanwhile, and the rater is back.
    listen("answer-saved", () => {
      if (!this.isDropped) return;
      this.isDropped = false;
      this.cacheCurrent();
    });
    // The response was not prefetched, or was opened before it was cached.
    listen("sheet-opened", ({ assignment }) =>
      this.attempt(async () => {
        const cache = await caches.open(this.cacheName);
        if (!(await cache.match(pageUrl(assignment), { ignoreVary: true }))) await this.cacheCurrent();
      }),
    );
  }

  /** Caches the current response, unless it is cached or being cached. */
  cacheCurrentOnce() {
    return this.frame ?? this.cacheCurrent();
  }

  /** Caches the current response and the files, and drops old pages. A browser may refuse: then nothing is cached. */
  cacheCurrent() {
    this.frame = this.attempt(async () => {
      const askedAt = Date.now();
      const fetched = await fetchPage(this.sheet.work.id);
      if (!fetched) return null;
      await navigator.serviceWorker.register(worker, { updateViaCache: "none" });
      const cache = await caches.open(this.cacheName);
      await addFiles(cache, files.trim().split(/\s+/));
      await this.put(cache, parse(fetched.html), fetched.headers, askedAt);
      for (const name of await caches.keys())
        if (name.startsWith("factuary:") && name !== this.cacheName) await caches.delete(name);
      for (const { url, headers } of await readPages(cache)) if (!isFresh(headers)) await cache.delete(url);
      return fetched;
    });
    return this.frame;
  }

  /**
   * Caches a prefetched response.
   * @param {Record<string, DocumentFragment | undefined>} parts with its article
   * @param {number} askedAt
   */
  cacheSheet(parts, askedAt) {
    return this.attempt(async () => {
      const fetched = await this.cacheCurrentOnce();
      if (!fetched) return;
      const page = parse(fetched.html);
      for (const [name, content] of Object.entries(parts)) {
        if (content) page.querySelector(`[data-part="${name}"]`).replaceChildren(page.importNode(content, true));
      }
      await this.put(await caches.open(this.cacheName), page, fetched.headers, askedAt);
    });
  }

  /** The cached pages of this project, in the order in which they were cached. */
  async cachedPages() {
    const pages = await this.attempt(async () => {
      const all = await readPages(await caches.open(this.cacheName));
      return all.filter(({ headers }) => this.isOurs(headers) && isFresh(headers));
    });
    return Promise.all(
      (pages ?? []).map(async ({ id, headers, response }) => ({
        id,
        html: await response.text(),
        askedAt: Number(headers.get("Kept-At")),
      })),
    );
  }

  /**
   * Drops the pages of this project except those of `ids`: the server has not leased the others to this rater any more.
   * @param {string[]} ids
   */
  dropOtherPages(ids) {
    return this.attempt(async () => {
      const cache = await caches.open(this.cacheName);
      for (const { id, url, headers } of await readPages(cache))
        if (this.isOurs(headers) && !ids.includes(id)) await cache.delete(url);
    });
  }

  /**
   * Drops a response that is finished, or another rater's.
   * @param {string} assignment
   */
  dropPage(assignment) {
    return this.attempt(async () => (await caches.open(this.cacheName)).delete(pageUrl(assignment)));
  }

  /** Drops all pages of this rater; nothing is cached until the server has taken an answer of theirs. */
  dropAllPages() {
    this.isDropped = true;
    return this.attempt(async () => {
      for (const name of await caches.keys()) if (name.startsWith(this.raterPrefix)) await caches.delete(name);
    });
  }

  /** @param {Headers} headers */
  isOurs(headers) {
    return headers.get("Kept-For") === this.sheet.work.project;
  }

  /**
   * @param {Cache} cache
   * @param {Document} page
   * @param {Record<string, string>} headers
   * @param {number} askedAt
   */
  async put(cache, page, headers, askedAt) {
    if (this.isDropped) return;
    const { id, project } = JSON.parse(page.getElementById("work").textContent);
    page.documentElement.dataset.cachedAt = String(askedAt);
    const origin = { "Kept-At": String(askedAt), "Kept-Until": String(askedAt + MAX_AGE), "Kept-For": project };
    await cache.put(
      pageUrl(id),
      new Response(`<!doctype html>${page.documentElement.outerHTML}`, { headers: { ...headers, ...origin } }),
    );
    if (page.querySelector("math")) await addFiles(cache, [mathFont]);
  }

  /**
   * Null where the browser refuses (a private window, a full disk): the page then works without a cache.
   * @template T
   * @param {() => Promise<T>} act
   */
  async attempt(act) {
    try {
      return this.canCache ? await act() : null;
    } catch {
      return null; // also without a network, when there is nothing new to cache
    }
  }
}

/** @param {string} assignment */
const pageUrl = (assignment) => `/assignments/${assignment}/`;
/** @param {Headers} headers */
const isFresh = (headers) => Number(headers.get("Kept-Until")) >= Date.now();

/** @param {Cache} cache */
async function readPages(cache) {
  const pages = [];
  for (const { url } of await cache.keys()) {
    const id = /\/assignments\/([^/]+)\/$/.exec(url)?.[1];
    const response = id && (await cache.match(url, { ignoreVary: true }));
    if (response) pages.push({ id, url, response, headers: response.headers });
  }
  return pages;
}

/**
 * The page from the server; null if it does not answer with it (signed out, another rater's response), or in another
 * language or version than this page, which has other files.
 * @param {string} id
 * @returns {Promise<Frame | null>}
 */
async function fetchPage(id) {
  const { status, data: html, redirected, headers } = await call("GET", pageUrl(id), { accept: "text/html" });
  if (status !== 200 || redirected || !headers) return null;
  const page = parse(html);
  const isAlike =
    page.documentElement.lang === language && page.querySelector("[data-workspace]")?.dataset.cacheVersion === version;
  const safeHeaders = HEADERS.filter((name) => headers.get(name)).map((name) => [name, headers.get(name) ?? ""]);
  return isAlike ? { html, headers: Object.fromEntries(safeHeaders) } : null;
}

/** @param {string} html */
const parse = (html) => new DOMParser().parseFromString(html, "text/html");

/**
 * Caches the files that are not cached yet.
 * @param {Cache} cache
 * @param {string[]} names
 */
async function addFiles(cache, names) {
  const cached = await Promise.all(names.map((name) => cache.match(name, { ignoreVary: true })));
  await cache.addAll(names.filter((_, n) => !cached[n]));
}
