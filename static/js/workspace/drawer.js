// The drawer beside the work: guidelines, the lit sentence (comment, questions), the pile to come back to, one's own pace. It
// is no dialog: keys go on rating while it is open. The same key again closes it, and so does Escape; where there is something to
// write, the key leads there instead, as whoever presses it is about to type.

import { beside, knowGuidelines, refresh } from "./side_panel.js";
import { call } from "../shared/api.js";
import { listPile } from "./bookmarks.js";
import { focusDock, goTo, hear, sheet } from "./sheet.js";
import { showTalk } from "./comment_and_questions.js";
import { translate } from "../shared/translate.js";

const drawer = document.querySelector("[data-drawer]");
const body = drawer.querySelector("[data-drawer-body]");
const TABS = {
  guidelines: async () => {
    await fromServer(drawer.dataset.guidelinesUrl);
    knowGuidelines();
  },
  pace: () => fromServer(drawer.dataset.paceUrl),
  sentence: () => showTalk(body),
  pile: () => listPile(body),
};
let shown = null;

/** Shows what the button names, and resolves when the focus is there; the drawer that shows it already takes the words, or
    closes. */
export async function open(button) {
  button.closest("details[data-menu]")?.removeAttribute("open");
  let name = button.dataset.showsBeside;
  if (name === "news") {
    const item = sheet.items.find(({ id }) => beside.questions.some((question) => question.new && question.item === id));
    if (item) goTo(item);
    name = "sentence";
  } else if (!drawer.hidden && shown === name) {
    return field() ? field().focus() : close();
  }
  await styled;
  if (sheet.isOpening !== button) return null; // it took so long that it was given up (workspace.js)
  styles.media = "all";
  if (drawer.hidden) refresh();
  drawer.hidden = false;
  show(name, { hasFocus: true }); // what it shows may come from the server
  return null;
}

async function show(name, { hasFocus = false } = {}) {
  shown = name;
  for (const tab of drawer.querySelectorAll("[data-tab]")) tab.setAttribute("aria-pressed", String(tab.dataset.tab === name));
  const filled = TABS[name]();
  if (hasFocus) (field() ?? body).focus({ preventScroll: true });
  await filled;
}

/** Where a comment is written, if one can be. */
function field() {
  return body.querySelector("[data-comment]:enabled");
}

function close() {
  drawer.hidden = true;
  shown = null;
  focusDock();
}

async function fromServer(url) {
  const wanted = shown;
  body.replaceChildren();
  const { status, data, redirected } = await call("GET", url, { accept: "text/html" });
  if (shown !== wanted) return;
  if (status === 200 && !redirected) body.innerHTML = data;
  else body.textContent = translate("This could not be fetched just now. Close the drawer and open it again.");
}

/** Here before they are needed, as the network may be away then; they hold once the drawer is opened, so that nothing moves before. */
const styles = Object.assign(document.createElement("link"), { rel: "stylesheet", href: drawer.dataset.styles, media: "not all" });
const styled = new Promise((resolve) => { Object.assign(styles, { onload: resolve, onerror: resolve }); });
document.head.append(styles);

drawer.addEventListener("click", ({ target }) => {
  const tab = target.closest("[data-tab]");
  if (tab) show(tab.dataset.tab);
  if (target.closest("[data-drawer-close]")) close();
});

/** Keys that scroll belong to what is scrolled; Escape closes. All others go on to the workspace. */
drawer.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
  if (/^(Arrow|Page|Home|End|Escape| )/.test(event.key)) event.stopPropagation();
});

/** It covers what is beside it: Escape uncovers that from everywhere. What lies over the drawer closes first. */
window.addEventListener("keydown", ({ key, target, isComposing }) => {
  const isCovered = document.querySelector("dialog[open], details[open], [data-find]:not([hidden])");
  if (key === "Escape" && !isComposing && !drawer.hidden && !drawer.contains(target) && !isCovered) close();
}, true);

hear("lit", () => shown === "sentence" && show("sentence"));
hear("opened", () => shown && show(shown));
hear("beside", () => {
  if (shown === "pile") show("pile");
  if (shown === "sentence" && !body.contains(document.activeElement)) show("sentence");
});
