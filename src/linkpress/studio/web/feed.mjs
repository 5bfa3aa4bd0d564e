// A feed: its calendar with the boards of the coming days, which can be swapped, and their images as printed.

import { ask, send, svgOf } from "./api.mjs";
import { book, change, settled, valueAt } from "./book.mjs";
import { button, byId, el, openDialog, quiet, refill, say, toast, today } from "./dom.mjs";

const DAYS = 14;
// What is known of each day's puzzle, or the promise of it. Without it, days would flicker when they are redrawn.
const boards = new Map();
let first = today(), turn = 0;

const later = (day, count) => new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);

/** Redraw the calendar. Known boards are shown at once, the others one after the other. */
export async function drawCalendar() {
  const own = ++turn, file = book.file, isOutdated = () => own !== turn || file !== book.file;
  refill(byId("views"),
    el("div", { class: "group" }, quiet("earlier", () => move(-7)), quiet("later", () => move(7))),
    el("label", {}, `${say("from")} `, el("input", { type: "date", id: "first-day", value: first, required: true, onchange: (event) => { if (event.target.value) { first = event.target.value; drawCalendar(); } } })));
  let days;
  try {
    days = await ask("calendar", { file, from: first, days: DAYS });
  } catch (error) {
    if (!isOutdated()) byId("stage").replaceChildren(el("p", { class: "empty" }, error.message));
    return;
  }
  if (isOutdated()) return;
  refill(byId("stage"), el("ul", { class: "calendar" }, ...days.map(cardOf)));
  fillDays(days.filter(({ number }) => number !== null), isOutdated);
}

function move(count) { first = later(first, count); drawCalendar(); }

const keyOf = (day) => JSON.stringify([book.file, day.day, day.key, day.published && !day.replaced, book.values.image, book.values.fonts]);

function cardOf(day) {
  const head = [el("strong", {}, say(`weekdays.${day.weekday}`)), el("span", {}, day.day)];
  if (day.number === null) return el("li", { class: "day none" }, ...head, el("span", {}, say("noIssue")));
  const known = boards.get(keyOf(day));
  return el("li", { class: "day" }, el("button", {
    id: `day-${day.day}`, onclick: () => openDay(day),
  }, ...head, el("span", { class: "board", "aria-hidden": "true" }, known ? svgOf(known.svg) : say("boardWait")),
  el("span", {}, `${say("puzzle", { number: day.number })} ${known?.difficulty ?? ""}`),
  el("span", { class: "state" }, say(day.published ? "published" : day.replaced ? "replaced" : "planned"))));
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

async function fillDays(days, isOutdated) {
  for (const day of days) {
    const error = await Promise.resolve(boardOf(day)).then(() => null, (refusal) => refusal);
    if (isOutdated()) return;
    const place = byId(`day-${day.day}`);
    if (error) place.querySelector(".board").replaceChildren(error.message);
    else refill(place.parentElement, ...cardOf(day).childNodes);
  }
}

async function openDay(day) {
  const { file } = book, known = await boardOf(day);
  if (file !== book.file) return;
  const path = ["replace", day.day], which = Number(valueAt(path) ?? 0);
  const swap = async (count) => {
    byId("dialog").close();
    const refused = count ? await change("set", path, String(count)) : await change("unset", path);
    if (refused) toast(refused);
  };
  const picture = (what) => el("figure", {}, el("img", { class: "print", alt: say(`images.${what}`), src: `api/image?${new URLSearchParams({ file: book.file, day: day.day, what, turn })}` }), el("figcaption", {}, say(`images.${what}`)));
  const rows = [["difficulty", known.difficulty], ["size", known.size], ["fingerprint", known.fingerprint]];
  openDialog(`${say(`weekdays.${day.weekday}`)} ${day.day}`,
    el("div", { class: "compare" }, picture("puzzle"), picture("solution"), valueAt(["image", "combined"]) === "yes" ? picture("combined") : null),
    el("dl", {}, ...rows.filter(([, value]) => value).flatMap(([word, value]) => [el("dt", {}, say(word)), el("dd", {}, value)])),
    el("div", { class: "tools" }, button("another", () => swap(which + 1), { class: "chief" }), which ? button("backAgain", () => swap(0)) : null));
}

/** Start making the days that the calendar shows, as `linkpress feed` does. */
export async function makeDays() {
  const { file } = book;
  try {
    await settled();
    await send("build", { file, from: first, days: DAYS });
  } catch (error) { toast(error.message); }
}
