// A feed: the month with its boards, and a panel about one day with its images and pages.

import { act, addressOf, ask, book, send, settled, svgOf, valueAt } from "./book.mjs";
import { button, byId, copyText, el, entriesOf, factList, joined, link, meaning, moveFocus, quiet, refill, say, today } from "./dom.mjs";
import { focusKey, sizeWords } from "./form.mjs";
import { go, show } from "./main.mjs";

// What is known of each day's puzzle, or the promise of it. Without it, days would flicker when they are redrawn.
const boards = new Map();
let months = 0, month = { weeks: [] }, chosen = "", tab = "puzzle", turn = 0;

const days = () => month.weeks.flat().filter(Boolean);

/** Redraw the calendar. Known boards are shown at once, the others one after the other. */
export async function drawCalendar() {
  const own = ++turn, { file } = book, isOutdated = () => own !== turn || file !== book.file;
  const turnBy = (count) => () => { months = count && months + count; drawCalendar(); };
  const answer = await ask("calendar", { file, today: today(), months }).catch(({ message }) => ({ message }));
  if (isOutdated()) return;
  if (answer.message) { byId("stage").replaceChildren(el("p.empty", answer.message)); return; }
  month = answer;
  refill(byId("views"),
    el("div.group", el("h2", { id: "month" }, month.title), quiet("earlier", turnBy(-1)), quiet("later", turnBy(1)), quiet("today", turnBy(0))),
    el("span", { id: "days-made" }, say("daysMade", month)));
  drawMonth();
  refreshDay();
  for (const day of days().filter(({ state }) => !["none", "missed"].includes(state))) {
    if (boards.get(keyOf(day))?.svg) continue;
    const error = await Promise.resolve(boardOf(day)).then(() => null, (refusal) => refusal);
    if (isOutdated()) return;
    drawMonth();
    refreshDay();
    if (error) byId(`day-${day.day}`).querySelector(".board").textContent = error.message;
  }
}

const keyOf = (day) => JSON.stringify([book.file, day.day, day.key, day.state === "made", book.values.image, book.values.fonts]);

function drawMonth() {
  const heads = entriesOf("weekdays").map(([weekday, name]) => {
    const { size, difficulty } = valueAt(["week", weekday]) ?? {}, choose = () => { go("week"); focusKey(["week", weekday]); };
    return el("div", { role: "columnheader" }, el("button.quiet", { onclick: choose }, el("strong", name), el("span", joined([size && sizeWords(size), difficulty]))));
  });
  const step = (event) => moveFocus(event, [...byId("stage").querySelectorAll(".day button")], { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 7, ArrowUp: -7 });
  const stop = days().some(({ day }) => day === chosen) ? chosen : days()[0].day;
  const cell = (day) => (day ? cellOf(day, stop) : el("div.day.other", { role: "gridcell" }));
  refill(byId("stage"), el("div.month", el("div.calendar", { role: "grid", "aria-labelledby": "month", onkeydown: step },
    el("div.weekdays", { role: "row" }, heads), month.weeks.map((week) => el("div", { role: "row" }, week.map(cell))))));
}

function cellOf(day, stop) {
  const known = boards.get(keyOf(day)), { state } = day;
  const open = () => { chosen = day.day; drawMonth(); show("day"); };
  return el(`div.day.${state}`, { role: "gridcell", "aria-selected": String(day.day === chosen) }, el("button", {
    id: `day-${day.day}`, tabindex: day.day === stop ? 0 : -1, "aria-current": day.day === today() && "date", onclick: open,
  }, el("strong", el("span.weekday", `${day.short} `), String(Number(day.day.slice(8)))), el("span.state", say(`days.${state}`)),
  !["none", "missed"].includes(state) && [el("span.board", { "aria-hidden": "true" }, known?.svg && svgOf(known.svg)),
    el("span.facts", joined([String(day.number), known?.difficulty?.split(",")[0]], " · "))]));
}

/** Return the facts of a day's puzzle, or their promise. They are requested once. */
function boardOf(day) {
  const key = keyOf(day);
  if (!boards.has(key)) {
    boards.set(key, ask("day", { file: book.file, day: day.day }));
    boards.get(key).then((facts) => boards.set(key, facts), () => boards.delete(key));
  }
  return boards.get(key);
}

const chosenDay = () => days().find(({ day }) => day === chosen);

export const dayName = () => chosenDay()?.name ?? "";

export const drawDay = () => el("div.fields", { id: "day-panel" }, dayParts());

function refreshDay() { if (byId("day-panel")) refill(byId("day-panel"), dayParts()); }

function dayParts() {
  const day = chosenDay(), path = ["replace", chosen], which = Number(valueAt(path) ?? 0);
  if (!day) return [];
  const skipped = [valueAt(["skip"]) ?? []].flat(), skip = (list) => act(list.length ? "set" : "unset", ["skip"], list);
  if (day.state === "none") return [el("p", say("noIssue")), skipped.includes(chosen) && button("addPuzzle", () => skip(skipped.filter((one) => one !== chosen)))];
  const known = boardOf(day), isMade = day.state === "made" && known.files;
  const tabs = ["puzzle", "solution", valueAt(["image", "combined"]) === "yes" && "combined", isMade && known.pages && "page"].filter(Boolean), shown = tabs.includes(tab) ? tab : "puzzle";
  return [
    el("div.tools", { role: "group" }, tabs.map((each) => quiet(`images.${each}`, () => { tab = each; refreshDay(); }, { "aria-pressed": String(each === shown) }))),
    shown === "page" ? pageParts() : imageParts(shown, isMade || []),
    el("div.tools", button("another", () => act("set", path, String(which + 1))), which && button("backAgain", () => act("unset", path)), button("noPuzzle", () => skip([...skipped, chosen]))),
    meaning("othersStay"),
    factList([["puzzleOf", String(day.number)], ...["difficulty", "size", "fingerprint"].map((name) => [name, known[name]])])];
}

function saveLink(path) {
  const name = path.split("/").at(-1);
  return link("saveFile", addressOf("file", { name: path, keep: 1 }), name, { name });
}

function imageParts(what, files) {
  const names = files.filter(([kind]) => kind === what).map(([, name]) => name);
  return [el("img.print", { alt: say(`images.${what}`), src: addressOf("image", { day: chosen, what, turn }) }),
    el("div.tools", names.map(saveLink)), !names.length && meaning("saveLater")];
}

function pageParts() {
  const file = `web/${chosen}/embed.html`, url = valueAt(["web", "url"]), open = link("play", addressOf("file", { name: file }));
  if (!url) return [el("div.tools", open, saveLink(file)), meaning("embedFile")];
  const code = el("iframe", { src: `${url.replace(/\/$/, "")}/${chosen}/index.html`, title: book.values.title, width: "100%", height: 640 }).outerHTML;
  return [el("div.tools", open), el("label", { for: "embed" }, say("embedCode")), el("textarea", { id: "embed", rows: 4, readonly: true, value: code }),
    el("div.tools", button("copyCode", () => copyText(code)))];
}

/** Return the words of the button that makes the days of the month that are left; empty if there are none. */
export const makeWords = () => month.left && say("makeDays", month);

export async function makeDays() {
  const { file } = book, { left } = month;
  await settled();
  if (left) await send("build", { file, ...left });
}
