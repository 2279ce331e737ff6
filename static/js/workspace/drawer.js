// The drawer next to the response: guidelines, the selected item (comment, questions to the leads), bookmarks, the
// rater's own pace. It is no dialog: keys still rate while it is open. The same key again closes it, and so does
// Escape; if the tab has a field, the key moves the focus there instead, as the rater is about to type.

import { call } from "../shared/api.js";
import { translate } from "../shared/translate.js";
import { listBookmarks } from "./bookmarks.js";
import { refillFields, showItemTab } from "./comment_and_questions.js";
import { focusQuestions, listen, selectItem, sheet } from "./sheet.js";
import { markGuidelinesRead, refresh, sidePanel } from "./side_panel.js";

export { refillFields };

const drawer = document.querySelector("[data-drawer]");
const body = drawer.querySelector("[data-drawer-body]");
/** @type {Record<string, () => unknown>} */
const TABS = {
  guidelines: async () => {
    await showPage(drawer.dataset.guidelinesUrl);
    markGuidelinesRead();
  },
  pace: () => showPage(drawer.dataset.paceUrl),
  sentence: () => showItemTab(body),
  bookmarks: () => listBookmarks(body),
};
/** @type {string | null} The tab that is shown. */
let shownTab = null;

/**
 * Shows the tab that the button names; resolves when the focus is there. If it is shown already, its field gets the
 * focus, or the drawer closes.
 * @param {HTMLElement} button
 */
export async function open(button) {
  button.closest("details[data-menu]")?.removeAttribute("open");
  const name = button.dataset.opensDrawer ?? "";
  const tab = name === "replies" ? "sentence" : name;
  if (name === "replies") selectItemWithReply();
  else if (!drawer.hidden && shownTab === tab) return field() ? field().focus() : close();
  await stylesLoaded;
  if (sheet.openingButton !== button) return; // it took too long and was canceled (workspace.js)
  styles.media = "all";
  if (drawer.hidden) refresh();
  drawer.hidden = false;
  show(tab, { hasFocus: true }); // not awaited: the tab may come from the server
}

/** Selects the first item with a new answer of the leads. */
function selectItemWithReply() {
  const item = sheet.items.find(({ id }) =>
    sidePanel.questions.some((question) => question.new && question.item === id),
  );
  if (item) selectItem(item);
}

/** @param {string} name */
async function show(name, { hasFocus = false } = {}) {
  shownTab = name;
  for (const tab of drawer.querySelectorAll("[data-tab]"))
    tab.setAttribute("aria-pressed", String(tab.dataset.tab === name));
  const filling = TABS[name]();
  if (hasFocus) (field() ?? body).focus({ preventScroll: true });
  await filling;
}

/** The field of a comment, if one can be written. */
function field() {
  return body.querySelector("[data-comment]:enabled");
}

function close() {
  drawer.hidden = true;
  shownTab = null;
  focusQuestions();
}

/** @param {string} url */
async function showPage(url) {
  const tab = shownTab;
  body.replaceChildren();
  const { status, data, redirected } = await call("GET", url, { accept: "text/html" });
  if (shownTab !== tab) return;
  if (status === 200 && !redirected) body.innerHTML = data;
  else body.textContent = translate("This could not be fetched just now. Close the drawer and open it again.");
}

/**
 * Loaded before they are needed, as there may be no network then; applied once the drawer opens, so that nothing moves
 * before.
 */
const styles = Object.assign(document.createElement("link"), {
  rel: "stylesheet",
  href: drawer.dataset.styles,
  media: "not all",
});
const stylesLoaded = new Promise((resolve) => {
  Object.assign(styles, { onload: resolve, onerror: resolve });
});
document.head.append(styles);

drawer.addEventListener("click", (/** @type {ElementMouseEvent} */ { target }) => {
  const tab = target.closest("[data-tab]");
  if (tab) show(tab.dataset.tab);
  if (target.closest("[data-drawer-close]")) close();
});

/** Keys that scroll belong to the drawer; Escape closes it. All others are handled by the workspace. */
drawer.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.key === "Escape") close();
  if (/^(Arrow|Page|Home|End|Escape| )/.test(event.key)) event.stopPropagation();
});

/** The drawer covers other parts, so Escape closes it from everywhere; what is above the drawer closes first. */
window.addEventListener(
  "keydown",
  (/** @type {ElementKeyEvent} */ { key, target, isComposing }) => {
    const isCovered = document.querySelector("dialog[open], details[open], [data-find]:not([hidden])");
    if (key === "Escape" && !isComposing && !drawer.hidden && !drawer.contains(target) && !isCovered) close();
  },
  true,
);

listen("item-selected", () => shownTab === "sentence" && show("sentence"));
listen("sheet-opened", () => shownTab && show(shownTab));
listen("side-panel-changed", () => {
  if (shownTab === "bookmarks") show("bookmarks");
  if (shownTab === "sentence" && !body.contains(document.activeElement)) show("sentence");
});
