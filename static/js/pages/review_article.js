// The article on the page of an item under review. It has what raters have in the workspace: find, suggested passages,
// the check of numbers, and passages to attach, here to the decision. The passages of the raters are marked.

import { FindBar, wireArticle } from "../workspace/article.js";
import { Evidence } from "../workspace/evidence.js";
import {
  fromCodePoints,
  isSamePlace,
  liveRange,
  paint,
  Paragraphs,
  scrollToRange,
  withPassages,
} from "../workspace/passages.js";
import { announce, focusQuestions, isPassage } from "../workspace/sheet.js";

const FLASH = 2600; // milliseconds for which a passage's paragraph is highlighted

export class ReviewArticle {
  /**
   * @param {HTMLElement} part the section with the article
   * @param {HTMLElement} page
   * @param {HTMLFormElement | null} form of the decision; null in an archived project
   */
  constructor(part, page, form) {
    this.text = part.querySelector("[data-article]");
    this.paragraphs = new Paragraphs(this.text);
    /** @type {Evidence | null} */
    this.evidence = null;
    this.findBar = new FindBar({
      announce,
      selectMatch: (range) => this.evidence?.selectSentenceAt(range),
      closed: () => form && focusQuestions(),
    });
    wireArticle(part, this.findBar);
    part.querySelector("[data-find-open]")?.addEventListener("click", () => this.findBar.open());
    if (form) this.wireEvidence(part, page, form);
    const links = [...page.querySelectorAll("[data-paragraph-link][data-start]")];
    paint("raters", () => links.map((link) => this.rangeOf(link)));
    page.addEventListener("click", (/** @type {ElementMouseEvent} */ event) => {
      const link = event.target.closest("[data-paragraph-link]");
      if (link && this.showPassage(link)) event.preventDefault();
    });
  }

  /**
   * @param {HTMLElement} part
   * @param {HTMLElement} page
   * @param {HTMLFormElement} form
   */
  wireEvidence(part, page, form) {
    /** @type {HTMLInputElement} */
    const field = form.querySelector("[data-evidence-json]");
    const item = reviewedItem(page, JSON.parse(field.value));
    /** @param {Passage[]} passages */
    const store = (passages) => {
      item.evidence = passages;
      field.value = JSON.stringify(passages);
      this.evidence?.update();
    };
    this.evidence = new Evidence(form, {
      attach: (passages, stance) => store(withPassages(item.evidence, passages, stance)),
      remove: (passage) => store(item.evidence.filter((each) => !isSamePlace(each, passage))),
      announce,
    });
    this.evidence.open(part, /** @type {Work} */ ({ suggestions: form.dataset.suggestions === "on" }));
    this.evidence.show(item);
  }

  /**
   * The passage of a link in the page; null if the article does not have it.
   * @param {HTMLElement} link
   */
  rangeOf({ dataset }) {
    const paragraph = dataset.paragraphLink ?? "";
    const text = this.paragraphs.text(paragraph);
    /** @param {string | undefined} offset */
    const toPage = (offset) => fromCodePoints(text, Number(offset));
    return this.paragraphs.range({ paragraph, start: toPage(dataset.start), end: toPage(dataset.end) });
  }

  /**
   * Scrolls to the passage of a link, or to its paragraph. Returns whether the article has it.
   * @param {HTMLElement} link
   */
  showPassage(link) {
    const element = this.paragraphs.byId.get(link.dataset.paragraphLink ?? "")?.element;
    if (!element) return false;
    const range = this.rangeOf(link);
    const isScrolling = this.text.scrollHeight > this.text.clientHeight;
    if (isScrolling && range) scrollToRange(this.text, liveRange(range));
    else element.scrollIntoView({ block: "center" }); // a phone: the page scrolls
    element.classList.add("highlighted");
    setTimeout(() => element.classList.remove("highlighted"), FLASH);
    return true;
  }
}

/**
 * The item under review in the form that the workspace's modules expect.
 * @param {HTMLElement} page
 * @param {Partial<Passage>[]} evidence of the decision
 */
function reviewedItem(page, evidence) {
  return /** @type {Item} */ ({
    id: "reviewed",
    prompt: page.querySelector(".prompt")?.textContent.trim() ?? "",
    spans: /** @type {HTMLElement[]} */ ([...page.querySelectorAll("[data-context] .s[data-item]")]),
    evidence: evidence.filter(isPassage),
    suggestions: "",
  });
}
