// The form. It is drawn from the server's description of all keys, so that no key needs code of its own here.

import { ask, Conflict, sendPicture } from "./api.mjs";
import { allDone, book, change, isSettled, reload, save, step, valueAt } from "./book.mjs";
import { button, byId, el, marked, nameOf, openDialog, quiet, refill, say, toast, userProperty } from "./dom.mjs";
import { drawPreview, refreshGallery } from "./gallery.mjs";
import { onLevels, outlookOf, samplesOf } from "./levels.mjs";
import { showView } from "./pages.mjs";
import { select, selection } from "./selection.mjs";

let form = { fields: [], parts: [] }, shown = "";
// Refused values by the ids of their fields, each with the message and the value that the file keeps.
const refused = new Map();
// For each key of the cover, the keys that contradict it.
const DESIGN = ["design", "palette", "initial"];
const CONTRARY = {
  design: ["front", "puzzle", "accent"], front: [...DESIGN, "image", "puzzle", "badge"],
  image: ["front"], puzzle: [...DESIGN, "front"], badge: ["front"], accent: DESIGN,
};
const typedIds = new Set(); // ids of lists that were replaced by a text field, to type another value

export async function loadForm(kind) { form = await ask("form", { kind }); refused.clear(); }

export const choicesOf = (path) => fieldAt(path).choices;

const fieldAt = (path) => path.reduce((fields, key) => fields.fields.find((field) => field.key === key), form);

/** Yield the path of each setting. A setting of a list is yielded for each entry of the list. */
export function* settingPaths(fields = form.fields, path = []) {
  for (const field of fields) {
    const own = [...path, field.key], isList = field.many && field.fields.length;
    if (partOf(own)) yield own;
    for (const place of isList ? [valueAt(own) ?? []].flat().map((_, index) => [...own, index]) : [own]) yield* settingPaths(field.fields, place);
  }
}

export const partNames = () => form.parts.flatMap(({ name }) => (name === "levels" ? [valueAt(["levels"]) ?? []].flat().map((_, index) => `levels/${index}`) : name));

export function nameOfPart(name) {
  const [list, index] = name.split("/"), level = index && valueAt(["levels", index]);
  return index ? level?.title ?? level?.name ?? say("level", { number: Number(index) + 1 }) : say(`parts.${list}`);
}

/** Return the part with the field of a key, or undefined. A key that two parts have belongs to the preferred one. */
export function partOf(key, preferred = selection.part) {
  for (let length = key.length; length > 0; length -= 1) {
    const name = key.slice(0, length).join("."), parts = ["keys", "more"].flatMap((list) => form.parts.filter((part) => part[list].includes(name)).map((part) => part.name));
    const part = parts.includes(preferred) ? preferred : parts[0] === "levels" ? `levels/${key[1] ?? 0}` : parts[0];
    if (partNames().includes(part)) return part;
  }
  return undefined;
}

export const keysOfPart = (name) => form.parts.find((part) => part.name === name).keys.map((key) => key.split("."));

export const keyOfPart = (name) => (name.includes("/") ? ["levels", Number(name.split("/")[1])] : keysOfPart(name)[0]);

export function drawPart(name) {
  if (shown !== name) typedIds.clear();
  shown = name;
  const [list, index] = name.split("/"), part = form.parts.find((other) => other.name === list), levels = valueAt(["levels"]);
  const fields = (keys) => keys.map((key) => key.split(".")).map((path) => drawField(fieldAt(path), path));
  const inner = !index ? fields(part.keys) : levels?.[index] ? [drawCard(fieldAt(["levels"]), ["levels"], Number(index), levels)] : [];
  const drawn = el("form.fields", { id: "form", inert: book.unreadable !== null, onsubmit: (event) => event.preventDefault() }, inner,
    part.more.length > 0 && el("details.group", { id: "all-settings" }, el("summary", say("allSettings")), fields(part.more)));
  const own = drawn.firstElementChild;
  drawn.prepend(drawReading() ?? "", name === "cover" ? drawPreview() : "", name === "looks" ? quiet("otherLook", () => showView("designs")) : "");
  if (!own?.matches("details")) return drawn;
  own.firstElementChild.remove(); // the name of the part makes it needless
  own.replaceWith(el("section.fields", { id: own.id }, ...own.childNodes));
  return drawn;
}

function drawReading({ saved, reading } = book) {
  return reading && el("section.reading", { id: "reading" }, el("p", say("reading"), " ", !saved && say("readingUnsaved")), drawMeaning(),
    el("details", { id: "reading-changes" }, el("summary", say("readingChanges")), el("ul", reading.changes.filter((line) => line[0] !== " ").map((line) => el("li", inLabels(line))))),
    !saved && el("div.tools", quiet("saveReading", save), quiet("asTyped", () => step("undo"))));
}

function drawMeaning({ saved, reading } = book) {
  const free = saved ? null : reading?.free ?? null;
  return free !== null && el("div.asks", { role: "note" }, say(free ? "sharesOnPaths" : "sharesSolid"), " ", quiet(free ? "areSolid" : "areOnPaths", () => reload({ free: !free })));
}

/** Return the parts of a line about a change. The user's words are shown as code, and linkpress's keys by their labels. */
function inLabels(line) {
  const [typed, change] = line.split(/ is (?:read as|left out)/), typedCount = change ? typed.split("`").length : 0;
  const labelled = (part) => part.replace(/^[a-z_.]+(?=$|:)/, (path) => path.split(".").map(labelOf).join(" › "));
  return marked(line).map((part, index) => (index % 2 && index >= typedCount ? el("strong.label", labelled(part.textContent)) : part));
}

export function refreshForm() {
  const place = byId("form");
  if (place && isSettled()) { refill(place.parentElement, drawPart(shown)); refreshGallery(); }
}

onLevels(refreshForm);

/** Make a change that belongs to no field, and show the book with it, or the message if it is refused. Return whether it was made. */
export async function act(kind, path, value) {
  const words = await change(kind, path, value);
  await allDone();
  if (words) toast(words);
  return !words;
}

const idOf = (path) => `key-${path.join("-")}`;

/** Put back the file's value into a field whose text is not written yet, or was refused. Return whether it is such a field. */
export function dropTyped(field) {
  const isRefused = refused.delete(field.id.replace(/-(to|unit)$/, "")), property = userProperty(field);
  const isTyped = Boolean(property) && field[property] !== field.drawn;
  if (isTyped) field[property] = field.drawn;
  if (isRefused) refreshForm();
  return isTyped || isRefused;
}

export const labelsOf = (path) => path.map((step) => (Number.isInteger(step) ? step + 1 : labelOf(step))).join(" › ");

export function tint(path) {
  const field = path.map((_, index) => byId(idOf(path.slice(0, path.length - index)))).find(Boolean);
  field?.closest(".field, fieldset, details")?.animate([{ backgroundColor: "#e8a33d80" }, {}], 1500);
}

/** Focus the field of a key, or of the nearest key above it. Return whether there is one. */
export function focusKey(path) {
  for (let length = path.length; length > 0; length -= 1) {
    const found = byId(idOf(path.slice(0, length)));
    if (!found) continue;
    for (let above = found.closest("details"); above; above = above.parentElement.closest("details")) above.open = true;
    found.scrollIntoView({ block: "center" });
    const controls = "input:enabled, select, textarea";
    (found.matches(controls) ? found : found.querySelector(controls) ?? found.querySelector("button:enabled") ?? found).focus();
    return true;
  }
  return false;
}

function drawField(field, path) {
  if (field.many && field.fields.length) return drawList(field, path);
  if (field.key === "editions" && path.length === 1) return drawEditions(field, path);
  if (field.key === "week" && path.length === 1) return drawWeek(field, path);
  if (field.fields.length) return drawGroup(field, path);
  return drawValue(field, path);
}

export function labelOf(key) {
  return nameOf("keys", key, String(key).replace(/_(mm|pt)$/, " ($1)").replaceAll("_", " "));
}

function drawGroup(field, path) {
  const value = valueAt(path);
  const isSet = value !== undefined && value !== null;
  const head = field.allowed ? [drawValue(field, path)] : [el("p.meaning", marked(field.meaning)), switchOf(field, path, value)];
  const isElsewhere = (key) => form.parts.some(({ keys, more }) => keys.includes(key) || more.includes(key));
  const inner = field.fields.filter(({ key }) => !isElsewhere([...path, key].join("."))).map((inside) => drawField(inside, [...path, inside.key])), question = field.key === "solids" && drawMeaning();
  return el("details.group", { id: field.allowed ? undefined : idOf(path), open: Boolean(question) || (isSet && typeof value === "object") },
    el("summary", labelOf(field.key)), question, head, inner);
}

function drawWeek(field, path) {
  const first = new Set(["size", "difficulty", "paths"]);
  return el("section.list", { id: idOf(path) }, field.fields.map((day) => {
    const own = [...path, day.key], isOn = valueAt(own) !== undefined;
    const inner = isOn ? day.fields.map((inside) => [inside, drawField(inside, [...own, inside.key])]) : [];
    const add = () => act("set", own, { size: "7", difficulty: "easy" });
    return el("fieldset.card", { id: idOf(own) }, el("legend", say(`weekdays.${day.key}`)),
      el("div.tools", isOn ? quiet("remove", () => act("unset", own)) : quiet("addDay", add)),
      isOn ? [outlookOf(own), ...inner.filter(([inside]) => first.has(inside.key)).map(([, drawn]) => drawn),
        el("details", el("summary", say("moreKeys")), inner.filter(([inside]) => !first.has(inside.key)).map(([, drawn]) => drawn))] : el("p.meaning", say("noIssue")));
  }));
}

/** Draw the other editions as cards with their differences. An empty field means: as in the book. */
function drawEditions(field, path) {
  const editions = valueAt(path) ?? {}, levels = valueAt(["levels"]) ?? [];
  const titleOfLevel = fieldAt(["levels", "title"]);
  const drawKey = (inside, own) => drawValue({ ...inside, needed: false, default: inside.key === "isbn" ? inside.default : say("asBook") }, own);
  const names = levels.map(({ title, name }) => ({ title: title ?? name }));
  const cards = Object.entries(editions).map(([name, keys]) => {
    const own = [...path, name], titles = Array.isArray(keys?.levels) ? levels : [], left = untranslated(name);
    return el("fieldset.card", { id: idOf(own) }, el("legend", nameOf("choices", name)),
      el("div.tools", quiet("remove", () => act("unset", own))),
      left && el("div.asks", left, !titles.length && quiet("titleLevels", () => act("set", [...own, "levels"], names))),
      ["language", "title", "subtitle", "isbn"].map((key) => drawKey(fieldAt([key]), [...own, key])),
      titles.map((level, index) => drawKey({ ...titleOfLevel, key: level.name }, [...own, "levels", index, "title"])));
  });
  const languages = fieldAt(["language"]).choices.filter((code) => !(code in editions) && code !== (valueAt(["language"]) ?? "en"));
  const add = async () => {
    const language = byId("new-edition").value;
    if (await act("set", [...path, language], { language, levels: names })) focusKey([...path, language, "title"]);
  };
  return el("section.list", { id: idOf(path) }, el("h2", labelOf(field.key)), el("p.meaning", marked(field.meaning)), cards,
    el("div.tools", el("label", { for: "new-edition" }, say("editionIn")), el("select", { id: "new-edition" }, optionsOf(languages, byId("new-edition")?.value)), button("add", add)));
}

/** Say which texts of an edition are those of the book, though its language is another; empty if none are. */
export function untranslated(name) {
  const { left, language } = book.facts?.editions.find((edition) => edition.name === name) ?? { left: [] };
  const what = left.map((key) => (key[0] === "levels" ? nameOfPart(`levels/${key[1]}`) : labelsOf(key))).join(", ");
  return left.length && say("notTranslated", { what, from: nameOf("choices", book.facts.language), to: nameOf("choices", language) });
}

/** Draw a switch for a group that the book may leave out, such as the cover; null if the group needs no switch. */
function switchOf(field, path, value) {
  const isOn = value !== undefined && value !== null && value !== "no";
  if (field.default === "none" && isOn) return quiet("remove", () => act("unset", path));
  if (field.default !== "no") return null;
  const id = `${idOf(path)}-switch`;
  const turn = async ({ target }) => { if (!(await (target.checked ? act("set", path, "yes") : act("unset", path)))) refreshForm(); };
  return el("div.field.switch", el("input", { type: "checkbox", id, checked: isOn, onchange: turn }), el("label", { for: id }, say("wanted")));
}

function drawValue(field, path) {
  const id = idOf(path), value = valueAt(path), described = `${id}-meaning ${id}-error`;
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    return el("div.field", el("span.label", labelOf(field.key)),
      el("p.meaning", marked(field.meaning)), el("p.meaning", { id }, say("asFile")));
  }
  if (refused.has(id) && refused.get(id).value !== JSON.stringify(value)) refused.delete(id); // another program has changed it since
  const stays = refused.get(id);
  const shared = { id, "aria-describedby": described, "aria-invalid": stays && "true" };
  const control = controlOf(field, path, shared, stays ? stays.given : value, (given) => give(field, path, given));
  const reset = (value !== undefined || stays) && !field.needed && button("unset", () => { byId(id).focus(); give(field, path, ""); }, { class: "quiet reset" });
  return el("div", { class: value === undefined ? "field usual" : "field", "data-path": JSON.stringify(path) },
    el("label", { for: id, title: path.join(".") }, labelOf(field.key)), control, reset,
    el("p.error", { role: "alert", id: `${id}-error` }, marked(stays?.words ?? "")), wayOut(path, stays?.given ?? value),
    el("p.meaning", { id: `${id}-meaning` }, marked(field.meaning), " ", !control.matches("select, .picture") && el("span.allowed", marked(allowedWords(field)))));
}

/** Write the value of a field. A refused value stays in the field, with the message. */
async function give(field, path, given) {
  const id = idOf(path), value = valueAt(path);
  typedIds.delete(id);
  refused.delete(id);
  let words = "";
  if (given !== "") words = await change("set", path, given);
  else if (field.needed) words = say("isNeeded");
  else if (value !== undefined) words = await change("unset", path);
  if (words) refused.set(id, { given, words, value: JSON.stringify(valueAt(path)) });
  if (words && shown && !byId(id)) toast(`${labelOf(field.key)}: ${words}`);
  if (words || value === undefined) refreshForm();
}

function allowedWords(field) {
  const usual = field.needed || field.default === "–" ? "" : ` ${say("default", { value: field.default })}`;
  return `${field.allowed[0].toUpperCase()}${field.allowed.slice(1)}.${usual}`;
}

function controlOf(field, path, shared, value, give) {
  if (field.control === "picture") return pictureOf(controlOf({ ...field, control: "", choices: book.facts?.pictures ?? [] }, path, shared, value, give), give);
  const text = !Array.isArray(value) ? String(value ?? "") : field.many ? value.join(", ") : `[${value.join(", ")}]`;
  const usual = field.default.replaceAll("`", ""), hint = usual === "–" || field.needed ? "" : usual;
  const typed = (attributes) => el("input", {
    ...shared, list: `offers-${field.key}`, value: text, placeholder: hint, autocomplete: "off",
    onchange: ({ target }) => give(target.value.trim() && listOf(target.value, field.many)), ...attributes,
  });
  const ends = field.control === "range" && /^([^\s–-]*)(?:\s*[–-]\s*([^\s–-]+))?$/.exec(text);
  if (ends) return rangeOf(field, shared, ends, hint, give);
  const length = field.control === "length" && (/^([\d.]*) ?(in|mm|pt)?$/.exec(text)
    ?? (shared["aria-invalid"] && [text, text, /(in|mm|pt)$/.exec(valueAt(path))?.[1]]));
  if (length) return lengthOf(typed, shared.id, length, give);
  if (field.control === "lines") return el("textarea", { ...shared, rows: 4, value: text, onchange: ({ target }) => give(target.value) });
  if (field.control === "ink") {
    const colour = /^#[0-9a-f]{6}$/i.test(text) ? text : book.facts?.inks[path.join(".")]; // of `K40`, and of an empty field
    return el("span.ink", typed(), colour && el("input", {
      type: "color", class: "colour", list: "offers-ink", "aria-label": `${labelOf(field.key)}: ${text || hint}`, value: colour,
      onchange: ({ target }) => give(target.value.toUpperCase()),
    }));
  }
  if (!field.choices.length || (text && !field.choices.includes(text))) return typed();
  if (typedIds.has(shared.id)) return typed({ value: "" });
  const choose = ({ target }) => {
    if (target.selectedIndex <= field.choices.length) { give(target.value); return; }
    typedIds.add(shared.id);
    refreshForm();
    byId(shared.id).focus();
  };
  return el("select", { ...shared, onchange: choose }, el("option", { value: "" }, hint ? say("usual", { value: nameOf("choices", hint) }) : "–"),
    optionsOf(field.choices, text), field.free && el("option", { value: "" }, say("other")));
}

const optionsOf = (choices, chosen) => choices.map((choice) => el("option", { value: choice, selected: choice === chosen }, nameOf("choices", choice)));

async function upload(file) {
  const query = { file: book.file, name: file.name }, MB = 1 << 20;
  if (file.size > 64 * MB) { toast(say("pictureLarge")); return ""; }
  let answer = await sendPicture(query, file).catch((error) => { if (!(error instanceof Conflict)) throw error; });
  if (!answer && confirm(say("pictureThere", query))) answer = await sendPicture({ ...query, instead: 1 }, file);
  if (!answer || query.file !== book.file) return "";
  if (book.facts) book.facts.pictures = answer.pictures;
  return file.name;
}

/** Ask what a picture is for that was dropped anywhere in the window. Call `show` with the key that it is for. */
export function dropPicture(file, show) {
  if (book.kind !== "book" || book.unreadable !== null || !/^image\/(jpeg|png)$/.test(file?.type)) { toast(say("dropNothing")); return; }
  const use = (word, key, keysOf) => button(word, async () => {
    dialog.close();
    const name = await upload(file);
    if (name && await act("merge", [key], keysOf(name))) show([key]);
  });
  const dialog = openDialog(say("dropWhere", file), el("div.tools",
    use("dropImage", "cover", (name) => inPlace("image", name)), use("dropFront", "cover", (name) => inPlace("front", name)),
    use("dropPages", "page", (image) => ({ bleed: "yes", background: { image } }))));
}

/** Return the keys of the cover to change so that a key has a value and nothing contradicts it. */
export const inPlace = (key, value) => ({ [key]: value, ...Object.fromEntries(contraryTo(key).map((other) => [other, null])) });

const contraryTo = (key) => (CONTRARY[key] ?? []).filter((other) => valueAt(["cover", other]) !== undefined);

/** Offer to keep a key of the cover and to leave out those that contradict it. */
function wayOut([first, key], value) {
  const others = first === "cover" && value !== undefined ? contraryTo(key) : [];
  return others.length > 0 && el("p", el("button.quiet", { onclick: async () => {
    refused.clear();
    if (!await act("merge", ["cover"], inPlace(key, value))) refreshForm();
  } }, say("inPlaceOf", { what: others.map(labelOf).join(", ") })));
}

function pictureOf(control, give) {
  const take = async (file) => { const name = file && await upload(file); if (name) give(name); };
  const drop = (event) => { event.preventDefault(); take(event.dataTransfer.files[0]); };
  return el("span.picture", { ondragover: (event) => event.preventDefault(), ondrop: drop }, control,
    el("label.button", say("choosePicture"), el("input", { type: "file", accept: "image/jpeg,image/png", onchange: ({ target }) => take(target.files[0]) })));
}

function rangeOf(field, shared, [, from, to = ""], hint, give) {
  const lastId = `${shared.id}-to`;
  const both = () => {
    const [low, high] = [shared.id, lastId].map((id) => byId(id).value.trim());
    give(low && high && low !== high ? `${low}-${high}` : low || high);
  };
  const end = (attributes, value, word) => (field.choices.length
    ? el("select", { ...attributes, onchange: both }, el("option", { value: "" }, word), optionsOf(field.choices, value))
    : el("input", { ...attributes, value, placeholder: word, inputmode: "numeric", autocomplete: "off", onchange: both }));
  return el("span.ends", end(shared, from, hint || "–"), say("to"),
    end({ id: lastId, "aria-label": `${labelOf(field.key)}, ${say("to")}` }, to, "–"));
}

function lengthOf(typed, id, [, number, unit = "mm"], give) {
  const unitId = `${id}-unit`;
  const write = () => { const given = byId(id).value.trim(); give(/^[\d.]+$/.test(given) ? given + byId(unitId).value : given); };
  return el("span.ends", typed({ value: number, onchange: write }),
    el("select", { id: unitId, "aria-label": say("unit"), onchange: () => { if (byId(id).value) write(); } }, optionsOf(["in", "mm", "pt"], unit)));
}

/** Read a list, which is typed with commas. Where a single value is possible too, a list has brackets as in the file. */
function listOf(text, isList) {
  const inner = /^\s*\[(.*)\]\s*$/s.exec(text)?.[1] ?? (isList ? text : undefined);
  return inner === undefined ? text.trim() : inner.split(",").map((part) => part.trim()).filter(Boolean);
}

function drawList(field, path) {
  const entries = valueAt(path);
  const list = Array.isArray(entries) ? entries : [];
  const cards = list.map((entry, index) => drawCard(field, path, index, list));
  const adding = button("add", () => addEntry(field, path));
  return el("section.list", { id: idOf(path) }, el("h2", labelOf(field.key)), el("p.meaning", marked(field.meaning)), cards, adding);
}

async function addEntry(field, path) {
  const count = valueAt(path)?.length ?? 0;
  const empty = () => [Object.fromEntries(field.fields.filter((inner) => inner.needed).map((inner) => [inner.key, "1"]))];
  if (!(await (count ? act("copy", [...path, count - 1]) : act("set", path, empty())))) return;
  if (field.key === "levels") select(`levels/${count}`, [...path, count]);
  focusKey([...path, count]);
}

export const addLevel = () => addEntry(fieldAt(["levels"]), ["levels"]);

export async function moveLevel(from, to, isFocused = false) {
  if (!(await move(["levels"], from, to))) return;
  select(`levels/${to}`, ["levels", to]);
  if (isFocused) byId(`part-levels-${to}`).focus();
}

function move(path, from, to) {
  const order = [...valueAt(path).keys()].filter((index) => index !== from);
  order.splice(to, 0, from);
  return act("order", path, order);
}

function drawCard(field, path, index, list) {
  const entry = list[index], isLevel = field.key === "levels";
  /** Draw a button of the card. After the click the focus follows the card. */
  const tool = (word, task, to, attributes = {}) => quiet(word, async () => {
    if (!(await task())) return;
    if (isLevel) select(`levels/${to}`, [...path, to]);
    const moved = byId(idOf([...path, to]));
    (moved?.querySelector(`:enabled[data-tool="${word}"]`) ?? moved)?.focus();
  }, { "data-tool": word, ...attributes });
  const first = ["name", "title", "text", "count", "per_page", "size", "graph", "paths", "solids"], own = [...path, index];
  const inner = Map.groupBy(field.fields, ({ key }) => first.includes(key) && !(isLevel && key === "name")); // a new name would replace the puzzles of its level
  const draw = (inside) => drawField(isLevel && inside.key === "title" ? { ...inside, default: entry.name } : inside, [...own, inside.key]);
  const chief = first.flatMap((key) => (key === "graph" ? (isLevel ? [outlookOf(own), samplesOf(index)] : []) : (inner.get(true) ?? []).filter((inside) => inside.key === key).map(draw)));
  return el("fieldset.card", { id: idOf([...path, index]), "data-path": JSON.stringify([...path, index]), tabindex: -1 },
    el("legend", entry?.name ?? say("level", { number: index + 1 })),
    el("div.tools",
      tool("up", () => move(path, index, index - 1), index - 1, { disabled: index === 0 }),
      tool("down", () => move(path, index, index + 1), index + 1, { disabled: index === list.length - 1 }),
      tool("copy", () => act("copy", [...path, index]), index + 1),
      tool("remove", () => act("unset", [...path, index]), Math.min(index, list.length - 2), { disabled: list.length === 1 })),
    chief, el("details", el("summary", say("moreKeys")), inner.get(false)?.map(draw)));
}
