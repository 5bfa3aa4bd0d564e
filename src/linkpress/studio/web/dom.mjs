// Elements, phrases, dialogs and messages of the window.

const words = await (await fetch("web/words.en.json")).json();

// A level may be called `constructor`, a property of every object.
const ownValue = (object, key) => (object && Object.hasOwn(object, key) ? object[key] : undefined);

export function say(key, values = {}) {
	return String(key.split(".").reduce(ownValue, words) ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export const nameOf = (group, key, name = key) => ownValue(words[group], key) ?? name;

export const isLost = () => document.body.classList.contains("lost");

export const byId = (id) => document.getElementById(id);

export const focused = () => document.activeElement;

export const boxOf = (element) => element.getBoundingClientRect();

export const all = (place, selector) => [...place.querySelectorAll(selector)];

// Return the property that a user changes, such as `checked`.
export const userProperty = (element) => (element.type === "checkbox" ? "checked" : { DETAILS: "open", H1: "textContent", INPUT: "value", SELECT: "value", TEXTAREA: "value" }[element.tagName]);

// Make an element such as `p.meaning`. Children are nodes, texts or lists; false ones are left out.
export function el(name, attributes, ...children) {
	if (attributes?.constructor !== Object) return el(name, {}, attributes, ...children);
	const [tag, ...classes] = name.split("."), element = document.createElement(tag);
	if (tag === "button") element.type = "button";
	if (classes.length) element.className = classes.join(" ");
	for (const [key, value] of Object.entries(attributes)) {
		if (value == null || value === false) continue;
		if (key.startsWith("on") || key === "value") element[key] = value;
		else element.setAttribute(key, value === true ? "" : value);
	}
	element.append(...children.flat(9).filter(Boolean));
	element.drawn = element[userProperty(element)];
	return element;
}

// A changed value is sent now, so the next drawing may replace it.
addEventListener("change", ({ target }) => { if (target.matches(".end, [type=color], [data-do]")) target.drawn = target[userProperty(target)]; }, true);

export const joined = (parts, between = ", ") => parts.filter(Boolean).join(between);

// Move the focus by keys. Return the step if it leads beyond the elements.
export function moveFocus(event, elements, steps) {
	const at = elements.indexOf(event.target), step = { Home: -at, End: elements.length - 1 - at, ...steps }[event.key];
	if (!step || at < 0 || event.defaultPrevented) return;
	event.preventDefault();
	const next = elements[at + step];
	if (!next) return step;
	if (next.tabIndex < 0) [event.target.tabIndex, next.tabIndex] = [-1, 0];
	next.focus();
}

// Move the focus among elements in rows by the arrow keys.
export function moveInRows(event, elements) {
	const { left, right } = boxOf(event.target);
	moveFocus(event, elements, { ArrowRight: 1, ArrowLeft: -1 });
	moveFocus(event, elements.filter((one) => boxOf(one).left < right && boxOf(one).right > left), { ArrowDown: 1, ArrowUp: -1 });
}

// Redraw a part of the window. Only differences are changed, so the focus, half-typed text and open lists
// survive. A fresh handler is lost where an old element stays, so drawn elements name their tasks in `data-do`.
export function refill(part, ...children) {
	const was = focused(), beside = was.previousElementSibling, above = [];
	if (part.contains(was)) for (let place = was; place !== part;) above.push(place = place.parentElement);
	fill(part, [...el("i", ...children).childNodes]);
	if (!above.length || focused() === was) return;
	const near = [beside, ...all(above.find((place) => place.isConnected), ":enabled")].find((one) => one?.tabIndex >= 0 && one.checkVisibility());
	const again = was.isConnected && !was.disabled ? was : (was.id && byId(was.id)) || near || part;
	again.focus({ preventScroll: again === was });
}

const keyOf = (node) => node.id || (node.tagName === "BUTTON" ? node.textContent : node.nodeName);

function fill(part, children) {
	const old = Map.groupBy(part.childNodes, keyOf);
	const nodes = children.map((child) => {
		const before = old.get(keyOf(child))?.shift();
		if (before?.nodeName !== child.nodeName) return child;
		become(before, child);
		return before;
	});
	for (const node of [...part.childNodes]) if (!nodes.includes(node)) node.remove();
	nodes.forEach((node, index) => { if (part.childNodes[index] !== node) part.insertBefore(node, part.childNodes[index] ?? null); });
}

// Make an old element equal to a fresh one, but keep what the user changed since.
function become(old, fresh) {
	if (!old.attributes) { if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue; return; }
	const property = userProperty(old);
	for (const { name } of [...old.attributes]) if (name !== property && !fresh.hasAttribute(name)) old.removeAttribute(name);
	for (const { name, value } of fresh.attributes) {
		if (name === property || old.getAttribute(name) === value) continue;
		if (name === "style") old.style.cssText = value;
		else old.setAttribute(name, value);
	}
	if (!fresh.hasAttribute("data-own")) fill(old, [...fresh.childNodes]); // else it is filled by whoever drew it
	if (!property || fresh.drawn === old.drawn) return;
	if (old !== focused() || old[property] === old.drawn) old[property] = fresh.drawn;
	old.drawn = fresh.drawn;
}

// Return the elements of HTML. An element with `data-do` runs a task of `tasks` in `main.mjs`.
export function nodesOf(html = "") {
	const { body } = new DOMParser().parseFromString(html, "text/html");
	for (const one of all(body, "input, select, textarea, details")) one.drawn = one[userProperty(one)];
	for (const one of all(body, "[data-box]")) one.style.cssText = one.dataset.box; // the policy forbids the attribute `style`
	return [...body.childNodes];
}

let toastTimer;

export function toast(...content) {
	const place = byId("toast");
	place.replaceChildren(...content);
	place.hidePopover();
	place.showPopover(); // popovers are shown above dialogs
	clearTimeout(toastTimer);
	toastTimer = setTimeout(() => place.hidePopover(), 1e4);
}

export function openDialog(label, ...content) {
	const dialog = byId("dialog");
	byId("dialog-title").textContent = label;
	byId("dialog-content").replaceChildren(...content.flat());
	dialog.showModal();
	return dialog;
}

export const templateOf = (id) => nodesOf(byId(id).innerHTML);

// Ask with a form, which stays while the task refuses. The task returns the id to focus.
export function askForm(label, content, task) {
	const dialog = openDialog(label, content), form = byId("dialog-content").firstChild;
	form.onsubmit = async (event) => {
		event.preventDefault();
		try {
			const id = await task(Object.fromEntries(new FormData(form, event.submitter)));
			if (form.isConnected) dialog.close();
			byId(id)?.focus();
		} catch ({ message }) { form.querySelector(".error").textContent = message; }
	};
	form.querySelector("select, input, button").focus();
}

// Return a function that runs a task after a pause. Calls restart the pause, unless it is steady, and repeat a running task.
export function afterPause(pauseMs, task, isSteady = false) {
	let waiting, isRunning, isRequested;
	const work = async () => {
		isRequested = isRunning;
		if (isRunning) return;
		isRunning = true;
		await Promise.resolve(task()).finally(() => { isRunning = false; if (isRequested) work(); });
	};
	return () => {
		if (isSteady && waiting) return;
		clearTimeout(waiting);
		waiting = setTimeout(() => { waiting = 0; work(); }, pauseMs);
	};
}
