// In training: after each answer that the server has stored, the feedback on it.

import { call } from "../shared/api.js";
import { announce, listen } from "./sheet.js";

const box = document.querySelector("[data-feedback]");
let lastRequest = 0;

listen("answer-saved", async ({ assignment, item, answers }) => {
  const request = ++lastRequest;
  if (!answers) return; // withdrawn
  const { status, data } = await call("GET", `/assignments/${assignment}/items/${item}/feedback/`, {
    accept: "text/html",
  });
  if (status !== 200 || request !== lastRequest) return; // a later answer has its own
  box.innerHTML = data;
  box.scrollTop = 0;
  announce(box.textContent.replace(/\s+/g, " ").trim());
});
