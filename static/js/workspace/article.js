// The article beside the response: outline, the section that one is in, its own scrolling, and finding in it: / opens, n and N
// walk, Esc closes. Case, accents, kinds of quotes, dashes and spaces make no difference, and a match may run through
// marks and formulas.

import { leavesNodesAlone, liveRange, paint } from "./passages.js";
import { translate } from "../shared/translate.js";

/** Wires the article inside `part`; call it again when another article was put there. */
export function wireArticle(part) {
  const text = part.querySelector("[data-article]");
  if (!text) return;
  const label = part.querySelector("[data-now-reading]");
  const links = new Map([...part.querySelectorAll(".outline a")].map((link) => [link.hash.slice(1), link]));
  const headings = [...text.querySelectorAll("h2[id], h3[id], h4[id], h5[id]")];
  let current = null;
  let asked = false;

  function look() {
    asked = false;
    if (!text.clientHeight) return; // not on the screen: a phone shows the response
    const line = text.getBoundingClientRect().top + 90;
    const here = headings.findLast((heading) => heading.getBoundingClientRect().top <= line) ?? headings[0];
    if (here === current) return;
    links.get(current?.id)?.removeAttribute("aria-current");
    links.get(here?.id)?.setAttribute("aria-current", "true");
    label.textContent = here && here !== headings[0] ? here.textContent : "";
    current = here;
  }

  text.addEventListener("scroll", () => { if (!asked) requestAnimationFrame(look); asked = true; }, { passive: true });
  part.querySelector(".outline")?.addEventListener("click", (event) => follow(event, part, text));
  new ResizeObserver(look).observe(text);
}

function follow(event, part, text) {
  const link = event.target.closest("a");
  const heading = link && document.getElementById(link.hash.slice(1));
  if (!heading) return;
  event.preventDefault();
  text.scrollTop += heading.getBoundingClientRect().top - text.getBoundingClientRect().top - 16;
  part.querySelector("details[open]").open = false;
  text.focus({ preventScroll: true });
}

/** Scrolls `text`, and nothing else, so that `range` can be seen with what stands around it. */
export function reveal(text, range) {
  const box = range.getBoundingClientRect();
  const view = text.getBoundingClientRect();
  if (!view.height || (box.top >= view.top + 24 && box.bottom <= view.bottom - 24)) return;
  text.scrollTop += box.top - view.top - Math.max(24, (view.height - box.height) / 3);
}

/** Page Up and Page Down read on in the article while the focus is with the questions. */
export function scrollArticle(direction) {
  const text = document.querySelector("[data-article], [data-sources]");
  text?.scrollBy({ top: direction * text.clientHeight * 0.85 });
  return Boolean(text);
}

// Finding

const BLOCKS = "h2, h3, h4, h5, [data-paragraph]";
const ALIKE = new Map([..."‘’‚‛′"].map((c) => [c, "'"]).concat([..."“”„‟″"].map((c) => [c, '"']), [..."‐‑‒–—−"].map((c) => [c, "-"])));

export class Find {
  /** `tell` has `say(words)`, `landed(range)` for a match that was walked to, and `closed()`. */
  constructor(tell) {
    this.tell = tell;
    this.matches = [];
    this.at = -1;
  }

  /** Finds in the article inside `part`; call it again when another article was put there. */
  wire(part) {
    this.bar = part.querySelector("[data-find]");
    this.text = part.querySelector("[data-article]");
    this.blocks = null;
    this.close();
    if (!this.bar) return;
    this.field = this.bar.querySelector("input");
    this.field.value = "";
    this.field.addEventListener("input", () => this.look());
    this.bar.addEventListener("keydown", (event) => this.press(event));
    this.bar.addEventListener("click", (event) => this.click(event));
    part.querySelector("[data-find-open]").addEventListener("click", () => this.open());
  }

  get isOpen() {
    return Boolean(this.bar && !this.bar.hidden);
  }

  /** Whether there is an article to find in. */
  open() {
    if (!this.bar) return false;
    this.bar.hidden = false;
    this.field.focus();
    this.field.select();
    if (this.field.value) this.look();
    return true;
  }

  close() {
    if (!this.isOpen) return;
    const hadFocus = this.bar.contains(document.activeElement);
    this.bar.hidden = true;
    this.matches = [];
    this.paint();
    if (hadFocus) this.tell.closed();
  }

  press(event) {
    if (event.key !== "Enter" || event.target !== this.field) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) this.step(-1);
    else this.settle();
  }

  /** The first Enter goes to the match that is shown and leaves the field, so that n and N, and Enter again, walk on. */
  settle() {
    if (!this.matches.length) return;
    this.text.focus({ preventScroll: true });
    this.show();
  }

  click(event) {
    const step = event.target.closest("[data-find-step]")?.dataset.findStep;
    if (step) this.step(Number(step));
    if (event.target.closest("[data-find-close]")) this.close();
  }

  look() {
    this.words = fold(this.field.value).trim();
    this.matches = this.all(this.words);
    const top = this.text.getBoundingClientRect().top;
    const onward = this.matches.findIndex((range) => liveRange(range).getBoundingClientRect().bottom >= top);
    this.at = this.matches.length ? Math.max(0, onward) : -1;
    this.paint();
    this.count();
    if (this.at >= 0) reveal(this.text, liveRange(this.matches[this.at]));
  }

  step(by) {
    if (!this.matches.length) return;
    this.at = (this.at + by + this.matches.length) % this.matches.length;
    this.show();
  }

  show() {
    this.paint();
    this.count();
    reveal(this.text, liveRange(this.matches[this.at]));
    this.tell.landed(this.matches[this.at]);
  }

  count() {
    const isMissing = !this.matches.length && this.field.value.trim() !== "";
    const words = isMissing ? translate("Not found") : this.matches.length ? translate("%(n)s of %(all)s", { n: this.at + 1, all: this.matches.length }) : "";
    this.bar.querySelector("[data-find-count]").textContent = words;
    this.bar.toggleAttribute("data-nothing", isMissing);
    for (const button of this.bar.querySelectorAll("[data-find-step]")) button.disabled = !this.matches.length;
    if (words) this.tell.say(isMissing ? translate("Not found in the article") : translate("Match %(place)s", { place: words }));
  }

  paint() {
    paint("found", () => this.fresh().filter((_, n) => n !== this.at));
    paint("found-now", () => this.fresh().slice(Math.max(0, this.at), this.at + 1));
    this.fresh();
  }

  /** The matches as they stand in the page now. */
  fresh() {
    if (!leavesNodesAlone && this.matches.length) this.matches = this.all(this.words);
    return this.matches;
  }

  all(words) {
    if (!words) return [];
    if (!this.blocks || !leavesNodesAlone) this.blocks = [...this.text.querySelectorAll(BLOCKS)].map(readBlock);
    return this.blocks.flatMap((block) => matchesIn(block, words));
  }
}

/** The text of a block as it is compared, with the place of every letter of it. */
function readBlock(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const block = { text: "", nodes: [] };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    block.nodes.push({ node, start: block.text.length });
    block.text += fold(node.data);
  }
  return block;
}

/** As many letters as before: one that would become two stays as it is. */
function fold(text) {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  return Array.from({ length: text.length }, (_, n) => foldLetter(text[n])).join("");
}

function foldLetter(letter) {
  if (/\s/.test(letter)) return " ";
  const plain = (ALIKE.get(letter) ?? letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase());
  return plain.length === 1 ? plain : letter;
}

function matchesIn({ text, nodes }, words) {
  const found = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    const [from, to] = [place(nodes, at), place(nodes, at + words.length - 1)];
    found.push(new StaticRange({ startContainer: from[0], startOffset: from[1], endContainer: to[0], endOffset: to[1] + 1 }));
  }
  return found;
}

function place(nodes, at) {
  const { node, start } = nodes.findLast((each) => each.start <= at);
  return [node, at - start];
}
