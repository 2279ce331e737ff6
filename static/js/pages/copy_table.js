// Links that copy a table as text. Without a clipboard, or where the text cannot be copied, they download it.

import { translate } from "../shared/translate.js";

/** @param {MouseEvent} event */
async function copy(event) {
  const link = /** @type {Element} */ (event.target).closest("[data-copy-table] a");
  if (!(link instanceof HTMLAnchorElement) || !navigator.clipboard || event.ctrlKey || event.metaKey) return;
  const status = link.closest("[data-copy-table]")?.querySelector("[data-copied]");
  if (!status) return;
  event.preventDefault();
  status.textContent = "";
  try {
    const response = await fetch(link.href);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    await navigator.clipboard.writeText(await response.text());
    status.textContent = translate("Copied");
  } catch {
    location.assign(link.href);
  }
}

document.addEventListener("click", copy);
