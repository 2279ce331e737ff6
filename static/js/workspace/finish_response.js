// Finishing a response, the next one, and the way back. A response that was finished is not left behind: it is parked as it
// stands, so that undo and re-answering reach it without a network. The next ones are fetched ahead (prefetch.js) from the first
// answer that is saved, so that going on takes no wait, with a network or without.

import { Ahead, fragmentOf } from "../offline/prefetch.js";
import { assignmentUrl, call } from "../shared/api.js";
import { listOpen, nothingAsked, showLost } from "./dialogs.js";
import { forgetAll } from "../offline/page_cache.js";
import { focusDock, goTo, hear, isOpen, itemOf, parked, part, place, say, sheet, tell, textOf, workOf } from "./sheet.js";
import { translate } from "../shared/translate.js";

const MOST_PARKED = 20;
const MOVES = ["number", "answer"]; // parts that every response has of its own; an article may be that of several
const button = document.querySelector("[data-finish]");

export class Finishing {
  /**
   * `means` has the page's `outbox`, `answering`, `trouble(words, tone)`, `noTrouble()`, `nameFinish()` and
   * `openSheet({hasOtherArticle, from, askedAt})`.
   */
  constructor(means) {
    this.means = means;
    this.held = null; // the step to the next response that is under way
    this.ahead = new Ahead(means.outbox);
    hear("saved", () => this.ahead.fill());
    if (sheet.items.some(({ answers }) => answers)) this.ahead.fill(); // saved before this file was here
  }

  async finish() {
    if (this.isHeld) return;
    this.means.noTrouble();
    if (this.someOpen()) return;
    if (sheet.work.preview) return this.sayThatAllIsTried();
    if (this.mustWait()) return;
    const step = {};
    this.hold(step);
    if (!sheet.work.finished) this.sendFinish();
    await this.goOn(step);
    if (this.held === step) this.hold(null);
  }

  get isHeld() {
    return this.held !== null;
  }

  /** On its way after the answers, as they are: in order, written down first. */
  sendFinish() {
    const { work } = sheet;
    work.finished = true;
    this.means.outbox.finish(work.id);
    tell("finished", { assignment: work.id });
  }

  hold(step) {
    this.held = step;
    button.disabled = this.isHeld;
    this.means.nameFinish();
  }

  sayThatAllIsTried() {
    this.means.trouble(translate("A rater would have finished here and get the next response. In the preview nothing is saved."), "info");
  }

  /** Lists what is open, if anything is. */
  someOpen() {
    const open = sheet.items.filter(isOpen);
    if (open.length) listOpen(open);
    return open.length > 0;
  }

  /** Whether another part of the page has something to ask before a response is finished. */
  mustWait() {
    let must = false;
    if (!sheet.work.finished) tell("finishing", { assignment: sheet.work.id, wait: () => { must = true; } });
    return must;
  }

  /** Which of two answers to keep may have been asked meanwhile, and the choice must be saved as well. */
  async everythingSaved() {
    const { outbox } = this.means;
    await outbox.idle();
    await nothingAsked();
    await outbox.idle();
  }

  /** The server would not finish it: something is open, as an answer was taken back elsewhere or refused. */
  unfinished({ assignment }, { open = [], detail = "" }) {
    const work = workOf(assignment);
    if (work) work.finished = false;
    this.means.nameFinish();
    for (const item of open.map(itemOf).filter(Boolean)) Object.assign(item, { answers: null });
    if (!open.every(itemOf)) return this.fetchAgain(assignment); // a lead has cut a sentence anew meanwhile
    if (sheet.work.id === assignment) return listOpen(sheet.items.filter(({ id }) => open.includes(id)));
    return this.means.trouble(translate("The response before is not finished yet: %(detail)s The menu at the top leads back to it.", { detail }));
  }

  fetchAgain(assignment) {
    if (sheet.work.id === assignment) return location.reload();
    parked.delete(assignment);
    return this.means.trouble(translate("A sentence of the response before was cut anew, so it is not finished yet. The menu at the top leads back to it."));
  }

  lost(entry) {
    if (entry.assignment === sheet.work.id) return showLost();
    return this.means.trouble(translate("An earlier response went to somebody else meanwhile. Your answers to it are kept in this browser, and are sent if it comes back to you."));
  }

  // Going on

  async goOn(step) {
    const left = [...parked.values()].find(({ work }) => !work.finished && work.id !== sheet.work.id);
    if (left) return this.turn(() => this.unpark(left.work.id));
    const next = this.ahead.take();
    if (next) return this.turn(() => this.put(next));
    await this.everythingSaved();
    return this.held === step && sheet.work.finished ? this.turn(() => this.takeNext()) : null;
  }

  /** Keys that come before the next response is there wait for it (keyboard.js). */
  async turn(act) {
    sheet.isTurning = true;
    try {
      await act();
    } finally {
      sheet.isTurning = false;
      tell("turned");
    }
  }

  async takeNext() {
    const { project, then } = sheet.work;
    if (then) return leave(then); // training and qualification have pages between their responses
    const { status, data } = await call("POST", `/api/v1/projects/${project}/assignments/`, { body: "{}" });
    if (status === 204 || data?.gate) return this.leaveWork();
    if (status !== 200) return this.excuse(status, translate("This response is finished; the next one could not be fetched."));
    return this.fetchAndPut(data.id);
  }

  /** That page says why there is no work: nothing is left, something else comes first, a pause, an archived project. */
  async leaveWork() {
    await forgetAll();
    leave(`/projects/${sheet.work.project}/rate/`);
  }

  async fetchAndPut(id) {
    const fetched = await this.ahead.fetch(id);
    return fetched ? this.put(fetched) : leave(`/assignments/${id}/`);
  }

  // Putting responses into the page: no load, no lost focus, and the same article stays where it was read

  async put({ id, article, parts, askedAt }) {
    this.ahead.isHere(id);
    const hasOtherArticle = article !== sheet.work.article;
    this.park();
    this.show(parts, hasOtherArticle && article);
    await this.openShown(id, { hasOtherArticle, askedAt });
    return say(translate("Next response. %(place)s: %(text)s", { place: place(sheet.now), text: textOf(sheet.now) }));
  }

  /** Puts what a response has of its own into the page, and the article of that name, if it is another. */
  show(parts, article) {
    for (const name of MOVES) part(name).replaceChildren(...parts[name].childNodes);
    if (article) part("article").replaceChildren(...this.ahead.articleNamed(article));
  }

  /** Leaves the response as it stands. */
  park() {
    const { work, items, now } = sheet;
    this.ahead.keepShown(part("article"));
    const parts = Object.fromEntries(MOVES.map((name) => [name, fragmentOf(part(name))]));
    parked.set(work.id, { work, items, now, parts });
    this.means.answering.undone.push({ left: work.id, item: now });
    if (parked.size > MOST_PARKED) this.forgetOldest();
  }

  forgetOldest() {
    const [[oldest, { work: { article } }]] = parked;
    parked.delete(oldest);
    this.ahead.forget(article);
    const { answering } = this.means;
    answering.undone = answering.undone.slice(answering.undone.findIndex((step) => step.left === oldest) + 1);
  }

  async unpark(id, at = null) {
    const { outbox, answering } = this.means;
    const from = parked.get(id);
    const hasOtherArticle = from.work.article !== sheet.work.article;
    this.park();
    if (at) answering.undone.pop(); // undo goes back, it is no step of its own
    parked.delete(id);
    this.show(from.parts, hasOtherArticle && from.work.article);
    if (outbox.unfinish(id)) from.work.finished = false; // not sent yet: then everything can be undone
    await this.openShown(id, { hasOtherArticle, from });
    goTo(at ?? from.items.find(isOpen) ?? from.now);
  }

  async openShown(id, how) {
    history.replaceState(null, "", `/assignments/${id}/`);
    this.hold(null); // a step that waits does so for the response that was left
    part("answer").scrollTop = 0;
    await this.means.openSheet(how);
    focusDock();
  }

  /** Undo over the step to another response. */
  async goBack({ left, item }) {
    this.means.noTrouble(); // it was about the other response
    await this.turn(() => this.unpark(left, item));
    say(translate("Back to the response before. %(place)s: %(text)s", { place: place(item), text: textOf(item) }));
  }

  /** By the menu: a response finished earlier. */
  async revisit(address) {
    const id = address.split("/").at(-2);
    return this.turn(() => (parked.has(id) ? this.unpark(id) : this.fetchAndPut(id)));
  }

  async giveBack() {
    document.getElementById("give-back").close();
    await this.everythingSaved();
    await this.ahead.giveBack();
    const { status } = await call("POST", assignmentUrl(sheet.work.id, "release/"), { body: "{}" });
    if (status !== 200) return this.excuse(status, translate("It was not given back."));
    await forgetAll();
    return leave(`/projects/${sheet.work.project}/given-back/`);
  }

  excuse(status, words) {
    const { trouble } = this.means;
    if (status === 401 || status === 403) return trouble(translate("You have been signed out. %(words)s Sign in again, and press Enter.", { words }));
    if (status === 404) return trouble(translate("This response is not open to whoever is signed in here now. %(words)s", { words }));
    return trouble(translate("The server could not be reached (%(status)s). %(words)s Please try again.", { status: status || translate("no answer"), words }));
  }
}

function leave(url) {
  location.assign(url);
}
