// What every page has: menus that close, dialogs that open, light or dark. Found by data- attributes; pages work without it.

const YEAR = 365 * 24 * 3600;

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details[data-menu][open], details.define[open]")) {
    if (!except || !menu.contains(except)) menu.open = false;
  }
}

function closeWithEscape(event) {
  if (event.key !== "Escape") return;
  const menu = document.activeElement?.closest("details[data-menu][open], details.define[open]");
  closeMenus();
  menu?.querySelector("summary").focus();
}

/** A menu that was left by keyboard must not stay open over what has the focus. */
function closeLeftMenu({ target, relatedTarget }) {
  const menu = target.closest?.("details[data-menu][open], details.define[open]");
  if (menu && relatedTarget && !menu.contains(relatedTarget)) menu.open = false;
}

function openDialog(event) {
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  if (event.target.closest("dialog [data-closes]")) event.target.closest("dialog").close();
  if (event.target.matches?.("dialog")) closeFromBackdrop(event);
}

// A click on the dialog element itself, outside its box, is a click on the backdrop.
function closeFromBackdrop(event) {
  const box = event.target.getBoundingClientRect();
  const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  if (!inside) event.target.close();
}

/** Remembers the choice where the server sees it, so that the next page comes in the right colours at once. */
function chooseTheme(theme) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  const age = theme === "auto" ? 0 : YEAR;
  document.cookie = `factuary_theme=${theme}; path=/; max-age=${age}; samesite=lax${secure}`;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** A page may have moved on without a load, as the rating page does: what leads back leads to where it is now. */
function nameHere({ target }) {
  const here = target.querySelector("input[data-here]");
  if (here) here.value = location.pathname + location.search;
}

for (const choice of document.querySelectorAll("[data-theme-choice]")) {
  choice.hidden = false;
  choice.addEventListener("change", (event) => chooseTheme(event.target.value));
}
// Where the places do not fit, on a phone, the one that is open is in sight.
for (const place of document.querySelectorAll(".topbar nav [aria-current]")) {
  const row = place.parentElement;
  row.scrollLeft = place.offsetLeft - row.offsetLeft - (row.clientWidth - place.offsetWidth) / 2;
}
document.addEventListener("click", (event) => {
  closeMenus(event.target);
  openDialog(event);
});
document.addEventListener("submit", nameHere);
document.addEventListener("keydown", closeWithEscape);
document.addEventListener("focusout", closeLeftMenu);
