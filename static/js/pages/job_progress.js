// Jobs that a page follows: htmx asks for them (templates/parts/job.html). A reload continues where the job is. This
// file does what htmx does not do: leave the page at the end, report a missing answer, and replace only changed parts.

import { translate } from "../shared/translate.js";

const PAUSE = 5_000; // milliseconds after a request without an answer
/** @type {WeakMap<Element, number>} */
const unansweredAt = new WeakMap();

/**
 * @param {string} name
 * @param {(event: CustomEvent) => void} listener
 */
const listen = (name, listener) => document.addEventListener(name, /** @type {EventListener} */ (listener));

listen("htmx:beforeRequest", (event) => {
  if (Date.now() - (unansweredAt.get(event.detail.elt) ?? 0) < PAUSE) event.preventDefault();
});
listen("htmx:afterRequest", ({ detail: { elt, successful } }) => {
  unansweredAt.delete(elt);
  if (successful || !elt.matches("[data-job]")) return;
  unansweredAt.set(elt, Date.now());
  elt.querySelector("[data-job-message]").textContent = translate("No answer from the server; trying again");
});
// A screen reader reads replaced parts aloud, so unchanged ones are kept.
listen("htmx:oobBeforeSwap", ({ detail }) => {
  detail.shouldSwap = detail.target.innerHTML !== detail.fragment.innerHTML;
});
// The browser's Back button must not show the old progress bar.
listen("job-ended", ({ detail: { url } }) => (url ? location.replace(url) : location.reload()));
