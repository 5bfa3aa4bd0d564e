// The forecast of a level, and three sample boards of its recipe, which its card shows beside the fields.

import { ask, svgOf } from "./api.mjs";
import { book, change, valueAt } from "./book.mjs";
import { el, marked, say, toast } from "./dom.mjs";

// Sample boards by the keys that they depend on; null while they are being made. Without it, cards would flicker.
const samples = new Map();
let outlook = [], faulty = new Set(), redraw = () => {};

export function onLevels(listener) { redraw = listener; }

/** Set the forecast of each level and the problems of the book, and show them in the settings. */
export function setOutlook(levels, problems) {
  const isOld = ({ name }) => problems.length && !levels.some((level) => level.name === name); // a wrong book has no forecast
  outlook = [...levels, ...outlook.filter(isOld)];
  faulty = new Set(problems.filter(({ key }) => key[0] === "levels").map(({ key }) => key[1]));
  redraw();
}

/** Draw the forecast of a level, given its index, or of a weekday, given its name. Each size has a forecast. */
function forecasts(place) {
  const name = valueAt(["levels", place, "name"]) ?? place;
  return outlook.filter((other) => other.name === name || (name === place && other.name.startsWith(`${name},`))).flatMap((level) => [
    level.time ? el("p", { class: "time" }, say("timeOfLevel", { time: level.time })) : null,
    el("div", { class: "shares" }, bars("difficultiesOfBoards", level.difficulties)),
    ...(level.warnings ?? []).map((why) => el("p", { class: "unlikely", role: "note" }, ...marked(why))),
    level.unlikely || level.unmet || level.impossible ? waysOut(name === place ? ["week", place] : ["levels", Number(place)], level) : null,
  ]).filter(Boolean);
}

const forecastOf = (name) => outlook.find((level) => level.name === name);

/** Say in a few words that the puzzles of a level can't be made, or probably not all of them; empty if they can. */
export function hopeOf(index) {
  const { unmet, unlikely, impossible } = forecastOf(valueAt(["levels", index, "name"])) ?? {};
  return unmet || impossible ? say("notMade") : unlikely ? say("hardlyMade") : "";
}

/** Say in a few words what is wrong with a level; empty if nothing is. */
export const faultOf = (index) => hopeOf(index) || (faulty.has(index) ? say("hasProblem") : "");

export const sizeWords = (size) => [size].flat().map((one) => String(one).replace(/^\d+$/, "$&x$&").replace("x", " × ")).join(", ");

function wayWords({ size, paths, solids, difficulty, effort, otherwise, ...others }) {
  const range = (text) => text.replace("-", ` ${say("to")} `), written = Object.entries(others).map(([key, value]) => `${key}: ${value}`);
  return [size && say("waySize", { size: sizeWords(size) }), paths && say(size ? "wayWithPairs" : "wayPairs", { count: range(paths) }),
    solids && say(solids === "0" ? "wayNoSolids" : "waySolids", { count: range(solids) }), difficulty && say("wayDifficulty", { difficulty }), effort && say(size || paths ? "wayAndEffort" : "wayEffort"), otherwise && say("wayNearest"), ...written].filter(Boolean).join(", ");
}

/** Draw the shares of the difficulties of a level's boards as one bar. Accepted ones are highlighted. */
export function barOf(name) {
  return el("span", { class: "shares-bar", "aria-hidden": "true" }, ...(forecastOf(name)?.difficulties ?? []).map(([, share, isAccepted]) => {
    const part = el("i", { class: isAccepted ? "accepted" : "" });
    part.style.flexGrow = share;
    return part;
  }));
}

/** Draw a bar for each difficulty, as long as its share of the boards. Accepted ones are highlighted. */
function bars(word, shares) {
  if (!shares.length) return null;
  return el("figure", { class: "bars" }, el("figcaption", {}, say(word)), el("ul", {}, ...shares.map(([label, share, isAccepted]) => {
    const bar = el("i", {}), percent = share && share < 0.01 ? "< 1 %" : `${Math.round(100 * share)} %`;
    bar.style.width = `${Math.max(share ? 2 : 0, 100 * share)}%`;
    return el("li", { class: isAccepted ? "accepted" : "" }, el("span", {}, label), el("span", { class: "bar", "aria-hidden": "true" }, bar), el("span", {}, percent));
  })));
}

function waysOut(path, { unmet, impossible, ways }) {
  return el("div", { class: "unlikely", role: "note" }, ...(unmet ? [el("p", {}, el("strong", {}, say("unmet"))), el("p", {}, ...marked(unmet))] : []), impossible && el("p", {}, el("strong", {}, say("impossible", { difficulty: impossible }))),
    ways.length ? el("p", {}, say(unmet || impossible ? "waysOut" : "unlikely")) : null,
    el("div", { class: "ways" }, ...ways.map((keys) => el("button", {
      onclick: async (event) => {
        event.target.closest("fieldset").focus({ preventScroll: true }); // the button disappears with the unlikely recipe
        const refused = await change("merge", path, keys); if (refused) toast(refused);
      },
    }, wayWords(keys)))));
}

export const outlookOf = (day) => el("div", { class: "outlook" }, ...forecasts(day));

export function levelExtras(index) {
  const { seed, theme, fonts } = book.values, keys = JSON.stringify([book.file, seed, theme, fonts, valueAt(["levels", index])]);
  const isMade = !book.problems.length && !valueAt(["levels", index, "from"]), boards = samples.get(keys);
  if (isMade && boards === undefined) makeSamples(index, keys);
  const shown = boards?.length ? boards.map(boardOf) : [say(boards ? "samplesNone" : "samplesWait")];
  return el("div", { class: "outlook" }, isMade && el("div", { class: "boards", "aria-live": "polite" }, ...shown), ...forecasts(String(index)));
}

const boardOf = ({ svg, difficulty }) => {
  const drawn = svgOf(svg);
  drawn.setAttribute("aria-label", difficulty);
  return el("figure", {}, drawn, el("figcaption", {}, difficulty));
};

async function makeSamples(index, keys) {
  if (samples.size > 60) samples.clear();
  samples.set(keys, null);
  const { boards, isOutdated } = await ask("samples", { file: book.file, level: index, version: book.version }).catch(() => ({ boards: [] }));
  if (isOutdated) samples.delete(keys);
  else samples.set(keys, boards);
  redraw();
}
