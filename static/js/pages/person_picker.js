// A field for a person: <input data-people="address of the suggestions">. It takes a user name as it is typed; the list
// below it finds people by user name, name or address.

import { Combobox } from "../shared/combobox.js";
import { translate } from "../shared/translate.js";

/**
 * @param {HTMLInputElement} input
 * @param {number} index
 */
function wire(input, index) {
  const wrapper = document.createElement("div");
  wrapper.className = "person-picker";
  input.replaceWith(wrapper);
  wrapper.append(input);
  wrapper.insertAdjacentHTML(
    "beforeend",
    `<div class="option-list" role="listbox" id="people-${index}" hidden></div>
     <span class="visually-hidden" role="status"></span>`,
  );
  const list = wrapper.querySelector("[role=listbox]");
  list.setAttribute("aria-label", translate("People"));
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");
  const address = new URL(/** @type {string} */ (input.dataset.people), location.href);
  const combobox = new Combobox({
    input,
    list,
    status: wrapper.querySelector("[role=status]"),
    address: (query) => {
      address.searchParams.set("q", query);
      return address.pathname + address.search;
    },
    choose: ({ value = "" }) => {
      input.value = value;
      combobox.close();
    },
    selectsFirst: false,
  });
  input.addEventListener("blur", () => combobox.close());
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !combobox.isOpen) return;
    event.stopPropagation();
    combobox.close();
  });
}

[...document.querySelectorAll("input[data-people]")].forEach((input, index) => {
  wire(/** @type {HTMLInputElement} */ (input), index);
});
