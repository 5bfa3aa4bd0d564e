// The open book or feed, what is selected in it, its changes, and requests to the server.

import { nodesOf, say, toast } from "./dom.mjs";
import { showBook } from "./main.mjs";

// A reload keeps it, but a copy of the window gets another.
const type = performance.getEntriesByType("navigation")?.[0]?.type;
export const windowId = sessionStorage.window = (type === "reload" && sessionStorage.window) || crypto.randomUUID();

export const book = { file: "", turn: 0, values: {}, parts: [], problems: [], facts: null };

// The part is a name of the server's list, such as `cover`, or a level by its index: `levels/2`.
// `focus` counts the fields that had the focus. What is written during one focus is one step to undo.
export const selection = { part: "", key: [], puzzle: null, focus: 0 };

// `html` asks whose lines or value to keep.
class Refused extends Error {}

async function request(address, options) {
	const response = await fetch(address, options)
		.catch(() => { throw new Refused(say("lost")); });
	if (response.ok) return response;
	const { refused, html } = await response.json().catch(() => ({ refused: response.statusText }));
	throw Object.assign(new Refused(refused), { html });
}

const get = (name, query) => request(addressOf(name, { ...query, window: windowId }));

export const ask = async (name, query) => (await get(name, query)).json();

async function post(name, type, body) {
	const keepalive = body.length < 32_000; // finish it even if the window closes; browsers limit its size
	return (await request(`api/${name}`, { method: "POST", headers: { "content-type": `application/${type}` }, body, keepalive })).json();
}

export const send = (name, content = {}) => post(name, "json", JSON.stringify({ file: book.file, part: selection.part, ...content, window: windowId }));

export const sendPicture = (query, file) => post(`picture?${new URLSearchParams(query)}`, "octet-stream", file);

// Return the nodes of a drawing; nothing if its place got another request. Ask again if an older one overtook it.
export async function drawing(query, place = {}) {
	const turn = place.turn = {};
	let text;
	try {
		do text = await (await get("drawing", { place: place.id, ...query })).text();
		while (!text && place.id && place.turn === turn);
	} catch (error) { if (place.turn === turn) throw error; }
	return place.turn === turn && nodesOf(text);
}

// Call `onEvent` with every event, and `onConnection` with whether the server is lost. A browser allows only six
// connections to a server, so one window listens for all, and another one when it closes.
export function listen(onEvent, onConnection) {
	const windows = new BroadcastChannel("events");
	const handle = ({ event, isLost }) => (event ? onEvent(event) : onConnection(isLost));
	const publish = (message) => { windows.postMessage(message); handle(message); };
	windows.onmessage = ({ data }) => handle(data);
	navigator.locks.request("events", () => new Promise(() => {
		const source = new EventSource("api/events");
		source.onmessage = ({ data }) => publish({ event: JSON.parse(data) });
		source.onerror = () => publish({ isLost: true });
		source.onopen = () => publish({ isLost: false });
		addEventListener("pagehide", () => source.close());
	}));
}

let current; // the file of the book that is open or is being opened
let last = Promise.resolve(), pending = 0, newest;

// Run tasks on a book one after the other. The book is shown as the last one leaves it.
function enqueue(task, file = book.file) {
	countPending(1);
	const done = last.then(() => task(file)).then((state) => { if (state.file === current) newest = state; return state; }).finally(() => {
		countPending(-1);
		if (pending || !newest) return;
		const isOlder = newest.file === book.file && newest.turn < book.turn; // a build's event has come meanwhile
		Object.assign(book, newest, isOlder && { turn: book.turn, build: book.build });
		newest = null;
		showBook();
	});
	last = done.catch(() => {});
	return done;
}

let slow;

function countPending(more) {
	pending += more;
	document.body.classList.toggle("writing", pending > 0);
	clearTimeout(slow);
	if (pending) slow = setTimeout(() => document.querySelector("#state .words")?.replaceChildren(say("saving")), 400);
}

export const isSettled = () => !pending;

export function closeBook() { current = book.file = book.kind = ""; newest = null; }

export async function openBook(file) {
	[current, newest] = [file, null];
	await reload();
	await allDone();
}

// Resolve when the book is shown: after all tasks, also those added meanwhile.
export async function allDone() { while (pending) await last; }

export const reload = (query = {}) => enqueue((file) => ask("book", { file, part: selection.part, ...query }), current);

export const valueAt = (path, values = book.values) => path.reduce((inner, step) => inner?.[step], values);

export const addressOf = (name, query) => `api/${name}?${new URLSearchParams({ file: book.file, ...query })}`;

// Make a change. Return the message if it is refused, and a question if another window changed the key.
const tryChange = (kind, path, value, draft, onWritten) => enqueue(async (file) => {
	const state = await send("change", { file, kind, path, value, was: draft?.was, focus: draft && selection.focus });
	if (draft) draft.was = kind === "unset" ? null : value;
	onWritten?.();
	return state;
}).then(() => ({}), (error) => {
	if (!(error instanceof Refused)) throw error;
	return { html: error.html, words: error.message };
});

export const change = async (...args) => (await tryChange(...args)).words;

// Change the key of a field, unless it has another value than the user saw.
export const setField = (path, value, ...more) => tryChange(value === "" ? "unset" : "set", path, value, ...more);

// Make a change and show the book, and the message if it is refused. Return whether it was made.
export async function act(kind, path, value) {
	const refused = await change(kind, path, value);
	await allDone();
	if (refused) { toast(refused); showBook(); }
	return !refused;
}

export const step = (name, anyway = false) => enqueue((file) => send(name, { file, anyway }));

// Write the text that `textAndBase` returns in its turn, with the text it is based on.
export const writeText = (textAndBase) => enqueue((file) => send("text", { file, ...textAndBase() }));

export const save = () => writeText(() => ({ text: book.text, base: book.text }));
