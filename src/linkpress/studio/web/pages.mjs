// The preview: spreads as printed, the cover, the tablet edition. Only pages near the visible ones are drawn.

import { ask, drawing } from "./api.mjs";
import { addressOf, book, tileOf, valueAt } from "./book.mjs";
import { drawFinished } from "./build.mjs";
import { afterPause, button, byId, el, nameOf, quiet, refill, say } from "./dom.mjs";
import { keyOfPart, keysOfPart, labelsOf, partOf, refreshForm, untranslated } from "./form.mjs";
import { drawGallery, refreshGallery } from "./gallery.mjs";
import { openPuzzle } from "./puzzle.mjs";
import { onSelection, select, selection } from "./selection.mjs";

let facts = null, view = "page", edition = "", zoom = 0, marks = false, isPrinted = true, version = 0;
let follow = () => {};

/** Call a function with the key that a place on a page comes from, when the place is clicked. */
export function onPlace(listener) { follow = listener; }
const stage = byId("stage"), PX_PT = 96 / 72, MINI_PX = 74;
const narrow = matchMedia("(width < 900px)"); // shows one page at a time, with the other zones below it

const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    entry.target.isInView = entry.isIntersecting;
    if (entry.isIntersecting) draw(entry.target);
    else empty(entry.target);
  }
}, { root: byId("right"), rootMargin: "300px" });

function empty(place) {
  if (!place.drawnVersion || place.contains(document.activeElement)) return;
  place.turn = place.drawnVersion = 0;
  place.replaceChildren();
}

const fonts = new Set(); // the loaded fonts of the book, by digest and weight

function loadFonts() {
  for (const { family, weight, digest } of facts.fonts) {
    if (fonts.has(digest + weight)) continue;
    fonts.add(digest + weight);
    const own = new FontFace(family, `url(${addressOf("font", { edition, digest })})`, { weight });
    document.fonts.add(own);
    own.load().catch(() => fonts.delete(digest + weight));
  }
}

export async function refreshPages() {
  const asked = book.file, now = await ask("pages", { file: asked, edition }).catch(() => null);
  if (asked !== book.file) return;
  if (!now && edition) { showEdition("", "page"); return; } // it was removed
  if (!now) {
    if (!facts) stage.replaceChildren(el("p.empty", say("noPages")));
    return;
  }
  const isFirst = !facts, isSame = facts && ["count", "width", "height", "cover", "screen"].every((key) => facts[key] === now[key]);
  facts = now;
  loadFonts();
  book.facts = facts;
  refreshForm();
  refill(byId("offers"), Object.entries(facts.offers).map(([key, values]) =>
    el("datalist", { id: `offers-${key}` }, values.map((value) => el("option", { value })))));
  version += 1;
  if (isSame && stage.querySelector("[data-number]")) { drawTools(); redraw(); } else layOut();
  if (isFirst) showPart(selection.part);
  drawThumbs();
}

export function leaveFinished() { if (view === "finished") showView("page"); }

export function showEdition(name, medium) {
  byId("editions").hidePopover();
  const isOther = name !== edition;
  edition = name;
  if (isOther) refreshPages().then(() => showView(medium)); else showView(medium);
}

function drawEditions() {
  const choices = [["", "page", say("media.page")], ...facts.media.map((medium) => ["", medium, say(`media.${medium}`)]), ...facts.editions.map(({ name, language }) => [name, "page", nameOf("choices", name, nameOf("choices", language))])];
  const isShown = ([name, medium]) => name === edition && (medium === view || (medium === "page" && view === "cover"));
  byId("edition").textContent = (choices.find(isShown) ?? choices[0])[2];
  refill(byId("editions"), choices.map((choice) => {
    const [name, medium, label] = choice, { title } = facts.editions.find((one) => one.name === name) ?? book.values, left = name && untranslated(name);
    return el("button.edition", { id: `edition-${name}-${medium}`, "aria-current": isShown(choice) && "true", onclick: () => showEdition(name, medium) },
      facts.cover && el("img", { src: tileOf({ what: "front", edition: name }), alt: "", loading: "lazy" }), el("strong", label), el("span", left ? { class: "warned" } : {}, left || title));
  }), quiet("addEdition", () => { byId("editions").hidePopover(); byId("part-editions").click(); }));
}
byId("editions").addEventListener("toggle", () => { byId("editions").style.left = `${Math.max(8, Math.min(byId("edition").offsetLeft, innerWidth - 408))}px`; });

export const countWaiting = () => facts?.waiting.length ?? 0;

export function closePages() { facts = book.facts = null; view = byId("desk").dataset.view = "page"; edition = stage.dataset.view = ""; stage.replaceChildren(); byId("strip").replaceChildren(); byId("views").replaceChildren(); }

const papersIn = (zone) => zone.querySelectorAll("[data-number]");

function redraw() {
  for (const place of papersIn(byId("right"))) if (place.isInView) draw(place);
}

function layOut() {
  const top = stage.scrollTop / (stage.scrollHeight || 1);
  observer.disconnect();
  drawTools();
  stage.dataset.view = view;
  if (view === "cover") {
    refill(stage, facts.cover ? paperOf("cover", 0, "flat") : el("p.empty", say("noCover")));
  } else if (view === "designs") {
    refill(stage, drawGallery());
  } else if (view === "finished") {
    refill(stage, drawFinished());
  } else if (["epub", "play"].includes(view)) {
    refill(stage, el("iframe", { title: say(`media.${view}`), src: addressOf("medium", { edition, what: view, of: [book.version, !facts.waiting.length] }) }));
  } else {
    refill(stage, spreads());
  }
  refill(byId("strip"), view === "page" && thumbnails());
  for (const place of papersIn(byId("right"))) observer.observe(place);
  stage.scrollTop = top * stage.scrollHeight;
  delete byId("strip").dataset.shown;
  markPlace();
}

export function thumbOf(part) {
  if (part === "cover" && facts?.cover) return el("img", { src: tileOf({ what: "front" }), alt: "", class: "thumb" });
  const page = pageOf(part);
  return el("span", page ? { class: "paper mini thumb", id: `thumb-${part}`, "aria-hidden": "true", "data-what": "page", "data-number": page, "data-own": true } : { class: "thumb" });
}

/** Draw the thumbnails one after the other, when the pages on the stage have been drawn. */
const drawThumbs = afterPause(700, async () => {
  for (const place of papersIn(byId("rail"))) if (place.isConnected && facts) await draw(place);
});

function thumbnails() {
  return Array.from({ length: facts.count }, (_, index) => paperOf("page", index + 1, "mini", () => showPage(index + 1)));
}

function spreads() {
  const count = view === "screen" ? facts.screen : facts.count;
  if (view === "screen") return Array.from({ length: count }, (_, index) => el("div.spread", paperOf("screen", index + 1)));
  if (narrow.matches) return Array.from({ length: count }, (_, index) => el("div.spread", paperOf("page", index + 1)));
  const list = [el("div.spread.recto", paperOf("page", 1))];
  for (let left = 2; left <= count; left += 2) {
    list.push(el("div.spread", paperOf("page", left), left < count && paperOf("page", left + 1)));
  }
  return list;
}

function paperOf(what, number, style = "", onclick = undefined) {
  const place = el("div", { class: `paper ${what} ${style}`, id: `paper-${what}-${number}-${style}`, "data-number": number, "data-what": what, "data-own": true, onclick });
  size(place);
  return place;
}

function size(place) {
  if (place.classList.contains("mini")) { place.style.width = `${MINI_PX * facts.width / facts.height}px`; return; }
  if (view === "cover") {
    const fitting = Math.min(stage.clientWidth - 32, (stage.clientHeight - 60) * 2.1 * facts.width / facts.height);
    place.style.width = `${Math.max(200, fitting) * 1.25 ** zoom}px`;
    return;
  }
  const across = view === "page" && !narrow.matches ? 2 : 1;
  const fitting = Math.min((stage.clientWidth - (narrow.matches ? 72 : 60)) / across / (facts.width * PX_PT), (stage.clientHeight - 50) / (facts.height * PX_PT));
  const scale = Math.max(0.15, fitting) * 1.25 ** zoom * PX_PT;
  place.style.width = `${facts.width * scale}px`;
  place.style.height = `${facts.height * scale}px`;
}

async function draw(place) {
  if (place.drawnVersion === version) return;
  const turn = place.turn = {};
  place.drawnVersion = version;
  let drawn;
  try {
    drawn = await drawing({ file: book.file, what: place.dataset.what, edition, number: place.dataset.number, place: place.className, colours: isPrinted ? "" : "screen" });
  } catch (error) {
    if (place.turn === turn) refill(place, el("p.error", error.message));
    return;
  }
  if (place.turn !== turn) return; // removed or requested again since
  if (!drawn) { place.drawnVersion = 0; draw(place); return; } // an older request reached the server after this one
  drawn.removeAttribute("width");
  drawn.removeAttribute("height");
  drawn.setAttribute("role", "group");
  const number = Number(place.dataset.number), isMini = place.classList.contains("mini");
  drawn.setAttribute("aria-label", number ? say("page", { number }) : say("coverFlat"));
  if (isMini) drawn.querySelectorAll("[id]").forEach((part) => part.removeAttribute("id"));
  if (place.dataset.what === "page" && !isMini) markPage(drawn, Number(place.dataset.number));
  refill(place, drawn, !isMini && spotsOf(place, drawn));
  showChosen();
}

/** Make a button for each part of a page that comes from a key of the file, over its drawing. Small ones come last. */
function spotsOf(place, drawn) {
  const [left, top, width, height] = drawn.getAttribute("viewBox").split(" ").map(Number);
  return JSON.parse(drawn.dataset.regions).map(({ box: [x, y, wide, high], key: inBook, puzzle }, index) => {
    const own = ["editions", edition, ...inBook], key = edition && valueAt(own) !== undefined ? own : inBook;
    const name = puzzle ? say(key[0] === "levels" ? "puzzle" : "answerOf", { number: puzzle }) : labelsOf(key);
    const choose = ({ detail: clicks }) => {
      select(partOf(key, view === "cover" ? "cover" : "") ?? selection.part, key, puzzle);
      follow(key, !puzzle || clicks > 0); // by keyboard, the focus stays beside the bar of the puzzle
    };
    const isWhole = !puzzle && wide > 0.6 * width && high > 0.6 * height; // empty parts of the page
    const spot = el("button", {
      class: isWhole ? "spot whole" : "spot", id: `${place.id}-${index}`, "data-key": JSON.stringify(key), "data-puzzle": puzzle ?? "", "aria-label": name, tabindex: isWhole ? -1 : 0, onclick: choose,
    });
    const sides = { left: (x - left) / width, top: (y - top) / height, width: wide / width, height: high / height };
    for (const [side, share] of Object.entries(sides)) spot.style[side] = `${100 * share}%`;
    return spot;
  });
}

/** Outline what comes from the chosen key on each drawn page: its own place, or else the place of a key above it. */
function showChosen() {
  const bars = new Set(document.querySelectorAll(".spot-bar"));
  for (const place of papersIn(stage)) {
    const spots = [...place.querySelectorAll(".spot")], alike = spots.map(likeness), most = Math.max(...alike);
    const best = most > (selection.puzzle ? 4 : 0) && spots[alike.indexOf(most)];
    for (const spot of spots) spot.classList.toggle("chosen", spot === best);
    if (!selection.puzzle || !best || bars.delete(best.nextElementSibling)) continue;
    const bar = el("div.spot-bar", el("strong", best.getAttribute("aria-label")), quiet("openPuzzle", () => openPuzzle(selection.puzzle)));
    Object.assign(bar.style, { left: best.style.left, top: best.style.top });
    best.after(bar);
  }
  for (const bar of bars) bar.remove();
}

/** Return a number that is higher the closer the chosen key is to a spot's key; 0 if the spot is not its place. */
function likeness(spot) {
  const key = JSON.parse(spot.dataset.key), isOne = spot.dataset.puzzle === String(selection.puzzle ?? "");
  const steps = key.findIndex((step, index) => step !== selection.key[index]), isAbove = steps < 0;
  const isPlace = isAbove || (steps >= 1 && !Number.isInteger(key[1])) || steps >= 2;
  return isPlace ? (isAbove ? key.length : 0.5) + (isOne ? (selection.puzzle ? 4 : 0.25) : 0) : 0;
}

/** Outline the place of the selected key on the pages, and turn to its page if it is on none of the visible ones. */
onSelection((before) => {
  if (!facts) return;
  showChosen();
  if (String(selection.key) === String(before.key)) return;
  const seen = stage.getBoundingClientRect();
  const isSeen = [...stage.querySelectorAll(".spot.chosen")].some((spot) => { const box = spot.getBoundingClientRect(); return box.bottom > seen.top && box.top < seen.bottom; });
  const page = pageOfKey(selection.key);
  if (view === "page" && page && !isSeen) showPage(page);
});

export function showPart(part) {
  if (part === "cover" || part === "looks") { showView(part === "cover" ? part : "designs"); refreshGallery(); return; }
  const page = facts && pageOfPart(part);
  if (page) showPage(page); else showView("page");
}

export const pageOf = (part) => (facts ? facts.places[part.replace("levels/", "level-")] ?? pageOfPart(part) : undefined);

const pageOfPart = (part) => (part === "end" ? keysOfPart(part) : [keyOfPart(part)]).map(pageOfKey).find(Boolean);

function pageOfKey([first, index]) {
  if (first === "levels") return facts.first_pages[index];
  const names = { solutions: "solutions", notes_pages: "notes", front: `front-${index}`, back: `back-${index ?? 0}` };
  const parts = { how_to_play: "how-to-play", tutorial: "tutorial", contents: "contents" };
  return ["title", "subtitle", "author", "publisher"].includes(first) ? 1 : facts.places[first === "parts" ? parts[index] ?? index : names[first]];
}

/** Make puzzles pale that are not made yet, and draw trim and margins if they are switched on. */
function markPage(drawn, number) {
  for (const board of drawn.querySelectorAll("g[id^='puzzle-'], g[id^='solution-']")) {
    if (facts.waiting.includes(Number(board.id.split("-")[1]))) board.classList.add("waiting");
  }
  if (!marks) return;
  const [inside, outside, top, bottom] = facts.margins, odd = number % 2 === 1;
  const line = (className, x, y, width, height) => {
    const box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [name, value] of Object.entries({ class: className, x, y, width, height })) box.setAttribute(name, value);
    drawn.append(box);
  };
  line("live", odd ? inside : outside, top, facts.width - inside - outside, facts.height - top - bottom);
  if (facts.bleed.some(Boolean)) line("trim", 0, 0, facts.width, facts.height);
  const [left, right, above, below] = facts.bleed;
  drawn.setAttribute("viewBox", `${odd ? 0 : -left} ${-above} ${facts.width + (odd ? right : left)} ${facts.height + above + below}`);
}

function drawTools() {
  drawEditions();
  const tab = (name, word) => button(word, () => showView(name), { "aria-pressed": String(view === name) });
  const flag = (word, isOn, flip) => quiet(word, () => { flip(); version += 1; redraw(); drawTools(); }, { "aria-pressed": String(isOn) });
  const sized = (step) => { zoom = step ? zoom + step : 0; papersIn(stage).forEach(size); };
  refill(byId("views"),
    el("div.group", tab("page", "viewPages"), tab("cover", "viewCover"), tab("designs", "viewDesigns")),
    view === "page" && el("span", { id: "shown-pages" }, pagesWords()),
    el("div.group", { hidden: view === "designs" },
      quiet("−", () => sized(-1), { "aria-label": say("smaller") }), quiet("fit", () => sized(0)), quiet("+", () => sized(1), { "aria-label": say("larger") }),
      (view === "cover" || facts.coloured) && flag("asPrinted", isPrinted, () => { isPrinted = !isPrinted; }),
      view === "page" && flag("marks", marks, () => { marks = !marks; })));
}

export const levelOf = (puzzle) => facts.first_pages.findLastIndex((page) => page <= placeOf(puzzle));

export const placeOf = (puzzle) => facts?.places[`puzzle-${puzzle}`];

export function showView(name) {
  if (view === name) return;
  view = byId("desk").dataset.view = name;
  if (facts) layOut(); // else refreshPages does when the facts have come
}

function pagesWords() {
  const [first, last = first] = (byId("strip").dataset.shown ?? "1").split(",");
  return say(first === last ? "pageShown" : "pagesShown", { first, last, count: facts.count });
}

function markPlace() {
  if (view !== "page" || !facts || !stage.clientWidth) return;
  const { left, top } = stage.getBoundingClientRect(), [across, down] = [left + stage.clientWidth / 2, top + stage.clientHeight / 2];
  const isBehind = ({ right, bottom }) => (narrow.matches ? right > across : bottom > down);
  const spread = [...stage.children].find((part) => isBehind(part.getBoundingClientRect())) ?? stage.lastElementChild;
  const shown = [...papersIn(spread)].map((place) => Number(place.dataset.number));
  if (!shown.length || byId("strip").dataset.shown === String(shown)) return;
  byId("strip").dataset.shown = String(shown);
  for (const mini of byId("strip").children) mini.classList.toggle("shown", shown.includes(Number(mini.dataset.number)));
  const [first, last] = [shown[0], shown.at(-1)].map((number) => byId("strip").children[number - 1]), strip = byId("strip");
  if (first.offsetLeft < strip.scrollLeft || last.offsetLeft + last.offsetWidth > strip.scrollLeft + strip.clientWidth) strip.scrollLeft = first.offsetLeft - strip.clientWidth / 2;
  byId("shown-pages").textContent = pagesWords();
}

stage.addEventListener("scroll", markPlace, { passive: true });

export function showPage(number) {
  showView("page");
  stage.querySelector(`[data-what="page"][data-number="${number}"]`)?.scrollIntoView({ block: "center", inline: "center" });
}

new ResizeObserver(() => {
  if (!facts || !stage.clientWidth) return;
  papersIn(stage).forEach(size);
  const page = byId("strip").dataset.shown?.split(",").at(-1);
  if (page && view === "page") byId(`paper-page-${page}-`)?.scrollIntoView({ block: "center", inline: "center" });
}).observe(stage);
narrow.addEventListener("change", () => { if (facts) layOut(); });
