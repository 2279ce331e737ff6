// Find in the article: / opens it, n and N walk, Esc closes. Case, accents, kinds of quotes, dashes and spaces make no
// difference, and a match may run through marks and formulas.

import { reveal } from "./article.js";
import { leavesNodesAlone, paint } from "./marks.js";

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

  /** The first Enter goes to the match that is shown and leaves the field, so that n and N walk on. */
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
    const onward = this.matches.findIndex((range) => live(range).getBoundingClientRect().bottom >= top);
    this.at = this.matches.length ? Math.max(0, onward) : -1;
    this.paint();
    this.count();
    if (this.at >= 0) reveal(this.text, live(this.matches[this.at]));
  }

  step(by) {
    if (!this.matches.length) return;
    this.at = (this.at + by + this.matches.length) % this.matches.length;
    this.show();
  }

  show() {
    this.paint();
    this.count();
    reveal(this.text, live(this.matches[this.at]));
    this.tell.landed(this.matches[this.at]);
  }

  count() {
    const words = this.matches.length ? `${this.at + 1} of ${this.matches.length}` : this.field.value.trim() ? "Not found" : "";
    this.bar.querySelector("[data-find-count]").textContent = words;
    this.bar.toggleAttribute("data-nothing", words === "Not found");
    for (const button of this.bar.querySelectorAll("[data-find-step]")) button.disabled = !this.matches.length;
    if (words) this.tell.say(words === "Not found" ? "Not found in the article" : `Match ${words}`);
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

function live(range) {
  const found = document.createRange();
  found.setStart(range.startContainer, range.startOffset);
  found.setEnd(range.endContainer, range.endOffset);
  return found;
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
