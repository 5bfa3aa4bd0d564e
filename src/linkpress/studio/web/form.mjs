// The settings: what is typed is read, written, or kept if it is refused; and the text of the spec.

import { act, allDone, ask, book, change, isSettled, reload, selection, sendPicture, setField, valueAt, writeText } from "./book.mjs";
import { afterPause, all, askForm, byId, el, focused, isLost, joined, moveInRows, nameOf, nodesOf, refill, say, templateOf, toast, userProperty } from "./dom.mjs";
import { go, select, show, showState } from "./main.mjs";
import { refreshGallery, showPart, showPreview, tintSpots } from "./pages.mjs";

const panel = byId("panel");
let places = {}; // the parts of each key
// What is typed and not written, by the fields' ids: `was` is the value before; refused values have `words`.
const drafts = new Map();
const UNJUDGED = { outlook: [], problems: [], hopes: {}, faults: {} };
export let judged = UNJUDGED; // the answer of the last check
export async function loadForm(kind) { ({ places } = await ask("form", { kind })); drafts.clear(); judged = UNJUDGED; trial = null; }

const marked = (text) => text.split("`").map((part, index) => (index % 2 ? el("code", part) : part));

const entriesAt = (path) => [valueAt(path) ?? []].flat();

export const levelNames = () => book.parts.map(({ name }) => name).filter((name) => name.startsWith("levels/"));

export const wordsOfPart = (part) => book.parts.find(({ name }) => name === part);

export const nameOfPart = (part) => wordsOfPart(part)?.title;

// Return the part of a key; the preferred one if two have it.
export function partOf(key, preferred = selection.part) {
	const entry = `${key[0]}/${key[1] ?? 0}`;
	if (wordsOfPart(entry) && (key.length > 1 || key[0] === "levels")) return entry;
	for (let length = key.length; length > 0; length -= 1) {
		const name = key.slice(0, length).join("."), parts = places[name] ?? [];
		const part = parts.includes(preferred) ? preferred : parts[0];
		if (wordsOfPart(part)) return part;
	}
	return undefined;
}

export const keyOfPart = (part) => wordsOfPart(part)?.keys[0] ?? [];

let loading, loadingOf;

function loadPart() {
	const { part } = selection, { file, version } = book;
	if (book.formOf !== part && loadingOf !== (loadingOf = `${part} ${version} ${file}`)) loading = ask("settings", { part }).then((answer) => {
		if (part !== selection.part || file !== book.file || answer.version !== version) return;
		Object.assign(book, answer);
		refreshForm();
	}).finally(() => { loadingOf = ""; }); // a reload that began before may bring another part's form
	return loading;
}

export const drawPart = () => (book.formOf === selection.part ? nodesOf((book.facts?.told ?? "") + book.form) : [el("form", { id: "form" })]);

export function refreshForm() {
	if (!byId("form") || !isSettled()) return;
	refill(panel, drawPart());
	fillForm();
	refreshGallery();
}

function fillOutlooks() {
	for (const slot of all(panel, ".outlook")) refill(slot, outlookOf(slot.dataset.of));
	all(panel, ".slider").forEach(drawSlider);
}

export function fillForm() {
	loadPart();
	for (const swatch of all(panel, "[data-ink]")) {
		const ink = swatch.getAttribute("value") ?? book.facts?.inks[JSON.parse(swatch.dataset.ink).join(".")];
		swatch.hidden = !ink;
		if (ink && (swatch !== focused() || swatch.value === swatch.drawn)) swatch.value = swatch.drawn = ink;
	}
	showPreview();
	fillOutlooks();
	all(panel, "[data-load]").forEach(loadBoards);
	all(panel, ".field[data-path]").forEach(showDraft);
}

const isSame = (value, given) => String(value ?? "") === String(given);

// Keep what is being typed, or was refused and not changed since. Else show the file's value.
function showDraft(field) {
	const path = pathOf(field), id = idOf(path), value = valueAt(path), controls = controlsOf(field), before = drafts.get(id);
	if (before?.words ? !isRefused(before) && !controls.includes(focused()) : !field.contains(focused())) drafts.delete(id);
	const draft = drafts.get(id), words = draft?.words ?? judged.problems.find(({ key }) => String(key) === String(path))?.message ?? "";
	if (words) controls[0].ariaInvalid = "true";
	controls.forEach((one, index) => {
		const name = userProperty(one), isTyping = one === focused() && (draft || isSame(value, givenIn(field)));
		if (!isTyping) one[name] = draft ? draft.typed[index] : one.drawn;
	});
	refill(byId(`${id}-error`), marked(words), nodesOf(draft?.html));
}

const isRefused = ({ path, words, was }) => words && JSON.stringify(was) === JSON.stringify(valueAt(path) ?? null);

// Return the name and the path of a value that was refused.
export function refusedValue() {
	const { path, label } = [...drafts.values()].find(isRefused) ?? {};
	return path && { path, what: say("stepOf", { what: label, of: nameOfPart(partOf(path)) }) };
}

function noteDraft(field) {
	const path = pathOf(field), id = idOf(path), draft = drafts.get(id) ?? { path, was: valueAt(path) ?? null };
	drafts.set(id, Object.assign(draft, { label: field.querySelector("label").textContent, typed: controlsOf(field).map((one) => one[userProperty(one)]) }));
	return draft;
}

const writeLater = afterPause(600, () => {
	const field = fieldAround(focused());
	if (field) writeField(field);
});

// Write what is typed in a field, unless it was sent. Return whether there is a value.
function writeField(field) {
	const path = pathOf(field), given = givenIn(field), { typed, sent } = drafts.get(idOf(path)) ?? {};
	if (given !== undefined && typed !== sent) giveValue(path, given); else queueMicrotask(refreshForm);
	return given !== undefined;
}

const idOf = (path) => `key-${path.join("-")}`;

const fieldAround = (control) => control.closest(".field[data-path]");

const pathOf = (field) => JSON.parse(field.dataset.path);

const controlsOf = (field) => all(field, ":is(input, select, textarea):not([type=color], [type=file], .end)");

// Show the file's value in a field. Return whether it had another.
export async function dropTyped(control) {
	const field = fieldAround(control), path = field && pathOf(field), id = field && idOf(path), draft = drafts.get(id), name = userProperty(control);
	if (draft && draft.typed === draft.sent) await allDone();
	const isOther = draft ? drafts.has(id) && (draft.words || !isSame(valueAt(path), givenIn(field))) : !field && "drawn" in control && control[name] !== control.drawn;
	if (drafts.delete(id)) draft.isDropped = true;
	for (const one of field ? controlsOf(field) : isOther ? [control] : []) one[userProperty(one)] = one.drawn;
	if (field && !control.checkVisibility()) controlsOf(field)[0].focus();
	if (isOther) refreshForm();
	showState();
	return isOther;
}

// A level's difficulty has a slider above its field.
const fieldOf = (path) => (path.at(-1) === "difficulty" && byId(`graph-${path.slice(0, -1).join("-")}`)) || path.map((_, index) => byId(idOf(path.slice(0, path.length - index)))).find(Boolean);

export async function tint(path) {
	await loadPart();
	fieldOf(path)?.closest(".field, .graph, fieldset, details")?.animate([{ backgroundColor: "#e8a33d80" }, {}], 1500);
}

// Focus the field of a key, or of one above it.
export async function focusKey(path) {
	await loadPart();
	const found = fieldOf(path), controls = "input:enabled, select, textarea";
	if (!found || found.contains(focused()) || document.querySelector(".in-place")) return;
	for (let above = found.closest("details"); above; above = above.parentElement.closest("details")) above.open = true;
	const control = found.matches(controls) ? found : found.querySelector(controls) ?? found.querySelector("button:enabled") ?? found;
	control.scrollIntoView({ block: "center" }); // a whole level is taller than the panel
	control.focus({ preventScroll: true });
}

// Write the value of a key. A refused value stays in its field, with the message.
export async function giveValue(path, given) {
	const id = idOf(path), field = byId(id)?.closest(".field"), draft = field ? noteDraft(field) : { was: valueAt(path) ?? null }, sent = draft.sent = draft.typed;
	const onWritten = () => {
		delete draft.words;
		if (draft.typed === sent) drafts.delete(id);
	};
	let words, html;
	if (given === "" && field?.matches(".needed")) words = say("isNeeded");
	else if (isSettled() && isSame(valueAt(path), given)) onWritten();
	else ({ words, html } = await setField(path, given, draft, onWritten));
	await 0; // a field must not draw when a drawing takes its focus
	if (html) await reload(); else if (words) draft.sent = null;
	if (words && field && !draft.isDropped) drafts.set(id, Object.assign(draft, { given, words, html, was: valueAt(path) ?? null }));
	if (words && !byId(id)) toast(`${nameOf("keys", path.at(-1))}: ${words}`);
	refreshForm();
	showState();
}

function givenIn(field) {
	const controls = controlsOf(field), [first, second] = controls.map(({ value }) => value.trim()), { kind } = field.dataset;
	const list = /^\[(.*)\]$/s.exec(first)?.[1] ?? (kind === "many" ? first : undefined);
	if (kind === "toggle") return controls[0].dataset[controls[0].checked ? "on" : "off"];
	if (kind === "range") return first && second && first !== second ? `${first}-${second}` : first || second;
	if (kind === "length") return /^[\d.]+$/.test(first) ? first + second : first;
	if (kind === "choice") return first || second || (controls[0].value ? undefined : "");
	if (kind === "lines") return controls[0].value;
	if (kind === "title") return first.replace(/\s*\n\s*/g, "|");
	return first && list !== undefined ? list.split(",").map((part) => part.trim()).filter(Boolean) : first;
}

panel.onchange = ({ target }) => {
	const field = fieldAround(target), { type, value, files } = target;
	if (target.matches(".end")) return moveEnd(target, true);
	if (!field) return;
	const path = pathOf(field);
	if (type === "file") { takePicture(path, files[0]); target.value = ""; }
	else if (type === "color") giveValue(path, value.toUpperCase());
	else if (!writeField(field)) target.nextElementSibling?.focus();
};

export function dropOnField(target, file) {
	const path = target.closest?.("[data-picture]")?.dataset.picture;
	if (path) takePicture(JSON.parse(path), file);
	return path;
}

async function takePicture(path, file) { const name = file && await upload(file); if (name) giveValue(path, name); }

async function upload(file, answers) {
	const query = { file: book.file, name: file.name, ...answers };
	if (file.size > 64 << 20) return toast(say("pictureLarge"));
	const { name, html } = await sendPicture(query, file);
	if (html) return new Promise((resolve) => { askForm(file.name, nodesOf(html), (given) => resolve(upload(file, given))); });
	return query.file === book.file && name;
}

export function dropPicture(file, use) {
	if (book.kind !== "book" || book.unreadable !== null || !/^image\/(jpeg|png)$/.test(file?.type)) { toast(say("dropNothing")); return; }
	const take = async ({ use }) => {
		const name = await upload(file), key = use === "pages" ? "page" : "cover";
		if (name && await act("replace", [key], use === "pages" ? { bleed: "yes", background: { image: name } } : { [use]: name })) go(key === "page" ? partOf([key]) : key);
	};
	if (use) take({ use }); else askForm(say("dropWhere", file), templateOf("drop-where"), (given) => { take(given); });
}

function replaceOthers(path) {
	const [first, key] = path, given = drafts.get(idOf(path))?.given ?? valueAt(path);
	drafts.clear();
	act("replace", [first], { [key]: given });
}

// Count from the shown number, which may not be written yet.
function countOn(path, by, least, most, usual) {
	const input = byId(idOf(path));
	giveValue(path, input.value = `${Math.min(most, Math.max(least, +(input.value || usual) + by))}`);
}

async function addEntry(path, fresh) {
	const { length } = entriesAt(path);
	if (!await act("add", path, fresh)) return;
	selectEntry(`${path}/${length}`);
	focusKey([...path, length]);
}

export const formTasks = { showOthers: () => { turn += 1; refreshForm(); }, replaceOthers, addEntry, showAll: () => setTimeout(() => byId("all-settings").scrollIntoView()), give: (path, given) => giveValue(path, given).then(() => given || focusKey(path)), count: countOn, takeTheirs: (path) => dropTyped(byId(idOf(path))), entry: changeEntry };

function selectEntry(name) {
	if (!wordsOfPart(name)) return;
	select(name);
	if (byId("stage").dataset.view === "page") showPart(name);
}

// Move, copy or remove an entry of a list. The focus follows it.
export async function changeEntry(word, path, index, to = { up: index - 1, remove: Math.min(index, entriesAt(path).length - 2) }[word] ?? index + 1) {
	const own = [...path, index], order = [...entriesAt(path).keys()].filter((other) => other !== index);
	order.splice(to, 0, index);
	if (!await ({ copy: () => act("copy", own), remove: () => act("unset", own) }[word]?.() ?? act("order", path, order))) return;
	selectEntry(`${path}/${to}`);
	await loadPart();
	const moved = byId(word ? idOf([...path, to]) : `part-${path}-${to}`);
	(moved?.querySelector(`.more, :enabled[data-tool="${word}"]`) ?? moved)?.focus();
}

let turn = 0; // number of times other sample boards were asked for
let trial; // a change that is being tried, with its forecast

export function judge(answer, version) {
	judged = answer;
	if (trial?.version <= version) trial = null;
	refreshForm();
}

function outlookOf(path) {
	const tried = trial?.id === path ? trial : null, levels = judged.outlook.filter(({ of }) => of === path);
	return levels.flatMap((level) => {
		const [now, after] = [level, tried?.levels?.find((other) => other.name === level.name) ?? level].map(({ html }) => el("div", nodesOf(html)));
		if (tried?.way) now.querySelector(".graph").replaceWith(after.querySelector(".graph")); // the ways stay
		else if (tried) for (const end of all(after, ".end")) end.value = end.drawn = byId(end.id)?.value ?? end.value;
		return [...(tried?.way ? now : after).childNodes];
	});
}

const endsOf = (slider) => all(slider, ".end");

// Return the names of both ends.
function drawSlider(slider) {
	const [low, high] = endsOf(slider), { names, unit } = slider.dataset, named = [low, high].map(({ value }) => names?.split(",")[value] ?? value);
	[low.ariaValueText, high.ariaValueText] = named.map((name) => (name + unit).replace(/^(1 \w+)s$/, "$1"));
	const [from, till] = [low, high].map(({ value }) => (value - low.min) / (low.max - low.min || 1));
	slider.style.cssText = `--from: ${from}; --till: ${till}; --low: "${low.value}"; --high: "${high.value}"`;
	return named;
}

function moveEnd(end, isDone) {
	const slider = end.closest(".slider"), [low, high] = endsOf(slider), { key, unit } = slider.dataset, path = JSON.parse(key), field = fieldAround(slider);
	if (isWhole || +low.value > +high.value) (end === low ? high : low).value = end.value;
	const chosen = [...new Set(drawSlider(slider))], value = chosen.join("-") + (unit === "%" ? unit : ""), isAny = !field && high.value - low.value === +low.max;
	if (field) {
		controlsOf(field).forEach((one, index, { length }) => { one.value = length > 1 ? chosen[index] ?? "" : value; });
		if (isDone) drafts.delete(idOf(path)); else noteDraft(field);
	}
	if (isDone) for (const one of [low, high]) one.drawn = one.value;
	tryChange("set", path, isAny ? "0-100" : value, { isDone, isAny });
}

let isWhole; // the pointer drags both ends
panel.onpointerdown = ({ target, shiftKey }) => {
	const [low, high] = endsOf(target.parentNode);
	isWhole = !shiftKey && target.matches(".graph .end") && low.value === high.value;
};
panel.addEventListener("input", ({ target }) => {
	const field = fieldAround(target);
	if (target.matches(".end")) moveEnd(target, false);
	else if (field && controlsOf(field).includes(target)) { noteDraft(field); writeLater(); }
}, true);
panel.onkeydown = (event) => {
	isWhole = false;
	const { target, shiftKey, key } = event;
	moveInRows(event, all(target.parentNode, ".tiles > button"));
	if (!shiftKey || !target.matches(".end") || !/^Arrow/.test(key)) return; // without Shift, the browser moves this end
	event.preventDefault();
	const other = endsOf(target.parentNode).find((end) => end !== target);
	other.value = +other.value + (/Left|Down/.test(key) ? -1 : 1);
	moveEnd(other, true);
};

// Try or keep a change of a level. Trying shows its forecast and writes nothing.
async function tryChange(kind, path, value, { isDone, isAny, way }) {
	const id = String(path.slice(0, 2)), of = JSON.stringify([path, value, book.version]), { levels, asked } = trial ?? {};
	const own = trial = { id, way, of, levels, asked: trial?.of === of ? asked : ask("outlook", { kind, path: JSON.stringify(path), value: JSON.stringify(value) }) };
	const written = isDone && change(isAny ? "unset" : kind, path, value, {}); // before the next key is pressed
	own.levels = await own.asked.catch(() => levels);
	if (trial === own) fillOutlooks(); // the rest waits until the change is written
	const refusal = await written;
	if (!isDone) return;
	await allDone();
	own.version = book.version; // the forecast of this version has the change, too
	if (!refusal) return;
	toast(refusal);
	trial = null;
	refreshForm();
}

for (const kind of ["pointerover", "focusin"]) addEventListener(kind, ({ target }) => {
	const way = target.closest?.(".ways button"), [, , path, keys] = JSON.parse(way?.dataset.do ?? "[]");
	tintSpots(target.closest?.(".field")?.dataset.path);
	if (way && way !== trial?.way) tryChange("merge", path, keys, { way });
	else if (!way && trial?.way) { trial = null; refreshForm(); }
});

async function loadBoards(slot) {
	const query = slot.dataset.load + turn;
	if (slot.query === query) return;
	slot.query = query;
	const { html } = await ask("samples", { ...JSON.parse(slot.dataset.load), turn });
	if (slot.query === query) refill(slot, nodesOf(html)); // else a newer answer will come
}

// The text of the spec, with selected lines and problems marked.

let area, layer, typed, sending = 0; // `area.base`: the text before
export let clashPanel;

export function drawText() {
	if (!clashPanel) {
		area = el("textarea.yaml", {
			spellcheck: "false", "aria-label": say("panes.file"), value: book.text, onblur: () => clashPanel || write(), onkeyup: followCursor, onclick: followCursor,
			oninput: () => { typed = true; colour(); writeTextLater(); }, onscroll: () => { layer.scrollTop = area.scrollTop; },
		});
		area.base = book.text;
		typed = false;
	}
	lockText();
	layer = el("pre", { id: "lines", "aria-hidden": "true" });
	colour();
	return el("div.file", el("div.editor", layer, area), el("div", { id: "mending", role: "alert" }, panelNodes()));
}

// Quoted texts, comments, keys, and numbers such as `5-6`, `7x8` and `10 %`.
const TOKENS = /(?<=^|[\s,[{])(?:("(?:\\.|[^"\\])*"?|'(?:''|[^'])*'?)|((?<![^\s])#.*)|([^\s"'#,[\]{}&*!|>%@-][^#,[\]{}]*?(?=\s*:(?:\s|$)))|(-?\d[^\s,\]}]*(?: %)?(?=\s*(?:[,\]}#]|$))))/g;
const KINDS = ["quoted", "note", "key", "number"];

function lineOf(source) {
	const line = source.slice(1), nodes = [];
	let at = 0;
	for (const { index, 0: text, ...groups } of source[0] === "|" ? [] : line.matchAll(TOKENS)) {
		nodes.push(line.slice(at, index), el(`span.${KINDS.find((_, kind) => groups[kind + 1] !== undefined)}`, text));
		at = index + text.length;
	}
	return el("div", nodes, el(source[0] === "|" ? "span.quoted" : "span", line.slice(at)));
}

// Draw changed lines. Sources of lines in a block, such as after `text: |`, begin with a bar.
function colour() {
	const { sources = [], children } = layer;
	let block = -1;
	const lines = area.value.split("\n").map((line) => {
		const indent = line.search(/\S/);
		if (indent >= 0 && indent <= block) block = -1;
		const source = (block < 0 ? " " : "|") + line;
		if (block < 0 && /(?:^|[:-])\s+[|>][-+\d]*\s*(?:#.*)?$/.test(line)) block = line.search(/[\w"'][^:]*:|-\s+[|>]/);
		return source;
	});
	lines.forEach((line, index) => { if (line !== sources[index]) { children[index]?.remove(); layer.insertBefore(lineOf(line), children[index] ?? null); } });
	for (const old of [...children].slice(lines.length)) old.remove();
	layer.sources = lines;
	mark();
}

function mark() {
	const bad = book.problems.map(({ line }) => line), [first, end] = linesOf(selection.key);
	[...layer.children].forEach((row, index) => { row.className = joined([index + 1 >= first && index + 1 < end && "own", bad.includes(index + 1) && "bad"], " "); });
}

const panelNodes = () => nodesOf(clashPanel || book.mendingPanel);

export function mend(source) {
	area?.focus({ preventScroll: true });
	return writeText(() => ({ text: book[source].text, base: book.text }));
}

const writeTextLater = afterPause(600, () => write());

// Write what was typed. `keep` says whose lines to keep after a clash.
export async function write(keep = "") {
	const own = area;
	if (!typed) return;
	typed = false;
	sending += 1;
	let base;
	try {
		await writeText(() => {
			base = own.base;
			own.base = own.value;
			clashPanel = "";
			return { text: own.value, base, keep };
		});
	} catch (error) {
		[own.base, typed] = [base, own === area];
		if (!error.html) throw error;
		clashPanel = error.html;
		[area, typed] = [own, true];
		await reload();
		if (own.isConnected) refill(byId("mending"), panelNodes()); else show("file");
		showState();
	} finally {
		sending -= 1;
		refreshText();
	}
}

export function lockText(isHeld = isLost()) { if (area) area.readOnly = isHeld; }

// Lock the text while an answer changes it: typing could clash.
export async function holdText(task) {
	lockText(true);
	return task.finally(() => lockText());
}

export function dropText() {
	const wasTyped = typed;
	typed = false;
	clashPanel = "";
	refreshText();
	return wasTyped;
}

export function refreshText() {
	if (!area?.isConnected || typed || sending) return; // else refused text would be lost
	if (area.value !== book.text) {
		const { selectionStart, selectionEnd, scrollTop } = area;
		area.value = book.text;
		area.setSelectionRange(selectionStart, selectionEnd);
		area.scrollTop = scrollTop;
	}
	area.base = book.text;
	colour();
	refill(byId("mending"), panelNodes());
}

// Move the cursor to a line, or to the selection unless somebody types.
export function showLine(line = linesOf(selection.key)[0], isFocused = false) {
	mark();
	const start = area.value.split(/^/m).slice(0, line - 1).join("").length;
	if (isFocused) area.focus({ preventScroll: true });
	else if (area === focused()) return;
	area.setSelectionRange(start, start);
	area.scrollTop = (layer.children[line - 1]?.offsetTop ?? 0) - (isFocused ? area.clientHeight - 60 : 100);
}

// Return the first line of a key, or of one above it, and the line after its last.
function linesOf(key) {
	const found = key.map((_, index) => book.lines.find(([, , ...path]) => String(path) === String(key.slice(0, key.length - index))));
	return found.find(Boolean) ?? [1, 1];
}

function followCursor() {
	const line = area.value.slice(0, area.selectionStart).split("\n").length, key = book.lines.findLast(([first]) => first <= line)?.slice(2);
	const part = key && partOf(key);
	if (part && String(key) !== String(selection.key)) select(part, key);
}
