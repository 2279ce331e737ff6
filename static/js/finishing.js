// Finishing a response, taking the next one into the page, and giving one back. Fetched when the first answer is given.

import { assignmentUrl, call } from "./calls.js";
import { listOpen, nothingAsked, showLost } from "./dialogs.js";
import { focusDock, isOpen, part, place, say, sheet, tell, textOf } from "./sentences.js";

const button = document.querySelector("[data-finish]");

export class Finishing {
  /** `means` has the page's `outbox`, `trouble(words)`, `noTrouble()`, `nameFinish()` and `openSheet({article: whether it is new})`. */
  constructor(means) {
    this.means = means;
    this.isHeld = false;
  }

  async finish() {
    if (this.isHeld) return;
    this.means.noTrouble();
    if (sheet.work.preview) return this.someOpen() || this.sayThatAllIsTried();
    this.hold(true);
    if (!this.someOpen()) await this.everythingSaved();
    if (!this.someOpen()) await this.finishAndGoOn();
    this.hold(false);
  }

  hold(isHeld) {
    this.isHeld = isHeld;
    button.disabled = isHeld;
    this.means.nameFinish();
  }

  sayThatAllIsTried() {
    document.querySelector("[data-trouble]").dataset.tone = "info";
    this.means.trouble("A rater would have finished here and get the next response. In the preview nothing is saved.");
  }

  /** Lists what is open, if anything is. */
  someOpen() {
    const open = sheet.items.filter(isOpen);
    if (open.length) listOpen(open);
    return open.length > 0;
  }

  /** Which of two answers to keep may have been asked meanwhile, and the choice must be saved as well. */
  async everythingSaved() {
    const { outbox } = this.means;
    await outbox.idle();
    await nothingAsked();
    await outbox.idle();
  }

  async finishAndGoOn() {
    const { work, items } = sheet;
    const { status, data } = work.finished ? { status: 200 } : await call("POST", assignmentUrl(work.id, "finish/"), { body: "{}" });
    if (status === 200) return this.takeNext();
    if (status === 409) return listOpen(items.filter(({ id }) => data.open.includes(id)));
    if (status === 410) return showLost();
    return this.excuse(status, "It is not finished yet.");
  }

  async takeNext() {
    const { work } = sheet;
    if (!work.finished) tell("finished", { assignment: work.id });
    work.finished = true;
    const { status, data } = await call("POST", `/api/v1/projects/${work.project}/assignments/`, { body: "{}" });
    if (status === 204) return leave(`/projects/${work.project}/rate/`);
    if (status !== 200) return this.excuse(status, "This response is finished; the next one could not be fetched.");
    return this.swap(data.id);
  }

  /** Puts the next response into the page: no load, no lost focus, and the same article stays where it was read. */
  async swap(id) {
    const page = `/assignments/${id}/`;
    const { status, data, redirected } = await call("GET", `${page}sheet/?document=${sheet.work.document}`, { accept: "text/html" });
    if (status !== 200 || redirected) return leave(page);
    const fresh = document.createElement("template");
    fresh.innerHTML = data;
    const parts = [...fresh.content.querySelectorAll("[data-part]")];
    for (const piece of parts) part(piece.dataset.part).replaceChildren(...piece.childNodes);
    history.replaceState(null, "", page);
    part("answer").scrollTop = 0;
    await this.means.openSheet({ hasOtherArticle: parts.some((piece) => piece.dataset.part === "article") });
    focusDock();
    return say(`Next response. ${place(sheet.now)}: ${textOf(sheet.now)}`);
  }

  async giveBack() {
    document.getElementById("give-back").close();
    await this.everythingSaved();
    const { status } = await call("POST", assignmentUrl(sheet.work.id, "release/"), { body: "{}" });
    if (status === 200) return leave(`/projects/${sheet.work.project}/given-back/`);
    return this.excuse(status, "It was not given back.");
  }

  excuse(status, words) {
    const { trouble } = this.means;
    if (status === 401 || status === 403) return trouble(`You have been signed out. ${words} Sign in again in a new tab, come back and press Enter.`);
    if (status === 404) return trouble(`This response is not open to whoever is signed in here now. ${words}`);
    return trouble(`The server could not be reached (${status || "no answer"}). ${words} Please try again.`);
  }
}

function leave(url) {
  location.assign(url);
}
