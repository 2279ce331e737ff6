// A button that copies the text of another element: data-copies names its id. Where the browser has no clipboard, no button.

import { translate } from "./translate.js";

export function offerCopies(within = document) {
  if (!navigator.clipboard) return;
  for (const button of within.querySelectorAll("[data-copies]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
      button.lastChild.textContent = ` ${translate("Copied")}`;
    });
  }
}

offerCopies();
