// Places in the article. The paragraphs in the page and as they are stored: a place in one is led to the other and back. What
// the page shows otherwise than it is stored (marks of the data set, formulas) carries its raw text in data-raw.
// The passages attached to an answer, and their list by the questions. And marks on places that leave the article as it is: nothing moves, and the browser's own find sees through them. With
// the CSS Custom Highlight API nothing in the page changes at all; where there is none, spans are put around the text.

import { trimmed } from "./passage_ranking.js";
import { translate } from "../shared/translate.js";

export class Paragraphs {
  /** `article` is the element that holds them. */
  constructor(article) {
    this.article = article;
    this.all = new Map(); // id -> {id, element, text, heading}
    const path = [];
    for (const element of article.querySelectorAll("h3, h4, h5, [data-paragraph]")) {
      const id = element.dataset.paragraph;
      if (id === undefined) path.splice(Number(element.localName[1]) - 3, 3, element.textContent.trim());
      else this.all.set(id, { id, element, text: rawText(element), heading: path.filter(Boolean).join(" › ") });
    }
  }

  text(id) {
    return this.all.get(id)?.text ?? "";
  }

  heading(id) {
    return this.all.get(id)?.heading ?? "";
  }

  /** What counts as words and numbers of a paragraph, at the offsets of its text: no marks, and of formulas no commands. */
  readable(id) {
    const { element, text } = this.all.get(id);
    let readable = text;
    for (const { node, start, end } of pieces(element)) {
      if (node.nodeType !== Node.TEXT_NODE) readable = readable.slice(0, start) + legible(node, text.slice(start, end)) + readable.slice(end);
    }
    return readable;
  }

  /** The range in the page, or null if the paragraph is not there. Offsets are those of JavaScript strings. */
  range(id, start, end) {
    const element = this.all.get(id)?.element;
    if (!element) return null;
    const found = pieces(element);
    const [from, to] = [point(found, start, false), point(found, end, true)];
    return from && to ? new StaticRange({ startContainer: from[0], startOffset: from[1], endContainer: to[0], endOffset: to[1] }) : null;
  }

  /** What a selection covers, a part for each paragraph: `[{paragraph, start, end, text}]`. */
  covered(range) {
    const parts = [];
    for (const { id, element, text } of this.all.values()) {
      if (!range.intersectsNode(element)) continue;
      const inside = pieces(element).filter(({ node }) => range.intersectsNode(node));
      if (!inside.length) continue;
      const start = edge(inside[0], range.startContainer, range.startOffset) ?? inside[0].start;
      const end = edge(inside.at(-1), range.endContainer, range.endOffset) ?? inside.at(-1).end;
      const part = trimmed(text, start, end);
      if (part.end > part.start) parts.push({ paragraph: id, ...part, text: text.slice(part.start, part.end) });
    }
    return parts;
  }
}

/** A range that can be measured and read. */
export function liveRange({ startContainer, startOffset, endContainer, endOffset }) {
  const range = document.createRange();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  return range;
}

/** Offset in JavaScript's string -> offset in code points, and back. */
export const inCodePoints = (text, offset) => [...text.slice(0, offset)].length;
export const fromCodePoints = (text, offset) => [...text].slice(0, offset).join("").length;

function rawText(element) {
  return pieces(element).map(({ node }) => node.dataset?.raw ?? node.data).join("");
}

/** The text nodes and replaced elements of a paragraph with their offsets in its text. */
function pieces(element) {
  const found = [];
  let at = 0;
  const take = (node, length) => { found.push({ node, start: at, end: at + length }); at += length; };
  const walk = (parent) => {
    for (const node of parent.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) take(node, node.data.length);
      else if (node.dataset?.raw !== undefined) take(node, node.dataset.raw.length);
      else walk(node);
    }
  };
  walk(element);
  return found;
}

/** The place in the page of an offset; a replaced element is taken whole. */
function point(found, offset, isEnd) {
  const piece = found.find(({ start, end }) => (isEnd ? offset > start && offset <= end : offset >= start && offset < end));
  if (!piece) return null;
  const { node, start } = piece;
  if (node.nodeType === Node.TEXT_NODE) return [node, offset - start];
  return [node.parentNode, [...node.parentNode.childNodes].indexOf(node) + (isEnd ? 1 : 0)];
}

function edge({ node, start }, container, offset) {
  return node === container && node.nodeType === Node.TEXT_NODE ? start + offset : null;
}

function legible(element, raw) {
  const blank = (text) => " ".repeat(text.length);
  return element.classList.contains("formula") ? raw.replace(/\\[a-zA-Z]+|[\\{}$^_&]/g, blank) : blank(raw);
}

// Marks

const ABOVE = { words: 0, numbers: 1, suggested: 2, supports: 3, contradicts: 3, shown: 4, found: 5, "found-now": 6 };
/** Whether marks leave the page's nodes alone. Where they do not, ranges made before a mark are of no use after it. */
export const leavesNodesAlone = Boolean(globalThis.CSS?.highlights) && typeof Highlight === "function";
const highlights = leavesNodesAlone ? CSS.highlights : null;

/** Marks the ranges that `locate()` returns as `name` (nulls are left out), in place of those marked so before. */
export function paint(name, locate = () => []) {
  if (!highlights) return wrapAnew(name, locate);
  const ranges = locate().filter(Boolean);
  const known = highlights.get(name) ?? new Highlight();
  if (!known.size && !ranges.length) return;
  known.clear();
  for (const range of ranges) known.add(range);
  known.priority = ABOVE[name];
  highlights.set(name, known);
}

function wrapAnew(name, locate) {
  for (const span of document.querySelectorAll(`[data-mark="${name}"]`)) {
    const parent = span.parentNode;
    span.replaceWith(...span.childNodes);
    parent.normalize();
  }
  for (const { node, start, end } of apart(locate().filter(Boolean).flatMap(textIn))) wrap(name, node, start, end);
}

/** The same places without overlaps, the last of a node first: what is wrapped leaves the offsets before it as they are. */
function apart(places) {
  const found = [];
  for (const place of [...places].sort((a, b) => b.start - a.start)) {
    const next = found.findLast(({ node }) => node === place.node);
    if (next && place.end >= next.start) Object.assign(next, { start: place.start, end: Math.max(place.end, next.end) });
    else found.push({ ...place });
  }
  return found;
}

function textIn(range) {
  const { startContainer, startOffset, endContainer, endOffset } = range;
  const live = liveRange(range);
  const walker = document.createTreeWalker(live.commonAncestorContainer, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.currentNode; node; node = walker.nextNode()) {
    if (node.nodeType !== Node.TEXT_NODE || !live.intersectsNode(node) || node.parentElement.closest("math")) continue;
    const start = node === startContainer ? startOffset : 0;
    const end = node === endContainer ? endOffset : node.length;
    if (end > start) found.push({ node, start, end });
  }
  return found;
}

function wrap(name, node, start, end) {
  const middle = start ? node.splitText(start) : node;
  if (end - start < middle.length) middle.splitText(end - start);
  const span = document.createElement("span");
  span.dataset.mark = name;
  middle.replaceWith(span);
  span.append(middle);
}

// Passages attached to an answer

const STANCES = { supports: ["+", translate("Supports")], contradicts: ["−", translate("Contradicts")] };

/** `attached` with `passages` in it, under `stance`: one that was there already takes the new stance. */
export function withPassages(attached, passages, stance) {
  const fresh = passages.map(({ paragraph, start, end, text }) => ({ paragraph, start, end, stance, text }));
  return [...attached.filter((old) => !fresh.some((each) => isSame(each, old))), ...fresh];
}

export function isSame(a, b) {
  return a.paragraph === b.paragraph && a.start === b.start && a.end === b.end;
}

/** Everything that is in either; where both have a passage, as `first` has it. */
export function together(first, second) {
  return [...first, ...second.filter((other) => !first.some((each) => isSame(each, other)))];
}

export function sameEvidence(a, b) {
  return a.length === b.length && a.every((each, n) => isSame(each, b[n]) && each.stance === b[n].stance);
}

export function stanceWords(stance) {
  return STANCES[stance]?.[1] ?? stance;
}

/** The list by the questions. `tell` has `show(passage)` and `remove(passage)`. */
export class AttachedList {
  constructor(row, tell) {
    this.row = row;
    this.tell = tell;
    row.addEventListener("click", (event) => this.click(event));
  }

  /** Shows the passages, `[{…, heading, words}]`, and the numbers that the article does not have. */
  show(passages, missing) {
    this.passages = passages;
    this.row.querySelector("[data-missing]").hidden = !missing.length;
    this.row.querySelector("[data-missing-numbers]").textContent = missing.join(", ");
    this.row.querySelector("[data-attached]").replaceChildren(...passages.map(entry));
    this.row.toggleAttribute("data-empty", !passages.length && !missing.length);
  }

  click(event) {
    const button = event.target.closest("button");
    const entries = [...this.row.querySelectorAll("[data-attached] li")];
    const passage = button && this.passages[entries.indexOf(button.closest("li"))];
    if (!passage) return;
    if ("remove" in button.dataset) this.tell.remove(passage);
    else this.tell.show(passage);
  }
}

function entry({ stance, heading, words: text }) {
  const line = document.createElement("li");
  const [sign, does] = STANCES[stance] ?? ["·", translate("Attached")];
  const what = `${does}: ${heading ? `${heading}: ` : ""}${text}`;
  line.dataset.stance = stance;
  line.append(button("", `${sign} `, translate("Show in the article. %(what)s", { what })), button("remove", "×", translate("Remove. %(what)s", { what })));
  const quote = document.createElement("span");
  quote.textContent = text;
  quote.dir = "auto";
  line.firstChild.append(quote);
  return line;
}

function button(does, words, label) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.title = label;
  made.setAttribute("aria-label", label);
  if (does) made.dataset[does] = "";
  return made;
}
