// The report page: figures are loaded after the table, one after the other; htmx replaces the parts that the options
// change. Without this file the page shows the same after a reload.

import { showCopyButtons } from "../shared/copy_button.js";
import { translate } from "../shared/translate.js";

const narrow = matchMedia("screen and (max-width: 640px)"); // as in figures.css

/** @type {HTMLFormElement | null} */
const form = document.querySelector("[data-switches]");

/**
 * Load the figure in one layout; the style sheet shows the layout that fits the screen.
 * @param {HTMLElement} canvas
 * @param {"wide" | "narrow"} layout
 */
async function draw(canvas, layout) {
  try {
    const { draws, drawsNarrow } = canvas.dataset;
    const response = await fetch((layout === "narrow" ? drawsNarrow : draws) ?? "");
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const svg = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
    if (svg.localName !== "svg") throw new Error("the response is no SVG");
    showFigure(canvas, document.importNode(svg, true), layout);
  } catch {
    const waiting = canvas.querySelector("[data-drawing]");
    if (waiting) waiting.textContent = translate("The figure could not be drawn. The table has the same numbers.");
  }
}

/**
 * @param {HTMLElement} canvas
 * @param {Element} svg
 * @param {string} layout
 */
function showFigure(canvas, svg, layout) {
  const part = document.createElement("div");
  part.dataset.layout = layout;
  part.append(svg);
  for (const waiting of canvas.querySelectorAll("[data-drawing], noscript")) waiting.remove();
  canvas.append(part);
}

/** The pass over the figures that runs: a second one beside it would draw the same figure twice. */
let pass = Promise.resolve();

function drawAll() {
  pass = pass.then(drawMissing);
}

async function drawMissing() {
  const layout = narrow.matches ? "narrow" : "wide";
  for (const canvas of document.querySelectorAll("[data-draws-narrow]")) {
    if (canvas.isConnected && !canvas.querySelector(`[data-layout="${layout}"]`)) await draw(canvas, layout);
  }
}

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

narrow.addEventListener("change", drawAll);
drawAll();
document.querySelector("form[data-submits-itself]")?.requestSubmit();
