// The report page: htmx replaces the parts that the options change. Without this file the page shows the same after a
// reload.

import { showCopyButtons } from "../shared/copy_button.js";
import { translate } from "../shared/translate.js";
import { drawAll } from "./report_figures.js";

/** @type {HTMLFormElement | null} */
const form = document.querySelector("[data-switches]");

/**
 * A blank field is a default and stays out of the address.
 * @param {CustomEvent} event
 */
function skipBlankFields({ detail: { formData } }) {
  for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
}

/** @type {string[]} ids of the folded parts that are open while the options replace them */
let unfolded = [];

function rememberUnfolded() {
  unfolded = [...document.querySelectorAll("#report-numbers details[open]")].map((part) => part.id);
}

/** @param {Element | null} numbers */
function unfoldAgain(numbers) {
  for (const part of numbers?.querySelectorAll("details") ?? []) if (unfolded.includes(part.id)) part.open = true;
}

/** @param {CustomEvent} event */
function showResult({ detail: { successful, xhr } }) {
  if (!successful) return;
  const messages = new DOMParser().parseFromString(xhr.response, "text/html").querySelector(".messages");
  showStatus(messages?.textContent.trim() || translate("The numbers are up to date."));
  const numbers = document.getElementById("report-numbers");
  unfoldAgain(numbers);
  showCopyButtons(numbers);
  drawAll();
}

/** @param {string} text */
function showStatus(text) {
  form?.querySelector("[data-answered]").replaceChildren(text);
}

form?.addEventListener("htmx:configRequest", /** @type {EventListener} */ (skipBlankFields));
form?.addEventListener("htmx:beforeRequest", () => showStatus(translate("Computing …")));
form?.addEventListener("htmx:beforeSwap", rememberUnfolded);
form?.addEventListener("htmx:afterRequest", /** @type {EventListener} */ (showResult));

document.querySelector("form[data-submits-itself]")?.requestSubmit();
