// The drawer next to the response: guidelines, the selected item (comment, questions to the leads), bookmarks, the
// rater's own pace. It is no dialog: keys still rate while it is open. The same key again closes it, and so does
// Escape; if the tab has a field, the key moves the focus there instead, as the rater is about to type.

import { call } from "../shared/api.js";
import { translate } from "../shared/translate.js";
import { ItemTab } from "./comment_and_questions.js";
import { focusQuestions, listen } from "./sheet.js";

const drawer = document.querySelector("[data-drawer]");
const body = drawer.querySelector("[data-drawer-body]");

export class Drawer {
  /**
   * @param {SidePanel} sidePanel
   * @param {BookmarkList} bookmarkList
   * @param {Sheet} sheet
   */
  constructor(sidePanel, bookmarkList, sheet) {
    this.sheet = sheet;
    this.sidePanel = sidePanel;
    this.bookmarkList = bookmarkList;
    this.itemTab = new ItemTab(sidePanel, sheet);
    /**
     * The tab that is shown.
     * @type {string | null}
     */
    this.shownTab = null;
    // The styles are loaded before they are needed, as there may be no network then. They are applied once the drawer
    // opens, so that nothing moves before.
    this.styles = Object.assign(document.createElement("link"), {
      rel: "stylesheet",
      href: drawer.dataset.styles,
      media: "not all",
    });
    this.stylesLoaded = new Promise((resolve) => {
      Object.assign(this.styles, { onload: resolve, onerror: resolve });
    });
    document.head.append(this.styles);
    this.addListeners();
  }

  addListeners() {
    drawer.addEventListener("click", (/** @type {ElementMouseEvent} */ { target }) => {
      const tab = target.closest("[data-tab]");
      if (tab) this.show(tab.dataset.tab);
      if (target.closest("[data-drawer-close]")) this.close();
    });
    // Keys that scroll belong to the drawer; Escape closes it. All others are handled by the workspace.
    drawer.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") this.close();
      if (/^(Arrow|Page|Home|End|Escape| )/.test(event.key)) event.stopPropagation();
    });
    // The drawer covers other parts, so Escape closes it from everywhere; what is above the drawer closes first.
    window.addEventListener(
      "keydown",
      (/** @type {ElementKeyEvent} */ { key, target, isComposing }) => {
        const isCovered = document.querySelector("dialog[open], details[open], [data-find]:not([hidden])");
        if (key === "Escape" && !isComposing && !drawer.hidden && !drawer.contains(target) && !isCovered) this.close();
      },
      true,
    );
    listen("item-selected", () => this.shownTab === "sentence" && this.show("sentence"));
    listen("sheet-opened", () => this.shownTab && this.show(this.shownTab));
    listen("side-panel-changed", () => {
      if (this.shownTab === "bookmarks") this.show("bookmarks");
      if (this.shownTab === "sentence" && !body.contains(document.activeElement)) this.show("sentence");
    });
  }

  /**
   * Shows the tab that the button names; resolves when the focus is there. If it is shown already, its field gets the
   * focus, or the drawer closes.
   * @param {HTMLElement} button
   */
  async open(button) {
    const name = button.dataset.opensDrawer ?? "";
    const tab = name === "replies" ? "sentence" : name;
    if (name === "replies") this.selectItemWithReply();
    else if (!drawer.hidden && this.shownTab === tab) return this.field() ? this.field().focus() : this.close();
    await this.stylesLoaded;
    if (this.sheet.openingButton !== button) return; // it took too long and was canceled (workspace.js)
    this.styles.media = "all";
    if (drawer.hidden) this.sidePanel.refresh();
    drawer.hidden = false;
    this.show(tab, { hasFocus: true }); // not awaited: the tab may come from the server
  }

  /** Selects the first item with a new answer of the leads. */
  selectItemWithReply() {
    const item = this.sheet.items.find(({ id }) =>
      this.sidePanel.questions.some((question) => question.new && question.item === id),
    );
    if (item) this.sheet.selectItem(item);
  }

  /** @param {string} name */
  async show(name, { hasFocus = false } = {}) {
    this.shownTab = name;
    for (const tab of drawer.querySelectorAll("[data-tab]"))
      tab.setAttribute("aria-pressed", String(tab.dataset.tab === name));
    const filling = this.fill(name);
    if (hasFocus) (this.field() ?? body).focus({ preventScroll: true });
    await filling;
  }

  /** The field of a comment, if one can be written. */
  field() {
    return body.querySelector("[data-comment]:enabled");
  }

  close() {
    drawer.hidden = true;
    this.shownTab = null;
    focusQuestions();
  }

  /** @param {string} url */
  async showPage(url) {
    const tab = this.shownTab;
    body.replaceChildren();
    const { status, data, redirected } = await call("GET", url, { accept: "text/html" });
    if (this.shownTab !== tab) return;
    if (status === 200 && !redirected) body.innerHTML = data;
    else body.textContent = translate("Loading failed. Close the panel and open it again.");
  }

  /**
   * Fills the body with a tab.
   * @param {string} name
   */
  async fill(name) {
    if (name === "sentence") this.itemTab.show(body);
    else if (name === "bookmarks") this.bookmarkList.show(body);
    else if (name === "pace") await this.showPage(drawer.dataset.paceUrl);
    else {
      await this.showPage(drawer.dataset.guidelinesUrl);
      this.sidePanel.markGuidelinesRead();
    }
  }
}
