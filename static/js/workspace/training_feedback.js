// In training: after each answer that the server has, what it should have been. The workspace says when one is saved.

import { call } from "../shared/api.js";
import { hear, say } from "./sheet.js";

const box = document.querySelector("[data-feedback]");
let asked = 0;

hear("saved", async ({ assignment, item, answers }) => {
  const number = ++asked;
  if (!answers) return; // taken back
  const { status, data } = await call("GET", `/assignments/${assignment}/items/${item}/feedback/`, { accept: "text/html" });
  if (status !== 200 || number !== asked) return; // a later answer has its own
  box.innerHTML = data;
  box.scrollTop = 0;
  say(box.textContent.replace(/\s+/g, " ").trim());
});
