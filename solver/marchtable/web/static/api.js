// Asking the service: every call is plain JSON in and out.

import { advised } from "./words.js";

export class RequestError extends Error {
  constructor(status, message, answer) {
    super(message);
    this.said = answer?.error?.message ?? message; // without the field
    this.status = status;
    this.answer = answer;
  }
}

let underWay = 0;
const tags = new WeakMap(); // the ETag that came with an answer

export const tagOf = (answer) => tags.get(answer);

let since = 0; // when the first of what is under way was asked
const SLOW = 3; // seconds after which the page says how long it has been asking

// While something is asked the page says so, for screen readers too.
function busy(by) {
  if (!underWay) since = Date.now();
  underWay += by;
  document.body.setAttribute("aria-busy", String(underWay > 0));
}

setInterval(() => {
  const shown = /** @type {HTMLElement | null} */ (document.querySelector("#working"));
  const seconds = Math.floor((Date.now() - since) / 1000);
  if (!shown) return;
  shown.hidden = !underWay || seconds < SLOW;
  if (!shown.hidden) shown.textContent = `Working: ${seconds} s`;
}, 500);

/**
 * @typedef {object} More
 * @property {object} [match] the answer that says what is to be changed; it is changed only if it still is so
 * @property {AbortSignal} [signal] ends the request
 * @property {boolean} [quiet] nobody waits for it, so the page is not busy
 */

/**
 * Send a request; raises {@link RequestError}.
 * @param {string} method @param {string} path @param {any} [body] @param {More} [more]
 * @returns {Promise<any>}
 */
export async function call(method, path, body, more = {}) {
  if (more.quiet) return called(method, path, body, more); // nobody waits for it
  busy(1);
  try {
    return await called(method, path, body, more);
  } finally {
    setTimeout(() => busy(-1)); // what follows at once is part of it
  }
}

const MESSAGES = new Set(["reason", "note", "title", "assumed", "notes"]);

// A value of an answer, messages in a player's words.
function read(key, value) {
  if (!MESSAGES.has(key)) return value;
  const inWords = (one) => (typeof one === "string" ? advised(one) : one);
  return Array.isArray(value) ? value.map(inWords) : inWords(value);
}

/** @param {string} method @param {string} path @param {any} body @param {More} more */
async function called(method, path, body, { match, signal }) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (match) headers["If-Match"] = tags.get(match);
  let response;
  try {
    response = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new RequestError(0, "The server does not answer. Check that you are online and that marchtable serve is running.");
  }
  const text = await response.text();
  let answer = null;
  try {
    answer = text ? JSON.parse(text, text.includes("`") ? read : undefined) : null;
  } catch {
    answer = null;
  }
  if (!response.ok) {
    const said = answer?.error?.message ?? answer?.detail ?? response.statusText;
    const field = answer?.error?.field && answer.error.field !== "log[0]" ? ` (${answer.error.field})` : "";
    throw new RequestError(response.status, `${said}${field}`, answer);
  }
  const tag = response.headers.get("ETag");
  if (tag && answer) tags.set(answer, tag);
  return answer;
}

// Files as they are sent: base64 in JSON.
export async function uploads(files) {
  return Promise.all([...files].map(async (file) => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return { name: file.name, data: btoa(text) };
  }));
}

/** @param {string} path @param {More} [more] */
export const get = (path, more) => call("GET", path, undefined, more);
/** @param {string} path @param {any} [body] @param {More} [more] */
export const ask = (path, body = {}, more) => call("POST", path, body, more);
