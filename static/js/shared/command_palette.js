// The palette: search over projects, pages, actions, people and responses. site.js loads this module when it is opened.

import { Combobox } from "./combobox.js";

/** @type {HTMLDialogElement} */
const dialog = document.getElementById("command-palette");
/** @type {HTMLInputElement} */
const input = dialog.querySelector("input");
const { results, project = "" } = dialog.dataset;

const combobox = new Combobox({
  input,
  list: dialog.querySelector("[role=listbox]"),
  status: dialog.querySelector("[data-status]"),
  address: (query) => `${results}?${new URLSearchParams({ q: query, project })}`,
  choose: ({ url = "" }, { newTab }) => {
    dialog.close();
    if (newTab) window.open(url, "_blank", "noopener");
    else location.assign(url);
  },
  selectsFirst: true,
});

/** Opens the palette with where to go from this page. */
export function openPalette() {
  if (dialog.open) return dialog.close();
  input.value = "";
  dialog.showModal();
  combobox.load();
}

dialog.addEventListener("close", () => combobox.close());
