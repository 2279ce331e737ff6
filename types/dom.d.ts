// Elements that a page looks up in its own template. The template holds them, and browser tests open every page, so a
// lookup counts as successful; an element that only some pages have is read with `?.`. A lookup has the type that its
// variable declares, such as `/** @type {HTMLInputElement} */`.

interface ParentNode {
  querySelector<E extends Element = any>(selectors: string): E;
  querySelectorAll<E extends Element = any>(selectors: string): NodeListOf<E>;
}

interface Document {
  getElementById<E extends HTMLElement = any>(id: string): E;
}

interface DocumentFragment {
  getElementById<E extends HTMLElement = any>(id: string): E;
}

interface Element {
  closest<E extends Element = any>(selectors: string): E | null;
}

/** An event of an element: listeners are only added where a target is one. */
interface ElementEvent extends Event {
  target: any;
}
interface ElementMouseEvent extends MouseEvent {
  target: any;
}
interface ElementKeyEvent extends KeyboardEvent {
  target: any;
}
interface ElementFocusEvent extends FocusEvent {
  target: any;
}

// The events of a service worker, which shares the other names with a page.
interface Window {
  skipWaiting(): Promise<void>;
}
interface ServiceWorkerFetchEvent extends Event {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
