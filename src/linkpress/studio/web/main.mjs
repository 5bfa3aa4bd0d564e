// The window: zones, keys, parts, the shelf, builds, and what events do.

import { act, allDone, ask, book, closeBook, listen, openBook, reload, save, selection, send, step, windowId } from "./book.mjs";
import { afterPause, all, askForm, byId, el, focused, isLost, joined, moveInRows, nodesOf, openDialog, refill, say, templateOf, toast } from "./dom.mjs";
import { changeEntry, clashPanel, drawPart, drawText, dropOnField, dropPicture, dropText, dropTyped, fillForm, focusKey, formTasks, giveValue, holdText, judge, judged, keyOfPart, levelNames, loadForm, lockText, mend, nameOfPart, partOf, refreshForm, refreshText, refusedValue, showLine, tint, wordsOfPart, write } from "./form.mjs";
import { closePages, dayName, drawCalendar, drawDay, feedTasks, fillMonth, goToPuzzle, leaveFinished, makeDays, markParts, offerUses, pageOf, pageTasks, placeOf, putOnCover, refreshPages, showChosen, showPage, showPart, showSelection, showView, shownPage, thumbOf } from "./pages.mjs";

const desk = byId("desk"), shelf = byId("shelf"), panel = byId("panel"), title = byId("title"), state = byId("state");

let pane = "settings";
let problemsSeen = 0;
let shown = "", opening = ""; // the files of the shown book, and of the one being opened
let asked = -1; // the version whose last change is another window's
let lastTurn = 0; // the turn of its last event; the answer may be older
let turning;
let opener; // what had the focus before the panel changed

const isFeed = () => book.kind === "feed";
const isReadable = () => book.unreadable === null;

const button = (word, task, kind, id) => el(`button.${kind}`, { "data-do": JSON.stringify(task), id }, say(word));

// Copy a text, or the picture at an address.
async function copyText(text, picture) {
	if (picture) await navigator.clipboard.write([new ClipboardItem({ "image/png": (await fetch(picture)).blob() })]);
	else await navigator.clipboard.writeText(text);
	toast(say("copied"));
}

function leave() {
	if (shown) focused()?.blur();
	byId("dialog").close();
}

async function open(file, part = "", page = 0) {
	if (file === opening) return;
	leave();
	opening = file;
	state.textContent = say("opening", { file });
	try {
		await openBook(file);
		if (opening === file) await loadForm(book.kind);
	} catch (error) {
		toast(error.message);
		if (opening === file) home();
		return;
	}
	if (opening !== file) return;
	opening = "";
	shown = file;
	document.body.dataset.kind = book.kind;
	for (const own of ["--own-rail", "--own-side", "--own-file"]) desk.style.setProperty(own, localStorage[file + own] ?? "");
	closePages(page);
	refill(byId("stage"), nodesOf(book.blank));
	if (!location.hash) history.pushState(null, "", `#/${encodeURIComponent(file)}`);
	selection.part = "";
	select(wordsOfPart(part) ? part : partOf(["title"], ""));
	show(isBuilding() ? "build" : "settings", false);
	openSheet("");
	update();
	if (!desk.contains(focused())) focusPart();
	if (book.turn < lastTurn) reload();
}

function focusPart() {
	byId("stage").focus();
	rail.querySelector("[aria-current]")?.focus();
}

function home() {
	const id = `spec-${shown}`;
	leave();
	location.hash = shown = opening = "";
	closeBook();
	document.body.dataset.kind = "";
	closePages();
	drawShelf().then(() => byId(id)?.focus()); // a new one is drawn now
}

// The shelf: books and feeds, and the dialog for new ones.

function changeFile(kind, file, given) {
	const change = async (answers) => {
		const { html, label, path, back } = await send("file_change", { kind, file, ...answers });
		if (label) return askForm(label, nodesOf(html), change);
		toast(...nodesOf(html));
		if (back) backs.push(back);
		await drawShelf();
		byId(`spec-${path}`)?.focus();
		return `spec-${path}`;
	};
	change(given).catch(({ message }) => toast(message));
}

const backs = []; // requests that take back changes of the shelf

shelf.onkeydown = (event) => {
	moveInRows(event, all(shelf, ".book, .guide button"));
	if (event.repeat) return; // a held key would change the next book too
	const { fileName: file } = event.target.dataset, kind = { F2: "rename", Delete: "discard" }[event.key], back = event.key === "z" && (event.ctrlKey || event.metaKey) && backs.pop();
	if (back) changeFile(back.kind, back.file, back);
	if (kind && file) changeFile(kind, file);
};

let newest; // request of the shelf; another one may overtake it

async function drawShelf() {
	let own, found;
	for (newest = ask("shelf"); own !== newest;) found = await (own = newest);
	refill(shelf, nodesOf(found.html));
	findBooks();
	showOnShelf();
	for (const { path, build } of found.specs) if (build) showBuildOf(path, build);
}

const search = byId("search"), findBooks = search.oninput = () => {
	for (const { textContent, parentElement } of all(shelf, "[data-file-name]")) parentElement.hidden = !textContent.toLowerCase().includes(search.value.toLowerCase());
};

const ringOf = ({ icon }) => el("img", { src: icon, alt: "" });

// Show a running build in the shelf's bar and the browser's tab, or clear both.
function showOnShelf(title, build) {
	if (location.hash) return;
	showTab(title, build);
	state.className = build ? "busy" : "";
	refill(state, build && [ringOf(build), el("span.words", joined([title, build.told], " – "))]);
}

function showBuildOf(file, build) {
	const book = byId(`spec-${file}`);
	if (!book) return;
	refill(book.querySelector(".state"), ringOf(build), build.told);
	showOnShelf(book.querySelector("strong").textContent, build);
}

async function dropSpec(file) {
	if (/\.ya?ml$/i.test(file?.name)) await send("new", { name: file.name, text: await file.text() });
	else toast(say("dropSpec"));
}

// Ask for the title of a new book, and questions unless it is like an example.
function askTitle(like, label) {
	askForm(label, templateOf(like ? "new-like" : "new-book"), async ({ title, ...answers }) => {
		open((await send("new", { title, ...(like ? { like } : { answers }) })).file);
	});
}

const refreshShelf = afterPause(0, drawShelf);

// The build, its progress, and the finished book.
let finished, asking; // what the server shows of the finished book, and its newest request

const isFinished = () => book.build?.end?.event === "done" && !isFeed() && !book.elsewhere;

function parts() {
	const { build } = book;
	if (isBuilding()) {
		return [nodesOf(build.panel), window.Notification?.permission === "default" && templateOf("tell-me")];
	}
	return isFinished() ? nodesOf(finished?.panel) : [nodesOf(build?.panel), nodesOf(book.ask), isFeed() && book.make && button(book.make, ["build"], "chief")];
}

const isBuilding = () => Boolean(book.build && !book.build.end);

function showTab(title, build = {}) {
	document.title = joined([build.count && say("buildMade", build), title, "linkpress studio"], " – ");
	byId("icon").href = build.icon ?? "data:,";
}

// Tell the end of a build to somebody who asked for it and looks elsewhere.
function tellEnd({ end }) {
	if (end && document.hidden && window.Notification?.permission === "granted") new Notification(say(end.event === "done" ? "tellDone" : "buildFailed", book.values));
}

export function drawFinished() {
	loadFinished();
	return el("div.finished", { id: "finished" }, nodesOf(finished?.stage));
}

async function loadFinished(tried) {
	const { file } = book, own = asking = ask("finished", tried), found = await own;
	if (own !== asking || file !== book.file) return;
	finished = found;
	refreshBuild();
	if (byId("finished")) refill(byId("finished"), nodesOf(found.stage));
	if (focused().matches("#stage, #panel")) byId("ready")?.focus();
}

async function startBuild() {
	const { file, build } = book;
	showView("all");
	showProgress({ told: say("buildStages.make") });
	try {
		await allDone();
		if (!book.saved) await save();
		await send("build", { file });
	} catch (error) {
		if (file === book.file) showProgress(build);
		throw error;
	}
}

function showProgress(build) {
	book.build = build;
	finished = null;
	refreshBuild();
	if (!isFinished()) leaveFinished();
	else if (byId("build-panel")) showView("finished");
}

function refreshBuild() {
	if (!byId("build-panel")) return;
	refill(byId("build-panel"), parts());
	namePane();
}

export function show(name, isSheet = name !== "settings") {
	if (isLost()) return; // what is typed stays
	const isInside = panel.contains(focused());
	if (pane === "settings" || name === "day") opener = isInside ? panel : focused();
	pane = name;
	drawPanel();
	if (isInside) panel.focus();
	if (name === "build" && isFinished()) showView("finished"); else leaveFinished();
	panel.scrollTop = 0;
	openSheet(isSheet ? "inspector" : desk.dataset.sheet);
}

export function go(part, isSheet = false) {
	select(part);
	if (pane !== "file") show("settings");
	if (!isFeed()) showPart(part);
	openSheet(isSheet || pane === "file" ? "inspector" : "");
}

const namePane = () => { byId("pane-name").textContent = { settings: () => nameOfPart(selection.part), file: () => book.file, day: dayName, build: () => (isFinished() ? finished?.title : null) }[pane]?.() ?? say(`panes.${pane}`); };

function drawPanel() {
	desk.dataset.pane = pane;
	byId("file").ariaPressed = pane === "file";
	namePane();
	byId("close-pane").hidden = pane === "settings";
	panel.replaceChildren(...[{ settings: drawPart, file: drawText, problems: () => nodesOf(judged.html), build: () => el("div.build", { id: "build-panel" }, parts()), day: drawDay }[pane]()].flat());
	if (pane === "settings") fillForm();
	if (pane === "file") showLine();
}

export function select(part, key = keyOfPart(part), puzzle = null) {
	if (isLost()) return;
	const before = { ...selection };
	Object.assign(selection, { part, key, puzzle });
	asked = -1;
	showSelection(before);
	if (!shown) return;
	if (isFeed()) fillMonth(); else markParts();
	clearTimeout(turning);
	drawRail();
	showState();
	if (pane === "file") showLine();
	if (part === before.part) return;
	if (pane === "settings") show("settings");
	if (!isThere()) history[before.part ? "pushState" : "replaceState"](null, "", addressNow());
}

const addressNow = () => `#/${encodeURIComponent(book.file)}/${selection.part}`;

const isThere = () => `${location.hash}/`.startsWith(`${addressNow()}/`);

// Add the shown pages to the address, unless Back leads away from it.
export const keepPlace = afterPause(300, () => { if (shown && shownPage() && isThere()) history.replaceState(null, "", `${addressNow()}/p${shownPage()}`); });

function showProblem(problem) {
	if (pane !== "file" && partOf(problem.key) && isReadable()) { showKey(problem.key); return; }
	show("file");
	showLine(problem.line || 1, true);
	byId("mending").querySelector(".chief")?.focus();
}

function showKey(key) {
	go(partOf(key));
	show("settings", true);
	desk.dataset.full = "";
	focusKey(key);
}

const allProblems = () => (isReadable() ? judged : book).problems;

function showNextProblem() {
	const all = allProblems();
	if (all.length) showProblem(all[problemsSeen++ % all.length]);
	else if (hopeless()) go(hopeless(), true);
	else toast(say("problems_none"));
}

function showProblems() {
	const all = allProblems();
	if (all.length === 1) showProblem(all[0]); else show("problems");
}

const check = afterPause(250, async () => {
	const { file, version } = book;
	if (!file) return;
	const answer = await ask("problems").catch(() => null);
	if (!answer || file !== shown) return;
	judge(answer, version);
	showChosen();
	markParts();
	drawRail();
	showState();
	if (pane === "problems") refill(panel, nodesOf(judged.html));
}, true);

function update() {
	if (title !== focused()) title.textContent = title.drawn = book.title;
	for (const name of ["undo", "redo"]) {
		byId(name).disabled = !book[name];
		byId(name).title = book[name] ? say(`${name}Of`, { what: book[name].label }) : "";
	}
	refill(byId("note"), nodesOf(book.note));
	showState();
	drawRail();
	refreshPreview();
}

export function showBook() {
	if (book.file !== shown) return;
	if (!wordsOfPart(selection.part)) select(partOf(selection.key) ?? levelNames().at(-1) ?? book.parts[0].name);
	refreshForm();
	if (pane === "settings") namePane();
	if (pane === "file") refreshText();
	refreshBuild();
	if (byId("finished")) loadFinished();
	update();
}

const refreshPreview = afterPause(0, async () => {
	if (!shown) return;
	if (isFeed()) check();
	await (isFeed() ? drawCalendar() : refreshPages());
	check(); // takes longer than the pages in view
	refreshBuild();
	drawRail();
	showState();
});

for (const split of all(document, ".split")) {
	const { zone: name } = split.dataset, isRail = name === "rail", zone = byId(name);
	const resize = (px) => {
		const own = isRail ? "--own-rail" : pane === "file" ? "--own-file" : "--own-side";
		desk.style.setProperty(own, `${px}px`);
		localStorage[book.file + own] = `${split.ariaValueNow = zone.offsetWidth}px`;
	};
	split.onpointerdown = ({ pointerId }) => split.setPointerCapture(pointerId);
	split.onpointermove = ({ pointerId, clientX }) => { if (split.hasPointerCapture(pointerId)) resize(isRail ? clientX : innerWidth - clientX); };
	split.onkeydown = ({ key }) => { const by = { ArrowLeft: -16, ArrowRight: 16 }[key]; if (by) resize(zone.offsetWidth + (isRail ? by : -by)); };
}

const hopeless = () => levelNames().find((name) => judged.hopes[name]);

// Return how things stand: kind, words, task, and the key of its name.
function stateNow() {
	const level = hopeless(), refused = refusedValue(), told = isBuilding() && book.build.told, end = book.build?.end, isNow = book.build?.version === book.version;
	if (book.gone) return ["bad", say("gone", book)];
	if (asked === book.version) return ["busy", joined([say("undoElsewhere"), told], " · "), ["undoAnyway"], "undoIt"];
	if (clashPanel) return ["bad", say("changedToo"), ["show", "file"]];
	if (!isReadable()) return ["bad", say("unreadable", { line: book.unreadable }), ["problems"]];
	if (refused) return ["bad", joined([say("notSaved", refused), told], " · "), ["key", refused.path]];
	if (told || book.elsewhere) return ["busy", told || say("builtElsewhere"), ["show", "build"]];
	if (level) return ["bad level", `${nameOfPart(level)} ${judged.hopes[level]}.`, ["go", level, true]];
	if (judged.told) return ["bad", judged.told, ["problems"]];
	if (isNow && end?.event === "failed") return ["bad", say("buildFailed"), ["show", "build"]];
	if (!book.saved) return ["busy", say("unsaved")];
	if (isFinished()) return ["good done", say(isNow ? "builtNow" : "builtBefore", { ...book, ...end }), desk.dataset.view !== "finished" && ["show", "build"], "toFinished"];
	return ["good", joined([joined([isFeed() && book.until, say("saved", book)], ". "), book.facts?.making], " · ")];
}

export function showState() {
	if (!shown || isLost()) return;
	const [kind, words, task, name = "showReason"] = stateNow(), build = byId("build"), isRunning = isBuilding(), job = isRunning ? book.build : {};
	state.className = kind;
	state.ariaLive = isRunning ? "off" : "polite";
	refill(state, words === job.told ? ringOf(job) : nodesOf(`<svg class="icon"><use href="#i-${/bad/.test(kind) ? "warning" : kind === "good" ? "dot" : "check"}"/></svg>`), el("span.words", words), task && button(name, task, "link", "show-reason"));
	showTab(book.title, job);
	refill(byId("spoken"), job.spoken);
	const isShown = pane === "build" && isFinished(), toMake = isFeed() && !isRunning ? book.make : say(isRunning ? "stop" : isShown ? "buildAgain" : "build");
	build.textContent = toMake || say("allMade");
	build.disabled = !toMake || book.elsewhere;
	build.title = book.elsewhere && say("waitForOther");
	build.ariaDisabled = !isRunning && !!book.blocker;
	build.classList.toggle("chief", !isRunning && !isShown);
}

function handle({ event, file, turn, window, ...facts }) {
	if (!shown && event === "build" && !facts.build.end) showBuildOf(file, facts.build);
	else if (!shown && ["shelf", "build"].includes(event)) refreshShelf();
	if (file === opening || event === "hello") lastTurn = turn;
	if (file !== book.file || !file) return;
	const events = {
		changed: () => { if (window !== windowId) { reload(); if (facts.elsewhere) toast(say("elsewhere")); } },
		reload,
		gone: () => { book.gone = true; showState(); },
		build: () => { book.turn = turn; showProgress(facts.build); tellEnd(facts.build); showState(); },
		made: refreshPreview,
		told: () => toast(facts.message),
	};
	events[event]?.();
}

export function followPlace(key, isFocused) {
	if (pane === "file") return;
	if (pane !== "settings") show("settings");
	if (isFocused) focusKey(key);
}

for (const kind of ["dragover", "dragleave", "drop"]) addEventListener(kind, (event) => {
	const use = offerUses(event);
	if (event.defaultPrevented || !event.dataTransfer.types.includes("Files")) return;
	event.preventDefault();
	const [file] = event.dataTransfer.files;
	if (kind === "drop" && !dropOnField(event.target, file)) (shown ? dropPicture : dropSpec)(file, use);
});

let focusedPath;
addEventListener("focusin", ({ target }) => {
	const path = target.closest("[data-path]")?.dataset.path;
	if (!openMenu()?.contains(target)) openMenu()?.hidePopover();
	if (path !== focusedPath) selection.focus += 1;
	focusedPath = path;
	clearTimeout(turning);
	if (!path) return;
	const key = JSON.parse(path), isSamePart = String(key.slice(0, 2)) === String(selection.key.slice(0, 2));
	turning = setTimeout(() => select(selection.part, key, isSamePart ? selection.puzzle : null), 150);
});

function openSheet(name) {
	desk.dataset.sheet = name;
	if (!name) delete desk.dataset.full;
	const chosen = name !== "inspector" ? name : pane === "settings" ? "" : pane;
	for (const tab of byId("sheets").children) tab.ariaPressed = tab.value === chosen;
}

async function stepBack(name, anyway) {
	write();
	byId("toast").hidePopover(); // it may offer this undo
	const isField = byId("form")?.contains(focused()), state = await holdText(step(name, anyway)), path = state.step?.path;
	asked = state.isDone || !path ? -1 : state.version;
	showState();
	if (asked >= 0 || !path?.length || state.file !== book.file || book.version !== state.version || pane === "file") return;
	if (path[0] === "replace" || pane === "day") { if (placeOf(path[1])) goToPuzzle(path[1]); return; }
	const part = partOf(path);
	if (part && (part !== selection.part || pane !== "settings")) go(part);
	if (isField) focusKey(path); else if (rail.contains(focused())) focusPart();
	tint(path);
}

function build({ detail: clicks }) {
	if (isBuilding()) { if (clicks < 2 && book.build.panel) send("stop"); return; } // a double click starts a build only
	if (book.blocker) { showProblem(book.blocker); return; }
	show("build");
	if (isFeed()) makeDays(); else startBuild().finally(showState);
	showState();
}

title.onkeydown = (event) => {
	if (event.key === "Escape") title.textContent = title.drawn;
	else if (event.key !== "Enter") return;
	event.preventDefault();
	focusPart();
};
title.onblur = () => {
	const given = title.textContent.trim();
	if (given && given !== title.drawn) giveValue(["title"], given).then(update); else title.textContent = title.drawn;
};

byId("build").onclick = build;
function openTab(name) {
	if (name === "build" && !isBuilding() && !book.build?.end && !book.elsewhere) tasks.build();
	else if (name && name !== "rail") show(name, true);
	else if (name) openSheet(name);
	else closePane();
}

function editFile() {
	show(pane === "file" ? "settings" : "file");
	if (pane === "file") showLine(undefined, true);
}

// Show the settings, or only a phone's page. The focus goes back.
function closePane() {
	const places = [opener, byId("change"), panel];
	show("settings");
	openSheet("");
	places.find((place) => place?.checkVisibility() && place !== document.body).focus();
}

const openMenu = () => document.querySelector("[popover='']:popover-open");

const tasks = {
	home, stepBack, sheet: openTab, file: editFile, closePane, change: () => { show("settings", true); panel.focus(); }, moreSettings: () => desk.toggleAttribute("data-full"),
	go, show, problems: showProblems, undoAnyway: () => { focusPart(); stepBack("undo", true); }, part: (name) => { go(name); focusPart(); }, key: showKey, act, save, build: () => byId("build").click(), tellMe: () => Notification.requestPermission().then(refreshBuild), stop: () => send("stop"), problem: showProblem, copy: copyText,
	open, new: askTitle, fileChange: changeFile, ...feedTasks, ...formTasks, ...pageTasks, mend, keep: write, dialog: async (label, request) => openDialog(label, nodesOf((await send(request)).html)), showFolder: (file = book.file) => send("show_folder", { file }), download: (href) => el("a", { href, download: "" }).click(), saved: (saved) => send("saved", { saved }).then(loadFinished), free: (free) => reload({ free }),
};

const run = ([task, ...args]) => tasks[task](...args);

function runTask({ type, target }) {
	const element = target.closest?.("[data-do]");
	if (!element || (type === "change") !== element.matches("input, select")) return;
	run([...JSON.parse(element.dataset.do), ...(type === "change" ? [element.value] : [])]);
}
onclick = onchange = runTask;
const keepPrice = afterPause(600, () => focused().matches("td input") && runTask({ type: "change", target: focused() }));
oninput = ({ target }) => { if (target.matches("td input")) { loadFinished({ do: target.dataset.do, value: target.value }); keepPrice(); } }; // a price

// Go from a field or a place to its part, and from a part to the whole book.
function goOut() {
	const { part, key, puzzle } = selection, from = focused(), isInside = from !== panel && panel.contains(from);
	if (isInside || puzzle || String(key) !== String(keyOfPart(part))) select(part); else go(book.parts[0].name);
	if (from.closest("#right")) byId("stage").focus(); else focusPart();
}

function goToZone(step) {
	const starts = all(document, "[data-start], .part[tabindex='0']").filter((start) => start.checkVisibility());
	const at = starts.findIndex((start) => start.closest("header, nav, section, main").contains(focused()));
	(document.querySelector("#toast:popover-open button:not(:focus)") ?? starts.at((at + step) % starts.length)).focus();
}

function openFinder() {
	const finding = ask("settings_list"), field = byId("find"), told = byId("found"), dialog = byId("finder");
	finding.then((found) => refill(byId("finds"), found.map(([value]) => el("option", { value }))));
	told.textContent = field.value = "";
	field.form.onsubmit = async (event) => {
		event.preventDefault();
		const typed = field.value.trim().toLowerCase(), number = typed.replace("puzzle ", ""), task = placeOf(number) ? ["goToPuzzle", number] : (await finding).find(([label]) => typed && label.toLowerCase().includes(typed))?.[1];
		if (!task) told.textContent = say("nothingFound");
		else { dialog.close(); run(task); }
	};
	dialog.showModal();
}

// Undo or redo, but first drop what is typed. The browser's undo would change other fields.
async function stepByKey(event, name) {
	if (!book.file || event.target.closest("dialog")) return;
	event.preventDefault();
	const isUndo = name === "undo", isDropped = event.target.matches(".yaml") ? isUndo && dropText() : await dropTyped(event.target);
	if (!isUndo || !isDropped) stepBack(name);
}

onkeydown = (event) => {
	document.body.dataset.keyed = "";
	const menu = openMenu(), isCommand = event.ctrlKey || event.metaKey, key = event.key.toLowerCase();
	if (menu) moveInRows(event, all(menu, ":enabled"));
	const found = { "?": () => byId("keys").showModal(), "/": () => search.focus() }[key];
	if (found && !event.target.matches("input, select, textarea, #title")) { event.preventDefault(); found(); }
	if (isCommand && "zy".includes(key)) stepByKey(event, key === "y" || event.shiftKey ? "redo" : "undo");
	const own = isCommand ? { e: editFile, b: () => { if (isBuilding()) show("build"); else tasks.build(); panel.focus(); }, k: openFinder } : { f8: showNextProblem, escape: !menu && (pane !== "settings" || byId("done").checkVisibility() ? closePane : goOut) };
	const task = !event.defaultPrevented && !document.querySelector("dialog[open]") && (key === "f6" ? () => goToZone(event.shiftKey ? -1 : 1) : shown ? own[key] : isCommand && key === "k" && (() => search.focus()));
	if (task) { event.preventDefault(); task(); }
};
addEventListener("beforeinput", (event) => {
	const name = { historyUndo: "undo", historyRedo: "redo" }[event.inputType];
	if (name) stepByKey(event, name);
});
onunhandledrejection = ({ reason }) => toast(reason?.message ?? String(reason));

function openAddress() {
	let address = "";
	try { address = decodeURIComponent(location.hash.slice(1)); } catch { /* not a valid address */ }
	const [, file = address, part, page] = /^\/?(.+\.ya?ml)(?:\/(.+?))??(?:\/p(\d+))?$/.exec(address) ?? [];
	if (file && file !== book.file) open(file, part, page);
	else if (file) {
		if (part !== selection.part && wordsOfPart(part)) go(part);
		if (page) showPage(page);
	} else if (shown || !shelf.firstChild) home();
}
onhashchange = openAddress;
onpagehide = () => { leave(); send("closed"); };

listen(handle, (isLost) => {
	document.body.classList.toggle("lost", isLost);
	if (byId("form")) byId("form").inert = isLost;
	lockText();
	if (isLost) state.textContent = say("lost");
	else if (shown) { reload(); openAddress(); } else refreshShelf();
});
openAddress();

const rail = byId("rail");

export function drawRail() {
	const { part: selected } = selection, { title, facts } = wordsOfPart(selected) ?? {}, drawn = el("i", nodesOf(book.rail));
	byId("glance-name").textContent = title;
	byId("glance-facts").textContent = facts;
	for (const part of all(drawn, ".part")) {
		const name = part.value, fault = judged.faults[name], thumb = thumbOf(name), find = (kind) => part.querySelector(kind);
		if (fault) { part.classList.add("bad"); find(".facts").textContent = fault; find(".ring")?.replaceChildren("!"); }
		if (thumb) find(".thumb").replaceWith(thumb);
		find(".page").textContent = pageOf(name) ?? "";
		if (name === selected) [part.ariaCurrent, part.tabIndex] = ["true", 0];
	}
	refill(rail, ...drawn.childNodes);
	refill(byId("rings"), all(rail, ".level").map(({ value, ariaCurrent, firstChild }) => el("button", { "data-do": JSON.stringify(["go", value]), "aria-current": ariaCurrent }, firstChild.cloneNode(true), nameOfPart(value))));
}

// Return the list and index of an entry; NaN for other parts.
function placeOfPart(name = "") { const [list, index] = name.split("/"); return [list, Number(index)]; }

function isGap(name) {
	const [list, from] = placeOfPart(rail.dataset.from), [other, to] = placeOfPart(name);
	return from >= 0 && list === other && from !== to;
}

function markGap(over) {
	const [, from] = placeOfPart(rail.dataset.from);
	for (const part of all(rail, ".part")) {
		part.classList.toggle("gap", part === over && isGap(part.value));
		part.classList.toggle("below", from < placeOfPart(part.value)[1]);
	}
}
rail.ondragstart = ({ target: { value }, dataTransfer }) => { rail.dataset.from = value; dataTransfer.setData("text/part", value); };
rail.ondragend = () => { delete rail.dataset.from; markGap(); };
rail.ondragover = (event) => {
	const over = event.target.closest(".part");
	markGap(over);
	if (isGap(over?.value) || over?.value === "cover") event.preventDefault();
};
rail.ondrop = (event) => {
	const { value } = event.target.closest(".part") ?? {}, puzzle = event.dataTransfer.getData("text/puzzle"), { from } = rail.dataset, [list, index] = placeOfPart(from);
	if (puzzle || from) event.preventDefault();
	if (puzzle && value === "cover") putOnCover(puzzle);
	if (isGap(value)) changeEntry("", [list], index, placeOfPart(value)[1]);
};

const partKeys = {
	F2: (name) => { go(name, true); focusKey(name === "cover" ? ["title"] : [...keyOfPart(name), "title"]); },
	Delete: (name) => {
		const [list, index] = placeOfPart(name);
		if (index >= 0 && (list !== "levels" || levelNames().length > 1)) changeEntry("remove", [list], index).then(() => { toast(say("removed")); focusPart(); });
	},
};

rail.onkeydown = (event) => {
	const part = event.target.closest(".part");
	if (!part) return;
	if (!event.repeat) partKeys[event.key]?.(part.value);
	if (!event.altKey) { moveInRows(event, all(rail, ".part")); return; }
	const [list, from] = placeOfPart(part.value), to = from + { ArrowDown: 1, ArrowUp: -1 }[event.key];
	if (from >= 0 && wordsOfPart(`${list}/${to}`)) changeEntry("", [list], from, to);
};
