// The stage: spreads, cover, editions, media, designs, puzzles; for a feed, its calendar and days.

import { act, addressOf, allDone, ask, book, drawing, selection, send, valueAt } from "./book.mjs";
import { afterPause, all, boxOf, byId, el, focused, moveFocus, moveInRows, nodesOf, openDialog, refill, say } from "./dom.mjs";
import { giveValue, judged, nameOfPart, refreshForm } from "./form.mjs";
import { drawFinished, drawRail, followPlace, go, keepPlace, select, show, showState } from "./main.mjs";

const desk = byId("desk"), stage = byId("stage"), strip = byId("strip"), editions = byId("editions"), media = byId("medium");
const narrow = matchMedia("(width < 900px)"); // one page at a time, the other zones below
const ownFonts = new CSSStyleSheet(); // rules for the fonts of the book
document.adoptedStyleSheets.push(ownFonts);
const flags = { marks: false, printed: true };
let view = "page", edition = "", zoom = 0;
let firstPage = 0; // of a book being opened
let inView = [], seen = []; // numbers of the pages shown now, and before another view
let thumbs = []; // facts about the small pages

const observer = new IntersectionObserver((entries) => {
	for (const { target: place, isIntersecting } of entries) {
		place.isInView = isIntersecting;
		if (isIntersecting) draw(place);
		else if (place.drawnKey && !place.contains(focused())) { place.turn = place.drawnKey = null; place.replaceChildren(); }
	}
}, { root: stage, rootMargin: "300px" });

export async function refreshPages() {
	const { file } = book, facts = await ask("pages", { edition, look: book.facts?.galleries && book.facts.look }).catch(() => null), was = book.facts;
	if (file !== book.file) return;
	if (!facts && edition) { showEdition("", "page"); return; } // it was removed
	if (!facts) { if (!was) stage.replaceChildren(el("p.empty", say("noPages"))); return; }
	const place = was && pageOf(selection.part); // a moved level is followed
	book.facts = { ...was, ...facts };
	desk.style.setProperty("--page-wide", facts.width);
	desk.style.setProperty("--page-high", facts.height);
	if (facts.fonts !== was?.fonts) ownFonts.replaceSync(facts.fonts);
	refreshForm();
	refill(byId("offers"), nodesOf(facts.offers));
	if (was && ["count", "cover", "screen", "width", "height"].every((key) => facts[key] === was[key]) && papers().length) { drawTools(); redraw(); } else layOut();
	const page = pageOf(selection.part);
	if (view === "page" && (!was || (page && page !== place))) showPart(selection.part);
	if (!was && firstPage) showPage(firstPage);
	refreshThumbs();
}

const refreshThumbs = afterPause(700, () => {
	if (!book.facts) return;
	thumbs = book.facts.tiles;
	drawStrip();
	drawRail();
}, true);

export function leaveFinished() { if (view === "finished") showView("page"); }

async function showEdition(name, medium) {
	if (edition !== (edition = name)) await refreshPages();
	showView(medium);
}

function drawEditions() {
	const medium = ["screen", "epub", "play"].includes(view) ? view : "page";
	refill(editions, nodesOf(book.facts.chooser));
	refill(media, nodesOf(book.facts.media));
	media.value = medium;
	const shown = byId(`edition-${edition}-${medium}`);
	if (shown) shown.ariaCurrent = "true";
	byId("edition").firstChild.textContent = shown?.dataset.bar ?? "";
}

export function closePages(page = 0) {
	book.facts = null;
	firstPage = page;
	inView = seen = thumbs = [];
	view = desk.dataset.view = "page";
	edition = stage.dataset.view = "";
	for (const part of [stage, strip, byId("month-tools")]) part.replaceChildren();
}

const papers = () => all(stage, ".paper");

function redraw() {
	for (const place of papers()) if (place.isInView) draw(place);
}

function layOut({ facts } = book) {
	if (!facts) return; // refreshPages will call it
	if (inView[0]) seen = inView;
	observer.disconnect();
	drawTools();
	stage.dataset.view = view;
	refill(stage, {
		all: () => [], cover: () => (facts.cover ? paperOf("cover", 0) : el("p.empty", say("noCover"))), designs: drawGallery, finished: drawFinished,
		page: spreads, screen: spreads,
	}[view]?.() ?? el("iframe", { title: say(`media.${view}`), src: addressOf("medium", { edition, what: view, of: [book.version, !facts.waiting.length] }) }));
	if (!focused().checkVisibility()) stage.focus();
	drawStrip();
	papers().forEach((place) => observer.observe(place));
	showAgain(seen);
}

function drawStrip() {
	const count = ["page", "all"].includes(view) ? book.facts.count : 0;
	while (strip.childElementCount > count) strip.lastElementChild.remove();
	for (let number = strip.childElementCount + 1; number <= count; number += 1) {
		strip.append(el("button.mini.pale", { "data-number": number, onclick: () => showPage(number) }, el("img", { alt: "" }), el("span")));
		nearby.observe(strip.lastElementChild);
	}
	const isTicks = String(view !== "all"); // ticks are for the pointer only, and all in view
	for (const mini of strip.children) {
		if (strip.ariaHidden !== isTicks) { mini.isInView = false; nearby.unobserve(mini); nearby.observe(mini); }
		drawMini(mini);
	}
	strip.ariaHidden = isTicks;
	markParts();
	inView = [];
	markPlace();
}

// Mark the selected part's pages, impossible and first ones.
export function markParts() {
	for (const mini of strip.children) {
		const { number } = mini.dataset, { part, first } = book.facts.tiles[number - 1], marks = { own: part === selection.part, bad: judged.hopes[part], first };
		for (const mark in marks) mini.classList.toggle(mark, !!marks[mark]);
		mini.title = nameOfPart(part);
		mini.lastChild.textContent = first ? mini.title : number;
	}
}

// With `loading="lazy"`, each change would redraw each picture that was ever in view.
const nearby = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => {
	target.isInView = isIntersecting;
	drawMini(target);
}), { root: strip, rootMargin: "300px" });

function drawMini(mini) {
	const image = mini.firstChild, { src, waits } = thumbs[mini.dataset.number - 1] ?? {};
	mini.tabIndex = view === "all" ? 0 : -1;
	if (view !== "all" || !mini.isInView || !src || image.getAttribute("src") === src) return;
	image.onload = () => mini.classList.toggle("pale", waits);
	image.src = src;
}

export function thumbOf(part, { facts } = book) {
	if (part === "cover" && facts?.cover) return el("img.thumb", { src: tileOf({ what: "front" }), alt: "" });
	const { src } = thumbs[(facts?.first_boards[part] ?? pageOf(part)) - 1] ?? {};
	return src && el("img.thumb", { src, alt: "", loading: "lazy" });
}

// Show the uses of a dragged picture. Return the one under the pointer.
export function offerUses({ type, target, dataTransfer, relatedTarget }) {
	const over = target.closest?.(".drop");
	desk.classList.toggle("dragging", type === "dragover" ? dataTransfer.types.includes("Files") : type === "dragleave" && !!relatedTarget);
	for (const one of all(stage, ".drop")) one.classList.toggle("over", one === over);
	return over?.dataset.use;
}

function spreads() {
	const count = view === "screen" ? book.facts.screen : book.facts.count, isDouble = view === "page" && !narrow.matches;
	const pages = Array.from({ length: count }, (_, index) => paperOf(view, index + 1)), list = isDouble ? [el("div.spread.recto", pages.shift())] : [];
	while (pages.length) list.push(el("div.spread", pages.splice(0, isDouble ? 2 : 1)));
	return list;
}

const paperOf = (what, number) => el(`div.paper.${what}`, { id: `paper-${what}-${number}`, "data-number": number, "data-own": true });

async function draw(place) {
	const key = book.facts?.key + JSON.stringify(flags), { number } = place.dataset;
	if (place.drawnKey === key || place.querySelector(".in-place")) return;
	place.drawnKey = key;
	try {
		const nodes = await drawing({ what: view, edition, number, colours: flags.printed ? "" : "screen", ...flags.marks && { marks: 1 } }, place);
		if (!nodes) return;
		const bar = place.querySelector(".spot-bar");
		if (bar) nodes.splice(nodes.findIndex(({ id }) => id === bar.previousElementSibling.id) + 1, 0, bar);
		refill(place, nodes);
		showChosen();
	} catch (error) {
		refill(place, el("p.error", error.message));
	}
}

let clicked; // clicked again, empty parts of a page select the whole book

// A spot is a button over a part of a page.
stage.onclick = ({ detail: clicks, target }) => {
	const spot = target.closest(".spot");
	if (!spot) return;
	const { part, puzzle } = spot.dataset, key = keyOfSpot(spot), isAgain = clicked === spot.id && spot.matches(".whole.chosen");
	clicked = spot.id;
	if (isAgain) { go("whole"); return; }
	select(part, key, Number(puzzle) || null);
	if (clicks && !isOwnText(key) || !edit(spot)) followPlace(key, !puzzle); // the focus stays at the bar of a puzzle
};
stage.ondblclick = ({ target }) => edit(target.closest(".spot"));
stage.ondragstart = ({ target, dataTransfer }) => dataTransfer.setData("text/puzzle", target.dataset?.puzzle ?? "");

const keyOfSpot = ({ dataset }) => JSON.parse(dataset.key);

const isOwnText = (key) => key.at(-1) === "text";

// Edit a text on its page: Enter or leaving writes it, Escape drops a title. Return whether the spot has one.
function edit(spot) {
	const text = spot?.dataset.text, key = text !== undefined && keyOfSpot(spot);
	if (!key) return false;
	const field = el("textarea.in-place", { value: text, "aria-label": spot.ariaLabel, onblur: () => finish(true), onkeydown: (event) => {
		const isEnter = event.key === "Enter";
		if (event.key !== "Escape" && (!isEnter || event.shiftKey)) return;
		event.preventDefault();
		finish(isEnter || isOwnText(key));
	} });
	const finish = (isKept) => {
		field.onblur = null;
		field.remove();
		redraw();
		spot.focus();
		if (isKept && field.value.trim() !== text) giveValue(key, field.value.trim());
	};
	spot.scrollIntoView({ block: "nearest" });
	field.style.cssText = spot.style.cssText;
	spot.after(field);
	field[isOwnText(key) ? "focus" : "select"]();
	return true;
}

let sought = 0; // the page whose chosen spot gets the focus when drawn

export function showChosen() {
	const bars = new Set(all(stage, ".spot-bar")), least = selection.puzzle ? 4 : 0;
	for (const place of papers()) {
		const spots = all(place, ".spot"), alike = spots.map((spot) => likeness(spot)), most = Math.max(...alike);
		const best = most > least && spots[alike.indexOf(most)];
		for (const spot of spots) {
			spot.classList.toggle("chosen", spot === best);
			spot.tabIndex = inView[0] && !inView.includes(+place.dataset.number) ? -1 : 0; // Tab leaves the pages in view
			if (spot.classList.toggle("hopeless", !!(spot.draggable && judged.hopes[spot.dataset.part]))) spot.ariaLabel = spot.textContent;
		}
		if (!selection.puzzle || !best) continue;
		const next = best.nextElementSibling, [bar] = nodesOf(best.dataset.bar);
		for (const link of all(bar, "a")) link.href = addressOf("play", { number: selection.puzzle });
		if (bars.delete(next)) refill(next, ...bar.childNodes); else best.after(bar); // keeps the focus
		if (sought == place.dataset.number && focused() === stage) { sought = 0; best.focus({ preventScroll: true }); }
	}
	for (const bar of bars) bar.remove();
}

export function tintSpots(path) { for (const spot of all(stage, ".spot")) spot.classList.toggle("tinted", !!path && likeness(spot, JSON.parse(path)) >= 1); }

// Return how close the chosen key is to a spot's key; 0 if it is elsewhere.
function likeness(spot, chosen = selection.key) {
	const key = keyOfSpot(spot), isOne = spot.dataset.puzzle == selection.puzzle;
	const steps = key.findIndex((step, index) => step !== chosen[index]), isAbove = steps < 0;
	const isPlace = isAbove || (steps >= 1 && !Number.isInteger(key[1])) || steps >= 2;
	return isPlace ? (isAbove ? key.length : 0.5) + (isOne ? (selection.puzzle ? 4 : 0.25) : 0) : 0;
}

export async function showSelection(before) {
	if (!book.facts) return;
	showChosen();
	const { key } = selection, isNew = () => selection.key === key && view === "page" && !isChosenSeen();
	if (String(key) === String(before.key)) return;
	await 0; // the caller may turn to a page
	const { number } = isNew() && await ask("where", { edition, key: key.join(".") }).catch(() => ({}));
	if (number && isNew()) showPage(number);
}

function isChosenSeen() {
	const seen = boxOf(stage);
	return all(stage, ".chosen").map(boxOf).some((box) => box.bottom > seen.top && box.top < seen.bottom && box.right > seen.left && box.left < seen.right);
}

export function showPart(part) {
	if (part === "cover" || part === "looks") { showView(part === "cover" ? part : "designs"); refreshGallery(); return; }
	const page = book.facts?.first_boards[part] ?? pageOf(part);
	if (page) showPage(page); else showView("page");
}

export const pageOf = (part) => book.facts?.starts[part];

function drawTools() {
	drawEditions();
	for (const one of all(byId("tools"), "[aria-pressed]")) one.ariaPressed = view === one.value || !!flags[one.id];
	byId("printed").hidden = view !== "cover" && !book.facts.coloured;
}

export const pageTasks = {
	openPuzzle, goToPuzzle, drawPuzzle, putOnCover, turn: turnPages, page: showPage, edition: showEdition,
	another: (path) => act("set", path, String(Number(valueAt(path) ?? 0) + 1)),
	view: (name) => { showView(name); chosenTile()?.focus(); },
	keepLook: (...change) => { tried = null; act(...change); },
	zoom: (step) => { zoom = step && zoom + step; stage.style.setProperty("--zoom", 1.25 ** zoom); },
	flag: (name) => { flags[name] = !flags[name]; redraw(); drawTools(); },
};

export const placeOf = (puzzle) => book.facts?.places[`puzzle-${puzzle}`];

export function showView(name) {
	if (view === name) return;
	view = desk.dataset.view = name;
	stage.scrollTop = 0;
	layOut();
	showState();
}

function markPlace() {
	const isOld = narrow.matches === !!stage.querySelector(".recto"); // laid out for another width
	if (view !== "page" || !book.facts || !stage.clientWidth || isOld) return;
	const { x, y, width, height } = boxOf(stage);
	const isBehind = ({ right, bottom }) => (narrow.matches ? right > x + width / 2 : bottom > y + height / 2);
	const spread = [...stage.children].find((part) => isBehind(boxOf(part))) ?? stage.lastElementChild;
	const shown = [...spread.children].map((place) => +place.dataset.number);
	if (String(inView) === String(shown)) return;
	inView = shown;
	for (const mini of strip.children) mini.classList.toggle("shown", shown.includes(+mini.dataset.number));
	const [first, last = first] = shown;
	const told = say(first === last ? "pageShown" : "pagesShown", { first, last, count: book.facts.count });
	byId("sheet-page").textContent = told;
	showChosen();
	refill(byId("shown-pages"), el("strong", strip.children[last - 1]?.title), ` ${told}`);
	keepPlace();
}

export const shownPage = () => view === "page" && inView[0];

stage.onscroll = markPlace;

function turnPages(by) {
	if (shownPage()) showPage(Math.min(book.facts.count, Math.max(1, inView.at(by < 0 ? 0 : -1) + by)));
}
stage.onkeydown = (event) => {
	const by = { PageDown: 1, PageUp: -1, ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
	if (!by || !shownPage() || event.target.matches("textarea")) return;
	event.preventDefault();
	stage.focus(); // else the focus leaves the view
	turnPages(by);
};

export function showPage(number) {
	showView("page");
	byId(`paper-page-${number}`)?.scrollIntoView({ block: "center", inline: "center" });
	markPlace();
}

// Container units would do the same, but take 0.3 s a change with 1,200 pages.
new ResizeObserver(([{ contentRect }]) => {
	for (const side of ["width", "height"]) stage.style.setProperty(`--stage-${side}`, `${contentRect[side]}px`);
	showAgain();
}).observe(stage);
narrow.onchange = () => stage.querySelector("iframe") || layOut(); // a page to play on keeps its lines

function showAgain(pages = inView) { if (view === "page" && pages[0]) showPage(pages.at(-1)); }

// Return a small picture's address, kept while the look stays.
const tileOf = (query) => addressOf("tile", { of: book.facts?.look, ...query });

let tried = null; // the cover or look that is tried

function drawGallery() {
	const nodes = nodesOf(book.facts?.galleries?.[selection.part] ?? book.facts?.galleries?.cover);
	byId("gallery").textContent = nodes[0]?.dataset.tab;
	for (const part of tried ? nodes : []) part.hidden = !!part.dataset.design && part.dataset.design !== tried.name;
	return nodes;
}

export function showPreview() {
	for (const image of all(document, "[data-tile]")) image.src = tileOf({ ...JSON.parse(image.dataset.tile), ...tried });
}

export function refreshGallery() {
	if (view === "designs") refill(stage, drawGallery());
}

function tryCover(cover) {
	if (JSON.stringify(cover) === JSON.stringify(tried)) return;
	tried = cover;
	showPreview();
	refreshGallery();
}

stage.addEventListener("focusin", ({ target: { dataset, ariaChecked } }) => tryCover(dataset.try && ariaChecked === "false" ? JSON.parse(dataset.try) : null));
stage.addEventListener("focusout", ({ relatedTarget }) => { if (!relatedTarget?.closest(".gallery")) tryCover(null); });
stage.addEventListener("keydown", (event) => {
	const step = moveFocus(event, all(stage, ".day button"), { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 7, ArrowUp: -7 });
	const day = step ? new Date(Date.parse(event.target.id.slice(4)) + step * 864e5).toISOString().slice(0, 10) : event.target.closest(".day") && { PageDown: month.later, PageUp: month.earlier }[event.key];
	if (day) { event.preventDefault(); turnTo(next = day); }
	moveInRows(event, all(stage, ".weekdays button"));
	const gallery = event.target.closest(".gallery");
	if (!gallery) return;
	moveInRows(event, all(gallery, "button"));
	if (event.key !== "Escape") return;
	event.preventDefault();
	(tried ? chosenTile(gallery) ?? chosenTile() : byId("other-design"))?.focus();
});

const chosenTile = (place = stage) => place.querySelector("[aria-checked=true]");

async function openPuzzle(number) {
	const { file } = book, facts = await ask("puzzle", { number });
	if (file !== book.file || selection.puzzle !== number) return; // closed, or another is selected
	openDialog(say("puzzle", { number }), nodesOf(facts.html));
	drawPuzzle("answer", number);
}

async function drawPuzzle(what, number) {
	const place = byId(`drawn-${what}`), drawn = place && await drawing({ what, number }, place);
	if (drawn) refill(place, drawn);
}

export async function putOnCover(number) {
	byId("dialog").close();
	if (await act("replace", ["cover"], { puzzle: String(number) })) go("cover");
}

export function goToPuzzle(number) {
	const page = placeOf(number), { part } = book.facts.tiles[page - 1];
	show("settings");
	go(part);
	select(part, undefined, +number);
	showPage(sought = page);
	stage.focus();
	showChosen();
}

const today = () => new Date().toLocaleDateString("sv"); // Swedish dates are ISO dates

// The calendar of a feed, and the panel of a day.

let span = "month", turnedTo, month = { weeks: [] }, chosen, next, tab = "puzzle", turn = 0, asking; // the newest request

// Redraw the calendar: known boards at once, the others one by one.
export async function drawCalendar() {
	const own = ++turn, { file } = book, isOutdated = () => own !== turn || file !== book.file;
	const answer = await ask("calendar", { today: today(), day: turnedTo || today(), span }).catch(({ message }) => ({ message }));
	if (isOutdated()) return;
	if (answer.message) { stage.replaceChildren(el("p.empty", answer.message)); return; }
	({ make: book.make, until: book.until } = month = answer);
	refill(byId("month-tools"), nodesOf(month.tools));
	refill(stage, nodesOf(month.html));
	fillMonth();
	byId(`day-${next}`)?.focus();
	next = "";
	let isMade;
	for (const board of all(stage, "[data-board]")) {
		board.src = board.dataset.board;
		await board.decode().then(() => { isMade = true; }, () => {});
		if (isOutdated()) return;
	}
	if (isMade) drawCalendar(); // with how hard they are
}

export function fillMonth() {
	const cells = all(stage, ".day button"), own = dayButton(), stop = own ?? byId(`day-${today()}`) ?? cells[0];
	for (const head of all(stage, "[id^=head-]")) head.ariaCurrent = head.id === selection.part.replace("week/", "head-") ? "true" : null;
	for (const cell of cells) {
		cell.tabIndex = cell === stop ? 0 : -1;
		cell.parentElement.ariaSelected = String(cell === own);
	}
	if (byId("day-panel")) loadDay();
}

function turnTo(day, of = span) { [turnedTo, span] = [day, of]; drawCalendar(); }

const dayButton = () => byId(`day-${chosen}`);

export const dayName = () => month.weeks.flat().find(({ day }) => day === chosen)?.name ?? "";

export const drawDay = () => el("div.fields", { id: "day-panel" });

async function loadDay() {
	const own = asking = ask("day", { day: chosen, today: today() }), panels = await own;
	if (own === asking && byId("day-panel")) refill(byId("day-panel"), nodesOf(panels[tab] ?? panels.puzzle));
}

export const feedTasks = {
	day: (day) => { chosen = day; show("day"); fillMonth(); dayButton().scrollIntoView({ block: "nearest" }); },
	calendar: (day, of) => { turnTo(of === "week" && of !== span && dayButton() ? chosen : day, of); },
	tab: (name) => { tab = name; fillMonth(); },
};

export async function makeDays() {
	const { file } = book, { left } = month;
	await allDone();
	if (!left) return;
	turnTo(left.from);
	await send("build", { file, ...left });
}
