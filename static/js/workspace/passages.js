// Places in the article. Paragraphs in the page and as they are stored: a place in one is mapped to the other. What the
// page shows in another form than it is stored (marks of the data set, formulas) has its raw text in data-raw. Also the
// passages attached to an answer with their list next to the questions, and highlights, which do not move anything:
// with the CSS Custom Highlight API the page's nodes do not change at all; without it, spans are put around the text.

import { translate } from "../shared/translate.js";
import { trimmed } from "./passage_ranking.js";

/** @typedef {{ id: string, element: HTMLElement, text: string, heading: string }} Paragraph */
/**
 * @typedef {{ node: Text | HTMLElement, start: number, end: number }} Piece
 *   A text node or replaced element with its offsets in the text.
 */

export class Paragraphs {
  /** @param {HTMLElement} article the element that holds them */
  constructor(article) {
    /** @type {Map<string, Paragraph>} */
    this.byId = new Map();
    /** @type {string[]} */
    const headings = [];
    for (const element of article.querySelectorAll("h3, h4, h5, [data-paragraph]")) {
      const id = element.dataset.paragraph;
      if (id === undefined) headings.splice(Number(element.localName[1]) - 3, 3, element.textContent.trim());
      else this.byId.set(id, { id, element, text: rawText(element), heading: headings.filter(Boolean).join(" › ") });
    }
  }

  /** @param {string} id */
  text(id) {
    return this.byId.get(id)?.text ?? "";
  }

  /** @param {string} id */
  heading(id) {
    return this.byId.get(id)?.heading ?? "";
  }

  /**
   * The words and numbers of a paragraph at the offsets of its text: without marks, and without the commands of
   * formulas.
   * @param {string} id
   */
  searchableText(id) {
    const paragraph = this.byId.get(id);
    if (!paragraph) return "";
    let { text } = paragraph;
    for (const { node, start, end } of piecesOf(paragraph.element)) {
      if (!(node instanceof Text))
        text = text.slice(0, start) + withoutMarkup(node, text.slice(start, end)) + text.slice(end);
    }
    return text;
  }

  /**
   * The range in the page; null if the paragraph is not there.
   * @param {PassageRange} passage
   */
  range({ paragraph, start, end }) {
    const element = this.byId.get(paragraph)?.element;
    if (!element) return null;
    const pieces = piecesOf(element);
    const [from, to] = [pagePosition(pieces, start, false), pagePosition(pieces, end, true)];
    return from && to
      ? new StaticRange({
          startContainer: from.node,
          startOffset: from.offset,
          endContainer: to.node,
          endOffset: to.offset,
        })
      : null;
  }

  /**
   * What a selection covers, one passage for each paragraph.
   * @param {Range} range
   */
  coveredBy(range) {
    const passages = [];
    for (const { id, element, text } of this.byId.values()) {
      if (!range.intersectsNode(element)) continue;
      const [first, ...rest] = piecesOf(element).filter(({ node }) => range.intersectsNode(node));
      if (!first) continue;
      const last = rest.at(-1) ?? first;
      const start = offsetIn(first, range.startContainer, range.startOffset) ?? first.start;
      const end = offsetIn(last, range.endContainer, range.endOffset) ?? last.end;
      const covered = trimmed(text, start, end);
      if (covered.end > covered.start)
        passages.push({ paragraph: id, ...covered, text: text.slice(covered.start, covered.end) });
    }
    return passages;
  }
}

/**
 * A range that can be measured and read.
 * @param {StaticRange} range
 */
export function liveRange({ startContainer, startOffset, endContainer, endOffset }) {
  const range = document.createRange();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  return range;
}

/**
 * Scrolls `text`, and nothing else, so that `range` is visible with its context.
 * @param {HTMLElement} text
 * @param {Range} range
 */
export function scrollToRange(text, range) {
  const box = range.getBoundingClientRect();
  const view = text.getBoundingClientRect();
  if (!view.height || (box.top >= view.top + 24 && box.bottom <= view.bottom - 24)) return;
  text.scrollTop += box.top - view.top - Math.max(24, (view.height - box.height) / 3);
}

/**
 * Page Up and Page Down scroll the article while the focus is with the questions. Returns whether there is one.
 * @param {number} direction
 */
export function scrollArticle(direction) {
  const text = document.querySelector("[data-article], [data-sources]");
  text?.scrollBy({ top: direction * text.clientHeight * 0.85 });
  return Boolean(text);
}

/**
 * An offset in JavaScript strings as an offset in code points.
 * @param {string} text
 * @param {number} offset
 */
export const toCodePoints = (text, offset) => [...text.slice(0, offset)].length;
/**
 * An offset in code points as an offset in JavaScript strings.
 * @param {string} text
 * @param {number} offset
 */
export const fromCodePoints = (text, offset) => [...text].slice(0, offset).join("").length;

/** @param {HTMLElement} element */
function rawText(element) {
  return piecesOf(element)
    .map(({ node }) => (node instanceof Text ? node.data : node.dataset.raw))
    .join("");
}

/** @param {HTMLElement} element */
function piecesOf(element) {
  /** @type {Piece[]} */
  const pieces = [];
  let start = 0;
  /** @param {Node} parent */
  const walk = (parent) => {
    for (const node of /** @type {NodeListOf<Text | HTMLElement>} */ (parent.childNodes)) {
      const raw = node instanceof Text ? node.data : node.dataset?.raw;
      if (raw === undefined) walk(node);
      else pieces.push({ node, start, end: (start += raw.length) });
    }
  };
  walk(element);
  return pieces;
}

/**
 * The position in the page of an offset; a replaced element is taken as a whole.
 * @param {Piece[]} pieces
 * @param {number} offset
 * @param {boolean} isEnd
 */
function pagePosition(pieces, offset, isEnd) {
  const piece = pieces.find(({ start, end }) =>
    isEnd ? offset > start && offset <= end : offset >= start && offset < end,
  );
  if (!piece) return null;
  const { node, start } = piece;
  if (node instanceof Text) return { node, offset: offset - start };
  const parent = /** @type {ParentNode} */ (node.parentNode);
  return { node: parent, offset: [...parent.childNodes].indexOf(node) + (isEnd ? 1 : 0) };
}

/**
 * @param {Piece} piece
 * @param {Node} container
 * @param {number} offset
 */
function offsetIn({ node, start }, container, offset) {
  return node === container && node.nodeType === Node.TEXT_NODE ? start + offset : null;
}

/**
 * @param {HTMLElement} element
 * @param {string} raw
 */
function withoutMarkup(element, raw) {
  /** @param {string} text */
  const blank = (text) => " ".repeat(text.length);
  return element.classList.contains("formula") ? raw.replace(/\\[a-zA-Z]+|[\\{}$^_&]/g, blank) : blank(raw);
}

// Highlights

/** Which highlight is on top. */
const PRIORITIES = {
  "raters": 0,
  "words": 0,
  "numbers": 1,
  "suggested": 2,
  "supports": 3,
  "contradicts": 3,
  "shown": 4,
  "found": 5,
  "found-now": 6,
};
const highlights = typeof Highlight === "function" ? (globalThis.CSS?.highlights ?? null) : null;
/** Whether highlights leave the page's nodes alone. Without, a highlight makes earlier ranges invalid. */
export const canHighlight = highlights !== null;

/**
 * Highlights the ranges that `locate()` returns, instead of those highlighted before under this name. Nulls are
 * skipped.
 * @param {keyof typeof PRIORITIES} name
 * @param {() => (StaticRange | null)[]} locate
 */
export function paint(name, locate) {
  const findRanges = () => locate().filter((range) => range !== null);
  if (!highlights) return wrapRanges(name, findRanges);
  const ranges = findRanges();
  const highlight = highlights.get(name) ?? new Highlight();
  if (!highlight.size && !ranges.length) return;
  highlight.clear();
  for (const range of ranges) highlight.add(range);
  highlight.priority = PRIORITIES[name];
  highlights.set(name, highlight);
}

/**
 * @param {string} name
 * @param {() => StaticRange[]} findRanges
 */
function wrapRanges(name, findRanges) {
  for (const span of document.querySelectorAll(`[data-highlight="${name}"]`)) {
    const parent = span.parentNode;
    span.replaceWith(...span.childNodes);
    parent?.normalize();
  }
  for (const piece of withoutOverlaps(findRanges().flatMap(textNodesIn))) wrap(name, piece);
}

/** @typedef {{ node: Text, start: number, end: number }} TextPiece */

/**
 * The same pieces without overlaps, the last of a node first: wrapping leaves the offsets before it as they are.
 * @param {TextPiece[]} pieces
 */
function withoutOverlaps(pieces) {
  /** @type {TextPiece[]} */
  const merged = [];
  for (const piece of [...pieces].sort((a, b) => b.start - a.start)) {
    const next = merged.findLast(({ node }) => node === piece.node);
    if (next && piece.end >= next.start)
      Object.assign(next, { start: piece.start, end: Math.max(piece.end, next.end) });
    else merged.push({ ...piece });
  }
  return merged;
}

/** @param {StaticRange} range */
function textNodesIn(range) {
  const { startContainer, startOffset, endContainer, endOffset } = range;
  const live = liveRange(range);
  const walker = document.createTreeWalker(live.commonAncestorContainer, NodeFilter.SHOW_TEXT);
  /** @type {TextPiece[]} */
  const pieces = [];
  for (let node = /** @type {Node | null} */ (walker.currentNode); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || !live.intersectsNode(node) || node.parentElement?.closest("math")) continue;
    const start = node === startContainer ? startOffset : 0;
    const end = node === endContainer ? endOffset : node.length;
    if (end > start) pieces.push({ node, start, end });
  }
  return pieces;
}

/**
 * @param {string} name
 * @param {TextPiece} piece
 */
function wrap(name, { node, start, end }) {
  const middle = start ? node.splitText(start) : node;
  if (end - start < middle.length) middle.splitText(end - start);
  const span = document.createElement("span");
  span.dataset.highlight = name;
  middle.replaceWith(span);
  span.append(middle);
}

// Passages attached to an answer

/** @type {Record<string, string[]>} */
const STANCES = { supports: ["+", translate("Supports")], contradicts: ["−", translate("Contradicts")] };

/**
 * `attached` with `passages` added under `stance`; a passage that is there already takes the new stance.
 * @param {Passage[]} attached
 * @param {Passage[]} passages
 * @param {string} stance
 */
export function withPassages(attached, passages, stance) {
  const added = passages.map(({ paragraph, start, end, text }) => ({ paragraph, start, end, stance, text }));
  return [...attached.filter((old) => !added.some((passage) => isSamePlace(passage, old))), ...added];
}

/**
 * @param {PassageRange} a
 * @param {PassageRange} b
 */
export function isSamePlace(a, b) {
  return a.paragraph === b.paragraph && a.start === b.start && a.end === b.end;
}

/**
 * The passages of both lists; one that is in both has the stance of `first`.
 * @param {Passage[]} first
 * @param {Passage[]} second
 */
export function mergeEvidence(first, second) {
  return [...first, ...second.filter((passage) => !first.some((other) => isSamePlace(other, passage)))];
}

/**
 * @param {Passage[]} a
 * @param {Passage[]} b
 */
export function sameEvidence(a, b) {
  return a.length === b.length && a.every((passage, n) => isSamePlace(passage, b[n]) && passage.stance === b[n].stance);
}

/** @param {string} stance */
export function stanceLabel(stance) {
  return STANCES[stance]?.[1] ?? stance;
}

/** @typedef {Passage & { heading: string, shownText: string }} ListedPassage */

/** The list of attached passages next to the questions. */
export class AttachedList {
  /**
   * @param {HTMLElement} row
   * @param {object} callbacks
   * @param {(passage: Passage) => void} callbacks.show
   * @param {(passage: Passage) => void} callbacks.remove
   */
  constructor(row, { show, remove }) {
    this.row = row;
    this.showPassage = show;
    this.removePassage = remove;
    /** @type {ListedPassage[]} */
    this.passages = [];
    row.addEventListener("click", (/** @type {ElementMouseEvent} */ event) => this.click(event));
  }

  /**
   * Shows the passages, and the numbers that the article does not have.
   * @param {ListedPassage[]} passages
   * @param {string[]} missingNumbers
   */
  show(passages, missingNumbers) {
    this.passages = passages;
    this.row.querySelector("[data-missing]").hidden = !missingNumbers.length;
    this.row.querySelector("[data-missing-numbers]").textContent = missingNumbers.join(", ");
    this.row.querySelector("[data-attached]").replaceChildren(...passages.map(passageEntry));
    this.row.toggleAttribute("data-empty", !passages.length && !missingNumbers.length);
  }

  /** @param {ElementMouseEvent} event */
  click(event) {
    const clicked = event.target.closest("button");
    const entries = [...this.row.querySelectorAll("[data-attached] li")];
    const passage = clicked && this.passages[entries.indexOf(/** @type {PageElement} */ (clicked.closest("li")))];
    if (!passage) return;
    if ("remove" in clicked.dataset) this.removePassage(passage);
    else this.showPassage(passage);
  }
}

/** @param {ListedPassage} passage */
function passageEntry({ stance = "", heading, shownText }) {
  const entry = document.createElement("li");
  const [sign, label] = STANCES[stance] ?? ["·", translate("Attached")];
  const description = `${label}: ${heading ? `${heading}: ` : ""}${shownText}`;
  entry.dataset.stance = stance;
  const show = labeledButton(`${sign} `, translate("Show in the article. %(what)s", { what: description }));
  const remove = labeledButton("×", translate("Remove. %(what)s", { what: description }));
  remove.dataset.remove = "";
  show.append(Object.assign(document.createElement("span"), { textContent: shownText, dir: "auto" }));
  entry.append(show, remove);
  return entry;
}

/**
 * @param {string} text
 * @param {string} label
 */
function labeledButton(text, label) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: text, title: label });
  button.setAttribute("aria-label", label);
  return button;
}
