// Asks the studio's server, and hears what happens there.

import { say } from "./dom.mjs";

export const windowId = crypto.randomUUID();

export class Refused extends Error {}
export class Conflict extends Error {}

async function answered(response) {
  if (response.ok) return response;
  const told = await response.json().catch(() => ({ refused: response.statusText }));
  if (told.conflict) throw new Conflict();
  throw new Refused(told.refused);
}

/** Ask for JSON. */
export async function ask(name, query = {}) {
  const response = await fetch(`/api/${name}?${new URLSearchParams({ ...query, window: windowId })}`);
  return (await answered(response)).json();
}

/** Ask for a drawing, as an element; null if it is outdated by the time that it comes. */
export async function drawing(query) {
  const response = await fetch(`/api/drawing?${new URLSearchParams({ ...query, window: windowId })}`);
  const text = await (await answered(response)).text();
  return text ? svgOf(text) : null;
}

/** Make an element of a drawing's text. */
export function svgOf(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

/** Send a change, and return what the server answers. */
export async function send(name, content) {
  const body = JSON.stringify({ ...content, window: windowId }), keepalive = body.length < 32_000; // when the window closes
  const response = await fetch(`/api/${name}`, { method: "POST", headers: { "content-type": "application/json" }, body, keepalive })
    .catch(() => { throw new Refused(say("lost")); });
  return (await answered(response)).json();
}

/** Send a picture's file into the folder of a book; the answer lists those that are there. */
export async function sendPicture(query, file) {
  const headers = { "content-type": "application/octet-stream" };
  const response = await fetch(`/api/picture?${new URLSearchParams(query)}`, { method: "POST", headers, body: file });
  return (await answered(response)).json();
}

/**
 * Call `hear` with every event, and `lost` with whether the server is gone. Of all windows one listens and tells
 * the others, since a browser has six connections to a server; when it closes, the next one listens.
 */
export function listen(hear, lost) {
  const windows = new BroadcastChannel("events");
  const take = ({ event, isLost }) => { if (event) hear(event); else lost(isLost); };
  const tell = (told) => { windows.postMessage(told); take(told); };
  windows.onmessage = ({ data }) => take(data);
  navigator.locks.request("events", () => new Promise(() => {
    const source = new EventSource("/api/events");
    source.onmessage = ({ data }) => tell({ event: JSON.parse(data) });
    source.onerror = () => tell({ isLost: true });
    source.onopen = () => tell({ isLost: false });
  }));
}
