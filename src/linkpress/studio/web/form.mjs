// The settings, which the server draws as HTML: what is typed is read, written, or kept if it is refused.

import { act, allDone, ask, book, change, clash, isSettled, reload, selection, sendPicture, setField, valueAt } from "./book.mjs";
import { button, byId, el, marked, nameOf, nodesOf, openDialog, quiet, refill, say, toast, userProperty } from "./dom.mjs";
import { go, select } from "./main.mjs";
import { refreshGallery, showPreview } from "./pages.mjs";

const panel = byId("panel");
let form = { fields: [], parts: [] };
// Refused values by the ids of their fields, with the message and the file's value.
const refused = new Map();
export async function loadForm(kind) { form = await ask("form", { kind }); refused.clear(); }

const entriesAt = (path) => { const list = valueAt(path); return Array.isArray(list) ? list : []; };

export function* settingPaths(fields = form.fields, path = []) {
  for (const field of fields) {
    const own = [...path, field.key], isList = field.many && field.fields.length;
    if (partOf(own)) yield own;
    for (const place of isList ? entriesAt(own).map((_, index) => [...own, index]) : [own]) yield* settingPaths(field.fields, place);
  }
}

export const partNames = () => form.parts.flatMap(({ name, list, entries }) => [list === "levels" ? [] : name, (entries ?? [...entriesAt([list]).keys()]).map((one) => `${list}/${one}`)].flat());

export const levelNames = () => partNames().filter((name) => name.startsWith("levels/"));

export const entryOfPart = (name) => (name.includes("/") ? valueAt(name.split("/")) : null);

export function nameOfPart(name) {
  const [list, index] = name.split("/"), entry = entryOfPart(name);
  return index ? entry?.title ?? entry?.name ?? nameOf("weekdays", index, say(list === "levels" ? "level" : "ownPage", { number: Number(index) + 1 })) : say(`parts.${list}`);
}

/** Return the part of a key, if there is one. A key that two parts have belongs to the preferred one. */
export function partOf(key, preferred = selection.part) {
  const entry = `${key[0]}/${key[1] ?? 0}`;
  if (partNames().includes(entry) && (key.length > 1 || key[0] === "levels")) return entry;
  for (let length = key.length; length > 0; length -= 1) {
    const name = key.slice(0, length).join("."), parts = ["keys", "more"].flatMap((list) => form.parts.filter((part) => part[list].includes(name)).map((part) => part.name));
    const part = parts.includes(preferred) ? preferred : parts[0];
    if (partNames().includes(part)) return part;
  }
  return undefined;
}

export const keysOfPart = (name) => form.parts.find((part) => part.name === name).keys.map((key) => key.split("."));

export const keyOfPart = (name) => (name.includes("/") ? name.split("/").map((step) => (/^\d/.test(step) ? Number(step) : step)) : keysOfPart(name)[0]);

let loading;

function loadPart() {
  const { part } = selection, { file, version } = book;
  if (book.formOf !== part) loading = ask("settings", { part }).then((answer) => {
    if (part !== selection.part || file !== book.file || answer.version !== version) return;
    Object.assign(book, answer);
    refreshForm();
  });
  return loading;
}

export const drawPart = () => (book.formOf === selection.part ? nodesOf(book.form) : [el("form", { id: "form" })]);

export function refreshForm() {
  if (!byId("form") || !isSettled()) return;
  refill(panel, drawPart());
  fillForm();
  refreshGallery();
}

const slots = { outlook: outlookOf, samples: ([index]) => samplesOf(index) };

/** Fill in what the server doesn't draw: forecasts, boards, colours and what was refused. */
export function fillForm() {
  loadPart();
  for (const slot of panel.querySelectorAll("[data-slot]")) refill(slot, slots[slot.dataset.slot](JSON.parse(slot.dataset.of ?? "[]")));
  for (const swatch of panel.querySelectorAll("[data-ink]")) {
    const ink = swatch.getAttribute("value") ?? book.facts?.inks[JSON.parse(swatch.dataset.ink).join(".")];
    swatch.hidden = !ink;
    if (ink && (swatch !== document.activeElement || swatch.value === swatch.drawn)) swatch.value = swatch.drawn = ink;
  }
  showPreview();
  for (const field of panel.querySelectorAll(".field[data-path]")) showRefused(field, pathOf(field));
}

/** Show why a value was refused, and keep what was typed, unless the key was changed since. */
function showRefused(field, path) {
  const id = idOf(path), value = valueAt(path), error = byId(`${id}-error`);
  if (refused.get(id)?.value !== JSON.stringify(value)) refused.delete(id);
  const stays = refused.get(id), controls = controlsOf(field);
  if (stays) controls[0].ariaInvalid = "true";
  controls.forEach((one, index) => { const name = userProperty(one); if (stays && one !== document.activeElement && one[name] === one.drawn) one[name] = stays.typed[index]; });
  refill(error, marked(stays?.words ?? ""), stays?.theirs !== undefined && el("p.tools", quiet("keepMine", () => giveValue(path, stays.given)), quiet("takeTheirs", () => { dropTyped(controls[0]); refreshForm(); })), wayOut(field, path, stays?.given ?? value));
}

const idOf = (path) => `key-${path.join("-")}`;

const fieldAround = (control) => control.closest(".field[data-path]");

const pathOf = (field) => JSON.parse(field.dataset.path);

const controlsOf = (field) => [...field.querySelectorAll(":is(input, select, textarea):not([type=color], [type=file])")];

/** Put back the file's value into a field whose text isn't written yet or was refused. Return whether it was one. */
export function dropTyped(control) {
  const field = fieldAround(control), isRefused = Boolean(field) && refused.delete(idOf(pathOf(field))), property = userProperty(control);
  const isTyped = Boolean(property) && control[property] !== control.drawn;
  for (const one of field && (isTyped || isRefused) ? controlsOf(field) : []) one[userProperty(one)] = one.drawn;
  if (!control.checkVisibility()) controlsOf(field)[0].focus();
  if (isRefused) refreshForm();
  return isTyped || isRefused;
}

const labelOf = (key) => nameOf("keys", key, String(key).replace(/_(mm|pt)$/, " ($1)").replaceAll("_", " "));

export const labelsOf = (path) => path.map((step) => (Number.isInteger(step) ? step + 1 : labelOf(step))).join(" › ");

const fieldOf = (path) => path.map((_, index) => byId(idOf(path.slice(0, path.length - index)))).find(Boolean);

export async function tint(path) {
  await loadPart();
  fieldOf(path)?.closest(".field, fieldset, details")?.animate([{ backgroundColor: "#e8a33d80" }, {}], 1500);
}

/** Focus the field of a key, or of the nearest key above it. */
export async function focusKey(path) {
  await loadPart();
  const found = fieldOf(path), controls = "input:enabled, select, textarea";
  if (!found || document.querySelector(".in-place")) return;
  for (let above = found.closest("details"); above; above = above.parentElement.closest("details")) above.open = true;
  found.scrollIntoView({ block: "center" });
  (found.matches(controls) ? found : found.querySelector(controls) ?? found.querySelector("button:enabled") ?? found).focus();
}

/** Write the value of a key. A refused value stays in its field, with the message. */
export async function giveValue(path, given) {
  const id = idOf(path), value = valueAt(path), field = byId(id)?.closest(".field"), typed = field && controlsOf(field).map((one) => one[userProperty(one)]);
  refused.delete(id);
  const isLacking = given === "" && field?.matches(".needed");
  const isOvertaken = typed && controlsOf(field).some((one) => one.isOvertaken && !(one.isOvertaken = false));
  const { words, theirs } = isLacking ? { words: say("isNeeded") } : isOvertaken && value != given ? clash(value ?? "", given) : given === "" && value === undefined ? {} : await setField(path, given);
  if (theirs !== undefined) await reload();
  if (words && typed) refused.set(id, { given, typed, words, theirs, value: JSON.stringify(valueAt(path)) });
  if (words && !byId(id)) toast(`${labelOf(path.at(-1))}: ${words}`);
  if (words || value === undefined) refreshForm();
}

function givenIn(field) {
  const controls = controlsOf(field), [first, second] = controls.map(({ value }) => value.trim()), { kind } = field.dataset;
  const list = /^\[(.*)\]$/s.exec(first)?.[1] ?? (kind === "many" ? first : undefined);
  if (kind === "toggle") return ["no", "yes"].filter((word) => word !== controls[0].dataset.usual).find((word) => (word === "yes") === controls[0].checked) ?? "";
  if (kind === "range") return first && second && first !== second ? `${first}-${second}` : first || second;
  if (kind === "length") return /^[\d.]+$/.test(first) ? first + second : first;
  if (kind === "choice") return first || second || "";
  if (kind === "lines") return controls[0].value;
  return first && list !== undefined ? list.split(",").map((part) => part.trim()).filter(Boolean) : first; // a value, or a list in brackets
}

panel.onchange = async ({ target }) => {
  const field = fieldAround(target), { type, value, files } = target;
  if (target.matches(".end")) moveEnd(target, true);
  if (!field) return;
  const path = pathOf(field);
  if (type === "file") takePicture(path, files[0]);
  else if (type === "color") giveValue(path, value.toUpperCase());
  else if (target.selectedOptions?.[0].matches(".other")) target.nextElementSibling.focus();
  else giveValue(path, givenIn(field));
};
panel.onclick = ({ target }) => { if (target.matches(".reset")) { const path = pathOf(fieldAround(target)); byId(idOf(path)).focus(); giveValue(path, ""); } };
panel.onsubmit = (event) => event.preventDefault();

export function dropOnField(target, file) {
  const field = target.closest?.(".picture") && fieldAround(target);
  if (field) takePicture(pathOf(field), file);
  return Boolean(field);
}

async function takePicture(path, file) { const name = file && await upload(file); if (name) giveValue(path, name); }

async function upload(file) {
  const query = { file: book.file, name: file.name }, MB = 1 << 20;
  if (file.size > 64 * MB) { toast(say("pictureLarge")); return ""; }
  let answer = await sendPicture(query, file).catch((error) => { if (!error.clashes) throw error; });
  if (!answer && confirm(say("pictureThere", query))) answer = await sendPicture({ ...query, instead: 1 }, file);
  if (!answer || query.file !== book.file) return "";
  if (book.facts) book.facts.pictures = answer.pictures;
  return file.name;
}

export function dropPicture(file, use) {
  if (book.kind !== "book" || book.unreadable !== null || !/^image\/(jpeg|png)$/.test(file?.type)) { toast(say("dropNothing")); return; }
  const take = async (use) => {
    const name = await upload(file), key = use === "pages" ? "page" : "cover";
    if (name && await act("replace", [key], use === "pages" ? { bleed: "yes", background: { image: name } } : { [use]: name })) go(key === "page" ? partOf([key]) : key);
  };
  if (use) { take(use); return; }
  const dialog = openDialog(say("dropWhere", file), el("div.tools", ["image", "front", "pages"].map((one) => button(`drops.${one}`, () => { dialog.close(); take(one); }))));
}

function wayOut({ dataset: { contrary } }, [first, key], value) {
  return contrary && value !== undefined && el("p", el("button.quiet", { onclick: async () => {
    refused.clear();
    if (!await act("replace", [first], { [key]: value })) refreshForm();
  } }, say("inPlaceOf", { what: contrary })));
}

export async function turnSwitch(path) { if (!await act(byId(`${idOf(path)}-switch`).checked ? "set" : "unset", path, "yes")) refreshForm(); }

export async function addEdition(levels) {
  const language = byId("new-edition").value;
  if (await act("set", ["editions", language], { language, levels })) focusKey(["editions", language, "title"]);
}

export async function addEntry(path, [fresh]) {
  const { length } = entriesAt(path);
  if (!await (length ? act("copy", [...path, length - 1]) : act("set", path, [fresh]))) return;
  selectEntry([...path, length]);
  focusKey([...path, length]);
}

export const addLevel = () => addEntry(["levels"], []);

export async function moveEntry(list, from, to, isFocused = false) {
  if (!await move([list], from, to)) return;
  select(`${list}/${to}`);
  if (isFocused) byId(`part-${list}-${to}`).focus();
}

function selectEntry(key) { if (partNames().includes(key.join("/"))) select(key.join("/")); }

function move(path, from, to) {
  const order = [...valueAt(path).keys()].filter((index) => index !== from);
  order.splice(to, 0, from);
  return act("order", path, order);
}

/** Move, copy or remove an entry of a list. The focus follows it. */
export async function changeEntry(word, path, index) {
  const last = entriesAt(path).length - 1, own = [...path, index], to = { up: index - 1, remove: Math.min(index, last - 1) }[word] ?? index + 1;
  if (!await ({ copy: () => act("copy", own), remove: () => act("unset", own) }[word]?.() ?? move(path, index, to))) return;
  selectEntry([...path, to]);
  await loadPart();
  const moved = byId(idOf([...path, to]));
  (moved?.querySelector(`:enabled[data-tool="${word}"]`) ?? moved)?.focus();
}

// Sample boards by the keys that they depend on; null while they are being made.
const samples = new Map();
let outlook = [], faulty = new Set(), turn = 0;
let trial = null; // the ends of a slider that is being moved, with their forecast

export function setOutlook(levels, problems, version) {
  const isOld = ({ name }) => problems.length && !levels.some((level) => level.name === name); // a wrong book has no forecast
  outlook = [...levels, ...outlook.filter(isOld)];
  if (trial?.version <= version) trial = null;
  faulty = new Set(problems.map(({ key }) => key.slice(0, 2).join("/")));
  refreshForm();
}

function outlookOf(path) {
  const place = String(path[1]), name = valueAt([...path, "name"]) ?? place, tried = trial?.id === String(path) ? trial : null;
  const levels = outlook.filter((other) => other.name === name || (name === place && other.name.startsWith(`${name},`)));
  const drawn = el("div", levels.map((level) => nodesOf((tried?.levels?.find((other) => other.name === level.name) ?? level).html)));
  if (tried) drawn.querySelectorAll(".end").forEach((end, index) => { end.value = end.drawn = String(tried.ends[index]); end.ariaValueText = tried.names[end.value]; });
  return [...drawn.childNodes];
}

const endsOf = (graph) => [...graph.querySelectorAll(".end")];

function moveEnd(end, isDone) {
  const graph = end.closest(".graph"), ends = endsOf(graph), [low, high] = ends.map(({ value }) => Number(value));
  if (low > high) ends.find((other) => other !== end).value = end.value;
  choose(JSON.parse(graph.dataset.of), ends.map(({ value }) => Number(value)), graph.dataset.names.split(","), isDone);
}

panel.addEventListener("input", ({ target }) => { if (target.matches(".end")) moveEnd(target, false); }, true);
panel.addEventListener("keydown", (event) => {
  const by = event.target.matches(".end") && event.shiftKey && { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
  if (!by) return; // without Shift, the browser moves this end
  event.preventDefault();
  const other = endsOf(event.target.closest(".graph")).find((end) => end !== event.target);
  other.value = Number(other.value) + by;
  moveEnd(other, true);
});

/** Try or keep the difficulties between two ends. Trying writes nothing. */
async function choose(path, ends, names, isDone) {
  const own = trial = { id: String(path), ends, names, levels: trial?.levels }, isAny = ends[1] - ends[0] === names.length - 1;
  const key = [...path, "difficulty"], value = isAny ? "0-100" : [...new Set(ends.map((index) => names[index]))].join("-");
  const written = isDone && change(isAny ? "unset" : "set", key, value); // before the next key is pressed
  own.levels = await ask("outlook", { file: book.file, path: JSON.stringify(key), value }).catch(() => own.levels);
  if (trial === own) refreshForm();
  if (!isDone) return;
  const refusal = await written;
  await allDone();
  own.version = book.version; // the forecast of this version has the ends, too
  if (refusal) { toast(refusal); trial = null; refreshForm(); }
}

/** Change a level in a way that is offered. The button disappears with the unlikely recipe. */
export function takeWay(path, keys) {
  byId(idOf(path)).focus({ preventScroll: true });
  act("merge", path, keys);
}

const forecastOf = (part) => outlook.find((level) => level.name === entryOfPart(part)?.name);

/** Say in a few words that puzzles of a level can't be made, or hardly all; nothing if they can. */
export const hopeOf = (part) => { const state = forecastOf(part)?.state; return state && say(state); };

export const faultOf = (part) => hopeOf(part) || (faulty.has(part) && say("hasProblem"));

function samplesOf(index) {
  const { seed, theme, fonts } = book.values, keys = JSON.stringify([book.file, seed, theme, fonts, turn, valueAt(["levels", index])]);
  if (book.problems.length || valueAt(["levels", index, "from"])) return [];
  const boards = samples.get(keys);
  if (boards === undefined) makeSamples(index, keys);
  return [el("div.tools", el("h3", say("boardsLike")), quiet("showOthers", () => { turn += 1; refreshForm(); }, { disabled: !boards })),
    el("div.boards", { "aria-live": "polite" }, boards ? nodesOf(boards) : say("samplesWait")),
    forecastOf(`levels/${index}`)?.warnings?.map((why) => el("p.unlikely", { role: "note" }, marked(why)))];
}

async function makeSamples(level, keys) {
  if (samples.size > 60) samples.clear();
  samples.set(keys, null);
  const { html, isOutdated } = await ask("samples", { file: book.file, level, turn, version: book.version }).catch(() => ({ html: say("samplesNone") }));
  if (isOutdated) samples.delete(keys);
  else samples.set(keys, html);
  refreshForm();
}
