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

export const byId = (id) => document.getElementById(id);

/** An element: attributes by name, listeners as on…, children as nodes or texts. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "hidden" || name === "disabled") element[name] = value;
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const button = (word, onclick, attributes = {}) =>
  el("button", { type: "button", onclick, ...attributes }, say(word));

/** Draw a part of the window anew; whoever stood in it stays on what has the same id or the same words there. */
export function refill(part, ...children) {
  const was = document.activeElement, { id, tagName, textContent } = was;
  const alike = () => [...part.querySelectorAll(tagName)].filter((other) => other.textContent === textContent && !other.disabled);
  const place = part !== was && part.contains(was) ? alike().indexOf(was) : null;
  part.replaceChildren(...children.filter(Boolean));
  if (place === null) return;
  const again = (id && byId(id)) || alike()[place] || part.querySelector(".chief, button, select, input") || part;
  again.focus({ preventScroll: true });
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
  refill(dialog,
    el("div", { class: "head" }, el("h2", {}, label), button("close", () => dialog.close(), { class: "quiet" })),
    ...content,
  );
  dialog.setAttribute("aria-label", label);
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  if (!dialog.open) dialog.showModal();
  return dialog;
}

/** Return a function that calls another one after a pause, once for many calls. */
export function afterPause(pauseMs, task) {
  let waiting;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => task(...given), pauseMs);
  };
}
