// Bookmarked items ("to come back to"): the list in the drawer, and the question before a response is finished.

import { plural, translate } from "../shared/translate.js";
import { itemEntry, selectItem, unitWord } from "./sheet.js";
import { bookmarkedItems, finishAnyway, selectNextBookmark, sidePanel, toggleBookmark } from "./side_panel.js";

const dialog = document.getElementById("bookmarks");

/**
 * Lists the bookmarked items: to select them, and to remove the bookmark.
 * @param {HTMLElement} body
 */
export function listBookmarks(body) {
  const items = bookmarkedItems();
  const hint = document.createElement("p");
  hint.className = "quiet";
  const message = items.length
    ? translate("“Next to come back to” %(next)s goes through them; “Unsure” %(mark)s takes the lit one off.")
    : translate("Nothing is on your pile. “Unsure” %(mark)s puts the lit one there.");
  hint.append(
    ...message
      .split(/(%\(\w+\)s)/)
      .map((piece) => (piece === "%(next)s" ? keyHint("mark-next") : piece === "%(mark)s" ? keyHint("mark") : piece)),
  );
  const list = document.createElement("ol");
  list.className = "open-list";
  list.append(...items.map(removableEntry));
  body.replaceChildren(hint, list);
}

/** @param {Item} item */
function bookmarkEntry(item) {
  const entry = itemEntry(item, () => {
    dialog.close();
    selectItem(item);
  });
  const textContent = ` ${translate("The guidelines have changed: confirm your answer or change it.")}`;
  if (sidePanel.bookmarks.get(item.id) === "guidelines")
    entry.querySelector("[dir]").append(Object.assign(document.createElement("small"), { textContent }));
  return entry;
}

/** @param {Item} item */
function removableEntry(item) {
  const entry = bookmarkEntry(item);
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "remove",
    textContent: "×",
  });
  button.setAttribute("aria-label", translate("Take %(n)s off the pile", { n: item.index + 1 }));
  button.addEventListener("click", () => toggleBookmark(item));
  entry.append(button);
  return entry;
}

/**
 * The key of an action as the page shows it, which may be changed; nothing without one.
 * @param {string} name
 */
function keyHint(name) {
  return document.querySelector(`[data-key-of="${name}"]:not([hidden])`)?.cloneNode(true) ?? "";
}

/** Asks whether to finish despite bookmarks. */
export function askBeforeFinishing() {
  const items = bookmarkedItems();
  dialog.querySelector("[data-bookmarks-title]").textContent = plural(
    "You wanted to come back to one %(unit)s",
    "You wanted to come back to %(n)s %(unit)s",
    items.length,
    { unit: unitWord(items.length) },
  );
  dialog.querySelector("[data-bookmarks-go]").textContent =
    items.length === 1 ? translate("Look at it") : translate("Look at them");
  dialog.querySelector("[data-bookmarks-list]").replaceChildren(...items.map(bookmarkEntry));
  dialog.showModal();
}

dialog.querySelector("[data-bookmarks-go]").addEventListener("click", selectNextBookmark);
dialog.querySelector("[data-bookmarks-finish]").addEventListener("click", () => {
  dialog.close();
  finishAnyway();
});
