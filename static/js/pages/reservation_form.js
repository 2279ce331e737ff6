// The form for a part of the work: only the fields of the selected kind of selection are shown.

for (const form of document.querySelectorAll("[data-part-form]")) {
  const show = () => {
    const by = form.querySelector("[name=by]:checked")?.value;
    for (const part of form.querySelectorAll("[data-by]")) part.hidden = part.dataset.by !== by;
  };
  form.addEventListener("change", show);
  show();
}
