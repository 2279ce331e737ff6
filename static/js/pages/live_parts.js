// Parts of a page that htmx refreshes. Nothing moves while the user works: a part that has the focus or has not
// changed stays as it is, and a hidden tab sends no requests. data-loads: a part that is loaded after the page.

import { translate } from "../shared/translate.js";

const FAILURES = ["htmx:responseError", "htmx:sendError", "htmx:timeout"];
/** @type {WeakMap<Element, string>} */
const responses = new WeakMap();

/** @param {Event} event */
function skipWhileHidden(event) {
  if (document.visibilityState !== "visible") event.preventDefault();
}

/** @param {CustomEvent} event */
function keepPart(event) {
  const { target, fragment } = event.detail;
  if (target.contains(document.activeElement) || target.innerHTML === fragment.innerHTML) event.preventDefault();
}

/** @param {CustomEvent} event */
function keepLatePart({ detail }) {
  const { target, serverResponse } = detail;
  if (target.contains(document.activeElement) || responses.get(target) === serverResponse) detail.shouldSwap = false;
  else if (detail.shouldSwap) responses.set(target, serverResponse);
}

/**
 * @param {HTMLElement} state
 * @param {boolean} isUpToDate
 */
function showState(state, isUpToDate) {
  state.toggleAttribute("data-stale", !isUpToDate);
  const text = isUpToDate ? translate("Live") : translate("No answer from the server; trying again");
  const label = state.querySelector("[data-live-text]");
  if (label.textContent !== text) label.textContent = text;
}

/** @param {HTMLElement} element */
function wireParts(element) {
  const state = element.querySelector("[data-live-state]");
  element.addEventListener("htmx:beforeRequest", skipWhileHidden);
  element.addEventListener("htmx:oobBeforeSwap", /** @type {EventListener} */ (keepPart));
  if (!state) return;
  state.hidden = false;
  /** @param {Event} event */
  const isOwn = (event) => event.target === element;
  for (const name of FAILURES) element.addEventListener(name, (event) => isOwn(event) && showState(state, false));
  element.addEventListener("htmx:afterRequest", (event) => {
    if (isOwn(event) && /** @type {CustomEvent} */ (event).detail.successful) showState(state, true);
  });
}

/** @param {HTMLElement} element */
function wireLatePart(element) {
  element.addEventListener("htmx:beforeSwap", /** @type {EventListener} */ (keepLatePart));
  /** @param {CustomEvent} event */
  function reportFailure({ detail: { xhr } }) {
    const seconds = Number(xhr?.getResponseHeader("Retry-After"));
    if (seconds) setTimeout(() => element.dispatchEvent(new Event("retry")), 1000 * seconds);
    else
      element
        .querySelector("[data-loads-text]")
        ?.replaceChildren(translate("The update failed. The page tries again."));
  }
  for (const name of FAILURES) element.addEventListener(name, /** @type {EventListener} */ (reportFailure));
}

for (const element of document.querySelectorAll("[data-live-parts]")) wireParts(element);
for (const element of document.querySelectorAll("[data-loads]")) wireLatePart(element);
