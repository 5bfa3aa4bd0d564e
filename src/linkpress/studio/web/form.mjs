// The settings. They are drawn from the server's description of all keys, so that hardly a key needs code of its own.

import { act, allDone, ask, book, change, isSettled, reload, save, selection, sendPicture, step, svgOf, valueAt } from "./book.mjs";
import { button, byId, el, marked, meaning, nameOf, openDialog, quiet, refill, say, toast, userProperty } from "./dom.mjs";
import { go, select } from "./main.mjs";
import { drawPreview, refreshGallery, showView } from "./pages.mjs";

let form = { fields: [], parts: [] }, shown = "";
// Refused values by the ids of their fields, each with the message and the value that the file keeps.
const refused = new Map();
// For each key of the cover, the keys that contradict it.
const DESIGN = ["design", "palette", "initial"];
const CONTRARY = {
  design: ["front", "puzzle", "accent"], front: [...DESIGN, "image", "puzzle", "badge"],
  image: ["front"], puzzle: [...DESIGN, "front"], badge: ["front"], accent: DESIGN,
};
// The chief keys of a level, a weekday or a page of the user's, in their order. The graph stands for the forecast.
const CHIEF = ["name", "title", "text", "count", "per_page", "size", "graph", "paths", "solids"];
const typedIds = new Set(); // ids of lists that were replaced by a text field, to type another value

export async function loadForm(kind) { form = await ask("form", { kind }); refused.clear(); }

export const choicesOf = (path) => fieldAt(path).choices;

const fieldAt = (path) => path.reduce((fields, key) => fields.fields.find((field) => field.key === key), form);

const entriesAt = (path) => { const list = valueAt(path); return Array.isArray(list) ? list : []; };

/** Yield the path of each setting, and in lists of those of each entry. */
export function* settingPaths(fields = form.fields, path = []) {
  for (const field of fields) {
    const own = [...path, field.key], isList = field.many && field.fields.length;
    if (partOf(own)) yield own;
    for (const place of isList ? entriesAt(own).map((_, index) => [...own, index]) : [own]) yield* settingPaths(field.fields, place);
  }
}

export const partNames = () => form.parts.flatMap(({ name }) => (name === "levels" ? entriesAt(["levels"]).map((_, index) => `levels/${index}`) : name));

export const levelNames = () => partNames().filter((name) => name.startsWith("levels/"));

export const levelOfPart = (name) => (name.includes("/") ? valueAt(name.split("/")) : null);

export function nameOfPart(name) {
  const [list, index] = name.split("/"), level = levelOfPart(name);
  return index ? level?.title ?? level?.name ?? say("level", { number: Number(index) + 1 }) : say(`parts.${list}`);
}

/** Return the part of a key, if there is one. A key that two parts have belongs to the preferred one. */
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
  const [list, index] = name.split("/"), part = form.parts.find((other) => other.name === list);
  const fields = (keys) => keys.map((key) => key.split(".")).map((path) => drawField(fieldAt(path), path));
  const inner = !index ? fields(part.keys) : levelOfPart(name) ? [drawCard(fieldAt(["levels"]), ["levels"], Number(index))] : [];
  const [own] = inner;
  if (own?.matches("details")) { // the name of the part makes its switch and its name needless
    own.firstElementChild.remove();
    inner[0] = el("section.fields", { id: own.id }, [...own.childNodes]);
  }
  return el("form.fields", { id: "form", inert: book.unreadable !== null, onsubmit: (event) => event.preventDefault() },
    drawReading(), name === "cover" && drawPreview(), name === "looks" && quiet("otherLook", () => showView("designs")), inner,
    part.more.length > 0 && el("details.group", { id: "all-settings" }, el("summary", say("allSettings")), fields(part.more)));
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

/** Show the user's words in a line about a change as code, and linkpress's keys by their labels. */
function inLabels(line) {
  const [typed, change] = line.split(/ is (?:read as|left out)/), typedCount = change ? typed.split("`").length : 0;
  const labelled = (part) => part.replace(/^[a-z_.]+(?=$|:)/, (path) => labelsOf(path.split(".")));
  return marked(line).map((part, index) => (index % 2 && index >= typedCount ? el("strong.label", labelled(part.textContent)) : part));
}

export function refreshForm() {
  const place = byId("form");
  if (place && isSettled()) { refill(place.parentElement, drawPart(shown)); refreshGallery(); }
}

const idOf = (path) => `key-${path.join("-")}`;

/** Put back the file's value into a field whose text is not written yet, or was refused. Return whether it was one. */
export function dropTyped(field) {
  const isRefused = refused.delete(field.id.replace(/-(to|unit)$/, "")), property = userProperty(field);
  const isTyped = Boolean(property) && field[property] !== field.drawn;
  if (isTyped) field[property] = field.drawn;
  if (isRefused) refreshForm();
  return isTyped || isRefused;
}

const labelOf = (key) => nameOf("keys", key, String(key).replace(/_(mm|pt)$/, " ($1)").replaceAll("_", " "));

export const labelsOf = (path) => path.map((step) => (Number.isInteger(step) ? step + 1 : labelOf(step))).join(" › ");

const fieldOf = (path) => path.map((_, index) => byId(idOf(path.slice(0, path.length - index)))).find(Boolean);

export function tint(path) {
  fieldOf(path)?.closest(".field, fieldset, details")?.animate([{ backgroundColor: "#e8a33d80" }, {}], 1500);
}

/** Focus the field of a key, or of the nearest key above it. Return whether there is one. */
export function focusKey(path) {
  const found = fieldOf(path), controls = "input:enabled, select, textarea";
  if (!found) return false;
  for (let above = found.closest("details"); above; above = above.parentElement.closest("details")) above.open = true;
  found.scrollIntoView({ block: "center" });
  (found.matches(controls) ? found : found.querySelector(controls) ?? found.querySelector("button:enabled") ?? found).focus();
  return true;
}

function drawField(field, path) {
  if (field.many && field.fields.length) return drawList(field, path);
  const draw = path.length === 1 && { editions: drawEditions, week: drawWeek }[field.key];
  return (draw || (field.fields.length ? drawGroup : drawValue))(field, path);
}

function drawGroup(field, path) {
  const value = valueAt(path), question = field.key === "solids" && drawMeaning();
  return el("details.group", { id: !field.allowed && idOf(path), open: Boolean(question) || typeof (value ?? "") === "object" },
    el("summary", labelOf(field.key)), question, field.allowed ? drawValue(field, path) : [el("p.meaning", marked(field.meaning)), switchOf(field, path, value)],
    field.fields.filter(({ elsewhere }) => !elsewhere).map((inside) => drawField(inside, [...path, inside.key])));
}

/** Draw the fields of an entry such as a level: the chief ones in their order, and the others behind a switch. */
function drawEntry({ key, fields }, path) {
  const isLevel = key === "levels", isChief = (inside) => CHIEF.includes(inside.key) && !(isLevel && inside.key === "name"); // a new name would replace the puzzles of its level
  const draw = (inside) => drawField(isLevel && inside.key === "title" ? { ...inside, hint: valueAt(path).name } : inside, [...path, inside.key]);
  const graph = ["levels", "week"].includes(path[0]) && path.length === 2 && [outlookOf(path), isLevel && samplesOf(path[1])];
  return [CHIEF.map((name) => (name === "graph" ? graph : fields.filter((inside) => inside.key === name && isChief(inside)).map(draw))),
    el("details", el("summary", say("moreKeys")), fields.filter((inside) => !isChief(inside)).map(draw))];
}

const listed = (path, ...content) => el("section.list", { id: idOf(path) }, content);

const card = (path, name, tools, ...content) => el("fieldset.card", { id: idOf(path), "data-path": JSON.stringify(path), tabindex: -1 }, el("legend", name), el("div.tools", tools), content);

function drawWeek(field, path) {
  return listed(path, field.fields.map((day) => {
    const own = [...path, day.key], name = say(`weekdays.${day.key}`);
    if (valueAt(own) === undefined) return card(own, name, quiet("addDay", () => act("set", own, { size: "7", difficulty: "easy" })), meaning("noIssue"));
    return card(own, name, quiet("remove", () => act("unset", own)), drawEntry(day, own));
  }));
}

/** Draw the other editions with their differences. An empty field means: as in the book. */
function drawEditions(field, path) {
  const editions = valueAt(path) ?? {}, levels = entriesAt(["levels"]), names = levels.map(({ title, name }) => ({ title: title ?? name }));
  const drawKey = (inside, own) => drawValue({ ...inside, needed: false, hint: inside.key === "isbn" ? inside.hint : say("asBook") }, own);
  const cards = Object.entries(editions).map(([name, keys]) => {
    const own = [...path, name], titles = Array.isArray(keys?.levels) ? levels : [], left = untranslated(name);
    return card(own, nameOf("choices", name), quiet("remove", () => act("unset", own)),
      left && el("div.asks", left, !titles.length && quiet("titleLevels", () => act("set", [...own, "levels"], names))),
      ["language", "title", "subtitle", "isbn"].map((key) => drawKey(fieldAt([key]), [...own, key])),
      titles.map((level, index) => drawKey({ ...fieldAt(["levels", "title"]), key: level.name }, [...own, "levels", index, "title"])));
  });
  const languages = choicesOf(["language"]).filter((code) => !(code in editions) && code !== (valueAt(["language"]) ?? "en"));
  const add = async () => {
    const language = byId("new-edition").value;
    if (await act("set", [...path, language], { language, levels: names })) focusKey([...path, language, "title"]);
  };
  return listed(path, el("h2", labelOf(field.key)), el("p.meaning", marked(field.meaning)), cards,
    el("div.tools", el("label", { for: "new-edition" }, say("editionIn")), el("select", { id: "new-edition" }, optionsOf(languages, byId("new-edition")?.value)), button("add", add)));
}

/** Say which texts an edition has left in the language of the book. */
export const untranslated = (name) => book.facts?.editions.find((edition) => edition.name === name)?.note;

/** Draw a switch for a group that the book may leave out, such as the cover. */
function switchOf(field, path, value) {
  const isOn = (value ?? "no") !== "no", id = `${idOf(path)}-switch`;
  if (field.default === "none" && isOn) return quiet("remove", () => act("unset", path));
  const turn = async ({ target }) => { if (!await act(target.checked ? "set" : "unset", path, "yes")) refreshForm(); };
  return field.default === "no" && el("div.tools", el("input", { type: "checkbox", id, checked: isOn, onchange: turn }), el("label", { for: id }, say("wanted")));
}

function drawValue(field, path) {
  const id = idOf(path), value = valueAt(path);
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    return el("div.field", el("span.label", labelOf(field.key)), el("p.meaning", marked(field.meaning)), el("p.meaning", { id }, say("asFile")));
  }
  if (refused.get(id)?.value !== JSON.stringify(value)) refused.delete(id); // another program has changed it since
  const stays = refused.get(id), give = (given) => giveValue(field, path, given);
  const shared = { id, "aria-describedby": `${id}-meaning ${id}-error`, "aria-invalid": stays && "true" };
  const control = controlOf(field, path, shared, stays ? stays.given : value, give);
  return el(value === undefined ? "div.field.usual" : "div.field", { "data-path": JSON.stringify(path) },
    el("label", { for: id, title: path.join(".") }, labelOf(field.key)), control,
    (value !== undefined || stays) && !field.needed && button("unset", () => { byId(id).focus(); give(""); }, { class: "quiet reset" }),
    el("p.error", { role: "alert", id: `${id}-error` }, marked(stays?.words ?? "")), wayOut(path, stays?.given ?? value),
    el("p.meaning", { id: `${id}-meaning` }, marked(field.meaning), " ", !control.matches("select, .picture") && el("span.allowed", marked(field.allowed))));
}

/** Write the value of a field. A refused value stays in the field, with the message. */
async function giveValue(field, path, given) {
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

function controlOf(field, path, shared, value, give) {
  if (field.control === "picture") return pictureOf(controlOf({ ...field, control: "", choices: book.facts?.pictures ?? [] }, path, shared, value, give), give);
  const text = !Array.isArray(value) ? String(value ?? "") : field.many ? value.join(", ") : `[${value.join(", ")}]`, { hint } = field;
  const typed = (attributes) => el("input", {
    ...shared, list: `offers-${field.key}`, value: text, placeholder: hint, autocomplete: "off",
    onchange: ({ target }) => give(target.value.trim() && listOf(target.value, field.many)), ...attributes,
  });
  const ends = field.control === "range" && /^([^\s–-]*)(?:\s*[–-]\s*([^\s–-]+))?$/.exec(text);
  if (ends) return rangeOf(field, shared, ends, give);
  const length = field.control === "length" && (/^([\d.]*) ?(in|mm|pt)?$/.exec(text)
    ?? (shared["aria-invalid"] && [text, text, /(in|mm|pt)$/.exec(valueAt(path))?.[1]]));
  if (length) return lengthOf(typed, shared.id, length, give);
  if (field.control === "lines") return el("textarea", { ...shared, rows: 4, value: text, onchange: ({ target }) => give(target.value) });
  if (field.control === "ink") {
    const colour = /^#[0-9a-f]{6}$/i.test(text) ? text : book.facts?.inks[path.join(".")]; // an ink such as `K40`, or an empty field, has its colour from the server
    return el("span.ink", typed(), colour && el("input", {
      type: "color", list: "offers-ink", "aria-label": `${labelOf(field.key)}: ${text || hint}`, value: colour, onchange: ({ target }) => give(target.value.toUpperCase()),
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
  let answer = await sendPicture(query, file).catch((error) => { if (!error.clashes) throw error; });
  if (!answer && confirm(say("pictureThere", query))) answer = await sendPicture({ ...query, instead: 1 }, file);
  if (!answer || query.file !== book.file) return "";
  if (book.facts) book.facts.pictures = answer.pictures;
  return file.name;
}

/** Ask what a dropped picture is for. */
export function dropPicture(file) {
  if (book.kind !== "book" || book.unreadable !== null || !/^image\/(jpeg|png)$/.test(file?.type)) { toast(say("dropNothing")); return; }
  const use = (word, key, keysOf) => button(word, async () => {
    dialog.close();
    const name = await upload(file);
    if (name && await act("merge", [key], keysOf(name))) go(partOf([key]));
  });
  const dialog = openDialog(say("dropWhere", file), el("div.tools",
    use("dropImage", "cover", (name) => inPlace("image", name)), use("dropFront", "cover", (name) => inPlace("front", name)),
    use("dropPages", "page", (image) => ({ bleed: "yes", background: { image } }))));
}

/** Return the keys of the cover to change so that a key has a value and nothing contradicts it. */
export const inPlace = (key, value) => ({ [key]: value, ...Object.fromEntries(contraryTo(key).map((other) => [other, null])) });

const contraryTo = (key) => (CONTRARY[key] ?? []).filter((other) => valueAt(["cover", other]) !== undefined);

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

function rangeOf({ key, choices, hint }, shared, [, from, to = ""], give) {
  const lastId = `${shared.id}-to`;
  const both = () => {
    const [low, high] = [shared.id, lastId].map((id) => byId(id).value.trim());
    give(low && high && low !== high ? `${low}-${high}` : low || high);
  };
  const end = (attributes, value, word) => (choices.length
    ? el("select", { ...attributes, onchange: both }, el("option", { value: "" }, word), optionsOf(choices, value))
    : el("input", { ...attributes, value, placeholder: word, inputmode: "numeric", autocomplete: "off", onchange: both }));
  return el("span.ends", end(shared, from, hint || "–"), say("to"), end({ id: lastId, "aria-label": `${labelOf(key)}, ${say("to")}` }, to, "–"));
}

function lengthOf(typed, id, [, number, unit = "mm"], give) {
  const unitId = `${id}-unit`;
  const write = () => { const given = byId(id).value.trim(); give(/^[\d.]+$/.test(given) ? given + byId(unitId).value : given); };
  return el("span.ends", typed({ value: number, onchange: write }),
    el("select", { id: unitId, "aria-label": say("unit"), onchange: () => byId(id).value && write() }, optionsOf(["in", "mm", "pt"], unit)));
}

/** Read a list, which is typed with commas. Where a single value is possible too, a list has brackets as in the file. */
function listOf(text, isList) {
  const inner = /^\s*\[(.*)\]\s*$/s.exec(text)?.[1] ?? (isList ? text : undefined);
  return inner === undefined ? text.trim() : inner.split(",").map((part) => part.trim()).filter(Boolean);
}

function drawList(field, path) {
  return listed(path, el("h2", labelOf(field.key)), el("p.meaning", marked(field.meaning)),
    entriesAt(path).map((_, index) => drawCard(field, path, index)), button("add", () => addEntry(field, path)));
}

async function addEntry(field, path) {
  const { length } = entriesAt(path), fresh = field.fields.filter(({ needed }) => needed).map(({ key }) => [key, "1"]);
  if (!await (length ? act("copy", [...path, length - 1]) : act("set", path, [Object.fromEntries(fresh)]))) return;
  if (field.key === "levels") select(`levels/${length}`, [...path, length]);
  focusKey([...path, length]);
}

export const addLevel = () => addEntry(fieldAt(["levels"]), ["levels"]);

export async function moveLevel(from, to, isFocused = false) {
  if (!await move(["levels"], from, to)) return;
  select(`levels/${to}`, ["levels", to]);
  if (isFocused) byId(`part-levels-${to}`).focus();
}

function move(path, from, to) {
  const order = [...valueAt(path).keys()].filter((index) => index !== from);
  order.splice(to, 0, from);
  return act("order", path, order);
}

function drawCard(field, path, index) {
  const own = [...path, index], last = entriesAt(path).length - 1;
  // After a click the focus follows the card.
  const tool = (word, task, to, disabled = false) => quiet(word, async () => {
    if (!await task()) return;
    if (field.key === "levels") select(`levels/${to}`, [...path, to]);
    const moved = byId(idOf([...path, to]));
    (moved?.querySelector(`:enabled[data-tool="${word}"]`) ?? moved)?.focus();
  }, { "data-tool": word, disabled });
  return card(own, valueAt(own)?.name ?? say("level", { number: index + 1 }), [
    tool("up", () => move(path, index, index - 1), index - 1, index === 0), tool("down", () => move(path, index, index + 1), index + 1, index === last),
    tool("copy", () => act("copy", own), index + 1), tool("remove", () => act("unset", own), Math.min(index, last - 1), last === 0)], drawEntry(field, own));
}

// Sample boards by the keys that they depend on; null while they are being made. Without it, cards would flicker.
const samples = new Map();
let outlook = [], faulty = new Set(), turn = 0;
let trial = null; // the ends of a slider that is being moved, and the forecast with them when it has come

export function setOutlook(levels, problems, version) {
  const isOld = ({ name }) => problems.length && !levels.some((level) => level.name === name); // a wrong book has no forecast
  outlook = [...levels, ...outlook.filter(isOld)];
  if (trial?.version <= version) trial = null;
  faulty = new Set(problems.map(({ key }) => key.slice(0, 2).join("/")));
  refreshForm();
}

/** Draw the forecast of a level or of a weekday, given its path. Each size of a weekday has a forecast. */
function outlookOf(path) {
  const place = String(path[1]), name = valueAt([...path, "name"]) ?? place, tried = trial?.id === String(path) ? trial : null;
  const shown = outlook.filter((other) => other.name === name || (name === place && other.name.startsWith(`${name},`)));
  return el("div.outlook", shown.map((level, index) => [
    graphOf(path, tried?.levels?.find((other) => other.name === level.name) ?? level, tried, index === 0), level.state && waysOut(path, level)]));
}

const shareWords = (share) => (share < 5e-4 ? say("none") : share < 0.01 ? say("oneIn", { count: Math.round(1 / share) }) : `${Math.round(100 * share)}%`);

function graphOf(path, { difficulties, state, words }, tried, isChosen) {
  const last = difficulties.length - 1, sentence = el("p", { role: "status" }, words);
  if (last < 0) return sentence;
  const taken = difficulties.map(([, , isTaken]) => isTaken), ends = tried?.ends ?? [taken.indexOf(true), taken.lastIndexOf(true)].map((end) => Math.max(0, end));
  const [low, high] = ends, id = `graph-${path.join("-")}`, most = Math.max(...difficulties.map(([, share]) => share));
  const row = (draw) => el("div.row", difficulties.map((each, index) => el(index >= low && index <= high ? "span.taken" : "span", draw(each))));
  const sized = (share) => { const bar = el("i"); bar.style.height = `${share < 5e-4 ? 0 : Math.max(3, 64 * Math.sqrt(share / most))}px`; return bar; };
  const move = (which, index, isDone) => {
    const to = Math.min(last, Math.max(0, index)), [from, until] = trial?.id === String(path) ? trial.ends : ends;
    choose(path, which ? [Math.min(from, to), to] : [to, Math.max(until, to)], difficulties, isDone);
  };
  const end = (which) => el("input", {
    type: "range", class: "end", id: `${id}-${which}`, min: 0, max: last, value: String(ends[which]), "aria-label": say(which ? "hardest" : "easiest"), "aria-valuetext": difficulties[ends[which]][0],
    oninput: ({ target }) => move(which, Number(target.value), false), onchange: ({ target }) => move(which, Number(target.value), true),
    onkeydown: (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!by || !event.shiftKey) return; // without Shift, the browser moves this end
      event.preventDefault();
      move(1 - which, Number(byId(`${id}-${1 - which}`).value) + by, true);
    },
  });
  const slider = el("div.slider", el("i"), end(0), end(1));
  slider.style.setProperty("--low", low);
  slider.style.setProperty("--high", high);
  return el(state === "notMade" ? "div.graph.bad" : "div.graph", { id, role: "group", "aria-label": say("difficulty") },
    row(([, share]) => [shareWords(share), sized(share)]), isChosen && slider, row(([name]) => name), sentence);
}

/** Try or keep the difficulties between two ends. Trying writes nothing. */
async function choose(path, ends, difficulties, isDone) {
  const own = trial = { id: String(path), ends, levels: trial?.levels }, isAny = ends[1] - ends[0] === difficulties.length - 1;
  const key = [...path, "difficulty"], value = isAny ? "0-100" : [...new Set(ends.map((index) => difficulties[index][0]))].join("-");
  const written = isDone && change(isAny ? "unset" : "set", key, value); // before the next key is pressed
  refreshForm();
  own.levels = await ask("outlook", { file: book.file, path: JSON.stringify(key), value }).catch(() => own.levels);
  if (trial === own) refreshForm();
  if (!isDone) return;
  const refused = await written;
  await allDone();
  own.version = book.version; // the forecast of this version has the ends, too
  if (refused) { toast(refused); trial = null; refreshForm(); }
}

const forecastOf = (part) => outlook.find((level) => level.name === levelOfPart(part)?.name);

/** Say in a few words that the puzzles of a level can't be made, or probably not all of them; nothing if they can. */
export const hopeOf = (part) => { const state = forecastOf(part)?.state; return state && say(state); };

export const faultOf = (part) => hopeOf(part) || (faulty.has(part) && say("hasProblem"));

export const sizeWords = (size) => [size].flat().map((one) => String(one).replace(/^\d+$/, "$&x$&").replace("x", " × ")).join(", ");

function waysOut(path, { unmet, state, ways }) {
  return el("div", { role: "note" }, unmet && el("p.error", marked(unmet)), ways.length > 0 && el("h3", say(state === "notMade" ? "waysOut" : "unlikely")),
    el("div.ways", ways.map(({ words, keys }) => el("button", {
      onclick: ({ target }) => {
        target.closest("fieldset").focus({ preventScroll: true }); // the button disappears with the unlikely recipe
        act("merge", path, keys);
      },
    }, words))));
}

function samplesOf(index) {
  const { seed, theme, fonts } = book.values, keys = JSON.stringify([book.file, seed, theme, fonts, turn, valueAt(["levels", index])]);
  if (book.problems.length || valueAt(["levels", index, "from"])) return null;
  const boards = samples.get(keys);
  if (boards === undefined) makeSamples(index, keys);
  return el("section.samples", el("div.tools", el("h3", say("boardsLike")), quiet("showOthers", () => { turn += 1; refreshForm(); }, { disabled: !boards })),
    el("div.boards", { "aria-live": "polite" }, boards?.length ? boards.map(boardOf) : say(boards ? "samplesNone" : "samplesWait")),
    forecastOf(`levels/${index}`)?.warnings?.map((why) => el("p.unlikely", { role: "note" }, marked(why))));
}

function boardOf({ svg, difficulty }) {
  const drawn = svgOf(svg);
  drawn.setAttribute("aria-label", difficulty);
  return el("figure", drawn, el("figcaption", difficulty));
}

async function makeSamples(level, keys) {
  if (samples.size > 60) samples.clear();
  samples.set(keys, null);
  const { boards, isOutdated } = await ask("samples", { file: book.file, level, turn, version: book.version }).catch(() => ({ boards: [] }));
  if (isOutdated) samples.delete(keys);
  else samples.set(keys, boards);
  refreshForm();
}
