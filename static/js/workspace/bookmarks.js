// Bookmarked items ("to come back to"): the list in the drawer, and the question before a response is finished.

import { plural, translate } from "../shared/translate.js";
import { itemEntry } from "./sheet.js";

const dialog = document.getElementById("bookmarks");

export class BookmarkList {
  /**
   * @param {SidePanel} sidePanel
   * @param {Sheet} sheet
   */
  constructor(sidePanel, sheet) {
    this.sheet = sheet;
    this.sidePanel = sidePanel;
    dialog.querySelector("[data-bookmarks-go]").addEventListener("click", () => sidePanel.selectNextBookmark());
    dialog.querySelector("[data-bookmarks-finish]").addEventListener("click", () => {
      dialog.close();
      sidePanel.finishAnyway();
    });
  }

  /**
   * Lists the bookmarked items: to select them, and to remove the bookmark.
   * @param {HTMLElement} body
   */
  show(body) {
    const items = this.sidePanel.bookmarkedItems();
    const hint = document.createElement("p");
    hint.className = "quiet";
    const message = items.length
      ? translate(
          "“Next flagged” %(next)s goes through them; “Remove flag” %(mark)s removes the flag of the current one.",
        )
      : translate("Nothing is flagged. “Flag for later” %(mark)s flags the current one.");
    hint.append(
      ...message
        .split(/(%\(\w+\)s)/)
        .map((piece) => (piece === "%(next)s" ? keyHint("mark-next") : piece === "%(mark)s" ? keyHint("mark") : piece)),
    );
    const list = document.createElement("ol");
    list.className = "open-list";
    list.append(...items.map((item) => this.removableEntry(item)));
    body.replaceChildren(hint, list);
  }

  /** @param {Item} item */
  bookmarkEntry(item) {
    const entry = itemEntry(item, () => {
      dialog.close();
      this.sheet.selectItem(item);
    });
    const textContent = ` ${translate("The guidelines have changed: confirm your answer or change it.")}`;
    if (this.sidePanel.bookmarks.get(item.id) === "guidelines")
      entry.querySelector("[dir]").append(Object.assign(document.createElement("small"), { textContent }));
    return entry;
  }

  /** @param {Item} item */
  removableEntry(item) {
    const entry = this.bookmarkEntry(item);
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      className: "remove",
      textContent: "×",
    });
    button.setAttribute("aria-label", translate("Remove the flag of %(n)s", { n: item.index + 1 }));
    button.addEventListener("click", () => this.sidePanel.toggleBookmark(item));
    entry.append(button);
    return entry;
  }

  /** Asks whether to finish despite bookmarks. */
  askBeforeFinishing() {
    const items = this.sidePanel.bookmarkedItems();
    dialog.querySelector("[data-bookmarks-title]").textContent = plural(
      "You flagged one %(unit)s for later",
      "You flagged %(n)s %(unit)s for later",
      items.length,
      { unit: this.sheet.unitWord(items.length) },
    );
    dialog.querySelector("[data-bookmarks-go]").textContent =
      items.length === 1 ? translate("Review it") : translate("Review them");
    dialog.querySelector("[data-bookmarks-list]").replaceChildren(...items.map((item) => this.bookmarkEntry(item)));
    dialog.showModal();
  }
}

/**
 * The key of an action as the page shows it, which may be changed; nothing without one.
 * @param {string} name
 */
function keyHint(name) {
  return document.querySelector(`[data-key-of="${name}"]:not([hidden])`)?.cloneNode(true) ?? "";
}
