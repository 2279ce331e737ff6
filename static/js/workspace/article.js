// Navigation in the article next to the response: outline, current section, and the find bar: / opens it, n and N
// select the matches, Esc closes it. Case, accents, and kinds of quotes, dashes and spaces make no difference, and a
// match may extend across marks and formulas.

import { translate } from "../shared/translate.js";
import { keyNames, withLatinKey } from "./keyboard.js";
import { canHighlight, liveRange, paint, scrollToRange } from "./passages.js";

/**
 * Connects the article inside `part` and its find bar; called again when the article was replaced.
 * @param {HTMLElement} part
 * @param {FindBar} findBar
 */
export function wireArticle(part, findBar) {
  const text = part.querySelector("[data-article]");
  if (text && text === findBar.text) return;
  findBar.wire(part);
  if (text) wireOutline(part, text);
}

/**
 * @param {HTMLElement} part
 * @param {HTMLElement} text
 */
function wireOutline(part, text) {
  const label = part.querySelector("[data-now-reading]");
  const links = new Map([...part.querySelectorAll(".outline a")].map((link) => [link.hash.slice(1), link]));
  const headings = [...text.querySelectorAll("h2[id], h3[id], h4[id], h5[id]")];
  /** @type {HTMLElement | undefined} */
  let current;
  let isScheduled = false;

  function showSection() {
    isScheduled = false;
    if (!text.clientHeight) return; // not visible: a phone shows the response
    const line = text.getBoundingClientRect().top + 90;
    const heading = headings.findLast((each) => each.getBoundingClientRect().top <= line) ?? headings[0];
    if (heading === current) return;
    links.get(current?.id ?? "")?.removeAttribute("aria-current");
    links.get(heading?.id ?? "")?.setAttribute("aria-current", "true");
    label.textContent = heading && heading !== headings[0] ? heading.textContent : "";
    current = heading;
  }

  text.addEventListener(
    "scroll",
    () => {
      if (!isScheduled) requestAnimationFrame(showSection);
      isScheduled = true;
    },
    { passive: true },
  );
  part
    .querySelector(".outline")
    ?.addEventListener("click", (/** @type {ElementMouseEvent} */ event) => followLink(event, part, text));
  new ResizeObserver(showSection).observe(text);
}

/**
 * @param {ElementMouseEvent} event
 * @param {HTMLElement} part
 * @param {HTMLElement} text
 */
function followLink(event, part, text) {
  const link = event.target.closest("a");
  const heading = link && document.getElementById(link.hash.slice(1));
  if (!heading) return;
  event.preventDefault();
  text.scrollTop += heading.getBoundingClientRect().top - text.getBoundingClientRect().top - 16;
  part.querySelector("details[open]").open = false;
  text.focus({ preventScroll: true });
}

// The find bar

/**
 * @typedef {{ text: string, nodes: { node: Text, start: number }[] }} Block
 *   A block's text as it is compared, with its nodes.
 */

const BLOCKS = "h2, h3, h4, h5, [data-paragraph]";
/** @type {Map<string, string>} Characters that are compared as the same. */
const EQUIVALENTS = new Map(
  [..."‘’‚‛′"]
    .map((c) => /** @type {[string, string]} */ ([c, "'"]))
    .concat(
      [..."“”„‟″"].map((c) => [c, '"']),
      [..."‐‑‒–—−"].map((c) => [c, "-"]),
    ),
);

export class FindBar {
  /**
   * @param {object} callbacks
   * @param {(message: string) => void} callbacks.announce
   * @param {(range: StaticRange) => void} callbacks.selectMatch called for a match that the rater went to
   * @param {() => void} callbacks.closed
   */
  constructor({ announce, selectMatch, closed }) {
    this.announce = announce;
    this.selectMatch = selectMatch;
    this.closed = closed;
    /** @type {StaticRange[]} */
    this.matches = [];
    this.index = -1;
    this.query = "";
    /** @type {Block[] | null} */
    this.blocks = null;
    const none = /** @type {PageElement} */ (/** @type {unknown} */ (null));
    this.bar = none; // null without an article, like the text
    this.text = none;
    this.field = document.createElement("input");
  }

  /**
   * Searches in the article inside `part`; called again when the article was replaced.
   * @param {HTMLElement} part
   */
  wire(part) {
    this.bar = part.querySelector("[data-find]");
    this.text = part.querySelector("[data-article]");
    this.blocks = null;
    this.close();
    if (!this.bar) return;
    this.field = this.bar.querySelector("input");
    this.field.value = "";
    this.field.addEventListener("input", () => this.search());
    this.bar.addEventListener("keydown", (/** @type {ElementKeyEvent} */ event) => this.pressKey(event));
    this.bar.addEventListener("click", (/** @type {ElementMouseEvent} */ event) => this.click(event));
  }

  get isOpen() {
    return Boolean(this.bar && !this.bar.hidden);
  }

  /** Returns whether there is an article to search. */
  open() {
    if (!this.bar) return false;
    this.bar.hidden = false;
    this.field.focus();
    this.field.select();
    if (this.field.value) this.search();
    return true;
  }

  close() {
    if (!this.isOpen) return;
    const hadFocus = this.bar.contains(document.activeElement);
    this.bar.hidden = true;
    this.matches = [];
    this.paint();
    if (hadFocus) this.closed();
  }

  /** @param {ElementKeyEvent} event */
  pressKey(event) {
    if (event.key !== "Enter" || event.target !== this.field) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) this.step(-1);
    else this.goToMatch();
  }

  /** The first Enter leaves the field at the shown match, so that n, N and Enter select further matches. */
  goToMatch() {
    if (!this.matches.length) return;
    this.text.focus({ preventScroll: true });
    this.showMatch();
  }

  /** @param {ElementMouseEvent} event */
  click(event) {
    const step = event.target.closest("[data-find-step]")?.dataset.findStep;
    if (step) this.step(Number(step));
    if (event.target.closest("[data-find-close]")) this.close();
  }

  /**
   * While the bar is open, n, N and Enter select matches. Returns whether the key did.
   * @param {KeyboardEvent} event
   */
  walkMatches(event) {
    if (!this.isOpen) return false;
    /** @type {Record<string, number>} */
    const steps = { "n": 1, "Shift+n": -1, "Enter": event.shiftKey ? -1 : 1 };
    const step = withLatinKey(event, keyNames(event))
      .map((name) => steps[name])
      .find(Boolean);
    if (step) this.step(step);
    return Boolean(step);
  }

  search() {
    this.query = fold(this.field.value).trim();
    this.matches = this.findMatches();
    const { top } = this.text.getBoundingClientRect();
    const next = this.matches.findIndex((range) => liveRange(range).getBoundingClientRect().bottom >= top);
    this.index = this.matches.length ? Math.max(0, next) : -1;
    this.paint();
    this.showCount();
    if (this.index >= 0) scrollToRange(this.text, liveRange(this.matches[this.index]));
  }

  /** @param {number} step */
  step(step) {
    if (!this.matches.length) return;
    this.index = (this.index + step + this.matches.length) % this.matches.length;
    this.showMatch();
  }

  showMatch() {
    this.paint();
    this.showCount();
    scrollToRange(this.text, liveRange(this.matches[this.index]));
    this.selectMatch(this.matches[this.index]);
  }

  showCount() {
    const isMissing = !this.matches.length && this.field.value.trim() !== "";
    const count = isMissing
      ? translate("Not found")
      : this.matches.length
        ? translate("%(n)s of %(all)s", { n: this.index + 1, all: this.matches.length })
        : "";
    this.bar.querySelector("[data-find-count]").textContent = count;
    this.bar.toggleAttribute("data-nothing", isMissing);
    for (const button of this.bar.querySelectorAll("[data-find-step]")) button.disabled = !this.matches.length;
    if (count)
      this.announce(isMissing ? translate("Not found in the article") : translate("Match %(place)s", { place: count }));
  }

  paint() {
    paint("found", () => this.currentMatches().filter((_, n) => n !== this.index));
    paint("found-now", () => this.currentMatches().slice(Math.max(0, this.index), this.index + 1));
    this.currentMatches();
  }

  /** The matches in the page's nodes as they are now. */
  currentMatches() {
    if (!canHighlight && this.matches.length) this.matches = this.findMatches();
    return this.matches;
  }

  findMatches() {
    if (!this.query) return [];
    if (!this.blocks || !canHighlight) this.blocks = [...this.text.querySelectorAll(BLOCKS)].map(readBlock);
    return this.blocks.flatMap((block) => matchesIn(block, this.query));
  }
}

/**
 * @param {HTMLElement} element
 * @returns {Block}
 */
function readBlock(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  /** @type {Block} */
  const block = { text: "", nodes: [] };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const textNode = /** @type {Text} */ (node);
    block.nodes.push({ node: textNode, start: block.text.length });
    block.text += fold(textNode.data);
  }
  return block;
}

/**
 * The text as it is compared, with the same length: a letter that would become two stays.
 * @param {string} text
 */
function fold(text) {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  return Array.from({ length: text.length }, (_, n) => foldLetter(text[n])).join("");
}

/** @param {string} letter */
function foldLetter(letter) {
  if (/\s/.test(letter)) return " ";
  const plain = EQUIVALENTS.get(letter) ?? letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.length === 1 ? plain : letter;
}

/**
 * @param {Block} block
 * @param {string} query
 */
function matchesIn({ text, nodes }, query) {
  const matches = [];
  for (let offset = text.indexOf(query); offset >= 0; offset = text.indexOf(query, offset + query.length)) {
    const [start, end] = [positionAt(nodes, offset), positionAt(nodes, offset + query.length - 1)];
    matches.push(
      new StaticRange({
        startContainer: start.node,
        startOffset: start.offset,
        endContainer: end.node,
        endOffset: end.offset + 1,
      }),
    );
  }
  return matches;
}

/**
 * @param {Block["nodes"]} nodes
 * @param {number} offset
 */
function positionAt(nodes, offset) {
  const { node, start } = nodes.findLast((each) => each.start <= offset) ?? nodes[0];
  return { node, offset: offset - start };
}
