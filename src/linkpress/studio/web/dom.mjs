// Small helpers for elements and words.

let words = {};

export async function loadWords() {
  words = await (await fetch("/web/words.en.json")).json();
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = say(element.dataset.word);
}

/** A phrase of the window, with what stands in braces filled in. */
export function say(key, values = {}) {
  const phrase = key.split(".").reduce((inner, step) => inner?.[step], words);
  return String(phrase ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** What something is called in a group of words; by its own name where the group lacks it. */
export const nameOf = (group, key, name = key) => words[group][key] ?? name;

/** The day that it is here; a Date's own text has the day at Greenwich. */
export const today = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

export const byId = (id) => document.getElementById(id);

/** What somebody changes on an element by hand: the name of its property. */
const handOf = (element) => (element.type === "checkbox" ? "checked" : { DETAILS: "open", INPUT: "value", SELECT: "value", TEXTAREA: "value" }[element.tagName]);

/** An element: attributes by name, handlers as on…, children as nodes or texts. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  element.handlers = Object.keys(attributes).filter((name) => name.startsWith("on"));
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    if (name.startsWith("on") || ["value", "checked", "hidden", "disabled"].includes(name)) element[name] = value;
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  element.drawn = element[handOf(element)];
  return element;
}

// What was changed by hand is handed on now, and no longer kept from what is drawn.
addEventListener("change", ({ target }) => { target.drawn = target[handOf(target)]; }, true);

export const button = (word, onclick, attributes = {}) =>
  el("button", { type: "button", onclick, ...attributes }, say(word));

/**
 * Draw a part of the window anew in its place. An element that was there before stays, and with it the focus, what is
 * being typed into it, a list that it has folded out, a click that has begun; only what is different is changed. So a
 * handler asks the page, and not the elements that it was drawn with.
 */
export function refill(part, ...children) {
  const was = document.activeElement, above = [];
  if (part.contains(was)) for (let place = was; place !== part; place = place.parentElement) above.push(place);
  fill(part, children.filter(Boolean));
  if (!above.length || document.activeElement === was) return;
  const near = above.find((place) => place !== was && place.isConnected) ?? part;
  const again = was.isConnected && !was.disabled ? was : (was.id && byId(was.id)) || near.querySelector(".chief, button, select, input") || near;
  again.focus({ preventScroll: true });
}

const keyOf = (node) => node.id || (node.tagName === "BUTTON" ? node.textContent : node.nodeName);

function fill(part, children) {
  const old = Map.groupBy(part.childNodes, keyOf);
  const kept = children.map((child) => {
    const before = old.get(keyOf(child))?.shift();
    if (before?.nodeName !== child.nodeName) return child;
    become(before, child);
    return before;
  });
  const staying = new Set(kept);
  for (const node of [...part.childNodes]) if (!staying.has(node)) node.remove();
  let place = part.firstChild;
  for (const node of kept) {
    if (node === place) place = place.nextSibling;
    else part.insertBefore(node, place);
  }
}

/** Make an element what another one is, but for what was done to it by hand since it was drawn. */
function become(old, fresh) {
  if (!old.attributes) { if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue; return; }
  const hand = handOf(old);
  for (const { name } of [...old.attributes]) if (name !== hand && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (name === hand || old.getAttribute(name) === value) continue;
    if (name === "style") old.style.cssText = value; // which the page's policy allows, and the attribute not
    else old.setAttribute(name, value);
  }
  for (const name of new Set([...(old.handlers ?? []), ...(fresh.handlers ?? [])])) old[name] = fresh[name];
  old.handlers = fresh.handlers;
  if (!fresh.hasAttribute("data-own")) fill(old, [...fresh.childNodes]); // else it is filled by whoever drew it
  if (!hand || fresh.drawn === old.drawn) return;
  if (old !== document.activeElement || old[hand] === old.drawn) old[hand] = fresh.drawn;
  old.drawn = fresh.drawn;
}

/** A text whose words between backticks stand in the type of a file. */
export const marked = (text) => text.split("`").map((part, index) => (index % 2 ? el("code", {}, part) : part));

let toastEnds;

/** Say something that goes away by itself. */
export function toast(text) {
  const place = byId("toast");
  place.textContent = text;
  place.hidePopover();
  place.showPopover(); // above a dialog, too
  clearTimeout(toastEnds);
  toastEnds = setTimeout(() => place.hidePopover(), 6000);
}

/** Open the dialog with some content; it closes by Escape, its button, and its backdrop. */
export function openDialog(label, ...content) {
  const dialog = byId("dialog");
  if (!dialog.open) dialog.replaceChildren(); // nothing stays of another dialog
  refill(dialog, el("div", { class: "head" }, el("h2", {}, label), button("close", () => dialog.close(), { class: "quiet" })), ...content);
  dialog.setAttribute("aria-label", label);
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  if (!dialog.open) dialog.showModal();
  return dialog;
}

/** Return a function that does a task after a pause, once for many calls; never twice at a time, and again if it was called meanwhile. */
export function afterPause(pauseMs, task) {
  let waiting, isAtWork = false, isWanted = false;
  const work = async () => {
    if (isAtWork) { isWanted = true; return; }
    [isAtWork, isWanted] = [true, false];
    await Promise.resolve(task()).finally(() => { isAtWork = false; if (isWanted) work(); });
  };
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(work, pauseMs);
  };
}
