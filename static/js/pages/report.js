// The report page: figures are fetched after the table is there, one after the other; switches answer while they are set.
// Found by data-draws, data-switches, data-submits-itself. Without this file the page says the same, after a reload.

import { showCopyButtons } from "../shared/copy_button.js";
import { translate } from "../shared/translate.js";

const AFTER = 250; // milliseconds without another change
const MOST_CELLS = 60; // of a table that opens by itself: four screens of a phone
const form = document.querySelector("[data-switches]");
let asking, waiting;

async function draw(canvas) {
  try {
    const response = await fetch(canvas.dataset.draws);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const svg = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
    if (svg.localName !== "svg") throw new Error("no drawing came");
    canvas.replaceChildren(document.importNode(svg, true));
  } catch {
    canvas.querySelector("[data-drawing]").textContent = translate("The figure could not be drawn. The table has the same numbers.");
  }
}

/** On a phone a figure is wider than the page, so the table beside it stands open, unless one would scroll for long. */
function openTables() {
  if (!matchMedia("(max-width: 860px)").matches) return;
  for (const table of document.querySelectorAll(".drawing ~ .as-table")) {
    table.open = table.querySelectorAll("td").length <= MOST_CELLS;
  }
}

async function drawAll() {
  openTables();
  for (const canvas of document.querySelectorAll("[data-draws]")) {
    if (canvas.isConnected && canvas.querySelector("[data-drawing]")) await draw(canvas);
  }
}

// What is blank is a default, and stays out of the address.
function address() {
  const set = [...new FormData(form)].filter(([, value]) => value !== "");
  const kept = new URLSearchParams(location.search);
  const shown = ["by", "measure"].filter((name) => kept.has(name)).map((name) => [name, kept.get(name)]);
  return `${form.action}?${new URLSearchParams([...set, ...shown])}`;
}

async function answer() {
  asking?.abort();
  asking = new AbortController();
  const there = address();
  say(translate("Computing …"));
  try {
    const found = await fetch(there, { signal: asking.signal });
    const page = new DOMParser().parseFromString(await found.text(), "text/html");
    if (found.redirected || !found.ok || page.querySelector("[data-job], [data-submits-itself]")) return location.assign(there);
    swap(page);
    history.replaceState(null, "", there);
    say(page.querySelector(".messages")?.textContent.trim() || translate("The numbers are up to date."));
  } catch (problem) {
    if (problem.name !== "AbortError") location.assign(there);
  }
}

function swap(page) {
  const shown = lines();
  for (const part of document.querySelectorAll("[data-swapped]")) {
    const fresh = page.querySelector(`[data-swapped="${part.dataset.swapped}"]`);
    part.replaceChildren(...(fresh ? document.importNode(fresh, true).childNodes : []));
  }
  for (const box of document.querySelectorAll("[data-shows-lines]")) {
    if (shown.has(box.dataset.showsLines)) box.checked = shown.get(box.dataset.showsLines);
  }
  showCopyButtons(document.querySelector('[data-swapped="numbers"]'));
  drawAll();
}

function lines() {
  return new Map([...document.querySelectorAll("[data-shows-lines]")].map((box) => [box.dataset.showsLines, box.checked]));
}

function say(words) {
  form.querySelector("[data-answered]").textContent = words;
}

function answerSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(() => { if (form.checkValidity()) answer(); }, AFTER);
}

form?.addEventListener("change", answerSoon);
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(waiting);
  answer();
});

drawAll();
document.querySelector("form[data-submits-itself]")?.requestSubmit();
