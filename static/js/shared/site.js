// What every page has: menus that close, dialogs that open, light or dark. Found by data- attributes; pages work without it.

const YEAR = 365 * 24 * 3600;
const LONGEST_LEAVING = 2_000; // milliseconds
const COMPOSING = 229; // keyCode of a key that ends it, where a browser (Safari) says too late that it did

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

/** With such a key somebody writes Japanese, Chinese or Korean: it chooses among characters, and is not the page's. */
function keepComposing(event) {
  if (event.isComposing || event.keyCode === COMPOSING) event.stopPropagation();
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

/** Rating pages that are kept in this browser (page_cache.js) are their rater's, and only while they are signed in. */
const who = document.querySelector("meta[name=who]")?.content;

async function dropWhatIsOthers() {
  const isOthers = (name) => name.startsWith("factuary:") && !name.startsWith(`factuary:${who}:`);
  if ((await caches.keys()).some(isOthers)) (await import("../offline/clear_cache.js")).forget({ stays: who });
}

/** Signing in again, in place or in another tab, has changed the token since the page came. */
function renewToken(form) {
  const token = document.cookie.match(/(?:^|; )factuary_csrf=([^;]*)/)?.[1];
  if (token) form.querySelector("input[name=csrfmiddlewaretoken]").value = token;
}

/** Signing out takes everything along first; what did not go, the next page drops. */
async function leave(event) {
  const form = event.target;
  if (!form.action?.endsWith?.("/logout/")) return;
  renewToken(form);
  if (!globalThis.caches) return;
  event.preventDefault();
  const forgotten = import("../offline/clear_cache.js").then(({ forget }) => forget({ leaves: who }));
  await Promise.race([forgotten, new Promise((resolve) => setTimeout(resolve, LONGEST_LEAVING))]).catch(() => {});
  form.submit();
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
document.addEventListener("submit", leave);
if (who && globalThis.caches) dropWhatIsOthers().catch(() => {}); // a browser may refuse, and has kept nothing then
document.addEventListener("keydown", keepComposing, true);
document.addEventListener("keydown", closeWithEscape);
document.addEventListener("focusout", closeLeftMenu);
