// A feed: the month with its boards, and a panel about one day with its images and pages.

import { ask, send, svgOf } from "./api.mjs";
import { addressOf, book, edit, settled, valueAt } from "./book.mjs";
import { button, byId, copyText, el, factList, moveFocus, quiet, refill, say, toast, today } from "./dom.mjs";
import { sizeWords } from "./levels.mjs";

// What is known of each day's puzzle, or the promise of it. Without it, days would flicker when they are redrawn.
const boards = new Map();
let first = `${today().slice(0, 8)}01`, days = [], chosen = "", tab = "puzzle", turn = 0;

const format = (options) => new Intl.DateTimeFormat("en", { timeZone: "UTC", ...options });
const named = (day, options) => format(options).format(Date.parse(day));
const monthAfter = (months) => { const date = new Date(first); date.setUTCMonth(date.getUTCMonth() + months); return date.toISOString().slice(0, 10); };

/**
 * Redraw the calendar. Known boards are shown at once, the others one after the other. A click on a day calls
 * `showDay`, and a click on a weekday `showWeekday` with its name.
 */
export async function drawCalendar(showDay, showWeekday) {
  const own = ++turn, file = book.file, isOutdated = () => own !== turn || file !== book.file;
  const turnTo = (day) => { first = day; drawCalendar(showDay, showWeekday); };
  const open = (day) => { chosen = day; refill(byId("stage"), monthOf(open, showWeekday)); showDay(); };
  const count = (Date.parse(monthAfter(1)) - Date.parse(first)) / 86_400_000;
  let listed;
  try {
    listed = await ask("calendar", { file, from: first, days: count });
  } catch (error) {
    if (!isOutdated()) byId("stage").replaceChildren(el("p.empty", error.message));
    return;
  }
  if (isOutdated()) return;
  days = listed;
  const issues = days.filter(({ number }) => number !== null);
  refill(byId("views"),
    el("div.group", el("h2", { id: "month" }, named(first, { month: "long", year: "numeric" })),
      quiet("earlier", () => turnTo(monthAfter(-1))), quiet("later", () => turnTo(monthAfter(1))), quiet("today", () => turnTo(`${today().slice(0, 8)}01`))),
    el("span", { id: "days-made" }, say("daysMade", { made: issues.filter(({ published }) => published).length, count: issues.length })));
  const draw = () => { refill(byId("stage"), monthOf(open, showWeekday)); refreshDay(); };
  draw();
  fillDays(issues.filter((day) => stateOf(day) !== "missed"), draw, isOutdated);
}

const keyOf = (day) => JSON.stringify([book.file, day.day, day.key, day.published, book.values.image, book.values.fonts]);

const stateOf = ({ number, published, replaced, passed, day }) =>
  (number === null ? "none" : published ? "made" : replaced ? "swapped" : passed || day < today() ? "missed" : "planned");

function monthOf(open, showWeekday) {
  const blanks = (count) => Array.from({ length: count }, () => el("div", { role: "gridcell", class: "day other" }));
  const start = days.findIndex(({ weekday }) => weekday === "monday"), cells = [...blanks((7 - start) % 7), ...days.map((day) => cellOf(day, open))];
  cells.push(...blanks((7 - (cells.length % 7)) % 7));
  const weeks = Array.from({ length: cells.length / 7 }, (_, week) => el("div", { role: "row" }, cells.slice(7 * week, 7 * week + 7)));
  const heads = days.slice(start, start + 7).map(({ weekday }) => {
    const keys = valueAt(["week", weekday]), facts = [keys?.size && sizeWords(keys.size), keys?.difficulty].filter(Boolean);
    return el("div", { role: "columnheader" }, el("button.quiet", { onclick: () => showWeekday(weekday) }, el("strong", say(`weekdays.${weekday}`)), el("span", facts.join(", "))));
  });
  return el("div.month", el("div.calendar", { role: "grid", "aria-labelledby": "month", onkeydown: step }, el("div", { role: "row", class: "weekdays" }, heads), weeks));
}

/** Move the focus by a day or a week with the arrow keys. */
function step(event) {
  moveFocus(event, [...byId("stage").querySelectorAll(".day button")], { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 7, ArrowUp: -7 });
}

function cellOf(day, open) {
  const known = boards.get(keyOf(day)), state = stateOf(day), isNow = day.day === today(), isStop = days.some((one) => one.day === chosen) ? day.day === chosen : day === days[0];
  return el("div", { role: "gridcell", class: `day ${state}`, "aria-selected": String(day.day === chosen) }, el("button", {
    id: `day-${day.day}`, tabindex: isStop ? 0 : -1, "aria-current": isNow && "date", onclick: () => open(day.day),
  }, el("strong", el("span.weekday", `${named(day.day, { weekday: "short" })} `), String(Number(day.day.slice(8)))),
  el("span.state", say(`days.${state}`)),
  !["none", "missed"].includes(state) && [el("span.board", { "aria-hidden": "true" }, known?.svg ? svgOf(known.svg) : ""),
    el("span.facts", [String(day.number), known?.difficulty?.split(",")[0]].filter(Boolean).join(" · "))]));
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

async function fillDays(issues, draw, isOutdated) {
  for (const day of issues) {
    if (boards.get(keyOf(day))?.svg) continue;
    const error = await Promise.resolve(boardOf(day)).then(() => null, (refusal) => refusal);
    if (isOutdated()) return;
    draw();
    if (error) byId(`day-${day.day}`).querySelector(".board").textContent = error.message;
  }
}

export const dayName = () => (chosen ? named(chosen, { weekday: "long", month: "long", day: "numeric" }) : "");

export const drawDay = () => el("div.fields", { id: "day-panel" }, dayParts());

function refreshDay() { if (byId("day-panel")) refill(byId("day-panel"), dayParts()); }

function dayParts() {
  const day = days.find((one) => one.day === chosen), path = ["replace", chosen], which = Number(valueAt(path) ?? 0);
  if (!day) return [];
  const skipped = [valueAt(["skip"]) ?? []].flat(), skip = (list) => (list.length ? edit("set", ["skip"], list) : edit("unset", ["skip"]));
  if (day.number === null) {
    return [el("p", say("noIssue")), skipped.includes(chosen) && button("addPuzzle", () => skip(skipped.filter((one) => one !== chosen)))];
  }
  const known = boardOf(day), isMade = day.published && known.files, hasPages = isMade && known.pages;
  const tabs = ["puzzle", "solution", valueAt(["image", "combined"]) === "yes" && "combined", hasPages && "page"].filter(Boolean), shown = tabs.includes(tab) ? tab : "puzzle";
  return [
    el("div.tools", { role: "group" }, tabs.map((each) => quiet(`images.${each}`, () => { tab = each; refreshDay(); }, { "aria-pressed": String(each === shown) }))),
    ...(shown === "page" ? pageParts() : imageParts(shown, isMade ? known.files : [])),
    el("div.tools", button("another", () => edit("set", path, String(which + 1))), which && button("backAgain", () => edit("unset", path)), button("noPuzzle", () => skip([...skipped, chosen]))),
    el("p.meaning", say("othersStay")),
    factList([["puzzleOf", String(day.number)], ["difficulty", known.difficulty], ["size", known.size], ["fingerprint", known.fingerprint]])];
}

const saveLink = (name) => el("a.button", { href: addressOf("file", { name, keep: 1 }), download: name.split("/").at(-1) }, say("saveFile", { name: name.split("/").at(-1) }));

function imageParts(what, files) {
  const names = files.filter(([kind]) => kind === what).map(([, name]) => name);
  return [el("img.print", { alt: say(`images.${what}`), src: addressOf("image", { day: chosen, what, turn }) }),
    el("div.tools", names.map(saveLink)), !names.length && el("p.meaning", say("saveLater"))];
}

/** Show the page of the day, and the code that puts it into a page of the newspaper. */
function pageParts() {
  const folder = `web/${chosen}`, url = valueAt(["web", "url"]);
  const open = el("a.button", { href: addressOf("file", { name: `${folder}/embed.html` }), target: "_blank", rel: "noopener" }, say("play"));
  if (!url) return [el("div.tools", open, saveLink(`${folder}/embed.html`)), el("p.meaning", say("embedFile"))];
  const code = el("iframe", { src: `${url.replace(/\/$/, "")}/${chosen}/index.html`, title: book.values.title, width: "100%", height: 640 }).outerHTML;
  return [el("div.tools", open), el("label", { for: "embed" }, say("embedCode")), el("textarea", { id: "embed", rows: 4, readonly: true, value: code }),
    el("div.tools", button("copyCode", () => copyText(code)))];
}

/** Return the days of the month that are still to be made: from today on, and swapped ones. */
const daysToMake = () => days.filter((day) => ["planned", "swapped"].includes(stateOf(day))).map(({ day }) => Date.parse(day));

/** Return the words of the button that makes them; empty if there are none. */
export function makeWords() {
  const left = daysToMake();
  return left.length && say("makeDays", { days: format({ month: "short", day: "numeric" }).formatRange(left[0], left.at(-1)) });
}

/** Start making the days of the month that are left, as `linkpress feed` does. */
export async function makeDays() {
  const { file } = book, left = daysToMake();
  if (!left.length) return;
  try {
    await settled();
    await send("build", { file, from: new Date(left[0]).toISOString().slice(0, 10), days: (left.at(-1) - left[0]) / 86_400_000 + 1 });
  } catch (error) { toast(error.message); }
}
