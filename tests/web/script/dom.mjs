// As much of a document as the page's panels need to be made and read.

class Node {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, children: [], listeners: {}, className: "", value: "" });
  }
  setAttribute(name, value) { this.attributes[name] = value; }
  getAttribute(name) { return this.attributes[name] ?? null; }
  addEventListener(name, does) { this.listeners[name] = does; }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  scrollIntoView() {}
  focus() {}
  get textContent() { return this.children.map((one) => one.textContent ?? String(one)).join(""); }
  set textContent(text) { this.children = [text]; }
  get all() { return [this, ...this.children.flatMap((one) => one.all ?? [])]; }
}

globalThis.document = /** @type {any} */ ({ createElement: (tag) => new Node(tag), querySelector: () => null, getElementById: () => null, body: new Node("body") });
const storage = (kept = new Map()) => /** @type {any} */ ({ getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text), removeItem: (name) => kept.delete(name) });
globalThis.localStorage = storage();
globalThis.sessionStorage = storage();
globalThis.addEventListener = () => {};
globalThis.setInterval = /** @type {any} */ (() => 0);

// All elements of what a panel returns, its text, and a click on the button with those words.
export const elements = (parts) => [parts].flat(Infinity).filter(Boolean).flatMap((one) => one.all ?? []);
export const read = (parts) => [parts].flat(Infinity).filter(Boolean).map((one) => one.textContent ?? one).join("\n");
export const buttons = (parts) => elements(parts).filter((one) => one.tag === "button").map((one) => one.textContent);
export const click = (parts, words) => elements(parts).find((one) => one.tag === "button" && one.textContent === words).listeners.click();
