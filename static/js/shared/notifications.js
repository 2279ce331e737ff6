// The panel of the bell with the newest notifications. site.js loads this module when the bell is clicked.

/** @type {HTMLDialogElement} */
const dialog = document.querySelector("dialog[data-notifications]");

/** Opens the panel, or closes it. Throws if its contents cannot be loaded. */
export async function openNotifications() {
  if (dialog.open) return dialog.close();
  const response = await fetch(dialog.dataset.notifications ?? "", { redirect: "error" });
  if (!response.ok) throw new Error(`notifications: ${response.status}`);
  dialog.querySelector("[data-newest]").innerHTML = await response.text();
  dialog.showModal();
}
