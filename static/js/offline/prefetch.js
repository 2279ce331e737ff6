// Responses given ahead: fetched while somebody rates, one after the other and in quiet moments, so that going on takes no wait
// and no network. How many, the server says (docs/workspace.md); an article that several are about is fetched once.

import { call } from "../shared/api.js";
import { keepAhead, keepOnly, keptPages } from "./page_cache.js";
import { parked, part, sheet } from "../workspace/sheet.js";

const LONGEST_UNREST = 2_000; // milliseconds until a quiet moment is not waited for any longer

export class Ahead {
  constructor(outbox) {
    this.outbox = outbox;
    this.order = []; // ids of what the server has given, as they come
    this.sheets = new Map(); // id -> {id, article, finished, parts, askedAt}: those of them that are here
    this.articles = new Map(); // name -> what stands in the article's place: an article, or the evidence of one response
    this.askedFor = null; // the work after which it was asked
    this.filling = null; // resolves when what was asked for is here
    this.keeping = Promise.resolve(); // resolves when all that is here is kept in this browser
    window.addEventListener("online", () => this.askAgain());
  }

  /** The network is back: others may have taken something meanwhile. */
  async askAgain() {
    await this.outbox.idle();
    this.askedFor = null;
    return this.fill();
  }

  /** Asks once for each response in hand, and when all answers are there: what has none on the server may be given to others. */
  async fill() {
    const { work } = sheet;
    if (this.outbox.waiting || this.filling || this.askedFor === work.id || work.then || work.preview) return;
    this.filling = this.askAfter(work);
    if (await this.filling) this.askedFor = work.id;
    this.filling = null;
  }

  /** Whether all that was given is here. */
  async askAfter({ id, project }) {
    const { status, data } = await call("POST", aheadUrl(project, `?after=${id}`), { body: "{}" });
    if (status !== 200 || !data?.assignments) return status === 403; // paused: nothing is given ahead, however often it is asked
    this.order = data.assignments;
    for (const known of this.sheets.keys()) if (!this.order.includes(known)) this.sheets.delete(known);
    this.count();
    await keepOnly([id, ...this.order]);
    for (const next of this.order.filter((each) => this.isMissing(each))) {
      await quiet();
      const fetched = await this.fetch(next);
      if (!fetched) return false;
      if (this.isMissing(next)) this.sheets.set(next, fetched);
      this.count();
      this.keep(fetched);
    }
    return true;
  }

  /** In this browser, for when the page is opened again without a network. Nothing waits for it. */
  keep({ id, article, parts, askedAt }) {
    if (!this.articles.has(article)) this.keepShown(part("article"));
    const whole = { parts, article: this.articles.get(article), askedAt };
    this.keeping = this.keeping.then(quiet).then(() => this.sheets.has(id) && keepAhead(whole));
  }

  /** Without a network: what an earlier page has kept, but for what is finished, sent or not. */
  async restore() {
    for (const { id, html, askedAt } of await keptPages()) {
      const kept = this.isMissing(id) && this.read(id, html, askedAt);
      if (!kept || kept.finished || this.outbox.isFinishing(id)) continue;
      if ((await this.outbox.storedSince(askedAt, id)).some(({ finishes }) => finishes)) continue;
      this.order.push(id);
      this.sheets.set(id, kept);
    }
    this.count();
  }

  isMissing(id) {
    return !this.sheets.has(id) && !parked.has(id) && sheet.work.id !== id;
  }

  /** The next response that is here; undefined if there is none. */
  take() {
    const id = this.order.find((each) => this.sheets.has(each));
    const next = this.sheets.get(id);
    this.isHere(id);
    return next;
  }

  /** The response came to the page, from here or asked for while it was being fetched: it is none of those ahead any more. */
  isHere(id) {
    this.sheets.delete(id);
    this.count();
  }

  /** How many are here, in the help. */
  count() {
    document.querySelector("[data-ahead]").textContent = this.sheets.size;
  }

  /** What the page shows of a response, or null. Its article comes along unless it is here. */
  async fetch(id) {
    const askedAt = Date.now();
    const known = [...new Set([sheet.work.article, ...this.articles.keys()])].map((article) => `article=${article}`);
    const { status, data, redirected } = await call("GET", `/assignments/${id}/sheet/?${known.join("&")}`, { accept: "text/html" });
    return status === 200 && !redirected ? this.read(id, data, askedAt) : null;
  }

  read(id, html, askedAt) {
    const page = document.createElement("template");
    page.innerHTML = html;
    const work = page.content.getElementById("work");
    if (!work) return null; // a proxy or a hotel's network has answered
    const { article, finished } = JSON.parse(work.textContent);
    const parts = Object.fromEntries([...page.content.querySelectorAll("[data-part]")].map((piece) => [piece.dataset.part, fragmentOf(piece)]));
    if (parts.article) this.articles.set(article, parts.article);
    const isWhole = this.articles.has(article) || article === sheet.work.article;
    return isWhole ? { id, article, finished, parts, askedAt } : null;
  }

  /** The article that the page shows is kept for when another response needs it. */
  keepShown(element) {
    if (!this.articles.has(sheet.work.article)) this.articles.set(sheet.work.article, fragmentOf(element.cloneNode(true)));
  }

  /** What to put into the article's place: a copy, so that nobody finds listeners on it. */
  articleNamed(name) {
    return this.articles.get(name).cloneNode(true).childNodes;
  }

  /** Drops an article that nothing here needs any more. */
  forget(article) {
    const needed = [...parked.values()].map(({ work }) => work.article).concat([...this.sheets.values()].map((each) => each.article));
    if (!needed.includes(article)) this.articles.delete(article);
  }

  /** Whoever stops here leaves them to the others. Before the one in hand: the next would be in hand then. */
  async giveBack() {
    await this.filling;
    return call("DELETE", aheadUrl(sheet.work.project));
  }
}

const aheadUrl = (project, query = "") => `/api/v1/projects/${project}/assignments/ahead/${query}`;

/** The children of `element`, which has none any more. */
export function fragmentOf(element) {
  const kept = new DocumentFragment();
  kept.append(...element.childNodes);
  return kept;
}

/** A moment in which the page has nothing to do. */
function quiet() {
  return new Promise((resolve) => (globalThis.requestIdleCallback ? requestIdleCallback(resolve, { timeout: LONGEST_UNREST }) : setTimeout(resolve)));
}
