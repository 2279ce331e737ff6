// A button that copies the text of another element: data-copies names its id. Where the browser has no clipboard, no button.

for (const button of document.querySelectorAll("[data-copies]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    button.lastChild.textContent = " Copied";
  });
}
