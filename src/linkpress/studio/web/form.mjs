// The form, drawn from the description of the models: every key has its field without a line of its own here.

import { ask } from "./api.mjs";
import { change, valueAt } from "./book.mjs";
import { button, el, marked, say } from "./dom.mjs";
import { levelExtras, outlookOf } from "./levels.mjs";

let tabs = [];

export async function loadForm(kind) { tabs = await ask("form", { kind }); }

export const formTabs = () => tabs.map((tab) => tab.name);

/** The fields of one tab. */
export function drawTab(name) {
  const tab = tabs.find((other) => other.name === name);
  const form = el("form", { class: "fields", onsubmit: (event) => event.preventDefault() }, ...tab.fields.map((field) => drawField(field, [field.key])));
  if (form.firstElementChild.matches("details")) form.firstElementChild.open = true;
  return form;
}

const idOf = (path) => `key-${path.join("-")}`;

/** Put the focus on the field of a key, or of the nearest key above it. */
export function focusKey(path) {
  for (let length = path.length; length > 0; length -= 1) {
    const found = document.getElementById(idOf(path.slice(0, length)));
    if (!found) continue;
    for (let above = found.closest("details"); above; above = above.parentElement.closest("details")) above.open = true;
    found.scrollIntoView({ block: "center" });
    (found.matches("input, select, textarea") ? found : found.querySelector("input, select, textarea, button") ?? found).focus();
    return true;
  }
  return false;
}

/** The tab that a key's field is on. */
export function tabOf(key) {
  return tabs.find((tab) => tab.fields.some((field) => field.key === key))?.name;
}

function drawField(field, path) {
  if (field.many && field.fields.length) return drawList(field, path);
  if (field.key === "week" && path.length === 1) return drawWeek(field, path);
  if (field.fields.length) return drawGroup(field, path);
  return drawValue(field, path);
}

const labelOf = (key) => key.replaceAll("_", " ").replace(/\b(isbn|id|qr|url)\b/, (short) => short.toUpperCase());

function drawGroup(field, path) {
  const value = valueAt(path);
  const isSet = value !== undefined && value !== null;
  const head = field.allowed ? drawValue(field, path) : null;
  const inner = field.fields.map((inside) => drawField(inside, [...path, inside.key]));
  return el("details", { class: "group", id: head ? undefined : idOf(path), open: isSet && typeof value === "object" },
    el("summary", {}, labelOf(field.key)),
    el("p", { class: "meaning" }, ...marked(field.meaning)), ...(head ? [head] : [switchOf(field, path, value)]), ...inner);
}

/** The week's recipe as seven cards; a day without keys has no issue. */
function drawWeek(field, path) {
  const first = new Set(["size", "paths", "grade", "stars"]);
  return el("section", { class: "list", id: idOf(path) }, ...field.fields.map((day) => {
    const own = [...path, day.key], isOn = valueAt(own) !== undefined;
    const inner = isOn ? day.fields.map((inside) => [inside, drawField(inside, [...own, inside.key])]) : [];
    const add = () => change("set", own, { size: "7", grade: "easy" });
    return el("fieldset", { class: "card", id: idOf(own) }, el("legend", {}, say(`weekdays.${day.key}`)),
      el("div", { class: "tools" }, isOn ? button("remove", () => change("unset", own), { class: "quiet" }) : button("addDay", add, { class: "quiet" })),
      ...(isOn ? [outlookOf(day.key), ...inner.filter(([inside]) => first.has(inside.key)).map(([, drawn]) => drawn),
        el("details", {}, el("summary", {}, say("moreKeys")), ...inner.filter(([inside]) => !first.has(inside.key)).map(([, drawn]) => drawn))] : [el("p", { class: "meaning" }, say("noIssue"))]));
  }));
}

/** A group that may be left out, as a cover, is switched on and off as a whole. */
function switchOf(field, path, value) {
  if (field.needed || field.default === "as below") return null;
  const on = value !== undefined && value !== null && value !== "no";
  const id = `${idOf(path)}-switch`;
  const fault = el("p", { class: "fault", role: "alert" });
  const box = el("input", {
    type: "checkbox", id, checked: on,
    onchange: async () => { fault.textContent = box.checked ? await change("set", path, "yes") : await change("unset", path); },
  });
  return el("div", { class: "field switch" }, box, el("label", { for: id }, labelOf(field.key)), fault);
}

function drawValue(field, path) {
  const id = idOf(path), value = valueAt(path), fault = el("p", { class: "fault", role: "alert", id: `${id}-fault` });
  const described = `${id}-meaning ${id}-fault`;
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    return el("div", { class: "field" }, el("span", { class: "label" }, labelOf(field.key)),
      el("p", { class: "meaning" }, ...marked(field.meaning)), el("p", { class: "meaning", id }, say("asFile")));
  }
  const control = controlOf(field, path, id, described, value, async (given) => {
    control.removeAttribute("aria-invalid");
    const empty = given === "";
    fault.textContent = empty && field.needed ? say("isNeeded")
      : empty ? (valueAt(path) === undefined ? "" : await change("unset", path))
        : await change("set", path, given);
    if (fault.textContent) control.setAttribute("aria-invalid", "true");
  });
  const reset = value === undefined || field.needed ? null
    : button("unset", async () => { document.getElementById(id).focus(); fault.textContent = await change("unset", path); }, { class: "quiet reset" });
  return el("div", { class: value === undefined ? "field usual" : "field" },
    el("label", { for: id }, labelOf(field.key)), control, reset, fault,
    el("p", { class: "meaning", id: `${id}-meaning` }, ...marked(field.meaning), " ", el("span", { class: "allowed" }, ...marked(allowedWords(field)))));
}

function allowedWords(field) {
  const usual = field.needed || field.default === "–" ? "" : ` ${say("default", { value: field.default })}`;
  return `${field.allowed}.${usual}`;
}

function controlOf(field, path, id, described, value, give) {
  const shared = { id, "aria-describedby": described };
  const text = Array.isArray(value) ? `[${value.join(", ")}]` : value ?? "";
  const usual = field.default.replaceAll("`", "");
  const isYesNo = field.schema.enum?.includes("yes");
  const choices = isYesNo ? ["yes", "no"] : field.choices;
  if (choices.length && !field.free || isYesNo) {
    return el("select", { ...shared, onchange: (event) => give(event.target.value) },
      el("option", { value: "" }, say("usual", { value: usual })),
      ...choices.map((choice) => el("option", { value: choice, selected: choice === String(text) }, choice)));
  }
  if (field.lines) {
    return el("textarea", { ...shared, rows: 4, value: text, onchange: (event) => give(event.target.value) });
  }
  const list = choices.length ? `${id}-list` : undefined;
  const input = el("input", {
    ...shared, list, value: text, placeholder: usual === "–" || field.needed ? "" : usual, autocomplete: "off",
    onchange: () => give(listOf(input.value)),
  });
  if (list) input.after(el("datalist", { id: list }, ...choices.map((choice) => el("option", { value: choice }))));
  if (!field.ink) return list ? el("span", {}, input, el("datalist", { id: list }, ...choices.map((choice) => el("option", { value: choice })))) : input;
  const colour = el("input", {
    type: "color", class: "colour", "aria-label": `${labelOf(field.key)}: #`, value: /^#[0-9a-f]{6}$/i.test(text) ? text : "#000000",
    onchange: () => give(colour.value.toUpperCase()),
  });
  return el("span", { class: "ink" }, input, colour);
}

/** A list is typed as in the file, in brackets. */
function listOf(text) {
  const inner = /^\s*\[(.*)\]\s*$/s.exec(text)?.[1];
  return inner === undefined ? text.trim() : inner.split(",").map((part) => part.trim()).filter(Boolean);
}

function drawList(field, path) {
  const entries = valueAt(path);
  const list = Array.isArray(entries) ? entries : [];
  const cards = list.map((entry, index) => drawCard(field, path, index, list));
  const adding = button(field.key === "levels" ? "addLevel" : "add", () => addEntry(field, path, list));
  return el("section", { class: "list", id: idOf(path) }, el("p", { class: "meaning" }, ...marked(field.meaning)), ...cards, adding);
}

async function addEntry(field, path, list) {
  const empty = () => [Object.fromEntries(field.fields.filter((inner) => inner.needed).map((inner) => [inner.key, "1"]))];
  await (list.length ? change("copy", [...path, list.length - 1]) : change("set", path, empty()));
  focusKey([...path, list.length]);
}

function move(path, list, from, to) {
  const order = [...list.keys()].filter((index) => index !== from);
  order.splice(to, 0, from);
  return change("order", path, order);
}

function drawCard(field, path, index, list) {
  const entry = list[index];
  /** A button of the card; the focus goes where the card went. */
  const tool = (word, act, to, attributes = {}) => button(word, async () => {
    await act();
    const there = document.getElementById(idOf([...path, to]));
    (there?.querySelector(`:enabled[data-tool="${word}"]`) ?? there)?.focus();
  }, { class: "quiet", "data-tool": word, ...attributes });
  const label = entry?.name ?? say("level", { number: index + 1 });
  const first = new Set(["name", "count", "size", "paths", "solids", "grade", "stars", "text", "title"]);
  const inner = field.fields.map((inside) => [inside, drawField(inside, [...path, index, inside.key])]);
  const card = el("fieldset", { class: "card", id: idOf([...path, index]), tabindex: -1, draggable: "true" },
    el("legend", {}, label),
    el("div", { class: "tools" },
      tool("up", () => move(path, list, index, index - 1), index - 1, { disabled: index === 0 }),
      tool("down", () => move(path, list, index, index + 1), index + 1, { disabled: index === list.length - 1 }),
      tool("copy", () => change("copy", [...path, index]), index + 1),
      tool("remove", () => change("unset", [...path, index]), Math.min(index, list.length - 2), { disabled: list.length === 1 })),
    ...(field.key === "levels" ? [levelExtras(index)] : []),
    ...inner.filter(([inside]) => first.has(inside.key)).map(([, drawn]) => drawn),
    el("details", {}, el("summary", {}, say("moreKeys")), ...inner.filter(([inside]) => !first.has(inside.key)).map(([, drawn]) => drawn)));
  card.addEventListener("dragstart", (event) => {
    if (event.target !== card) return;
    event.dataTransfer.setData("text/plain", String(index));
    event.dataTransfer.effectAllowed = "move";
  });
  card.addEventListener("dragover", (event) => event.preventDefault());
  card.addEventListener("drop", (event) => {
    event.preventDefault();
    const from = Number(event.dataTransfer.getData("text/plain"));
    if (Number.isInteger(from) && from !== index) move(path, list, from, index);
  });
  return card;
}

