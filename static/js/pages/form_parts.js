// A form whose part of the page follows it (htmx), marked with data-loads-page: if the part does not come, the form loads the
// whole page, which shows what is wrong.

/** @param {CustomEvent} event */
function loadPage({ detail: { elt } }) {
  if (elt.matches("form[data-loads-page]")) elt.submit();
}

for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(failure, /** @type {EventListener} */ (loadPage));
}
