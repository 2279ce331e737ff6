// Posts the form of a page that only leads on; without scripts its button does.
document.querySelector("form")?.requestSubmit();
