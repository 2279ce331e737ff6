// Signing in again on the same page after the session has expired. The dialog waits until no key is pressed, and its
// heading has the focus, so that no key meant for an answer goes into the password field. A second factor (a code, a
// passkey) is on the site's own pages, in a new tab; the work continues here as soon as the rater is signed in.

import { fetchSignedInUser, postForm } from "../shared/api.js";
import { translate } from "../shared/translate.js";
import { announce, focusQuestions } from "./sheet.js";

const QUIET_TIME = 1_200; // milliseconds without a key
const CHECK_INTERVAL = 2_000;
const LOGIN = "/accounts/login/";

/** @typedef {HTMLFormControlsCollection & { password: HTMLInputElement }} SignInFields */
/** @typedef {HTMLFormElement & { elements: SignInFields }} SignInForm */

export class SignInDialog {
  /** @param {AnyOutbox} outbox */
  constructor(outbox) {
    this.outbox = outbox;
    this.dialog = document.getElementById("sign-in");
    /** @type {SignInForm} */
    this.form = this.dialog.querySelector("form");
    this.password = this.form.elements.password;
    this.hasAsked = false;
    this.lastKey = performance.now();
    document.addEventListener(
      "keydown",
      () => {
        this.lastKey = performance.now();
      },
      true,
    );
    this.form.addEventListener("submit", (/** @type {SubmitEvent} */ event) => this.submit(event));
    this.dialog.addEventListener("close", () => {
      this.password.value = "";
      focusQuestions();
    });
  }

  /** Opens the dialog as soon as no key is pressed; once each time the session expires. */
  askWhenIdle() {
    if (this.hasAsked) return;
    this.hasAsked = true;
    this.openWhenIdle();
  }

  openWhenIdle() {
    const wait = QUIET_TIME - (performance.now() - this.lastKey);
    if (wait <= 0 && !document.querySelector("dialog[open]")) this.show();
    else setTimeout(() => this.openWhenIdle(), Math.max(200, wait));
  }

  /** Opens the dialog for a rater who asked for it: the password field has the focus. */
  open() {
    this.show();
    if (this.dialog.open) this.password.focus();
  }

  show() {
    if (this.outbox.state !== "signed-out") return this.finish();
    this.showProblem("");
    this.showSecondFactor(null);
    if (!this.dialog.open) this.dialog.showModal();
    return this.watchSession();
  }

  /** A rater who signs in in another tab is signed in here too. */
  async watchSession() {
    if (!this.dialog.open) return;
    if ((await fetchSignedInUser()) === this.outbox.rater) this.finish();
    else setTimeout(() => this.watchSession(), CHECK_INTERVAL);
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (submitter?.value === "later") return this.dialog.close();
    const form = new FormData(this.form);
    await fetchSignedInUser(); // sets a fresh CSRF cookie
    const { status, data } = await postForm(LOGIN, form);
    if (status === 200 && data?.location) return this.checkUser(data.location);
    this.password.value = "";
    this.password.focus();
    return this.showProblem(loginProblem(status, data));
  }

  /** @param {string} location the page that follows the login */
  async checkUser(location) {
    const user = await fetchSignedInUser();
    if (user === this.outbox.rater) return this.finish();
    return user
      ? this.showProblem(translate("That is another account. This response belongs to the rater who started it."))
      : this.showSecondFactor(location);
  }

  /**
   * The password was right, and the account needs a second factor.
   * @param {string | null} address
   */
  showSecondFactor(address) {
    const step = this.dialog.querySelector("[data-second-step]");
    step.hidden = !address;
    if (!address) return;
    step.querySelector("a").href = address;
    step.querySelector("a").focus();
  }

  /** The session is valid: it may expire another time. */
  reset() {
    if (!this.dialog.open) this.hasAsked = false;
  }

  /** @param {string} message */
  showProblem(message) {
    this.dialog.querySelector("[data-problem]").textContent = message;
  }

  finish() {
    this.hasAsked = false;
    if (this.dialog.open) {
      this.dialog.close();
      announce(translate("You are signed in again."));
    }
    this.outbox.retryNow();
  }
}

/**
 * @param {number} status
 * @param {ApiData} data
 */
function loginProblem(status, data) {
  /** @type {{ errors: string[] }[]} */
  const fields = Object.values(data?.form?.fields ?? {});
  const errors = [...(data?.form?.errors ?? []), ...fields.flatMap((field) => field.errors)];
  if (errors.length) return errors.join(" ");
  if (status === 429) return translate("Too many attempts. Wait a few minutes.");
  return status
    ? translate("The server refused the sign-in (%(status)s). The sign-in page, opened in a new tab, may say why.", {
        status,
      })
    : translate("The server could not be reached. Your answers are kept; please try again.");
}
