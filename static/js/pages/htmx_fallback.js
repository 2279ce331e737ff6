// A form that updates a part of the page (htmx), marked with data-loads-page: if the request fails, the form loads the
// whole page, which shows the problem.

/** @param {CustomEvent} event */
function loadPage({ detail: { elt } }) {
  if (elt.matches("form[data-loads-page]")) elt.submit();
}

for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(failure, /** @type {EventListener} */ (loadPage));
}
