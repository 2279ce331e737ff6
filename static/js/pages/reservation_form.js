// The form of an assignment: only the fields of the selected kind of selection are shown.

for (const form of document.querySelectorAll("[data-reservation-form]")) {
  const show = () => {
    const by = form.querySelector("[name=by]:checked")?.value;
    for (const part of form.querySelectorAll("[data-by]")) part.hidden = part.dataset.by !== by;
  };
  form.addEventListener("change", show);
  show();
}
