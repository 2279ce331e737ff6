// Signing in again in place, when the session has run out. The dialog waits until the hands rest, so that no key meant for an
// answer goes into the password. A second step (a code, a passkey) is on the site's own pages, in a new tab; the work here
// goes on by itself as soon as the rater is back.

import { postForm, whoIsSignedIn } from "../shared/api.js";
import { focusDock, say } from "./sheet.js";
import { translate } from "../shared/translate.js";

const REST = 1_200; // milliseconds without a key
const LOOK_AGAIN = 2_000;
const LOGIN = "/accounts/login/";

export class SignIn {
  /** `means` has the page's `outbox`. */
  constructor(means) {
    this.outbox = means.outbox;
    this.dialog = document.getElementById("sign-in");
    this.form = this.dialog.querySelector("form");
    this.lastKey = performance.now();
    document.addEventListener("keydown", () => { this.lastKey = performance.now(); }, true);
    this.form.addEventListener("submit", (event) => this.submit(event));
    this.dialog.addEventListener("close", () => this.closed());
  }

  /** Asks as soon as no key has been pressed for a moment; once for each time that the session has run out. */
  ask() {
    if (this.isAsked) return;
    this.isAsked = true;
    this.whenTheHandsRest(() => this.open());
  }

  whenTheHandsRest(act) {
    const wait = REST - (performance.now() - this.lastKey);
    if (wait <= 0 && !document.querySelector("dialog[open]")) act();
    else setTimeout(() => this.whenTheHandsRest(act), Math.max(200, wait));
  }

  open() {
    if (this.outbox.state !== "signed-out") return this.done();
    this.complain("");
    this.showSecondStep(null);
    if (!this.dialog.open) this.dialog.showModal();
    this.form.elements.password.focus();
    return this.look();
  }

  /** Whoever signs in in another tab is let through here too. */
  async look() {
    if (!this.dialog.open) return;
    if ((await whoIsSignedIn()) === this.outbox.rater) this.done();
    else setTimeout(() => this.look(), LOOK_AGAIN);
  }

  async submit(event) {
    event.preventDefault();
    if (event.submitter?.value === "later") return this.dialog.close();
    const said = new FormData(this.form);
    await whoIsSignedIn(); // brings a fresh CSRF token
    const { status, data } = await postForm(LOGIN, said);
    if (status === 200 && data?.location) return this.isThrough(data.location);
    this.form.elements.password.value = "";
    this.form.elements.password.focus();
    return this.complain(problemIn(status, data));
  }

  async isThrough(location) {
    const who = await whoIsSignedIn();
    if (who === this.outbox.rater) return this.done();
    return who ? this.complain(translate("That is another account. This work belongs to whoever began it.")) : this.showSecondStep(location);
  }

  /** The password was right, and the account asks for more. */
  showSecondStep(address) {
    const step = this.dialog.querySelector("[data-second-step]");
    step.hidden = !address;
    if (!address) return;
    step.querySelector("a").href = address;
    step.querySelector("a").focus();
  }

  /** The session is there again: it may run out another time. */
  forget() {
    if (!this.dialog.open) this.isAsked = false;
  }

  complain(words) {
    this.dialog.querySelector("[data-problem]").textContent = words;
  }

  done() {
    this.isAsked = false;
    if (this.dialog.open) {
      this.dialog.close();
      say(translate("You are signed in again. The work goes on."));
    }
    this.outbox.hurry();
  }

  closed() {
    this.form.elements.password.value = "";
    focusDock();
  }
}

function problemIn(status, data) {
  const fields = Object.values(data?.form?.fields ?? {}).flatMap(({ errors }) => errors);
  const found = [...(data?.form?.errors ?? []), ...fields];
  if (found.length) return found.join(" ");
  if (status === 429) return translate("Too many tries. Please wait a few minutes.");
  return status ? translate("The server did not let you in (%(status)s). The login page in a new tab may say why.", { status }) : translate("The server could not be reached. Your answers are kept; please try again.");
}
