// The report page: figures are loaded after the table, one after the other; htmx replaces the parts that the options
// change. Without this file the page shows the same after a reload.

import { showCopyButtons } from "../shared/copy_button.js";
import { translate } from "../shared/translate.js";

const MAX_CELLS = 60; // of a table that opens automatically: four screens of a phone

/** @type {HTMLFormElement | null} */
const form = document.querySelector("[data-switches]");

/** @param {HTMLElement} canvas */
async function draw(canvas) {
  try {
    const response = await fetch(canvas.dataset.draws ?? "");
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const svg = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
    if (svg.localName !== "svg") throw new Error("the response is no SVG");
    canvas.replaceChildren(document.importNode(svg, true));
  } catch {
    canvas.querySelector("[data-drawing]").textContent = translate(
      "The figure could not be drawn. The table has the same numbers.",
    );
  }
}

/** On a phone a figure is wider than the page, so the table next to it opens, unless it is long. */
function openTables() {
  if (!matchMedia("(max-width: 860px)").matches) return;
  for (const table of document.querySelectorAll(".drawing ~ .as-table")) {
    table.open = table.querySelectorAll("td").length <= MAX_CELLS;
  }
}

async function drawAll() {
  openTables();
  for (const canvas of document.querySelectorAll("[data-draws]")) {
    if (canvas.isConnected && canvas.querySelector("[data-drawing]")) await draw(canvas);
  }
}

/**
 * A blank field is a default and stays out of the address.
 * @param {CustomEvent} event
 */
function skipBlankFields({ detail: { formData } }) {
  for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
}

/** @param {CustomEvent} event */
function showResult({ detail: { successful, xhr } }) {
  if (!successful) return;
  const messages = new DOMParser().parseFromString(xhr.response, "text/html").querySelector(".messages");
  showStatus(messages?.textContent.trim() || translate("The numbers are up to date."));
  showCopyButtons(document.getElementById("report-numbers"));
  drawAll();
}

/** @param {string} text */
function showStatus(text) {
  form?.querySelector("[data-answered]").replaceChildren(text);
}

form?.addEventListener("htmx:configRequest", /** @type {EventListener} */ (skipBlankFields));
form?.addEventListener("htmx:beforeRequest", () => showStatus(translate("Computing …")));
form?.addEventListener("htmx:afterRequest", /** @type {EventListener} */ (showResult));

drawAll();
document.querySelector("form[data-submits-itself]")?.requestSubmit();
