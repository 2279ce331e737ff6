// On every page: menus that close, dialogs that open, the palette, light or dark colors, signing out. Elements are
// found by data-attributes; pages work without this file.

const YEAR = 365 * 24 * 3600; // seconds
const MAX_CLEARING = 2_000; // milliseconds
const COMPOSING = 229; // keyCode of a key that ends a composition, where a browser (Safari) reports its end too early
const MENUS = "details[data-menu][open], details.define[open]";

/** @param {Element} [except] a menu that contains it stays open */
function closeMenus(except) {
  for (const menu of document.querySelectorAll(MENUS)) {
    if (!except || !menu.contains(except)) menu.open = false;
  }
}

/** @param {KeyboardEvent} event */
function closeWithEscape(event) {
  if (event.key !== "Escape") return;
  const menu = document.activeElement?.closest(MENUS);
  closeMenus();
  menu?.querySelector("summary").focus();
}

/**
 * A menu that the focus has left must not cover what has the focus.
 * @param {ElementFocusEvent} event
 */
function closeLeftMenu({ target, relatedTarget }) {
  const menu = target.closest?.(MENUS);
  if (menu && relatedTarget && !menu.contains(/** @type {Node} */ (relatedTarget))) menu.open = false;
}

/**
 * Such a key belongs to the input of Japanese, Chinese or Korean: it selects a character, and is no key of the page.
 * @param {KeyboardEvent} event
 */
function ignoreComposing(event) {
  if (event.isComposing || event.keyCode === COMPOSING) event.stopPropagation();
}

/** @param {ElementMouseEvent} event */
function openDialog({ target, clientX, clientY }) {
  const opener = target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  if (target.closest("dialog [data-closes]")) target.closest("dialog")?.close();
  if (!target.matches?.("dialog")) return;
  // A click on the dialog element itself, outside its box, is a click on the backdrop.
  const { left, right, top, bottom } = target.getBoundingClientRect();
  if (clientX < left || clientX > right || clientY < top || clientY > bottom) target.close();
}

/** On a Mac, Ctrl+K is a key of text fields. */
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * Opens the palette; without the network its button leads to the search page.
 * @param {Event} event
 */
async function openPalette(event) {
  event.preventDefault();
  try {
    (await import("./command_palette.js")).openPalette();
  } catch {
    const link = /** @type {Element} */ (event.target).closest("a[data-opens-palette]");
    if (link) location.assign(link.href);
  }
}

/** @param {KeyboardEvent} event */
function openPaletteWithKey(event) {
  const isCommand = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (!event.isTrusted || event.key.toLowerCase() !== "k" || !isCommand || event.shiftKey || event.altKey) return;
  const isOtherDialogOpen = document.querySelector("dialog[open]:not(#command-palette)");
  if (document.getElementById("command-palette") && !isOtherDialogOpen) openPalette(event);
}

/** @param {ElementMouseEvent} event */
function openPaletteWithButton(event) {
  const isNewTab = event.ctrlKey || event.metaKey || event.shiftKey;
  if (!isNewTab && event.target.closest("[data-opens-palette]")) openPalette(event);
}

/**
 * The bell opens its newest notifications; without the network, or in a new tab, it leads to the page.
 * @param {ElementMouseEvent} event
 */
async function openNotifications(event) {
  const bell = event.target.closest("a[data-opens-notifications]");
  if (!bell || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    await (await import("./notifications.js")).openNotifications();
  } catch {
    location.assign(bell.href);
  }
}

/** An address that names a dialog opens it, such as a link from the palette. */
function openNamedDialog() {
  const named = document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLDialogElement && !named.open) named.showModal();
}

/**
 * Stores the theme in a cookie, so that the server sends the next page in the right colors.
 * @param {string} theme
 */
function chooseTheme(theme) {
  const [prefix, secure] = location.protocol === "https:" ? ["__Host-", "; secure"] : ["", ""];
  const age = theme === "auto" ? 0 : YEAR;
  document.cookie = `${prefix}factuary_theme=${theme}; path=/; max-age=${age}; samesite=lax${secure}`;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/**
 * The address may have changed without a load, as in the workspace: a form that returns to this page names the current
 * one.
 * @param {ElementEvent} event
 */
function setReturnAddress({ target }) {
  const field = target.querySelector("input[data-here]");
  if (field) field.value = location.pathname + location.search;
}

/** @type {HTMLMetaElement | null} Its content: the id of the user who is signed in, or "nobody". */
const userElement = document.querySelector("meta[name=who]");
const user = userElement?.content;

/** Cached rating pages (page_cache.js) belong to their rater, and only while they are signed in. */
async function dropPagesOfOthers() {
  /** @param {string} name */
  const isOther = (name) => name.startsWith("factuary:") && !name.startsWith(`factuary:${user}:`);
  if ((await caches.keys()).some(isOther)) (await import("../offline/clear_cache.js")).clearCache({ except: user });
}

/**
 * Signing out drops cached pages first; the next page drops the rest. The CSRF token may have changed since
 * the page was loaded.
 * @param {ElementEvent} event
 */
async function signOut(event) {
  const form = event.target;
  if (!form.action?.endsWith?.("/logout/")) return;
  const token = document.cookie.match(/(?:^|; )factuary_csrf=([^;]*)/)?.[1];
  if (token) form.querySelector("input[name=csrfmiddlewaretoken]").value = token;
  if (!globalThis.caches) return;
  event.preventDefault();
  const clearing = import("../offline/clear_cache.js").then(({ clearCache }) => clearCache({ signedOut: user }));
  await Promise.race([clearing, new Promise((resolve) => setTimeout(resolve, MAX_CLEARING))]).catch(() => {});
  form.submit();
}

// The first invalid field of a form has the focus, unless the server chose another element.
/** @type {HTMLElement | null} */
const focused = document.querySelector("main [autofocus]") ?? document.querySelector("main [aria-invalid=true]");
focused?.focus();
for (const choice of document.querySelectorAll("[data-theme-choice]")) {
  choice.hidden = false;
  choice.addEventListener("change", (/** @type {ElementEvent} */ { target }) => chooseTheme(target.value));
}
// On a phone the navigation scrolls: the current page is visible.
for (const link of document.querySelectorAll(":is(.topbar nav, .project-bar) [aria-current]")) {
  const row = /** @type {HTMLElement} */ (link.parentElement);
  row.scrollLeft = link.offsetLeft - row.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
}
document.addEventListener("click", (/** @type {ElementMouseEvent} */ event) => {
  closeMenus(event.target);
  openDialog(event);
});
for (const hint of document.querySelectorAll("[data-palette-key]")) {
  if (isMac) hint.textContent = "⌘K";
}
document.addEventListener("click", openPaletteWithButton);
document.addEventListener("click", openNotifications);
document.addEventListener("keydown", openPaletteWithKey);
addEventListener("hashchange", openNamedDialog);
openNamedDialog();
document.addEventListener("submit", setReturnAddress);
document.addEventListener("submit", signOut);
if (user && globalThis.caches) dropPagesOfOthers().catch(() => {}); // a browser may refuse, and has cached nothing then
document.addEventListener("keydown", ignoreComposing, true);
document.addEventListener("keydown", closeWithEscape);
document.addEventListener("focusout", closeLeftMenu);
