// Elements that a page looks up in its own template. The template holds them, and browser tests open every page, so a
// lookup counts as successful; an element that only some pages have is read with `?.`. A lookup has the type that its
// variable declares, such as `/** @type {HTMLInputElement} */`.

/** An element of a template: with the properties of the fields, dialogs and links that scripts look up. */
type PageElement = HTMLElement &
  Omit<HTMLInputElement, "value"> &
  HTMLTextAreaElement &
  HTMLDialogElement &
  HTMLAnchorElement &
  Pick<HTMLTemplateElement, "content"> &
  Pick<HTMLFormElement, "requestSubmit" | "submit" | "action" | "elements"> & { dataset: Record<string, string> };

interface ParentNode {
  querySelector<E extends Element = PageElement>(selectors: string): E;
  querySelectorAll<E extends Element = PageElement>(selectors: string): NodeListOf<E>;
}

interface Document {
  getElementById<E extends HTMLElement = PageElement>(id: string): E;
}

interface DocumentFragment {
  getElementById<E extends HTMLElement = PageElement>(id: string): E;
}

interface Element {
  closest<E extends Element = PageElement>(selectors: string): E | null;
}

/** An event of an element: listeners are only added where a target is one. */
interface ElementEvent extends Event {
  target: PageElement;
}
interface ElementMouseEvent extends MouseEvent {
  target: PageElement;
}
interface ElementKeyEvent extends KeyboardEvent {
  target: PageElement;
}
interface ElementFocusEvent extends FocusEvent {
  target: PageElement;
}

// The events of a service worker, which shares the other names with a page.
interface Window {
  skipWaiting(): Promise<void>;
}
interface ServiceWorkerFetchEvent extends Event {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
