// Buttons that copy the text of another element: data-copies is its id. Without a clipboard the buttons stay hidden.

import { translate } from "./translate.js";

/** @param {Document | Element} root */
export function showCopyButtons(root = document) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll("[data-copies]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
      /** @type {ChildNode} */ (button.lastChild).textContent = ` ${translate("Copied")}`;
    });
  }
}

showCopyButtons();
