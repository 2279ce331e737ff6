// Figures of a report are loaded after the table, one after the other, in the layout that fits the screen.

import { translate } from "../shared/translate.js";

const narrow = matchMedia("screen and (max-width: 640px)"); // as in figures.css

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

/** Loads the figures that are missing in the layout of this screen. */
export function drawAll() {
  pass = pass.then(drawMissing);
}

async function drawMissing() {
  const layout = narrow.matches ? "narrow" : "wide";
  for (const canvas of document.querySelectorAll("[data-draws-narrow]")) {
    if (canvas.isConnected && !canvas.querySelector(`[data-layout="${layout}"]`)) await draw(canvas, layout);
  }
}

narrow.addEventListener("change", drawAll);
drawAll();
