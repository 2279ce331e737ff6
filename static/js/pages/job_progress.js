// Follows long work: asks the job's address how far it is, draws that, and goes on to the result when it is done.
// Nothing is kept in the page, so a reload takes the story up where it is. Found by data-job.

import { translate } from "../shared/translate.js";

const SOON = 700, LATER = 5000; // milliseconds between two questions; longer while there is no answer

class Followed {
  constructor(element) {
    this.element = element;
    this.pause = SOON;
  }

  part(name) {
    return this.element.querySelector(`[data-job-${name}]`);
  }

  async ask() {
    try {
      const answer = await fetch(this.element.dataset.job, { headers: { Accept: "application/json" } });
      if (answer.redirected || !answer.ok) throw new Error(`the server answered ${answer.status}`);
      this.pause = SOON;
      this.show(await answer.json());
    } catch {
      this.pause = Math.min(LATER, this.pause * 2);
      this.say(translate("No answer from the server; trying again"));
      this.askAgain();
    }
  }

  askAgain() {
    setTimeout(() => this.ask(), document.hidden ? LATER : this.pause);
  }

  show(job) {
    if (job.state === "done") return this.leave(job.url);
    if (job.ended && this.element.closest("[data-job-reloads]")) return location.reload(); // the page says more than we could
    if (job.ended) return this.end(job);
    this.say(job.message || translate("Waiting for a worker"));
    this.count(job);
    this.askAgain();
  }

  say(words) {
    if (this.part("message").textContent !== words) this.part("message").textContent = words;
  }

  count(job) {
    const bar = this.element.querySelector("progress");
    this.part("count").textContent = job.total ? translate("%(what)s %(done)s of %(total)s", { what: this.element.dataset.jobUnit, done: job.done, total: job.total }) : "";
    if (job.share === null) bar.removeAttribute("value");
    else bar.value = job.share;
  }

  // The page that was left must not come back with its old progress bar.
  leave(url) {
    if (url) location.replace(url);
    else location.reload();
  }

  end(job) {
    this.part("bar").hidden = true;
    this.part(job.state).hidden = false;
    const lines = job.problems.map((problem) => Object.assign(document.createElement("li"), { textContent: problem }));
    this.part("problems").replaceChildren(...lines);
  }
}

for (const element of document.querySelectorAll("[data-job]")) {
  if (!element.querySelector("[data-job-bar]").hidden) new Followed(element).ask();
}
