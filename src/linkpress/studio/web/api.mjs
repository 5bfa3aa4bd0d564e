// Requests to the studio's server, and the events that it sends.

import { say } from "./dom.mjs";

export const windowId = crypto.randomUUID();

export class Refused extends Error {}
export class Conflict extends Error { constructor(clashes) { super(); this.clashes = clashes; } }

async function checked(response) {
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({ refused: response.statusText }));
  if (answer.conflict) throw new Conflict(answer.conflict);
  throw new Refused(answer.refused);
}

export async function ask(name, query = {}) {
  const response = await fetch(`api/${name}?${new URLSearchParams({ ...query, window: windowId })}`);
  return (await checked(response)).json();
}

/** Request a drawing, as an SVG element; null if this window has requested a newer one since. */
export async function drawing(query) {
  const response = await fetch(`api/drawing?${new URLSearchParams({ ...query, window: windowId })}`);
  const text = await (await checked(response)).text();
  return text ? svgOf(text) : null;
}

export function svgOf(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

export async function send(name, content) {
  const body = JSON.stringify({ ...content, window: windowId });
  const keepalive = body.length < 32_000; // finish the request even if the window closes; browsers limit its size
  const response = await fetch(`api/${name}`, { method: "POST", headers: { "content-type": "application/json" }, body, keepalive })
    .catch(() => { throw new Refused(say("lost")); });
  return (await checked(response)).json();
}

/** Upload a picture into the folder of a book; the answer lists the pictures of the folder. */
export async function sendPicture(query, file) {
  const headers = { "content-type": "application/octet-stream" };
  const response = await fetch(`api/picture?${new URLSearchParams(query)}`, { method: "POST", headers, body: file });
  return (await checked(response)).json();
}

/**
 * Call `onEvent` with every event, and `onConnection` with whether the server is lost. A browser allows only six
 * connections to a server. So one window listens and passes the events on to the others. When it closes, the next
 * one listens.
 */
export function listen(onEvent, onConnection) {
  const windows = new BroadcastChannel("events");
  const handle = ({ event, isLost }) => { if (event) onEvent(event); else onConnection(isLost); };
  const publish = (message) => { windows.postMessage(message); handle(message); };
  windows.onmessage = ({ data }) => handle(data);
  navigator.locks.request("events", () => new Promise(() => {
    const source = new EventSource("api/events");
    source.onmessage = ({ data }) => publish({ event: JSON.parse(data) });
    source.onerror = () => publish({ isLost: true });
    source.onopen = () => publish({ isLost: false });
  }));
}
