// Parts of a page that change by themselves. The element with data-live-from names an address that answers with the same
// parts; each element with data-live takes over the content of its namesake. Nothing moves under whoever is at work: a part
// that holds the focus waits, places of scrolling stay, and a hidden tab asks nothing. data-loads: a part that comes late,
// and more seldom again, because it costs more.

import { translate } from "../shared/translate.js";

const PAUSE = 20_000, LONGEST_PAUSE = 160_000, SELDOM = 120_000;

class Live {
  constructor(element) {
    this.element = element;
    this.address = element.dataset.liveFrom;
    this.pause = PAUSE;
    this.state = element.querySelector("[data-live-state]");
    if (this.state) this.state.hidden = false;
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.ask());
    this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    if (document.visibilityState === "visible") this.timer = setTimeout(() => this.ask(), this.pause);
  }

  async ask() {
    clearTimeout(this.timer);
    const html = await textOf(this.address);
    if (html !== null) this.show(html);
    this.pause = html === null ? Math.min(LONGEST_PAUSE, this.pause * 2) : PAUSE;
    this.say(html !== null);
    this.wait();
  }

  show(html) {
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    for (const part of fresh.content.querySelectorAll("[data-live]")) {
      const shown = this.element.querySelector(`[data-live="${part.dataset.live}"]`);
      if (!shown || shown.contains(document.activeElement) || shown.innerHTML === part.innerHTML) continue;
      shown.replaceChildren(...part.childNodes);
    }
  }

  say(isUpToDate) {
    if (!this.state) return;
    this.state.toggleAttribute("data-stale", !isUpToDate);
    const words = isUpToDate ? translate("Live") : translate("No answer from the server; trying again");
    const place = this.state.querySelector("[data-live-words]");
    if (place.textContent !== words) place.textContent = words;
  }
}

/** The body of a page, or null when there was none: no network, an error, or a way to the sign-in page. */
async function textOf(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(PAUSE) });
    return answer.ok && !answer.redirected ? await answer.text() : null;
  } catch {
    return null;
  }
}

class Late {
  constructor(element) {
    this.element = element;
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.load());
    this.load();
  }

  async load() {
    clearTimeout(this.timer);
    const html = await textOf(this.element.dataset.loads);
    const words = this.element.querySelector("[data-loads-words]");
    if (html !== null) this.show(html);
    else if (words) words.textContent = translate("It could not be worked out just now. It will be tried again.");
    clearTimeout(this.timer);
    if (document.visibilityState === "visible") this.timer = setTimeout(() => this.load(), SELDOM);
  }

  show(html) {
    if (this.shown === html || this.element.contains(document.activeElement)) return;
    this.element.innerHTML = this.shown = html;
  }
}

for (const element of document.querySelectorAll("[data-live-from]")) new Live(element);
for (const element of document.querySelectorAll("[data-loads]")) new Late(element);
