// A protocol's text: a chosen file comes into the text field, a problem's link goes to its line, and a page that is left with a
// text that is not stored says so.

const text = document.querySelector("[data-source]");
const file = document.querySelector("[data-source-file]");
const LARGEST = 800_000;

file?.addEventListener("change", async () => {
  const [chosen] = file.files;
  if (!chosen || chosen.size > LARGEST) return;
  const bytes = await chosen.arrayBuffer();
  try {
    text.value = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    file.value = "";
  } catch {
    // The server says which line is not UTF-8.
  }
});

function goToLine(number) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[number - 1] ?? "").length);
  text.scrollTop = Math.max(0, (number - 5) * parseFloat(getComputedStyle(text).lineHeight));
}

for (const link of document.querySelectorAll("[data-line]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goToLine(Number(link.dataset.line));
  });
}

const { form } = text;
const isStored = () => text.value === text.defaultValue && !("checked" in form.dataset);
const warn = (event) => isStored() || event.preventDefault();
window.addEventListener("beforeunload", warn);
form.addEventListener("submit", ({ submitter }) => submitter?.formTarget !== "_blank" && window.removeEventListener("beforeunload", warn));
